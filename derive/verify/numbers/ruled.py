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
TELLING = 2
"""So many significant digits of a number are no chance."""
_RULES = re.compile(r"[|│&]")
_OPEN = re.compile(r"[|│&][\s$`*{\\]*$")


def ruled(state: State, cell: Cell) -> bool:
    """Whether a number is the value of the expression in the cell before; it is then judged.

    What a row above showed of this column binds the rows below.
    """
    expression, distance, figure = state.scale, cell.start - state.scale_at, cell.figure
    if expression is None or figure is None or not 0 < distance <= REACH:
        return False
    tail = state.words[-distance:]
    count = len(_RULES.findall(tail))
    if not 1 <= count <= 2 or not _OPEN.search(tail) or "\n" in tail or not expression.parts():
        return False
    made, ways = _made(state, expression, count)
    if not is_number(made):
        return False
    exact = value(made, "exact")
    judge = Judge(made, exact, ways)
    holds = figure.is_cut(exact.rows[0][0]) or judge.holds(figure, 0, 0)
    if not (holds and figure.weight >= TELLING) and (count not in state.ruled or figure.is_whole):
        return False
    state.ruled.add(count)
    state.judged([[cell]], exact, judge, "")
    state.pool.note(cell)
    if count == 1:
        state.last = cell
    return True


def _made(state: State, expression: Node, count: int) -> tuple[Node, tuple[Node, ...]]:
    """What stands so many rules behind an expression, and the same by the cell between."""
    if count == 1:
        return expression, ()
    last = state.last
    ways = (Function("exp", (Number(last),)),) if last is not None and last.start > 0 else ()
    return Function("exp", (expression,)), ways
