"""The author's own names of what is known here by another: Y = softmax(H) is A."""

from __future__ import annotations

import re

from derive.verify.grammar.grids import Grid
from derive.verify.speech.roles import indexed

_NAME = re.compile(r"[^\W\d_][\w~]{0,11}'{0,2}")


def named(grid: Grid, name: str) -> None:
    """Keeps the name of a matrix with its entries, where they stand in it as they do in theirs."""
    if not _NAME.fullmatch(name) or indexed(name):
        return
    for i, row in enumerate(grid.rows):
        for j, cell in enumerate(row):
            base, _, places = cell.quantity.partition("[")
            if base not in ("", name) and places in (f"{i + 1}][{j + 1}]", f"{i + 1}]", ""):
                cell.own = name
