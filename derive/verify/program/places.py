"""Indices in programs: x[i], X[i, j], X[:, j], X[0:2], x[ids], counted from the first."""

from __future__ import annotations

from collections.abc import Sequence

from flint import arb

from derive.verify.grammar.grids import Cell
from derive.verify.grammar.nodes import Binary, Function, Name, Negative, Node, Number

UNKNOWN = "?"
END = 1_000_000
"""Stands for the last place, where none is written."""
SPAN = "span"
COUNTING = frozenset(("range", "arange"))
"""What counts the rows in an index: x[range(2), ids]."""


def number(value: int) -> Node:
    """A whole number that is printed nowhere."""
    return Number(Cell(None, -1, exact=arb(value)))


def whole(node: Node | None) -> int | None:
    """The whole number that an expression is."""
    match node:
        case Number(cell) if cell.figure is not None:
            return int(cell.figure.value) if cell.figure.is_whole else None
        case Number(cell) if cell.exact is not None:
            found = cell.exact.unique_fmpz()
            return None if found is None else int(found)
        case Negative(inner):
            value = whole(inner)
            return None if value is None else -value
    return None


def span(parts: Sequence[Node | None], first: int) -> Node:
    """From a to b: b itself left out where places are counted from 0; from a by steps to b."""
    if first and len(parts) == 3:
        parts = (parts[0], parts[2], parts[1])
    low, high, step = (*parts, None, None)[:3]
    start = number(0) if low is None else Binary("-", low, number(first)) if first else low
    return Function(SPAN, (start, high or number(END), step or number(1)))


def indexed(value: Node, places: Sequence[Node | None], first: int) -> Node:
    """An entry, a row, a column, or several of them."""
    if first and any(isinstance(place, Negative) for place in places):
        return Function(UNKNOWN + "index", (value,))  # R leaves these out
    counted = [_counted(place, first) for place in places]
    match counted:
        case [Function("span", limits)]:
            return Function("rows from", (value, *limits))
        case [None] | [Name("None" | "np.newaxis" | "newaxis"), *_]:
            return value  # a row of its own
        case [Node() as place]:
            return Function("at", (value, place))
        case [row, column]:
            return _of_two(value, row, column)
    return Function(UNKNOWN + "index", (value,))


def picked(node: Node) -> Node:
    """One of several results: topk(x, 3)[0]."""
    match node:
        case Function("at", (Function("?several", parts), place)):
            at = whole(place)
            return parts[at] if at is not None and 0 <= at < len(parts) else node
    return node


def is_counting(node: Node | None) -> bool:
    """Whether an index takes every row: range(2), torch.arange(2)."""
    return isinstance(node, Function) and node.name.lstrip("?").rpartition(".")[2] in COUNTING


def _counted(place: Node | None, first: int) -> Node | None:
    is_span = isinstance(place, Function) and place.name == SPAN
    return place if place is None or is_span or not first else Binary("-", place, number(first))


def _of_two(value: Node, row: Node | None, column: Node | None) -> Node:
    match row, column:
        case Function("span", limits), _:
            return _of_two(Function("matrix rows from", (value, *limits)), None, column)
        case _, Function("span", limits):
            return _of_two(Function("columns from", (value, *limits)), row, None)
        case None, None:
            return value
        case None, Node():
            return Function("column at", (value, column))
        case Node(), None:
            return Function("row at", (value, row))
    if is_counting(row):
        return Function("each at", (value, column)) if column is not None else value
    assert row is not None
    assert column is not None
    return Function("entry at", (value, row, column))
