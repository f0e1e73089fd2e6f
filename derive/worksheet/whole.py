"""A drawn problem in whole numbers, without a derivation: thousands are looked at."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from operator import add, mul
from typing import Any

from derive.derivation import Derivation, Problem
from derive.exact import Matrix, NegativeInfinity
from derive.ops import (
    Affine,
    Columns,
    Concat,
    Linear,
    Mask,
    Residual,
    RowMeans,
    Scale,
    Scores,
    Transpose,
)
from derive.ops import (
    Rows as RowsOf,
)

Rows = Sequence[Sequence[int]]
Given = Mapping[str, Rows]


def whole_scores(problem: Problem, given: Given) -> list[Rows]:
    """Q K^T of each head of the first layer, a row for each query.

    problem: whose conventions hold; none where the scores are not whole: after a normalisation, or
    with turned queries and keys.
    """
    choices = problem.conventions
    if not has_whole_scores(problem):
        return []
    if choices.heads == 1 and choices.vectors == "rows" and _is_plain(problem.given):
        # H (W_Q W_K^T) H^T, for it is quicker
        h = given["H"]
        return [products(products(h, turned(products(given["W_Q"], given["W_K"]))), h)]
    queries, keys = (projected(problem, given, letter) for letter in "QK")
    groups = choices.kv_heads or choices.heads
    every = zip(parts(queries, choices.heads), range(choices.heads), strict=True)
    of_groups = parts(keys, groups)
    return [products(own, of_groups[head // (choices.heads // groups)]) for own, head in every]


def parts(rows: Rows, count: int) -> list[Rows]:
    """So many matrices side by side, each by itself."""
    width = len(rows[0]) // count
    return [[row[k * width : (k + 1) * width] for row in rows] for k in range(count)]


def _is_plain(given: Mapping[str, Any]) -> bool:
    return not ("b_Q" in given or "b_K" in given or "context" in given)


def has_whole_scores(problem: Problem) -> bool:
    """Whether the scores of the first layer are whole where what is given is."""
    choices = problem.conventions
    is_normalised = problem.model == "block" and choices.norm == "pre"
    return "W_Q" in problem.given and choices.positions != "rope" and not is_normalised


def projected(problem: Problem, given: Given, letter: str) -> Rows:
    """X W + b: a row for each query, or key."""
    known = problem.given
    x = given["context" if letter == "K" and "context" in known else "H"]
    w = given[f"W_{letter}"]
    is_turned = problem.conventions.vectors == "columns"
    made = products(turned(x), w) if is_turned else products(x, turned(w))
    if f"b_{letter}" not in known:
        return made
    (bias,) = given[f"b_{letter}"]
    return [list(map(add, row, bias)) for row in made]


def products(x: Rows, y: Rows) -> Rows:
    """X Y^T: every row of the one with every row of the other; thousands are of two columns."""
    if len(x[0]) == 2:
        return [[a * c + b * d for c, d in y] for a, b in x]
    return [[sum(map(mul, row, other)) for other in y] for row in x]


def turned(rows: Rows) -> Rows:
    """Columns as rows."""
    return list(zip(*rows, strict=True))


# --- every step as long as it is whole


def product(x: Rows, w: Rows) -> Rows:
    """X W."""
    return products(x, turned(w))


def _added(x: Rows, y: Rows) -> Rows:
    tall = y if len(y) == len(x) else list(y) * len(x)
    return [list(map(add, r, s)) for r, s in zip(x, tall, strict=True)]


def _scores(op: Any, q: Rows, k: Rows) -> Rows:
    return product(*op.factors(_Turning(q), _Turning(k)))


class _Turning(list[Any]):
    """Rows that can be turned over as a matrix can."""

    @property
    def T(self) -> Rows:
        """Columns as rows."""
        return turned(self)


RULES: Mapping[type, Callable[..., Rows]] = {
    Linear: lambda op, x, w: product(x, w),
    Affine: lambda op, x, w, b: _added(product(x, w), b),
    Columns: lambda op, x: [row[op.first - 1 : op.last] for row in x],
    RowsOf: lambda op, x: x[op.first - 1 : op.last],
    Transpose: lambda op, x: turned(x),
    Scores: _scores,
    Scale: lambda op, x: x,
    Mask: lambda op, x: x,
    RowMeans: lambda op, x: [[sum(row)] for row in x],
    Residual: lambda op, x, f: _added(x, f),
    Concat: lambda op, *every: [list(chain(*rows)) for rows in zip(*every, strict=True)],
}
"""How an operation works on whole numbers; what is scaled, masked or a mean keeps only its sign."""


class Whole(dict[str, Rows]):
    """The steps of a derivation in whole numbers, each worked out when it is first asked for."""

    def __init__(self, derivation: Derivation, given: Given) -> None:
        """derivation: of a problem of the same shapes; given: what this one has."""
        super().__init__(given)
        self.derivation = derivation

    def __missing__(self, name: str) -> Rows:
        step = self.derivation.step(name)
        self[name] = RULES[type(step.op)](step.op, *(self[x.name] for x in step.inputs))
        return self[name]


def forbidden(mask: Matrix) -> Rows:
    """Where a mask is -oo."""
    return [[isinstance(x, NegativeInfinity) for x in row] for row in mask.rows]


def is_whole_mean(value: int, scores: Sequence[int], values: Sequence[int]) -> bool:
    """Whether the mean of some values, weighted by a softmax of the scores, is a whole number.

    Powers of e of different algebraic numbers are independent over these (Lindemann, Weierstrass):
    the mean is n where for each score the values that have it sum to n times their number.
    """
    found: dict[int, int] = {}
    for score, x in zip(scores, values, strict=True):
        found[score] = found.get(score, 0) + x - value
    return not any(found.values())
