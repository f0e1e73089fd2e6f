"""How much of what is printed an exact value gives; whether a list is part of one."""

from __future__ import annotations

from derive.exact.enclosure import Enclosures
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Node
from derive.verify.values.evaluate import value
from derive.verify.values.judge import Judge
from derive.verify.values.operations import Unknown


def is_part(grid: Grid) -> bool:
    """Whether a list is one row of a matrix that is worked out."""
    cell = grid.rows[0][0]
    if grid.shape[0] > 1 or cell.made is None:
        return False
    try:
        return value(cell.made, "exact").shape[0] > 1
    except (Unknown, ValueError):
        return False


def agrees(cells: list[list[Cell]], exact: Enclosures) -> bool:
    """Whether every printed entry is the exact one, rounded."""
    return agreement(cells, exact) == 1


def agreement(cells: list[list[Cell]], exact: Enclosures | None) -> float:
    """The part of the printed entries that are the exact ones, rounded."""
    if exact is None:
        return 0.0
    pairs = zip(cells, exact.rows, strict=True)
    found = ((cell.figure, x) for row, values in pairs for cell, x in zip(row, values, strict=True))
    held = [figure.is_rounded(x) for figure, x in found if figure is not None]
    return sum(held) / len(held) if held else 1.0


def is_held(cells: list[list[Cell]], source: Node, exact: Enclosures) -> bool:
    """Whether an expression gives half of what is printed and more, exactly or as printed."""
    judge = Judge(source, exact)
    figures = [(c.figure, i, j) for i, row in enumerate(cells) for j, c in enumerate(row)]
    held = [judge.holds(f, i, j) for f, i, j in figures if f is not None and f.value]
    return bool(held) and 2 * sum(held) >= len(held)
