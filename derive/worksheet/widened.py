"""Built-in problems as worksheets take them: wide enough that LayerNorm leaves something to do.

Two features become 1 and -1 whatever they are: their mean lies half-way, as far from either as the
deviation is.  All rows are alike then, and hardly a mistake shows.
"""

from __future__ import annotations

from dataclasses import replace

from derive.derivation import Problem
from derive.exact import matrix
from derive.models import MODELS

NARROW, WIDE, WIDE_RATIONAL = 2, 3, 4
"""Three whole numbers never have a rational deviation: 9 var = 2 (a^2 + ab + b^2) of the
differences a and b is no square, for 2 divides a^2 + ab + b^2 an even number of times."""
SIDE = "d_model"


def is_narrow(problem: Problem) -> bool:
    """Whether LayerNorm takes every row to 1 and -1."""
    return (
        problem.width == NARROW
        and problem.conventions.normalization == "layernorm"
        and any(name.rpartition(".")[2].startswith(("gamma", "W_1")) for name in problem.given)
    )


def widened(problem: Problem, *, is_rational: bool = False) -> Problem:
    """The problem of the same sizes but for the width, where that is 2 and LayerNorm is in it.

    Only the shapes are of use: every number is drawn anew.  is_rational: whether deviations are to
    be rational.
    """
    if not is_narrow(problem):
        return problem
    width = WIDE_RATIONAL if is_rational else WIDE
    axes = MODELS[problem.model].matrices(problem.conventions, problem.given)
    given = {}
    for name, found in problem.given.items():
        pairs = zip(axes[name], found.shape, strict=True)
        rows, columns = (width if side == SIDE else size for side, size in pairs)
        given[name] = matrix([[_any(i, j) for j in range(columns)] for i in range(rows)])
    return replace(problem, given=given)


def _any(i: int, j: int) -> int:
    """A number that is not 0, unlike its neighbours."""
    return (3 * i + j * j) % 5 + 1
