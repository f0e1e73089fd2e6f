"""cos(king, queen): the cosine between two vectors that bear these names."""

from __future__ import annotations

import re

from derive.verify.grammar.grids import Grid
from derive.verify.grammar.nodes import Function, Leaf, Node

_CALL = re.compile(r"(?i)\?(?:cos|[ck]osin(?:e|us)?|cos_?sim|cosine_?sim\w*|косинус|余弦\w*)")


def is_cosine(name: str) -> bool:
    """Whether a call may mean the cosine between two vectors."""
    return bool(_CALL.fullmatch(name))


def cosine(resolved: tuple[Node, ...]) -> Node | None:
    """The cosine between two vectors of one length."""
    grids = [node.grid for node in resolved if isinstance(node, Leaf)]
    found = [_row(grid) for grid in grids if 1 in grid.shape]
    if len(found) != 2 or len(resolved) != 2 or found[0].shape != found[1].shape:
        return None
    return Function("cosines", tuple(map(Leaf, found))) if found[0].shape[1] > 1 else None


def _row(grid: Grid) -> Grid:
    return grid if grid.shape[0] == 1 else Grid([list(grid.cells())])
