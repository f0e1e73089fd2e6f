"""Arithmetic written out again in the few signs that the library reads without fail.

A piece is a text in placeholders and what each placeholder stands for. Parts that are no
arithmetic (names, functions, sums over an index), and parts too large to stand in one piece, become
placeholders.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction

from derive.read.latex.adapter import PLACEHOLDERS
from derive.read.latex.nodes import (
    Constant,
    Negative,
    Node,
    Number,
    Power,
    Product,
    Quotient,
    Root,
    Sum,
)

_NUMERAL = re.compile(r"\d{1,9}(\.\d{1,9})?", re.ASCII)

WIDE = 12
"""Leaves of a part that may stand inside another piece."""
MOST = 24
"""Terms or factors that stand in one piece; longer ones are cut."""

ARITHMETIC = (Sum, Negative, Product, Quotient, Power, Root)


@dataclass
class Piece:
    """A piece while it is written."""

    bindings: dict[str, Node] = field(default_factory=dict)
    known: dict[Node, str] = field(default_factory=dict)

    def write(self, node: Node) -> str:
        """The text of an operation."""
        match node:
            case Sum(terms=terms):
                return "+".join(
                    self.factor(x) if isinstance(x, Sum) else self.part(x) for x in terms
                )
            case Negative(inner=inner):
                return rf"(-1)\cdot {self.factor(inner)}"
            case Product(factors=factors):
                return r"\cdot ".join(map(self.factor, factors))
            case Quotient(top=top, bottom=bottom):
                return rf"\frac{{{self.part(top)}}}{{{self.part(bottom)}}}"
            case Power(base=base, exponent=exponent):
                return rf"({self.part(base)})^{{{self.part(exponent)}}}"
            case Root(radicand=radicand, degree=None):
                return rf"\sqrt{{{self.part(radicand)}}}"
            case Root(radicand=radicand, degree=degree):
                assert degree is not None
                return rf"\sqrt[{self.placeholder(degree)}]{{{self.part(radicand)}}}"
        return self.part(node)

    def factor(self, node: Node) -> str:
        """A part as a factor, in brackets where it is a sum or a product."""
        text = self.part(node)
        return f"({text})" if "+" in text or "\\cdot" in text else text

    def part(self, node: Node) -> str:
        """A number, a short operation, or a placeholder."""
        if isinstance(node, Number) and _is_plain(node):
            return node.text
        is_exponential = isinstance(node, Power) and node.base == Constant((0, 0), "e")
        room = len(PLACEHOLDERS) - len(self.bindings) - WIDE
        if isinstance(node, ARITHMETIC) and not is_exponential and weight(node) <= min(WIDE, room):
            return self.write(node)
        return self.placeholder(node)

    def placeholder(self, node: Node) -> str:
        """The letter that stands for a part, the same for equal parts."""
        if node not in self.known:
            self.known[node] = PLACEHOLDERS[len(self.bindings)]
            self.bindings[self.known[node]] = node
        return self.known[node]


def _is_plain(node: Number) -> bool:
    """Whether the numeral is short, and its value what is written: 40.1\\% and ½ are not."""
    return bool(_NUMERAL.fullmatch(node.text)) and Fraction(node.text) == node.value


def weight(node: Node) -> int:
    """The leaves of a part, as many as still matter."""
    if not isinstance(node, ARITHMETIC):
        return 1
    total = 0
    for child in node.children:
        total += weight(child)
        if total > WIDE:
            return total
    return total
