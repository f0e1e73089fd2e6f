"""Columns of earlier tables, each number by the words before its row: the total of a beam."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from derive.verify.columns.agreeing import agreement
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Binary, Leaf
from derive.verify.known.pool import Pool
from derive.verify.known.rivals import CERTAIN, LIKELY
from derive.verify.known.state import State

SIGNS = "+*"
"""What goes on from step to step."""
MOST = 0.75
"""The part of a column that agrees, at the least."""
TELLING = 3
"""So many digits tell which number is repeated."""
KEPT = 4
"""So many tables are remembered."""
_DRESS = re.compile(r"[*`$\"'“”„«»]")


class Looked:
    """Looks rows up in the tables before, by their labels."""

    def __init__(self, state: State) -> None:
        """No table yet."""
        self.state = state
        self.tables: list[tuple[dict[str, int], list[Grid]]] = []

    def note(self, labels: Sequence[str], columns: list[Grid]) -> None:
        """Keeps a table whose rows have labels, each its own."""
        rows = {_plain(label): place for place, label in enumerate(labels)}
        if columns and len(rows) == len(labels) == columns[0].shape[1] and "" not in rows:
            self.tables = [*self.tables[1 - KEPT :], (rows, columns)]

    def columns(self, labels: Sequence[str], count: int) -> Iterator[Grid]:
        """For each earlier column what its table says of what so many labels begin with."""
        for rows, columns in self.tables if len(labels) == count else ():
            for keys in zip(*map(_keys, labels), strict=True):
                places = [rows.get(key) for key in keys]
                if len(set(keys)) > 1 and None not in places:
                    found = [place for place in places if place is not None]
                    yield from (self.picked(column, found) for column in columns)

    def is_met(self, labels: Sequence[str], columns: list[Grid]) -> bool:
        """Whether a column is one of these with one before it under a sign, and by no chance."""
        for place, column in enumerate(columns):
            for known in self.columns(labels, column.shape[1]) if place else ():
                for before in columns[:place]:
                    for sign in SIGNS:
                        made = Binary(sign, Leaf(known), Leaf(before))
                        share, digits = agreement(column, made)
                        if digits >= (LIKELY if share == 1 else CERTAIN) and share >= MOST:
                            return True
        return False

    def picked(self, column: Grid, places: list[int]) -> Grid:
        """Entries of a column."""
        cells: list[Cell] = column.rows[0]
        return self.state.runs.grid([cells[place] for place in places])


def repeated(pool: Pool, cells: list[Cell]) -> list[Cell] | None:
    """Entries of what was printed before, each with all its digits: those of the targets."""
    if len(cells) < 2 or any(c.figure is None or c.figure.weight < TELLING for c in cells):
        return None
    found = [pool.origin(c.figure) for c in cells if c.figure is not None]
    known = [origin for origin in found if origin is not None and origin.made is not None]
    return known if len(known) == len(cells) else None


def _plain(label: str) -> str:
    return " ".join(_DRESS.sub("", label).casefold().split())


def _keys(label: str) -> tuple[str, str, str]:
    """A label; its first cell or word; all of it but the last."""
    plain = _plain(label)
    parts = [part.strip() for part in plain.split("|")] if "|" in plain else plain.split()
    return plain, parts[0] if parts else "", " ".join(parts[:-1])
