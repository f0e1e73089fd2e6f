"""Sums, products and powers: what stands between two relations."""

from __future__ import annotations

import re

from flint import arb

from derive.verify.grammar.atoms import Atoms
from derive.verify.grammar.cursor import MAX_DEPTH, NoFormula
from derive.verify.grammar.grids import Cell
from derive.verify.grammar.naming import FUNCTIONS, MATHS, NABLA, PLAIN, SPLIT, is_indexed
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

_VECTOR = re.compile(r"[A-Za-z]_?\d{1,2}")
"""One of several vectors: q1, k_2."""
_PAIR = re.compile(r"(?!w)[a-z]{2}")
"""Two letters that are no name of weights, as wq is."""
RATES = frozenset(("lr", "gain", "rate"))
"""Words that stand for a number before a bracket."""
WIDE = "  "
"""So much space parts two formulas in one line: exp(0) = 1   exp(1) = 2.72."""
NEAR = 200
"""A formula that goes on began no further before, in characters."""
LONGEST = 16
"""A factor in brackets behind a space has no more signs."""
MAX_TERMS = 100
"""A sum or a product goes on for so many terms."""


def _is_maths(name: Name) -> bool:
    return bool(MATHS.fullmatch(name.text))


def _is_mask(node: Node) -> bool:
    """10^8 and more, which with a minus stands for minus infinity in scores that are masked."""
    match node:
        case Binary("^", Number(Cell(figure=ten)), Number(Cell(figure=power))) if ten and power:
            return ten.text == "10" and power.value >= 8
    return False


class Terms(Atoms):
    """Reads expressions."""

    def sum(self) -> Node:
        """Products with signs between them."""
        self.deeper()
        value = self.product()
        for _ in range(MAX_TERMS):
            if not self.is_operator("+", "-"):
                break
            before, depth = self.position, self.depth
            sign = self.advance().text
            try:
                if self.is_dash(value, self.signs[before]):
                    raise NoFormula
                right = self.product()
                if isinstance(value, Array) and isinstance(right, Name) and not _is_maths(right):
                    raise NoFormula
                value = Binary(sign, value, right)
            except NoFormula:
                self.position, self.depth = before, depth
                break
        self.depth -= 1
        return value

    def is_operator(self, *texts: str) -> bool:
        """Whether one of these operators follows; in lists without commas -1 is an entry."""
        sign = self.sign
        if sign.kind != "op" or sign.text not in texts:
            return False
        after = self.ahead(1)
        return not (self.spaced[-1] and sign.gap and not after.gap and sign.text in "+-")

    def is_dash(self, left: Node, sign: Sign) -> bool:
        """Whether a minus belongs to what follows a word: so, -log(0.5) = ..."""
        is_word = isinstance(left, Name) and len(left.text) > 1 and not MATHS.fullmatch(left.text)
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

    def is_list(self) -> bool:
        """Whether the bracket here opens a list of numbers."""
        first = self.ahead(2 if self.ahead(1).text == "-" else 1)
        after = self.ahead(3 if self.ahead(1).text == "-" else 2)
        return first.kind == "num" and (after.kind == "sep" or after.text == ";")

    def is_point(self, left: Node) -> bool:
        """Whether a full stop between two numbered letters is the dot of a product: q1.k2."""
        first, after = self.sign, self.ahead(1)
        if first.text != "." or first.gap or after.gap or not isinstance(left, Name):
            return False
        return bool(_VECTOR.fullmatch(left.text) and _VECTOR.fullmatch(after.text))

    def is_times(self) -> bool:
        """An x between two numbers."""
        return self.sign.kind == "id" and self.sign.text == "x" and self.ahead(1).kind == "num"

    def is_beside(self, left: Node) -> bool:
        """Whether the next sign begins a factor that stands beside the last without a sign."""
        sign = self.sign
        if sign.kind == "begin":
            return True
        if sign.kind == "open":
            return self.opens_factor(left, sign)
        is_command = sign.text in PLAIN or sign.text == "sum"
        if sign.text in FUNCTIONS and sign.text.isalpha() and not sign.text.isascii():
            return isinstance(left, Binary) or (isinstance(left, Name) and _is_maths(left))
        if sign.kind in ("frac", "sqrt") or (
            is_command and (self.is_head or self.is_command(sign))
        ):
            return not isinstance(left, Name) or bool(MATHS.fullmatch(left.text))
        letters = (MATHS.fullmatch, SPLIT.fullmatch, NABLA.match)
        is_maths = sign.kind == "id" and any(is_one(sign.text) for is_one in letters)
        is_left = isinstance(left, Function | Binary) or (
            isinstance(left, Name) and bool(MATHS.fullmatch(left.text))
        )
        between = self.text[self.ahead(-1).end : sign.start]
        is_close = not between.strip("\\,;:! ") and ("\\" in between or not between)
        is_close = is_close or sign.text[-1:] in "0123456789_" or self.ahead(1).kind == "sub"
        is_close = is_close and not (WIDE in between and between.isspace())
        is_close |= between == " " and self.is_factor_of_formula(sign)
        return bool(is_maths) and (is_left or (isinstance(left, Number) and is_close))

    def is_factor_of_formula(self, sign: Sign) -> bool:
        """Whether a letter behind a number and a space goes on with the formula: 2 t + 1."""
        after = self.ahead(1)
        ends = after.kind in ("brk", "rowsep", "frac", "sqrt", "power", "super")
        if after.kind in ("nl", "end", "rel"):
            line = self.text[max(0, sign.start - NEAR) : sign.start].rpartition("\n")[2]
            ends = re.search(rf"(?<![A-Za-z\\]){sign.text}(?![A-Za-z])", line) is not None
        return len(sign.text) == 1 and (ends or (after.kind == "op" and after.text in "+-/^*·×"))

    def opens_factor(self, left: Node, sign: Sign) -> bool:
        """Whether a bracket opens a factor, not a list that stands by itself."""
        if sign.text == "(":
            is_entry = isinstance(left, Name) and is_indexed(left.text)
            is_turned = isinstance(left, Function) and left.name == "T"
            is_close = not sign.gap or isinstance(left, Binary | Array) or is_entry or is_turned
            return is_close or (self.is_scalar(left) and self.is_difference())
        if sign.text != "[" or not isinstance(left, Number | Binary):
            return False
        if not sign.gap:
            return True
        is_quotient = isinstance(left, Binary) and left.sign == "/"
        figure = left.cell.figure if isinstance(left, Number) else None
        return (is_quotient or (figure is not None and not figure.is_whole)) and self.is_list()

    def is_scalar(self, left: Node) -> bool:
        """Whether what stands before a bracket is one number, by its form: 0.5, eta, lr."""
        if isinstance(left, Number):
            return left.cell.figure is not None and not left.cell.figure.is_whole
        return isinstance(left, Name) and (_is_maths(left) or left.text in RATES)

    def is_difference(self) -> bool:
        """Whether the bracket here holds a sum of names, no remark and no list."""
        texts = []
        for count in range(1, LONGEST):
            sign = self.ahead(count)
            if sign.text == ")":
                break
            if sign.kind in ("sep", "nl", "end", "word", "rel", "open"):
                return False
            texts.append(sign)
        names = [s for s in texts if s.kind == "id"]
        is_sum = any(s.kind == "op" and s.text in "+-" for s in texts[1:-1])
        return is_sum and bool(names) and all(MATHS.fullmatch(s.text) for s in names)

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
                value = _turned(value)
            elif self.is_transpose():
                self.advance()
                value = Function("T", (value,))
            elif self.sign.text == "^" and self.transposed():
                value = _turned(value)
            else:
                break
        return value

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
