"""How much there is to do by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from derive.derivation import Derivation
from derive.exact import Matrix, NegativeInfinity
from derive.exact.names import label
from derive.exact.numbers import Numbers
from derive.ops import Affine, Linear, MeanSquares, Mix, Scores, Variance
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
    closed = list(takewhile(lambda s: not isinstance(s.op, NORMAL), derivation.steps))
    return Difficulty(
        sum(map(_products, closed)),
        len(powers(derivation) - {0}),
        sum(_minus(s.value) for s in closed if isinstance(s.value, Numbers)),
    )


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


def _products(step: Step) -> int:
    if not isinstance(step.op, (Linear, Affine, Mix, Scores)):
        return 0
    left, right = (s.value for s in step.inputs[:2])
    rows = [[_is_there(x) for x in row] for row in left.rows]
    turned = right.rows if isinstance(step.op, Scores) else zip(*right.rows, strict=True)
    columns = [[_is_there(x) for x in column] for column in turned]
    return sum(a and b for r in rows for c in columns for a, b in zip(r, c, strict=True))


def _is_there(x: Any) -> bool:
    return not x.is_zero


def _minus(value: Numbers) -> int:
    whole = [part.tolist() for root, part in value.parts.items() if root == 1]
    return sum(x < 0 for part in whole for row in part for x in row)
