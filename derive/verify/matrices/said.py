"""A single number that a sentence gives to the formula before it: q'·k is -3.97."""

from __future__ import annotations

import re

from derive.verify.grammar.grids import Cell
from derive.verify.grammar.nodes import Name, Node
from derive.verify.known.state import State
from derive.verify.matrices.names import Meanings
from derive.verify.speech.roles import COPULAS
from derive.verify.values.evaluate import has_value, value

REACH = 80
"""The formula begins no further before the number, in characters."""
TELLING = 2
"""A number has at least so many significant digits."""
_VERB = re.compile(rf"(?i)[\s$`*)]({'|'.join(map(re.escape, sorted(COPULAS)))})[\s$`*\\(]*$")
_END = re.compile(r"[.;,:!?。，、；][\s$]")


def made_of(state: State, names: Meanings, cell: Cell) -> Node | None:
    """The formula that a number is the value of; None where the sentence does not say that."""
    label, figure = state.label, cell.figure
    distance = cell.start - state.label_at
    if label is None or isinstance(label, Name) or figure is None or not 0 < distance <= REACH:
        return None
    tail = state.words[-distance:]
    if figure.is_whole or figure.weight < TELLING or not _VERB.search(tail) or _END.search(tail):
        return None
    made = names.resolved(label)
    if not has_value(made):
        return None
    exact = value(made, "exact")
    return made if exact.shape == (1, 1) and exact.rows[0][0].is_finite() else None
