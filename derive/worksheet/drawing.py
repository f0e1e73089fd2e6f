"""A problem of the same shape with other numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import isqrt

from derive.derivation import Problem
from derive.exact import Matrix, matrix
from derive.exact.names import label
from derive.worksheet.draws import below, words_of
from derive.worksheet.plan import GENERATOR, Constraints, Plan

NORMAL_INPUTS = (-2, 4)
"""A row that is normalised by itself wants larger numbers, some below 0."""
INPUTS = ("H", "context")
GAINS = ("gamma",)


Keep = Callable[[list[int]], bool]
MOST_ROWS = 500
"""So often is a row drawn again whose deviation has to be rational."""


def _any(_row: list[int]) -> bool:
    return True


def drawn(plan: Plan, index: int | str, attempt: int) -> Problem:
    """The problem of one attempt at a variant; it rests on its name alone.

    Matrices are drawn in the order in which the problem gives them, each row by row.
    """
    name = (GENERATOR, plan.mark, plan.pool, plan.seed, index, attempt)
    stream = words_of(*name)
    given = {
        key: _drawn(
            stream,
            values_of(key, plan, old.shape),
            old.shape,
            has_root if key == "H" and plan.constraints.rational else _any,
        )
        for key, old in plan.problem.given.items()
    }
    return replace(plan.problem, given=given)


def _drawn(
    stream: Iterator[int], values: Sequence[int], shape: tuple[int, int], keep: Keep
) -> Matrix:
    """Row by row; a row that is not kept is drawn again, some times."""
    rows, columns = shape
    return matrix([_row(stream, values, columns, keep) for _ in range(rows)])


def _row(stream: Iterator[int], values: Sequence[int], columns: int, keep: Keep) -> list[int]:
    row: list[int] = []
    for _ in range(MOST_ROWS):
        row = [values[k] for k in below(stream, len(values), columns)]
        if keep(row):
            break
    return row


def has_root(row: list[int]) -> bool:
    """Whether d times the squares less the square of the sum, d^2 var, is a square and not 0."""
    square = len(row) * sum(x * x for x in row) - sum(row) ** 2
    return square > 0 and isqrt(square) ** 2 == square


def values_of(name: str, plan: Plan, shape: tuple[int, int]) -> list[int]:
    """The numbers that an entry of a given matrix may be, as often as they are likely.

    A gain is not 0.  Over more than two features more numbers are 0, so that sums stay small.
    """
    base, asked = label(name).base, plan.constraints
    if base in INPUTS:
        low, high = _inputs(asked, plan.problem.model)
        if plan.problem.model == "layernorm":
            return list(range(low, high + 1))
        return _sparse(range(low, high + 1), plan.problem.width)
    every = range(asked.low, asked.high + 1)
    if base in GAINS:
        return [x for x in every if x]
    return _sparse(every, shape[0]) if base.startswith("W") else list(every)


def _sparse(values: Sequence[int], features: int) -> list[int]:
    return [*values, *[0] * (len(values) * max(0, features - 2) // 4)]


def _inputs(asked: Constraints, model: str) -> tuple[int, int]:
    if asked.inputs is None and model == "layernorm":
        return NORMAL_INPUTS
    return asked.of_inputs
