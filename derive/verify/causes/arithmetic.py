"""Mistakes in sums, differences, products and powers that an article writes out."""

from __future__ import annotations

from collections.abc import Iterator

from flint import arb

from derive.verify.causes.wrong import rounded, ruled
from derive.verify.grids import Cell
from derive.verify.nodes import Binary, Function, Leaf, Negative, Node, Number

Change = tuple[str, tuple[str, ...], Node]
BASES = (10, 100, 1000, 10_000, 100_000)


def changed(node: Node) -> Iterator[Change]:
    """Each mistake in a sign."""
    match node:
        case Binary("+", Binary(sign, x, g), b) if sign in ("*", "·", "@", "") and not _is_matrix(g):
            yield "bias scaled too", (), Binary("*", Binary("+", x, b), g)
            yield from _sum(node)
        case Binary("+"):
            yield from _sum(node)
        case Binary("-", a, b):
            yield "added", (), Binary("+", a, b)
            if _is_maximum(b):
                yield "max forgotten", (), a
            if _is_mean(b):
                yield "mean not subtracted", (), a
        case Binary("*" | "·", x, g) if _is_row(g):
            yield "gain forgotten", (), x
        case Leaf(grid) if grid.made is not None:
            for places in (2, 1, 0):
                yield "rounded too early", (str(places),), ruled(rounded(places), node)
        case Binary("^", Number() as base, power) if _is_base(base):
            for other in BASES:
                made = Number(Cell(None, exact=arb(other)))
                yield "other base of angles", (str(other),), Binary("^", made, power)
        case Negative(Function("log" | "ln", _) as inner):
            yield "sign of the loss", (), inner


def _sum(node: Binary) -> Iterator[Change]:
    kind = "bias forgotten" if _is_row(node.right) else "residual forgotten"
    yield kind, (_name(node.right),), node.left
    kind = "bias forgotten" if _is_row(node.left) else "residual forgotten"
    yield kind, (_name(node.left),), node.right
    yield "subtracted", (), Binary("-", node.left, node.right)


def _is_row(node: Node) -> bool:
    """Whether an operand is one row, which is added to every row."""
    return isinstance(node, Leaf) and node.grid.shape[0] == 1


def _is_matrix(node: Node) -> bool:
    return isinstance(node, Leaf) and min(node.grid.shape) > 1


def _is_mean(node: Node) -> bool:
    match node:
        case Function("mean", _):
            return True
        case Leaf(grid, name):
            is_mean = isinstance(grid.made, Function) and grid.made.name == "mean"
            return is_mean or name in ("mu", "μ", "mean") or grid.name == "mean"
    return False


def _is_maximum(node: Node) -> bool:
    made = node.grid.made if isinstance(node, Leaf) else node
    return isinstance(made, Function) and made.name == "max"


def _is_base(node: Number) -> bool:
    figure = node.cell.figure
    return figure is not None and figure.is_whole and figure.value in BASES


def _name(node: Node) -> str:
    match node:
        case Leaf(grid, name):
            return name or grid.name or "X"
    return "X"
