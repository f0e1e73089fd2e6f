"""Lists and rows that are softmax(z / T), or z / T, for a temperature that the article tells."""

from __future__ import annotations

from collections.abc import Iterator

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Binary, Function, Leaf, Node, Number
from derive.verify.known.heated import heated
from derive.verify.known.state import State
from derive.verify.numbers.scaling import agreement
from derive.verify.speech.temperatures import NAMES, spoken
from derive.verify.values.evaluate import has_value, value

NEAR = 8
"""So many of the last lists may be meant."""
LEAST, TELLING = 0.6, 4
"""The part that agrees, and its digits, at the least."""


def tempered(state: State, grid: Grid) -> Node | None:
    """What a list, or a row for each temperature, is made of; None where most of it is not that."""
    if grid.shape == (1, 1):
        return None
    for by in _divisors(state, grid):
        for made in _made(state, grid, by):
            share, digits = agreement(grid, made)
            if (share >= LEAST and digits >= TELLING) or is_wholly(grid, made):
                return made
    return None


def is_wholly(grid: Grid, made: Node) -> bool:
    """Whether whole numbers are just what an expression gives: z / 0.25 as (6, 2)."""
    if not isinstance(made, Binary) or not has_value(made):
        return False
    exact = value(made, "exact").rows
    figures = [cell.figure for cell in grid.cells()]
    pairs = zip(figures, (x for row in exact for x in row), strict=False)
    return all(f is not None and f.is_whole and f.ball.overlaps(x) for f, x in pairs)


def running(state: State, sentence: str, count: int) -> Iterator[Grid]:
    """The same of the last lists of a length, at the temperature of a sentence, as steps."""
    if (said := spoken(sentence)) is None:
        return
    for grid in state.pool.recent():
        if grid.shape == (1, count):
            scaled = heated(grid, Number(Cell(said, -1)))
            for made in (scaled, Function("softmax", (scaled,))):
                step = state.steps.step("A", made, "heated", id(grid), said.text)
                if step is not None:
                    yield step


def _divisors(state: State, grid: Grid) -> Iterator[Node]:
    """The temperature of the words just before, and what is called so."""
    said = spoken(state.words) if grid.shape[0] == 1 else None
    if said is not None:
        yield Number(Cell(said, -1))
    for name in NAMES:
        known = state.pool.named.get(name)
        if known is not None and known.shape in ((1, 1), (grid.shape[0], 1)):
            yield Leaf(known)


def _made(state: State, grid: Grid, by: Node) -> Iterator[Node]:
    for other in [*state.pool.recent()][:NEAR]:
        if other.shape == (1, grid.shape[1]):
            scaled = heated(other, by)
            yield Function("softmax", (scaled,))
            yield scaled
