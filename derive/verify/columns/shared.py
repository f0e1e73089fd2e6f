"""A percentage that a sentence tells of one row of a table, and that is not the share of it."""

from __future__ import annotations

import re

from flint import arb

from derive.verify.columns.looked import Looked
from derive.verify.grammar.figures import Figure, enclosed
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.known.state import State
from derive.verify.numbers.parts import SIGNS
from derive.verify.numbers.slips import RIGHT, SUPPOSED, judged

LEAST, NEAR = 3, 2
"""A percentage has so many digits at the least, and is off by so many units of the last."""
REACH = 250
"""It stands no further behind the table, in characters."""
ALIKE = 0.01
"""Printed shares add up to one but for so much."""


def slipped(state: State, looked: Looked, cell: Cell) -> bool:
    """Whether a percentage is the share of the row that is named, but for a digit; it is judged."""
    figure = cell.figure
    if cell.verdict != "unchecked" or figure is None or figure.text[-1:] not in SIGNS:
        return False
    if figure.weight < LEAST or not looked.tables or SUPPOSED.search(state.sentence):
        return False
    rows, columns = looked.tables[-1]
    named = [place for label, place in rows.items() if _is_said(label, state.sentence)]
    shares = [column.rows[0] for column in columns if _are_shares(column)]
    if len(named) != 1 or len(shares) != 1:
        return False
    known = shares[0][named[0]]
    if known.exact is None or known.made is None or known.verdict not in RIGHT:
        return False
    place = max(c.start for c in shares[0])
    if not 0 < cell.start - place < REACH or _is_far(figure, known.exact):
        return False
    return judged(cell, known, ())


def _is_far(figure: Figure, exact: arb) -> bool:
    return not abs(enclosed(figure.value) - exact) <= enclosed(NEAR * figure.unit)


def _is_said(label: str, sentence: str) -> bool:
    return len(label) > 1 and bool(
        re.search(rf"(?<!\w){re.escape(label)}(?!\w)", sentence.casefold())
    )


def _are_shares(column: Grid) -> bool:
    figures = [c.figure for c in column.cells()]
    known = [f.value for f in figures if f is not None]
    return len(known) == len(figures) > 1 and min(known) >= 0 and abs(float(sum(known)) - 1) < ALIKE
