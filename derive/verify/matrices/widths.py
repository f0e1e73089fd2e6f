"""Numbers that the shapes of known matrices tell: d_k, d, n."""

from __future__ import annotations

from flint import arb

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.known.state import State

WIDTHS = {"d_k": ("Q", 1), "dk": ("Q", 1), "d_model": ("H", 1), "d": ("H", 1), "n": ("H", 0)}


def width(state: State, text: str) -> Grid | None:
    """As many as a matrix has columns or rows, where the number is not printed."""
    kind, side = WIDTHS.get(text, ("", 0))
    of = state.pool.of_role(kind) if kind else None
    of = of or (state.steps.projection(kind) if kind in ("Q", "K") else None)
    if of is None or of.shape[0] < 1:
        return None
    count = max(of.shape) if 1 in of.shape else of.shape[side]  # a vector has n entries
    return Grid([[Cell(None, exact=arb(count))]])
