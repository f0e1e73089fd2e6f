"""Columns that hold what is measured of each row of a matrix: means, variances, lengths."""

from __future__ import annotations

from derive.verify.columns.agreeing import agreement
from derive.verify.grammar.grids import Grid
from derive.verify.grammar.nodes import Function, Leaf, Node
from derive.verify.known.state import State
from derive.verify.speech.measures import MEASURES, spoken
from derive.verify.speech.roles import role
from derive.verify.tables.heads import symbol

LEAST, TELLING = 0.6, 5
"""The part of a column that agrees, and its digits, at the least."""
HALF = 0.5
"""The part, where a column before was measured of the same rows."""


class Measured:
    """What the columns of one table are measured of."""

    def __init__(self, state: State) -> None:
        """Over what is known."""
        self.state = state
        self.rows: Grid | None = None  # what a column before was wholly measured of

    def source(self, head: str, column: Grid) -> Node | None:
        """What the head says is measured of each row of one of the last matrices."""
        kinds = dict.fromkeys((*spoken(head), role(symbol(head))))
        functions = [f for kind in kinds if kind in MEASURES for f in MEASURES[kind][0]]
        for function in functions:
            for grid in self.state.pool.recent():
                if grid.shape[0] == column.shape[1] > 1 < grid.shape[1]:
                    made = _of(function, grid)
                    share, digits = agreement(column, made)
                    if share == 1:
                        self.rows = self.rows or grid
                    if share == 1 or (share >= LEAST and digits >= TELLING):
                        return made
        return self.again(functions, column)

    def again(self, functions: list[str], column: Grid) -> Node | None:
        """The same of the rows that a column before was measured of, in the first way of two."""
        ways = [_of(f, self.rows) for f in functions] if self.rows is not None else []
        return next((way for way in ways if agreement(column, way)[0] >= HALF), None)


def _of(function: str, grid: Grid) -> Node:
    return Function("T", (Function(function, (Leaf(grid),)),))
