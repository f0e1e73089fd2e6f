"""The value of an expression, by balls: read exactly, as printed, or as intervals of the digits."""

from __future__ import annotations

from collections.abc import Mapping

from flint import arb

from derive.exact.enclosure import Enclosures
from derive.verify.grammar.grids import Cell, Grid, matrix_of
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
    is_list,
)
from derive.verify.values.operations import LARGEST, Unknown, binary, function, ruled
from derive.verify.values.work import NODE, spend

PRODUCTS = 8
"""So many products of two numbers cost as much as an entry."""
Swap = Mapping[int, arb]
"""Values put in place of printed numbers, by the identity of the cell."""


def value(node: Node, mode: str, swap: Swap | None = None) -> Enclosures:
    """The matrix (a number is 1 x 1) of an expression.  Unknown where it has none."""
    return Reading(mode, swap or {}).of(node)


def has_value(node: Node) -> bool:
    """Whether an expression is determined."""
    try:
        value(node, "exact")
    except (Unknown, ValueError):
        return False
    return True


def is_alike(node: Node) -> bool:
    """Whether an expression is worked out from the same numbers exactly and as printed."""
    match node:
        case Number(cell):
            return _is_plain(cell)
        case Leaf(grid):
            return all(_is_plain(cell) for row in grid.rows for cell in row)
    return all(map(is_alike, node.parts()))


def _is_plain(cell: Cell) -> bool:
    figure = cell.figure
    return figure is not None and (cell.exact is None or cell.exact is figure.ball)


class Reading:
    """One way of reading; matrices without digits are worked out once."""

    def __init__(self, mode: str, swap: Swap) -> None:
        self.mode, self.swap = mode, swap
        # Each with what it is the value of, so that no other gets its identity.
        self.known: dict[int, tuple[Grid, Enclosures]] = {}
        self.nodes: dict[int, tuple[Node, Enclosures]] = {}

    def of(self, node: Node) -> Enclosures:
        """The value of an expression; of a part that stands in it twice, worked out once."""
        if isinstance(node, Number | Leaf):
            return self.fresh_of(node)
        known = self.nodes.get(id(node))
        if known is not None:
            return known[1]
        found = self.fresh_of(node)
        self.nodes[id(node)] = node, found
        spend(NODE + found.shape[0] * found.shape[1])
        return found

    def fresh_of(self, node: Node) -> Enclosures:
        """The same, worked out."""
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
                a, b = self.of(left), self.of(right)
                spend(_cost(sign, a, b))
                return binary(sign, a, b)
            case Function(name, arguments):
                return function(name, [self.of(a) for a in arguments])
            case Ruled(op, arguments):
                return ruled(op, *(self.of(a) for a in arguments))
        raise Unknown(getattr(node, "text", ""))

    def cell(self, cell: Cell) -> arb:
        """The value of a number, or what is put in its place."""
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
        """The value of a matrix, worked out once."""
        known = self.known.get(id(grid))
        if known is None:
            known = self.known[id(grid)] = grid, self.fresh(grid)
        return known[1]

    def fresh(self, grid: Grid) -> Enclosures:
        """The value of a matrix: its digits, or what it is made from."""
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


def _cost(sign: str, a: Enclosures, b: Enclosures) -> int:
    """What a product of matrices costs besides its entries."""
    return 0 if sign in "+-/^" and sign else a.shape[0] * a.shape[1] * max(b.shape) // PRODUCTS


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
