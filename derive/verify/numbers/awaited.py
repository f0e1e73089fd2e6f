"""Numbers told before the table that they are measured of: the exponentials add up to 35.69."""

from __future__ import annotations

from derive.verify.grammar.grids import Cell
from derive.verify.known.state import State
from derive.verify.numbers.scalars import Scalars

FAR = 600
"""A number is told no further before its table, in characters."""
TELLING = 4
"""So many digits are no chance."""


class Awaited:
    """Keeps the last number that nothing before explains."""

    def __init__(self, state: State, scalars: Scalars) -> None:
        """None yet."""
        self.state, self.scalars = state, scalars
        self.cell: Cell | None = None
        self.sentence = ""

    def note(self, cell: Cell) -> None:
        """One more number."""
        if cell.verdict == "unchecked" and cell.figure and cell.figure.weight >= TELLING:
            self.cell, self.sentence = cell, self.state.sentence

    def again(self, start: int) -> None:
        """Whether it is measured of the columns of a table that begins here."""
        cell, self.cell = self.cell, None
        if cell is None or cell.verdict != "unchecked" or not 0 < start - cell.start < FAR:
            return
        kept, self.state.sentence = self.state.sentence, self.sentence
        if self.scalars.spoken(cell):
            cell.why = ""
            self.state.pool.note(cell)
        self.state.sentence = kept
