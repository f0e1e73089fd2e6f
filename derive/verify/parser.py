"""From signs to chains of expressions.  What is no formula is passed over, sign by sign."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from flint import arb

from derive.verify.figures import figure
from derive.verify.grids import Cell
from derive.verify.nodes import Array, Binary, Chain, Function, Name, Negative, Node, Number
from derive.verify.tokens import Sign

MAX_DEPTH = 40
ARRAYS = frozenset(
    "array np.array tensor torch.tensor torch.Tensor np.asarray Tensor matrix np.matrix c list"
    " torch.FloatTensor np.float32 jnp.array tf.constant".split()
)
FUNCTIONS = {
    "softmax": "softmax", "exp": "exp", "log": "log", "ln": "log", "sin": "sin", "cos": "cos",
    "sqrt": "sqrt", "relu": "relu", "ReLU": "relu", "tanh": "tanh", "eye": "eye", "mean": "mean",
    "std": "std", "var": "var", "sum": "sum", "max": "max", "Softmax": "softmax", "diag": "diag",
    "SoftMax": "softmax", "sigmoid": "sigmoid", "erf": "erf", "LayerNorm": "layernorm",
    "layernorm": "layernorm", "layer_norm": "layernorm", "LN": "layernorm", "abs": "abs",
}  # fmt: skip
_SPLIT = re.compile(r"(?!PE|AI|AS|AX)([QKVXHAOSEP])([QKVXHAOSEPW](?:_.*)?)")
_MATHS = re.compile(r"(?:[A-Za-z]|[Α-Ωα-ω]|W[qkvoQKVO])(?:[_^~].*|\d*)'*")
_PLAIN = frozenset("exp log ln sin cos tanh softmax Softmax sqrt relu ReLU".split())
"""Functions whose argument may stand without brackets."""


def _is_alike(items: list[Node]) -> bool:
    units = {
        item.cell.figure.unit for item in items if isinstance(item, Number) and item.cell.figure
    }
    return len(units) == 1


def _is_maths(name: Name) -> bool:
    return bool(_MATHS.fullmatch(name.text))


class NoFormula(Exception):
    """Here no expression begins."""


class Parser:
    """Reads the signs of one segment; `at` gives the offset of a sign in the stored file."""

    def __init__(
        self, text: str, signs: list[Sign], at: Callable[[int], int], comma: bool = False
    ) -> None:
        self.text, self.signs, self.at, self.comma = text, signs, at, comma
        self.position = self.depth = 0
        self.spaced = [False]
        self.inner: list[Chain] = []
        self.end = Sign("end", "", len(text), len(text), True)
        self.taken: set[int] = set()

    # Chains

    def chains(self) -> Iterator[Chain]:
        """All chains, those inside of others first; a bare number is one of a single side."""
        while self.position < len(self.signs):
            before = self.position
            self.inner = []
            self.depth = 0
            self.spaced = [False]
            try:
                chain = self.chain(open_left=True)
            except NoFormula:
                self.position = before + 1
                continue
            yield from self.inner
            yield self.run(chain)

    def chain(self, open_left: bool = False) -> Chain:
        """A chain of at least one side; `open_left` lets it begin with a relation."""
        start = self.sign.start
        sides: list[Node] = []
        relations: list[str] = []
        if not (open_left and self.sign.kind == "rel"):
            sides.append(self.sum())
        while relation := self.relation():
            before = self.position
            try:
                self.skip("nl", "brk", "amp")
                sides.append(self.sum())
            except NoFormula:
                self.position = before
                break
            relations.append(relation)
        if not sides:
            raise NoFormula
        if len(relations) == len(sides):
            sides.insert(0, Name(""))
        return Chain(tuple(sides), self.at(start), tuple(relations))

    def relation(self) -> str:
        """The relation that goes on with this chain, on this line or at the head of the next."""
        before = self.position
        while self.sign.kind in ("nl", "brk", "rowsep", "amp"):
            self.position += 1
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
        while self.sign.kind == "sep" and self.sign.text != "、":
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
        if len(items) == 1 or (len(items) == 2 and not _is_alike(items)):
            return chain
        return Chain((Array(tuple(items), ","),), chain.start)

    # Expressions

    def sum(self) -> Node:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise NoFormula
        value = self.product()
        while self.is_operator("+", "-"):
            before = self.position
            sign = self.advance().text
            try:
                if self.is_dash(value, self.signs[before]):
                    raise NoFormula
                right = self.product()
                if isinstance(value, Array) and isinstance(right, Name) and not _is_maths(right):
                    raise NoFormula
                value = Binary(sign, value, right)
            except NoFormula:
                self.position = before
                break
        self.depth -= 1
        return value

    def is_operator(self, *texts: str) -> bool:
        sign = self.sign
        if sign.kind != "op" or sign.text not in texts:
            return False
        after = self.ahead(1)
        return not (self.spaced[-1] and sign.gap and not after.gap and sign.text in "+-")

    def is_dash(self, left: Node, sign: Sign) -> bool:
        """Whether a minus belongs to what follows a word: so, -log(0.5) = ..."""
        is_word = isinstance(left, Name) and len(left.text) > 1 and not _MATHS.fullmatch(left.text)
        return is_word and sign.gap and not self.sign.gap

    def product(self) -> Node:
        value = self.unary()
        while True:
            before = self.position
            try:
                if self.is_operator("*", "/", "·", "×", "@"):
                    sign = self.advance().text
                    value = Binary(sign, value, self.unary())
                elif self.is_times():
                    self.position += 1
                    value = Binary("*", value, self.unary())
                elif self.is_beside(value):
                    value = Binary("", value, self.power())
                else:
                    return value
            except NoFormula:
                self.position = before
                return value

    def is_times(self) -> bool:
        """An x between two numbers."""
        return self.sign.kind == "id" and self.sign.text == "x" and self.ahead(1).kind == "num"

    def is_beside(self, left: Node) -> bool:
        """Whether the next sign begins a factor that stands beside the last without a sign."""
        sign = self.sign
        if sign.kind == "begin":
            return True
        if sign.kind == "open" and sign.text == "(":
            return not sign.gap or isinstance(left, Binary | Array)
        if sign.kind == "open" and sign.text == "[":
            return isinstance(left, Number | Binary) and not sign.gap
        if sign.kind in ("frac", "sqrt"):
            return not isinstance(left, Name) or bool(_MATHS.fullmatch(left.text))
        is_maths = sign.kind == "id" and (
            _MATHS.fullmatch(sign.text) or _SPLIT.fullmatch(sign.text)
        )
        is_left = isinstance(left, Function | Binary) or (
            isinstance(left, Name) and bool(_MATHS.fullmatch(left.text))
        )
        return bool(is_maths) and (is_left or (isinstance(left, Number) and not sign.gap))

    def unary(self) -> Node:
        sign = self.sign
        if sign.kind == "op" and sign.text in "+-":
            self.advance()
            if sign.text == "-" and self.sign.kind == "num" and self.sign.start == sign.end:
                if self.ahead(1).text != "^" and self.ahead(1).kind != "super":
                    return self.number(sign)
            if sign.text == "-" and self.infinite(self.sign):
                self.advance()
                return Number(Cell(None, -1, exact=arb.neg_inf()))
            inner = self.unary()
            return inner if sign.text == "+" else Negative(inner)
        return self.power()

    def infinite(self, sign: Sign) -> bool:
        short = sign.text.rpartition(".")[2]
        return sign.kind == "id" and short in ("inf", "∞", "infty", "oo", "Infinity")

    def power(self) -> Node:
        base = self.postfix(self.atom())
        while True:
            if self.sign.kind == "super":
                base = Binary("^", base, self.plain(self.advance()))
            elif self.sign.kind == "power" or (self.sign.kind == "op" and self.sign.text == "^"):
                before = self.position
                self.advance()
                try:
                    raised = self.braced()
                    is_e = isinstance(base, Name) and base.text == "e"
                    base = Function("exp", (raised,)) if is_e else Binary("^", base, raised)
                except NoFormula:
                    self.position = before
                    return base
            else:
                return base

    def braced(self) -> Node:
        """What follows ^: a group in braces, or one factor."""
        if self.sign.kind == "open" and self.sign.text == "{":
            self.advance()
            inner = self.sum()
            self.expect("}")
            return inner
        return self.unary()

    def plain(self, sign: Sign) -> Node:
        return Number(Cell(figure(sign.text), -1))

    def postfix(self, value: Node) -> Node:
        while True:
            if self.sign.kind == "top" or self.is_transpose():
                self.advance()
                value = Function("T", (value,))
            elif self.sign.text == "^" and self.transposed():
                value = Function("T", (value,))
            else:
                return value

    def is_transpose(self) -> bool:
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

    # Atoms

    def atom(self) -> Node:
        sign = self.sign
        match sign.kind:
            case "num":
                self.advance()
                return self.number(sign)
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
            case "id" | "said" | "word":
                return self.named()
            case "op" if sign.text == "√":
                self.advance()
                return Function("sqrt", (self.postfix(self.atom()),))
        raise NoFormula

    def number(self, first: Sign) -> Node:
        last = first if first.kind == "num" else self.advance()
        text = self.text[first.start : last.end]
        found = figure(text, comma=self.comma)
        if found is None:
            raise NoFormula
        self.taken.add(last.start)
        return Number(Cell(found, self.at(first.start)))

    def group(self) -> Node:
        """A group in braces, or one sign."""
        if self.sign.text == "{":
            self.advance()
            inner = self.sum()
            self.expect("}")
            return inner
        return self.atom()

    def bracket(self) -> Node:
        """A list, a tuple, or one expression in round brackets."""
        opening = self.advance()
        self.spaced.append(self.is_spaced(opening))
        items: list[Node] = []
        closing = {"(": ")", "[": "]"}[opening.text]
        is_list = opening.text == "["
        while self.sign.text != closing:
            items.append(self.item())
            self.skip("nl")
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
        if is_list:
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

    def is_spaced(self, opening: Sign) -> bool:
        """Whether the entries of a list are parted by spaces alone."""
        if opening.text != "[":
            return False
        depth, numbers = 0, 0
        for sign in self.signs[self.position : self.position + 2000]:
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
        self.advance()
        if self.sign.text == "{":  # the columns of an array
            while self.advance().text != "}":
                if self.sign.kind == "end":
                    raise NoFormula
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

    # Names

    def named(self) -> Node:
        sign = self.advance()
        text = sign.text
        if sign.kind == "id" and (parted := _SPLIT.fullmatch(text)):
            left, right = parted[1], parted[2]
            return Binary("", Name(left), self.postfix(self.suffixed(right)))
        short = text.rpartition(".")[2]
        if text in ARRAYS and self.sign.text in "([" and not self.sign.gap:
            return self.made()
        if (short in FUNCTIONS) and self.begins_argument(short):
            return self.called(FUNCTIONS[short])
        return self.suffixed(text)

    def begins_argument(self, short: str) -> bool:
        sign = self.sign
        if (sign.text == "(" and not sign.gap) or sign.text == "{" or sign.kind == "begin":
            return True
        return short in _PLAIN and (sign.text in "([" or sign.kind in ("num", "frac", "sqrt"))

    def called(self, function: str) -> Node:
        if self.sign.text == "(":
            inner = self.bracket()
            is_tuple = isinstance(inner, Array) and inner.maker == "("
            return Function(function, inner.items[:1] if is_tuple else (inner,))  # type: ignore[attr-defined]
        if self.sign.text == "{":
            return Function(function, (self.group(),))
        return Function(function, (self.unary(),))

    def made(self) -> Node:
        """np.array(...), tensor(...): its first argument; what follows it is passed over."""
        if self.sign.text == "[":
            return self.bracket()
        self.advance()
        self.skip("nl")
        inner = self.sum()
        depth = 0
        while self.sign.text != ")" or depth:
            if self.sign.kind in ("end", "nl"):
                raise NoFormula
            depth += (self.sign.text == "(") - (self.sign.text == ")")
            self.advance()
        self.advance()
        if isinstance(inner, Array):
            return Array(inner.items, "array")
        return inner

    def suffixed(self, text: str) -> Node:
        """A name with its sub- and superscripts, and the number of a row."""
        while True:
            sign = self.sign
            if text.endswith("_") and sign.text == "{":
                text += self.inside()
            elif text.endswith("_") and sign.kind in ("num", "said", "id"):
                text += self.advance().text
            elif sign.kind == "op" and sign.text == "_" and not sign.gap:
                self.advance()
                text += "_"
            elif sign.kind == "sub":
                text += "_" + self.advance().text
            elif sign.kind == "op" and sign.text == "'" and not sign.gap:
                self.advance()
                text += "'"
            elif sign.text == "^" and self.is_mark(text):
                self.advance()
                text += "^" + (self.inside() if self.sign.text == "{" else self.advance().text)
            else:
                break
        return Name(text, self.index())

    def is_mark(self, text: str) -> bool:
        """Whether what is raised is part of a name: W^Q, O^{(1)}; not e^x, nor a transpose."""
        after = self.ahead(1)
        inner = self.ahead(2) if after.text == "{" else after
        if text == "e" or inner.kind == "top" or inner.text == "T":
            return False
        return inner.kind in ("id", "said") or inner.text in ("(", "'") or inner.kind == "word"

    def inside(self) -> str:
        """The text of a group in braces."""
        opening = self.advance()
        while self.sign.text != "}":
            if self.advance().kind in ("end", "nl"):
                raise NoFormula
        closing = self.advance()
        found = self.text[opening.end : closing.start]
        return re.sub(r"\\[a-z]+|[\s{}\\]", "", found)[:40]

    def index(self) -> int | None:
        if self.sign.text != "[" or self.sign.gap or self.ahead(2).text != "]":
            return None
        inner = self.ahead(1)
        if inner.kind != "num" or not inner.text.isdigit() or len(inner.text) > 4:
            return None
        self.position += 3
        return int(inner.text)

    # Signs

    @property
    def sign(self) -> Sign:
        return self.signs[self.position] if self.position < len(self.signs) else self.end

    def ahead(self, count: int) -> Sign:
        place = self.position + count
        return self.signs[place] if place < len(self.signs) else self.end

    def advance(self) -> Sign:
        sign = self.sign
        self.position += 1
        return sign

    def skip(self, *kinds: str) -> None:
        while self.sign.kind in kinds:
            self.position += 1

    def expect(self, text: str) -> None:
        self.skip("nl")
        if self.sign.text != text:
            raise NoFormula
        self.position += 1
