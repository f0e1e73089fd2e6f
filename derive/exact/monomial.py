"""Monomials: what a sum of exact terms is made of.

A monomial is  sqrt(root) * product of atoms to integer powers * e^exponent,  with a squarefree
positive integer `root`.  The exponent is itself a sum of rational multiples of monomials.
Monomials are interned: equal ones are one object, so a sum is a dictionary that hashes by identity.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from math import gcd
from threading import Lock
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from derive.exact.scalar import Scalar


@dataclass(frozen=True, slots=True)
class Symbol:
    """A free real symbol."""

    name: str


@dataclass(frozen=True, slots=True)
class Constant:
    """A named real number: pi."""

    name: str


@dataclass(frozen=True, eq=False, slots=True)
class Letter:
    """Entry (row, column), counted from 1, of a named step; it stands for `value`."""

    step: str
    row: int
    column: int
    value: Scalar
    source: Any = None


@dataclass(frozen=True, eq=False, slots=True)
class Call:
    """A function's value that no rule of the kernel reduces, such as log(2) or sin(1).

    Two are one atom where their arguments are written alike: to ask whether they are equal in value
    could take a whole computation, and the answer would never be needed for a proof.
    """

    function: str
    argument: Scalar

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Call):
            return NotImplemented
        return self.function == other.function and self.argument.form == other.argument.form

    def __hash__(self) -> int:
        return hash((self.function, self.argument.form))


@dataclass(frozen=True, eq=False, slots=True)
class Whole:
    """A quotient kept in one piece, where it stands in an exponent; alike where written alike."""

    value: Scalar

    def __eq__(self, other: object) -> bool:
        return self.value.form == other.value.form if isinstance(other, Whole) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.value.form)


Atom = Symbol | Constant | Letter | Call | Whole
Powers = tuple[tuple[Atom, int], ...]
Exponent = tuple[tuple["Monomial", int, int], ...]
"""Terms (monomial, p, q), each meaning p/q times the monomial, q > 0, in lowest terms."""

_interned: WeakValueDictionary[Any, Monomial] = WeakValueDictionary()
_interning = Lock()
_serial = count()


class Monomial:
    """See the module; made by `monomial`, never directly."""

    __slots__ = ("__weakref__", "exponent", "powers", "root", "serial", "traits")

    root: int
    powers: Powers
    exponent: Exponent
    serial: int
    traits: int

    def __mul__(self, other: Monomial) -> tuple[int, Monomial]:
        """The product as (integer, monomial): sqrt(6) sqrt(2) is 2 sqrt(3)."""
        if self is ONE:
            return 1, other
        if other is ONE:
            return 1, self
        common = gcd(self.root, other.root)
        return common, monomial(
            self.root * other.root // (common * common),
            _merged(self.powers, other.powers),
            add_exponents(self.exponent, other.exponent),
        )

    def inverse(self) -> tuple[int, Monomial]:
        """(d, m) with 1/self = m/d: the root moves into the numerator."""
        powers = tuple((atom, -power) for atom, power in self.powers)
        return self.root, monomial(self.root, powers, negated(self.exponent))

    def __repr__(self) -> str:
        return f"Monomial({self.root}, {self.powers}, {self.exponent})"

    def __reduce__(self) -> tuple[Any, ...]:
        return monomial, (self.root, self.powers, self.exponent)


IS_SYMBOLIC, HAS_CONSTANT, HAS_EXPONENTIAL, IS_OPAQUE, REDUCES, IS_BELOW = 1, 2, 4, 8, 16, 32
"""Traits; IS_BELOW marks a negative power, of an atom or of e."""


def monomial(root: int = 1, powers: Powers = (), exponent: Exponent = ()) -> Monomial:
    """The one monomial of these parts; `powers` in the order of `_merged`, no power 0."""
    key = (root, powers, exponent)
    found = _interned.get(key)
    if found is None:
        made = Monomial()
        made.root, made.powers, made.exponent = key
        made.serial = next(_serial)
        made.traits = _traits(powers, exponent)
        with _interning:
            found = _interned.setdefault(key, made)
    return found


def _traits(powers: Powers, exponent: Exponent) -> int:
    traits = 0
    for atom, power in powers:
        traits |= _atom_traits(atom) | (IS_BELOW if power < 0 else 0)
        if isinstance(atom, Call) and atom.function == "sqrt" and power not in (0, 1):
            traits |= REDUCES
    for inner, p, _ in exponent:
        traits |= HAS_EXPONENTIAL | inner.traits & ~(HAS_EXPONENTIAL | IS_BELOW | REDUCES)
        traits |= IS_BELOW if p < 0 else 0
        if inner.traits & HAS_EXPONENTIAL:
            traits |= IS_OPAQUE
    return traits


def _atom_traits(atom: Atom) -> int:
    match atom:
        case Symbol():
            return IS_SYMBOLIC
        case Constant():
            return HAS_CONSTANT
        case Letter(value=value) | Whole(value=value) | Call(argument=value):
            return IS_OPAQUE | value.traits & IS_SYMBOLIC
    raise TypeError(f"monomial: no traits for {type(atom).__name__}")


def _rank(atom: Atom) -> tuple[Any, ...]:
    """A fixed place for each atom, so that powers have one order."""
    match atom:
        case Symbol(name) | Constant(name):
            return type(atom).__name__, name, 0
        case Letter():
            return "Letter", atom.step, id(atom)
        case Call(function, argument):
            return "Call", function, hash(argument.form)
        case Whole(value):
            return "Whole", "", hash(value.form)
    raise TypeError(f"monomial: no rank for {type(atom).__name__}")


def _merged(a: Powers, b: Powers) -> Powers:
    if not a or not b:
        return a or b
    powers = dict(a)
    for atom, power in b:
        powers[atom] = powers.get(atom, 0) + power
    return tuple(sorted(((x, p) for x, p in powers.items() if p), key=lambda xp: _rank(xp[0])))


def add_exponents(a: Exponent, b: Exponent) -> Exponent:
    """The exponent of e^a e^b."""
    if not a or not b:
        return a or b
    terms = {m: (p, q) for m, p, q in a}
    for m, p, q in b:
        if m in terms:
            p0, q0 = terms[m]
            p, q = p0 * q + p * q0, q0 * q
        terms[m] = (p, q)
    return exponent_of((m, p, q) for m, (p, q) in terms.items())


def negated(exponent: Exponent) -> Exponent:
    """The exponent of 1/e^exponent."""
    return tuple((m, -p, q) for m, p, q in exponent)


def exponent_of(terms: Iterable[tuple[Monomial, int, int]]) -> Exponent:
    """Terms with distinct monomials, brought to lowest terms and to the one order."""
    lowest = []
    for m, p, q in terms:
        if p:
            g = gcd(p, q)
            lowest.append((m, p // g, q // g))
    if len(lowest) > 1:
        lowest.sort(key=lambda term: term[0].serial)
    return tuple(lowest)


ONE = monomial()
