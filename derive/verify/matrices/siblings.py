"""Rows one after the other: w2 after w1, or the next list of which words say the same."""

from __future__ import annotations

import re
from collections.abc import Iterable

from derive.verify.causes.mistakes import is_row_explained
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Binary, Leaf
from derive.verify.known.agreement import Readings, agreement
from derive.verify.known.matching import Asked, Match, matched
from derive.verify.known.state import State
from derive.verify.known.steps.made import UNARY
from derive.verify.speech.measures import EACH

_NUMBERED = re.compile(r"([^\W\d_]{1,4})_?\{?(\d{1,2})\}?")
LEAST = 6
"""So many digits of the first agree at the least."""
NEAR = 24
"""So near are the words that say what each entry is, in characters."""
FOUR = 4
"""So many entries at the least, where no word speaks of them."""
PRODUCTS, SUMS = frozenset("Q K V O".split()), frozenset(("X", "sum", "residual"))
"""Steps for which there is one convention alone."""
TELLING = 3
"""So many digits of the next row agree at the least, where one of its numbers is wrong."""


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


def take_turn(state: State, match: Match) -> None:
    """Keeps which row of a step was printed last."""
    row, width = match.places[0][0][0], match.step.shape[1]
    if len(match.places) == 1 and match.step.shape[0] > 1 and match.places[0] == _row(row, width):
        state.turns[match.step.name] = (match.step, row)


def in_turn(state: State, grid: Grid, kind: str) -> Match | None:
    """The next row of the step of which words speak, where it is that but for a mistake."""
    near = state.words[-NEAR:]
    said = [UNARY[name] for name, word in EACH.items() if name in UNARY and word.search(near)]
    names = (kind,) if kind else (*said, *state.heard[:1])
    step, last = next((state.turns[name] for name in names if name in state.turns), (None, 0))
    row = last + 1
    if step is None or grid.shape != (1, step.shape[1]) or row >= step.shape[0]:
        return None
    if matched(grid.rows, [step], Asked((step.name,), None, {id(step)})) or step.made is None:
        return None
    others = (s for s in state.steps.all(grid.shape) if s.name == step.name or is_next(state, s))
    if _is_other(grid, others):
        return None
    places = (_row(row, step.shape[1]),)
    counts = agreement(grid.rows, Readings(step), places, True, grid.shape[1])
    is_begun = 2 * counts.agreed >= grid.shape[1] and counts.digits >= TELLING
    if not is_begun and not is_row_explained(grid.rows, step.made, state.pool, row):
        return None
    return Match(step, places, counts, grid.shape[1], True)


def _is_other(grid: Grid, steps: Iterable[Grid]) -> bool:
    """Whether a list agrees with another step, with too many digits for a chance."""
    match = matched(grid.rows, steps)
    return match is not None and match.is_whole and match.counts.digits >= LEAST


def one_by_one(state: State, row: list[Cell], least: int = 3) -> list[Cell] | None:
    """Results printed each alone before, or as lists, which a row of three or more repeats."""
    if len(row) < least or all(c.figure and c.figure.is_whole for c in row):
        return None
    return state.runs.same(row) or joined(state, row)


def joined(state: State, row: list[Cell]) -> list[Cell] | None:
    """The earlier lists of one length that a list repeats one after the other."""
    for width in range(len(row) // 2, 1, -1):
        if len(row) % width:
            continue
        parts = [state.pool.vector(row[i : i + width]) for i in range(0, len(row), width)]
        found = [part for part in parts if part is not None]
        if len(found) == len(parts):
            return [cell for part in found for cell in part]
    return None


HIDDEN = frozenset("S scaled masked A O".split())
"""What a mask changes row by row."""


def in_blocks(state: State, grid: Grid, names: Iterable[str]) -> Match | None:
    """The same under each of some names, the likeliest first; none of what a mask may change."""
    free = (kind for kind in dict.fromkeys(names) if not (kind in HIDDEN and state.said.is_masked))
    found = (in_block(state, grid, kind) for kind in free)
    return next(filter(None, found), None)


def in_block(state: State, grid: Grid, kind: str = "") -> Match | None:
    """The step of the name or of which words speak, where half of the rows are its own.

    Or, where they speak of none, what the matrix printed last is multiplied to.
    The rest is wrong: a row printed twice, of another place, or worked out with a mistake.
    """
    is_named, kind = bool(kind), kind or next(iter(state.heard), "")
    rows, width = grid.shape
    for step in state.steps.all(grid.shape) if rows > 1 else ():
        if step.shape != grid.shape or step.made is None:
            continue
        if step.name != kind and (is_named or not is_next(state, step) or rows * width < FOUR):
            continue
        readings, places = Readings(step), [(_row(i, width),) for i in range(rows)]
        found = [
            agreement([row], readings, place, True, width)
            for row, place in zip(grid.rows, places, strict=True)
        ]
        whole = [counts for counts in found if counts.agreed == width]
        if 2 * len(whole) >= rows and sum(c.digits for c in whole) >= LEAST:
            where = tuple(place for (place,) in places)
            return Match(step, where, whole[0], rows * width, True)
    return None


def is_next(state: State, step: Grid) -> bool:
    """Whether a step is a product of what was printed last, or a sum with it."""
    match step.made:
        case Binary("@", Leaf(left), _) if step.name in PRODUCTS:
            return _ends(state, left)
        case Binary("+", Leaf(left), Leaf(right)) if step.name in SUMS:
            return _ends(state, left) or _ends(state, right)
    return False


def _ends(state: State, grid: Grid) -> bool:
    """Whether what was printed last is a matrix, has its digits, or is the last of its rows."""
    last = state.pool.grids[-1] if state.pool.grids else None
    if last is None:
        return False
    return last.rows[-1] is grid.rows[-1] or last.texts() == grid.texts()


def _row(row: int, width: int) -> tuple[tuple[int, int], ...]:
    return tuple((row, j) for j in range(width))
