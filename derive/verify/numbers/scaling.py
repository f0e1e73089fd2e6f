"""Lists by the words of their sentence: divided by a number, sums, means, squares."""

from __future__ import annotations

import re
from collections.abc import Iterator

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Binary, Function, Leaf, Node, Number
from derive.verify.known.state import State
from derive.verify.speech.measures import EACH, MEASURES, spoken
from derive.verify.speech.operations import TIMES
from derive.verify.values.evaluate import is_alike, value
from derive.verify.values.operations import Unknown

NEAR = 160
"""A number is no further from the list that it makes, in characters."""
COLUMNS = {"Z": ("column sums",), "mean": ("column means",)}
"""The same of each column."""
TELLING = 4
"""So many agreeing digits are no chance."""
_RULE = re.compile(r"(?:-{3,}|—{2,}|─{3,}|_{3,})[\s=≈]*$")
"""The line under rows that are added up."""
FEW = 2
"""A list with more entries may hold a wrong one; so many of the last divisors are tried."""
MOST = 8
"""So many lists are added up below each other."""
CERTAIN = 10
"""So many, where no word speaks of it."""
MOSTLY = 8
"""So many, where words speak of it and some of the list is wrong."""
LEAST = 0.6
"""The part of the list that agrees, where words say that it is divided."""


def scaled(state: State, grid: Grid) -> Node | None:
    """The expression that a list is, by the number spoken of just before; None where it is none."""
    by = _number(state, grid)
    if grid.shape == (1, 1):
        return None
    is_said = "scaled" in state.heard or bool(TIMES.search(state.words))
    for made in _made(state, grid, by) if by is not None else ():
        share, digits = agreement(grid, made)
        if digits >= TELLING - is_said and (share == 1 or (share >= LEAST and is_said)):
            return made
    return divided_again(state, grid)


def divided_again(state: State, grid: Grid) -> Node | None:
    """The list just before over what others were divided by, whether or not words say it again."""
    last = state.pool.grids[-1] if state.pool.grids else None
    if last is None or last.shape != grid.shape or not 0 < _start(grid) - _start(last) <= NEAR:
        return None
    least = LEAST if grid.shape[1] > FEW else 1
    for made in (Binary("/", Leaf(last), by) for by in state.divisors[:FEW]):
        share, _ = agreement(grid, made)
        digits = sum(cell.figure.weight for cell in grid.cells() if cell.figure)
        if share >= least and digits * share >= TELLING:
            return made
    return None


def _start(grid: Grid) -> int:
    return next((cell.start for cell in grid.cells() if cell.start >= 0), -1)


def measured(state: State, grid: Grid) -> Node | None:
    """The sums, means or lengths that the sentence says a list holds; None where it holds none."""
    if grid.shape == (1, 1):
        return None
    best: tuple[float, Node | None] = (0.0, None)
    for made, least in _spoken(state, 1 in grid.shape):
        share, digits = agreement(grid, made)
        if share == 1 and digits >= least:
            return made
        if least < CERTAIN and digits >= MOSTLY and share >= LEAST and share > best[0]:
            best = share, made
    return best[1]


def _spoken(state: State, is_vector: bool) -> Iterator[tuple[Node, int]]:
    """What the last matrices lead to, and how many digits must agree."""
    for function, words in EACH.items():
        least = TELLING if words.search(state.sentence) else CERTAIN
        yield from ((Function(function, (Leaf(g),)), least) for g in state.pool.recent())
    for kind in spoken(state.sentence) if is_vector else ():
        for function in (*MEASURES[kind][0], *COLUMNS.get(kind, ())):
            for grid in state.pool.recent():
                made = Function(function, (Leaf(grid),))
                least = TELLING if kind != "norm" else 0  # lengths are seldom whole by chance
                yield made, least
                yield Function("T", (made,)), least


def added_up(state: State, grid: Grid) -> Node | None:
    """The sum of the lists above a line, where most of a list below it is that."""
    if grid.shape[0] > 1 or not _RULE.search(state.words):
        return None
    best: tuple[float, Node | None] = (0.0, None)
    for rows in _above(state):
        made = Function("column sums", (Leaf(rows),))
        share, digits = agreement(grid, made)
        if share >= LEAST and digits >= TELLING and share > best[0]:
            best = share, made
    return best[1]


def _above(state: State) -> Iterator[Grid]:
    """The last two lists below each other, the last three ..., which a line may stand under."""
    rows = next((stack.rows for stack in state.pool.stacks()), [])
    yield from (Grid(rows[-count:]) for count in range(FEW, min(len(rows), MOST) + 1))


def _number(state: State, grid: Grid) -> Node | None:
    """The number, or the expression of one, that stands just before."""
    start = _start(grid)
    if state.scale is not None and 0 <= start - state.scale_at <= NEAR:
        return state.scale
    last = state.last
    if last is not None and last.figure and 0 <= start - last.start <= NEAR:
        return Number(Cell(last.figure, -1, exact=last.figure.ball))
    return None


def is_number(node: Node) -> bool:
    """Whether an expression is one number."""
    try:
        found = value(node, "exact")
    except (Unknown, ValueError):
        return False
    return found.shape == (1, 1) and bool(found.rows[0][0].is_finite())


def _made(state: State, grid: Grid, by: Node) -> Iterator[Node]:
    run = state.runs.vector(grid.shape[1]) if grid.shape[0] == 1 else None
    for other in (*([run] if run is not None else []), *state.pool.recent()):
        if other.shape == grid.shape:
            yield from (Binary(sign, Leaf(other), by) for sign in "/*")
        elif other.shape[0] == grid.shape[0] == 1 < grid.shape[1] < other.shape[1]:
            first = state.runs.grid(other.rows[0][: grid.shape[1]])
            yield Binary("/", Leaf(first), by)


def agreement(grid: Grid, made: Node) -> tuple[float, int]:
    """The part of a list that agrees with an expression, and how many digits do."""
    found = _agreeing(grid, made, "exact")
    if found[0] == 1 or is_alike(made):
        return found
    return max(found, _agreeing(grid, made, "printed"))


def _agreeing(grid: Grid, made: Node, mode: str) -> tuple[float, int]:
    try:
        exact = value(made, mode).rows
    except (Unknown, ValueError):
        return 0, 0
    if (len(exact), len(exact[0])) != grid.shape:
        return 0, 0
    pairs = [
        (cell.figure, x)
        for row, values in zip(grid.rows, exact, strict=True)
        for cell, x in zip(row, values, strict=True)
        if cell.figure is not None
    ]
    agreed = [f for f, x in pairs if f.is_rounded(x)]
    digits = sum(f.weight for f in agreed if not f.is_whole)
    return (len(agreed) / len(pairs) if pairs else 0), digits
