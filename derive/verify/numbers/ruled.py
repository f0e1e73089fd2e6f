"""Cells of a table behind one that holds an expression: its value, and e to that: a + b | c | d."""

from __future__ import annotations

import re

from derive.verify.grammar.grids import Cell
from derive.verify.grammar.nodes import Function, Node, Number
from derive.verify.known.state import State
from derive.verify.numbers.scaling import is_number
from derive.verify.values.evaluate import value
from derive.verify.values.judge import Judge

REACH = 100
"""The expression stands no further before its value, in characters."""
NEAR = 400
"""The rows of one table are no further from each other, in characters."""
TELLING = 2
"""So many significant digits of a number are no chance."""
_RULES = re.compile(r"[|│&]")
_OPEN = re.compile(r"[|│&][\s$`*{\\]*$")
_WIDE = re.compile(r" {2,}|\t+")
_UNIT = re.compile(r"[-\d.,]+ ?[^\W\d]")
"""A number and a letter: 3.1M, 12 KiB, 3万."""


def ruled(state: State, cell: Cell) -> bool:
    """Whether a number is the value of the expression in the cell before; it is then judged.

    What a row above showed of this column binds the rows below; a whole number is wrong only
    where another was right.
    """
    expression, distance, figure = state.scale, cell.start - state.scale_at, cell.figure
    if expression is None or figure is None or not 0 < distance <= REACH:
        return False
    count = columns_on(state.words[-distance:])
    if not count or not expression.parts():
        return False
    made, ways = _made(state, expression, abs(count))
    if not is_number(made):
        return False
    exact = value(made, "exact")
    judge = Judge(made, exact, ways)
    holds = figure.is_cut(exact.rows[0][0]) or judge.holds(figure, 0, 0)
    is_telling = holds and figure.weight >= TELLING
    kind = (count, figure.is_whole)
    is_bound = cell.start - state.ruled.get(kind, -NEAR) < NEAR
    is_bound &= not _UNIT.match(state.behind)
    if not (is_telling or is_bound or (holds and figure.is_whole)):
        return False
    if is_telling or is_bound:
        state.ruled[kind] = cell.start
    state.judged([[cell]], exact, judge, "")
    state.pool.note(cell)
    if abs(count) == 1:
        state.last = cell
    return True


def columns_on(between: str) -> int:
    """So many columns behind an expression its line goes on; -1 where spaces part the columns."""
    if "\n" in between:
        return 0
    if count := len(_RULES.findall(between)):
        return count if count < 3 and _OPEN.search(between) else 0
    return -1 if len(_WIDE.findall(between)) == 1 and between[-1:].isspace() else 0


def _made(state: State, expression: Node, count: int) -> tuple[Node, tuple[Node, ...]]:
    """What stands so many rules behind an expression, and the same by the cell between."""
    if count == 1:
        return expression, ()
    last = state.last
    ways = (Function("exp", (Number(last),)),) if last is not None and last.start > 0 else ()
    return Function("exp", (expression,)), ways
