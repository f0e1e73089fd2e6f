"""Lists printed in blocks, of which all that stands in them is taken together: [1, 3], [4, 2]."""

from __future__ import annotations

from collections.abc import Iterator

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Function, Leaf, Node
from derive.verify.known.state import State
from derive.verify.numbers.scaling import agreement

FUNCTIONS = ("exp less max", "softmax", "shares", "exp")
"""What an article takes of all blocks at once."""
NEAR = 8
"""So many of the last matrices may be blocks."""
TELLING, LEAST, CERTAIN = 6, 0.7, 9
"""The digits that agree at the least; the part that does, and its digits, where not all do."""


def of_blocks(state: State, grid: Grid) -> Node | None:
    """The function of lists that stand one after the other that a longer list is; else None."""
    if grid.shape[0] > 1 or grid.shape[1] < 3:
        return None
    for cells in _joined(list(state.pool.recent())[:NEAR], grid.shape[1]):
        whole = Leaf(state.runs.grid(cells))
        for made in (Function(function, (whole,)) for function in FUNCTIONS):
            share, digits = agreement(grid, made)
            if digits >= TELLING and (share == 1 or (share >= LEAST and digits >= CERTAIN)):
                return made
    return None


def _joined(recent: list[Grid], count: int) -> Iterator[list[Cell]]:
    """The entries of a list, of neighbouring ones or of the rows of a matrix, if so many."""
    for place in range(len(recent)):
        cells: list[Cell] = []
        for block in recent[place:]:
            if block.made is not None or len(cells) >= count:
                break
            cells = [*block.cells(), *cells]
            if len(cells) == count:
                yield cells
