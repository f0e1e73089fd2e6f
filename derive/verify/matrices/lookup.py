"""Rows looked up in a table by their numbers: X = E[ids]."""

from __future__ import annotations

from collections.abc import Iterator

from flint import arb

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Function, Leaf, Node, Number
from derive.verify.known.state import State
from derive.verify.speech.roles import role

NEVER = frozenset("W_Q W_K W_V W_O W_1 W_2 Q K V S scaled masked A O b_Q b_K b_V mask".split())
"""What is no table of embeddings, and is not looked up in one."""
LEAST = 0.5
"""The part of the rows that agrees with the table, at the least."""


def looked_up(state: State, grid: Grid) -> Node | None:
    """The rows of an earlier table that a matrix holds, by a list of whole numbers before it."""
    rows, columns = grid.shape
    if rows < 2 or columns < 2 or role(grid.name) in NEVER:
        return None
    for table in _tables(state, columns):
        for ids in _lists(state, rows, table.shape[0]):
            if ids == list(range(table.shape[0])):
                continue  # all of it, which may have changed since
            held = [_same(row, table.rows[i]) for row, i in zip(grid.rows, ids, strict=True)]
            if sum(held) >= max(2, LEAST * rows) and len(set(ids)) > 1:
                places = [Number(Cell(None, exact=arb(i))) for i in ids]
                return Function("rows at", (Leaf(table), *places))
    return None


def _tables(state: State, columns: int) -> Iterator[Grid]:
    for table in reversed(state.pool.bases[-6:]):
        if table.shape[1] == columns and table.shape[0] > 1 and role(table.name) not in NEVER:
            yield table


def _lists(state: State, count: int, most: int) -> Iterator[list[int]]:
    """The lists of whole numbers of a length, as places from 0 or from 1."""
    for grid in state.pool.recent():
        figures = [cell.figure for cell in grid.cells()]
        if 1 not in grid.shape or len(figures) != count:
            continue
        if not all(f is not None and f.is_whole and f.value >= 0 for f in figures):
            continue
        values = [int(f.value) for f in figures if f]
        for first in (0, 1):
            places = [v - first for v in values]
            if all(0 <= p < most for p in places):
                yield places


def _same(row: list[Cell], other: list[Cell]) -> bool:
    return all(
        a.figure and b.figure and a.figure.value == b.figure.value
        for a, b in zip(row, other, strict=True)
    )
