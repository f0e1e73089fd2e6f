"""Whether queries, keys and values were multiplied in one layout, the one that is meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from derive.verify.grammar.grids import Grid
from derive.verify.grammar.nodes import Binary, Function, Leaf, Name, Node
from derive.verify.known.state import State
from derive.verify.known.steps.head import LAYOUTS
from derive.verify.matrices.names import Meanings
from derive.verify.speech.roles import indexed, role

PROJECTIONS = frozenset("QKV")
CLOSE = 1e-9
"""Floats of equal numbers are no further apart, beside their size."""


def binding(state: State, names: Meanings) -> str:
    """The layout that binds, where what is printed keeps to more than one; else "".

    That of a formula, Q = X W_Q, or of most of what is printed.
    """
    votes = [found for step in _printed(state, names) if (found := _layouts(state, step))]
    if state.fixed is not None or not votes or set.intersection(*map(set, votes)):
        return ""
    said = set(filter(None, map(_said, names.defined.values())))
    count = Counter(layout for found in votes for layout in found)
    if len(said) == 1:
        return next(iter(said & set(count)), "")
    layout, most = count.most_common(1)[0]
    return layout if 2 * most > len(votes) else ""


def _printed(state: State, names: Meanings) -> Iterator[Grid]:
    """The projections that are printed, and right in a layout that no formula of theirs gives."""
    own = {role(name) for name, made in names.defined.items() if _said(made)}
    is_one = len({_said(made) for made in names.defined.values()} - {""}) < 2
    for step in list(state.steps.known.values()):
        if step is None or step.name not in PROJECTIONS or step.has_wrong:
            continue
        if step.is_printed and (is_one or step.name not in own):
            yield step


def _layouts(state: State, step: Grid) -> tuple[str, ...]:
    """The layouts in which a projection has the value of a step."""
    found = _factors(state, step.made)
    if found is None:
        return ()
    H, W = found
    made = {name: state.steps.laid_out(step.name, H, W, name) for name in LAYOUTS}
    return tuple(name for name, other in made.items() if other is not None and _same(other, step))


def _factors(state: State, made: Node | None) -> tuple[Grid, Grid] | None:
    """The input and the weights of a product."""
    match made:
        case Binary("@", left, right):
            a, b = _grid(left), _grid(right)
            weights = {id(g) for kind, g in state.pool.roles.items() if kind[:2] == "W_"}
            weights |= {id(g) for (kind, _), g in state.pool.parts.items() if kind[:2] == "W_"}
            if a is not None and b is not None and (id(a) in weights) != (id(b) in weights):
                return (b, a) if id(a) in weights else (a, b)
    return None


def _grid(node: Node) -> Grid | None:
    match node:
        case Leaf(grid) | Function("T", (Leaf(grid),)):
            return grid
    return None


def _same(a: Grid, b: Grid) -> bool:
    return a.shape == b.shape and all(
        abs(x - y) <= CLOSE * (1 + abs(y))
        for r, s in zip(a.near, b.near, strict=True)
        for x, y in zip(r, s, strict=True)
    )


def _said(made: Node) -> str:
    """The layout of a formula such as X W_Q."""
    match made:
        case Binary("@" | "" | "·" | "*" | "×", left, right):
            a, b = _letter(left), _letter(right)
            turned = " turned" if isinstance(left, Function) or isinstance(right, Function) else ""
            if a == "H" and b[:2] == "W_":
                return "rows" + turned
            if a[:2] == "W_" and b == "H":
                return "columns" + turned
    return ""


def _letter(node: Node) -> str:
    match node:
        case Name(text) | Function("T", (Name(text),)):
            return role(text) or (indexed(text) or ("",))[0]
    return ""
