"""Entries written as text: a small grammar of exact values. Nothing is ever evaluated as code.

    sum     = product (("+" | "-") product)*
    product = signed (("*" | "/") signed)*
    signed  = ("+" | "-")* power
    power   = raised ("^" signed)?                  so -2^2 is -4 and 2^3^2 is 2^9
    raised  = atom superscript*
    atom    = number | name | function "(" sum ")" | "√" atom | "(" sum ")"

An entry that is `-oo` and nothing else is the score of a forbidden position.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ParamSpec, TypeVar

from derive.errors import InputError, Place, quoted
from derive.exact import FUNCTIONS, NEG_INF, PI, E, NegativeInfinity, Scalar, symbol
from derive.read import bounded
from derive.read.bounded import Value
from derive.read.names import check_symbol, unknown_function
from derive.read.tokens import Token, tokens, within

MAX_DEPTH = 50
MAX_WORK = 200_000  # terms handled in one entry
MAX_ATOMS = 300  # different symbols, and functions, of one entry

P = ParamSpec("P")
T = TypeVar("T")

NO_NAMES: Mapping[str, Scalar] = MappingProxyType({})

_ALIASES = {"ln": "log"}
_FUNCTIONS = {name: name for name in FUNCTIONS} | _ALIASES
CONSTANTS: Mapping[str, Scalar] = {"pi": PI, "e": E, "E": E}
_DECIMAL = re.compile(r"([+-]?)(\d{1,300}(?:\.\d{0,100})?)", re.ASCII)
_FORBIDDEN = ("oo", "inf", "infinity")
_BINARY: Mapping[str, Callable[[Value, Value], Value]] = {
    "+": bounded.add,
    "-": bounded.subtract,
    "*": bounded.multiply,
    "/": bounded.divide,
    "^": bounded.power,
}


@dataclass(frozen=True)
class Written:
    """A number of a document kept as it was written, so that 0.1 is 1/10."""

    text: str


def read_scalar(
    text: str, *, names: Mapping[str, Scalar] = NO_NAMES, place: Place | None = None
) -> Scalar | NegativeInfinity:
    """The exact value of an entry such as "1/3", "sqrt(2)/2", "-2*pi" or "a"; "-oo" is NEG_INF.

    `names` gives values to names and wins over free symbols. InputError points at the
    character at fault, inside `place` where the text was found.
    """
    if plain := _DECIMAL.fullmatch(text):
        value = bounded.decimal(plain[2])
        return bounded.lift(-value if plain[1] == "-" else value)
    if is_latex(text):
        return _latex(text, names, place)
    try:
        found = tokens(text)
        return NEG_INF if _is_forbidden(found) else _Reader(text, found, names).entry()
    except InputError as error:
        raise error.at(place) from None


def is_latex(text: str) -> bool:
    """Whether a text has signs that only LaTeX knows."""
    return "\\" in text or "{" in text


def _latex(
    text: str, names: Mapping[str, Scalar], place: Place | None
) -> Scalar | NegativeInfinity:
    from derive.read.latex.entries import read_entry

    try:
        return read_entry(text, names)
    except InputError as error:
        raise error.at(place) from None


def _is_forbidden(found: list[Token]) -> bool:
    return [t.kind for t in found] == ["-", "name", "end"] and found[1].text in _FORBIDDEN


class _Reader:
    """One pass over the tokens of an entry, working out values as it goes."""

    def __init__(self, text: str, found: list[Token], names: Mapping[str, Scalar]) -> None:
        self.text, self.tokens, self.names = text, found, names
        self.position = self.depth = self.work = 0
        self.atoms: set[str] = set()

    def entry(self) -> Scalar:
        if self.next.kind == "end":
            raise self.error("the entry is empty", self.next, expected="a number or a symbol")
        value = self.sum()
        if self.next.kind != "end":
            raise self.left_over(self.next)
        return bounded.lift(value)

    def sum(self) -> Value:
        value = self.product()
        while sign := self.take("+", "-"):
            value = self.binary(sign, value, self.product())
        return value

    def product(self) -> Value:
        value = self.signed()
        while sign := self.take("*", "/"):
            value = self.binary(sign, value, self.signed())
        return value

    def signed(self) -> Value:
        minus = 0
        while sign := self.take("+", "-"):
            minus += sign.kind == "-"
        value = self.power()
        return bounded.negative(value) if minus % 2 else value

    def power(self) -> Value:
        first = self.next
        base = self.raised()
        sign = self.take("^")
        if not sign:
            return base
        self.check_root(first, sign)
        return self.binary(sign, base, self.nested(self.signed))

    def raised(self) -> Value:
        first = self.next
        value = self.atom()
        while sign := self.take("raised"):
            self.check_root(first, sign)
            exponent = self.at(sign, bounded.decimal, sign.text)
            value = self.at(sign, bounded.power, value, exponent)
        return value

    def atom(self) -> Value:
        token = self.advance()
        match token.kind:
            case "number":
                return self.at(token, bounded.decimal, token.text)
            case "name":
                return self.name(token)
            case "√":
                return self.at(token, bounded.apply, "sqrt", self.nested(self.atom))
            case "(":
                return self.group(token)
        raise self.no_value(token)

    def name(self, token: Token) -> Value:
        name = token.text
        if name in self.names:
            return self.names[name]
        if self.next.kind == "(" and name not in CONSTANTS:
            return self.function(token)
        if name in CONSTANTS:
            return CONSTANTS[name]
        self.at(token, check_symbol, name, _FUNCTIONS)
        self.count(name, token)
        return symbol(name)

    def function(self, token: Token) -> Value:
        if token.text not in _FUNCTIONS:
            raise unknown_function(token.text, _FUNCTIONS).at(self.place(token))
        inside = self.group(self.advance())
        self.count(f"{token.text} {token.start}", token)
        return self.at(token, bounded.apply, _FUNCTIONS[token.text], inside)

    def group(self, opening: Token) -> Value:
        value = self.nested(self.sum)
        if self.take(")"):
            return value
        if self.next.kind != "end":
            raise self.left_over(self.next)
        raise self.error("this bracket is never closed", opening, expected="')'")

    def nested(self, inner: Callable[[], Value]) -> Value:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            expected = f"at most {MAX_DEPTH} levels"
            last = self.tokens[self.position - 1]
            raise self.error("the entry is nested too deeply", last, expected)
        value = inner()
        self.depth -= 1
        return value

    def binary(self, sign: Token, a: Value, b: Value) -> Value:
        self.work += bounded.size(a) * bounded.size(b) if sign.kind in "*/" else bounded.size(a)
        if self.work > MAX_WORK:
            raise self.error("the entry takes too much work to expand", sign)
        return self.at(sign, _BINARY[sign.kind], a, b)

    def count(self, atom: str, token: Token) -> None:
        self.atoms.add(atom)
        if len(self.atoms) > MAX_ATOMS:
            expected = f"at most {MAX_ATOMS} of them"
            raise self.error("the entry has too many symbols and functions", token, expected)

    # Tokens and errors

    @property
    def next(self) -> Token:
        return self.tokens[self.position]

    def advance(self) -> Token:
        token = self.next
        self.position += token.kind != "end"
        return token

    def take(self, *kinds: str) -> Token | None:
        return self.advance() if self.next.kind in kinds else None

    def place(self, token: Token) -> Place:
        return within(self.text, token.start, token.end)

    def error(self, message: str, token: Token, expected: str = "", hint: str = "") -> InputError:
        return InputError(message, place=self.place(token), expected=expected, hint=hint)

    def at(self, token: Token, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return work(*args, **kwargs)
        except InputError as error:
            raise error.at(self.place(token)) from None

    def check_root(self, first: Token, sign: Token) -> None:
        if first.kind == "√":
            hint = "write (√x)^2, or sqrt(x^2)"
            raise self.error("it is not clear what the root covers", sign, hint=hint)

    def no_value(self, token: Token) -> InputError:
        expected = "a number, a symbol or a bracket"
        if token.kind == "end":
            return self.error("the entry ends too early", token, expected=expected)
        return self.error(f"{quoted(token.text)} stands where a value should", token, expected)

    def left_over(self, token: Token) -> InputError:
        """The error for what follows a complete value."""
        if token.kind == ")":
            return self.error("this bracket was never opened", token)
        before = self.tokens[self.position - 1]
        left, right = (self.text[t.start : t.end][:20] for t in (before, token))
        factor = right if token.kind in ("number", "name") else "(...)"
        message = "two values stand side by side without a sign"
        expected, hint = "an operator such as * or +", f"write {left}*{factor}"
        return self.error(message, token, expected, hint)
