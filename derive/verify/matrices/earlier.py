"""A measure of shares told of others than the last: the entropy at T = 1, after those at T = 2."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from derive.exact.enclosure import Enclosures
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Leaf, Node, rebuilt
from derive.verify.known.state import State
from derive.verify.numbers.hundreds import is_probable
from derive.verify.values.evaluate import has_value, value

WEIGHT, MOST = 3, 60
"""So many digits are no chance among the lists that are tried, which are so many."""


def by_earlier(
    state: State, cells: list[list[Cell]], source: Node | None, exact: Enclosures | None
) -> tuple[Node | None, Enclosures | None]:
    """A formula and its value; over the earlier shares of which one number is that, if over any."""
    figure = cells[0][0].figure
    if source is None or exact is None or figure is None or exact.shape != (1, 1):
        return source, exact
    shares = {id(grid): grid for grid in _grids(source) if is_probable(grid)}
    is_clear = not figure.is_whole and figure.weight >= WEIGHT
    if not is_clear or len(shares) != 1 or figure.is_rounded(exact.rows[0][0]):
        return source, exact
    (last,) = shares.values()
    for other in islice(_lists(state, last), MOST):
        made = _over(source, last, other)
        found = value(made, "exact") if has_value(made) else exact
        if figure.is_rounded(found.rows[0][0]):
            return made, found
    return source, exact


def _grids(node: Node) -> Iterator[Grid]:
    if isinstance(node, Leaf):
        yield node.grid
    for part in node.parts():
        yield from _grids(part)


def _lists(state: State, last: Grid) -> Iterator[Grid]:
    """Other shares as many, printed or worked out."""
    steps = (g for g in state.steps.all(last.shape) if g.name in ("A", "shares", "softmax"))
    printed = (g for g in (*state.pool.grids[::-1], *state.runs.vectors()) if is_probable(g))
    for grid in (*printed, *steps):
        if grid is not last and grid.shape == last.shape:
            yield grid


def _over(node: Node, last: Grid, other: Grid) -> Node:
    if isinstance(node, Leaf):
        return Leaf(other) if node.grid is last else node
    return rebuilt(node, lambda part: _over(part, last, other))
