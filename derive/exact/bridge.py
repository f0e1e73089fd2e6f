"""Between the kernel and SymPy: the same expression on either side."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy

from derive.errors import InputError
from derive.exact.functions import FUNCTIONS as NAMES
from derive.exact.functions import call
from derive.exact.infinity import NEG_INF, NegativeInfinity
from derive.exact.matrix import Matrix
from derive.exact.monomial import ONE, Call, Constant, Exponent, Letter, Monomial, Symbol, Whole
from derive.exact.scalar import PI, Scalar, number, symbol
from derive.exact.terms import Terms

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sqrt": sympy.sqrt,
    "exp": sympy.exp,
    "log": sympy.log,
    "sin": sympy.sin,
    "cos": sympy.cos,
    "tan": sympy.tan,
    "tanh": sympy.tanh,
    "erf": sympy.erf,
    "relu": lambda x: sympy.Max(0, x),
    "step": lambda x: sympy.Heaviside(x, 0),
}
CONSTANTS = {"pi": sympy.pi}


class _ToSympy:
    """One conversion, in which every monomial and every letter is built once."""

    def __init__(self) -> None:
        self.monomials: dict[Monomial, Any] = {ONE: sympy.S.One}
        self.letters: dict[Letter, Any] = {}
        self.denominators: dict[int, tuple[Terms, Any]] = {}

    def scalar(self, x: Scalar | NegativeInfinity) -> Any:
        if isinstance(x, NegativeInfinity):
            return -sympy.oo
        if x.is_polynomial:
            d = x.den[ONE]
            return sympy.Add(*(self.monomial(m) * sympy.Rational(c, d) for m, c in x.num.items()))
        if id(x.den) not in self.denominators:
            self.denominators[id(x.den)] = x.den, 1 / self.sum(x.den)
        return sympy.Mul(self.sum(x.num), self.denominators[id(x.den)][1])

    def sum(self, terms: Terms) -> Any:
        return sympy.Add(*(self.monomial(m) * c for m, c in terms.items()))

    def monomial(self, m: Monomial) -> Any:
        if m not in self.monomials:
            factors = [sympy.sqrt(m.root), *(self.atom(a) ** p for a, p in m.powers)]
            self.monomials[m] = sympy.Mul(*factors, self.exponential(m.exponent))
        return self.monomials[m]

    def exponential(self, exponent: Exponent) -> Any:
        terms = (self.monomial(m) * sympy.Rational(p, q) for m, p, q in exponent)
        return sympy.exp(sympy.Add(*terms)) if exponent else sympy.S.One

    def atom(self, atom: Any) -> Any:
        match atom:
            case Symbol(name):
                return sympy.Symbol(name)
            case Constant(name):
                return CONSTANTS[name]
            case Letter(value=value):
                if atom not in self.letters:
                    self.letters[atom] = self.scalar(value)
                return self.letters[atom]
            case Call(function, argument):
                return FUNCTIONS[function](self.scalar(argument))
            case Whole(value):
                return self.scalar(value)
        raise TypeError(f"to_sympy: no rule for {type(atom).__name__}")


def to_sympy(x: Scalar | NegativeInfinity) -> Any:
    """The SymPy expression in the free symbols of x, every letter replaced by its value."""
    return _ToSympy().scalar(x)


def to_sympy_matrix(matrix: Matrix) -> Any:
    """The SymPy matrix of the same entries."""
    convert = _ToSympy().scalar
    return sympy.Matrix([[convert(x) for x in row] for row in matrix.rows])


def from_sympy(expr: Any) -> Scalar | NegativeInfinity:
    """The scalar of a SymPy expression.

    InputError for floats, complex numbers and functions the kernel does not carry.
    """
    match expr:
        case sympy.Integer() | sympy.Rational():
            return number(int(expr.p), int(expr.q))
        case sympy.Float():
            raise InputError(f"{expr} is a float", expected="an exact number")
        case sympy.Symbol():
            return symbol(expr.name)
        case sympy.Add():
            return _fold(expr.args, lambda x, y: x + y)
        case sympy.Mul():
            return _fold(expr.args, lambda x, y: x * y)
        case sympy.Pow():
            return _power(expr)
    if expr in _NAMED:
        return _NAMED[expr]
    if name := _BY_CLASS.get(type(expr)):
        return call(name, _exact(expr.args[0]))
    raise InputError(
        f"{expr} is not carried exactly here",
        expected="real numbers, symbols, " + ", ".join(NAMES),
    )


_NAMED: dict[Any, Any] = {
    sympy.pi: PI,
    sympy.E: number(1).exp(),
    -sympy.oo: NEG_INF,
}
_BY_CLASS = {f: name for name, f in FUNCTIONS.items() if isinstance(f, type)}


def _fold(args: Any, operation: Callable[[Any, Any], Any]) -> Any:
    first, *rest = map(_exact, args)
    for x in rest:
        first = operation(first, x)
    return first


def _exact(expr: Any) -> Scalar:
    x = from_sympy(expr)
    if isinstance(x, NegativeInfinity):
        raise InputError("-oo stands for a forbidden score and cannot be calculated with")
    return x


def _power(expr: Any) -> Scalar:
    base, exponent = expr.args
    if base == sympy.E:
        return _exact(exponent).exp()
    if exponent.is_Rational and exponent.q in (1, 2) and abs(exponent.p) <= 400:
        power = Fraction(int(exponent.p), int(exponent.q))
        root = _exact(base) if power.denominator == 1 else _exact(base).sqrt()
        return root**power.numerator
    raise InputError(
        f"the power {expr} is not carried exactly here", expected="a whole or half power"
    )
