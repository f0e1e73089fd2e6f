"""A place in the signs of a segment, and the numbers read there."""

from __future__ import annotations

import re
from collections.abc import Callable

from flint import arb

from derive.verify.grammar.figures import figure
from derive.verify.grammar.grids import Cell
from derive.verify.grammar.nodes import Chain, Node, Number
from derive.verify.grammar.scales import LETTERS, scales
from derive.verify.grammar.tokens import Sign

MAX_DEPTH = 40
MAX_HEIGHT = 15
"""Brackets inside of each other beyond this are no formula."""
ENDS = frozenset("sep nl end brk other close word".split())
"""Signs behind the end of a formula."""
MASK = -(10**8)
"""-1e9 and the like stand for minus infinity in scores that are masked."""


class NoFormula(Exception):
    """Here no expression begins."""


class Cursor:
    """Goes through the signs; `at` gives the offset of a sign in the stored file."""

    def __init__(
        self,
        text: str,
        signs: list[Sign],
        at: Callable[[int], int],
        comma: bool = False,
        used: Callable[[int], int] | None = None,
    ) -> None:
        """Over these signs, from the first on; `used` tells where macros are used."""
        self.text, self.signs, self.at, self.comma = text, signs, at, comma
        self.used = used or at
        self.position = self.depth = self.rows = 0  # rows: how deep in matrices
        self.is_head = False  # whether it is the head of a column, where log p is a formula
        self.spaced = [False]
        self.inner: list[Chain] = []
        self.end = Sign("end", "", len(text), len(text), True)
        self.closings = _closings(signs)
        self.broken: set[int] = set()
        self.cut, self.sunk = set[int](), -1  # ends of brackets, and where, too deep to be read
        self.spread, self.heights = _inside(signs)

    @property
    def sign(self) -> Sign:
        """The sign here."""
        try:
            return self.signs[self.position]
        except IndexError:
            return self.end

    def ahead(self, count: int) -> Sign:
        """The sign so many places on."""
        place = self.position + count
        return self.signs[place] if place < len(self.signs) else self.end

    def is_command(self, sign: Sign) -> bool:
        """Whether a sign is written as a command of LaTeX."""
        return self.text[sign.start : sign.start + 1] == "\\"

    def advance(self) -> Sign:
        """The sign here, which is then behind."""
        sign = self.sign
        self.position += 1
        return sign

    def skip(self, *kinds: str) -> None:
        """Passes over signs of these kinds."""
        while self.sign.kind in kinds:
            self.position += 1

    def expect(self, text: str) -> None:
        """Passes over this sign; NoFormula where it is another."""
        self.skip("nl")
        if self.sign.text != text:
            raise NoFormula
        self.position += 1

    def deeper(self) -> None:
        """One level further down; NoFormula where that is too deep."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.sunk = max(self.sunk, self.position)
            raise NoFormula

    def guarded(self, read: Callable[[], Node]) -> Node:
        """What is read here; what was tried in vain before is not tried again."""
        start, depth, spaced, rows = self.position, self.depth, len(self.spaced), self.rows
        if start in self.broken:
            raise NoFormula
        try:
            return read()
        except NoFormula:
            self.broken.add(start)
            self.depth, self.rows = depth, rows
            del self.spaced[spaced:]
            raise

    def closing(self) -> int:
        """Where the bracket here is closed; NoFormula where it is not, or too much is inside."""
        last = self.closings.get(self.position)
        if last is None:
            raise NoFormula
        if self.heights.get(self.position, 0) > MAX_HEIGHT:
            self.cut.add(last)
            raise NoFormula
        return last

    def number(self, first: Sign) -> Node:
        """A printed number, with the minus that was read before it."""
        last = self.grouped(first if first.kind == "num" else self.advance())
        text = self.text[first.start : last.end]
        found = figure(text, comma=self.comma)
        if found is None:
            raise NoFormula
        if found.value <= MASK and "e" in text.lower():
            return Number(Cell(None, -1, exact=arb.neg_inf()))
        cell = Cell(found, self.at(first.start))
        if found.weight > 1 and found.value > 1 and self.is_unit():
            cell.scales = scales(self.advance().text)
        return Number(cell)

    def is_unit(self) -> bool:
        """Whether a letter right behind a number of the text stands for millions, as in 1.5M."""
        sign, after = self.sign, self.ahead(1)
        if sign.kind != "id" or sign.gap or sign.text not in LETTERS:
            return False
        is_last = after.kind in ENDS or (after.kind == "id" and after.gap and len(after.text) > 1)
        return is_last and (self.position < 2 or self.ahead(-2).kind != "op")

    def grouped(self, last: Sign) -> Sign:
        """The last sign of a number with spaces between its thousands: 12 345.6."""
        if self.spaced[-1] or not re.fullmatch(r"\d{1,3}", last.text):
            return last
        while re.fullmatch(r"\d{3}(?:[.,]\d+)?", self.sign.text) and self.sign.kind == "num":
            if self.text[last.end : self.sign.start] != " " or not last.text.isdigit():
                break
            last = self.advance()
        return last

    def plain(self, sign: Sign) -> Node:
        """A raised number, which is no claim."""
        return Number(Cell(figure(sign.text), -1))

    def infinite(self, sign: Sign) -> bool:
        """Whether a sign means infinity."""
        return is_infinite(sign)


def is_infinite(sign: Sign) -> bool:
    """Whether a sign means infinity: inf, np.inf, ∞."""
    short = sign.text.rpartition(".")[2]
    return sign.kind == "id" and short in ("inf", "∞", "infty", "oo", "Infinity")


_PAIRS = {"(": ")", "[": "]", "{": "}", "begin": "end"}


def _closings(signs: list[Sign]) -> dict[int, int]:
    """Where the brackets and matrices that open at a place are closed, if they are."""
    found: dict[int, int] = {}
    stack: list[tuple[str, int]] = []
    for place, sign in enumerate(signs):
        mark = sign.kind if sign.kind in ("begin", "end") else sign.text
        if sign.kind in ("open", "begin"):
            stack.append((_PAIRS.get(mark, ""), place))
        elif sign.kind in ("close", "end"):
            while stack and stack[-1][0] != mark:
                stack.pop()
            if stack:
                found[stack.pop()[1]] = place
    return found


def _inside(signs: list[Sign]) -> tuple[set[int], dict[int, int]]:
    """The brackets with entries parted by spaces alone; how deep brackets stand in each."""
    spaced: set[int] = set()
    heights: dict[int, int] = {}
    stack: list[list[int]] = []  # place, entries, commas, height
    for place, sign in enumerate(signs):
        if sign.kind == "open":
            stack.append([place, 0, 0, 1])
        elif sign.kind == "close" and stack:
            start, entries, commas, height = stack.pop()
            heights[start] = height
            if entries > 1 and not commas:
                spaced.add(start)
            if stack:
                stack[-1][1] += 1
                stack[-1][3] = max(stack[-1][3], height + 1)
        elif stack and (sign.kind in ("num", "sep") or is_infinite(sign)):
            stack[-1][2 if sign.kind == "sep" else 1] += 1
    return spaced, heights
