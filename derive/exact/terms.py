"""Sums of monomials with integer coefficients: dictionaries, added and multiplied."""

from __future__ import annotations

from collections.abc import Mapping

from derive.exact.monomial import ONE, Monomial

Terms = Mapping[Monomial, int]
UNIT: Terms = {ONE: 1}


def added(a: Terms, b: Terms) -> Terms:
    """a + b."""
    if len(a) < len(b):
        a, b = b, a
    out = dict(a)
    for m, c in b.items():
        c += out.get(m, 0)
        if c:
            out[m] = c
        else:
            del out[m]
    return out


def times(a: Terms, c: int) -> Terms:
    """c a, for c not 0."""
    return a if c == 1 else {m: k * c for m, k in a.items()}


def product(a: Terms, b: Terms) -> Terms:
    """a b, multiplied out."""
    if b is UNIT:
        return a
    if a is UNIT:
        return b
    if len(b) == 1 and ONE in b:
        return times(a, b[ONE])
    out: dict[Monomial, int] = {}
    for m1, c1 in a.items():
        for m2, c2 in b.items():
            factor, m = m1 * m2
            out[m] = out.get(m, 0) + c1 * c2 * factor
    return {m: c for m, c in out.items() if c}


def integer(d: int) -> Terms:
    """The sum that is the number d, not 0."""
    return UNIT if d == 1 else {ONE: d}


def is_integer(terms: Terms) -> bool:
    """Whether the sum is one nonzero integer."""
    return terms is UNIT or (len(terms) == 1 and ONE in terms)
