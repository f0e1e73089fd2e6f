"""One entry of each row, printed again as a list: the probabilities of the targets."""

from __future__ import annotations

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.known.state import State

ENOUGH = 3
"""So many significant digits in all are no chance."""


def picked(state: State, grid: Grid) -> bool:
    """Whether each number of a list repeats an entry of its row of an earlier result."""
    if 1 not in grid.shape or grid.shape == (1, 1):
        return False
    cells = list(grid.cells())
    figures = [cell.figure for cell in cells if cell.figure is not None]
    if len(figures) < len(cells) or sum(f.weight for f in figures if not f.is_whole) < ENOUGH:
        return False
    for known in state.pool.recent():
        if known.made is None or len(known.rows) != len(cells) or known.shape[1] < 2:
            continue
        origins = [_same(cell, row) for cell, row in zip(cells, known.rows, strict=True)]
        if all(origins):
            for cell, origin in zip(cells, origins, strict=True):
                if origin is not None:
                    _repeat(state, cell, origin)
            return True
    return False


def _repeat(state: State, cell: Cell, origin: Cell) -> None:
    """A number printed again, or printed right where the first was wrong."""
    if _digits(cell) == _digits(origin):
        state.refer(cell, origin)
        return
    cell.exact, cell.quantity, cell.verdict = origin.exact, origin.quantity, "correct"
    state.claims.append(cell)


def _same(cell: Cell, row: list[Cell]) -> Cell | None:
    """The entry of a row with the digits of a number, or else with its exact value."""
    for other in row:
        if _digits(cell) == _digits(other):
            return other
    figure = cell.figure
    found = (c for c in row if figure and c.exact is not None and figure.is_rounded(c.exact))
    return next(found, None)


def _digits(cell: Cell) -> tuple[object, object]:
    return (cell.figure.value, cell.figure.unit) if cell.figure else (None, None)
