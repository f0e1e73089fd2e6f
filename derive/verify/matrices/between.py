"""What words between two lines of a program have made of a name in it.

Scores are divided in words, then the program goes on with `scores.masked_fill(...)`: those
divided are meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Leaf, Node, rebuilt
from derive.verify.known.agreement import is_same
from derive.verify.values.evaluate import value
from derive.verify.values.held import agreement
from derive.verify.values.operations import Unknown

ENOUGH = 0.5
"""The part of a printout that agrees with a value, at the least."""


def meant(source: Node, recent: Iterable[Grid], cells: list[list[Cell]]) -> Node:
    """The expression, or the same with a later matrix without a name where that agrees instead."""
    if _share(source, cells) >= ENOUGH:
        return source
    for later in recent:
        made = _put(source, later)
        if made is not None and _share(made, cells) >= ENOUGH:
            return made
    return source


def _share(source: Node, cells: list[list[Cell]]) -> float:
    try:
        exact = value(source, "exact")
    except (Unknown, ValueError):
        return 0.0
    is_whole = exact.shape == (len(cells), len(cells[0]))
    return agreement(cells, exact) if is_whole else 0.0


def _put(source: Node, later: Grid) -> Node | None:
    """An expression with a matrix in the place of the one that it is made from."""
    before = list(_grids(later.made))
    found = {id(g) for g in _grids(source) if any(_is_one(g, known) for known in before)}
    if not found:
        return None

    def put(node: Node) -> Node:
        if isinstance(node, Leaf):
            return Leaf(later) if id(node.grid) in found else node
        return rebuilt(node, put)

    return put(source)


def _is_one(grid: Grid, known: Grid) -> bool:
    return grid is known or (grid.shape == known.shape and is_same(grid, known))


def _grids(node: Node | None) -> Iterator[Grid]:
    yield from (n.grid for n in (node.inside() if node else ()) if isinstance(n, Leaf))
