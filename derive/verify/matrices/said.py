"""What stands behind the formula that it is the value of: q'·k is -3.97; p - y: dz = [...]."""

from __future__ import annotations

import re

from flint import arb

from derive.verify.grammar.figures import Figure
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Name, Node
from derive.verify.grammar.parser import AND
from derive.verify.known.state import State
from derive.verify.matrices.names import Meanings
from derive.verify.numbers.misprints import is_one_digit
from derive.verify.numbers.scaling import agreement
from derive.verify.speech.headings import weights_above
from derive.verify.speech.roles import COPULAS
from derive.verify.values.evaluate import has_value, value

REACH = 80
"""The formula begins no further before the number, in characters."""
TELLING = 2
"""A number has at least so many significant digits."""
LEAST, DIGITS = 0.6, 4
"""The part of a list that agrees with the formula before it, and its digits, at the least."""
ENDS = AND | {"nats", "nat", "bits", "bit", "so", "also", "donc", "rad", "radians"}
"""Words that may follow the value."""
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
    if not has_value(made) or not _is_last(state.sentence, figure.text):
        return None
    exact = value(made, "exact")
    if exact.shape != (1, 1) or not exact.rows[0][0].is_finite():
        return None
    return None if label is state.scale and _is_far(figure, exact.rows[0][0]) else made


def _is_far(figure: Figure, exact: arb) -> bool:
    """Whether a number is another than the one it stands behind: divided by √2 that is 1.1."""
    is_near = figure.is_rounded(exact) or figure.is_cut(exact)
    return not (is_near or is_one_digit(figure, exact))


def _is_last(sentence: str, number: str) -> bool:
    """Whether the clause ends with the number: what is 1.5 times larger is no value."""
    rest = sentence.rpartition(number)[2].strip("$`*)\\ .,;:\n")
    word = rest.split(maxsplit=1)[0].lower() if rest else ""
    return not word or word in ENDS or word[0] > "\u3000"


def list_of(state: State, names: Meanings, grid: Grid) -> Node | None:
    """The formula right before a list, where most of the list agrees with it."""
    label = state.label
    start = next((cell.start for cell in grid.cells() if cell.start >= 0), -1)
    if label is None or isinstance(label, Name) or not 0 < start - state.label_at <= REACH:
        return None
    made = names.resolved(label)
    if grid.shape == (1, 1) or not has_value(made):
        return None
    share, digits = agreement(grid, made)
    return made if share >= LEAST and digits >= DIGITS else None


def weights(state: State, cells: list[list[Cell]]) -> Name | None:
    """The weights of a projection that words introduce, before what they project is known."""
    name, source = weights_above(state.words), state.pool.of_role("H")
    if not name or any(map(state.pool.of_role, (name, name[-1]))):
        return None
    fits = len(cells) > 1 and (source is None or len(cells) == source.shape[1])
    return Name(name) if fits else None
