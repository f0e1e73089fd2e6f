"""Scores whose queries are columns, K^T Q: each column has its own softmax."""

from __future__ import annotations

from derive.verify.grammar.grids import Grid
from derive.verify.grammar.nodes import Binary, Function, Leaf, Node
from derive.verify.known.pool import Pool
from derive.verify.speech.roles import role

DEEPEST = 6
"""Scores are changed by no more steps one after the other."""
PRODUCTS = frozenset(("@", "", "·", "×", "*"))


def is_upright(pool: Pool, grid: Grid, deep: int = 0) -> bool:
    """Whether a matrix is K^T Q of the article's own queries and keys, divided or masked."""
    return grid.made is not None and deep < DEEPEST and _is_upright(pool, grid.made, deep + 1)


def _is_upright(pool: Pool, made: Node, deep: int) -> bool:
    match made:
        case Binary(sign, Function("T", (Leaf(k),)), Leaf(q)) if sign in PRODUCTS:
            return _is_of(pool, k, "K") and _is_of(pool, q, "Q")
        case Binary(_, left, _):
            return _is_upright(pool, left, deep)
        case Function(_, (first, *_)):
            return _is_upright(pool, first, deep)
        case Leaf(grid):
            return is_upright(pool, grid, deep)
    return False


def _is_of(pool: Pool, grid: Grid, kind: str) -> bool:
    """Whether a matrix is the queries or the keys, as printed or as they are worked out."""
    return grid is pool.of_role(kind) or role(grid.name) == kind


def is_printed_upright(pool: Pool, grid: Grid) -> bool:
    """The same, where the article prints it, or what it is made from."""
    if not is_upright(pool, grid):
        return False
    return grid.is_printed or any(g.is_printed and is_upright(pool, g) for g in pool.recent())
