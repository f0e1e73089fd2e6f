"""A place in the signs of a program."""

from __future__ import annotations

from typing import TypeGuard

from derive.verify.grammar.nodes import Binary, Function, Negative, Node
from derive.verify.program.conditions import endless
from derive.verify.program.scope import SEVERAL, Scope
from derive.verify.program.tokens import NoProgram, Token, tokens

POINTED = {".*": "*", "./": "/", ".^": "^", ".+": "+", ".-": "-", "**": "^"}
WHOLE = {"//": "quotient", "%": "remainder"}
FORMAT = [("dot", "."), ("name", "format"), ("op", "(")]


class Cursor:
    """The signs of a text, and the place that is read."""

    def __init__(self, text: str, scope: Scope, depth: int = 0) -> None:
        """From the beginning."""
        self.scope, self.depth = scope, depth
        self.tokens = list(tokens(text, scope.language))
        self.place = 0

    @property
    def token(self) -> Token:
        """The token here."""
        return self.tokens[self.place] if self.place < len(self.tokens) else ("end", "")

    def takes(self, *texts: str) -> str:
        """Passes over one of these signs, and says which; "" where another stands."""
        kind, text = self.token
        if kind in ("op", "turned") and text in texts:
            self.place += 1
            return text
        return ""

    def goes_over(self) -> bool:
        """Whether a list is made here by going over another: [f(t) for t in x]."""
        depth = 0
        for kind, text in self.tokens[self.place :]:
            depth += (text in ("[", "(")) - (text in ("]", ")")) if kind == "op" else 0
            if depth < 0 or (not depth and text == ","):
                return False
            if not depth and (kind, text) == ("name", "for"):
                return True
        return False

    def expect(self, text: str) -> None:
        """Passes over this sign."""
        if not self.takes(text):
            raise NoProgram

    def endless(self) -> Node | None:
        """Infinity in quotes, up to the closing bracket; None where something else stands."""
        kind, text = self.token
        made = endless(text.strip("\"'+-")) if kind == "str" else None
        if made is None or self.tokens[self.place + 1 : self.place + 2] != [("op", ")")]:
            return None
        self.place += 2
        return Negative(made) if "-" in text else made


def bare(node: Node) -> Node:
    """What stands behind the signs of a number."""
    return bare(node.inner) if isinstance(node, Negative) else node


def is_several(node: Node) -> TypeGuard[Function]:
    """Whether an expression stands for several results."""
    return isinstance(node, Function) and node.name == SEVERAL


def multiplied(sign: str, left: Node, right: Node) -> Node:
    """Two expressions under a sign that is entry by entry or of matrices."""
    if sign == "*":
        return Function("times", (left, right))
    if sign in WHOLE:
        return Function(WHOLE[sign], (left, right))
    return Binary("/" if sign == "/" else "@", left, right)
