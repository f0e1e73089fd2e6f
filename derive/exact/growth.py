"""Limits in one symbol, of quotients of sums of  c x^k e^{a_1 x + a_2 x^2 + ... + b_1/x + ...}.

Far out, the terms of a sum are ordered by their exponents and then by their powers of x; what
cancels among the largest is made up for by the series of e^{b/x}.  The leading terms above and
below decide the limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cmp_to_key

from derive.errors import Unproved
from derive.exact.ball import sign
from derive.exact.expand import opened
from derive.exact.monomial import Exponent, Monomial, Symbol, monomial
from derive.exact.scalar import ZERO, Scalar, number, symbol
from derive.exact.terms import Terms

ORDER = 6
"""So many terms of the series of e^{b/x} are looked at before a limit stays undecided."""
MOST_TERMS = 2000
"""The limit of what has more terms stays undecided."""
Growth = tuple[tuple[int, Scalar], ...]
"""(j, a) for each a x^j in an exponent with j > 0, the largest j first."""


@dataclass(frozen=True)
class Limit:
    """A number, or infinity with the sign `side` where value is None."""

    value: Scalar | None
    side: int = 0


def limit_at_infinity(x: Scalar, name: str) -> Limit | None:
    """The limit as the symbol grows without bound; None where it is not decided."""
    try:
        plain = _plain(x)
        return None if plain is None else _limit(plain, name)
    except Unproved:
        return None


def limit_at_zero(x: Scalar, name: str) -> Limit | None:
    """The limit as the symbol falls to 0 from above."""
    plain = _plain(x)
    if plain is None:
        return None
    return limit_at_infinity(plain.substitute({name: 1 / symbol(name)}), name)


def _plain(x: Scalar) -> Scalar | None:
    """x without letters of what has symbols; None where it is too long."""
    plain = opened(x, MOST_TERMS)
    return plain if plain is not None and plain.size <= MOST_TERMS else None


def _limit(x: Scalar, name: str) -> Limit:
    if not x.num:
        return Limit(ZERO)
    top, bottom = _leading(x.num, name), _leading(x.den, name)
    order = _compared(top.growth, bottom.growth) or top.power - bottom.power
    ratio = top.coefficient / bottom.coefficient
    if order < 0:
        return Limit(ZERO)
    return Limit(ratio) if order == 0 else Limit(None, _sign(ratio))


@dataclass(frozen=True)
class _Term:
    """coefficient x^power e^growth (1 + series[1]/x + series[2]/x^2 + ...)."""

    growth: Growth
    power: int
    coefficient: Scalar
    series: tuple[Scalar, ...] = ()

    def at(self, power: int) -> Scalar:
        """What it brings to the coefficient of x^power e^growth."""
        below = self.power - power
        if not 0 <= below < len(self.series):
            return ZERO
        return self.coefficient * self.series[below]


def _leading(terms: Terms, name: str) -> _Term:
    """The first term far out.  Unproved where it cannot be told."""
    parts = [_term(m, c, name) for m, c in terms.items()]
    largest = max((p.growth for p in parts), key=cmp_to_key(_compared))
    alike = [p for p in parts if _compared(p.growth, largest) == 0]
    highest = max(p.power for p in alike)
    for power in range(highest, highest - ORDER, -1):
        coefficient = sum((p.at(power) for p in alike), ZERO)
        if _sign(coefficient):
            return _Term(largest, power, coefficient)
    raise Unproved(f"the leading term in {name} is not found")


def _term(m: Monomial, c: int, name: str) -> _Term:
    rest, power = _split(m.root, m.powers, name)
    exponents = list(_exponents(m.exponent, name))
    growth = tuple(sorted(((j, a) for j, a in exponents if j > 0), key=lambda ja: -ja[0]))
    constant = sum((a for j, a in exponents if j == 0), ZERO)
    small = {-j: a for j, a in exponents if j < 0}
    return _Term(growth, power, rest * c * constant.exp(), tuple(_series(small)))


def _exponents(exponent: Exponent, name: str) -> Iterator[tuple[int, Scalar]]:
    """(j, a) for the sum a x^j that the exponent is."""
    found: dict[int, Scalar] = {}
    for inner, p, q in exponent:
        if inner.exponent and not Scalar({monomial(exponent=inner.exponent): 1}).is_number:
            raise Unproved("an exponent holds an exponential")
        rest, j = _split(inner.root, inner.powers, name)
        rest *= Scalar({monomial(exponent=inner.exponent): 1})
        found[j] = found.get(j, ZERO) + rest * number(p, q)
    yield from ((j, a) for j, a in found.items() if a.num)


def _split(root: int, powers: tuple[tuple[object, int], ...], name: str) -> tuple[Scalar, int]:
    """The monomial as a number and a power of the symbol."""
    k = sum(p for atom, p in powers if atom == Symbol(name))
    others = tuple((atom, p) for atom, p in powers if atom != Symbol(name))
    rest = Scalar({monomial(root, others): 1})  # type: ignore[arg-type]
    if not rest.is_number:
        raise Unproved(f"{name} stands inside a function")
    return rest, k


def _series(small: dict[int, Scalar]) -> Iterator[Scalar]:
    """The coefficients of e^{b_1 u + b_2 u^2 + ...} in u:  k s_k = sum over j of j b_j s_{k-j}."""
    found = [number(1)]
    yield found[0]
    for k in range(1, ORDER if small else 1):
        total = sum((small[j] * j * found[k - j] for j in small if j <= k), ZERO)
        found.append(total / k)
        yield found[k]


def _compared(a: Growth, b: Growth) -> int:
    """The sign of a - b far out."""
    mine, its = dict(a), dict(b)
    for j in sorted({*mine, *its}, reverse=True):
        if side := _sign(mine.get(j, ZERO) - its.get(j, ZERO)):
            return side
    return 0


def _sign(x: Scalar) -> int:
    side = sign(x)
    if side is None:
        raise Unproved(f"the sign of {x!r} is not decided")
    return side
