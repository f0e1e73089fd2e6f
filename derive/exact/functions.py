"""Functions of Scalars, by name, and symbols replaced by values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from derive.errors import InputError
from derive.exact.monomial import (
    ONE,
    Call,
    Exponent,
    Letter,
    Monomial,
    Symbol,
    Whole,
    exponent_of,
    monomial,
)
from derive.exact.radical import is_hard, squarefree
from derive.exact.scalar import ZERO, Scalar, bare, number, quotient, sum_of
from derive.exact.terms import UNIT, Terms, integer, times

FUNCTIONS = ("sqrt", "exp", "log", "sin", "cos", "tan", "tanh", "erf")
PLAINLY = 256
"""What is negative is seen to be at this precision; whether it is 0 is not asked of algebra."""
KINKS = ("relu", "step")
"""max(0, x), and its derivative: 1 where x > 0, else 0.  They are known where the sign is."""


def call(function: str, x: Scalar) -> Scalar:
    """The value of a named function of FUNCTIONS or KINKS at x.

    Exact values are known at the points where they are rational (log 1, sin 0 ...) and for exp and
    sqrt; elsewhere the call stands for itself.  InputError where the function is not defined.
    """
    if function == "exp":
        return x.exp()
    if function == "sqrt":
        return x.sqrt()
    if function == "log":
        return _log(x)
    if function in KINKS:
        return _kink(function, x)
    if not x.num:
        return number(int(function == "cos"))
    return Scalar({bare(Call(function, x)): 1})


def _kink(function: str, x: Scalar) -> Scalar:
    side = sign(x) if x.is_number else None
    if side is None:
        return Scalar({bare(Call(function, x)): 1})
    if function == "relu":
        return x if side > 0 else ZERO
    return number(int(side > 0))


def _log(x: Scalar) -> Scalar:
    if x.is_number and sign(x) in (-1, 0):
        raise InputError(f"the logarithm of {x!r} is not defined", expected="a number > 0")
    if x == number(1):
        return ZERO
    if x.is_polynomial and len(x.num) == 1:
        ((m, c),) = x.num.items()
        if c == x.den[ONE] == 1 and m.root == 1 and not m.powers:
            return sum_of((inner, p, q) for inner, p, q in m.exponent)
    return Scalar({bare(Call("log", x)): 1})


def sign(x: Scalar, most_bits: int = 4096) -> int | None:
    """-1, 0 or 1, or None where it is not decided at a precision of so many bits."""
    from derive.exact import ball

    return ball.sign(x, most_bits)


def exponential(x: Scalar) -> Scalar:
    """e^x; exp(log y) is y, and e to a quotient keeps it in one piece."""
    if not x.num:
        return number(1)
    if not x.is_polynomial:
        return Scalar({monomial(exponent=((bare(Whole(x)), 1, 1),)): 1})
    d = x.den[ONE]
    terms, factor = [], number(1)
    for m, c in x.num.items():
        logarithm = _logarithm(m)
        if logarithm is not None and c % d == 0:
            factor *= logarithm ** (c // d)
        else:
            terms.append((m, c, d))
    power = Scalar({monomial(exponent=exponent_of(terms)): 1}) if terms else number(1)
    return factor * power


def square_root(x: Scalar) -> Scalar:
    """The nonnegative square root; InputError where balls prove that x is negative."""
    if not x.is_rational:
        if x.is_number and sign(x, PLAINLY) == -1:
            raise InputError(f"the square root of {x!r} is not real", expected="a number >= 0")
        return _root_of_quotient(x)
    p, q = x.fraction
    if p < 0:
        raise InputError(f"the square root of {x!r} is not real", expected="a number >= 0")
    if is_hard(p * q):
        return Scalar({bare(Call("sqrt", x)): 1})
    root, outside = squarefree(p * q)
    return quotient({monomial(root=root): outside} if p else {}, integer(q))


def _root_of_quotient(x: Scalar) -> Scalar:
    """Content, powers of e and perfect squares stand before the root; the rest stays under it."""
    from derive.exact.square import half, split

    c, above, top = split(x.num)
    d, below, bottom = split(x.den)
    before = square_root(number(c, d)) * Scalar({half(above): 1}) / Scalar({half(below): 1})
    (outer, inner), (lower, under) = _out_of_root(top), _out_of_root(bottom)
    if outer is lower is UNIT:
        # Nothing came out, so that the quotient stays whole.
        root = number(c, d).sqrt()
        ((radical, _),) = root.num.items()
        inside = quotient(times(top, radical.root), bottom)
        return before / Scalar({monomial(root=radical.root): 1}) * _bare_root(inside)
    return before * Scalar(outer) / Scalar(lower) * _bare_root(quotient(inner, under))


def _bare_root(x: Scalar) -> Scalar:
    return square_root(x) if x.is_rational else Scalar({bare(Call("sqrt", x)): 1})


def _out_of_root(terms: Terms) -> tuple[Terms, Terms]:
    """(R, P) with sqrt(terms) = R sqrt(P) and R > 0."""
    from derive.exact.square import root_of_square

    root = root_of_square(terms) if len(terms) > 1 else None
    side = sign(Scalar(root)) if root is not None and Scalar(root).is_number else None
    if root is None or not side:
        return UNIT, terms
    return times(root, side), UNIT


def _logarithm(m: Monomial) -> Scalar | None:
    """x, where m is log(x)."""
    if m.root == 1 and not m.exponent and len(m.powers) == 1:
        atom, power = m.powers[0]
        if power == 1 and isinstance(atom, Call) and atom.function == "log":
            return atom.argument
    return None


def substituted(x: Scalar, values: Mapping[str, Scalar]) -> Scalar:
    """x with symbols replaced; InputError where a function becomes undefined."""
    if not x.free_symbols & values.keys():
        return x
    return _terms(x.num, values) / _terms(x.den, values)


def _terms(terms: Terms, values: Mapping[str, Scalar]) -> Scalar:
    total = ZERO
    for m, c in terms.items():
        term = Scalar({monomial(root=m.root): c})
        for atom, power in m.powers:
            term *= _replaced(atom, values) ** power
        if m.exponent:
            term *= _exponent(m.exponent, values).exp()
        total += term
    return total


def _exponent(exponent: Exponent, values: Mapping[str, Scalar]) -> Scalar:
    total = ZERO
    for inner, p, q in exponent:
        total += _terms({inner: p}, values) / q
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
    return Scalar({bare(atom): 1})
