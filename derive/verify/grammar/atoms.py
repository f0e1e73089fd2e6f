"""The atoms of an expression: numbers, brackets, LaTeX matrices, names."""

from __future__ import annotations

import unicodedata
from fractions import Fraction
from itertools import pairwise

from derive.verify.grammar.bars import NORM
from derive.verify.grammar.cursor import NoFormula
from derive.verify.grammar.figures import enclosed, figure
from derive.verify.grammar.grids import Cell
from derive.verify.grammar.nodes import Array, Chain, Function, Name, Node, Number, quotient
from derive.verify.grammar.phrases import Phrases
from derive.verify.grammar.tokens import Sign

BESIDE = frozenset(("id", "close", "sub", "top"))
"""Behind these signs a bold 1 is a factor."""


class Atoms(Phrases):
    """Reads atoms; chains and sums are read by who builds on it."""

    def chain(self, open_left: bool = False) -> Chain:
        """A chain of at least one side; `open_left` lets it begin with a relation."""
        raise NotImplementedError

    def atom(self) -> Node:
        """A number, a bracket, a matrix, a function or a name."""
        sign = self.sign
        match sign.kind:
            case "num" | "vulgar" | "ones":
                return self.figure(self.advance())
            case "begin" | "brace":
                return self.guarded(self.matrix if sign.kind == "begin" else self.braced_under)
            case "frac":
                self.advance()
                above, below = self.group(), self.group()
                return quotient(above, below)
            case "sqrt":
                self.advance()
                return Function("sqrt", (self.group(),))
            case "open" if sign.text in "([":
                return self.bracket()
            case "open" if sign.text == "{":
                return self.guarded(self.braces)
            case "id" | "said" | "word":
                return self.unread() or self.phrase() or self.named()
            case "op":
                return self.opened_by(sign.text)
        raise NoFormula

    def figure(self, sign: Sign) -> Node:
        """A number, in one sign or several."""
        if sign.kind == "num":
            return self.number(sign)
        return self.vulgar(sign.text) if sign.kind == "vulgar" else self.ones(sign)

    def ones(self, sign: Sign) -> Node:
        """A bold 1 beside a letter is a vector of ones; by itself it is a number."""
        before, after = self.ahead(-2), self.sign
        if after.text in ("(", "[") and not after.gap:
            self.position = self.closing() + 1
            return Function("?1", ())  # where something holds
        if before.kind in BESIDE or after.kind in ("id", "open") or after.text == "^":
            self.bound()
            return Function("ones", ())
        return Number(Cell(figure("1"), self.at(max(sign.start, self.text.find("1", sign.start)))))

    def opened_by(self, text: str) -> Node:
        """What begins with a root, a bar or an angle."""
        if text in ("|", NORM):
            return self.guarded(self.barred)
        if text == "⟨":
            return self.guarded(self.angled)
        if text != "√":
            raise NoFormula
        self.advance()
        self.deeper()
        return Function("sqrt", (self.postfix(self.atom()),))

    def braced_under(self) -> Node:
        """An expression over a brace; a decimal under it is its value, words are passed over.

        A whole number may as well count the terms, but where it stands behind a sign of equality.
        """
        start = self.advance().start
        inner = self.group()
        if self.sign.text not in ("_", "^") or self.ahead(1).text != "{":
            return inner
        self.position += 2
        end = self.position + self.closed()
        try:
            is_said = self.sign.kind == "rel"
            self.position += is_said
            label = self.sum()
            figure = label.cell.figure if isinstance(label, Number) else None
            is_result = figure is not None and (is_said or not figure.is_whole)
            if is_result and self.position == end:
                self.inner.append(Chain((inner, label), self.used(start), ("=",)))
        except NoFormula:
            pass
        self.position = end + 1
        return inner

    def closed(self) -> int:
        """How many signs stand before the brace that closes the one behind."""
        depth, count = 1, 0
        while self.ahead(count) is not self.end:
            text = self.ahead(count).text
            depth += (text == "{") - (text == "}")
            if not depth:
                return count
            count += 1
        raise NoFormula

    def vulgar(self, text: str) -> Node:
        """A half or a third in one sign, with the whole number before it."""
        part = Fraction(unicodedata.numeric(text[-1])).limit_denominator(10)
        return Number(Cell(None, -1, exact=enclosed(int(text[:-1] or 0) + part)))

    def braces(self) -> Node:
        """A group in braces; {{1, 2}, {3, 4}} is a matrix."""
        self.closing()
        self.advance()
        items = [self.sum()]
        self.skip("nl")
        while self.sign.kind == "sep":
            self.advance()
            self.skip("nl")
            items.append(self.sum())
            self.skip("nl")
        self.expect("}")
        return items[0] if len(items) == 1 else Array(tuple(items))

    def group(self) -> Node:
        """A group in braces, or one sign."""
        return self.braced() if self.sign.text == "{" else self.atom()

    def braced(self) -> Node:
        """What follows ^: a group in braces, or one factor."""
        if self.sign.kind == "open" and self.sign.text == "{":
            return self.guarded(self.within)
        return self.unary()

    def within(self) -> Node:
        """The expression in braces."""
        self.closing()
        self.advance()
        inner = self.sum()
        self.expect("}")
        return inner

    def bracket(self) -> Node:
        """A list, a tuple, or one expression in round brackets."""
        return self.guarded(self.entries)

    def entries(self) -> Node:
        """What stands in brackets."""
        self.closing()
        is_spaced = self.position in self.spread and self.sign.text == "["
        opening = self.advance()
        self.spaced.append(is_spaced)
        items: list[Node] = []
        closing = {"(": ")", "[": "]"}[opening.text]
        is_list = opening.text == "["
        is_joined = False
        ends: list[int] = []  # where a semicolon ends a row
        while self.sign.text != closing:
            items.append(self.item())
            self.skip("nl")
            if is_list and self.sign.text == "|" and isinstance(items[-1], Name):
                self.advance()
                is_joined = True
                continue
            if self.spaced[-1] and self.sign.text == "|":
                self.advance()
            if self.sign.kind == "sep" or self.sign.text in (";", "；"):
                if self.advance().text in (";", "；"):
                    ends.append(len(items))
                self.skip("nl")
                is_list = True
            elif self.sign.text != closing and not self.spaced[-1]:
                raise NoFormula
        self.spaced.pop()
        self.expect(closing)
        if is_joined and items:
            return Function("?concat", tuple(items))
        return _bracketed(items, ends, opening.text, is_list)

    def item(self) -> Node:
        """An entry, which may be a chain of its own."""
        self.skip("nl")
        chain = self.chain()
        if len(chain.sides) == 1:
            return chain.sides[0]
        self.inner.append(chain)
        return chain

    def matrix(self) -> Node:
        """A LaTeX matrix."""
        if self.position not in self.closings:
            raise NoFormula
        self.advance()
        self.pass_over_columns()
        rows: list[list[Node]] = [[]]
        self.spaced.append(False)
        self.rows += 1
        while not (self.sign.kind == "end" and self.sign is not self.end):
            if self.sign is self.end:
                raise NoFormula
            if self.sign.kind == "rowsep":
                self.advance()
                rows.append([])
            elif self.sign.kind in ("nl", "amp"):
                self.advance()
            else:
                rows[-1].append(self.sum())
                if self.sign.kind not in ("amp", "rowsep", "nl", "end"):
                    raise NoFormula
        self.advance()
        self.spaced.pop()
        self.rows -= 1
        filled = [row for row in rows if row]
        if not filled or len({len(row) for row in filled}) > 1:
            raise NoFormula
        return Array(tuple(Array(tuple(row)) for row in filled), "matrix")

    def pass_over_columns(self) -> None:
        """The columns that an array declares: {ccc}, {@{}rr@{}}."""
        if self.sign.text == "{":
            self.position = self.closing() + 1


def _rows(items: list[Node], ends: list[int]) -> Array | None:
    """Rows parted by semicolons, whose entries are parted otherwise: [1 2; 3 4]."""
    cuts = [0, *ends, len(items)]
    parts = [tuple(items[a:b]) for a, b in pairwise(cuts) if b > a]
    if len(parts) < 2 or len(parts[0]) < 2 or len({len(part) for part in parts}) > 1:
        return None
    return Array(tuple(Array(part) for part in parts))


def _bracketed(items: list[Node], ends: list[int], mark: str, is_list: bool) -> Node:
    """What brackets with these entries mean: rows, a list, or the one expression inside."""
    if not items:
        raise NoFormula
    if mark == "[" and (rows := _rows(items, ends)) is not None:
        return rows
    only = items[0] if len(items) == 1 else None
    if is_list and not (isinstance(only, Array) and only.maker == "matrix"):
        return Array(tuple(items), mark)
    return items[0]
