"""Tables with a row for each pair of tokens: each of their columns is a matrix."""

from __future__ import annotations

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Headed, Name, Node, Number
from derive.verify.grammar.parser import expression
from derive.verify.known.state import State
from derive.verify.matrices.names import Meanings
from derive.verify.matrices.results import Results
from derive.verify.speech.roles import role
from derive.verify.tables.heads import Own, aligned, over_columns, symbol
from derive.verify.tables.pairs import Place, pairs

CALLED = frozenset(("S", "scaled", "masked", "A"))
"""What a head may call a column, beside the words in it."""


class Paired:
    """Judges tables with a row for each pair of tokens."""

    def __init__(self, state: State, names: Meanings, results: Results) -> None:
        """Over what is known."""
        self.state, self.names, self.results = state, names, results

    def read(self, table: Headed, cells: list[list[Cell]]) -> bool:
        """Whether the labels of a table are pairs; its columns are then judged."""
        places, first = pairs(table.labels), 0
        if not places and len(cells[0]) > 2:
            places, first = _counted(cells), 2
        if len(places) != len(cells):
            return False
        self.count([cell for row in cells for cell in row[:first]])
        heads = aligned(table.heads, len(cells[0]))
        words, own = self.state.words, Own()
        for head, column in list(zip(heads, zip(*cells, strict=True), strict=True))[first:]:
            self.state.words = f"{words} {head}"
            grid = self.column(head, _matrix(list(column), places), own)
            node = expression(symbol(head))
            if isinstance(node, Name) and node.text:
                own[node.text] = grid
        self.state.words = words
        return True

    def column(self, head: str, cells: list[list[Cell]], own: Own) -> Grid:
        """One column, by the formula or the words over it."""
        node = expression(symbol(head))
        made: Node | None = None
        if node is not None and not isinstance(node, Name | Number):
            made = over_columns(node, own)
        kind = role(head)
        self.state.is_output = kind in CALLED
        return self.results.headed(cells, Name(head) if kind in CALLED else None, made)

    def count(self, cells: list[Cell]) -> None:
        """The numbers of the tokens are no results."""
        for cell in cells:
            cell.verdict, cell.why = "unchecked", "a counting number"
            self.state.claims.append(cell)


def _counted(cells: list[list[Cell]]) -> list[Place]:
    """The places that the first two numbers of each row count, from 0 or from 1."""
    figures = [[cell.figure for cell in row[:2]] for row in cells]
    if not all(f and f.is_whole and f.value >= 0 for pair in figures for f in pair):
        return []
    counts = [tuple(int(f.value) for f in pair if f) for pair in figures]
    found = pairs([f"{i} {j}" for i, j in counts])
    from_one = [(i + 1, j + 1) for i, j in found]
    return found if counts in (found, from_one) else []


def _matrix(column: list[Cell], places: list[Place]) -> list[list[Cell]]:
    """The numbers of a column where their pairs stand; nothing stands where there is none."""
    rows, columns = (max(side) + 1 for side in zip(*places, strict=True))
    rows = columns if all(i < j for i, j in places) else rows
    made = [[Cell(None) for _ in range(columns)] for _ in range(rows)]
    for cell, (i, j) in zip(column, places, strict=True):
        made[i][j] = cell
    return made
