"""Functions in words: the softmax of [1, 2] is [0.27, 0.73], the mean of 5, 6 and 7 is 6."""

from __future__ import annotations

import re

from derive.verify.grammar.bars import Bars
from derive.verify.grammar.nodes import Array, Function, Node
from derive.verify.grammar.tokens import Sign

FUNCTIONS = {
    "softmax": "softmax", "mean": "mean", "average": "mean", "Mittelwert": "mean",
    "moyenne": "mean", "media": "mean", "média": "mean", "sum": "sum", "Summe": "sum",
    "somme": "sum", "suma": "sum", "soma": "sum", "somma": "sum", "maximum": "max",
    "minimum": "min",
}  # fmt: skip
OF = frozenset("of von de di des".split())
IS = frozenset("is are equals gives ist sind beträgt est sont vaut es son é são è sono".split())
AND = frozenset("and und et y e en och og ja ve dan и та και và 和 与 與 及 と 와 과".split())
UNREAD = re.compile(r"arg(?:\\,|\s)?(?:max|min)(?:_|$)|det$")
"""Functions that are not worked out."""
AROUND = ("brk", "nl")
"""What may stand around a formula in a sentence."""


class Phrases(Bars):
    """Reads what a sentence says of a list, where it says what that gives."""

    def unread(self) -> Node | None:
        """Arg max and det, of which no value is worked out; None, and nothing taken, for others."""
        text = self.sign.text
        if text == "arg" and self.ahead(1).text in ("max", "min"):
            text += self.ahead(1).text
        if not UNREAD.match(text):
            return None
        self.position += 1 + (text != self.sign.text)
        self.bound()
        return Function(f"?{text}", (self.product(),))

    def phrase(self) -> Node | None:
        """A function of the list that follows it; None, and nothing taken, for other words."""
        function = FUNCTIONS.get(self.sign.text)
        if function is None or self.ahead(1).text not in OF:
            return None
        first = self.past(self.position + 2)
        is_bracket = first in self.closings and self.signs[first].text in "(["
        last = self.closings[first] + 1 if is_bracket else self.listed_until(first)
        if last is None or not self.has_result(self.past(last)):
            return None
        self.position = first
        if is_bracket:
            return Function(function, (self.bracket(),))
        return Function(function, (Array(tuple(self.numbers(last)), ","),))

    def past(self, place: int) -> int:
        """The place, or that of the first sign behind what stands around formulas."""
        while place < len(self.signs) and self.signs[place].kind in AROUND:
            place += 1
        return place

    def listed_until(self, place: int) -> int | None:
        """Where a list of numbers in running text ends; None where there are not two."""
        count = 0
        while place < len(self.signs):
            place += self.signs[place].text == "-"
            if place >= len(self.signs) or self.signs[place].kind != "num":
                return None
            place, count = place + 1, count + 1
            begun = place
            place += place < len(self.signs) and self.signs[place].kind == "sep"
            place += place < len(self.signs) and self.signs[place].text in AND
            if place == begun:
                return place if count > 1 else None
        return None

    def numbers(self, last: int) -> list[Node]:
        """The numbers up to a place, which is then here."""
        found = []
        while self.position < last:
            if self.sign.kind == "num" or self.sign.text == "-":
                found.append(self.number(self.advance()))
            else:
                self.position += 1
        return found

    def has_result(self, place: int) -> bool:
        """Whether a relation follows; a verb before a list or a number is one."""
        if place >= len(self.signs):
            return False
        verb, after = self.signs[place], self.past(place + 1)
        if verb.kind == "rel":
            return True
        is_value = after < len(self.signs) and (
            self.signs[after].kind in ("num", "begin") or self.signs[after].text in "-(["
        )
        if verb.text not in IS or not is_value:
            return False
        self.signs[place] = Sign("rel", "=", verb.start, verb.end, verb.gap)
        return True
