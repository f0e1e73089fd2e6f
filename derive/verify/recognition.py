"""A printed matrix recognised: as one printed before, or as a step of what is known."""

from __future__ import annotations

from collections.abc import Iterator

from derive.verify.evaluate import value
from derive.verify.grids import Grid
from derive.verify.judge import Judge
from derive.verify.matching import Match, matched, written
from derive.verify.nodes import Leaf, Node
from derive.verify.placing import Places
from derive.verify.roles import indexed, role
from derive.verify.scalars import Scalars
from derive.verify.state import State
from derive.verify.steps import quantity

INPUTS = ("H", "W_Q", "W_K", "W_V", "W_O")
WIDEST = 12
"""A table of steps side by side has at most so many columns."""


class Matches:
    """Recognises the printed matrices of an article."""

    def __init__(self, state: State, scalars: Scalars, places: Places) -> None:
        """Over what is known."""
        self.state, self.scalars, self.places = state, scalars, places

    def explained(self, grid: Grid, name: str, index: int | None, label: Node | None) -> bool:
        """Whether the matrix is a repetition, or a step of what is known."""
        kind = role(name)
        if grid.shape == (1, 1) and self.scalars.measured(grid.rows[0][0], kind):
            return True
        if self.is_again(grid, name):
            return True
        row = index
        if not kind and (found := indexed(name)) and grid.shape[0] == 1:
            kind, row = found[0], found[1] - 1
        is_input = kind in INPUTS or (kind in ("Q", "K", "V") and not self.is_projected(kind))
        if is_input and not self.state.is_soft:
            return False
        if grid.shape == (1, 1):
            return False
        if kind in ("Q", "K", "V", "A", "O") and grid.shape[0] == 1 and row is None:
            row = self.next_row(kind)
        match = self.found(grid, kind, row)
        if match is None:
            return self.is_beside(grid)
        self.by_match(grid, match)
        return True

    def found(self, grid: Grid, kind: str, row: int | None) -> Match | None:
        """The step that a matrix is: by its name, or by agreement alone."""
        steps = self.state.steps
        if self.state.is_soft:
            free = matched(grid.rows, steps.all(), "")
            return (
                free
                if free and free.is_whole
                else matched(grid.rows, steps.all(), kind, row) or free
            )
        known = steps.all() if kind else self.made()
        match = matched(grid.rows, known, kind, row, steps.sure)
        if match is None and row is not None:
            match = matched(grid.rows, steps.all(), "")
        return match

    def made(self) -> Iterator[Grid]:
        """The steps that are worked out, not given."""
        return (step for step in self.state.steps.all() if step.made is not None)

    def is_projected(self, kind: str) -> bool:
        """Whether queries, keys or values follow from an input and weights."""
        step = self.state.steps.projection(kind)
        return step is not None and step.name == kind and step.made is not None

    def next_row(self, kind: str) -> int | None:
        """The row that comes next where the rows of a matrix stand one by one."""
        place = self.state.pool.seen[kind]
        self.state.pool.seen[kind] += 1
        return place

    def is_beside(self, grid: Grid) -> bool:
        """Whether two steps stand side by side in one table."""
        rows, columns = grid.shape
        if rows < 2 or not 2 < columns <= WIDEST or not self.state.is_output:
            return False
        for cut in range(1, columns):
            parts = [Grid([row[:cut] for row in grid.rows]), Grid([row[cut:] for row in grid.rows])]
            found = [self.rich_match(part) for part in parts]
            if all(found):
                for part, match in zip(parts, found, strict=True):
                    if match is not None:
                        self.by_match(part, match)
                return True
        return False

    def rich_match(self, grid: Grid) -> Match | None:
        """The step with which all of a matrix agrees, where that can be no chance."""
        match = matched(grid.rows, self.state.steps.all(), "")
        return match if match is not None and match.is_whole and match.rich > 2 else None

    def by_match(self, grid: Grid, match: Match) -> None:
        """Judges a matrix as (part of) a step."""
        step, places = match.step, match.places
        exact = value(Leaf(step), "exact")
        made = step.made or Leaf(step)
        judge = Judge(made, exact, tuple(self.places.proportional(exact)))
        for row, targets in zip(grid.rows, places, strict=True):
            for cell, (i, j) in zip(row, targets, strict=True):
                target = step.rows[i][j]
                cell.exact = exact.rows[i][j]
                cell.quantity = target.quantity or quantity(step.name, i, j, step.shape)
                if cell.figure:
                    cell.verdict, cell.root = judge.verdict(cell, i, j)
                    self.state.claims.append(cell)
        if all(place == (i, j) for i, row in enumerate(places) for j, place in enumerate(row)):
            grid.made = grid.made or (step.made if grid.shape == step.shape else None)
        written(grid, match)

    def is_again(self, grid: Grid, name: str) -> bool:
        """A matrix printed before, or a part of one, entry for entry."""
        known = self.state.pool.named.get(name) if name else None
        if known is not None and known.shape == grid.shape and _is_same(known, grid):
            for row, before in zip(grid.rows, known.rows, strict=True):
                for cell, origin in zip(row, before, strict=True):
                    self.state.refer(cell, origin)
            grid.made = known.made
            return True
        if role(name) or grid.shape == (1, 1) or name:
            return False
        found = [self.state.pool.vector(row) for row in grid.rows]
        if any(v is None for v in found):
            return False
        if any(c.verdict != "correct" for v in found for c in v or ()):
            match = matched(grid.rows, self.made(), "")
            if match is not None and match.is_whole and match.step.made is not None:
                return False
        for row, origins in zip(grid.rows, found, strict=True):
            for cell, origin in zip(row, origins or (), strict=True):
                self.state.refer(cell, origin)
        return True


def _is_same(known: Grid, grid: Grid) -> bool:
    return all(
        a.figure and b.figure and a.figure.value == b.figure.value
        for a, b in zip(known.cells(), grid.cells(), strict=True)
    )
