"""Sums of Scalars taken at once, so that one denominator is carried instead of many."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import gcd, lcm

from derive.exact.lowest import Lowest, common_monomial, is_long, shifted
from derive.exact.monomial import ONE, Monomial
from derive.exact.normal import over
from derive.exact.radical import is_radical
from derive.exact.scalar import ZERO, Scalar, quotient
from derive.exact.terms import UNIT, Terms, product

Part = tuple[Terms, Terms, int]
"""(num, den, k), meaning num / (k den)."""


def scalar_total(xs: Sequence[Scalar]) -> Scalar:
    """x_1 + x_2 + ..."""
    some = [x for x in xs if x.num]
    return some[0] if len(some) == 1 else _total((x.num, *_split(x.den)) for x in some)


def scalar_dot(xs: Sequence[Scalar], ys: Sequence[Scalar]) -> Scalar:
    """x_1 y_1 + x_2 y_2 + ..."""
    some = [(x, y) for x, y in zip(xs, ys, strict=True) if x.num and y.num]
    return some[0][0] * some[0][1] if len(some) == 1 else _total(_product(*xy) for xy in some)


def _product(x: Scalar, y: Scalar) -> Part:
    (d1, k1), (d2, k2) = _split(x.den), _split(y.den)
    return product(x.num, y.num), product(d1, d2), k1 * k2


def _split(den: Terms) -> tuple[Terms, int]:
    """The denominator without its content, and the content."""
    if len(den) == 1 and ONE in den:
        return UNIT, den[ONE]
    content = gcd(*den.values())
    return (den, 1) if content == 1 else ({m: c // content for m, c in den.items()}, content)


def _total(parts: Iterable[Part]) -> Scalar:
    groups: dict[frozenset[tuple[Monomial, int]], list[Part]] = {}
    keys: dict[int, tuple[Terms, frozenset[tuple[Monomial, int]]]] = {}
    for part in parts:
        den = part[1]
        if id(den) not in keys:
            keys[id(den)] = den, frozenset(den.items())
        groups.setdefault(keys[id(den)][1], []).append(part)
    result = ZERO
    for group in groups.values():
        result = (
            result + _over_one_denominator(group) if result.num else _over_one_denominator(group)
        )
    return result


def _over_one_denominator(group: Sequence[Part]) -> Scalar:
    k = lcm(*(part[2] for part in group))
    num: dict[Monomial, int] = {}
    for terms, _, own in group:
        for m, c in terms.items():
            num[m] = num.get(m, 0) + c * (k // own)
    den = group[0][1]
    return quotient({m: c for m, c in num.items() if c}, product(den, {ONE: k}))


def times_integers(row: Sequence[Scalar], columns: Sequence[Sequence[int]], k: int) -> list[Scalar]:
    """row @ (columns / k), where `row_denominator(row)` is not None."""
    den = product(row_denominator(row) or UNIT, {ONE: k})
    finish = _finisher(den)
    monomials = [x.num for x in row]
    together = _pooled(monomials)
    if len(together) == sum(map(len, monomials)):
        # No two entries share a power, so nothing is added up.
        places = [(m, c, j) for j, terms in enumerate(monomials) for m, c in terms.items()]
        return [finish({m: c * v[j] for m, c, j in places if v[j]}) for v in columns]
    out = []
    for column in columns:
        num = dict.fromkeys(together, 0)
        for terms, v in zip(monomials, column, strict=True):
            if v:
                for m, c in terms.items():
                    num[m] += c * v
        out.append(finish({m: c for m, c in num.items() if c}))
    return out


def _pooled(sums: Sequence[Terms]) -> list[Monomial]:
    return list(dict.fromkeys(m for terms in sums for m in terms))


def _finisher(den: Terms) -> Callable[[Terms], Scalar]:
    """What makes a Scalar of a numerator over den, without looking at den each time."""
    if len(den) == 1 or is_radical(den):
        return lambda num: quotient(num, den)
    lowest = Lowest(den)
    return lambda num: Scalar(*over(num, lowest))


def row_denominator(row: Sequence[Scalar]) -> Terms | None:
    """The denominator object that all entries but zeros share, if they do."""
    dens = {id(x.den): x.den for x in row if x.num}
    return next(iter(dens.values())) if len(dens) == 1 else None


def row_over(row: Sequence[Scalar], z: Scalar) -> list[Scalar]:
    """Each entry over z; the weights of a softmax row keep one denominator object.

    Such a row is e^{s_1}, ..., e^{s_n} over their sum: dividing all by their common power of e once
    leaves nothing more to cancel.
    """
    if not (z.den is UNIT and len(z.num) > 1 and all(map(_is_bare_monomial, row))):
        return [x / z for x in row]
    monomials = {*z.num, *(m for x in row for m in x.num)}
    shift = ONE if is_long(z.num) else common_monomial(monomials)
    den = shifted(z.num, shift) if shift is not ONE else z.num
    return [Scalar(shifted(x.num, shift), den) if x.num else ZERO for x in row]


def _is_bare_monomial(x: Scalar) -> bool:
    return x.den is UNIT and (not x.num or (len(x.num) == 1 and 1 in x.num.values()))
