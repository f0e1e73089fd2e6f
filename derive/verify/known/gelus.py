"""The GELU of an article: exact, by tanh or by a sigmoid, where it keeps to one of them."""

from __future__ import annotations

import re
from collections import Counter

from derive.exact.enclosure import Enclosures
from derive.verify.grammar.grids import Cell
from derive.verify.grammar.nodes import VARIANTS, Function, Node, rebuilt, takes
from derive.verify.values.evaluate import value
from derive.verify.values.operations import Unknown

KINDS = ("gelu", *VARIANTS["gelu"])
_APPROXIMATE = re.compile(r"(?i)tanh|approxim|näherung|1[.,]702|近似|приближ|aproxim|approssim")


def is_open(text: str) -> bool:
    """Whether an article speaks of several."""
    return bool(_APPROXIMATE.search(text))


def binding(claims: list[Cell], is_open: bool) -> str:
    """The kind that most of what is printed agrees with; "" where the article compares several."""
    votes, at = Counter[str](), dict[str, str]()
    for cell in claims:
        kinds = _kinds(cell) if cell.made is not None and takes(cell.made, "gelu") else []
        if len(kinds) != 1:
            continue
        votes[kinds[0]] += 1
        if at.setdefault(_argument(cell), kinds[0]) != kinds[0]:
            return ""
    kind, most = votes.most_common(1)[0] if votes else ("", 0)
    rest = votes.total() - most
    return kind if rest and most > (3 if is_open else 1) * rest else ""


def of_kind(node: Node, kind: str) -> Node:
    """An expression with each GELU of one kind."""
    if isinstance(node, Function) and node.name in KINDS and node.name != kind:
        return Function(kind, node.arguments)
    return rebuilt(node, lambda part: of_kind(part, kind))


def _kinds(cell: Cell) -> list[str]:
    """By which kinds a number is right."""
    figure, (i, j) = cell.figure, cell.at
    if cell.made is None or figure is None:
        return []
    found = {kind: _value(of_kind(cell.made, kind)) for kind in KINDS}
    return [
        kind
        for kind, x in found.items()
        if x is not None and i < x.shape[0] and j < x.shape[1] and figure.is_rounded(x.rows[i][j])
    ]


def _argument(cell: Cell) -> str:
    """The value by the exact GELU, which is as good as the argument."""
    exact = _value(of_kind(cell.made, "gelu")) if cell.made is not None else None
    return "" if exact is None else exact.rows[cell.at[0]][cell.at[1]].str(12, radius=False)


def _value(made: Node) -> Enclosures | None:
    try:
        return value(made, "exact")
    except (Unknown, ValueError):
        return None
