"""Sums, products and powers: what stands between two relations."""

from __future__ import annotations

import re

from flint import arb

from derive.verify.grammar.cursor import MAX_DEPTH, NoFormula
from derive.verify.grammar.factors import Factors, is_maths
from derive.verify.grammar.grids import Cell
from derive.verify.grammar.nodes import (
    Array,
    Binary,
    Function,
    Name,
    Negative,
    Node,
    Number,
    quotient,
)
from derive.verify.grammar.tokens import Sign

_PAIR = re.compile(r"(?!w)[a-z]{2}")
"""Two letters that are no name of weights, as wq is."""
MAX_TERMS = 100
"""A sum or a product goes on for so many terms."""


def _is_mask(node: Node) -> bool:
    """10^8 and more, which with a minus stands for minus infinity in scores that are masked."""
    match node:
        case Binary("^", Number(Cell(figure=ten)), Number(Cell(figure=power))) if ten and power:
            return ten.text == "10" and power.value >= 8
    return False


class Terms(Factors):
    """Reads expressions."""

    def sum(self) -> Node:
        """Products with signs between them."""
        self.deeper()
        value = self.product()
        for _ in range(MAX_TERMS):
            before, depth = self.position, self.depth
            self.pass_over_line()
            if not self.is_operator("+", "-"):
                self.position = before
                break
            sign = self.advance().text
            try:
                if self.is_dash(value, self.signs[before]):
                    raise NoFormula
                right = self.product()
                if isinstance(value, Array) and isinstance(right, Name) and not is_maths(right):
                    raise NoFormula
                value = Binary(sign, value, right)
            except NoFormula:
                self.position, self.depth = before, depth
                break
        self.depth -= 1
        return value

    def pass_over_line(self) -> None:
        """Goes to the next line of an alignment where that goes on with a sum: \\\\ & + c."""
        first = self.position
        if self.sign.kind != "rowsep" or self.rows:
            return
        self.skip("rowsep", "nl")
        between = self.text[self.signs[first].end : self.sign.start]
        if self.sign.text != "+" and not (self.sign.text == "-" and "&" in between):
            self.position = first

    def is_operator(self, *texts: str) -> bool:
        """Whether one of these operators follows; in lists without commas -1 is an entry."""
        sign = self.sign
        if sign.kind != "op" or sign.text not in texts:
            return False
        after = self.ahead(1)
        return not (self.spaced[-1] and sign.gap and not after.gap and sign.text in "+-")

    def is_dash(self, left: Node, sign: Sign) -> bool:
        """Whether a minus belongs to what follows a word: so, -log(0.5) = ..."""
        while isinstance(left, Binary):
            left = left.right
        is_word = isinstance(left, Name) and left.text[:1].isalpha() and not is_maths(left)
        return is_word and sign.gap and not self.sign.gap

    def product(self) -> Node:
        """Factors, with a sign between them or side by side."""
        value = self.joined()
        for _ in range(MAX_TERMS):
            before, depth = self.position, self.depth
            try:
                if self.is_operator("*", "⊙", "·", "×", "@"):
                    sign = self.advance().text
                    value = Binary(sign, value, self.joined())
                elif self.is_point(value):
                    self.advance()
                    value = Binary("·", value, self.joined())
                elif self.is_operator("/"):
                    self.advance()
                    value = quotient(value, self.unary())
                elif self.is_times():
                    self.position += 1
                    value = Binary("*", value, self.unary())
                elif self.is_beside(value):
                    value = Binary("", value, self.power())
                else:
                    break
            except NoFormula:
                self.position, self.depth = before, depth
                break
        return value

    def joined(self) -> Node:
        """Factors that stand side by side: R(2) q."""
        value = self.unary()
        for _ in range(MAX_TERMS):
            if not self.is_beside(value):
                break
            before, depth = self.position, self.depth
            try:
                value = Binary("", value, self.power())
            except NoFormula:
                self.position, self.depth = before, depth
                break
        return value

    def unary(self) -> Node:
        """A power with its sign."""
        sign = self.sign
        if _is_sign(sign):
            self.advance()
            if sign.text == "-" and self.is_signed(sign):
                return self.number(sign)
            if sign.text == "-" and self.infinite(self.sign):
                self.advance()
                return Number(Cell(None, -1, exact=arb.neg_inf()))
            if _is_sign(self.sign) and _is_sign(self.ahead(1)):
                raise NoFormula
            self.deeper()
            inner = self.unary()
            self.depth -= 1
            if sign.text == "-" and _is_mask(inner):
                return Number(Cell(None, -1, exact=arb.neg_inf()))
            return inner if sign.text == "+" else Negative(inner)
        return self.power()

    def is_signed(self, sign: Sign) -> bool:
        """Whether a minus belongs to the number behind it, and not to a power of it."""
        after = self.ahead(1)
        is_close = self.sign.kind == "num" and self.sign.start == sign.end
        return is_close and after.text != "^" and after.kind not in ("super", "power")

    def power(self) -> Node:
        """An expression with what it is raised to."""
        base = self.postfix(self.atom())
        for _ in range(MAX_DEPTH):
            if self.sign.kind == "super":
                base = Binary("^", base, self.plain(self.advance()))
            elif self.sign.kind == "power" or (self.sign.kind == "op" and self.sign.text == "^"):
                before, depth = self.position, self.depth
                self.advance()
                try:
                    self.deeper()
                    raised = self.braced()
                    self.depth -= 1
                    is_e = isinstance(base, Name) and base.text == "e"
                    base = Function("exp", (raised,)) if is_e else Binary("^", base, raised)
                except NoFormula:
                    self.position, self.depth = before, depth
                    break
            else:
                break
        return base

    def postfix(self, value: Node) -> Node:
        """An expression with its transposes."""
        for _ in range(MAX_DEPTH):
            if self.sign.kind == "top":
                self.advance()
                value = self.below(_turned(value))
            elif isinstance(value, Name) and self.sign.text[:1] == "_" and not self.sign.gap:
                value = self.suffixed(value.text)  # behind its bracket: (W_1)_{kj}
            elif self.is_transpose():
                self.advance()
                value = Function("T", (value,))
            elif self.is_factorial():
                value = Function("factorial", (value,))
            elif self.sign.text == "^" and self.transposed():
                value = self.below(_turned(value))
            else:
                break
        return value

    def below(self, turned: Node) -> Node:
        """A transpose with what stands below its sign: K^T_1 is K_1 turned."""
        match turned:
            case Function("T", (Name(text, None),)) if self.sign.text[:1] == "_":
                return Function("T", (self.suffixed(text),))
        return turned

    def is_transpose(self) -> bool:
        """Whether .T follows, of which the point is then behind."""
        if self.sign.text == "." and self.ahead(1).text == "T" and not self.ahead(1).gap:
            self.position += 1
            return True
        return False

    def transposed(self) -> bool:
        """Takes ^T, ^\\top or ^{T}; False, and nothing taken, where something else is raised."""
        after = self.ahead(1)
        braced = after.text == "{"
        mark = self.ahead(2) if braced else after
        if mark.kind == "top" or (mark.kind in ("id", "said") and mark.text in ("T", "top")):
            self.position += 4 if braced else 2
            return True
        return False


def _turned(value: Node) -> Node:
    """A transpose; of two letters without a sign between them the second is turned: xx^T."""
    if isinstance(value, Name) and value.index is None and _PAIR.fullmatch(value.text):
        return Binary("", Name(value.text[0]), Function("T", (Name(value.text[1]),)))
    return Function("T", (value,))


def _is_sign(sign: Sign) -> bool:
    return sign.kind == "op" and sign.text in "+-"
