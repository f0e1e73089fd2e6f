"""Numerals: decimals, thousands, powers of ten, percentages. All exact."""

from __future__ import annotations

import re
from fractions import Fraction

from derive.errors import InputError
from derive.read.bounded import decimal
from derive.read.latex.grammar import Parser
from derive.read.latex.nodes import Node, Number
from derive.read.latex.tokens import Token

_GROUPS = re.compile(r"[1-9]\d{0,2}(\.\d{3})*", re.ASCII)
_WHOLE = "write the number without gaps: 1234, or with a point: 0.5"


def number(parser: Parser) -> Node:
    """The numeral at hand."""
    first = parser.advance()
    if first.text.endswith("."):
        raise parser.error("a point ends this number", first, f"write {first.text.rstrip('.')}")
    text = _grouped(parser, first) + _power_of_ten(parser)
    value = _exact(parser, text, first)
    if parser.take_command("%"):
        value /= 100
    _check_next(parser, first)
    return Number(parser.since(first), value, text)


def _grouped(parser: Parser, first: Token) -> str:
    """The digits, groups of thousands joined: 1\\,234\\,567 and 1{,}234."""
    groups = [first.text]
    while group := _next_group(parser):
        groups.append(group.text)
    joined = ".".join(groups)
    if len(groups) > 1 and not _GROUPS.fullmatch(joined):
        message = "it is not clear whether this is one number"
        raise parser.error(message, parser.since(first), _WHOLE)
    return "".join(groups)


def _next_group(parser: Parser) -> Token | None:
    here = parser.position
    kinds = [t.kind for t in parser.tokens[here : here + 4]]
    if kinds == ["{", ",", "}", "number"]:
        parser.position += 3
        return parser.advance()
    if parser.next.kind == "number" and parser.next.gap == "thin":
        return parser.advance()
    return None


def _power_of_ten(parser: Parser) -> str:
    """The exponent of 1e-5, which is read only where no space parts it."""
    here = parser.position
    after = parser.tokens[here : here + 3]
    if after[0].kind != "letter" or after[0].text not in "eE" or after[0].gap:
        return ""
    sign = after[1].text if after[1].kind in ("+", "-") else ""
    digits = after[2] if sign else after[1]
    if digits.kind != "number" or (sign == "+" and after[1].gap):
        return ""
    if after[1].gap or digits.gap or not digits.text.isdigit():
        hint = r"write 10^{-5} for a power of ten, e \cdot 5 or e - (5) for Euler's number"
        raise parser.error("this e may be a power of ten or Euler's number", after[0], hint)
    parser.position += 2 + bool(sign)
    return f"e{sign}{digits.text}"


def _exact(parser: Parser, text: str, first: Token) -> Fraction:
    try:
        return decimal(text)
    except InputError as error:
        hint = "write a shorter number, or a letter for it"
        raise parser.error(error.message, parser.since(first), hint, error.expected) from None


def _check_next(parser: Parser, first: Token) -> None:
    after = parser.next
    if after.is_command("overline", "dot") and "." in first.text:
        raise parser.error("recurring decimals are not read here", after, r"write \frac{1}{3}")
    if after.kind == "number":
        raise parser.error("two numbers stand side by side", after, _WHOLE)
