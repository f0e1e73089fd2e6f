"""From signs to chains of expressions.  What is no formula is passed over, sign by sign."""

from __future__ import annotations

from collections.abc import Iterator

from flint import arb

from derive.verify.atoms import Atoms
from derive.verify.cursor import MAX_DEPTH, NoFormula
from derive.verify.grids import Cell
from derive.verify.layout import laid_out
from derive.verify.naming import MATHS, PLAIN, SPLIT, is_indexed
from derive.verify.nodes import (
    Array,
    Binary,
    Chain,
    Function,
    Name,
    Negative,
    Node,
    Number,
    quotient,
)
from derive.verify.tokens import Sign, signs

NEVER = frozenset("other close sep rowsep nl brk amp end super sub top power".split())
"""Signs with which no formula begins."""
MAX_SIDES = 60
"""A chain goes on for so many sides."""
MAX_TERMS = 100
"""A sum or a product goes on for so many terms."""
DEEPEST = 120
"""An expression with parts further inside is passed over."""
AND = frozenset("and und et y e и en i ve và 和 と 및 و और".split())
"""Words before the last number of a list."""
AND = frozenset("and und y e et i en och og ja ve и и та і и va và dan ו و 和 与 及 と 과 와 और এবং".split())
"""The word before the last number of a list."""


def _is_alike(items: list[Node]) -> bool:
    units = {
        item.cell.figure.unit for item in items if isinstance(item, Number) and item.cell.figure
    }
    return len(units) == 1


def _is_maths(name: Name) -> bool:
    return bool(MATHS.fullmatch(name.text))


def _is_mask(node: Node) -> bool:
    """10^8 and more, which with a minus stands for minus infinity in scores that are masked."""
    match node:
        case Binary("^", Number(Cell(figure=ten)), Number(Cell(figure=power))) if ten and power:
            return ten.text == "10" and power.value >= 8
    return False


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


def _headless(chain: Chain) -> Chain:
    """A chain of which the first side is not known."""
    if len(chain.sides) == 1 or isinstance(chain.sides[0], Name):
        return chain
    return Chain((Name(""), *chain.sides[1:]), chain.start, chain.relations, chain.ties)


def expression(text: str) -> Node | None:
    """What a short text says as one expression, such as the head of a column; None if it does not."""
    plain = text.strip("$ ")
    parser = Parser(plain, laid_out(signs(plain, "head"), "head"), lambda place: -1)
    parser.is_head = True
    try:
        found = parser.sum()
    except NoFormula:
        return None
    return found if parser.sign is parser.end else None


class Parser(Atoms):
    """Reads the signs of one segment."""

    def chains(self) -> Iterator[Chain]:
        """All chains, those inside of others first; a bare number is one of a single side."""
        while self.position < len(self.signs):
            before = self.position
            if self.signs[before].kind in NEVER:
                self.position += 1
                continue
            self.inner = []
            self.depth = 0
            self.spaced = [False]
            try:
                chain = self.chain(open_left=True)
            except NoFormula:
                self.position = before + 1
                continue
            if _is_deep(chain):
                continue
            yield from self.inner
            yield self.run(_headless(chain) if self.is_rest(before) else chain)

    def is_rest(self, start: int) -> bool:
        """Whether a chain may be the end of something longer that was not read: 1 1/2, ... + 3."""
        if not start:
            return False
        before, first = self.signs[start - 1], self.signs[start]
        if first.kind == "op" and first.text == "+":
            return True
        is_operator = before.kind in ("op", "power", "super") and before.text not in "|><"
        return is_operator or before.kind in ("num", "close", "end")

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
        return Chain(tuple(sides), self.used(start), tuple(relations), tuple(ties))

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
        while self.is_between() or self.is_last(items):
            before = self.position
            self.position += 1
            try:
                item = self.sum()
            except NoFormula:
                self.position = before
                break
            if not isinstance(item, Number) or self.sign.kind == "rel":
                self.position = before
                break
            items.append(item)
        if len(items) > 1 and (last := self.last_item(items)) is not None:
            items.append(last)
        if len(items) == 1 or (len(items) == 2 and not _is_alike(items)):
            return chain
        return Chain((Array(tuple(items), ","),), chain.start)

    def is_last(self, items: list[Node]) -> bool:
        """Whether a word such as `and` stands before the last number of a list: 7, 8 and -1."""
        after = self.ahead(1)
        is_number = after.kind == "num" or (after.text == "-" and self.ahead(2).kind == "num")
        return len(items) > 1 and self.sign.text in AND and is_number

    def is_between(self) -> bool:
        """Whether a mark follows that parts numbers in running text."""
        if self.comma and self.sign.text in (";", "；"):
            return True
        return self.sign.kind == "sep" and self.sign.text != "、"

    def tail(self, sides: list[Node], relations: list[str]) -> None:
        """Softmax(...) = 0.2, 0.8 and ... → 0.2, 0.8: what the last relation gives is a list."""
        if not relations or not isinstance(sides[-1], Number) or not self.is_between():
            return
        if relations[-1] != "→" and not any(map(_has_list, sides[:-1])):
            return
        (made,) = self.run(Chain((sides[-1],))).sides
        sides[-1] = made

    def last_item(self, items: list[Node]) -> Node | None:
        """The number behind `and` that ends a list: 1.5, 2.25 and 3.75."""
        before = self.position
        self.skip("sep")
        if self.sign.kind in ("id", "word") and self.sign.text.lower() in AND:
            self.advance()
            try:
                item = self.sum()
            except NoFormula:
                item = None
            if isinstance(item, Number) and self.sign.kind != "rel" and _is_alike([*items, item]):
                return item
        self.position = before
        return None

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
                if self.is_operator("*", "·", "×", "@"):
                    sign = self.advance().text
                    value = Binary(sign, value, self.joined())
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

    def is_times(self) -> bool:
        """An x between two numbers."""
        return self.sign.kind == "id" and self.sign.text == "x" and self.ahead(1).kind == "num"

    def is_beside(self, left: Node) -> bool:
        """Whether the next sign begins a factor that stands beside the last without a sign."""
        sign = self.sign
        if sign.kind == "begin":
            return True
        if sign.kind == "open" and sign.text == "(":
            is_entry = isinstance(left, Name) and is_indexed(left.text)
            return not sign.gap or isinstance(left, Binary | Array) or is_entry
        if sign.kind == "open" and sign.text == "[":
            is_scaled = isinstance(left, Number | Binary) and not sign.gap
            return is_scaled or (isinstance(left, Binary) and left.sign == "/" and self.is_list())
        if sign.kind in ("frac", "sqrt") or (sign.text == "sum" and self.is_command(sign)):
            return not isinstance(left, Name) or bool(MATHS.fullmatch(left.text))
        if sign.kind == "id" and self.is_command(sign) and sign.text in PLAIN:
            return not isinstance(left, Name) or bool(MATHS.fullmatch(left.text))
        is_maths = sign.kind == "id" and (MATHS.fullmatch(sign.text) or SPLIT.fullmatch(sign.text))
        is_left = isinstance(left, Function | Binary) or (
            isinstance(left, Name) and bool(MATHS.fullmatch(left.text))
        )
        is_close = not sign.gap or sign.text[-1:] in "0123456789_" or self.ahead(1).kind == "sub"
        return bool(is_maths) and (is_left or (isinstance(left, Number) and is_close))

    def unary(self) -> Node:
        """A power with its sign."""
        sign = self.sign
        if sign.kind == "op" and sign.text in "+-":
            self.advance()
            if sign.text == "-" and self.is_signed(sign):
                return self.number(sign)
            if sign.text == "-" and self.infinite(self.sign):
                self.advance()
                return Number(Cell(None, -1, exact=arb.neg_inf()))
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
            if self.sign.kind == "top" or self.is_transpose():
                self.advance()
                value = Function("T", (value,))
            elif self.sign.text == "^" and self.transposed():
                value = Function("T", (value,))
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
