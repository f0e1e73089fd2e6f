"""Letters of steps put back into what they stand for, the latest first, as far as that stays small.

An enclosure can show that a number is not zero, never that it is: xhat_11 + xhat_12 of a row of two
is 0 because of what xhat is.  Putting in the rule of the latest step, and of the one before it,
lets such sums vanish by algebra, mostly after one or two steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod

from derive.exact.functions import call
from derive.exact.monomial import Atom, Call, Letter, Monomial, Whole, monomial
from derive.exact.scalar import ZERO, Scalar, bare
from derive.exact.terms import Terms

MOST_ROUNDS = 24
MOST_TERMS = 4000
"""So many terms are multiplied out at most before a question stays open."""


def resolved(x: Scalar) -> Scalar | None:
    """The rational that x is equal to, where putting in letters shows one; else None."""
    for _ in range(MOST_ROUNDS):
        if x.is_rational:
            return x
        letters = {a for a in _letters(x) if a.source is not None}
        if not letters:
            return None
        latest = max(a.source.depth for a in letters)
        chosen = frozenset(a for a in letters if a.source.depth == latest)
        if _bound(x.num, chosen) + _bound(x.den, chosen) > MOST_TERMS:
            return None
        top = _put_in(x.num, chosen)
        if top.is_rational and not top.num:
            return top  # whatever it stands over
        x = top / _put_in(x.den, chosen)
    return None


def _letters(x: Scalar) -> Iterator[Letter]:
    for m in (*x.num, *x.den):
        yield from _in_monomial(m)


def _in_monomial(m: Monomial) -> Iterator[Letter]:
    for atom, _ in m.powers:
        match atom:
            case Letter():
                yield atom
            case Call(_, argument) | Whole(argument):
                yield from _letters(argument)
    for inner, _, _ in m.exponent:
        yield from _in_monomial(inner)


def _bound(terms: Terms, chosen: frozenset[Letter]) -> int:
    return sum(_size(m.powers, chosen) for m in terms)


def _size(powers: Iterable[tuple[Atom, int]], chosen: frozenset[Letter]) -> int:
    """How many terms a product may have when it is multiplied out."""
    return prod(
        max(atom.value.size, 1) ** abs(power)
        for atom, power in powers
        if isinstance(atom, Letter) and atom in chosen
    )


def _put_in(terms: Terms, chosen: frozenset[Letter]) -> Scalar:
    total = ZERO
    for m, c in terms.items():
        term = Scalar({monomial(root=m.root): c})
        for atom, power in m.powers:
            term *= _value(atom, chosen) ** power
        exponent = ZERO
        for inner, p, q in m.exponent:
            exponent += _put_in({inner: p}, chosen) / q
        total += term * exponent.exp() if m.exponent else term
    return total


def _value(atom: Atom, chosen: frozenset[Letter]) -> Scalar:
    match atom:
        case Letter() if atom in chosen:
            return atom.value
        case Call(function, argument) if chosen & set(_letters(argument)):
            return call(function, _put_in(argument.num, chosen) / _put_in(argument.den, chosen))
        case Whole(value) if chosen & set(_letters(value)):
            return _put_in(value.num, chosen) / _put_in(value.den, chosen)
    return Scalar({bare(atom): 1})
