"""The value of an expression, by balls: read exactly, as printed, or as intervals of the digits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flint import arb

from derive.errors import InputError
from derive.exact.enclosure import Enclosures
from derive.ops.softmax import Softmax
from derive.verify.grids import Cell, Grid, matrix_of
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
    is_list,
)

LARGEST = 512
"""Rows and columns of a matrix at most."""

Swap = Mapping[int, arb]
"""Values put in place of printed numbers, by the identity of the cell."""


class Unknown(Exception):
    """The value is not determined by what is printed."""


def value(node: Node, mode: str, swap: Swap | None = None) -> Enclosures:
    """The matrix (a number is 1 x 1) of an expression.  Unknown where it has none."""
    return _Reading(mode, swap or {}).of(node)


def has_value(node: Node) -> bool:
    """Whether an expression is determined."""
    try:
        value(node, "exact")
    except (Unknown, ValueError):
        return False
    return True


class _Reading:
    """One way of reading; matrices without digits are worked out once."""

    def __init__(self, mode: str, swap: Swap) -> None:
        self.mode, self.swap = mode, swap
        self.known: dict[int, Enclosures] = {}

    def of(self, node: Node) -> Enclosures:
        match node:
            case Number(cell):
                return matrix_of([[self.cell(cell)]])
            case Leaf(grid):
                return self.grid(grid)
            case Chain(sides):
                return self.of(sides[-1])
            case Array(items):
                return _array([self.of(item) for item in items], any(map(is_list, items)))
            case Component(inner, place):
                return _component(self.of(inner), place)
            case Negative(inner):
                return self.of(inner).map(lambda x: -x)
            case Binary(sign, left, right):
                return binary(sign, self.of(left), self.of(right))
            case Function(name, arguments):
                return function(name, [self.of(a) for a in arguments])
        raise Unknown(getattr(node, "text", ""))

    def cell(self, cell: Cell) -> arb:
        swapped = self.swap.get(id(cell))
        if swapped is not None:
            return swapped
        origin = cell.origin
        if origin is not None and id(origin) in self.swap:
            return self.swap[id(origin)]
        found = cell.read(self.mode)
        if found is None:
            raise Unknown
        return found

    def grid(self, grid: Grid) -> Enclosures:
        if id(grid) not in self.known:
            self.known[id(grid)] = self.fresh(grid)
        return self.known[id(grid)]

    def fresh(self, grid: Grid) -> Enclosures:
        if grid.made is None or grid.is_printed:
            return matrix_of([[self.cell(c) for c in row] for row in grid.rows])
        if self.mode == "exact" and not self.swap:
            if grid._exact is None:
                grid._exact = self.of(grid.made)
            return grid._exact
        made = self.of(grid.made)
        rows = [
            [self.cell(c) if c.figure else made.rows[i][j] for j, c in enumerate(row)]
            for i, row in enumerate(grid.rows)
        ]
        return matrix_of(rows)


def _component(x: Enclosures, place: int) -> Enclosures:
    if x.shape[0] != 1 or place >= x.shape[1]:
        raise Unknown
    return matrix_of([[x.rows[0][place]]])


def _array(items: list[Enclosures], is_tall: bool) -> Enclosures:
    shapes = {item.shape for item in items}
    if len(items) > LARGEST or len(shapes) != 1:
        raise Unknown
    rows, columns = shapes.pop()
    if rows == columns == 1 and not is_tall:
        return matrix_of([[item.rows[0][0] for item in items]])
    if rows != 1 or columns > LARGEST:
        raise Unknown
    return matrix_of([item.rows[0] for item in items])


def is_scalar(x: Enclosures) -> bool:
    """Whether a matrix is a number."""
    return x.shape == (1, 1)


def binary(sign: str, a: Enclosures, b: Enclosures) -> Enclosures:
    """Two values under a sign, as the shapes decide."""
    if sign in ("+", "-"):
        return _entrywise(a, b, (lambda x, y: x + y) if sign == "+" else (lambda x, y: x - y))
    if sign == "/":
        return _entrywise(a, b, lambda x, y: x / y)
    if sign == "^":
        return _raised(a, b)
    if is_scalar(a) or is_scalar(b):
        return _entrywise(a, b, lambda x, y: x * y)
    if sign == "*" and a.shape == b.shape:
        return _entrywise(a, b, lambda x, y: x * y)
    if a.shape[1] == b.shape[0]:
        return a @ b
    if a.shape[0] == b.shape[0] == 1 and a.shape[1] == b.shape[1]:
        return a @ b.T
    raise Unknown


def _raised(a: Enclosures, b: Enclosures) -> Enclosures:
    if not is_scalar(b):
        raise Unknown
    power = b.rows[0][0]
    whole = power.unique_fmpz()
    if whole is not None and abs(int(whole)) <= 64 and power.is_exact():
        return a ** int(whole)
    return a.map(lambda x: _finite(x.log() * power).exp())


def _finite(x: arb) -> arb:
    if not x.is_finite():
        raise Unknown
    return x


def _entrywise(a: Enclosures, b: Enclosures, work: Callable[[arb, arb], arb]) -> Enclosures:
    if is_scalar(a) and not is_scalar(b):
        x = a.rows[0][0]
        return b.map(lambda y: work(x, y))
    if is_scalar(b):
        y = b.rows[0][0]
        return a.map(lambda x: work(x, y))
    if a.shape == b.shape:
        pairs = zip(a.rows, b.rows, strict=True)
        return matrix_of([[work(x, y) for x, y in zip(r, s, strict=True)] for r, s in pairs])
    if a.shape[0] == b.shape[0] and b.shape[1] == 1:
        pairs = zip(a.rows, b.rows, strict=True)
        return matrix_of([[work(x, s[0]) for x in r] for r, s in pairs])
    if a.shape[1] == b.shape[1] and b.shape[0] == 1:
        return matrix_of([[work(x, y) for x, y in zip(r, b.rows[0], strict=True)] for r in a.rows])
    raise Unknown


def function(name: str, arguments: list[Enclosures]) -> Enclosures:
    """A named function, along rows where it takes a vector."""
    if len(arguments) != 1:
        raise Unknown
    (x,) = arguments
    made = FUNCTIONS.get(name)
    if made is None:
        raise Unknown
    try:
        return made(x)
    except InputError:
        raise Unknown from None


def causal(x: Enclosures) -> Enclosures:
    """-oo above the diagonal."""
    return matrix_of(
        [[arb.neg_inf() if j > i else y for j, y in enumerate(row)] for i, row in enumerate(x.rows)]
    )


def _lower(x: Enclosures) -> Enclosures:
    if x.shape[0] != x.shape[1]:
        raise Unknown
    return matrix_of(
        [[arb(0) if j > i else y for j, y in enumerate(row)] for i, row in enumerate(x.rows)]
    )


def _eye(x: Enclosures) -> Enclosures:
    n = x.rows[0][0].unique_fmpz()
    if n is None or not 0 < int(n) <= LARGEST:
        raise Unknown
    return matrix_of([[arb(int(i == j)) for j in range(int(n))] for i in range(int(n))])


def _ruled(op: Any, x: Enclosures) -> Enclosures:
    """An operation's own rule, run on balls."""
    return Enclosures.of(op.rule(x))


def _means(x: Enclosures) -> Enclosures:
    return x.row_sums().map(lambda y: y / x.shape[1])


def _less_means(x: Enclosures) -> Enclosures:
    return _entrywise(x, _means(x), lambda y, m: y - m)


def _variances(x: Enclosures) -> Enclosures:
    return _means(_less_means(x) ** 2)


def _samples(x: Enclosures) -> Enclosures:
    if x.shape[1] < 2:
        raise Unknown
    return (_less_means(x) ** 2).row_sums().map(lambda y: y / (x.shape[1] - 1))


def _normalised(x: Enclosures, eps: arb | int = 0, sample: bool = False) -> Enclosures:
    spread = (_samples(x) if sample else _variances(x)).map(lambda v: (v + eps).sqrt())
    return _entrywise(_less_means(x), spread, lambda y, s: y / s)


def _shares(x: Enclosures) -> Enclosures:
    return x.divide_rows(x.row_sums())


def _largest(x: Enclosures) -> Enclosures:
    return matrix_of([[_maximum(row)] for row in x.rows])


def _maximum(row: Any) -> arb:
    found = row[0]
    for y in row[1:]:
        found = found.max(y)
    return found


FUNCTIONS: Mapping[str, Callable[[Enclosures], Enclosures]] = {
    "T": lambda x: x.T,
    "softmax": lambda x: _ruled(Softmax(), x),
    "softmax columns": lambda x: _ruled(Softmax("columns"), x),
    "exp": lambda x: x.exp(),
    "log": lambda x: x.apply("log"),
    "sqrt": lambda x: x.apply("sqrt"),
    "sin": lambda x: x.apply("sin"),
    "cos": lambda x: x.apply("cos"),
    "tanh": lambda x: x.apply("tanh"),
    "erf": lambda x: x.apply("erf"),
    "relu": lambda x: x.apply("relu"),
    "abs": lambda x: x.map(abs),
    "sigmoid": lambda x: x.map(lambda y: 1 / (1 + (-y).exp())),
    "eye": _eye,
    "causal": causal,
    "sum": lambda x: x.row_sums(),
    "max": _largest,
    "mean": _means,
    "less mean": _less_means,
    "squares": lambda x: x**2,
    "var": _variances,
    "sample var": _samples,
    "std": lambda x: _variances(x).apply("sqrt"),
    "sample std": lambda x: _samples(x).apply("sqrt"),
    "layernorm": _normalised,
    "layernorm eps": lambda x: _normalised(x, arb(1) / 100000),
    "layernorm sample": lambda x: _normalised(x, sample=True),
    "shares": _shares,
    "exp less max": lambda x: _entrywise(x, _largest(x), lambda y, m: (y - m).exp()),
    "lower": lambda x: _lower(x),
    "causal shares": lambda x: _shares(_lower(x)),
}
