"""The atoms of an expression: numbers, brackets, LaTeX matrices, names."""

from __future__ import annotations

import unicodedata
from fractions import Fraction

from derive.verify.cursor import NoFormula
from derive.verify.figures import enclosed
from derive.verify.grids import Cell
from derive.verify.layout import FAR
from derive.verify.naming import Names
from derive.verify.nodes import Array, Binary, Chain, Function, Node, Number
from derive.verify.tokens import Sign


class Atoms(Names):
    """Reads atoms; chains and sums are read by who builds on it."""

    def chain(self, open_left: bool = False) -> Chain:
        """A chain of at least one side; `open_left` lets it begin with a relation."""
        raise NotImplementedError

    def atom(self) -> Node:
        """A number, a bracket, a matrix, a function or a name."""
        sign = self.sign
        match sign.kind:
            case "num":
                self.advance()
                return self.number(sign)
            case "vulgar":
                return self.vulgar(self.advance().text)
            case "begin":
                return self.matrix()
            case "frac":
                self.advance()
                above, below = self.group(), self.group()
                return Binary("/", above, below)
            case "sqrt":
                self.advance()
                return Function("sqrt", (self.group(),))
            case "open" if sign.text in "([":
                return self.bracket()
            case "open" if sign.text == "{":
                return self.braces()
            case "id" | "said" | "word":
                return self.named()
            case "op" if sign.text == "√":
                self.advance()
                return Function("sqrt", (self.postfix(self.atom()),))
        raise NoFormula

    def vulgar(self, text: str) -> Node:
        """A half or a third in one sign, with the whole number before it."""
        part = Fraction(unicodedata.numeric(text[-1])).limit_denominator(10)
        return Number(Cell(None, -1, exact=enclosed(int(text[:-1] or 0) + part)))

    def braces(self) -> Node:
        """A group in braces; {{1, 2}, {3, 4}} is a matrix."""
        last = self.closings.get(self.position)
        if last is None or last - self.position > FAR:
            raise NoFormula
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
        if self.sign.text == "{":
            self.advance()
            inner = self.sum()
            self.expect("}")
            return inner
        return self.atom()

    def braced(self) -> Node:
        """What follows ^: a group in braces, or one factor."""
        if self.sign.kind == "open" and self.sign.text == "{":
            self.advance()
            inner = self.sum()
            self.expect("}")
            return inner
        return self.unary()

    def bracket(self) -> Node:
        """A list, a tuple, or one expression in round brackets."""
        last = self.closings.get(self.position)
        if last is None:
            raise NoFormula
        opening = self.advance()
        self.spaced.append(self.is_spaced(opening, last))
        items: list[Node] = []
        closing = {"(": ")", "[": "]"}[opening.text]
        is_list = opening.text == "["
        while self.sign.text != closing:
            items.append(self.item())
            self.skip("nl")
            if self.spaced[-1] and self.sign.text == "|":
                self.advance()
            if self.sign.kind == "sep" or self.sign.text in (";", "；"):
                self.advance()
                self.skip("nl")
                is_list = True
            elif self.sign.text != closing and not self.spaced[-1]:
                raise NoFormula
        self.spaced.pop()
        self.expect(closing)
        if not items:
            raise NoFormula
        only = items[0] if len(items) == 1 else None
        if is_list and not (isinstance(only, Array) and only.maker == "matrix"):
            return Array(tuple(items), opening.text)
        return items[0]

    def item(self) -> Node:
        """An entry, which may be a chain of its own."""
        self.skip("nl")
        chain = self.chain()
        if len(chain.sides) == 1:
            return chain.sides[0]
        self.inner.append(chain)
        return chain

    def is_spaced(self, opening: Sign, last: int) -> bool:
        """Whether the entries of a list are parted by spaces alone."""
        if opening.text != "[":
            return False
        depth, numbers = 0, 0
        for sign in self.signs[self.position : min(last, self.position + 2000)]:
            if sign.kind == "open":
                depth += 1
            elif sign.kind == "close":
                depth -= 1
                if depth < 0:
                    break
                numbers += depth == 0
            elif depth == 0 and sign.kind == "sep":
                return False
            numbers += depth == 0 and sign.kind == "num"
        return numbers > 1

    def matrix(self) -> Node:
        """A LaTeX matrix."""
        if self.position not in self.closings:
            raise NoFormula
        self.advance()
        self.pass_over_columns()
        rows: list[list[Node]] = [[]]
        self.spaced.append(False)
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
        filled = [row for row in rows if row]
        if not filled or len({len(row) for row in filled}) > 1:
            raise NoFormula
        return Array(tuple(Array(tuple(row)) for row in filled), "matrix")

    def pass_over_columns(self) -> None:
        """The columns that an array declares: {ccc}."""
        if self.sign.text == "{":
            while self.advance().text != "}":
                if self.sign.kind == "end":
                    raise NoFormula
