"""Expressions of an article worked out in other numbers than balls: exactly, or as written terms.

The same expression whose ball judges a number gives its closed form, where everything that it is
made of is exact, and the formula with the numbers put in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from derive.errors import InputError
from derive.exact import Matrix, Scalar, matrix, number
from derive.exact.enclosure import Enclosures
from derive.exact.infinity import NEG_INF
from derive.exact.ink import PLAIN
from derive.exact.scalar import as_scalar
from derive.exact.trace import Term, Value, term
from derive.exact.write import write
from derive.ops.softmax import Softmax
from derive.verify.grids import Cell, Grid
from derive.verify.nodes import (
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
from derive.verify.operations import Unknown

LARGEST = 24
"""Matrices with more rows or columns have no closed form here."""
MOST_TERMS = 60
"""Nor does what is made of sums of more terms."""
LONGEST = 400
"""A closed form of more characters is not told."""


GIVEN = ("", "assumed", "unchecked")
"""The verdicts on what is exactly what it says."""


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
            case Function(name, (argument,)) if name in FUNCTIONS:
                return FUNCTIONS[name](self.of(argument))
            case Ruled(op, arguments):
                made: Matrix = op.rule(*map(self.of, arguments))
                return made
        raise Unknown

    def grid(self, grid: Grid) -> Matrix:
        """A known matrix, from its numbers or from what it is made of."""
        if max(grid.shape) > LARGEST:
            raise Unknown
        return Matrix([[self.entry(cell) for cell in row] for row in grid.rows])


class Exact(Domain):
    """Exact numbers; what was worked out once is remembered."""

    def __init__(self) -> None:
        """Nothing worked out yet."""
        self.known: dict[int, tuple[Node, Matrix | None]] = {}

    def entry(self, cell: Cell) -> Any:
        """The exact number that is declared, or what it is made of."""
        cell = cell.origin or cell
        if cell.made is not None:
            i, j = cell.at
            return self.remembered(cell.made).rows[i][j]
        if cell.is_rough or cell.verdict not in GIVEN:
            raise Unknown
        return _rational(cell)

    def grid(self, grid: Grid) -> Matrix:
        """What the matrix is made of, where that is known."""
        if grid.made is None:
            return matrix(super().grid(grid).rows)
        made = self.remembered(grid.made)
        return made if made.shape == grid.shape else made.T

    def remembered(self, node: Node) -> Matrix:
        """The matrix of an expression, worked out once."""
        if id(node) not in self.known:
            self.known[id(node)] = (node, None)  # what rests on itself is unknown
            self.known[id(node)] = (node, self.fresh(node))
        found = self.known[id(node)][1]
        if found is None:
            raise Unknown
        return found

    def fresh(self, node: Node) -> Matrix | None:
        """The matrix of an expression, None where it has none."""
        try:
            return self.of(node)
        except Unknown:
            return None

    def checked(self, x: Matrix) -> Matrix:
        """With entries of few terms."""
        if any(getattr(y, "size", 1) > MOST_TERMS for y in super().checked(x)):
            raise Unknown
        return x


class Written(Domain):
    """Terms as they are written, with the exact numbers put in."""

    def __init__(self, exact: Exact) -> None:
        """With the exact numbers of this article."""
        self.exact = exact

    def entry(self, cell: Cell) -> Any:
        """The number as a term that stays as it is; -oo as itself."""
        x = self.exact.entry(cell)
        return Value(x) if isinstance(x, Scalar) else x

    def grid(self, grid: Grid) -> Matrix:
        """The exact entries of a known matrix."""
        return self.exact.grid(grid).map(lambda x: Value(x) if isinstance(x, Scalar) else x)


def closed(exact: Exact, cell: Cell) -> Any:
    """The exact number that a printed one should be, proved to be in its ball; None if unknown."""
    try:
        x = exact.entry(cell)
        ball = Enclosures.of(Matrix([[x]])).rows[0][0]
    except (Unknown, IndexError, TypeError, ArithmeticError):
        return None
    return x if cell.exact is not None and ball.overlaps(cell.exact) else None


def put_in(exact: Exact, cell: Cell) -> Term | None:
    """The last step to a number with the exact numbers put in, where there is one."""
    cell = cell.origin or cell
    if cell.made is None:
        return None
    i, j = cell.at
    try:
        found = Written(exact).of(cell.made).rows[i][j]
        return found if isinstance(found, Term) else None
    except (Unknown, IndexError):
        return None


def plain(x: Any) -> str | None:
    """A number as text: exp(sqrt(2)/2)/(2 + exp(sqrt(2)/2)); None where that would be long."""
    text = write(x, PLAIN)
    return text if len(text) <= LONGEST else None


def _rational(cell: Cell) -> Any:
    ball = cell.exact
    if cell.figure is not None:
        if ball is not None and not (ball - cell.figure.ball).contains(0):
            raise Unknown
        value = cell.figure.value
        return number(value.numerator, value.denominator)
    if ball is None or not ball.is_exact():
        raise Unknown
    if not ball.is_finite():
        if ball < 0:
            return NEG_INF
        raise Unknown
    mantissa, exponent = ball.man_exp()
    value = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    return number(value.numerator, value.denominator)


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
}


def _causal(x: Matrix) -> Matrix:
    rows = enumerate(x.rows)
    return Matrix([[NEG_INF if j > i else y for j, y in enumerate(row)] for i, row in rows])


def _less_means(x: Matrix) -> Matrix:
    return x - x.row_means()


def _variances(x: Matrix) -> Matrix:
    return (_less_means(x) ** 2).row_means()


def _samples(x: Matrix) -> Matrix:
    return (_less_means(x) ** 2).row_sums() / (x.shape[1] - 1)


def _normalised(x: Matrix, squares: Matrix) -> Matrix:
    return _less_means(x) / squares.apply("sqrt")


FUNCTIONS: Mapping[str, Callable[[Matrix], Matrix]] = {
    "layernorm": lambda x: _normalised(x, _variances(x)),
    "layernorm eps": lambda x: _normalised(x, _variances(x).map(lambda v: v + number(1, 100000))),
    "layernorm sample": lambda x: _normalised(x, _samples(x)),
    "T": lambda x: x.T,
    "softmax": lambda x: Softmax().rule(x),
    "softmax columns": lambda x: Softmax("columns").rule(x),
    "exp": lambda x: x.exp(),
    **{
        name: (lambda x, name=name: x.apply(name))
        for name in ("log", "sqrt", "sin", "cos", "tanh", "erf", "relu")
    },
    "causal": _causal,
    "sum": lambda x: x.row_sums(),
    "mean": lambda x: x.row_means(),
    "less mean": _less_means,
    "squares": lambda x: x**2,
    "var": _variances,
    "sample var": _samples,
    "std": lambda x: _variances(x).apply("sqrt"),
    "sample std": lambda x: _samples(x).apply("sqrt"),
    "shares": lambda x: x.divide_rows(x.row_sums()),
}
