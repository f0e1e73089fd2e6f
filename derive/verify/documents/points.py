"""Points that group thousands where decimals follow a point too: 262.144 beside 1.048.576."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from derive.verify.documents.commas import balance
from derive.verify.documents.document import Document
from derive.verify.grammar.figures import Figure
from derive.verify.grammar.grids import Cell
from derive.verify.grammar.nodes import Chain, Node, Number, rebuilt
from derive.verify.grammar.tokens import THOUSANDS
from derive.verify.values.evaluate import has_value, value

_MANY = re.compile(rf"(?<![\w.,]){THOUSANDS}")
_DOUBTFUL = re.compile(r"[1-9]\d{0,2}\.\d{3}")


def has_grouped(document: Document) -> bool:
    """Whether a number of the article has more than one point."""
    return any(_MANY.search(segment.text) for segment in document.segments)


def regrouped(chain: Chain) -> Chain:
    """The chain with thousands for what may be decimals, where it holds by that alone."""
    sides = tuple(_in_thousands(side) for side in chain.sides)
    if all(old is new for old, new in zip(chain.sides, sides, strict=True)):
        return chain
    other = replace(chain, sides=sides)
    return other if _held(other) > _held(chain) else chain


def _in_thousands(node: Node) -> Node:
    if isinstance(node, Number):
        found = node.cell.figure
        if found is None or not _DOUBTFUL.fullmatch(found.text):
            return node
        whole = Figure(found.text, found.value * 1000, Fraction(1))
        return Number(Cell(whole, node.cell.start))
    return rebuilt(node, _in_thousands)


def _held(chain: Chain) -> int:
    """How many of its equalities hold, or are missed by less than half."""
    pairs = zip(chain.sides, chain.sides[1:], strict=False)
    return sum(2 * (balance(a, b) > 0) + _is_near(a, b) for a, b in pairs)


def _is_near(before: Node, after: Node) -> bool:
    match after:
        case Number(Cell(figure=Figure() as printed)) if has_value(before):
            exact = value(before, "exact")
            return exact.shape == (1, 1) and bool(abs(exact.rows[0][0] / printed.ball - 1) < 0.5)
    return False
