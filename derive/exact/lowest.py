"""Quotients in lowest terms, as far as that is cheap.

What numerator and denominator share is cancelled when it is a monomial, when one is a multiple of
the other, and when both are polynomials of small degree in one variable (a power of e, a symbol).
Larger greatest common divisors are left alone on purpose: mixed denominators drive degrees to 10^9,
where they hang, while the number of terms stays small.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from derive.exact.monomial import IS_BELOW, ONE, Monomial, Symbol, exponent_of, monomial
from derive.exact.terms import Terms

GENERATORS = 3
"""Up to so many independent exponents a common power of e is divided out."""
DEGREE = 32


def cancelled(num: Terms, den: Terms) -> tuple[Terms, Terms]:
    """(num, den) without the factors named above."""
    num, den = _without_monomial(num, den)
    if (ratio := _ratio(num, den)) is not None:
        return {ONE: ratio.numerator}, {ONE: ratio.denominator}
    return _without_divisor(num, den)


def _ratio(num: Terms, den: Terms) -> Fraction | None:
    """c where num = c den."""
    if num.keys() != den.keys():
        return None
    ratios = {Fraction(c, den[m]) for m, c in num.items()}
    return ratios.pop() if len(ratios) == 1 else None


def _without_monomial(num: Terms, den: Terms) -> tuple[Terms, Terms]:
    if ONE in den and not any(m.traits & IS_BELOW for terms in (den, num) for m in terms):
        return num, den
    shift = common_monomial({*num, *den})
    return (num, den) if shift is ONE else (shifted(num, shift), shifted(den, shift))


def common_monomial(monomials: Iterable[Monomial]) -> Monomial:
    """What to multiply by so that the least power of each variable over all of them is 0."""
    every = list(monomials)
    exponents = _least_exponents(every)
    shift = monomial(
        exponent=exponent_of((m, -f.numerator, f.denominator) for m, f in exponents.items())
    )
    for atom, power in _least(dict(m.powers) for m in every).items():
        _, shift = shift * monomial(powers=((atom, -power),))
    return shift


def shifted(terms: Terms, shift: Monomial) -> Terms:
    """The sum times a monomial without a root."""
    return {(m * shift)[1]: c for m, c in terms.items()}


def _least_exponents(monomials: Iterable[Monomial]) -> dict[Any, Any]:
    exponents = [{key: Fraction(p, q) for key, p, q in m.exponent} for m in monomials]
    generators = {key for e in exponents for key in e}
    return _least(exponents) if len(generators) <= GENERATORS else {}


def _least(coordinates: Iterable[Mapping[Any, Any]]) -> dict[Any, Any]:
    """The least value of each coordinate over all, absent meaning 0; zeros left out."""
    every = list(coordinates)
    keys = {key for c in every for key in c}
    least = {key: min(c.get(key, 0) for c in every) for key in keys}
    return {key: value for key, value in least.items() if value}


def _without_divisor(num: Terms, den: Terms) -> tuple[Terms, Terms]:
    if len(num) == 1 or len(den) > DEGREE + 1:
        return num, den
    variable = _variable(den)
    if variable is None or _variable({**num, **den}) != variable:
        return num, den
    from flint import fmpz_poly

    a, b = (fmpz_poly(_dense(terms, *variable)) for terms in (num, den))
    common = a.gcd(b)
    if common.degree() < 1:
        return num, den
    return _sparse(a // common, *variable), _sparse(b // common, *variable)


def _variable(terms: Terms) -> tuple[Any, Fraction] | None:
    """(x, step) where every monomial is x^(k step) with integers 0 <= k <= DEGREE."""
    degrees = {_degree_in(m) for m in terms if m is not ONE}
    if None in degrees or len({degree[0] for degree in degrees if degree}) != 1:
        return None
    q = lcm(*(degree[2] for degree in degrees if degree))
    powers = [degree[1] * (q // degree[2]) for degree in degrees if degree]
    step = gcd(*powers)
    if min(powers) < 0 or max(powers) > DEGREE * step:
        return None
    return next(degree[0] for degree in degrees if degree), Fraction(step, q)


def _degree_in(m: Monomial) -> tuple[Any, int, int] | None:
    """(x, p, q) where the monomial is x^(p/q), x a symbol or a monomial to which e is raised."""
    if m.root != 1 or len(m.powers) + len(m.exponent) != 1:
        return None
    if m.exponent:
        return m.exponent[0]
    atom, power = m.powers[0]
    return (atom, power, 1) if isinstance(atom, Symbol) else None


def _dense(terms: Terms, key: Any, step: Fraction) -> list[int]:
    degrees = {_degree(m, step): c for m, c in terms.items()}
    return [degrees.get(k, 0) for k in range(max(degrees) + 1)]


def _degree(m: Monomial, step: Fraction) -> int:
    if m is ONE:
        return 0
    degree = m.powers[0][1] if m.powers else Fraction(*m.exponent[0][1:])
    return int(degree / step)


def _sparse(polynomial: Any, key: Any, step: Fraction) -> Terms:
    out: dict[Monomial, int] = {}
    for k, c in enumerate(polynomial.coeffs()):
        if c:
            out[_power(key, k * step)] = int(c)
    return out


def _power(key: Any, degree: Fraction) -> Monomial:
    if not degree:
        return ONE
    if isinstance(key, Monomial):
        return monomial(exponent=((key, degree.numerator, degree.denominator),))
    return monomial(powers=((key, int(degree)),))
