"""A running sum whose old value is not multiplied, though the largest score has grown.

Softmax in one pass keeps the sum of exponentials over the largest score so far; where a larger
one comes, what was summed up is multiplied by exp(old largest - new largest).
(M. Milakov, N. Gimelshein, Online normalizer calculation for softmax, 2018.)
"""

from __future__ import annotations

from fractions import Fraction

from derive.verify.grammar.grids import Cell
from derive.verify.grammar.nodes import Binary, Function, Leaf, Name, Node, Number
from derive.verify.known.state import State
from derive.verify.values.align import terms

LATEST = 12
"""The factor is printed no further before, in numbers."""


def rescaled(state: State, label: Node | None, source: Node | None) -> Node | None:
    """A sum with its old value multiplied; None where it is, or no largest score has grown."""
    old = state.pool.named.get(label.text) if isinstance(label, Name) else None
    parts = terms(source) if source is not None else []
    if old is None or old.shape != (1, 1) or len(parts) < 2 or source is None:
        return None
    before = old.rows[0][0]
    again = [part for part in parts if isinstance(part, Number) and _is_same(part.cell, before)]
    factor = _factor(state, before) if len(again) == 1 else None
    if factor is None or any(_holds(part, factor) for part in parts):
        return None
    (bare,) = again
    made: Node = Binary("*", Number(factor), bare)
    for part in parts:
        made = made if part is bare else Binary("+", made, part)
    return made


def _factor(state: State, before: Cell) -> Cell | None:
    """exp(old largest - new largest), where it is printed behind the old value."""
    for cell in reversed(state.claims[-LATEST:]):
        if cell is before:
            return None
        match cell.made:
            case Function("exp", (Binary("-", Number(a), Number(b)),)) if _has_grown(state, a, b):
                return cell
    return None


def _has_grown(state: State, a: Cell, b: Cell) -> bool:
    """Whether two numbers were given one after the other for one name, the second larger."""
    x, y = _value(a), _value(b)
    if x is None or y is None or x >= y:
        return False
    given = [c for c in state.claims if c.quantity and c.made is None and c.origin is None]
    first = {c.quantity for c in given if _value(c) == x}
    return any(_value(c) == y and c.quantity in first for c in given)


def _holds(node: Node, factor: Cell) -> bool:
    """Whether the factor, or an exponential, stands in a term."""
    match node:
        case Number(cell):
            return _is_same(cell, factor)
        case Leaf(grid):
            return any(cell is factor or cell.origin is factor for cell in grid.cells())
        case Function("exp"):
            return True
    return any(_holds(part, factor) for part in node.parts())


def _is_same(cell: Cell, other: Cell) -> bool:
    return _value(cell) is not None and _value(cell) == _value(other)


def _value(cell: Cell) -> Fraction | None:
    return cell.figure.value if cell.figure else None
