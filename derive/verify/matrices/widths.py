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
    side = 1 - side if are_columns(state) else side
    count = max(of.shape) if 1 in of.shape else of.shape[side]  # a vector has n entries
    return Grid([[Cell(None, exact=arb(count))]])


def are_columns(state: State) -> bool:
    """Whether tokens are columns: Q = W_Q X, as far as the shapes of the three tell."""
    W, H = state.pool.of_role("W_Q"), state.pool.of_role("H")
    Q = state.pool.of_role("Q")
    if W is None or H is None or Q is None or H.shape[0] == H.shape[1] == W.shape[0]:
        return False
    return W.shape[1] == H.shape[0] and Q.shape == (W.shape[0], H.shape[1])
