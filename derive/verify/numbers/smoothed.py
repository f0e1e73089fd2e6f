"""Smoothed targets: (1 - e) for the right class and e shared by all classes, or by the others."""

from __future__ import annotations

from collections.abc import Iterator

from flint import arb

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Binary, Leaf, Node, Number
from derive.verify.known.state import State
from derive.verify.known.steps.made import whole
from derive.verify.numbers.scaling import agreement

NAMES = ("varepsilon", "epsilon", "ε", "ϵ", "eps", "alpha", "α", "smoothing", "label_smoothing")
"""What the part that is shared is called."""
NEAR = 4
"""So many of the last numbers may be it."""
LEAST, TELLING = 0.6, 3
"""The part that agrees, and its digits, at the least."""


def smoothed(state: State, grid: Grid) -> Node | None:
    """The targets that a list holds, where most of it agrees with them; None elsewhere."""
    cells = list(grid.cells())
    if grid.shape[0] > 1 or len(cells) < 2 or not all(_is_share(cell) for cell in cells):
        return None
    sizes = [cell.figure.value for cell in cells if cell.figure]
    if max(sizes) == min(sizes):
        return None
    for hot in sorted(range(len(sizes)), key=lambda place: -sizes[place])[:1]:
        for ways in _made(state, len(cells), hot):
            found = next((made for made in ways if _is_agreeing(grid, made)), None)
            if found is not None:
                return found if state.said.spread is None else ways[state.said.spread]
    return None


def _is_agreeing(grid: Grid, made: Node) -> bool:
    share, digits = agreement(grid, made)
    return share >= LEAST and share * grid.shape[1] > 1 and digits >= TELLING


def _is_share(cell: Cell) -> bool:
    return cell.figure is not None and 0 <= cell.figure.value <= 1


def _made(state: State, count: int, hot: int) -> Iterator[tuple[Node, Node]]:
    """Targets by each number that may be shared, among all classes or among the others."""
    right = Leaf(state.runs.grid([Cell(None, exact=arb(j == hot)) for j in range(count)]))
    others = Leaf(state.runs.grid([Cell(None, exact=arb(j != hot)) for j in range(count)]))
    for part in _parts(state):
        rest = Binary("*", Binary("-", whole(1), part), right)
        to_others = Binary("*", Binary("/", part, whole(count - 1)), others)
        yield Binary("+", rest, Binary("/", part, whole(count))), Binary("+", rest, to_others)


def _parts(state: State) -> Iterator[Node]:
    named = (state.pool.named.get(name) for name in NAMES)
    yield from (Leaf(g) for g in named if g is not None and g.shape == (1, 1))
    for figure in reversed(state.pool.figures[-NEAR:]):
        if 0 < figure.value < 1:
            yield Number(Cell(figure, -1, exact=figure.ball))
