"""Whether weights are taken of scores that are not divided, where the article divides others."""

from __future__ import annotations

from derive.verify.grammar.nodes import Function, Leaf, Node
from derive.verify.known.state import State
from derive.verify.known.steps.made import WEIGHING, is_raw, origin, raw_in

RIGHT = ("correct", "propagated", "truncated")


def note(state: State, made: Node) -> None:
    """Keeps that a softmax of undivided scores stands where words speak of the division."""
    if raw_of(made) is not None and (state.pool.is_headed or "scaled" in state.heard):
        state.pool.is_undivided = True


def is_left_out(state: State) -> bool:
    """Whether the division is once forgotten: words speak of it, or the other heads have it.

    Where the same scores are also divided, the article compares the two.
    """
    if state.said.is_unscaled or state.fixed is not None or not state.pool.is_undivided:
        return False
    right = {id(cell.made): cell.made for cell in state.claims if cell.verdict in RIGHT}
    raw = {id(found) for made in right.values() if (found := raw_of(made)) is not None}
    divided = {id(found) for made in right.values() if (found := divided_of(made)) is not None}
    return bool(raw and divided) and not raw & divided


def raw_of(made: Node | None) -> Node | None:
    """The scores, not divided, that something is a softmax of."""
    match made:
        case Function(name, (Leaf(scores),)) if name in WEIGHING and scores.shape[1] > 1:
            return origin(scores) if is_raw(scores) else None
    return None


def divided_of(made: Node | None) -> Node | None:
    """The scores that are divided before something is a softmax of them."""
    match made:
        case Function(name, (Leaf(scores),)) if name in WEIGHING and scores.made is not None:
            return raw_in(scores.made)
    return None
