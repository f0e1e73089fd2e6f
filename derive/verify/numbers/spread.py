"""Variances written out over n - 1, where the article divides the others by n."""

from __future__ import annotations

from flint import arb

from derive.verify.grammar.grids import Cell
from derive.verify.grammar.nodes import Binary, Name, Node, Number
from derive.verify.known.state import State
from derive.verify.speech.roles import indexed, role
from derive.verify.values.align import terms

FEWEST = 3
"""Over one less than two nothing is divided."""


def of_all(state: State, label: Node | None, source: Node | None) -> Node | None:
    """A sum of n terms over n - 1 as one over n, where that is what a variance is here."""
    found = indexed(label.text) if isinstance(label, Name) else None
    kind = found[0] if found else role(label.text) if isinstance(label, Name) else ""
    match source:
        case Binary("/", total, Number(Cell(figure=figure))) if figure and kind in ("var", "std"):
            count = len(terms(total))
            if count < FEWEST or figure.value not in (count, count - 1) or state.is_sample:
                return None
            if figure.value < count and state.pool.is_population:
                return Binary("/", total, Number(Cell(None, exact=arb(count))))
            state.pool.is_population |= figure.value == count
    return None
