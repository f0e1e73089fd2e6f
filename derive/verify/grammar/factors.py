"""Whether the next sign begins a factor that stands beside the last without a sign."""

from __future__ import annotations

import re

from derive.verify.grammar.atoms import Atoms
from derive.verify.grammar.naming import FUNCTIONS, NABLA, PLAIN, SPLIT, is_indexed
from derive.verify.grammar.nodes import (
    Array,
    Binary,
    Function,
    Name,
    Negative,
    Node,
    Number,
)
from derive.verify.grammar.tokens import Sign
from derive.verify.grammar.totals import MATHS

_VECTOR = re.compile(r"[A-Za-z]_?\d{1,2}")
"""One of several vectors: q1, k_2."""
RATES = frozenset(("lr", "gain", "rate"))
"""Words that stand for a number before a bracket."""
WIDE = "  "
"""So much space parts two formulas in one line: exp(0) = 1   exp(1) = 2.72."""
NEAR = 200
"""A formula that goes on began no further before, in characters."""
JOINING = frozenset("a e i o u w y z".split())
"""Words of one letter that stand between two formulas: and, or, in, with."""
LONGEST = 16
"""A factor in brackets behind a space has no more signs."""


def is_maths(name: Name) -> bool:
    """Whether a name is a sign of mathematics, not a word."""
    return bool(MATHS.fullmatch(name.text))


class Factors(Atoms):
    """Looks ahead for factors."""

    def is_list(self) -> bool:
        """Whether the bracket here opens a list of numbers."""
        first = self.ahead(2 if self.ahead(1).text == "-" else 1)
        after = self.ahead(3 if self.ahead(1).text == "-" else 2)
        return first.kind == "num" and (after.kind == "sep" or after.text == ";")

    def is_point(self, left: Node) -> bool:
        """Whether a full stop is the dot of a product: q1.k2, or q . k = 2 with spaces around."""
        first, after = self.sign, self.ahead(1)
        if first.text != "." or first.gap != after.gap or not isinstance(left, Name):
            return False
        if first.gap:
            is_letter = bool(MATHS.fullmatch(left.text) and MATHS.fullmatch(after.text))
            return is_letter and self.ahead(2).kind in ("rel", "op", "close", "super", "top")
        return bool(_VECTOR.fullmatch(left.text) and _VECTOR.fullmatch(after.text))

    def is_logarithm(self, left: Node) -> bool:
        """Whether a function of a letter stands behind one, with no sign between: y ln p = ..."""
        if not isinstance(left, Name) or not is_maths(left):
            return False
        if len(left.text) == 1 and self.ahead(-2).kind in ("num", "close"):
            return False  # a word, perhaps: 0,841 e cos(1)
        after = self.ahead(1)
        return self.is_applied(1) or (after.text == "(" and not after.gap)

    def is_times(self) -> bool:
        """An x between two numbers."""
        return self.sign.kind == "id" and self.sign.text == "x" and self.ahead(1).kind == "num"

    def is_joining(self) -> bool:
        """Whether a letter is a word between a number and another with its sign: 0.5 i -0.3."""
        sign, after = self.sign, self.ahead(1)
        if sign.text not in JOINING or sign.kind != "id" or not (sign.gap and after.gap):
            return False
        is_signed = after.kind == "op" and after.text == "-" and not self.ahead(2).gap
        line = self.text[self.text.rfind("\n", 0, sign.start) + 1 : sign.start]
        return is_signed and self.ahead(-1).kind == "num" and line.count("$") % 2 == 0

    def is_beside(self, left: Node) -> bool:
        """Whether the next sign begins a factor that stands beside the last without a sign."""
        sign = self.sign
        between = self.text[self.ahead(-1).end : sign.start]
        is_apart = WIDE in between and between.isspace() and sign.kind == "id"
        if is_apart or "quad" in between or self.is_joining():
            return False
        if sign.kind == "begin" or (sign.kind == "open" and self.ahead(1).kind == "begin"):
            return True
        if sign.kind == "open":
            return self.opens_factor(left, sign)
        if sign.text == "√":
            return not sign.gap and (not isinstance(left, Name) or is_maths(left))
        if sign.kind == "ones":
            return not isinstance(left, Name) or is_maths(left)
        is_command = sign.text in PLAIN or sign.text == "sum"
        if sign.text in FUNCTIONS and sign.text.isalpha() and not sign.text.isascii():
            return isinstance(left, Binary) or (isinstance(left, Name) and is_maths(left))
        if sign.text in FUNCTIONS and not between and self.ahead(1).text == "(":  # 2cos(x)
            return isinstance(left, Number | Binary | Function)
        if sign.kind in ("frac", "sqrt") or (
            is_command and (self.is_head or self.is_command(sign) or self.is_logarithm(left))
        ):
            return not isinstance(left, Name) or bool(MATHS.fullmatch(left.text))
        if sign.kind == "said" and isinstance(left, Number):  # 2 \\mathrm{var}_1
            after, inner = self.ahead(1).text, self.ahead(3 if self.ahead(2).text == "{" else 2)
            return after == "_" or (after == "^" and inner.kind != "num")
        letters = (MATHS.fullmatch, SPLIT.fullmatch, NABLA.match)
        is_sign = sign.kind == "id" and any(is_one(sign.text) for is_one in letters)
        bare = left.inner if isinstance(left, Negative) else left
        is_left = isinstance(bare, Function | Binary) or (
            isinstance(bare, Name) and bool(MATHS.fullmatch(bare.text))
        )
        is_close = not between.strip("\\,;:! ") and ("\\" in between or not between)
        is_close = is_close or sign.text[-1:] in "0123456789_" or self.ahead(1).kind == "sub"
        is_drawn = sign.kind == "id" and self.is_command(sign)  # 2 \\hat{x}, 2 \\mathrm{d}x
        is_close |= between == " " and (is_drawn or self.is_factor_of_formula(sign))
        return is_sign and (is_left or (isinstance(left, Number) and is_close))

    def is_factor_of_formula(self, sign: Sign) -> bool:
        """Whether a letter behind a number and a space goes on with the formula: 2 t + 1."""
        after = self.ahead(1)
        ends = after.kind in ("brk", "rowsep", "amp", "frac", "sqrt", "power", "super")
        ends = ends or after.text == "}"
        if after.kind in ("nl", "end", "rel"):
            line = self.text[max(0, sign.start - NEAR) : sign.start].rpartition("\n")[2]
            text = re.escape(sign.text)
            ends = re.search(rf"(?<![A-Za-z\\]){text}(?![A-Za-z])", line) is not None
        return len(sign.text) == 1 and (ends or (after.kind == "op" and after.text in "+-/^*·×"))

    def opens_factor(self, left: Node, sign: Sign) -> bool:
        """Whether a bracket opens a factor, not a list that stands by itself."""
        if sign.text == "(":
            is_entry = isinstance(left, Name) and is_indexed(left.text)
            is_turned = isinstance(left, Function) and left.name == "T"
            is_close = not sign.gap or isinstance(left, Binary | Array) or is_entry or is_turned
            is_close = is_close or self.is_turned_after()
            return is_close or (self.is_scalar(left) and self.is_difference())
        if sign.text != "[" or not isinstance(left, Number | Binary):
            return False
        if not sign.gap:
            return True
        is_quotient = isinstance(left, Binary) and left.sign == "/"
        figure = left.cell.figure if isinstance(left, Number) else None
        return (is_quotient or (figure is not None and not figure.is_whole)) and self.is_list()

    def is_turned_after(self) -> bool:
        """Whether the bracket here is transposed as a whole: Q (K + B)^T."""
        last = self.closings.get(self.position)
        if last is None:
            return False
        after, mark = (self.ahead(last - self.position + k) for k in (1, 2))
        if mark.text == "{":
            mark = self.ahead(last - self.position + 3)
        is_raised = after.text == "^" and (mark.kind == "top" or mark.text == "T")
        return after.kind == "top" or is_raised

    def is_scalar(self, left: Node) -> bool:
        """Whether what stands before a bracket is one number, by its form: 0.5, eta, lr."""
        if isinstance(left, Number):
            return left.cell.figure is not None and not left.cell.figure.is_whole
        return isinstance(left, Name) and (is_maths(left) or left.text in RATES)

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
