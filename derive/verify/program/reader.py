"""Expressions of Python and R as trees; nothing is run."""

from __future__ import annotations

import re
from collections.abc import Iterator

from derive.verify.grammar.figures import figure
from derive.verify.grammar.grids import Cell
from derive.verify.grammar.nodes import Array, Binary, Function, Name, Negative, Node, Number
from derive.verify.program.calls import called, in_r, indexed

DEEPEST = 30
_TOKEN = re.compile(
    r"""\s*(?:(?P<num>\d+\.?\d*(?:[eE][-+]?\d{1,3})?|\.\d+)L?|(?P<str>[rbf]?(?:"[^"\n]*"|'[^'\n]*'))
    |(?P<op>\*\*|%\*%|%o%|//|[-+*/@^:,=()\[\]{}])|(?P<name>[^\W\d][\w.]*(?<!\.))|(?P<dot>\.))""",
    re.X,
)


class NoProgram(Exception):
    """Here is no expression."""


class Reader:
    """Reads expressions from a text, to its end."""

    def __init__(self, text: str, first: int = 0) -> None:
        """From the beginning; `first` is the number of the first entry, 1 in R."""
        self.first = first
        self.tokens = list(_tokens(text))
        self.place = self.depth = 0

    @property
    def token(self) -> tuple[str, str]:
        """The token here."""
        return self.tokens[self.place] if self.place < len(self.tokens) else ("end", "")

    def takes(self, *texts: str) -> str:
        """Passes over one of these signs, and says which; "" where another stands."""
        kind, text = self.token
        if kind == "op" and text in texts:
            self.place += 1
            return text
        return ""

    def expect(self, text: str) -> None:
        """Passes over this sign."""
        if not self.takes(text):
            raise NoProgram

    def list_of(self) -> Iterator[Node | None]:
        """All expressions between commas; None for words, and for what follows a keyword."""
        while self.token[0] != "end":
            item = self.argument()
            if not (isinstance(item, tuple) or item is None):
                yield item
            if not self.takes(",") and self.token[0] != "end":
                raise NoProgram

    def argument(self) -> Node | tuple[str, Node | None] | None:
        """An argument of a call: an expression, a keyword with one, or words."""
        kind, text = self.token
        after = self.tokens[self.place + 1 : self.place + 2]
        if kind == "name" and after == [("op", "=")]:
            self.place += 2
            value = self.argument()
            return text, (None if isinstance(value, tuple) else value)
        if kind == "str":
            self.place += 1
            return None
        return self.sum()

    def sum(self) -> Node:
        """Terms."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise NoProgram
        value = self.product()
        while sign := self.takes("+", "-"):
            value = Binary(sign, value, self.product())
        self.depth -= 1
        return value

    def product(self) -> Node:
        """Factors: * is entry by entry, @ and %*% are of matrices."""
        value = self.signed()
        while sign := self.takes("*", "/", "@", "%*%"):
            right = self.signed()
            if sign == "*":
                value = Function("times", (value, right))
            else:
                value = Binary("/" if sign == "/" else "@", value, right)
        return value

    def signed(self) -> Node:
        """A power with its sign."""
        if self.takes("-"):
            return Negative(self.signed())
        if self.takes("+"):
            return self.signed()
        value = self.postfix(self.atom())
        if self.takes("**", "^"):
            return Binary("^", value, self.signed())
        return value

    def atom(self) -> Node:
        """A number, a name, a call or a bracket."""
        kind, text = self.token
        self.place += 1
        if kind == "num":
            return Number(Cell(figure(text.rstrip(".") or "0"), -1))
        if kind == "name":
            if self.takes("("):
                made = called(text, *self.arguments())
                return in_r(made) if self.first else made
            return Name(text)
        if kind == "op" and text == "(":
            inner = self.sum()
            self.expect(")")
            return inner
        if kind == "op" and text == "[":
            items = [item for item in self.items("]") if item is not None]
            return Array(tuple(items))
        raise NoProgram

    def items(self, closing: str) -> Iterator[Node | None]:
        """Entries up to a closing bracket; None for an empty place or a colon."""
        while not self.takes(closing):
            if self.takes(":") or self.token == ("op", ","):
                yield None
            else:
                yield self.sum()
            if not self.takes(",") and self.token != ("op", closing):
                raise NoProgram

    def arguments(self) -> tuple[list[Node], dict[str, Node | None]]:
        """The arguments of a call up to its closing bracket."""
        plain: list[Node] = []
        named: dict[str, Node | None] = {}
        while not self.takes(")"):
            item = self.argument()
            if isinstance(item, tuple):
                named[item[0]] = item[1]
            elif item is not None:
                plain.append(item)
            if not self.takes(",") and self.token != ("op", ")"):
                raise NoProgram
        return plain, named

    def postfix(self, value: Node) -> Node:
        """What follows an expression: .T, a method, an index."""
        for _ in range(DEEPEST):
            if self.token[0] == "dot":
                self.place += 1
                kind, text = self.token
                if kind != "name":
                    raise NoProgram
                self.place += 1
                value = self.method(value, text)
            elif isinstance(value, Name) and "." in value.text and self.is_attribute(value.text):
                base, _, text = value.text.partition(".")
                value = self.method(Name(base), text)
            elif not isinstance(value, Array) and self.takes("["):
                if self.takes("["):
                    raise NoProgram
                value = indexed(value, self.places(), self.first)
            else:
                break
        return value

    def places(self) -> list[Node | None]:
        """What stands in an index: None where all of a row or column is meant."""
        found: list[Node | None] = []
        is_open = True
        while not self.takes("]"):
            if self.takes(":"):
                if self.token not in (("op", ","), ("op", "]")):
                    raise NoProgram
                found.append(None)
                is_open = False
            elif self.takes(","):
                if is_open:
                    found.append(None)
                is_open = True
            else:
                found.append(self.sum())
                is_open = False
                if self.token == ("op", ":"):
                    raise NoProgram
        return [*found, None] if is_open and found else found

    def is_attribute(self, text: str) -> bool:
        """Whether a name with a point is one with an attribute, not of a module or of R."""
        return text.rpartition(".")[2] in ("T", "mT") and text.count(".") == 1

    def method(self, value: Node, text: str) -> Node:
        """A method of an expression, or .T."""
        names = text.split(".")
        for name in names[:-1]:
            value = (
                called(name, [value], {}) if name not in ("T", "mT") else Function("T", (value,))
            )
        if names[-1] in ("T", "mT"):
            return Function("T", (value,))
        if names[-1] in ("values", "data"):
            return value
        self.expect("(")
        plain, named = self.arguments()
        return called(names[-1], [value, *plain], named)


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    place = 0
    text = text.strip()
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            raise NoProgram
        place = found.end()
        kind = found.lastgroup or ""
        name = found[kind]
        if kind == "name" and found[0].endswith(name) and "." in name:
            yield from _parted(name, text[place : place + 1] == "(")
        else:
            yield kind, name


def _parted(name: str, is_call: bool) -> Iterator[tuple[str, str]]:
    """x.sum( as x, a point and sum; np.sum( and names of R stay whole."""
    first, _, rest = name.partition(".")
    if first in ("np", "numpy", "torch", "math", "F", "tf", "jnp", "nn", "scipy", "special"):
        yield "name", name.rpartition(".")[2]
        return
    yield "name", first
    for part in rest.split("."):
        yield "dot", "."
        yield "name", part
