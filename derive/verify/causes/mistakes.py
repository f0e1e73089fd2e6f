"""Whether a printed matrix is what a formula gives with one known mistake in it, throughout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from flint import arb

from derive.verify.grammar.grids import Cell
from derive.verify.grammar.nodes import Node
from derive.verify.known.pool import Pool
from derive.verify.values.evaluate import value
from derive.verify.values.operations import Unknown

CHOICES = frozenset((
    "weights transposed", "scaled by the model", "mask not declared", "the other divisor",
    "eps forgotten", "halves and pairs", "positions from 0", "positions from 1", "other base",
    "weights copied", "strict mask", "mean over the wrong axis", "rounded too early",
))  # fmt: skip
"""What is no mistake where the article does not say otherwise."""
ENOUGH = 6
"""So many agreeing digits are no chance."""
BOUND = 3
"""The same, where it is known how inputs and weights are multiplied."""
BARE = 0.005
MOST = 200
WIDEST = 8
Rows = Sequence[Sequence[arb]]


def is_explained(
    cells: Sequence[Sequence[Cell]], source: Node, pool: Pool, said: bool, is_bound: bool = False
) -> bool:
    """Whether a changed expression gives every printed entry.

    said: a formula is printed; is_bound: nothing else can be meant by the name.
    """
    figures = [cell.figure for row in cells for cell in row if cell.figure is not None]
    digits = sum(f.weight for f in figures if f.value and (f.weight > 1 or not f.is_whole))
    least = BOUND if pool.layout or is_bound else ENOUGH
    if len(figures) < 2 or digits + sum(f.is_whole and f.value != 0 for f in figures) < least:
        return False
    return _is_swapped(source, cells) or any(
        _gives(node, cells) for node in _changed(source, pool, said)
    )


def is_row_explained(cells: Sequence[Sequence[Cell]], source: Node, pool: Pool, row: int) -> bool:
    """Whether one mistake in an expression gives all that is printed of one of its rows."""
    if sum(c.figure.weight for c in cells[0] if c.figure and not c.figure.is_whole) < ENOUGH:
        return False
    for node in _changed(source, pool, False):
        try:
            rows = value(node, "exact").rows
        except (Unknown, ValueError, ZeroDivisionError):
            continue
        if row < len(rows) and len(rows[row]) == len(cells[0]) and _agree(cells, [rows[row]]):
            return True
    return False


def changed(cells: Sequence[Sequence[Cell]], source: Node, pool: Pool) -> bool:
    """Whether one mistake in a formula that is printed gives what is printed for it."""
    return any(_gives(node, cells) for node in _changed(source, pool, True))


def _changed(source: Node, pool: Pool, said: bool) -> Iterator[Node]:
    from derive.verify.causes.changes import Changes

    for count, (kind, _, node) in enumerate(Changes(pool).of(source)):
        if count > MOST:
            return
        is_choice = kind in CHOICES and not _is_settled(kind, pool)
        is_scaling = pool.is_rooted or bool(pool.divided) or "scaled" not in kind
        if said or (not is_choice and is_scaling):
            yield node


def _is_settled(kind: str, pool: Pool) -> bool:
    """Whether the article has shown before which way it chooses."""
    if kind == "the other divisor":
        return pool.is_population and not pool.is_sampled
    return kind == "weights transposed" and bool(pool.layout)


def _gives(node: Node, cells: Sequence[Sequence[Cell]]) -> bool:
    rows = _rows(node, cells)
    return rows is not None and _agree(cells, rows)


def _is_swapped(source: Node, cells: Sequence[Sequence[Cell]]) -> bool:
    """Whether two rows or two columns changed places."""
    rows = _rows(source, cells)
    if rows is None or max(len(rows), len(rows[0])) > WIDEST:
        return False
    for a, b in combinations(range(len(rows)), 2):
        if _agree(cells, _exchanged(rows, a, b)):
            return True
    turned = list(zip(*rows, strict=True))
    for a, b in combinations(range(len(turned)), 2):
        if _agree(cells, list(zip(*_exchanged(turned, a, b), strict=True))):
            return True
    return False


def _exchanged(rows: Rows, a: int, b: int) -> Rows:
    made = list(rows)
    made[a], made[b] = made[b], made[a]
    return made


def _rows(node: Node, cells: Sequence[Sequence[Cell]]) -> Rows | None:
    """The value of an expression, where it has the shape of what is printed."""
    try:
        rows = value(node, "exact").rows
    except (Unknown, ValueError, ZeroDivisionError):
        return None
    return rows if (len(rows), len(rows[0])) == (len(cells), len(cells[0])) else None


def _agree(cells: Sequence[Sequence[Cell]], rows: Rows) -> bool:
    has_places = any(c.figure and not c.figure.is_whole for row in cells for c in row)
    return all(
        _holds(cell, x, has_places)
        for row, values in zip(cells, rows, strict=True)
        for cell, x in zip(row, values, strict=True)
    )


def _holds(cell: Cell, x: arb, has_places: bool) -> bool:
    figure = cell.figure
    if figure is not None and has_places and figure.is_whole and not figure.value:
        return bool(abs(x) < BARE)  # a bare 0 among decimals is none of them rounded
    return figure is None or figure.is_rounded(x) or figure.is_cut(x)
