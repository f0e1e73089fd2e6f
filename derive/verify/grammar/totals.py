"""Sums over an index, by their sign or their name, and functions of one letter: ln p."""

from __future__ import annotations

import re

from derive.verify.grammar.cursor import Cursor
from derive.verify.grammar.nodes import Function, Node
from derive.verify.grammar.tokens import Sign

TOTAL = re.compile(r"[Σ∑](?:_[ijknmt]?)?|sum_[ijknmt]?")
"""A sum by its sign or its name, where no command is written for it."""
SIGNS = frozenset("+ - * / · ×".split())
BASES = {"2": "log2", "10": "log10", "e": "ln"}
"""Logarithms by the base that stands below their sign."""
MATHS = re.compile(
    r"(?:∂|d(?=[A-ZΑ-Ωα-ω]|[a-z]{2}))?(?:[A-Za-z]|[Α-Ωα-ω]|alpha|beta|gamma|delta|eta|theta|zeta|kappa|rho"
    r"|(?:var)?phi|omega|(?:var)?epsilon|tau|sigma|lambda|mu|W[qkvoQKVO]|(?<=d)(?:var|std))'*(?:[_^~].*|\d*)'*"
)


class Totals(Cursor):
    """Reads sums and what stands below their signs."""

    def product(self) -> Node:
        """Factors."""
        raise NotImplementedError

    def inside(self) -> str:
        """The text of a group in braces."""
        raise NotImplementedError

    def called(self, function: str) -> Node:
        """A function with its argument."""
        raise NotImplementedError

    def total(self, sign: Sign) -> Node | None:
        """A sum, or the largest, over an index, which this sign begins; None where it does not."""
        if sign.text in ("sum", "max", "min") and self.is_command(sign):
            return self.over(sign.text)
        if not TOTAL.fullmatch(sign.text) or not self.begins_total():
            return None
        if sign.text.endswith("_") and self.sign.text == "{":
            self.inside()
        return self.over("sum")

    def begins_total(self) -> bool:
        """Whether a sign of a sum, which is no command, stands where one begins."""
        before, sign = self.ahead(-2), self.sign
        is_first = before.kind in ("rel", "open", "nl", "end", "sep") or before.text in SIGNS
        return is_first and (sign.kind in ("id", "sub", "num", "frac") or sign.text in "_({[^")

    def over(self, text: str) -> Node:
        """A sum over an index, or the largest: of what stands behind the bounds."""
        for mark in ("_", "^", "_"):
            self.bound(mark)
        return Function("sum over", (self.product(),)) if text == "sum" else self.called(text)

    def base(self) -> str:
        """The logarithm of the base that stands below its sign; "" where none does."""
        place = self.position
        found = BASES.get(self.bound(), "")
        self.position = self.position if found else place
        return found

    def bound(self, mark: str = "_") -> str:
        """What stands below or above a sign, which is then behind; "" where nothing does."""
        if mark == "_" and re.fullmatch(r"_\w+", self.sign.text):
            return self.advance().text[1:]
        if mark == "_" and self.sign.kind == "sub":
            return self.advance().text
        if self.sign.text != mark:
            return ""
        self.advance()
        return self.inside() if self.sign.text == "{" else self.advance().text

    def is_applied(self, place: int) -> bool:
        """Whether a letter, and no further word, stands there behind a function: ln p = ..."""
        letter, after = self.ahead(place), self.ahead(place + 1)
        while after.kind in ("sub", "super"):
            place += 1
            after = self.ahead(place + 1)
        is_letter = letter.kind == "id" and MATHS.fullmatch(letter.text) is not None
        return is_letter and (after.kind in ("rel", "close") or after.text in SIGNS)
