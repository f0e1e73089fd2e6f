"""Whether an article that declares a causal mask does not use it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from flint import arb

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.known.agreement import Counts
from derive.verify.known.matching import Match
from derive.verify.known.state import State
from derive.verify.known.steps.made import is_scored
from derive.verify.speech.roles import role

RIGHT = ("correct", "propagated", "truncated")
WIDE = 2
"""In units of the last place: so far off a weight may be by the rounding of the scores."""
SLACK = 0.02
"""So far off 1 the shares of a row may add up to."""
ENOUGH, CERTAIN = 4, 6
"""So many digits of a row, or of a matrix, are no chance."""


def is_forgotten(state: State) -> bool:
    """Whether a row of weights is printed free, and not masked, against what is declared."""
    if not state.said.is_causal or state.fixed is not None:
        return False
    if state.pool.masked or any(map(_is_triangle, state.pool.grids)):
        return False
    printed = list(printed_rows(state.pool.grids))
    return any(_is_free(step.near[i], i, printed) for step, i in _rows(state))


def unmasked(state: State, grid: Grid) -> Match | None:
    """The masked weights of which a list is the row as it is without the mask that binds."""
    if not state.pool.is_causal or grid.shape[0] > 1 or not all(c.figure for c in grid.cells()):
        return None
    width = grid.shape[1]
    for step, i in _rows(state):
        is_free = step.shape[1] == width and is_near(grid.rows[0], softmax(step.near[i]))
        if is_free and (weights := _weights(state, step)):
            places = (tuple((i, j) for j in range(width)),)
            return Match(weights, places, Counts(), width, True)
    return None


def masked_late(state: State, grid: Grid) -> Match | None:
    """The masked weights where a matrix holds those without a mask, and 0 above the diagonal."""
    told = sum(c.figure.weight for c in grid.cells() if c.figure and c.figure.value)
    if role(grid.name) not in ("A", "") or told < CERTAIN or not _is_triangle(grid):
        return None
    count = grid.shape[0]
    for step in (s for s in state.steps.all(grid.shape) if s.shape == grid.shape and is_scored(s)):
        rows = [[*softmax(near)[: i + 1]] for i, near in enumerate(step.near)]
        is_late = all(_fits(row, free) for row, free in zip(grid.rows, rows, strict=True))
        if is_late and not _fits(grid.rows[0], [1.0]) and (weights := _weights(state, step)):
            places = tuple(tuple((i, j) for j in range(count)) for i in range(count))
            return Match(weights, places, Counts(), count * count, True)
    return None


def _weights(state: State, scores: Grid) -> Grid | None:
    """The weights of scores under a causal mask."""
    masked = state.steps.unary("causal", scores, "masked")
    return masked and state.steps.unary("softmax", masked, "A")


def _rows(state: State) -> list[tuple[Grid, int]]:
    """The rows of square scores from which a causal mask takes something."""
    squares = [s for s in state.steps.scored if 1 < s.shape[0] == s.shape[1] and is_scored(s)]
    return [(step, i) for step in squares for i in range(step.shape[0] - 1)]


def printed_rows(grids: list[Grid]) -> Iterator[tuple[int | None, list[Cell]]]:
    """The printed rows that are right, and where they stand in a matrix."""
    for grid in grids:
        for i, row in enumerate(grid.rows):
            if len(row) > 1 and all(c.figure and c.verdict in RIGHT for c in row):
                yield (i if grid.shape[0] > 1 else None), row


def _is_free(scores: list[float], i: int, printed: list[tuple[int | None, list[Cell]]]) -> bool:
    """Whether the weights of a row of scores are printed as they are without a mask, only."""
    free, masked = softmax(scores), softmax(scores[: i + 1])
    rows = [row for place, row in printed if place in (None, i)]
    if any(is_near(row, masked) for row in rows):
        return False
    return any(len(row) == len(free) and is_near(row, free) for row in rows)


def softmax(scores: list[float]) -> list[float]:
    """The weights of a list of scores."""
    exps = [math.exp(x - max(scores)) for x in scores]
    return [x / sum(exps) for x in exps]


def is_near(row: list[Cell], weights: list[float]) -> bool:
    """Whether a row prints these weights, and no more than 0 behind them."""
    return sum(c.figure.weight for c in row if c.figure) >= ENOUGH and _fits(row, weights)


def _fits(row: list[Cell], weights: list[float]) -> bool:
    """The same, however few its digits are."""
    figures = [cell.figure for cell in row if cell.figure]
    whole = [*weights, *[0.0] * (len(figures) - len(weights))]
    return len(figures) == len(whole) and all(
        abs(f.near - x) <= WIDE * f.step for f, x in zip(figures, whole, strict=True)
    )


def _is_triangle(grid: Grid) -> bool:
    """Whether a square matrix is 0, or blank, above its diagonal alone."""
    n, m = grid.shape
    is_given = all(cell.verdict == "assumed" for cell in grid.cells() if cell.figure)
    if n != m or n < 2 or is_scored(grid) or (is_given and grid.name != "mask"):
        return False
    above = [grid.rows[i][j] for i in range(n) for j in range(i + 1, n)]
    below = [grid.rows[i][j] for i in range(n) for j in range(i)]
    return all(map(_is_nought, above)) and not all(map(_is_nought, below))


def is_stepped(grid: Grid) -> bool:
    """Whether a square matrix is blank just above its diagonal."""
    n, m = grid.shape
    blanks = [(i, j) for i, r in enumerate(grid.rows) for j, c in enumerate(r) if c.figure is None]
    return n == m > 1 and blanks == [(i, j) for i in range(n) for j in range(i + 1, n)]


def hide(grid: Grid) -> None:
    """Scores that are given with blanks above the diagonal are -oo there; shares of 1 are 0."""
    if not is_stepped(grid):
        return
    rows = [[c.figure.near for c in row if c.figure] for row in grid.rows]
    is_share = all(abs(sum(row) - 1) <= SLACK and min(row) >= 0 for row in rows)
    for i, row in enumerate(grid.rows):
        for cell in row[i + 1 :]:
            cell.exact = arb(0) if is_share else arb.neg_inf()


def _is_nought(cell: Cell) -> bool:
    return cell.figure is None or not cell.figure.value
