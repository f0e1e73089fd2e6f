"""Matrices that are an earlier one divided by a root, whether or not the article says by which."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from flint import arb

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Binary, Function, Leaf, Node, Number
from derive.verify.known.state import State
from derive.verify.numbers.scaling import agreement

WIDEST = 4096
"""No scores are divided by the root of a larger number."""
LEAST, TELLING, FEW = 0.6, 5, 3
"""The part that agrees, its digits, and the entries that are not 0, at the least."""
MANY = 8
"""So many digits, where part of a matrix does not agree."""
TRIED = 3
"""So many of the entries with most digits tell the root."""


def divided(state: State, grid: Grid) -> Node | None:
    """The earlier matrix over the root of a whole number that a matrix is; None where none fits."""
    for other in state.pool.recent():
        if other.shape != grid.shape or grid.shape == (1, 1):
            continue
        for width in dict.fromkeys(_widths(grid, other)):
            root = Function("sqrt", (Number(Cell(None, exact=arb(width))),))
            made = Binary("/", Leaf(other), root)
            share, digits = agreement(grid, made)
            is_most = share >= LEAST and digits >= MANY and grid.shape[0] > 1
            if digits >= TELLING and (share == 1 or is_most):
                return made
    return None


def _widths(grid: Grid, other: Grid) -> Iterator[int]:
    """What the widths may be, by the entries with most digits."""
    found = []
    for row, before in zip(grid.rows, other.rows, strict=True):
        for cell, origin in zip(row, before, strict=True):
            a, b = cell.figure, origin.figure
            if a is not None and b is not None and a.value and b.value / a.value > 1:
                found.append((a.weight, Fraction(b.value / a.value) ** 2))
    if len(found) < FEW:
        return
    for _, square in sorted(found, reverse=True)[:TRIED]:
        width = round(square)
        if 1 < width <= WIDEST:
            yield width
