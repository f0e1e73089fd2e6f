"""p - y, the gradient of a softmax with cross-entropy: probabilities less one at the right word."""

from __future__ import annotations

import re
from fractions import Fraction

from flint import arb

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Binary, Function, Leaf
from derive.verify.known.agreement import Counts
from derive.verify.known.matching import Asked, Match, matched
from derive.verify.known.state import State
from derive.verify.known.steps import Steps
from derive.verify.known.steps.made import whole
from derive.verify.speech.roles import COPULAS

NAME = "dlogits"
PROBABILITIES = ("A", "shares", "P")
_GRADIENT = re.compile(
    r"(?i)(?:gra[dđ]ient|gradyan|градієнт|градиент|∇|梯度|勾配|기울기|그래디언트|التدرج)[^\W\d]*"
    r"(?:(?!prob|softmax|weight|\bp\b|need|start|from\b|概率|確率|확률)[^\d.;!?。！？\n]){0,60}?"
    rf"(?:[:：=≈→⇒]|\s(?:{'|'.join(sorted(COPULAS))})|[为是は은는]|(?<=[^\W\d]))[\s$\\]*$"
)
"""What says, right before a list, that it is a gradient."""


def undiminished(state: State, grid: Grid) -> Match | None:
    """The p - y which a list is meant to be that is called a gradient, and is p itself.

    The article tells which class is the right one.
    """
    places, (rows, columns) = state.said.targets, grid.shape
    is_one = rows == 1 < columns and len(places) == 1 and places[0] < columns
    if not is_one or not _GRADIENT.search(state.words):
        return None
    hot = Grid([[Cell(None, exact=arb(j == places[0])) for j in range(columns)]])
    for step in [s for s in state.steps.all(grid.shape) if s.name in PROBABILITIES]:
        found = matched(grid.rows, [step]) if step.shape == grid.shape else None
        if found is None or not found.is_whole:
            continue
        made = state.steps.step(
            NAME, Binary("-", Leaf(step), Leaf(hot)), NAME, id(step), "hot", places[0]
        )
        at = tuple((0, j) for j in range(columns))
        return None if made is None else Match(made, (at,), Counts(), columns, True)
    return None


def less_one(grid: Grid, steps: Steps) -> Match | None:
    """The match of a matrix, negative once in each row, with known probabilities less one."""
    if grid.shape[0] > 1 == grid.shape[1]:
        return _upright(grid, steps)
    rows, columns = grid.shape
    places = [[j for j, c in enumerate(r) if c.figure and c.figure.value < 0] for r in grid.rows]
    if columns < 2 or any(len(negative) != 1 for negative in places):
        return None
    if sum(not _is_nought(row) for row in grid.rows) > rows / 2:
        return None
    hot = Grid([[Cell(None, exact=arb(j == p)) for j in range(columns)] for (p,) in places])
    for step in [s for s in steps.all(grid.shape) if s.name in PROBABILITIES]:
        if step.shape[1] != columns:
            continue
        for first in range(step.shape[0] - rows + 1):
            part = Function("rows", (Leaf(step), whole(first), whole(rows)))
            made = steps.step(
                NAME, Binary("-", part, Leaf(hot)), NAME, id(step), first, str(places)
            )
            match = matched(grid.rows, [made] if made is not None else [], Asked((NAME,)))
            if match is not None and 2 * match.counts.agreed >= match.total and match.rich > 1:
                return match
    return None


def _upright(grid: Grid, steps: Steps) -> Match | None:
    """The same for a column, or for a row of known probabilities that it stands for."""
    cells = list(grid.cells())
    lower = [j for j, c in enumerate(cells) if c.figure and c.figure.value < 0]
    if len(lower) != 1 or not _is_nought(cells):
        return None
    for step in [s for s in steps.all(grid.shape) if s.name in PROBABILITIES]:
        if step.shape not in (grid.shape, grid.shape[::-1]):
            continue
        hot = Grid([[Cell(None, exact=arb(j == lower[0]))] for j in range(len(cells))])
        part = Leaf(step) if step.shape == grid.shape else Function("T", (Leaf(step),))
        made = steps.step(NAME, Binary("-", part, Leaf(hot)), NAME, id(step), "up", lower[0])
        match = matched(grid.rows, [made] if made is not None else [], Asked((NAME,)))
        if match is not None and 2 * match.counts.agreed >= match.total and match.rich > 1:
            return match
    return None


def _is_nought(row: list[Cell]) -> bool:
    """Whether a printed row adds up to 0, to its rounding."""
    figures = [cell.figure for cell in row if cell.figure is not None]
    if any(abs(f.value) > 1 for f in figures):
        return False
    total = sum((f.value for f in figures), Fraction(0))
    return abs(total) <= sum((f.unit for f in figures), Fraction(0))
