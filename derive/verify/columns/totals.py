"""The last row of a table that holds the sums or the means of its columns."""

from __future__ import annotations

from fractions import Fraction

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Function, Headed, Leaf
from derive.verify.known.state import State
from derive.verify.speech.measures import spoken
from derive.verify.values.evaluate import value
from derive.verify.values.judge import Judge

LEAST = 0.6
"""The part of the row that fits the printed columns, at the least."""
TELLING, NEAR = 3, Fraction(1, 4)
"""So many digits of one tell that the others, no further off than such a part, are meant too."""
FUNCTIONS = {"Z": "sum", "mean": "mean"}


class Totals:
    """Keeps the last row of a table until the rows above it are judged."""

    def __init__(self, state: State) -> None:
        """None yet."""
        self.state = state
        self.columns: list[list[Cell]] = []
        self.row: list[Cell] = []
        self.function = ""

    def part(self, table: Headed, cells: list[list[Cell]]) -> list[list[Cell]]:
        """The rows above the last, where that holds sums or means; else all."""
        function = FUNCTIONS.get(next(iter(spoken(table.labels[-1] if table.labels else "")), ""))
        if function is None:
            self.columns = _columns(cells)
            return cells
        if len(cells) == 1:
            is_total = self.takes(cells[0], self.columns[-len(cells[0]) :], function)
            return [] if is_total else cells
        above = _columns(cells[:-1])
        if len(cells) < 3 or not self.takes(cells[-1], above, function):
            self.columns = _columns(cells)
            return cells
        return cells[:-1]

    def takes(self, row: list[Cell], columns: list[list[Cell]], function: str) -> bool:
        """Whether a row fits the columns, as far as their digits say."""
        if len(row) != len(columns) or not columns:
            return False
        pairs = list(zip(row, columns, strict=True))
        held = [_fits(cell, column, function) for cell, column in pairs]
        told = (c.figure.weight for h, c in zip(held, row, strict=True) if h and c.figure)
        is_near = max(told, default=0) >= TELLING and all(_fits(*p, function, NEAR) for p in pairs)
        if sum(held) < LEAST * len(held) and not is_near:
            return False
        self.row, self.columns, self.function = row, columns, function
        return True

    def finish(self) -> None:
        """The verdicts on the row that was kept."""
        row, self.row = self.row, []
        for cell, column in zip(row, self.columns, strict=False):
            if self.function == "sum" and _is_whole(cell, column):
                cell.verdict, cell.why = "unchecked", "prose"
                self.state.claims.append(cell)
                continue
            made = Function(self.function, (Leaf(Grid([column])),))
            exact = value(made, "exact")
            self.state.judged([[cell]], exact, Judge(made, exact), "")
            self.state.pool.note(cell)


def _columns(cells: list[list[Cell]]) -> list[list[Cell]]:
    return [list(column) for column in zip(*cells, strict=True)]


def _is_whole(cell: Cell, column: list[Cell]) -> bool:
    """Whether 1 stands below given shares of it that make another sum: one of them is wrong."""
    figures = [c.figure for c in column if c.figure and c.made is None and c.verdict == "assumed"]
    if cell.figure is None or cell.figure.value != 1 or len(figures) < len(column):
        return False
    is_share = all(0 <= f.value <= 1 and not f.is_whole for f in figures)
    return is_share and not _fits(cell, column, "sum")


def _fits(cell: Cell, column: list[Cell], function: str, by: Fraction = Fraction(0)) -> bool:
    """Whether a number is the sum or the mean of a column, or no further from it than by a part."""
    figures = [c.figure for c in column if c.figure]
    if cell.figure is None or len(figures) < len(column):
        return False
    total = sum((f.value for f in figures), Fraction(0))
    count = len(figures) if function == "mean" else 1
    room = max(f.unit for f in figures) * len(figures) / count + cell.figure.unit
    return abs(total / count - cell.figure.value) <= room + by * abs(total / count)
