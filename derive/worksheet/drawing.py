"""A problem of the same shape with other numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import isqrt

from derive.exact.names import label
from derive.worksheet.draws import below, words_of
from derive.worksheet.plan import GENERATOR, Constraints, Plan
from derive.worksheet.whole import Rows

NORMAL_INPUTS = (-2, 4)
"""A row that is normalised by itself wants larger numbers, some below 0."""
INPUTS = ("H", "context")
GAINS = ("gamma",)
Keep = Callable[[list[int]], bool]
MOST_ROWS = 500
"""So often is a row drawn again whose deviation has to be rational."""


def _any(_row: list[int]) -> bool:
    return True


@dataclass(frozen=True)
class Drawer:
    """How one matrix is drawn: its rows and columns, the numbers, and which rows are kept."""

    name: str
    rows: int
    columns: int
    values: Sequence[int]
    keep: Keep

    def __call__(self, stream: Iterator[int]) -> Rows:
        """Row by row; a row that is not kept is drawn again, some times."""
        if self.keep is _any:
            found = below(stream, len(self.values), self.rows * self.columns)
            every = [self.values[k] for k in found]
            return [every[k : k + self.columns] for k in range(0, len(every), self.columns)]
        return [_row(stream, self.values, self.columns, self.keep) for _ in range(self.rows)]


def drawers(plan: Plan) -> tuple[Drawer, ...]:
    """One for each matrix, in the order in which the problem gives them."""
    return tuple(
        Drawer(
            name,
            *old.shape,
            values_of(name, plan, old.shape),
            has_root if name == "H" and plan.constraints.rational else _any,
        )
        for name, old in plan.problem.given.items()
    )


def drawn(plan: Plan, index: int | str, attempt: int) -> dict[str, Rows]:
    """What is given in one attempt at a variant; it rests on its name alone.

    Matrices are drawn in the order in which the problem gives them, each row by row.
    """
    stream = words_of(GENERATOR, plan.mark, plan.pool, plan.seed, index, attempt)
    return {draw.name: draw(stream) for draw in _known(plan)}


_DRAWERS: dict[str, tuple[Drawer, ...]] = {}


def _known(plan: Plan) -> tuple[Drawer, ...]:
    if plan.mark not in _DRAWERS:
        _DRAWERS[plan.mark] = drawers(plan)
    return _DRAWERS[plan.mark]


def _row(stream: Iterator[int], values: Sequence[int], columns: int, keep: Keep) -> list[int]:
    row: list[int] = []
    for _ in range(MOST_ROWS):
        row = [values[k] for k in below(stream, len(values), columns)]
        if keep(row):
            break
    return row


def has_root(row: Sequence[int]) -> bool:
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
