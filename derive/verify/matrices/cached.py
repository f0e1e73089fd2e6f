"""The keys and values of a cache, printed once more with those of the new token below them."""

from __future__ import annotations

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Leaf
from derive.verify.known.agreement import LEAST
from derive.verify.known.state import State
from derive.verify.speech.roles import role
from derive.verify.values.evaluate import value
from derive.verify.values.judge import Judge


def is_appended(state: State, grid: Grid, name: str) -> bool:
    """Whether a matrix is a cache with its new row; what differs of its numbers is wrong."""
    kind = role(name)
    known = state.pool.roles.get(kind) if state.pool.is_cached and kind in ("K", "V") else None
    if known is None or known.shape != grid.shape or any(known is g for g in state.pool.grids):
        return False
    pairs = list(zip(grid.cells(), known.cells(), strict=True))
    same = sum(_is_same(cell, origin) for cell, origin in pairs)
    if same < LEAST * len(pairs):
        return False
    for cell, origin in pairs:
        if _is_same(cell, origin):
            state.refer(cell, origin)
        else:
            made = Leaf(Grid([[origin]]))
            exact = value(made, "exact")
            state.judged([[cell]], exact, Judge(made, exact), "")
            cell.quantity = origin.quantity
    return True


def _is_same(cell: Cell, origin: Cell) -> bool:
    if cell.figure is None or origin.figure is None:
        return cell.figure is origin.figure
    return cell.figure.value == origin.figure.value
