"""0.1 * [2, 2, 3]: the weight of a value, however few digits it has, by the row that it is of."""

from __future__ import annotations

from collections.abc import Iterator

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Array, Binary, Function, Node, Number, literal
from derive.verify.known.pool import Pool, digits
from derive.verify.known.steps.made import WEIGHING

TIMES = frozenset(("", "*", "·", "×"))
Factor = tuple[Cell, list[Cell]]
"""A number, and the list that it stands before."""


def weights_of(pool: Pool, side: Node) -> dict[int, Cell]:
    """The weights that the factors before the rows of the values repeat, by each factor.

    Nothing where no row of the last weights, or more than one, has these numbers at these places.
    """
    factors, A = list(_factors(side)), _weights(pool)
    values = next((v for v in (pool.of_role("V"), *pool.recent()) if _holds(v, factors)), None)
    if A is None or values is None or values.shape[0] != A.shape[1] or not factors:
        return {}
    places = [_place(values, row) for _, row in factors]
    found = [
        row
        for row in A.rows
        if all(_is_same(row[i], cell) for i, (cell, _) in zip(places, factors, strict=True))
    ]
    if len(found) != 1:
        return {}
    return {id(cell): found[0][i] for i, (cell, _) in zip(places, factors, strict=True)}


def _weights(pool: Pool) -> Grid | None:
    """The last weights, which may have no name."""
    made = (g for g in reversed(pool.grids) if isinstance(g.made, Function))
    return pool.roles.get("A") or next((g for g in made if _is_softmax(g.made)), None)


def _is_softmax(made: Node | None) -> bool:
    return isinstance(made, Function) and made.name in WEIGHING


def _factors(side: Node) -> Iterator[Factor]:
    match side:
        case Binary(sign, Number(cell), Array() as row) if sign in TIMES:
            cells = literal(row)
            if cells and len(cells) == 1:
                yield cell, cells[0]
            return
    for part in side.parts():
        yield from _factors(part)


def _holds(values: Grid | None, factors: list[Factor]) -> bool:
    """Whether all lists are rows of a matrix, each of another."""
    if values is None or values.shape[0] < 2:
        return False
    places = [_place(values, row) for _, row in factors]
    return -1 not in places and len(set(places)) == len(places)


def _place(values: Grid, row: list[Cell]) -> int:
    known = [digits(cells) for cells in values.rows]
    return known.index(digits(row)) if digits(row) in known else -1


def _is_same(known: Cell, cell: Cell) -> bool:
    a, b = known.figure, cell.figure
    return a is not None and b is not None and (a.value, a.unit) == (b.value, b.unit)
