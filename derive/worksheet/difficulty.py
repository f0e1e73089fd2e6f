"""How much there is to do by hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from operator import and_
from typing import Any

from derive.derivation import Derivation
from derive.exact import Matrix, NegativeInfinity
from derive.exact.names import label
from derive.exact.numbers import Numbers
from derive.ops import (
    Affine,
    Exponential,
    Linear,
    MeanSquares,
    Mix,
    Scores,
    Softmax,
    Variance,
)
from derive.step import Step

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
    columns = right if isinstance(step.op, Scores) else list(zip(*right, strict=True))
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
