"""Columns all of which are what their head means, with one known mistake in it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from derive.verify.causes.changes import Changes
from derive.verify.columns.agreeing import agreement
from derive.verify.grammar.grids import Grid
from derive.verify.grammar.nodes import Function, Leaf, Name, Node
from derive.verify.tables.heads import Own

OF_FORMULAS = frozenset(("base of the logarithm", "sign of the loss"))
OF_WEIGHTS = frozenset(("not exponentiated", "other base"))
"""Mistakes with which all of a column is told to be meant by the formula, or the word, over it."""
MOST_CHANGES = 60
TELLING = 5
"""So many agreeing digits are no chance."""


def is_slip(column: Grid, made: Node, kinds: frozenset[str], changes: Changes) -> bool:
    """Whether all of a column is an expression with one mistake of these kinds."""
    for kind, _, changed in islice(changes.of(made), MOST_CHANGES):
        share, digits = agreement(column, changed) if kind in kinds else (0, 0)
        if share == 1 and digits >= TELLING:
            return True
    return False


def raised(own: Own) -> Iterator[Grid]:
    """The columns beside which e to them stands, from which weights are made: z and e^z."""
    for key in own:
        match key:
            case Function("exp", (Name(text),)):
                grid = own.get(text) or own.get(text.removesuffix("_i"))
                if grid is not None:
                    yield grid


def passes_over(made: Node, own: Own) -> bool:
    """Whether shares are taken of a column, though e to it stands between."""
    match made:
        case Function("shares", (Leaf(grid),)):
            return any(grid is known for known in raised(own))
    return False
