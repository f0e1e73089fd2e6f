"""A number under the bare word of a function of the one before: P = 0.5, ln = -0.693."""

from __future__ import annotations

from derive.verify.grammar.grids import Cell
from derive.verify.grammar.naming import FUNCTIONS
from derive.verify.grammar.nodes import Function, Name, Node, Number
from derive.verify.known.state import State
from derive.verify.values.evaluate import value
from derive.verify.values.operations import Unknown

APART = 60
"""The number before stands no further away, in characters."""
BARE = {
    **{
        word: (FUNCTIONS[word],)
        for word in "exp ln sqrt relu ReLU tanh sigmoid GELU gelu SiLU silu erf sin cos".split()
    },
    "log": ("ln", "log2", "log10"), "lg": ("log10", "log2"), "Φ": ("normal cdf",),
    "-ln": ("minus log",), "log2": ("log2",), "log10": ("log10",), "√": ("sqrt",),
}  # fmt: skip


def worded(state: State, label: Node | None, cell: Cell) -> Node | None:
    """The function of the last result; where it does not agree, one that did before."""
    word = label.text if isinstance(label, Name) else ""
    figure = cell.figure
    if word not in BARE or figure is None or figure.is_whole or not state.runs.cells:
        return None
    before = state.runs.cells[-1]
    if not 0 < cell.start - before.start <= APART:
        return None
    for function in BARE[word]:
        made = Function(function, (Number(before),))
        if word in state.worded and state.worded[word] != function:
            continue
        try:
            exact = value(made, "exact").rows[0][0]
        except (Unknown, ValueError):
            continue
        if not exact.is_finite():
            continue
        if figure.is_rounded(exact) or figure.is_cut(exact):
            state.worded[word] = function
            return made
        if word in state.worded:
            return made
    return None
