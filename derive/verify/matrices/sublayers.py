"""FFN(x), Sublayer(x): what the layer of that name printed last for x."""

from __future__ import annotations

import re

from derive.verify.grammar.grids import Grid
from derive.verify.grammar.nodes import Binary, Function, Leaf, Node
from derive.verify.known.pool import Pool

_LAYER = re.compile(r"\?(?:ffn|mlp|ff|feed_?forward|sub_?layer|f)", re.I)
TIMES = frozenset(("", "*", "·", "@", "×"))


def sublayer(pool: Pool, name: str, argument: Node) -> Node | None:
    """The last product with weights of the shape of x, which nothing has been added to yet."""
    if not _LAYER.fullmatch(name) or not isinstance(argument, Leaf):
        return None
    made = next((g for g in pool.recent() if g.shape == argument.grid.shape), None)
    return Leaf(made) if made is not None and _is_layer(made, argument.grid) else None


def _is_layer(grid: Grid, x: Grid) -> bool:
    """Whether a matrix is a product, with a bias or without, of something else than x."""
    match grid.made:
        case Binary("+", Binary(sign, left, _), _) | Binary(sign, left, _) if sign in TIMES:
            return not (isinstance(left, Leaf) and left.grid is x)
    return False


def superseded(pool: Pool, grid: Grid) -> None:
    """What an activation left as it was is meant by what comes next, not what was before it."""
    match grid.made:
        case Function("relu", (Leaf(before),)):
            pool.roles["act"] = grid
            if before.texts() == grid.texts():
                pool.grids[:] = [known for known in pool.grids if known is not before]
