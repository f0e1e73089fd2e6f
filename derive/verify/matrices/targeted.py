"""The labels that an article compares probabilities with: 1 for the right class, also smoothed."""

from __future__ import annotations

import re

from flint import arb

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Component, Function, Leaf, Negative, Node, Number
from derive.verify.known.state import State
from derive.verify.numbers.hundreds import is_probable
from derive.verify.values.evaluate import value

HOT = frozenset("y onehot one_hot y_true e_y target y_onehot one-hot".split())
"""Names of labels that are 1 at the right class and 0 elsewhere."""
SOFT = frozenset("y q t y' q' y_smooth q_smooth y_ls y_soft".split())
"""Names of labels where an article smooths them."""
SMOOTHING = ("ε", "eps", "epsilon", "varepsilon", "alpha", "α")
_COUNTED = re.compile(r"(.*?[^\W\d]_?)(\d{1,2})")
"""A name and its number: L3, loss_3."""
LOGARITHMS = frozenset(("log", "ln", "log2", "log10"))


def labels(state: State, name: str) -> Grid | None:
    """The labels of a name, beside the last probabilities; None where the right class is open."""
    name = name.lower().replace("{", "").replace("}", "").replace("\\", "").replace("^", "_")
    if name not in HOT and not (name in SOFT and state.said.is_smoothed):
        return None
    shares = next((g for g in state.pool.recent() if g.shape[0] == 1 and is_probable(g)), None)
    place = aimed(state, shares) if shares is not None else None
    if shares is None or place is None:
        return None
    count = shares.shape[1]
    hot = [arb(j == place) for j in range(count)]
    part = smoothing(state) if name in SOFT and state.said.is_smoothed else None
    if part is not None:
        hot = [(1 - part) * x + part / count for x in hot]
    return Grid([[Cell(None, exact=x) for x in hot]], name)


def smoothing(state: State) -> arb | None:
    """The part that is spread over all classes."""
    found = (state.pool.named.get(name) for name in SMOOTHING)
    cells = [g.rows[0][0] for g in found if g is not None and g.shape == (1, 1)]
    return next((c.exact for c in cells if c.exact is not None and 0 < c.exact < 1), None)


def aimed(state: State, shares: Grid) -> int | None:
    """Where the right class stands: the one whose loss is taken, or the one that words tell."""
    said = [k for k in state.said.targets if k < shares.shape[1]]
    used = {k for claim in state.claims if (k := _lost(shares, claim.made)) is not None}
    if len(used) == 1 and (not said or used <= set(said)):
        return used.pop()
    return said[0] if len(said) == 1 else None


def loss_of_row(state: State, name: str, cell: Cell) -> Node | None:
    """What L_3 must be where each row aims at a word, and L_1 or L_2 was the loss of its own."""
    found, count = _COUNTED.fullmatch(name), len(state.said.chosen)
    place = int(found[2]) - 1 if found else -1
    if found is None or not 0 < place < count or cell.figure is None or cell.figure.is_whole:
        return None
    grids = (*state.pool.recent(), *state.pool.stacks())
    shares = next((g for g in grids if len(g.rows) == count and is_shares(g)), None)
    if shares is None:
        return None
    losses = [_loss(shares, k, state.said.chosen[k]) for k in range(count)]
    known = [state.pool.named.get(f"{found[1]}{k + 1}") for k in range(place)]
    is_followed = [
        loss is not None and g is not None and g.shape == (1, 1) and _is(g.rows[0][0], loss)
        for loss, g in zip(losses, known, strict=False)
    ]
    return losses[place] if is_followed and all(is_followed) else None


def is_shares(grid: Grid) -> bool:
    """Whether each row of a matrix that was worked out holds shares of a whole."""
    is_made = all(cell.made is not None for cell in grid.cells())
    return is_made and all(is_probable(Grid([row])) for row in grid.rows)


def _loss(shares: Grid, row: int, column: int) -> Node | None:
    """Minus the logarithm of one entry."""
    if column >= shares.shape[1]:
        return None
    return Function("minus log", (Leaf(Grid([[shares.rows[row][column]]])),))


def _is(cell: Cell, loss: Node) -> bool:
    """Whether a number is this loss."""
    figure, exact = cell.figure, value(loss, "exact").rows[0][0]
    return figure is not None and abs(figure.ball - exact) < 2 * figure.step


def _lost(shares: Grid, made: Node | None) -> int | None:
    """The entry whose negative logarithm is taken."""
    match made:
        case Negative(Function(name, (inner,))) if name in LOGARITHMS:
            return _entry(shares, inner)
        case Function("minus log", (inner,)):
            return _entry(shares, inner)
    return None


def _entry(shares: Grid, node: Node) -> int | None:
    match node:
        case Component(Leaf(grid), place) if grid is shares:
            return place
        case Number(cell) | Leaf(Grid(rows=[[cell]])):
            first = cell.origin or cell
            same = [j for j, c in enumerate(shares.rows[0]) if first in (c, c.origin)]
            return same[0] if len(same) == 1 else None
    return None
