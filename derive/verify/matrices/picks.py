"""One entry of each row, printed again as a list: the probabilities of the targets."""

from __future__ import annotations

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.known.state import State

ENOUGH = 3
"""So many significant digits in all are no chance."""
FEW = 3
"""So many numbers at the least, for one of them to be called wrong."""


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
        origins = _labelled(state, cells, known)
        origins = origins or [_same(c, row) for c, row in zip(cells, known.rows, strict=True)]
        if all(origins):
            for cell, origin in zip(cells, origins, strict=True):
                if origin is not None:
                    _repeat(state, cell, origin)
            return True
    return False


def _labelled(state: State, cells: list[Cell], known: Grid) -> list[Cell | None]:
    """The entries at the labels y_1, y_2 ..., where all numbers but one repeat these; else none."""
    names = ((f"y_{i}", f"y{i}") for i in range(1, len(cells) + 1))
    found = (state.pool.named.get(a) or state.pool.named.get(b) for a, b in names)
    figures = [g.rows[0][0].figure if g is not None else None for g in found]
    places = [int(f.value) for f in figures if f is not None and f.is_whole]
    if len(places) < len(cells) or len(cells) < FEW:
        return []
    for first in (1, 0):
        if all(0 <= k - first < known.shape[1] for k in places):
            origins = [row[k - first] for row, k in zip(known.rows, places, strict=True)]
            same = [_is_same(c, o) for c, o in zip(cells, origins, strict=True)]
            if sum(same) >= len(cells) - 1:
                return list(origins)
    return []


def _repeat(state: State, cell: Cell, origin: Cell) -> None:
    """A number printed again, or printed right where the first was wrong; else it is wrong."""
    if _digits(cell) == _digits(origin):
        state.refer(cell, origin)
        return
    cell.exact, cell.quantity = origin.exact, origin.quantity
    cell.verdict = "correct" if _is_same(cell, origin) else "wrong"
    state.pool.has_wrong |= cell.is_wrong
    state.claims.append(cell)


def _same(cell: Cell, row: list[Cell]) -> Cell | None:
    """The entry of a row with the digits of a number, or else with its exact value."""
    for other in row:
        if _digits(cell) == _digits(other):
            return other
    return next((other for other in row if _is_same(cell, other)), None)


def _is_same(cell: Cell, other: Cell) -> bool:
    """Whether a number has the digits of another, or those that this should have."""
    if _digits(cell) == _digits(other):
        return True
    figure, exact = cell.figure, other.exact
    return figure is not None and exact is not None and figure.is_rounded(exact)


def _digits(cell: Cell) -> tuple[object, object]:
    return (cell.figure.value, cell.figure.unit) if cell.figure else (None, None)
