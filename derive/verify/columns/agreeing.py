"""How much of a column agrees with an expression, and in how many digits."""

from __future__ import annotations

from collections.abc import Iterator

from flint import arb

from derive.verify.grammar.figures import Figure
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Node
from derive.verify.values.evaluate import value
from derive.verify.values.operations import Unknown


def agreement(column: Grid, made: Node) -> tuple[float, int]:
    """The part of a column that agrees with an expression, and how many digits do."""
    return max(_agreeing(column, made, mode) for mode in ("exact", "printed"))


def misses_blank(column: Grid, made: Node) -> bool:
    """Whether nothing, or 0, stands where the expression gives something, as what is masked."""
    pairs = list(_pairs(column, made, "exact"))
    return any(not (c.figure and c.figure.value) and not _holds(c.figure, x) for c, x in pairs)


def _agreeing(column: Grid, made: Node, mode: str) -> tuple[float, int]:
    pairs = [(c.figure, x) for c, x in _pairs(column, made, mode) if c.figure is not None]
    if any(not x.is_finite() for _, x in pairs) or not pairs:
        return 0, 0
    agreed = [f for f, x in pairs if _holds(f, x)]
    return len(agreed) / len(pairs), sum(0 if f.is_whole else f.weight for f in agreed)


def _pairs(column: Grid, made: Node, mode: str) -> Iterator[tuple[Cell, arb]]:
    """Each cell, and what the expression gives for it."""
    try:
        exact = value(made, mode)
    except (Unknown, ValueError):
        return
    if exact.shape == column.shape:
        for cells, values in zip(column.rows, exact.rows, strict=True):
            yield from zip(cells, values, strict=True)


def _holds(figure: Figure | None, exact: arb) -> bool:
    if figure is None:
        return False
    if figure.is_whole:
        return bool((exact - figure.ball).contains(0))
    return figure.is_rounded(exact) or figure.is_cut(exact)
