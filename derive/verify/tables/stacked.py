"""Tables that stack matrices: the first rows hold the scores, the next what they are scaled to."""

from __future__ import annotations

from itertools import groupby

from derive.verify.grammar.grids import Cell
from derive.verify.grammar.nodes import Headed
from derive.verify.speech.hearing import heard
from derive.verify.speech.roles import indexed, role

Block = tuple[str, str, int, int]
"""The kind of a block, the label of its first row, its first row and the one behind its last."""


def stacked(table: Headed, cells: list[list[Cell]]) -> list[Block]:
    """The blocks of rows that their labels part, where each has a kind of its own; else none."""
    if len(table.labels) != len(cells) or len(cells[0]) < 2:
        return []
    made: list[Block] = []
    for kind, run in groupby(range(len(cells)), lambda place: _kind(table.labels[place])):
        rows = list(run)
        made.append((kind, table.labels[rows[0]], rows[0], rows[-1] + 1))
    kinds = [block[0] for block in made]
    is_many = len(kinds) > 1 and all(last - first > 1 for _, _, first, last in made)
    return made if is_many and all(kinds) and len(set(kinds)) == len(kinds) else []


def _kind(label: str) -> str:
    """The quantity that a label names or speaks of."""
    plain = label.strip("$*` ")
    found = indexed(plain)
    return role(plain) or (found[0] if found else next(iter(heard(plain)), ""))
