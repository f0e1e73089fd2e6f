"""Whether an article that declares a causal mask never uses it."""

from __future__ import annotations

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Function, Leaf
from derive.verify.known.state import State
from derive.verify.known.steps.made import is_scored

RIGHT = ("correct", "propagated", "truncated")


def is_forgotten(state: State) -> bool:
    """Whether weights are printed free, and nothing masked is, against what is declared."""
    if not state.said.is_causal or state.fixed is not None:
        return False
    if state.pool.masked or any(map(_is_triangle, state.pool.grids)):
        return False
    return any(_is_free(cell, state) for cell in state.claims)


def _is_free(cell: Cell, state: State) -> bool:
    """Whether a number is the weight of a later token, printed as it is without a mask."""
    match cell.made:
        case Function("softmax", (Leaf(scores),)) if cell.verdict in RIGHT:
            i, j = cell.at
            if scores.shape[0] == 1:
                return scores.shape[1] > 1 and state.steps.is_row(scores)
            return is_scored(scores) and scores.shape[0] == scores.shape[1] and j > i
    return False


def _is_triangle(grid: Grid) -> bool:
    """Whether a square matrix is 0, or blank, above its diagonal alone."""
    n, m = grid.shape
    is_given = all(cell.verdict == "assumed" for cell in grid.cells() if cell.figure)
    if n != m or n < 2 or is_scored(grid) or (is_given and grid.name != "mask"):
        return False
    above = [grid.rows[i][j] for i in range(n) for j in range(i + 1, n)]
    below = [grid.rows[i][j] for i in range(n) for j in range(i)]
    return all(map(_is_nought, above)) and not all(map(_is_nought, below))


def _is_nought(cell: Cell) -> bool:
    return cell.figure is None or not cell.figure.value
