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
from derive.exact.radical import squarefree
from derive.exact.scalar import ZERO, Scalar, bare, number, quotient, sum_of
from derive.exact.terms import Terms, integer

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
    return Scalar({bare(Call(function, x)): 1})


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


def sign(x: Scalar) -> int | None:
    """-1, 0 or 1, or None where it is not decided."""
    from derive.exact import ball

    return ball.sign(x)


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
        if x.is_number and sign(x) == -1:
            raise InputError(f"the square root of {x!r} is not real", expected="a number >= 0")
        return Scalar({bare(Call("sqrt", x)): 1})
    p, q = x.fraction
    if p < 0:
        raise InputError(f"the square root of {x!r} is not real", expected="a number >= 0")
    root, outside = squarefree(p * q)
    return quotient({monomial(root=root): outside} if p else {}, integer(q))


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
