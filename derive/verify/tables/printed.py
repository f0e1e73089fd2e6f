"""Tables as the chains that they print."""

from __future__ import annotations

import re
from collections.abc import Iterator

from flint import arb

from derive.verify.documents.document import Segment
from derive.verify.grammar.grids import Cell
from derive.verify.grammar.nodes import Array, Chain, Name, Number
from derive.verify.tables.cells import Columns
from derive.verify.tables.lines import Entry
from derive.verify.tables.stairs import drawn
from derive.verify.tables.tables import Table

CELL = "cell"
"""The maker of the one number of a table."""
_COUNTED = re.compile(r"\[1\]|(?:[^\W\d]+ ?)?[01]|")
"""The label of the one row of a table: R's [1], row 1, or none."""


def side_by_side(lists: Columns, segment: Segment) -> Iterator[Chain]:
    """The matrices in the columns of a table, one after the other."""
    start = (segment.uses or segment.offsets)[lists.start]
    for name, matrix in zip(lists.names, lists.matrices, strict=True):
        rows = [[Number(_cell(entry, segment)) for entry in row] for row in matrix]
        made = Array(tuple(Array(tuple(row)) for row in rows))
        yield Chain((Name(name), made)[not name :], start)


def tabled(table: Table, segment: Segment) -> Iterator[Chain]:
    """A table as a matrix, as vectors that stand in columns, or as blocks of columns."""
    rows = [[Number(_cell(entry, segment)) for entry in row] for row in table.rows]
    start = (segment.uses or segment.offsets)[table.start]
    if len(rows) * len(rows[0]) == 1:
        ((number,),) = rows
        is_counted = bool(_COUNTED.fullmatch(table.labels[0]))
        maker = "[" if table.labels[0] == "[1]" else CELL
        yield Chain((Array((number,), maker) if is_counted else number,), start)
    else:
        items = tuple(Array(tuple(row)) for row in rows)
        yield Chain((drawn(items, table),), start)


def _cell(entry: Entry, segment: Segment) -> Cell:
    if entry.figure is None:
        return Cell(None, -1, exact=arb.neg_inf() if entry.start >= 0 else None)
    return Cell(entry.figure, segment.offsets[entry.start])
