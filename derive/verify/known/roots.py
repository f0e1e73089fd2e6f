"""Roots that an article prints, rounded, before it divides by them: √2 ≈ 1.414."""

from __future__ import annotations

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Binary, Function, Leaf, Node, Number
from derive.verify.known.pool import Pool
from derive.verify.values.evaluate import value
from derive.verify.values.operations import Unknown


def note(pool: Pool, side: Node, grid: Grid) -> None:
    """Keeps what was printed for the root of a whole number, or for one divided by it.

    The root of a variance and of what is added to it is the spread that others are divided by.
    """
    if grid.shape != (1, 1) or grid.rows[0][0].figure is None:
        return
    match side:
        case Function("sqrt", (Binary("+", Leaf(variance)),)) if variance is pool.number("var"):
            pool.roles["std"] = grid
        case Function("sqrt", (inner,)):
            _keep(pool, inner, Leaf(grid))
        case Binary("/", Number(one), Function("sqrt", (inner,))) if _is_one(one):
            _keep(pool, inner, Binary("/", side.left, Leaf(grid)))


def rounded(pool: Pool, made: Node) -> Node | None:
    """An expression that divides by a root, with the printed one in its place."""
    match made:
        case Binary("/", left, Function("sqrt", (inner,))):
            root = pool.roots.get(whole_of(inner))
            return None if root is None else Binary("/", left, root)
        case Function("causal", (Leaf(grid),)) if grid.made is not None and not grid.is_printed:
            scores = rounded(pool, grid.made)
            return None if scores is None else Function("causal", (scores,))
    return None


def whole_of(node: Node) -> int:
    """The whole number that an expression is; 0 for all others."""
    try:
        found = value(node, "exact")
    except (Unknown, ValueError):
        return 0
    whole = found.rows[0][0].unique_fmpz() if found.shape == (1, 1) else None
    return int(whole) if whole is not None else 0


def _keep(pool: Pool, inner: Node, root: Node) -> None:
    if (width := whole_of(inner)) > 1:
        pool.roots[width] = root


def _is_one(cell: Cell) -> bool:
    return cell.figure is not None and cell.figure.value == 1


def note_width(pool: Pool, name: str, arguments: tuple[Node, ...]) -> None:
    """Keeps the number that a root is taken of, which may be d_k."""
    if name == "sqrt" and len(arguments) == 1 and isinstance(arguments[0], Number):
        figure = arguments[0].cell.figure
        if figure and figure.is_whole and 1 < figure.value < 10_000:
            pool.width = int(figure.value)
