"""Two decimals that are said to be equal, and are not: 0.5 = 0.6."""

from __future__ import annotations

import re

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Leaf, Node, Number
from derive.verify.known.state import State

_PAIR = re.compile(r"(?<![\w.,/*+^-])\d+[.,]\d+\s?=\s?\d+[.,]\d+(?!\w|[.,]\d)")
"""Several of these are a table of what each is turned into."""
_ALONE = re.compile(r"(?:^|\n|[.!?:;]\s)[\s$*_>`-]*$")


def equated(state: State, before: Node | None, cells: list[list[Cell]], place: int) -> Node | None:
    """The decimal before `=`, where another stands behind; place: which side of the chain it is."""
    if not isinstance(before, Number) or before.cell.figure is None or state.is_about:
        return None
    left, right = before.cell, cells[0][0]
    if len(cells) * len(cells[0]) > 1 or right.figure is None or left.figure is None:
        return None
    is_decimal = not (left.figure.is_whole or right.figure.is_whole)
    is_plain = left.figure.text[-1:].isdigit() and right.figure.text[-1:] not in "°‰"
    is_alone = bool(_ALONE.search(state.words)) and not _PAIR.search(f"{state.words}\n{state.tail}")
    if not (is_decimal and is_plain and not right.is_share and (place > 1 or is_alone)):
        return None
    units = {left.figure.unit, right.figure.unit}
    is_same = len(units) == 1 and right.figure.text[-1:].isdigit()
    if abs(left.figure.value - right.figure.value) <= (0 if is_same else max(units)):
        return None
    return Leaf(Grid([[Cell(left.figure, left.start, exact=left.figure.ball)]]))
