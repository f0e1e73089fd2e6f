"""The normal form of a quotient of two sums."""

from __future__ import annotations

from math import gcd

from derive.exact.lowest import Lowest
from derive.exact.monomial import ONE, monomial
from derive.exact.radical import is_radical, rationalised
from derive.exact.terms import UNIT, Terms, added, integer, product, times

ZERO: Terms = {}


def normal(num: Terms, den: Terms) -> tuple[Terms, Terms]:
    """num/den in normal form (den not zero).

    One-term and purely radical denominators move into the numerator, and so does a root that all
    terms of a denominator share; what is left has integer
    coefficients without common content, no common power of e and a positive leading coefficient,
    and is free of common factors where that can be had cheaply.
    """
    if not num:
        return ZERO, UNIT
    if len(den) == 1:
        ((m, d),) = den.items()
        if m is not ONE:
            root, inverse = m.inverse()
            num, d = product(num, {inverse: 1}), d * root
        return _over_integer(num, d)
    if is_radical(den):
        return normal(*rationalised(num, den))
    if (root := next(iter(den)).root) != 1 and all(m.root == root for m in den):
        num, den = product(num, {monomial(root=root): 1}), product(den, {monomial(root=root): 1})
    return over(num, Lowest(den))


def sum_over(a: Terms, b: Terms, c: Terms, d: Terms) -> tuple[Terms, Terms]:
    """a/b + c/d over b d, or where b and d differ only in content, over their common multiple."""
    k, m = gcd(*b.values()), gcd(*d.values())
    if b.keys() == d.keys() and all(b[x] * m == d[x] * k for x in b):
        g = gcd(k, m)
        return added(times(a, m // g), times(c, k // g)), times(b, m // g)
    return added(product(a, d), product(c, b)), product(b, d)


def _over_integer(num: Terms, d: int) -> tuple[Terms, Terms]:
    if d == 1:
        return num, UNIT
    g = gcd(d, *num.values())
    if d < 0:
        g = -g
    return (num if g == 1 else {m: c // g for m, c in num.items()}), integer(d // g)


def over(num: Terms, lowest: Lowest) -> tuple[Terms, Terms]:
    """num over the denominator of `lowest`, which has several terms and is not radical."""
    if not num:
        return ZERO, UNIT
    num, den = lowest.cancelled(num)
    g = gcd(*num.values(), *den.values())
    if next(iter(den.values())) < 0:
        g = -g
    if g != 1:
        num, den = {m: c // g for m, c in num.items()}, {m: c // g for m, c in den.items()}
    return normal(num, den) if len(den) == 1 else (num, den)
