"""Bars, angles and factorials: |x|, the norm of x, the inner product of two vectors, 5!."""

from __future__ import annotations

from derive.verify.grammar.cursor import NoFormula
from derive.verify.grammar.naming import Names
from derive.verify.grammar.nodes import Binary, Function, Node
from derive.verify.grammar.tokens import Sign

NORM = "‖"
EUCLIDEAN = frozenset(("", "2", "F"))
"""What stands below the norm that is the root of the sum of squares."""


class Bars(Names):
    """Reads what bars and angles enclose."""

    def barred(self) -> Node:
        """|x| or a norm, in bars that belong together."""
        opening = self.advance()
        is_norm = opening.text == NORM
        if opening.text == "|" and self.is_bar() and not self.sign.gap:
            self.advance()
            is_norm = True
        elif not is_norm and not self.is_around(opening):
            raise NoFormula
        self.deeper()
        inner = self.sum()
        self.depth -= 1
        self.close(opening, is_norm)
        below = self.bound() if is_norm else ""
        if not is_norm:
            return Function("abs", (inner,))
        return Function("norm" if below in EUCLIDEAN else f"?norm {below}", (inner,))

    def close(self, opening: Sign, is_norm: bool) -> None:
        """The bars that answer those before; NoFormula where others stand here."""
        for _ in range(2 if is_norm and opening.text == "|" else 1):
            is_tight = not self.sign.gap or self.is_command(self.sign) or opening.text == NORM
            if self.sign.text != opening.text or self.sign.kind != "op" or not is_tight:
                raise NoFormula
            self.advance()

    def is_bar(self) -> bool:
        """Whether a bar stands here."""
        return self.sign.kind == "op" and self.sign.text == "|"

    def is_around(self, opening: Sign) -> bool:
        """Whether a bar encloses what follows; others part the cells of a table."""
        if self.is_command(opening):
            return True
        start = self.text.rfind("\n", 0, opening.start) + 1
        line = self.text[start : self.text.find("\n", start) % (len(self.text) + 1)].strip("> \t")
        return not self.sign.gap and line[:1] != "|" and line.count("|") % 2 == 0

    def is_factorial(self) -> bool:
        """Whether a sign of exclamation goes on with a formula, and is then behind: 5! = 120."""
        after = self.ahead(1)
        is_on = after.kind in ("rel", "brk", "close", "frac") or after.text in "+-*/·×"
        if self.sign.text != "!" or self.sign.gap or not (after.text and is_on):
            return False
        self.position += 1
        return True

    def angled(self) -> Node:
        """The inner product of two vectors between angles."""
        self.advance()
        self.deeper()
        left = self.sum()
        if self.sign.kind != "sep" and self.sign.text not in ("|", ";"):
            raise NoFormula
        self.advance()
        right = self.sum()
        self.depth -= 1
        self.expect("⟩")
        return Binary("·", left, right)
