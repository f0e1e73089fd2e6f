"""Running sums in words: of 0.5, 0.3, 0.1 and 0.1 the first two take 0.8, the first three 0.9."""

from __future__ import annotations

from collections.abc import Iterator

from derive.verify.grammar.grids import Grid
from derive.verify.grammar.nodes import Node
from derive.verify.known.state import State
from derive.verify.numbers.scaling import agreement
from derive.verify.tables.heads import CUMULATIVE

HALF = 0.5
"""The part of a list that agrees, where words speak of running sums."""
NEAR = 4
"""So many of the last lists are summed in part."""
TELLING = 6
"""So many agreeing digits are no chance."""


def running(state: State, count: int) -> Iterator[Grid]:
    """The running sums of the first numbers of the last lists."""
    for grid in state.pool.recent():
        if 1 in grid.shape and max(grid.shape) >= count > 1:
            first = state.runs.grid(list(grid.cells())[:count])
            step = state.steps.unary("cumulative", first, "cum")
            if step is not None and step.made is not None:
                yield step


def begun(state: State) -> Iterator[Grid]:
    """The sums of the first numbers, but not of all, of the last lists."""
    for grid in list(state.pool.recent())[:NEAR]:
        cells = list(grid.cells()) if 1 in grid.shape else []
        first = state.runs.grid(cells[:-1]) if len(cells) > 2 else None
        step = state.steps.unary("cumulative", first, "cum") if first is not None else None
        if step is not None and step.made is not None:
            yield step


def summed_up(state: State, grid: Grid) -> Node | None:
    """The running sums that a list is."""
    if grid.shape[0] > 1 or grid.shape[1] < 2:
        return None
    least = HALF if CUMULATIVE.search(state.words) else 1
    for step in running(state, grid.shape[1]):
        share, digits = agreement(grid, step.made) if step.made is not None else (0, 0)
        if share >= least and digits >= TELLING:
            return step.made
    return None
