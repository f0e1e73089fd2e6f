"""From signs to chains of expressions.  What is no formula is passed over, sign by sign."""

from __future__ import annotations

from collections.abc import Iterator

from derive.verify.grammar.cursor import NoFormula
from derive.verify.grammar.factors import WIDE
from derive.verify.grammar.layout import laid_out
from derive.verify.grammar.nodes import (
    Array,
    Chain,
    Function,
    Name,
    Node,
    Number,
)
from derive.verify.grammar.scales import scales, unit
from derive.verify.grammar.terms import Terms
from derive.verify.grammar.tokens import signs
from derive.verify.grammar.units import PERCENT

NEVER = frozenset("other close sep rowsep nl brk amp end super sub top power".split())
"""Signs with which no formula begins."""
MAX_SIDES = 60
"""A chain goes on for so many sides."""
DEEPEST = 120
"""An expression with parts further inside is passed over."""
DEEP = "deep"
"""Stands for the relations of what follows from an expression that is too deep to be read."""
AND = frozenset(
    "and und y e et i en och og ja ve и и та і и va và dan ו و 和 与 及 と 과 와 और এবং".split()
)
"""The word before the last number of a list."""


def _is_alike(items: list[Node]) -> bool:
    units = {
        item.cell.figure.unit for item in items if isinstance(item, Number) and item.cell.figure
    }
    return len(units) == 1


def _has_list(node: Node) -> bool:
    """Whether a side is made of lists."""
    return isinstance(node, Array) or any(map(_has_list, node.parts()))


def _is_deep(chain: Chain) -> bool:
    """Whether parts stand inside of parts further than they can be worked out."""
    level: list[Node] = [chain]
    for _ in range(DEEPEST):
        level = [part for node in level for part in node.parts()]
        if not level:
            return False
    return True


def _unread(chain: Chain) -> Iterator[Chain]:
    """The number to which a chain leads that cannot be read."""
    if isinstance(chain.sides[-1], Number):
        yield Chain(chain.sides[-1:], chain.start, (DEEP,))


def _headless(chain: Chain) -> Chain:
    """A chain of which the first side is not known, as it was not read."""
    is_named = isinstance(chain.sides[0], Name) and chain.sides[0].text
    if len(chain.sides) == 1 or is_named:
        return chain
    return Chain((UNREAD, *chain.sides[1:]), chain.start, chain.relations, chain.ties)


def led(chain: Chain) -> Iterator[Chain]:
    """A chain, and apart from it the list to which an arrow leads from a setting: T = 2 → [...]."""
    match chain.sides:
        case (Name(), Number(), Array() as made) if chain.relations[1:2] == ("→",):
            start = next((cell.start for cell in made.cells()), chain.start)
            yield Chain(chain.sides[:2], chain.start, chain.relations[:1], chain.ties[:1])
            yield Chain((made,), start)
        case _:
            yield chain


def expression(text: str) -> Node | None:
    """What a short text, such as the head of a column, says as one expression; None if nothing."""
    plain = text.strip("$ ")
    parser = Parser(plain, laid_out(signs(plain, "head"), "head"), lambda place: -1)
    parser.is_head = True
    try:
        found = parser.sum()
    except NoFormula:
        return None
    return found if parser.sign is parser.end else None


UNREAD = Function("?", ())
"""Stands for what is no expression, but has a result."""
CUT = frozenset("+ * / · × @ ⊙ ^".split())
"""Signs that never stand behind the end of a formula."""
WORD, FAR = 4, 5000
"""Letters of a word that is no sign of a quantity, and how far from numbers it is passed over."""


class Parser(Terms):
    """Reads the signs of one segment."""

    numbered = -1  # the next sign that is a number

    def chains(self) -> Iterator[Chain]:
        """All chains, those inside of others first; a bare number is one of a single side."""
        while self.position < len(self.signs):
            before = self.position
            if self.signs[before].kind in NEVER or self.is_idle(before) or self.is_joining():
                self.position += 1
                continue
            self.inner = []
            self.depth = 0
            self.spaced = [False]
            try:
                chain = self.chain(open_left=True)
            except NoFormula:
                self.position = before + 1
                if self.is_remarked(before):
                    sign = self.signs[before]
                    yield Chain((Name(sign.text),), self.used(sign.start))
                continue
            if _is_deep(chain):
                yield from _unread(chain)
                continue
            yield from self.inner
            if not self.is_rest(before):
                yield self.run(chain)
            elif before <= self.sunk or before - 1 in self.cut:
                yield from _unread(chain)
            else:
                yield self.run(_headless(chain))

    def is_idle(self, place: int) -> bool:
        """Whether a word stands before another, far from any number, and announces nothing."""
        sign = self.signs[place]
        if sign.kind != "id" or len(sign.text) < WORD or not sign.text.isalpha():
            return False
        after = self.ahead(1)
        if after.kind != "id" or not after.gap or not after.text.isalpha():
            return False
        while self.numbered <= place:
            self.numbered += 1
            while self.numbered < len(self.signs) and self.signs[self.numbered].kind != "num":
                self.numbered += 1
        return self.ahead(self.numbered - place).start - sign.start > FAR

    def is_remarked(self, place: int) -> bool:
        """Whether a word stands before a remark in brackets, and is no call: ReLU (x < 0)."""
        sign, after = self.signs[place], self.signs[place + 1 : place + 2]
        return sign.kind == "id" and any(s.kind == "open" and s.text in "(（" for s in after)

    def is_rest(self, start: int) -> bool:
        """Whether a chain may be the end of something longer that was not read: 1 1/2, ... + 3."""
        if not start:
            return False
        before, first = self.signs[start - 1], self.signs[start]
        if first.kind == "op" and first.text == "+":
            return True
        if before.kind in ("op", "power", "super"):
            return before.text not in "|><‖⟨⟩!"
        between = self.text[before.end : first.start]
        is_apart = WIDE in between or "quad" in between
        return before.kind in ("num", "close", "end") and not is_apart

    def chain(self, open_left: bool = False) -> Chain:
        """A chain of at least one side; `open_left` lets it begin with a relation."""
        start = self.sign.start
        sides: list[Node] = []
        relations: list[str] = []
        ties: list[int] = []
        if not (open_left and self.sign.kind == "rel"):
            sides.append(self.sum())
        while len(sides) < MAX_SIDES and (relation := self.relation()):
            before = self.position
            try:
                self.skip("nl", "brk", "amp")
                sides.append(self.sum())
            except NoFormula:
                self.position = before
                break
            relations.append(relation)
            ties.append(self.at(self.signs[before - 1].start))
        if not sides:
            raise NoFormula
        if not self.spaced[1:]:
            self.tail(sides, relations)
        if len(relations) == len(sides):
            sides.insert(0, Name(""))
        self.measured(sides, relations, ties)
        if relations and self.is_cut(sides[-1]):
            sides[-1] = UNREAD
        return Chain(tuple(sides), self.used(start), tuple(relations), tuple(ties))

    def is_cut(self, last: Node) -> bool:
        """Whether a formula goes on behind what was read of it, which is no number."""
        is_open = self.sign.kind in ("op", "power", "super") and self.sign.text in CUT
        return is_open and not isinstance(last, Number | Array)

    def measured(self, sides: list[Node], relations: list[str], ties: list[int]) -> None:
        """12.5 percent may be a share; 14 GB and 6 million are no results of what stands before."""
        last = sides[-1]
        if not isinstance(last, Number) or last.cell.figure is None or len(sides) < 2:
            return
        end = self.signs[self.position - 1].end
        if PERCENT.match(self.text, end):
            last.cell.is_share = True
        elif found := unit(self.text, end):
            if not isinstance(sides[-2], Name | Array):
                last.cell.scales = scales(found)
                return
            self.inner.append(Chain((sides.pop(),), last.cell.start))
            del relations[-1], ties[-1:]

    def relation(self) -> str:
        """The relation that goes on with this chain, on this line or at the head of the next."""
        before = self.position
        while self.sign.kind in ("nl", "brk", "rowsep", "amp"):
            self.position += 1
        if self.sign.kind == "rel":
            found = self.advance().text
            if self.sign.kind == "rel":
                found = self.advance().text
            return found
        self.position = before
        return ""

    def run(self, chain: Chain) -> Chain:
        """Numbers parted by commas outside of brackets make a list."""
        if len(chain.sides) > 1 or not isinstance(chain.sides[0], Number):
            return chain
        items: list[Node] = [chain.sides[0]]
        first = self.position
        while count := self.parting(items):
            before = self.position
            self.position += count
            try:
                item = self.sum()
            except NoFormula:
                self.position = before
                break
            if not isinstance(item, Number) or self.sign.kind == "rel":
                self.position = before
                break
            items.append(item)
        if len(items) > 2 or (len(items) == 2 and _is_alike(items)):
            return Chain((Array(tuple(items), ","),), chain.start)
        self.position = first
        return chain

    def parting(self, items: list[Node]) -> int:
        """How many signs part the next number from those before: a mark, `and`, or both."""
        first, after = self.sign, self.ahead(1)
        is_last = len(items) > 1 and first.kind != "sep" and first.text.lower() in AND
        if is_last and (after.kind == "num" or (after.text == "-" and self.ahead(2).kind == "num")):
            return 1
        if not self.is_between():
            return 0
        is_last = len(items) > 1 and after.kind in ("id", "word")
        return 2 if is_last and after.text.lower() in AND else 1

    def is_between(self) -> bool:
        """Whether a mark follows that parts numbers in running text."""
        if self.sign.text in (";", "；"):
            return self.comma or self.is_decimal()
        is_mark = self.sign.text != "、" or self.is_decimal() or self.is_closed()
        return self.sign.kind == "sep" and is_mark

    def is_closed(self) -> bool:
        """Whether `and` stands before the last of numbers that such marks part: 2、4 和 9."""
        place = self.position
        while self.signs[place].text == "、" and self.signs[place + 1].kind == "num":
            place += 2
        return self.signs[place].text in AND and self.signs[place + 1].kind == "num"

    def is_decimal(self) -> bool:
        """Whether the number before has decimals, and so has what follows."""
        after = self.ahead(2 if self.ahead(1).text == "-" else 1)
        numbers = (self.signs[self.position - 1], after)
        return all(sign.kind == "num" and "." in sign.text for sign in numbers)

    def tail(self, sides: list[Node], relations: list[str]) -> None:
        """Softmax(...) = 0.2, 0.8 and ... → 0.2, 0.8: what the last relation gives is a list."""
        if not relations or not isinstance(sides[-1], Number) or not self.is_between():
            return
        if relations[-1] != "→" and not any(map(_has_list, sides[:-1])):
            return
        (made,) = self.run(Chain((sides[-1],))).sides
        sides[-1] = made
