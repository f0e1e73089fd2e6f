"""Whether the list below another is worked out from it, and no further row of one matrix."""

from __future__ import annotations

from derive.verify.grammar.figures import Figure
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Function, Leaf
from derive.verify.values.evaluate import value
from derive.verify.values.operations import Unknown

FUNCTIONS = (
    "exp", "softmax", "shares", "exp less max", "log", "minus log", "sigmoid", "tanh", "squares",
    "less mean", "sqrt", "layernorm", "silu", "gelu", "causal shares",
)  # fmt: skip
"""What an article takes of a list, entry by entry or of all of it."""
MOST = 0.75
"""The part of the second list that agrees, at the least."""
TELLING = 5
"""So many agreeing digits are no chance."""


def is_led(first: list[Cell], second: list[Cell]) -> bool:
    """Whether most of a list is a function of the one before: its exponentials, its shares ..."""
    figures = [cell.figure for cell in second]
    if len(first) != len(second) or len(first) < 2 or all(f and f.is_whole for f in figures):
        return False
    return any(_agrees(figures, first, function) for function in FUNCTIONS)


def _agrees(figures: list[Figure | None], first: list[Cell], function: str) -> bool:
    try:
        (values,) = value(Function(function, (Leaf(Grid([first])),)), "printed").rows
    except (Unknown, ValueError, ZeroDivisionError):
        return False
    pairs = [(f, x) for f, x in zip(figures, values, strict=True) if f is not None]
    agreed = [f for f, x in pairs if x.is_finite() and (f.is_rounded(x) or f.is_cut(x))]
    return len(agreed) >= MOST * len(pairs) and sum(f.weight for f in agreed) >= TELLING
