"""Quotients in lowest terms, as far as that is cheap.

What numerator and denominator share is cancelled when it is a monomial, when one is a multiple of
the other, and when both are polynomials of small degree in one variable (a power of e, a symbol).
Larger greatest common divisors are left alone on purpose: mixed denominators drive degrees to 10^9,
where they hang, while the number of terms stays small.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property, lru_cache
from math import gcd, lcm
from typing import Any

from derive.exact.monomial import IS_BELOW, ONE, Monomial, Symbol, exponent_of, monomial
from derive.exact.terms import Terms

GENERATORS = 3
"""Up to so many independent exponents a common power of e is divided out."""
DEGREE = 32
LONG = 8


def is_long(den: Terms) -> bool:
    """Whether a denominator is better known by a name than by its terms.

    Such a one keeps the common power it came with, so that it stays the row sum it was.
    """
    return len(den) > LONG


Factors = tuple[int, Monomial, list[tuple[Terms, int]]]


class Lowest:
    """Brings numerators over one denominator to lowest terms; what that needs is found once."""

    def __init__(self, den: Terms) -> None:
        """For a denominator of more than one term."""
        self.den = den

    def cancelled(self, num: Terms) -> tuple[Terms, Terms]:
        """(num, den) without the factors named above."""
        if self.has_monomial(num) and not is_long(self.den):
            shift = common_monomial({*num, *self.den})
            if shift is not ONE:
                return Lowest(shifted(self.den, shift)).cancelled(shifted(num, shift))
        if (ratio := self.ratio(num)) is not None:
            return {ONE: ratio.numerator}, {ONE: ratio.denominator}
        return self.without_divisor(num)

    def has_monomial(self, num: Terms) -> bool:
        """Whether a common power of a variable could be divided out."""
        return not self.is_grounded or any(m.traits & IS_BELOW for m in num)

    @cached_property
    def is_grounded(self) -> bool:
        """Whether 1 is a term and no power is negative."""
        return ONE in self.den and not any(m.traits & IS_BELOW for m in self.den)

    def ratio(self, num: Terms) -> Fraction | None:
        """c where num = c den."""
        if num.keys() != self.den.keys():
            return None
        first = next(iter(num))
        p, q = num[first], self.den[first]
        return Fraction(p, q) if all(c * q == self.den[m] * p for m, c in num.items()) else None

    def without_divisor(self, num: Terms) -> tuple[Terms, Terms]:
        """Divided by the greatest common divisor where both are small in one variable."""
        if len(num) == 1 or self.variable is None:
            return num, self.den
        if not num.keys() <= self.den.keys() and _variable({**num, **self.den}) != self.variable:
            return num, self.den
        from flint import fmpz_poly

        top, bottom = fmpz_poly(_dense(num, self.variable)), self.polynomial
        common = top.gcd(bottom)
        if common.degree() < 1:
            return num, self.den
        return _sparse(top // common, *self.variable), _sparse(bottom // common, *self.variable)

    @cached_property
    def variable(self) -> tuple[Any, Fraction] | None:
        """(x, step) where the denominator is a small polynomial in x^step."""
        return _variable(self.den) if len(self.den) <= DEGREE + 1 else None

    @cached_property
    def polynomial(self) -> Any:
        """The denominator as FLINT's polynomial."""
        from flint import fmpz_poly

        assert self.variable is not None
        return fmpz_poly(_dense(self.den, self.variable))


def factors(den: Terms) -> Factors | None:
    """(content, monomial, [(factor, its power)]) of a sum; None where there is nothing to tell.

    A common monomial is taken out, and a small polynomial in one variable is factored.
    """
    return _factors(frozenset(den.items()))


@lru_cache(maxsize=4096)
def _factors(terms: frozenset[tuple[Monomial, int]]) -> Factors | None:
    den = dict(terms)
    shift = common_monomial(den)
    rest = den if shift is ONE else shifted(den, shift)
    content, parts = _irreducible(rest) or (1, [(rest, 1)])
    if shift is ONE and len(parts) == 1 and parts[0][1] == 1:
        return None
    if content == 1 and len(parts) == 1 and parts[0][1] == 1:
        content = gcd(*rest.values())
        parts = [({m: c // content for m, c in rest.items()}, 1)]
    return content, shift.inverse()[1], parts


def _irreducible(terms: Terms) -> tuple[int, list[tuple[Terms, int]]] | None:
    lowest = Lowest(terms)
    if len(terms) < 2 or lowest.variable is None:
        return None
    content, found = lowest.polynomial.factor()
    parts = [(_sparse(p, *lowest.variable), int(k)) for p, k in found]
    return int(content), sorted(parts, key=lambda part: (len(part[0]), part[1]))


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
    signs = [[p < 0 for _, p, _ in m.exponent] for m in monomials]
    if not all(signs) and not any(map(any, signs)):
        return {}  # one has no power of e, and no power is negative
    exponents = [{key: Fraction(p, q) for key, p, q in m.exponent} for m in monomials]
    generators = {key for e in exponents for key in e}
    return _least(exponents) if len(generators) <= GENERATORS else {}


def _least(coordinates: Iterable[Mapping[Any, Any]]) -> dict[Any, Any]:
    """The least value of each coordinate over all, absent meaning 0; zeros left out."""
    every = list(coordinates)
    # Of a key that one of them lacks the least is 0, unless another is below.
    keys = set(every[0]).intersection(*every) if every else set()
    keys |= {key for c in every for key, value in c.items() if value < 0}
    least = {key: min(c.get(key, 0) for c in every) for key in keys}
    return {key: value for key, value in least.items() if value}


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


def _dense(terms: Terms, variable: tuple[Any, Fraction]) -> list[int]:
    _, step = variable
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
