"""Where in a step a printed matrix may stand: whole, turned, as a row, a column or a block."""

from __future__ import annotations

import math
from collections.abc import Iterator

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Function

Place = tuple[int, int]
TURNED = frozenset(("Q'", "K'"))
"""Vectors that are turned pair by pair."""


def placements(
    rows: list[list[Cell]], step: Grid, row: int | None
) -> Iterator[tuple[tuple[Place, ...], ...]]:
    """Whole, transposed, as a row, as a column, as the leading block."""
    r, c = len(rows), len(rows[0])
    R, C = step.shape
    if (r, c) == (R, C) and (row is None or R == 1):
        yield _block(r, c)
        if R == C > 1 and not _is_upright(step):
            yield _turned(r, c)
        return
    if (c, r) == (R, C) and C > 1 and R > 1:
        yield _turned(r, c)
    elif 1 < r <= R and 1 < c <= C:
        yield _block(r, c)
    yield from _lines(r, c, step.shape, row)
    if r == 1 < c < C and step.made is not None:
        yield from _begun(c, step, row)
    if step.name in TURNED and 1 in (R, C) and r * c == R * C and c == 2 < R * C:
        yield from _pairs(r, is_row=R == 1)


def _is_upright(step: Grid) -> bool:
    """Whether each column of a step has its own softmax: turned, it would have that of rows."""
    return isinstance(step.made, Function) and step.made.name == "softmax columns"


def _lines(
    r: int, c: int, shape: tuple[int, int], row: int | None
) -> Iterator[tuple[tuple[Place, ...], ...]]:
    """A list as one row, or as one column, of a step."""
    R, C = shape
    if r == 1 and c == C:
        for i in range(R) if row is None else range(row, min(row + 1, R)):
            yield (tuple((i, j) for j in range(c)),)
    if r == 1 and c == R > 1:
        for j in range(C):
            yield (tuple((i, j) for i in range(c)),)
    if c == 1 and r == C > 1:
        for i in range(R):
            yield tuple(((i, j),) for j in range(r))


def _begun(c: int, step: Grid, row: int | None) -> Iterator[tuple[tuple[Place, ...], ...]]:
    """The rows of a masked matrix of which no more is left than a list holds."""
    for i, values in enumerate(step.near):
        is_rest = all(x == 0 or math.isinf(x) for x in values[c:]) and values[c - 1] != 0
        if is_rest and row in (None, i):
            yield (tuple((i, j) for j in range(c)),)


def _pairs(count: int, *, is_row: bool) -> Iterator[tuple[tuple[Place, ...], ...]]:
    """The pairs of a vector below each other: neighbours, and those half its length apart."""
    for pairs in (
        [(2 * i, 2 * i + 1) for i in range(count)],
        [(i, i + count) for i in range(count)],
    ):
        yield tuple(tuple((0, j) if is_row else (j, 0) for j in pair) for pair in pairs)


def _block(r: int, c: int) -> tuple[tuple[Place, ...], ...]:
    return tuple(tuple((i, j) for j in range(c)) for i in range(r))


def _turned(r: int, c: int) -> tuple[tuple[Place, ...], ...]:
    return tuple(tuple((j, i) for j in range(c)) for i in range(r))
