"""Whether a layer is once printed without its bias, where the article adds biases."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Binary, Leaf, Node
from derive.verify.known.pool import Pool

PRODUCT = "product"
"""What a product is called that nothing but its numbers tells."""
PLACES = 9
"""To so many places inputs are the same."""
WITHOUT = re.compile(
    r"(?i)without|before|\bno\b|\bohne|\bvor\b|zuvor|\bsans\b|avant|\bsin\b|\bsem\b|antes|\bsenza\b"
    r"|prima|\bбез\b|\bдо\b|なし|前|不加|没有|之前|없이|전에"
)
Values = tuple[tuple[float, ...], ...]


def is_left_out(claims: Iterable[Cell], pool: Pool) -> bool:
    """Whether a product stands without a word where a layer is, and others have their bias."""
    kept, free = set[Values](), set[Values]()
    is_kept = False
    for made, cell in {id(c.made): (c.made, c) for c in claims if c.made is not None}.values():
        match made:
            case Binary("+", Leaf(Grid(made=inner)), Leaf(bias)) | Binary("+", inner, Leaf(bias)):
                if any(b is bias for _, b in _layers(pool)):
                    is_kept |= cell.verdict == "correct"
                    kept |= {_values(x) for x in _input(inner)}
            case _ if cell.quantity.startswith(f"{PRODUCT}[") and biased(made, pool) is not made:
                free |= {_values(x) for x in _input(made)}
    return is_kept and bool(free - kept)


def biased(made: Node, pool: Pool) -> Node:
    """A product with the weights of a layer, and the bias of that."""
    match made:
        case Binary("@", _, Leaf(weights)):
            for known, bias in _layers(pool):
                if known is weights and bias.shape == (1, weights.shape[1]):
                    return Binary("+", made, Leaf(bias))
    return made


def _input(made: Node | None) -> Iterator[Grid]:
    match made:
        case Binary("@" | "" | "·", Leaf(x), _):
            yield x


def _values(x: Grid) -> Values:
    return tuple(tuple(round(value, PLACES) for value in row) for row in x.near)


def _layers(pool: Pool) -> Iterator[tuple[Grid, Grid]]:
    """The weights and the bias of each layer."""
    for kind, weights in list(pool.roles.items()):
        bias = pool.roles.get(f"b_{kind[2:]}") if kind[:2] == "W_" else None
        if bias is not None:
            yield weights, bias
