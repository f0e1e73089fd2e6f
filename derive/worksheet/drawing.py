"""A problem of the same shape with other numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isqrt

from derive.exact.names import gradient_name, label
from derive.worksheet.deriving import derived, first_names, seeds
from derive.worksheet.difficulty import scores
from derive.worksheet.draws import Words, below, named
from derive.worksheet.plan import GENERATOR, Constraints, Plan
from derive.worksheet.whole import Given, Rows, turned

NORMAL_INPUTS = (-2, 4)
"""A row that is normalised by itself wants larger numbers, some below 0."""
INPUTS = ("H", "context", "H_E")
FOR_SCORES = ("H", "H_E", "W_E", "context", "W_Q", "W_K", "b_Q", "b_K")
"""What the scores of a head rest on; those of other models rest on what they are derived from."""
TRIES = 16
"""So often is the rest drawn for the same scores."""
GAINS = ("gamma",)
WEIGHTS = ("W_Q", "W_K", "W_V", "W_O", "W_1", "W_2")
Keep = Callable[[list[int]], bool]
Full = Callable[[Rows], bool]
MOST_ROWS = 500
"""So often is a row drawn again whose deviation has to be rational, and a matrix that is not full.
"""


def _any(_row: list[int]) -> bool:
    return True


def _whatever(_rows: Rows) -> bool:
    return True


@dataclass(frozen=True)
class Drawer:
    """How one matrix is drawn: its rows and columns, the numbers, and what is kept of it."""

    name: str
    rows: int
    columns: int
    values: Sequence[int]
    keep: Keep
    is_full: Full = _whatever

    def __call__(self, stream: Words) -> Rows:
        """A matrix that is not full is drawn again, some times."""
        found = self.once(stream)
        for _ in range(MOST_ROWS):
            if self.is_full(found):
                break
            found = self.once(stream)
        return found

    def once(self, stream: Words) -> Rows:
        """Row by row; a row that is not kept is drawn again, some times."""
        if self.keep is not _any:
            return [_row(stream, self.values, self.columns, self.keep) for _ in range(self.rows)]
        wide, values = self.columns, self.values
        every = [values[k] for k in below(stream, len(values), self.count)]
        return [every[k : k + wide] for k in self.starts]

    @cached_property
    def count(self) -> int:
        """How many entries it has."""
        return self.rows * self.columns

    @cached_property
    def starts(self) -> range:
        """Where its rows begin."""
        return range(0, self.count, self.columns)


def drawers(plan: Plan) -> tuple[Drawer, ...]:
    """One for each matrix, in the order in which the problem gives them."""
    return tuple(
        Drawer(
            name,
            *shape,
            values_of(name, plan, shape),
            has_root if name == "H" and plan.constraints.rational else _any,
            full_of(name, shape),
        )
        for name, shape in _shapes(plan)
    )


def _shapes(plan: Plan) -> Iterator[tuple[str, tuple[int, int]]]:
    """What is drawn, and how large it is."""
    yield from ((name, matrix.shape) for name, matrix in plan.problem.given.items())
    yield from ((step.name, step.shape) for step in seeds(plan))


def for_scores(plan: Plan) -> set[str]:
    """The names of what is drawn first: what the first scores rest on."""
    every = derived(plan)
    given = {s.name for s in every.steps if s.op is None}
    return given & {*FOR_SCORES, *first_names(every, scores(every))}


class Drawn(dict[str, Rows]):
    """Matrices drawn in order, no further than they are asked for."""

    def __init__(self, every: Iterable[Drawer], stream: Words, known: Given | None = None) -> None:
        """known: what is drawn already."""
        super().__init__(known or {})
        self.waiting, self.stream = iter(every), stream

    def __missing__(self, name: str) -> Rows:
        for draw in self.waiting:
            found = self[draw.name] = draw(self.stream)
            if draw.name == name:
                return found
        raise KeyError(name)

    def all(self) -> Given:
        """All of them."""
        for draw in self.waiting:
            self[draw.name] = draw(self.stream)
        return self


@dataclass(frozen=True)
class Source:
    """Where the attempts at one variant are drawn from; they rest on its name alone.

    What the first scores rest on is drawn first, and the rest several times for each of these:
    attempt k TRIES + j has the scores of number k, from 0, and the rest of number j, from 1.
    Matrices are drawn in the order in which the problem gives them, each row by row.
    """

    plan: Plan
    index: int | str

    @cached_property
    def start(self) -> bytes:
        """The name but for the attempt."""
        plan = self.plan
        return named(GENERATOR, plan.mark, plan.pool, plan.seed, self.index)

    @cached_property
    def drawers(self) -> tuple[tuple[Drawer, ...], tuple[Drawer, ...]]:
        """How the matrices are drawn: those for the scores, and the rest."""
        if self.plan.mark not in _DRAWERS:
            every = drawers(self.plan)
            names = for_scores(self.plan)
            first = tuple(draw for draw in every if draw.name in names)
            _DRAWERS[self.plan.mark] = first, tuple(d for d in every if d not in first)
        return _DRAWERS[self.plan.mark]

    def scores(self, number: int) -> Drawn:
        """What the scores rest on."""
        return Drawn(self.drawers[0], Words(self.start + named(number)))

    def rest(self, number: int, number_of_rest: int, known: Given) -> Drawn:
        """The rest, beside what is known."""
        stream = Words(self.start + named(number, number_of_rest))
        return Drawn(self.drawers[1], stream, known)


_DRAWERS: dict[str, tuple[tuple[Drawer, ...], tuple[Drawer, ...]]] = {}


def drawn(plan: Plan, index: int | str, attempt: int) -> Given:
    """All that is given in one attempt at a variant."""
    source, (k, j) = Source(plan, index), divmod(attempt - 1, TRIES)
    return source.rest(k, j + 1, source.scores(k).all()).all()


def _row(stream: Words, values: Sequence[int], columns: int, keep: Keep) -> list[int]:
    row: list[int] = []
    for _ in range(MOST_ROWS):
        row = [values[k] for k in below(stream, len(values), columns)]
        if keep(row):
            break
    return row


def full_of(name: str, shape: tuple[int, int]) -> Full:
    """What has to hold of a matrix of that name as a whole."""
    is_weight = label(name).base in WEIGHTS and min(shape) > 1
    return is_worth if is_weight else _whatever


def is_worth(rows: Rows) -> bool:
    """Whether a weight has neither a row nor a column for nothing, no two alike of the fewer, and
    is not its own transpose, or who takes that would be right."""
    lines, columns = [*map(tuple, rows)], [*map(tuple, turned(rows))]
    fewer = min(lines, columns, key=len)
    return (
        all(map(any, lines))
        and all(map(any, columns))
        and len({*fewer}) == len(fewer)
        and lines != columns
    )


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
        low, high = inputs_of(asked, plan.problem.model)
        if plan.problem.model == "layernorm":
            return list(range(low, high + 1))
        return _sparse(range(low, high + 1), plan.problem.width)
    every = range(asked.low, asked.high + 1)
    if name in (step.name for step in seeds(plan)):
        return [1] if name == gradient_name("loss") else [x for x in every if x]
    if base in GAINS:
        return [x for x in every if x]
    return _sparse(every, shape[0]) if base.startswith("W") else list(every)


def _sparse(values: Sequence[int], features: int) -> list[int]:
    return [*values, *[0] * (len(values) * max(0, features - 2) // 4)]


def inputs_of(asked: Constraints, model: str) -> tuple[int, int]:
    """From which to which integer H is drawn."""
    if asked.inputs is None and model == "layernorm":
        return NORMAL_INPUTS
    return asked.of_inputs
