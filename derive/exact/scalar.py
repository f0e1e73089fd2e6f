"""Exact numbers and expressions: quotients of sums of monomials, with integer coefficients.

The form is canonical where algebra makes it so.  Over radicals, free symbols and exponentials of
them, distinct monomials are linearly independent (Lindemann-Weierstrass), so a value is zero
exactly when its numerator has no terms.  Beside pi, or inside functions the kernel does not reduce,
that is not known: `is_zero` says None.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, reduce
from math import gcd, lcm
from operator import or_
from typing import Any

from derive.exact.infinity import NegativeInfinity
from derive.exact.monomial import (
    HAS_CONSTANT,
    HAS_EXPONENTIAL,
    IS_OPAQUE,
    IS_SYMBOLIC,
    ONE,
    REDUCES,
    Call,
    Constant,
    Letter,
    Monomial,
    Symbol,
    monomial,
)
from derive.exact.normal import normal, sum_over
from derive.exact.terms import UNIT, Terms, added, integer, is_integer, product, times
from derive.exact.walk import size_of, symbols_of


class Scalar:
    """num / den, two sums of integer multiples of monomials without common content.

    Arithmetic is exact and returns Scalars; ints may stand on either side.  Division by a value
    that is identically zero raises ZeroDivisionError.
    """

    def __init__(self, num: Terms, den: Terms = UNIT) -> None:
        """From parts already in normal form; `quotient` brings others there."""
        self.num = num
        self.den = den

    # --- what it is

    @cached_property
    def traits(self) -> int:
        """The union of the traits of its monomials."""
        every = (*self.num, *self.den)
        return reduce(or_, (m.traits | (HAS_EXPONENTIAL if m.exponent else 0) for m in every), 0)

    @property
    def is_polynomial(self) -> bool:
        """Whether the denominator is an integer."""
        return is_integer(self.den)

    @property
    def is_rational(self) -> bool:
        """Whether it is p/q; for the kernel's canonical values that is decided."""
        return self.is_polynomial and (not self.num or (len(self.num) == 1 and ONE in self.num))

    @property
    def fraction(self) -> tuple[int, int]:
        """(p, q) of a rational."""
        if not self.is_rational:
            raise ValueError("not a rational number")
        return self.num.get(ONE, 0), self.den[ONE]

    @property
    def is_number(self) -> bool:
        """Whether it has a numerical value: no free symbol."""
        return not self.traits & IS_SYMBOLIC

    @property
    def is_zero(self) -> bool | None:
        """True, False, or None where the kernel's algebra does not decide it."""
        if not self.num:
            return True
        if self.traits & IS_OPAQUE:
            return None
        both = HAS_CONSTANT | HAS_EXPONENTIAL
        return None if self.traits & both == both else False

    @cached_property
    def size(self) -> int:
        """How many terms it is written with, those of exponents and of nested values included."""
        below = 0 if self.is_polynomial else sum(map(size_of, self.den))
        return sum(map(size_of, self.num)) + below

    @property
    def bits(self) -> int:
        """The bit length of its largest coefficient."""
        coefficients = (*self.num.values(), *self.den.values())
        return max((abs(c).bit_length() for c in coefficients), default=0)

    @cached_property
    def free_symbols(self) -> frozenset[str]:
        """The names of its free symbols; a letter has those of what it stands for."""
        return frozenset(symbols_of((*self.num, *self.den)))

    # --- arithmetic

    def __bool__(self) -> bool:
        raise TypeError("whether a value is zero is not always decided: ask is_zero")

    def __add__(self, other: Any) -> Scalar:
        other = as_scalar(other)
        if not isinstance(other, Scalar):
            return NotImplemented
        if self.den is other.den or self.den == other.den:
            return quotient(added(self.num, other.num), self.den)
        if self.is_polynomial and other.is_polynomial:
            d1, d2 = self.den[ONE], other.den[ONE]
            d = lcm(d1, d2)
            return quotient(added(times(self.num, d // d1), times(other.num, d // d2)), integer(d))
        return _reduced(*sum_over(self.num, self.den, other.num, other.den))

    __radd__ = __add__

    def __neg__(self) -> Scalar:
        return Scalar(times(self.num, -1), self.den)

    def __sub__(self, other: Any) -> Scalar:
        other = as_scalar(other)
        return self + -other if isinstance(other, Scalar) else NotImplemented

    def __rsub__(self, other: Any) -> Scalar:
        return -self + other

    def __mul__(self, other: Any) -> Scalar:
        other = as_scalar(other)
        if not isinstance(other, Scalar):
            return NotImplemented
        den = self.den if other.den is UNIT else product(self.den, other.den)
        return _reduced(product(self.num, other.num), den)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Scalar:
        other = as_scalar(other)
        if not isinstance(other, Scalar):
            return NotImplemented
        if not other.num:
            raise ZeroDivisionError("division by zero")
        return _reduced(product(self.num, other.den), product(self.den, other.num))

    def __rtruediv__(self, other: Any) -> Scalar:
        return as_scalar(other) / self

    def __pow__(self, power: int) -> Scalar:
        if not isinstance(power, int):
            return NotImplemented
        if power < 0:
            return number(1) / self**-power
        result, square = number(1), self
        while power:
            if power & 1:
                result *= square
            power >>= 1
            if power:
                square *= square
        return result

    def exp(self) -> Scalar:
        """e to this; see `derive.exact.functions`."""
        from derive.exact.functions import exponential

        return exponential(self)

    def sqrt(self) -> Scalar:
        """The nonnegative square root; InputError of a negative number."""
        from derive.exact.functions import square_root

        return square_root(self)

    def apply(self, function: str) -> Scalar:
        """A named function of this; see `derive.exact.functions.call`."""
        from derive.exact.functions import call

        return call(function, self)

    def substitute(self, values: Mapping[str, Scalar]) -> Scalar:
        """The same expression with symbols replaced; InputError where it becomes undefined."""
        from derive.exact.functions import substituted

        return substituted(self, values)

    # --- identity

    def __eq__(self, other: object) -> bool:
        other = as_scalar(other)
        if not isinstance(other, Scalar):
            return NotImplemented
        is_same = self.num == other.num and self.den == other.den
        return is_same or not (self - other).num

    @cached_property
    def form(self) -> tuple[Any, ...]:
        """How it is written, but for a common sign: 1/(a - 1) and -1/(1 - a) are one."""
        lead = self.den[min(self.den, key=lambda m: m.serial)]
        every = (self.num, self.den) if lead > 0 else (times(self.num, -1), times(self.den, -1))
        return tuple(frozenset(terms.items()) for terms in every)

    @cached_property
    def _hash(self) -> int:
        if self.is_polynomial:
            return hash((frozenset(self.num.items()), self.den[ONE]))
        # Equal quotients may be written differently (times sqrt(2) above and below).
        return hash(self.free_symbols)

    def __hash__(self) -> int:
        return self._hash

    def _sympy_(self) -> Any:
        """SymPy's own hook, by which a Scalar may meet a SymPy expression in arithmetic."""
        from derive.exact.bridge import to_sympy

        return to_sympy(self)

    @cached_property
    def _plain(self) -> str:
        from derive.exact.ink import PLAIN
        from derive.exact.write import write

        return write(self, PLAIN)

    def __repr__(self) -> str:
        return self._plain  # the order of a sum asks again and again


def as_scalar(x: Any) -> Any:
    """An int as a Scalar; Scalars and -oo as they are; else NotImplemented."""
    if isinstance(x, (Scalar, NegativeInfinity)):
        return x
    return number(x) if isinstance(x, int) else NotImplemented


def number(p: int, q: int = 1) -> Scalar:
    """The rational p/q."""
    if q == 0:
        raise ZeroDivisionError("division by zero")
    g = gcd(p, q) if q > 0 else -gcd(p, q)
    return Scalar({ONE: p // g} if p else {}, UNIT if q == g else {ONE: q // g})


def symbol(name: str) -> Scalar:
    """The free real symbol of that name."""
    return Scalar({bare(Symbol(name)): 1})


def letter(step: str, row: int, column: int, value: Scalar, source: Any = None) -> Scalar:
    """A name for an entry, counted from 1; source.enclosure(bits) is the step's matrix of balls."""
    return Scalar({bare(Letter(step, row, column, value, source)): 1})


def bare(atom: Any) -> Monomial:
    """An atom to the first power."""
    return monomial(powers=((atom, 1),))


def quotient(num: Terms, den: Terms = UNIT) -> Scalar:
    """num/den in normal form (den not zero)."""
    found = Scalar(*normal(num, den))
    if len(den) == 1 and ONE not in den and any(m.traits & REDUCES for m in found.num):
        return _unfolded(found.num) / _unfolded(found.den)  # 1/sqrt(x) is sqrt(x)/x
    return found


def sum_of(terms: Iterable[tuple[Monomial, int, int]]) -> Scalar:
    """The sum of p/q times the monomial, over terms (monomial, p, q)."""
    return sum((quotient({m: p}, integer(q)) for m, p, q in terms), ZERO)


def _reduced(num: Terms, den: Terms) -> Scalar:
    """num/den where square roots of sums may have met themselves: sqrt(x)^2 is x."""
    if not any(m.traits & REDUCES for terms in (num, den) for m in terms):
        return quotient(num, den)
    return _unfolded(num) / _unfolded(den)


def _unfolded(terms: Terms) -> Scalar:
    total = ZERO
    for m, c in terms.items():
        plain, value = m, number(c)
        for atom, power in m.powers:
            if isinstance(atom, Call) and atom.function == "sqrt" and power not in (0, 1):
                _, plain = plain * monomial(powers=((atom, -power + power % 2),))
                value *= atom.argument ** (power // 2)
        total += Scalar({plain: 1}) * value
    return total


ZERO = Scalar({})
PI = Scalar({bare(Constant("pi")): 1})
E = Scalar({monomial(exponent=((ONE, 1, 1),)): 1})
