"""Whether weights are taken of scores without the bias that the article adds to them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from derive.verify.grammar.grids import Grid
from derive.verify.grammar.nodes import Binary, Leaf
from derive.verify.known.agreement import Counts
from derive.verify.known.masking import is_near, printed_rows, softmax
from derive.verify.known.matching import Match
from derive.verify.known.state import State

_WITHOUT = re.compile(
    r"(?i)without|\bno\b|\bohne\b|\bsans\b|\bsin\b|\bsem\b|\bsenza\b|\bбез\b|なし|なけれ|ない"
    r"|不加|没有|無|无|없|불포|\btanpa\b|không|\bbez\b|-siz\b|before|zuvor|avant|antes|до\b"
)
"""What says that weights are meant as they were without a bias."""
FEWEST, ROUGH = 3, 0.02
"""So many rows tell biases; so far off a whole number a multiple of the slope may be."""
CLOSE = 0.005
"""Weights that a bias changes by less tell nothing."""


def is_left_out(state: State) -> bool:
    """Whether the bias is once forgotten: other rows have it, and none is printed both ways."""
    if state.fixed is not None or not state.pool.is_biased:
        return False
    printed = list(printed_rows(state.pool.grids))
    kept, free = set(), set()
    for place, (_, i, bare, biased) in enumerate(_rows(state)):
        rows = [row for at, row in printed if at in (None, i)]
        kept |= {place} if any(is_near(row, biased) for row in rows) else set()
        free |= {place} if any(is_near(row, bare) for row in rows) else set()
    return bool(kept and free) and not kept & free


def unbiased(state: State, grid: Grid) -> Match | None:
    """The weights with a bias of which a list is the row as it is without the bias that binds."""
    is_list = grid.shape[0] == 1 and all(c.figure for c in grid.cells())
    if not state.pool.is_bias_bound or not is_list or _WITHOUT.search(state.sentence):
        return None
    width = grid.shape[1]
    for scores, i, bare, _ in _rows(state):
        if not is_near(grid.rows[0], bare) or width > scores.shape[1]:
            continue
        weights = state.steps.unary("softmax", scores, "A")
        if weights is not None:
            places = (tuple((i, j) for j in range(width)),)
            return Match(weights, places, Counts(), width, True)
    return None


def distanced(state: State, grid: Grid) -> Match | None:
    """The biases that a square matrix holds: 0 on the diagonal, below it multiples of the slope.

    What is none of the distance of its place is wrong.
    """
    n, slope = grid.shape[0], state.steps.slope()
    cells = [(i, j, c) for i, row in enumerate(grid.rows) for j, c in enumerate(row[:i])]
    if not state.pool.is_biased or slope is None or grid.shape != (n, n) or n < FEWEST:
        return None
    if any((f := row[i].figure) is None or f.value for i, row in enumerate(grid.rows)):
        return None
    unit = slope.near[0][0]
    times = [c.figure.near / unit if c.figure else 0.5 for _, _, c in cells]
    sign = -1 if sum(times) < 0 else 1
    if not all(0 < sign * t < math.inf and abs(t - round(t)) <= ROUGH for t in times):
        return None
    right = [abs(sign * t - (i - j)) < ROUGH for t, (i, j, _) in zip(times, cells, strict=True)]
    step = state.steps.bias(n, slope, sign) if sum(right) > len(right) / 2 else None
    if step is not None and _is_free_above(grid):
        step = state.steps.unary("lower", step, "bias")
    elif step is not None and grid.rows[0][-1].exact is not None:
        step = state.steps.unary("causal", step, "bias")
    places = tuple(tuple((i, j) for j in range(n)) for i in range(n))
    return None if step is None else Match(step, places, Counts(), n * n, True)


def _is_free_above(grid: Grid) -> bool:
    """Whether 0 stands for all that a mask hides anyway."""
    above = [cell.figure for i, row in enumerate(grid.rows) for cell in row[i + 1 :]]
    return all(figure is not None and not figure.value for figure in above)


def _rows(state: State) -> Iterator[tuple[Grid, int, list[float], list[float]]]:
    """The printed sums of scores and biases: each row's weights without the bias, and with it."""
    for grid in state.pool.grids:
        match grid.made:
            case Binary("+" | "-", Leaf(scores), _) if scores.shape == grid.shape:
                for i, (bare, biased) in enumerate(zip(scores.near, grid.near, strict=True)):
                    free, bound = _weights(bare), _weights(biased)
                    if _are_apart(free, bound):
                        yield grid, i, free, bound


def _weights(scores: list[float]) -> list[float]:
    """Those of a row, but for what a mask hides."""
    seen = [x for x in scores if math.isfinite(x)]
    return softmax(seen) if seen else []


def _are_apart(bare: list[float], biased: list[float]) -> bool:
    if len(bare) != len(biased):
        return False
    return any(abs(x - y) > CLOSE for x, y in zip(bare, biased, strict=True))
