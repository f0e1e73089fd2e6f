"""Walking into monomials: their size, and the symbols in them."""

from __future__ import annotations

from collections.abc import Iterable

from derive.exact.monomial import IS_SYMBOLIC, Call, Letter, Monomial, Symbol, Whole


def size_of(m: Monomial) -> int:
    """How many terms it is written with, those of its exponent and of nested values included."""
    size = 1
    for atom, _ in m.powers:
        if isinstance(atom, Call):
            size += atom.argument.size
        elif isinstance(atom, Whole):
            size += atom.value.size
    for inner, _, _ in m.exponent:
        size += size_of(inner)
    return size


def symbols_of(monomials: Iterable[Monomial]) -> set[str]:
    """The names of the free symbols; a letter has those of what it stands for."""
    found: set[str] = set()
    for m in monomials:
        if not m.traits & IS_SYMBOLIC:
            continue
        for atom, _ in m.powers:
            match atom:
                case Symbol(name):
                    found.add(name)
                case Letter(value=value) | Whole(value=value) | Call(argument=value):
                    found |= value.free_symbols
        found |= symbols_of(inner for inner, _, _ in m.exponent)
    return found
