"""Mistakes in sums, differences, products and powers that an article writes out."""

from __future__ import annotations

from collections.abc import Iterator

from flint import arb

from derive.verify.causes.attention import is_row
from derive.verify.causes.wrong import rounded, ruled
from derive.verify.grammar.grids import Cell
from derive.verify.grammar.nodes import Binary, Function, Leaf, Negative, Node, Number
from derive.verify.speech.roles import role

Change = tuple[str, tuple[str, ...], Node]
BASES = (10, 100, 1000, 10_000, 100_000)


def changed(node: Node) -> Iterator[Change]:
    """Each mistake in a sign."""
    match node:
        case Binary("+"):
            yield from _gain_and_bias(node)
            yield from _sum(node)
        case Binary("-", a, b):
            yield from _difference(a, b)
        case Binary("*" | "⊙" | "·", x, g):
            yield from (("gain forgotten", (), y) for z, y in ((g, x), (x, g)) if is_row(z))
        case Binary("^", Number() as base, power) if _is_base(base):
            yield from _bases(power)
        case Leaf(grid) if grid.made is not None:
            yield from (
                ("rounded too early", (str(n),), ruled(rounded(n), node)) for n in (2, 1, 0)
            )
        case Negative(Function("log" | "ln", _) as inner):
            yield "sign of the loss", (), inner


def _bases(power: Node) -> Iterator[Change]:
    for other in BASES:
        made = Number(Cell(None, exact=arb(other)))
        yield "other base of angles", (str(other),), Binary("^", made, power)


def _gain_and_bias(node: Binary) -> Iterator[Change]:
    match node:
        case Binary(_, Binary("*" | "⊙" | "·" as sign, x, g), b):
            yield "bias scaled too", (), Binary(sign, Binary("+", x, b), g)
            yield "bias scaled too", (), Binary(sign, Binary("+", g, b), x)


def _difference(a: Node, b: Node) -> Iterator[Change]:
    yield "added", (), Binary("+", a, b)
    if _is_maximum(b):
        yield "max forgotten", (), a
    if _is_mean(b):
        yield "mean not subtracted", (), a


def _sum(node: Binary) -> Iterator[Change]:
    for term, rest in ((node.right, node.left), (node.left, node.right)):
        name = _name(term)
        is_bias = is_row(term) and (not is_row(rest) or name.startswith("b"))
        yield "bias forgotten" if is_bias else "residual forgotten", (name,), rest
    yield "subtracted", (), Binary("-", node.left, node.right)


def _is_mean(node: Node) -> bool:
    match node:
        case Function("mean", _):
            return True
        case Leaf(grid, name):
            is_mean = isinstance(grid.made, Function) and grid.made.name == "mean"
            return is_mean or "mean" in (role(name), role(grid.name), grid.name)
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
