"""Rational powers of positive integers."""

from __future__ import annotations

from fractions import Fraction
from math import gcd

from derive.exact.scalar import Scalar, number


def power(base: int, p: int, q: int) -> Scalar:
    """base^(p/q), base > 0, q > 0: a rational, a square root, or e to a multiple of a logarithm.

    >>> from derive.exact.power import power
    >>> power(10000, -2, 4), power(10000, -2, 16)
    (1/100, sqrt(10)/10)
    """
    root, times = _root(base)
    exponent = Fraction(p * times, q)
    p, q = exponent.numerator, exponent.denominator
    if q == 1:
        return number(root) ** p
    if q == 2:
        return number(root).sqrt() ** p
    return (number(root).apply("log") * number(p, q)).exp()


def _root(base: int) -> tuple[int, int]:
    """(r, k) with r^k = base and k as large as can be."""
    if base == 1:
        return 1, 1
    powers: dict[int, int] = {}
    rest, divisor = base, 2
    while divisor * divisor <= rest:
        while rest % divisor == 0:
            powers[divisor] = powers.get(divisor, 0) + 1
            rest //= divisor
        divisor += 1
    if rest > 1:
        powers[rest] = powers.get(rest, 0) + 1
    k = gcd(*powers.values())
    root = 1
    for prime, times in powers.items():
        root *= prime ** (times // k)
    return root, k
