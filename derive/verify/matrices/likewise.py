"""Other rows times the weights of a product just before: "the same weights give [2, 1, 0]"."""

from __future__ import annotations

from collections.abc import Iterator

from derive.verify.grammar.grids import Grid
from derive.verify.grammar.nodes import Binary, Leaf, Node, literal
from derive.verify.known.state import State
from derive.verify.values.evaluate import has_value, value
from derive.verify.values.held import agrees

FEWEST = 3
"""So many entries are equal by no chance, whole numbers as they may be."""


def likewise(state: State, grid: Grid) -> Node | None:
    """What a matrix is all of: rows that are given, times what another row was multiplied by."""
    rows, columns = grid.shape
    figures = [cell.figure for cell in grid.cells()]
    if len(figures) < FEWEST or not all(figures) or not any(f.value for f in figures if f):
        return None
    for row, weights in _products(state):
        if weights.shape[1] != columns:
            continue
        for given in _stacks(state, row, rows):
            made = Binary("@", Leaf(given), Leaf(weights))
            if has_value(made) and agrees(grid.rows, value(made, "exact")):
                return made
    return None


def _products(state: State) -> Iterator[tuple[Grid, Grid]]:
    """A row and a matrix whose product was printed, the latest first."""
    for grid in state.pool.recent():
        match grid.made:
            case Binary("" | "@" | "·" | "×" | "*", left, right):
                row, weights = _grid(left), _grid(right)
                if row and weights and row.shape == (1, weights.shape[0]) and weights.shape[0] > 1:
                    yield row, weights


def _grid(node: Node) -> Grid | None:
    if isinstance(node, Leaf):
        return node.grid
    cells = literal(node)
    return Grid(cells) if cells else None


def _stacks(state: State, row: Grid, count: int) -> Iterator[Grid]:
    """So many rows one after the other, of those that are given as the row is."""
    given = [
        g
        for g in state.pool.grids
        if g.shape == row.shape and g.made is None and g.texts() != row.texts()
    ]
    for first in range(len(given) - count + 1):
        yield Grid([cells for g in given[first : first + count] for cells in g.rows])
