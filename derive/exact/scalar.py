"""Exact numbers and expressions: quotients of sums of monomials, with integer coefficients.

The form is canonical where algebra makes it so.  Over radicals, free symbols and exponentials of
them, distinct monomials are linearly independent (Lindemann-Weierstrass), so a value is zero exactly
when its numerator has no terms.  Beside pi, or inside functions the kernel does not reduce, that is
not known, and `is_zero` says None.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from math import gcd, isqrt, lcm
from typing import Any

from derive.errors import InputError
from derive.exact.monomial import (
    HAS_CONSTANT,
    HAS_EXPONENTIAL,
    IS_OPAQUE,
    IS_SYMBOLIC,
    ONE,
    REDUCES,
    Call,
    Constant,
    Exponent,
    Letter,
    Monomial,
    Symbol,
    Whole,
    exponent_of,
    monomial,
)

Terms = Mapping[Monomial, int]
UNIT: Terms = {ONE: 1}


class Scalar:
    """num / den, two sums of integer multiples of monomials without common content.

    Arithmetic is exact and returns Scalars; ints may stand on either side.  Division by a value that
    is identically zero raises ZeroDivisionError.
    """

    def __init__(self, num: Terms, den: Terms = UNIT) -> None:
        """From parts already in normal form; `quotient` brings others there."""
        self.num = num
        self.den = den

    # --- what it is

    @cached_property
    def traits(self) -> int:
        """The union of the traits of its monomials."""
        found = 0
        for m in (*self.num, *self.den):
            found |= m.traits | (HAS_EXPONENTIAL if m.exponent else 0)
        return found

    @property
    def is_polynomial(self) -> bool:
        """Whether the denominator is an integer."""
        return self.den is UNIT or (len(self.den) == 1 and ONE in self.den)

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
        return sum(map(_weight, self.num)) + (
            0 if self.is_polynomial else sum(map(_weight, self.den))
        )

    @property
    def bits(self) -> int:
        """The bit length of its largest coefficient."""
        return max((abs(c).bit_length() for c in (*self.num.values(), *self.den.values())), default=0)

    @property
    def free_symbols(self) -> frozenset[str]:
        """The names of its free symbols; a letter has those of what it stands for."""
        return frozenset(_symbols((*self.num, *self.den)))

    # --- arithmetic

    def __add__(self, other: Any) -> Scalar:
        other = as_scalar(other)
        if other is NotImplemented or isinstance(other, NegativeInfinity):
            return NotImplemented
        if self.den is other.den or self.den == other.den:
            return quotient(_sum(self.num, other.num), self.den)
        if self.is_polynomial and other.is_polynomial:
            d1, d2 = self.den[ONE], other.den[ONE]
            d = lcm(d1, d2)
            return quotient(_sum(_times(self.num, d // d1), _times(other.num, d // d2)), _integer(d))
        return _reduced(
            _sum(product(self.num, other.den), product(other.num, self.den)),
            product(self.den, other.den),
        )

    __radd__ = __add__

    def __neg__(self) -> Scalar:
        return Scalar(_times(self.num, -1), self.den)

    def __sub__(self, other: Any) -> Scalar:
        return self + -as_scalar(other)

    def __rsub__(self, other: Any) -> Scalar:
        return -self + other

    def __mul__(self, other: Any) -> Scalar:
        other = as_scalar(other)
        if other is NotImplemented:
            return NotImplemented
        den = self.den if other.den is UNIT else product(self.den, other.den)
        return _reduced(product(self.num, other.num), den)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Scalar:
        other = as_scalar(other)
        if other is NotImplemented:
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
        """e to this; exp(log x) is x, and e to a quotient keeps it in one piece."""
        if self.is_rational and not self.num:
            return number(1)
        if not self.is_polynomial:
            return Scalar({monomial(exponent=((_atom(Whole(self)), 1, 1),)): 1})
        d = self.den[ONE]
        terms, factor = [], number(1)
        for m, c in self.num.items():
            logarithm = _logarithm(m)
            if logarithm is not None and c % d == 0:
                factor *= logarithm ** (c // d)
            else:
                terms.append((m, c, d))
        power = Scalar({monomial(exponent=exponent_of(terms)): 1}) if terms else number(1)
        return factor * power

    def sqrt(self) -> Scalar:
        """The nonnegative square root; of a negative rational InputError."""
        if not self.is_rational:
            return Scalar({_atom(Call("sqrt", self)): 1})
        p, q = self.fraction
        if p < 0:
            raise InputError(f"the square root of {p}/{q} is not real" if q > 1 else
                             f"the square root of {p} is not real", expected="a number >= 0")
        root, outside = _squarefree(p * q)
        return quotient({monomial(root=root): outside} if p else {}, _integer(q))

    def substitute(self, values: Mapping[str, Scalar]) -> Scalar:
        """The same expression with symbols replaced; InputError where it becomes undefined."""
        if not self.free_symbols & values.keys():
            return self
        return _substituted(self.num, values) / _substituted(self.den, values)

    # --- identity

    def __eq__(self, other: object) -> bool:
        other = as_scalar(other)
        if not isinstance(other, Scalar):
            return NotImplemented
        if self.num == other.num and self.den == other.den:
            return True
        return not (self - other).num

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

    def __repr__(self) -> str:
        from derive.exact.ink import PLAIN
        from derive.exact.write import write

        return write(self, PLAIN)


class NegativeInfinity:
    """-oo, the score of a forbidden position: adding to it changes nothing, exp(-oo) = 0."""

    free_symbols: frozenset[str] = frozenset()
    traits = 0
    size = 1
    bits = 1
    is_zero = False
    is_number = True
    is_rational = False

    def __add__(self, other: Any) -> NegativeInfinity:
        return self

    __radd__ = __add__

    def exp(self) -> Scalar:
        """The limit 0."""
        return ZERO

    def substitute(self, values: Mapping[str, Scalar]) -> NegativeInfinity:
        """Itself."""
        return self

    def __repr__(self) -> str:
        return "-oo"

    def __reduce__(self) -> str:
        return "NEG_INF"


NEG_INF = NegativeInfinity()


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
    return Scalar({_atom(Symbol(name)): 1})


def letter(step: str, row: int, column: int, value: Scalar) -> Scalar:
    """A name for entry (row, column), counted from 1, of a step."""
    return Scalar({_atom(Letter(step, row, column, value)): 1})


def _atom(atom: Any) -> Monomial:
    return monomial(powers=((atom, 1),))


FUNCTIONS = ("sqrt", "exp", "log", "sin", "cos", "tan", "tanh", "erf")


def call(function: str, x: Scalar) -> Scalar:
    """The value of a named function of FUNCTIONS at x.

    Exact values are known at the points where they are rational (log 1, sin 0 ...) and for exp and
    sqrt; elsewhere the call stands for itself.  InputError where the function is not defined.
    """
    if function == "exp":
        return x.exp()
    if function == "sqrt":
        return x.sqrt()
    if function == "log":
        return _log(x)
    if not x.num:
        return number(int(function == "cos"))
    return Scalar({_atom(Call(function, x)): 1})


def _log(x: Scalar) -> Scalar:
    if x.is_rational and x.fraction[0] <= 0:
        raise InputError(f"the logarithm of {x!r} is not defined", expected="a number > 0")
    if x == number(1):
        return ZERO
    if x.is_polynomial and len(x.num) == 1:
        ((m, c),) = x.num.items()
        if c == x.den[ONE] == 1 and m.root == 1 and not m.powers:
            return sum_of((inner, p, q) for inner, p, q in m.exponent)
    return Scalar({_atom(Call("log", x)): 1})


# --- sums of monomials


def _sum(a: Terms, b: Terms) -> Terms:
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


def _times(a: Terms, c: int) -> Terms:
    return a if c == 1 else {m: k * c for m, k in a.items()}


def product(a: Terms, b: Terms) -> Terms:
    """The product of two sums, multiplied out."""
    if b is UNIT:
        return a
    if a is UNIT:
        return b
    if len(b) == 1 and ONE in b:
        return _times(a, b[ONE])
    out: dict[Monomial, int] = {}
    for m1, c1 in a.items():
        for m2, c2 in b.items():
            factor, m = m1 * m2
            out[m] = out.get(m, 0) + c1 * c2 * factor
    return {m: c for m, c in out.items() if c}


def _integer(d: int) -> Terms:
    return UNIT if d == 1 else {ONE: d}


def sum_of(terms: Iterable[tuple[Monomial, int, int]]) -> Scalar:
    """The sum of p/q times the monomial, over terms (monomial, p, q)."""
    total = ZERO
    for m, p, q in terms:
        total += quotient({m: p}, _integer(q))
    return total


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


# --- normal form


def quotient(num: Terms, den: Terms = UNIT) -> Scalar:
    """num/den in normal form (den not zero).

    One-term and purely radical denominators move into the numerator; what is left has integer
    coefficients without common content, no common power of e and a positive leading coefficient,
    and is free of common factors where that can be had cheaply.
    """
    if not num:
        return ZERO
    if len(den) == 1:
        ((m, d),) = den.items()
        if m is not ONE:
            root, inverse = m.inverse()
            num, d = product(num, {inverse: 1}), d * root
        return _over_integer(num, d)
    if _is_radical(den):
        return quotient(*_rationalised(num, den))
    return _without_common_factor(num, den)


def _over_integer(num: Terms, d: int) -> Scalar:
    if d == 1:
        return Scalar(num)
    g = gcd(d, *num.values())
    if d < 0:
        g = -g
    return Scalar(num if g == 1 else {m: c // g for m, c in num.items()}, _integer(d // g))


def _is_radical(den: Terms) -> bool:
    """Whether den lies in a number field small enough to take its conjugates one by one."""
    return len(den) <= 16 and all(not m.powers and not m.exponent for m in den) and (
        len(_primes(lcm(*(m.root for m in den)))) <= 4
    )


def _rationalised(num: Terms, den: Terms) -> tuple[Terms, Terms]:
    """Multiplied above and below by a conjugate of den: one prime under its roots less."""
    prime = _primes(next(m.root for m in den if m.root > 1))[0]
    conjugate = {m: -c if m.root % prime == 0 else c for m, c in den.items()}
    return product(num, conjugate), product(den, conjugate)


def _without_common_factor(num: Terms, den: Terms) -> Scalar:
    from derive.exact.lowest import cancelled

    num, den = cancelled(num, den)
    g = gcd(*num.values(), *den.values())
    if next(iter(den.values())) < 0:
        g = -g
    if g != 1:
        num, den = {m: c // g for m, c in num.items()}, {m: c // g for m, c in den.items()}
    return quotient(num, den) if len(den) == 1 else Scalar(num, den)


def _squarefree(n: int) -> tuple[int, int]:
    """(s, r) with n = s r^2 and s squarefree, for n >= 0; InputError for an n too hard to factor."""
    if n == 0:
        return 1, 0
    root = isqrt(n)
    if root * root == n:
        return 1, root
    if n.bit_length() > 128:
        raise InputError(
            f"the square root of a number of {len(str(n))} digits is not carried exactly",
            expected="a number below 2^128 under the root",
        )
    from flint import fmpz

    s, r = 1, 1
    for prime, power in fmpz(n).factor():
        s *= int(prime) ** (power % 2)
        r *= int(prime) ** (power // 2)
    return s, r


@lru_cache(1024)
def _primes(n: int) -> list[int]:
    from flint import fmpz

    return [int(prime) for prime, _ in fmpz(n).factor()]


# --- walking into monomials


def _weight(m: Monomial) -> int:
    weight = 1
    for atom, _ in m.powers:
        if isinstance(atom, Call):
            weight += atom.argument.size
        elif isinstance(atom, Whole):
            weight += atom.value.size
    for inner, _, _ in m.exponent:
        weight += _weight(inner)
    return weight


def _symbols(monomials: Iterable[Monomial]) -> set[str]:
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
        found |= _symbols(inner for inner, _, _ in m.exponent)
    return found


def _logarithm(m: Monomial) -> Scalar | None:
    """x, where m is log(x)."""
    if m.root == 1 and not m.exponent and len(m.powers) == 1:
        atom, power = m.powers[0]
        if power == 1 and isinstance(atom, Call) and atom.function == "log":
            return atom.argument
    return None


def _substituted(terms: Terms, values: Mapping[str, Scalar]) -> Scalar:
    total = ZERO
    for m, c in terms.items():
        term = Scalar({monomial(root=m.root): c})
        for atom, power in m.powers:
            term *= _replaced(atom, values) ** power
        if m.exponent:
            term *= _substituted_exponent(m.exponent, values).exp()
        total += term
    return total


def _substituted_exponent(exponent: Exponent, values: Mapping[str, Scalar]) -> Scalar:
    total = ZERO
    for inner, p, q in exponent:
        total += _substituted({inner: p}, values) / q
    return total


def _replaced(atom: Any, values: Mapping[str, Scalar]) -> Scalar:
    match atom:
        case Symbol(name) if name in values:
            return values[name]
        case Call(function, argument):
            return call(function, argument.substitute(values))
        case Whole(value):
            return value.substitute(values)
        case Letter(value=value) if value.free_symbols & values.keys():
            return value.substitute(values)
    return Scalar({_atom(atom): 1})


ZERO = Scalar({})
PI = Scalar({_atom(Constant("pi")): 1})
E = number(1).exp()
