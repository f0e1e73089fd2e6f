"""Lists that bear one letter and a number each: w2 is the second row where w1 was the first."""

from __future__ import annotations

import re

from derive.verify.grammar.grids import Grid
from derive.verify.known.matching import Asked, Match, matched
from derive.verify.known.state import State

_NUMBERED = re.compile(r"([^\W\d_]{1,4})_?\{?(\d{1,2})\}?")
LEAST = 6
"""So many digits of the first agree at the least."""


def note(state: State, name: str, grid: Grid, match: Match) -> None:
    """Keeps which step the lists of a letter are rows of, and how they are counted."""
    found = _NUMBERED.fullmatch(name)
    if found is None or grid.shape[0] > 1 or not match.is_whole or match.counts.digits < LEAST:
        return
    row = match.places[0][0][0]
    if match.step.shape[0] > 1 and match.places[0] == _row(row, match.step.shape[1]):
        state.lettered.setdefault(found[1], (match.step.name, row - int(found[2])))


def match(state: State, name: str, grid: Grid, asked: Asked) -> Match | None:
    """The row of the step that a list is by its letter and number."""
    found = _NUMBERED.fullmatch(name)
    kind, offset = state.lettered.get(found[1], ("", 0)) if found else ("", 0)
    if found is None or not kind or grid.shape[0] > 1:
        return None
    row = int(found[2]) + offset
    steps = [s for s in state.steps.all(grid.shape) if s.name == kind and 0 <= row < s.shape[0]]
    sure = frozenset(map(id, steps))
    return matched(grid.rows, steps, Asked((kind,), row, sure, tainted=asked.tainted))


def _row(row: int, width: int) -> tuple[tuple[int, int], ...]:
    return tuple((row, j) for j in range(width))
