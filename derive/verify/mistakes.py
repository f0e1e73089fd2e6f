"""Whether a printed matrix is what a formula gives with one known mistake in it, throughout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flint import arb

from derive.verify.evaluate import value
from derive.verify.grids import Cell
from derive.verify.nodes import Node
from derive.verify.operations import Unknown
from derive.verify.pool import Pool

CHOICES = frozenset((
    "weights transposed", "scaled by the model", "mask not declared", "the other divisor",
    "eps forgotten", "halves and pairs", "positions from 0", "positions from 1", "other base",
    "weights copied", "strict mask",
))  # fmt: skip
"""What is no mistake where the article does not say otherwise."""
ENOUGH = 6
"""So many agreeing digits are no chance."""
MOST = 200


def is_explained(cells: Sequence[Sequence[Cell]], source: Node, pool: Pool, said: bool) -> bool:
    """Whether a changed expression gives every printed entry; `said` where a formula is printed."""
    figures = [cell.figure for row in cells for cell in row if cell.figure is not None]
    digits = sum(f.weight for f in figures if f.value and (f.weight > 1 or not f.is_whole))
    if len(figures) < 2 or digits + sum(f.is_whole and f.value != 0 for f in figures) < ENOUGH:
        return False
    return any(_gives(node, cells) for node in _changed(source, pool, said))


def _changed(source: Node, pool: Pool, said: bool) -> Iterator[Node]:
    from derive.verify.causes.changes import Changes

    for count, (kind, _, node) in enumerate(Changes(pool).of(source)):
        if count > MOST:
            return
        if said or (kind not in CHOICES and (pool.is_rooted or "scaled" not in kind)):
            yield node


def _gives(node: Node, cells: Sequence[Sequence[Cell]]) -> bool:
    try:
        rows = value(node, "exact").rows
    except (Unknown, ValueError, ZeroDivisionError):
        return False
    if (len(rows), len(rows[0])) != (len(cells), len(cells[0])):
        return False
    return all(
        _holds(cell, x)
        for row, values in zip(cells, rows, strict=True)
        for cell, x in zip(row, values, strict=True)
    )


def _holds(cell: Cell, x: arb) -> bool:
    figure = cell.figure
    return figure is None or figure.is_rounded(x) or figure.is_cut(x)
