"""How large a result will be, found by running its rule on sizes instead of values.

A weight adds under +, multiplies under *, grows by one under exp and ignores denominators (they get
names).  It bounds the number of terms of the multiplied-out result, before anything is multiplied.
"""

from __future__ import annotations

from typing import Any

from derive.exact.infinity import NegativeInfinity
from derive.exact.monomial import Monomial
from derive.exact.scalar import Scalar


class Weight:
    """A number of terms, with the arithmetic that rules use."""

    __slots__ = ("terms",)

    def __init__(self, terms: int) -> None:
        self.terms = terms

    def __add__(self, other: Any) -> Weight:
        return Weight(self.terms + _terms(other))

    __radd__ = __sub__ = __rsub__ = __add__

    def __mul__(self, other: Any) -> Weight:
        return Weight(self.terms * max(_terms(other), 1))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Weight:
        return self

    def __neg__(self) -> Weight:
        return self

    def exp(self) -> Weight:
        """One term, and its exponent where that is a sum."""
        return Weight(1 if self.terms <= 1 else 1 + self.terms)


def weight(x: Scalar | NegativeInfinity) -> Weight:
    """The terms that x brings to a product: a number or a single power counts as one."""
    if isinstance(x, NegativeInfinity):
        return Weight(0)
    return Weight(sum(map(_weight, x.num)))


def is_heavy(x: Scalar | NegativeInfinity) -> bool:
    """Whether x is more than a number, a symbol, or a power of a few generators."""
    if isinstance(x, NegativeInfinity) or x.is_number:
        return False
    return any(map(_is_composite, x.num)) or (len(x.num) > 1 and any(m.powers for m in x.num))


def _is_composite(m: Monomial) -> bool:
    return len(m.exponent) > 1


def _weight(m: Monomial) -> int:
    return 1 + (len(m.exponent) if _is_composite(m) else 0)


def _terms(x: Any) -> int:
    return x.terms if isinstance(x, Weight) else 1
