"""Angles in running text, by the words of their sentence: the angles are 3 and 0.03 radians."""

from __future__ import annotations

import re

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.known.state import State

_WORDS = re.compile(
    r"(?i)angle|winkel|ángulo|ângulo|angol[oi]|угол|углы|угла|角|각도|kąt|açı|\bgóc|كوّ|زاوي|कोण"
    r"|radian|frequen|частот|fréquence|频率|周波数|주파수"
)
FEWEST = 3
"""A number with fewer digits is an angle where it is one exactly."""


def angle(state: State, cell: Cell) -> tuple[Grid, int, int] | None:
    """The angle of a known vector that a number is: step, row, column."""
    figure = cell.figure
    if figure is None or not state.pool.is_rotary or not _WORDS.search(state.sentence):
        return None
    for kind in ("Q", "K", "H"):
        grid = state.pool.of_role(kind)
        for step in state.steps.angles((1, max(grid.shape) // 2)) if grid is not None else ():
            for place, target in enumerate(step.rows[0]):
                exact = target.exact
                if exact is None or not figure.is_rounded(exact):
                    continue
                if figure.weight >= FEWEST or (exact - figure.ball).contains(0):
                    return step, 0, place
    return None
