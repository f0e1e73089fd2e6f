"""Expressions of an article worked out in entries of another kind than balls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from derive.errors import InputError
from derive.exact import Matrix, Scalar
from derive.exact.scalar import as_scalar
from derive.exact.trace import Term, Value, term
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import (
    Array,
    Binary,
    Chain,
    Component,
    Function,
    Leaf,
    Negative,
    Node,
    Number,
    Ruled,
)
from derive.verify.values.domain_functions import FUNCTIONS
from derive.verify.values.operations import Unknown

LARGEST = 24
"""Matrices with more rows or columns are not worked out here."""


class Domain:
    """Works out expressions in entries of one kind; `entry` gives those of the printed numbers."""

    def entry(self, cell: Cell) -> Any:
        """What a number is.  Unknown where it is not known exactly."""
        raise NotImplementedError

    def checked(self, x: Matrix) -> Matrix:
        """The matrix, unless it is too large to go on with."""
        if max(x.shape) > LARGEST:
            raise Unknown
        return x

    def of(self, node: Node) -> Matrix:
        """The matrix of an expression.  Unknown where it has none."""
        try:
            return self.checked(self.worked(node))
        except (InputError, ArithmeticError, AttributeError, TypeError, ValueError):
            raise Unknown from None

    def worked(self, node: Node) -> Matrix:
        """An expression, from the inside out."""
        match node:
            case Number(cell):
                return Matrix([[self.entry(cell)]])
            case Leaf(grid):
                return self.grid(grid)
            case Chain(sides):
                return self.of(sides[-1])
            case Array(items):
                return _stacked([self.of(item) for item in items])
            case Component(inner, place):
                return Matrix([[self.of(inner).rows[0][place]]])
            case Negative(inner):
                return -self.of(inner)
            case Binary(sign, left, right):
                return _binary(sign, self.of(left), self.of(right))
            case Function(name, arguments) if name in FUNCTIONS:
                return FUNCTIONS[name](*map(self.of, arguments))
            case Ruled(op, arguments):
                made: Matrix = op.rule(*map(self.of, arguments))
                return made
        raise Unknown

    def grid(self, grid: Grid) -> Matrix:
        """A known matrix, from its numbers or from what it is made of."""
        if max(grid.shape) > LARGEST:
            raise Unknown
        return Matrix([[self.entry(cell) for cell in row] for row in grid.rows])


def _stacked(items: list[Matrix]) -> Matrix:
    if all(item.shape == (1, 1) for item in items):
        return Matrix([[item.rows[0][0] for item in items]])
    return Matrix([item.rows[0] for item in items])


def _binary(sign: str, a: Matrix, b: Matrix) -> Matrix:
    """Two values under a sign, as the shapes decide."""
    if sign == "^":
        return _raised(a, b)
    if sign in _SIGNS and (sign != "*" or a.shape == b.shape or (1, 1) in (a.shape, b.shape)):
        return _entrywise(a, b, _SIGNS[sign])
    if (1, 1) in (a.shape, b.shape):
        return _entrywise(a, b, _SIGNS["*"])
    if a.shape[1] == b.shape[0]:
        return a @ b
    if a.shape[0] == b.shape[0] == 1 and a.shape == b.shape:
        return a @ b.T
    raise Unknown


def _raised(a: Matrix, b: Matrix) -> Matrix:
    power = b.rows[0][0]
    power = power.value if isinstance(power, Value) else power
    if b.shape != (1, 1) or not isinstance(power, Scalar) or not power.is_rational:
        raise Unknown
    p, q = power.fraction
    if q == 1 and abs(p) <= 64:
        return a**p
    if (p, q) == (1, 2):
        return a.apply("sqrt")
    raise Unknown


def _entrywise(a: Matrix, b: Matrix, work: Callable[[Any, Any], Any]) -> Matrix:
    if a.shape == (1, 1) != b.shape:
        x = a.rows[0][0]
        return Matrix([[work(_up(x), y) for y in row] for row in b.rows])
    return a._entrywise(b, lambda x, y: work(_up(x), y))


def _up(x: Any) -> Any:
    """A number on which + - * / work."""
    return term(x) if isinstance(x, Term) else as_scalar(x)


_SIGNS: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "/": lambda x, y: x / y,
    "*": lambda x, y: x * y,
    "⊙": lambda x, y: x * y,
}
