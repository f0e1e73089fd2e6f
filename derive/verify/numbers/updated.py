"""A list as another one less a rate times its gradient, where the words speak of what is new."""

from __future__ import annotations

import re
from collections.abc import Iterator

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Binary, Function, Leaf, Node, Number
from derive.verify.known.state import State
from derive.verify.numbers.scaling import agreement

NEW = re.compile(
    r"(?i)\bnew\b|updat|\bneue?[nrs]?\b|aktualisier|nouve(?:au|lle|aux)|mise? à jour"
    r"|nuev[oa]s?|actualiz|nov[oa]s?\b|atualiz|nuov[oaei]|aggiorna|нов(?:ые|ый|ая|ое|ых)"
    r"|обновл|now[aey]\b|zaktualiz|更新|新しい|새로|갱신|yeni|güncel"
    r"|cập nhật|\bmới\b|नए|नया|جديد|gradient step"
)
RATES = ("eta", "η", "lr", "alpha", "α")
"""What a rate is called."""
NEAR = 6
"""So many of the last lists are tried, and so many of the last numbers."""
LEAST, TELLING = 0.6, 4
"""The part that agrees, and its digits, at the least; all where the gradient is only given."""


def updated(state: State, grid: Grid) -> Node | None:
    """z - rate * g, where most of a list agrees with it; None where it does not."""
    if grid.shape == (1, 1):
        return None
    is_said = bool(NEW.search(f"{state.sentence} {state.words[-NEAR * 10 :]}"))
    is_said |= grid.name.endswith(("'", "new", "neu"))
    if not is_said and not any(name in state.pool.named for name in RATES):
        return None
    near = list(_near(state, grid))
    for rate in _rates(state):
        for old in near:
            for change in near:
                made = Binary("-", Leaf(old), Binary("*", rate, Leaf(change)))
                share, digits = agreement(grid, made) if old is not change else (0.0, 0)
                is_known = not {c.verdict for c in change.cells()} & {"assumed", "unchecked"}
                least = LEAST if is_known and is_said else 1
                if share >= least and digits >= (TELLING if is_said else 2 * TELLING):
                    return made
    return None


def _near(state: State, grid: Grid) -> Iterator[Grid]:
    """The last lists of its shape; a column stands for a row where one is printed as the other."""
    for known in [*state.pool.recent()][:NEAR]:
        if known.shape == grid.shape:
            yield known
        elif known.shape == grid.shape[::-1]:
            turned = Grid([list(column) for column in zip(*known.rows, strict=True)], known.name)
            turned.made = Function("T", (known.made,)) if known.made is not None else None
            yield turned


def _rates(state: State) -> Iterator[Node]:
    """The numbers that may be the rate."""
    named = (state.pool.named.get(name) for name in RATES)
    yield from (Leaf(g) for g in named if g is not None and g.shape == (1, 1))
    for figure in reversed(state.pool.figures[-NEAR:]):
        if 0 < figure.value <= 1:
            yield Number(Cell(figure, -1, exact=figure.ball))
