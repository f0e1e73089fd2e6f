"""How many terms an entry has when every letter in it is written out, counted without writing."""

from __future__ import annotations

from collections.abc import Iterator

from derive.exact.infinity import NegativeInfinity
from derive.exact.monomial import Atom, Call, Letter, Monomial, Whole
from derive.exact.scalar import Scalar

Key = tuple[str, int, int]


class Extent:
    """Counts the terms of sums within sums: (a + b c)/(d + e) has 4, with b = f + g it has 5.

    A letter is counted once, however often it stands somewhere, so the count is quick where the
    text would be longer than any paper.
    """

    def __init__(self) -> None:
        self._letters: dict[Key, int] = {}

    def terms(self, x: Scalar | NegativeInfinity) -> int:
        """The terms of x written out in the inputs."""
        waiting = [a for a in letters_of(x) if _key(a) not in self._letters]
        while waiting:
            last = waiting[-1]
            before = [a for a in letters_of(last.value) if _key(a) not in self._letters]
            if before:
                waiting.extend(before)
            else:
                self._letters[_key(waiting.pop())] = self._sum(last.value)
        return self._sum(x)

    def _sum(self, x: Scalar | NegativeInfinity) -> int:
        if isinstance(x, NegativeInfinity) or not x.num:
            return 1
        below = 0 if x.is_polynomial else sum(map(self._monomial, x.den))
        return sum(map(self._monomial, x.num)) + below

    def _monomial(self, m: Monomial) -> int:
        inside = sum(self._atom(atom) for atom, _ in m.powers)
        if len(m.exponent) > 1 or any(inner.powers for inner, _, _ in m.exponent):
            inside += sum(self._monomial(inner) for inner, _, _ in m.exponent)
        return max(1, inside)

    def _atom(self, atom: Atom) -> int:
        match atom:
            case Letter():
                return self._letters[_key(atom)]
            case Call(_, value) | Whole(value):
                return self._sum(value)
        return 0


def work(*xs: Scalar) -> int:
    """How many terms are worked out to enclose the numbers, every letter once."""
    known: dict[Key, Scalar] = {}
    waiting = list(xs)
    while waiting:
        found = {_key(a): a.value for a in letters_of(waiting.pop()) if _key(a) not in known}
        known |= found
        waiting.extend(found.values())
    return sum(x.size for x in (*xs, *known.values()))


def letters_of(x: Scalar | NegativeInfinity) -> Iterator[Letter]:
    """The letters in x, inside functions and exponents as well."""
    if not isinstance(x, NegativeInfinity):
        for m in (*x.num, *x.den):
            yield from _in_monomial(m)


def _in_monomial(m: Monomial) -> Iterator[Letter]:
    for atom, _ in m.powers:
        match atom:
            case Letter():
                yield atom
            case Call(_, value) | Whole(value):
                yield from letters_of(value)
    for inner, _, _ in m.exponent:
        yield from _in_monomial(inner)


def _key(letter: Letter) -> Key:
    return letter.step, letter.row, letter.column
