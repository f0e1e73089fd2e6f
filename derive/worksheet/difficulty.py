"""How much there is to do by hand."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, takewhile
from operator import and_, mul
from typing import Any

from derive.derivation import Derivation
from derive.exact import Matrix, NegativeInfinity
from derive.exact.names import label
from derive.exact.numbers import Numbers
from derive.ops import (
    Affine,
    Exponential,
    Linear,
    Mask,
    MeanSquares,
    Mix,
    RowMeans,
    Scale,
    Scores,
    Softmax,
    Variance,
)
from derive.step import Step
from derive.worksheet.whole import RULES, Rows, Whole, forbidden, turned

NORMAL = (Variance, MeanSquares)
POWER = 3
"""A power of e is worth so many products."""


@dataclass(frozen=True)
class Difficulty:
    """products: of two factors neither of which is 0; powers: different powers of e, but for e^0;
    minus: numbers below 0 before the first power of e."""

    products: int
    powers: int
    minus: int

    @property
    def steps(self) -> int:
        """One number for all three."""
        return self.products + POWER * self.powers + self.minus


def difficulty(derivation: Derivation) -> Difficulty:
    """What a derivation asks of a hand, up to the first normalisation.

    What comes after has the same shapes, and hardly a 0, in every variant.
    """
    steps = list(takewhile(lambda s: not isinstance(s.op, NORMAL), derivation.steps))
    known = _known(steps)
    return Difficulty(
        sum(_products(step, known) for step in steps),
        len(powers(derivation) - {0}),
        sum(_minus(s.value) for s in steps if s.name in known and isinstance(s.value, Numbers)),
    )


def work(derivation: Derivation, names: Collection[str]) -> Difficulty:
    """What some steps of a longer derivation ask of a hand; only what is given is looked at."""
    steps = [s for s in derivation.derived if s.name in names]
    given = {s.name for s in derivation.steps if s.op is None}
    read = {x.name: x for s in steps for x in s.inputs if x.name in given}
    exponents = (s for s in steps if isinstance(s.op, (Exponential, Softmax)))
    return Difficulty(
        sum(_products(step, given) for step in steps),
        sum(s.shape[0] * s.shape[1] for s in exponents),
        sum(_minus(s.value) for s in read.values() if isinstance(s.value, Numbers)),
    )


def _known(steps: Sequence[Step]) -> set[str]:
    """The steps before the powers of e, whose entries are looked at; others are not 0."""
    found: set[str] = set()
    for step in steps:
        is_power = isinstance(step.op, (Exponential, Softmax))
        if step.op is None or (not is_power and all(x.name in found for x in step.inputs)):
            found.add(step.name)
    return found


def powers(derivation: Derivation, of: str | None = None) -> set[Any]:
    """The different closed scores that go into powers of e; of one step, or of all."""
    found: set[Any] = set()
    for step in scores(derivation):
        if of in (None, step.name):
            found.update(_keys(step.value))
    return found


def scores(derivation: Derivation) -> Iterator[Step]:
    """The steps whose entries are exponents, up to the first normalisation."""
    for step in derivation.derived:
        if isinstance(step.op, NORMAL):
            return
        if label(step.name).base == "exp":
            yield step.inputs[0]


def _keys(value: Matrix) -> Iterator[Any]:
    for x in value:
        if not isinstance(x, NegativeInfinity):
            yield 0 if x.is_zero else (frozenset(x.num.items()), frozenset(x.den.items()))


def _products(step: Step, known: set[str]) -> int:
    """The products of which neither factor is 0: rows of the left with columns of the right."""
    if not isinstance(step.op, (Linear, Affine, Mix, Scores)):
        return 0
    rows, right = (_pattern(x, known) for x in step.inputs[:2])
    columns: Sequence[Sequence[Any]] = list(zip(*right, strict=True))
    if isinstance(step.op, Scores):
        is_turned = step.op.along == "columns"
        rows, columns = (list(zip(*rows, strict=True)), columns) if is_turned else (rows, right)
    return sum(sum(map(and_, r, c)) for r in rows for c in columns)


def _pattern(step: Step, known: set[str]) -> Sequence[Sequence[bool]]:
    """Where a step is not 0; weights are 0 where they are masked."""
    rows, columns = step.shape
    if step.name in known:
        return [[not x.is_zero for x in row] for row in step.value.rows]
    if isinstance(step.op, Softmax):
        scores = step.inputs[0].value.rows
        return [[not isinstance(x, NegativeInfinity) for x in row] for row in scores]
    return [[True] * columns] * rows


def _minus(value: Numbers) -> int:
    whole = [part.tolist() for root, part in value.parts.items() if root == 1]
    return sum(x < 0 for part in whole for row in part for x in row)


@dataclass(frozen=True)
class Factor:
    """A factor of a product: along the inner index, how often it is not 0.

    fixed: the same in every problem, None where it is looked at.
    """

    name: str
    by_columns: bool
    fixed: tuple[int, ...] | None

    def filled(self, whole: Whole) -> Sequence[int]:
        """By inner index."""
        if self.fixed is not None:
            return self.fixed
        rows = whole[self.name]
        return _filled(turned(rows) if self.by_columns else rows)


@dataclass(frozen=True)
class Part:
    """Some of the work: of the steps that rest on the scores' matrices alone, or of the others."""

    products: tuple[tuple[Factor, Factor], ...]
    counted: tuple[str, ...]


class Tally:
    """The same of many problems of one shape, in whole numbers.

    `is_possible` says whether every step before the powers of e stays whole; `first` is the work on
    what rests on some given matrices alone.
    """

    def __init__(self, derivation: Derivation, first: Collection[str]) -> None:
        """derivation: of a problem of that shape; first: the names of those matrices."""
        steps = list(takewhile(lambda s: not isinstance(s.op, NORMAL), derivation.steps))
        self.names = _known(steps)
        known = [s for s in steps if s.name in self.names]
        self.is_possible = all(s.op is None or _is_whole(s.op) for s in known)
        self.whole = _unscaled(known)
        self.scores = [(s.name, _open(s)) for s in scores(derivation)]
        counted = [s for s in known if not _has_roots(s)]
        products = [s for s in steps if isinstance(s.op, (Linear, Affine, Mix, Scores))]
        alone = _alone(derivation, first)
        self.first, self.rest = (
            Part(
                tuple(self._factors(s) for s in products if (s.name in alone) is is_first),
                tuple(s.name for s in counted if (s.name in alone) is is_first),
            )
            for is_first in (True, False)
        )

    def powers(self, whole: Whole) -> list[set[int]]:
        """The different scores of each head that are not masked."""
        return [
            {x for x, is_open in zip(chain(*whole[name]), seen, strict=True) if is_open}
            if seen
            else set(chain(*whole[name]))
            for name, seen in self.scores
        ]

    def of_scores(self, whole: Whole) -> Difficulty:
        """The work on what is drawn first."""
        return self._work(self.first, whole, len(set().union(*self.powers(whole)) - {0}))

    def of(self, whole: Whole, first: Difficulty) -> Difficulty:
        """What `difficulty` finds, where `first` is known."""
        rest = self._work(self.rest, whole, 0)
        return Difficulty(first.products + rest.products, first.powers, first.minus + rest.minus)

    def _work(self, part: Part, whole: Whole, powers: int) -> Difficulty:
        return Difficulty(
            sum(sum(map(mul, x.filled(whole), y.filled(whole))) for x, y in part.products),
            powers,
            sum([x < 0 for name in part.counted for row in whole[name] for x in row]),
        )

    def _factors(self, step: Step) -> tuple[Factor, Factor]:
        left, right = step.inputs[:2]
        if not isinstance(step.op, Scores):
            return self._factor(left, True), self._factor(right, False)
        by_columns = step.op.along == "rows"
        return self._factor(left, by_columns), self._factor(right, by_columns)

    def _factor(self, step: Step, by_columns: bool) -> Factor:
        """Of what is not known every number is taken not to be 0 that is not masked."""
        if step.name in self.names:
            return Factor(step.name, by_columns, None)
        seen = _open(step.inputs[0]) if isinstance(step.op, Softmax) else []
        rows, columns = step.shape
        seen = seen or [1] * (rows * columns)
        table = [tuple(seen[k : k + columns]) for k in range(0, len(seen), columns)]
        return Factor(step.name, by_columns, tuple(_filled(turned(table) if by_columns else table)))


def _alone(derivation: Derivation, first: Collection[str]) -> set[str]:
    """The steps that rest on nothing but some given matrices."""
    found: set[str] = set()
    for step in derivation.steps:
        if step.name in first or (step.op and all(x.name in found for x in step.inputs)):
            found.add(step.name)
    return found


def _unscaled(known: Sequence[Step]) -> set[str]:
    """The steps that are what they stand for: whole, and no scale or mask on the way."""
    found: set[str] = set()
    for step in known:
        is_same = type(step.op) in RULES and not isinstance(step.op, (Scale, Mask, RowMeans))
        if step.op is None or (is_same and all(x.name in found for x in step.inputs)):
            found.add(step.name)
    return found


def _filled(rows: Rows) -> list[int]:
    return [len(row) - row.count(0) for row in rows]


def _is_whole(op: Any) -> bool:
    if isinstance(op, Mask):
        return isinstance(op.value, NegativeInfinity) and any(map(any, forbidden(op.forbidden)))
    return type(op) in RULES


def _has_roots(step: Step) -> bool:
    """Whether the step has no rational number in it, or is masked."""
    if isinstance(step.op, Scale):
        return not step.op.divisor.is_rational
    return isinstance(step.op, Mask)


def _open(step: Step) -> list[int]:
    """1 where scores are not masked, row by row; empty where none is."""
    if not isinstance(step.op, Mask):
        return []
    return [int(not x) for row in forbidden(step.op.forbidden) for x in row]
