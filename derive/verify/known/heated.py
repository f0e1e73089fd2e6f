"""Vectors divided by temperatures."""

from __future__ import annotations

from flint import arb

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Binary, Leaf, Node, Number

ONE = Number(Cell(None, exact=arb(1)))


def heated(vector: Grid, by: Node) -> Node:
    """z / T of one list for one temperature, or with a row for each of a column of them."""
    if isinstance(by, Leaf) and by.grid.shape[0] > 1:
        return Binary("@", Binary("/", ONE, by), Leaf(vector))
    return Binary("/", Leaf(vector), by)
