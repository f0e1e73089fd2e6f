"""A turned vector that is printed pair by pair, or entry by entry: x' = -1.04, y' = 1.98."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from flint import arb

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Function, Leaf
from derive.verify.known.agreement import Counts
from derive.verify.known.matching import Match
from derive.verify.known.state import State
from derive.verify.speech.roles import indexed, role

NEAR = 120
"""Both entries of a pair are no further from each other, in characters."""
TELLING = 3
"""So many significant digits are no chance."""
TURNED = frozenset(("", "Q", "K", "H", "Q'", "K'"))
"""What the letters of such vectors may mean."""
MOST = 60
"""So many of the last numbers may be entries that were worked out before."""
_PRIMED = re.compile(r".*(?:['′~]|rot|new|neu).*", re.I)
"""What is called by another form of its letter."""
Pair = tuple[Grid, int, int, int]


def in_pairs(state: State, grid: Grid, name: str) -> tuple[Grid, Match] | None:
    """The entries of a turned vector that one or two numbers are, with what stood before."""
    cells = list(grid.cells())
    is_named = bool(_PRIMED.fullmatch(name))
    if not state.pool.is_rotary or not _is_of_pairs(grid) or len(cells) == 1 > is_named:
        return None
    if (role(name) or (indexed(name) or ("",))[0]) not in TURNED:
        return None
    found = list(_pairs(state, name))
    match = None
    if grid.shape[0] > 1 < grid.shape[1]:
        match = _rows(grid, found)
        return (grid, match) if match is not None else None
    if len(cells) == 1:
        before, state.half = state.half, cells[0]
        if before is not None and 0 < cells[0].start - before.start < NEAR:
            both = [before, cells[0]]
            match = _both(both, found, is_named)
            cells = both if match is not None else cells
        match = match or _alone(cells[0], found)
    else:
        match = _both(cells, found, is_named)
    if match is None:
        return None
    _recall(state, match)
    return Grid([cells]), match


def _is_of_pairs(grid: Grid) -> bool:
    """Whether numbers are one, two, or two in each row."""
    is_short = grid.shape[1] == 2 or len(list(grid.cells())) < 3
    digits = [c.figure.weight for c in grid.cells() if c.figure and not c.figure.is_whole]
    is_told = all(cell.figure is not None for cell in grid.cells())
    return is_short and is_told and sum(digits) >= TELLING


def _rows(grid: Grid, found: list[Pair]) -> Match | None:
    """A vector with a pair in each row, of which one is right, and all but for a mistake."""
    count = grid.shape[0]
    for place in range(len(found) - count + 1):
        pairs = found[place : place + count]
        if len({(id(step), i) for step, i, _, _ in pairs}) > 1:
            continue
        matches = [_both(row, [pair], True) for row, pair in zip(grid.rows, pairs, strict=True)]
        agreed = [match.counts.agreed for match in matches if match is not None]
        if len(agreed) == count and max(agreed) == 2:
            places = tuple(match.places[0] for match in matches if match is not None)
            return Match(pairs[0][0], places, Counts(sum(agreed)), 2 * count, True)
    return None


def _pairs(state: State, name: str) -> Iterator[Pair]:
    """The pairs of what is turned, by each convention: a step, a row of it, and two columns."""
    kind = role(name) or (indexed(name) or ("",))[0]
    named = [state.pool.of_role(k) for k in ("Q", "K") if kind in ("", f"{k}'")]
    known = [g for g in state.pool.recent() if g.shape[0] == 1 and g.made is None]
    vectors = {id(g): g for g in (*named[::-1], *known) if g is not None and not g.shape[1] % 2}
    for vector in vectors.values():
        letter = next((f"{k}'" for k in ("K", "Q") if vector is state.pool.of_role(k)), "turned")
        for step in filter(None, state.steps.rotations(vector, letter)):
            width = step.shape[1]
            is_halved = isinstance(step.made, Function) and step.made.name.endswith("halves")
            for i, k in product(range(step.shape[0]), range(width // 2)):
                a, b = (k, k + width // 2) if is_halved else (2 * k, 2 * k + 1)
                yield step, i, a, b


def _both(cells: list[Cell], found: list[Pair], is_named: bool) -> Match | None:
    """The pair that two numbers are: right, turned backwards, or but for one of them."""
    back = partly = None
    for pair in found:
        step, i, a, b = pair
        exact = [step.rows[i][j].exact for j in (a, b)]
        agreed = [_is_rounded(cell, x) for cell, x in zip(cells, exact, strict=True)]
        if all(agreed):
            return _match(pair, (a, b), 2)
        if back is None and _is_backwards(cells, pair):
            back = _match(pair, (a, b), 0)
        right = [c for c, holds in zip(cells, agreed, strict=True) if holds]
        if partly is None and is_named and any(map(_is_telling, right)):
            partly = _match(pair, (a, b), 1)
    return back or partly


def _alone(cell: Cell, found: list[Pair]) -> Match | None:
    """The entry that a number is."""
    if not _is_telling(cell):
        return None
    for pair in found:
        for j in pair[2:]:
            if _is_rounded(cell, pair[0].rows[pair[1]][j].exact):
                return _match(pair, (j,), 1)
    return None


def _match(pair: Pair, columns: tuple[int, ...], agreed: int) -> Match:
    places = (tuple((pair[1], j) for j in columns),)
    return Match(pair[0], places, Counts(agreed), len(columns), True)


def _is_telling(cell: Cell) -> bool:
    return cell.figure is not None and cell.figure.weight >= TELLING


def _is_rounded(cell: Cell, exact: arb | None) -> bool:
    return cell.figure is not None and exact is not None and cell.figure.is_rounded(exact)


def _is_backwards(cells: list[Cell], pair: Pair) -> bool:
    """Whether two numbers are the pair turned the other way."""
    step, i, a, b = pair
    match step.made:
        case Function(_, (Leaf(source), *_)):
            x, y = (source.rows[i][j].exact for j in (a, b))
        case _:
            return False
    u, v = (step.rows[i][j].exact for j in (a, b))
    if x is None or y is None or u is None or v is None or (size := x * x + y * y).contains(0):
        return False
    c, s = (x * u + y * v) / size, (x * v - y * u) / size
    turned = (x * c + y * s, y * c - x * s)
    return all(_is_rounded(cell, z) for cell, z in zip(cells, turned, strict=True))


def _recall(state: State, match: Match) -> None:
    """The other entries of the row, where they were worked out before."""
    row = match.step.rows[match.places[0][0][0]]
    right = [c for c in state.claims[:-MOST:-1] if c.verdict == "correct"]
    for target in row:
        if target.figure is None and (found := _of_value(right, target.exact)) is not None:
            target.figure, target.verdict, target.origin = found.figure, found.verdict, found


def _of_value(cells: list[Cell], exact: arb | None) -> Cell | None:
    """The number with decimals that has a value."""
    for cell in cells:
        if cell.exact is None or exact is None or cell.figure is None or cell.figure.is_whole:
            continue
        if cell.exact.overlaps(exact):
            return cell
    return None
