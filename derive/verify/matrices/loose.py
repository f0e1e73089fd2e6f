"""Single numbers in running text that are, one after the other, the entries of a step."""

from __future__ import annotations

from collections.abc import Iterator

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.known.matching import LIKELY, Match, matched
from derive.verify.known.state import State
from derive.verify.matrices.recognition import Matches
from derive.verify.numbers.slips import slipped

APART = 160
"""Numbers of one list are no further from each other, in characters."""
LONGEST = 12
LEAST = 3
"""A list has at least so many numbers."""
TELLING = 6
"""So many agreeing digits are no chance."""


class Loose:
    """The numbers of running text that no step explained alone."""

    def __init__(self, state: State, matches: Matches) -> None:
        """None yet."""
        self.state, self.matches = state, matches
        self.cells: list[Cell] = []

    def note(self, cell: Cell) -> None:
        """One more number."""
        if cell.figure is None or cell.start < 0:
            return
        if self.cells and not 0 < cell.start - self.cells[-1].start <= APART:
            self.close()
        self.cells.append(cell)

    def close(self) -> None:
        """The list is at its end: what of it is not explained yet may be so together."""
        cells, self.cells = self.cells[-LONGEST:], []
        self.listed(cells)
        for cell in cells:
            slipped(self.state, cell, cells)

    def listed(self, cells: list[Cell]) -> None:
        """Judges what of the numbers is explained together."""
        if len(cells) < LEAST or not any(c.verdict == "unchecked" for c in cells):
            return
        for count in range(len(cells), LEAST - 1, -1):
            for first in range(len(cells) - count + 1):
                part = cells[first : first + count]
                if any(c.verdict == "unchecked" for c in part) and (found := self.match(part)):
                    self.matches.by_match(Grid([part]), found)
                    return

    def match(self, cells: list[Cell]) -> Match | None:
        """The step of which most of the numbers are entries."""
        found = matched([cells], self.steps(len(cells)))
        if found is None or found.counts.digits < TELLING:
            return None
        return found if found.counts.agreed + 1 >= found.total else None

    def steps(self, count: int) -> Iterator[Grid]:
        """What the last vectors of a length lead to."""
        for run in (*self.state.runs.of_length(count), *self.state.pool.recent()):
            if run.shape == (1, count):
                for function in ("shares", "softmax", "exp"):
                    step = self.state.steps.unary(function, run, "A")
                    if step is not None:
                        yield step
        yield from (s for s in self.state.steps.all() if s.name in LIKELY and is_begun(s))


def is_begun(step: Grid) -> bool:
    """Whether a step is printed, which a list may repeat."""
    return step.made is not None and any(c.figure for c in step.cells())
