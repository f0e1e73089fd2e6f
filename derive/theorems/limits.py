"""Limits of weights as the temperature goes to 0 or grows without bound.

An entry is a quotient of sums of powers e^{a/tau}.  Divided by the largest of them, every other
power is e^{-gap/tau} with gap > 0, which goes to 0 with tau; the sum below stays at least 1.
"""

from __future__ import annotations

from collections.abc import Callable

from derive.errors import Unproved
from derive.exact.ball import sign
from derive.exact.monomial import Exponent, Monomial, Symbol, monomial
from derive.exact.scalar import ZERO, Scalar, sum_of
from derive.exact.terms import Terms


def toward_zero(tau: str) -> Callable[[Scalar], Scalar]:
    """The limit as tau falls to 0, of quotients of sums of c e^{a/tau} with numbers a and c."""

    def limit(x: Scalar) -> Scalar:
        top, bottom = _rates(x.num, tau), _rates(x.den, tau)
        highest = _largest(list(bottom))
        if any(sign(rate - highest) not in (-1, 0) for rate in top):
            raise Unproved(f"{x!r} has no limit that is proved")
        return _at(top, highest) / _at(bottom, highest)

    return limit


def toward_infinity(tau: str) -> Callable[[Scalar], Scalar]:
    """The limit as tau grows without bound: every e^{a/tau} goes to e^0 = 1."""

    def limit(x: Scalar) -> Scalar:
        top, bottom = _rates(x.num, tau), _rates(x.den, tau)
        return sum(top.values(), ZERO) / sum(bottom.values(), ZERO)

    return limit


def _rates(terms: Terms, tau: str) -> dict[Scalar, Scalar]:
    """The coefficient c of e^{a/tau}, by a."""
    found: dict[Scalar, Scalar] = {}
    for m, c in terms.items():
        rate = _rate(m.exponent, tau)
        rest = Scalar({monomial(m.root, m.powers): c})
        if not (rest.is_number and rate.is_number):
            raise Unproved("a limit in tau is proved where tau stands in exponents a/tau alone")
        found[rate] = found.get(rate, ZERO) + rest
    return found


def _rate(exponent: Exponent, tau: str) -> Scalar:
    return sum_of((_times(inner, tau), p, q) for inner, p, q in exponent)


def _times(m: Monomial, tau: str) -> Monomial:
    """a from a/tau."""
    return (m * monomial(powers=((Symbol(tau), 1),)))[1]


def _largest(rates: list[Scalar]) -> Scalar:
    found = rates[0]
    for rate in rates[1:]:
        if sign(rate - found) not in (-1, 0, 1):
            raise Unproved("which power is the largest is not proved")
        found = rate if sign(rate - found) == 1 else found
    return found


def _at(rates: dict[Scalar, Scalar], highest: Scalar) -> Scalar:
    """The sum of the coefficients of the largest power."""
    return sum((c for rate, c in rates.items() if sign(rate - highest) == 0), ZERO)
