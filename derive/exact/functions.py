"""Functions of Scalars, by name, and symbols replaced by values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from derive.errors import InputError
from derive.exact.monomial import ONE, Call, Exponent, Letter, Symbol, Whole, monomial
from derive.exact.scalar import ZERO, Scalar, bare, number, sum_of
from derive.exact.terms import Terms

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
    if x.is_rational and x.fraction[0] <= 0:
        raise InputError(f"the logarithm of {x!r} is not defined", expected="a number > 0")
    if x == number(1):
        return ZERO
    if x.is_polynomial and len(x.num) == 1:
        ((m, c),) = x.num.items()
        if c == x.den[ONE] == 1 and m.root == 1 and not m.powers:
            return sum_of((inner, p, q) for inner, p, q in m.exponent)
    return Scalar({bare(Call("log", x)): 1})


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
