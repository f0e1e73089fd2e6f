"""Expressions of Python, R, Julia and MATLAB as trees; nothing is run."""

from __future__ import annotations

import re
from collections.abc import Iterator

from derive.verify.grammar.figures import figure
from derive.verify.grammar.grids import Cell
from derive.verify.grammar.nodes import Array, Binary, Function, Name, Negative, Node, Number
from derive.verify.program.calls import called, is_known
from derive.verify.program.conditions import IS, NOT, SIGNS, endless
from derive.verify.program.cursor import FORMAT, POINTED, Cursor, bare, is_several, multiplied
from derive.verify.program.each import SPREAD, gone_over, is_turned, listed, turned
from derive.verify.program.places import UNKNOWN, indexed, picked, span
from derive.verify.program.scope import SEVERAL, TEXT, WORD
from derive.verify.program.tokens import NoProgram, items

DEEPEST = 30
_PUT = re.compile(r"\{\s*([^{}:!=]+?)\s*=?(?:![rsa])?(?::[^{}]*)?\}|(?<![\w.])(\d+(?:\.\d+)?)")
_SPEC = re.compile(r"%[-+0# ]*\d*(?:\.\d+)?[dfgeisEG]")


class Reader(Cursor):
    """Reads expressions from a text, to its end."""

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
            if text == "reduction" and self.token[0] == "str":
                self.place += 1
                return text, Name(self.tokens[self.place - 1][1].strip("\"'"))
            value = self.argument()
            return text, (None if isinstance(value, tuple) else value)
        if kind == "str":
            return self.words(text)
        if kind == "op" and text == ":" and after in ([("op", ",")], [("op", ")")]):
            self.place += 1
            return None
        if self.takes("*"):
            return Function(SPREAD, (self.sum(),))
        value = self.compared()
        if self.token == ("name", "for"):
            return turned(value, *self.clause())
        return Function(TEXT, (value, self.sum())) if self.takes(":") else value

    def words(self, text: str) -> Node | None:
        """Words in quotes, with what is put into them; None where that is nothing."""
        self.place += 1
        prefix = text[: min(text.find(q) for q in "\"'" if q in text)].lower()
        found = [self.put_in(m, "f" in prefix) for m in _PUT.finditer(_SPEC.sub("", text))]
        if self.takes("%"):
            found.append(self.signed())
        elif self.tokens[self.place : self.place + 3] == FORMAT:
            self.place += 3
            found += self.arguments()[0]
        return Function(TEXT, tuple(found)) if found else None

    def put_in(self, found: re.Match[str], is_open: bool) -> Node:
        """An expression in braces, or a number in words."""
        if found[1]:
            return self.inner(found[1]) if is_open else Function(WORD, ())
        return Number(Cell(figure(found[2]), -1))

    def inner(self, text: str) -> Node:
        """An expression within another."""
        if self.depth > DEEPEST:
            raise NoProgram
        return Reader(text, self.scope, self.depth + 1).only()

    def only(self) -> Node:
        """The whole text as one expression."""
        value = self.compared()
        if self.token[0] != "end":
            raise NoProgram
        return value

    def compared(self) -> Node:
        """A sum, or two with a sign between that is true or not of each entry."""
        value = self.sum()
        sign = self.takes(*SIGNS)
        return Function(IS + sign, (value, self.sum())) if sign else value

    def sum(self) -> Node:
        """Terms."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise NoProgram
        value = self.product()
        while sign := self.takes("+", "-", ".+", ".-"):
            value = Binary(sign[-1], value, self.product())
        self.depth -= 1
        return value

    def product(self) -> Node:
        """Factors: @ and %*% are of matrices; so is * where .* is entry by entry."""
        value = self.signed()
        times = "@" if self.scope.language in ("matlab", "julia") else "*"
        signs = ("*", "/", "@", "%*%", ".*", "./", *(("//", "%") if times == "*" else ()))
        while sign := self.takes(*signs):
            right = self.signed()
            plain = times if sign == "*" else POINTED.get(sign, sign)
            value = multiplied(plain, value, right)
        return value

    def signed(self) -> Node:
        """A power with its sign."""
        if self.takes("-"):
            return Negative(self.signed())
        if self.takes("+"):
            return self.signed()
        if self.takes("~"):
            return Function(NOT, (self.signed(),))
        value = self.postfix(self.atom())
        if self.takes("**", "^", ".^"):
            return Binary("^", value, self.signed())
        return value

    def atom(self) -> Node:
        """A number, a name, a call or a bracket."""
        kind, text = self.token
        self.place += 1
        if kind == "num":
            return Number(Cell(figure(text.rstrip(".") or "0"), -1))
        if kind == "name":
            if self.token == ("dot", ".") and self.tokens[self.place + 1 :][:1] == [("op", "(")]:
                self.place += 1  # exp.(x)
            if self.scope.calls(text) and self.takes("("):
                return self.call(text)
            return endless(text) or Name(text)
        if kind == "op" and text == "(":
            return self.bracketed()
        if kind == "op" and text == "[":
            if self.goes_over():
                return self.every()
            return Array(tuple(item for item in self.items("]") if item is not None))
        if kind == "matrix":
            return self.matrix(text)
        if kind == "str":
            return Function(WORD, ())
        raise NoProgram

    def every(self) -> Node:
        """[f(t) for t in x]: a function of every entry or row."""
        kind, text = self.token
        item = (self.words(text) or Function(WORD, ())) if kind == "str" else self.sum()
        made = listed(item, *self.clause())
        self.expect("]")
        return made

    def clause(self) -> tuple[tuple[str, ...], Node]:
        """for a, b in x: the names, and what they go over."""
        self.place += 1
        names: list[str] = []
        while self.token != ("name", "in"):
            kind, text = self.token
            if kind == "name":
                names.append(text)
            elif text not in (",", "(", ")"):
                raise NoProgram
            self.place += 1
        self.place += 1
        return tuple(names), self.sum()

    def bracketed(self) -> Node:
        """(a), or (a, b) as several values."""
        values, is_one = [self.compared()], True
        while self.takes(","):
            is_one = False
            if self.token != ("op", ")"):
                values.append(self.sum())
        self.expect(")")
        return values[0] if is_one else Function(SEVERAL, tuple(values))

    def call(self, name: str) -> Node:
        """A call, of a function of the program where it is one."""
        if name == "float" and (made := self.endless()) is not None:
            return made
        plain, named = self.arguments()
        if plain and is_turned(plain[0]):
            plain = [gone_over(name, plain[0]), *plain[1:]]
            if name == "sum" and len(plain) == 1:
                return plain[0]
        routine = self.scope.functions.get(name)
        made = routine.of(plain, named) if routine is not None else None
        if made is not None:
            return made
        if routine is not None and not is_known(name):
            return Function(UNKNOWN + name, tuple(plain))
        return called(name, plain, named, self.scope.dialect)

    def matrix(self, text: str) -> Node:
        """[1 2; 3 4], or matrices beside and below each other."""
        rows = [[self.inner(item) for item in row] for row in items(text)]
        if all(isinstance(bare(item), Number) for row in rows for item in row):
            lists = [Array(tuple(row)) for row in rows]
            return lists[0] if len(lists) == 1 else Array(tuple(lists))
        made = [row[0] if len(row) == 1 else Function("beside", tuple(row)) for row in rows]
        if not made:
            raise NoProgram
        return made[0] if len(made) == 1 else Function("below", tuple(made))

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
                named[item[0]] = self.scope.axis(*item)
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
            elif self.takes("'"):
                value = Function("T", (value,))
            elif not isinstance(value, Array) and self.takes("["):
                if self.takes("["):
                    raise NoProgram
                value = picked(indexed(value, self.places("]"), self.scope.first))
            elif isinstance(value, Name) and self.takes("("):
                value = indexed(value, self.places(")"), self.scope.first)
            else:
                break
        return value

    def places(self, closing: str) -> list[Node | None]:
        """What stands in an index: None where all of a row or column is meant."""
        found: list[Node | None] = []
        while not self.takes(closing):
            found.append(self.one_place(closing))
            if self.takes(","):
                if self.token == ("op", closing):
                    found.append(None)
            elif self.token != ("op", closing):
                raise NoProgram
        return found

    def one_place(self, closing: str) -> Node | None:
        """A place, a span of places, or None for all of them."""
        parts: list[Node | None] = [None]
        while self.token not in (("op", ","), ("op", closing)):
            if self.takes(":"):
                parts.append(None)
            elif parts[-1] is not None or self.token == ("name", "end"):
                raise NoProgram
            else:
                parts[-1] = self.sum()
        if len(parts) == 1:
            return parts[0]
        return None if not any(parts) else span(parts, self.scope.first)

    def method(self, value: Node, text: str) -> Node:
        """A method of an expression, or an attribute."""
        if text in ("T", "mT"):
            return Function("T", (value,))
        if text in ("values", "data"):
            return value.arguments[0] if is_several(value) else value
        if text == "shape":
            found = self.places("]") if self.takes("[") else []
            return called("size", [value, *(p for p in found if p)], {}, self.scope.language)
        self.expect("(")
        plain, named = self.arguments()
        return called(text, [value, *plain], named, self.scope.dialect)
