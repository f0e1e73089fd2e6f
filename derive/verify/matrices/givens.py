"""Whether a printed matrix is given by the author, or may be what is worked out."""

from __future__ import annotations

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.known.matching import Match
from derive.verify.known.state import State
from derive.verify.matrices.written import is_told
from derive.verify.speech.roles import indexed

INPUTS = ("H", "W_Q", "W_K", "W_V", "W_O")
DIGITS, FEWEST = 3, 2
"""So many digits has each of the results that a list gathers, and so many there are."""


def is_given(state: State, kind: str, grid: Grid) -> bool:
    """Whether what has the name of a kind is given by the author."""
    if kind in ("Q", "K", "V"):
        is_new = grid.shape[0] == 1 and any(True for _ in state.steps.of_one_token(kind))
        return not (is_new or is_projected(state, kind))
    return kind in INPUTS and not is_another(state, kind, grid)


def is_another(state: State, kind: str, grid: Grid) -> bool:
    """Whether the name of the input is used again for what is worked out later."""
    known = state.pool.of_role(kind)
    if kind != "H" or known is None or is_next(state, grid, known):
        return False
    is_renamed = known.name not in ("", grid.name) and is_worked_out(state)
    return known.shape != grid.shape or is_renamed


def is_next(state: State, grid: Grid, known: Grid) -> bool:
    """Whether the inputs are given row by row, and this is the one behind those known."""
    behind = (indexed(grid.name) or ("", 0))[1] == known.shape[0] + 1
    return behind and grid.shape == (1, known.shape[1]) and not is_worked_out(state)


def is_worked_out(state: State) -> bool:
    """Whether something has been worked out already."""
    return any(grid.made is not None for grid in state.pool.grids)


def is_projected(state: State, kind: str) -> bool:
    """Whether queries, keys or values follow from an input and weights."""
    step = state.steps.projection(kind)
    return step is not None and step.name == kind and step.made is not None


def gathered(state: State, grid: Grid) -> dict[int, Cell]:
    """The single results that stand in a list among whole numbers, by the entry that repeats each.

    Nothing where an entry with a point is none of them.
    """
    cells = [c for c in grid.cells() if c.figure is not None and not c.figure.is_whole]
    if grid.shape[0] > 1 or len(cells) < FEWEST:
        return {}
    found = {id(c): state.pool.origin(c.figure) for c in cells if c.figure is not None}
    known = {place: origin for place, origin in found.items() if origin and origin.made is not None}
    is_fine = all(c.figure is not None and c.figure.weight >= DIGITS for c in cells)
    return known if is_fine and len(known) == len(cells) else {}


def is_meant(state: State, kind: str, match: Match) -> bool:
    """Whether a matrix is the step it agrees with, and its other numbers are wrong.

    No input in whole numbers is, of which some happen to agree.
    """
    is_chance = kind == "H" and match.rich < 2
    return match.is_whole or (is_told(match.step, state.unknown) and not is_chance)
