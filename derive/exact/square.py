"""Square roots of sums of powers of e that are perfect squares.

The deviation of a row of two entries is |a - b|/2; written as the root of a square it would hide
that a LayerNorm of width two gives only 1 and -1.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm

from flint import fmpz_mpoly_ctx
from flint.utils.flint_exceptions import DomainError

from derive.exact.lowest import common_monomial, shifted
from derive.exact.monomial import Monomial, exponent_of, monomial, negated
from derive.exact.terms import Terms

MOST_TERMS, MOST_DEGREE, MOST_GENERATORS = 256, 4096, 8


def split(terms: Terms) -> tuple[int, Monomial, Terms]:
    """(c, e^x, P) with terms = c e^x P, c > 0, and P without a common power of e or content."""
    content = gcd(*terms.values())
    shift = common_monomial(terms)
    power = monomial(exponent=shift.exponent)
    primitive = shifted({m: c // content for m, c in terms.items()}, power)
    return content, monomial(exponent=negated(shift.exponent)), primitive


def half(power: Monomial) -> Monomial:
    """e^(x/2), of e^x."""
    return monomial(exponent=exponent_of((m, p, 2 * q) for m, p, q in power.exponent))


def root_of_square(terms: Terms) -> Terms | None:
    """R with R^2 = terms, of either sign, where there is one among sums of powers of e.

    None for other sums, and for those too large to be tried.
    """
    if len(terms) > MOST_TERMS or any(m.powers or m.root != 1 for m in terms):
        return None
    keys = list({key for m in terms for key, _, _ in m.exponent})
    scale = lcm(*(q for m in terms for _, _, q in m.exponent))
    degrees = {_degrees(m, keys, scale): c for m, c in terms.items()}
    if len(keys) > MOST_GENERATORS or any(not 0 <= k <= MOST_DEGREE for d in degrees for k in d):
        return None
    if not keys:
        return None
    ring = fmpz_mpoly_ctx.get([f"t{i}" for i in range(len(keys))], "lex")
    try:
        found = ring.from_dict(degrees).sqrt()
    except DomainError:
        return None
    return {_power(d, keys, scale): int(c) for d, c in found.to_dict().items()}


def _degrees(m: Monomial, keys: list[Monomial], scale: int) -> tuple[int, ...]:
    degrees = {key: p * (scale // q) for key, p, q in m.exponent}
    return tuple(degrees.get(key, 0) for key in keys)


def _power(degrees: tuple[int, ...], keys: list[Monomial], scale: int) -> Monomial:
    powers = ((key, Fraction(int(k), scale)) for key, k in zip(keys, degrees, strict=True))
    return monomial(exponent=exponent_of((m, f.numerator, f.denominator) for m, f in powers))
