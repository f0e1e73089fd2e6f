"""How large a result will be, found by running its rule on sizes instead of values.

A weight adds under +, multiplies under *, and grows by one under exp.  It bounds the number of
terms of the multiplied-out result, before anything is multiplied.  Of numbers it counts what their
denominators multiply; with symbols denominators get names and are ignored.
"""

from __future__ import annotations

from math import gcd, prod
from typing import Any

from derive.exact.infinity import NegativeInfinity
from derive.exact.matrix import Matrix
from derive.exact.monomial import Monomial
from derive.exact.scalar import Scalar
from derive.exact.terms import Terms

UNREADABLE = 10**6
"""The weight of e to a number of more than LONG terms: better written as e to a letter."""
LONG = 3
Denominators = frozenset[frozenset[tuple[Monomial, int]]]
"""The terms of each denominator other than an integer, without their content."""


class Weight:
    """A number of terms over denominators, with the arithmetic that rules use."""

    __slots__ = ("below", "is_number", "terms")

    def __init__(
        self, terms: int, below: Denominators = frozenset(), is_number: bool = False
    ) -> None:
        self.terms = terms
        self.below = below
        self.is_number = is_number

    @property
    def denominator(self) -> int:
        """A bound on the terms of what it stands over."""
        return _size(self.below)

    def __add__(self, other: Any) -> Weight:
        if not isinstance(other, Weight):
            return Weight(self.terms + 1, self.below, self.is_number)
        mine, its = _size(other.below - self.below), _size(self.below - other.below)
        terms = self.terms * mine + other.terms * its
        return Weight(terms, self.below | other.below, self.is_number or other.is_number)

    __radd__ = __sub__ = __rsub__ = __add__

    def __mul__(self, other: Any) -> Weight:
        if not isinstance(other, Weight):
            return self
        is_number = self.is_number or other.is_number
        return Weight(self.terms * max(other.terms, 1), self.below | other.below, is_number)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Weight:
        return self

    def __rtruediv__(self, other: Any) -> Weight:
        return Weight(1, self.below, self.is_number)

    def __neg__(self) -> Weight:
        return self

    def __pow__(self, power: int) -> Weight:
        return Weight(self.terms**power, self.below, self.is_number)

    def apply(self, function: str) -> Weight:
        """One term, and the argument it has to be written with."""
        return self.exp() if function == "exp" else Weight(1 + self.terms)

    def exp(self) -> Weight:
        """One term, and its exponent where that is a sum."""
        if self.is_number and self.terms > LONG:
            return Weight(UNREADABLE)
        return Weight(1 if self.terms <= 1 else 1 + self.terms)


def weight(x: Scalar | NegativeInfinity) -> Weight:
    """The terms that x brings to a product: a number or a single power counts as one."""
    return _remembered(x, {})


def _remembered(x: Scalar | NegativeInfinity, known: dict[int, Denominators]) -> Weight:
    if isinstance(x, NegativeInfinity):
        return Weight(0)
    terms = sum(map(_weight, x.num))
    if not x.is_number:
        return Weight(terms)
    if id(x.den) not in known:
        known[id(x.den)] = frozenset() if x.is_polynomial else frozenset({_primitive(x.den)})
    return Weight(terms, known[id(x.den)], is_number=True)


def weights(matrix: Matrix) -> Matrix:
    """The weight of every entry; a denominator that entries share is read once."""
    known: dict[int, Denominators] = {}
    return Matrix([[_remembered(x, known) for x in row] for row in matrix.rows])


def is_heavy(x: Scalar | NegativeInfinity) -> bool:
    """Whether x is more than a number, a symbol, or a power of a few generators."""
    if isinstance(x, NegativeInfinity) or x.is_number:
        return False
    return any(map(_is_composite, x.num)) or (len(x.num) > 1 and any(m.powers for m in x.num))


def _size(below: Denominators) -> int:
    return prod(map(len, below))


def _primitive(den: Terms) -> frozenset[tuple[Monomial, int]]:
    content = gcd(*den.values())
    return frozenset((m, c // content) for m, c in den.items())


def _is_composite(m: Monomial) -> bool:
    return len(m.exponent) > 1


def _weight(m: Monomial) -> int:
    return 1 + (len(m.exponent) if _is_composite(m) else 0)
