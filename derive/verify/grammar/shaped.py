"""Matrices that are written as their entries and their shape, as in R."""

from __future__ import annotations

from derive.verify.grammar.cursor import NoFormula
from derive.verify.grammar.nodes import Array, Name, Node, Number

TAKEN = ("nrow", "ncol", "byrow")
"""What matrix() takes behind the entries, in this order."""


def shaped(items: tuple[Node, ...], options: dict[str, Node]) -> Node:
    """The entries of a matrix in R, column by column where it does not say by rows."""
    sizes = {name: _count(node) for name, node in options.items()}
    rows, columns = sizes.get("nrow", 0), sizes.get("ncol", 0)
    rows = rows or (len(items) // columns if columns else 0)
    if not rows or len(items) % rows:
        raise NoFormula
    order = options.get("byrow")
    by_rows = isinstance(order, Name) and order.text in ("TRUE", "T")
    width = len(items) // rows
    if by_rows:
        parts = [items[k * width : (k + 1) * width] for k in range(rows)]
    else:
        parts = [items[k::rows] for k in range(rows)]
    return Array(tuple(Array(part, "array") for part in parts), "array")


def _count(node: Node) -> int:
    figure = node.cell.figure if isinstance(node, Number) else None
    return int(figure.value) if figure is not None and figure.is_whole else 0
