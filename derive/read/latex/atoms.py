"""Which rule reads what a value begins with: one row each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from derive.read.latex.alphabet import (
    ACCENTS,
    EXTREMES,
    FRACTIONS,
    FUNCTION_COMMANDS,
    LETTER_COMMANDS,
    STYLES,
    UPRIGHT,
)
from derive.read.latex.bars import bar, floor
from derive.read.latex.brackets import braces, bracket, framed
from derive.read.latex.calls import determinant, extreme, function
from derive.read.latex.environments import environment
from derive.read.latex.fractions import binomial, fraction, root
from derive.read.latex.grammar import Parser
from derive.read.latex.names import name
from derive.read.latex.nodes import Constant, Node, Number
from derive.read.latex.numerals import number
from derive.read.latex.operators import big_operator
from derive.read.latex.strangers import stranger

Rule = Callable[[Parser], Node]


def atom(parser: Parser) -> Node:
    """The value that begins at the token at hand."""
    token = parser.next
    rules = COMMANDS if token.kind == "command" else SIGNS
    rule = rules.get(token.text if token.kind == "command" else token.kind)
    if rule is None:
        raise stranger(parser, token)
    return rule(parser)


def infinity(parser: Parser) -> Node:
    """\\infty."""
    return Constant(parser.advance().span, "oo")


def fraction_sign(parser: Parser) -> Node:
    """A fraction that is one character: ½."""
    token = parser.advance()
    return Number(token.span, Fraction(*FRACTIONS[token.text]), token.text)


SIGNS: Mapping[str, Rule] = {
    "number": number,
    "fraction": fraction_sign,
    "letter": name,
    "text": name,
    "(": bracket,
    "[": bracket,
    "{": braces,
    "|": bar,
    "\\lvert": bar,
    "\\lfloor": floor,
    "\\lceil": floor,
    "begin": environment,
}
COMMANDS: Mapping[str, Rule] = {
    **dict.fromkeys(LETTER_COMMANDS | {"pi"}, name),
    **dict.fromkeys(ACCENTS | STYLES.keys() | UPRIGHT, name),
    **dict.fromkeys(FUNCTION_COMMANDS, function),
    **dict.fromkeys(EXTREMES, extreme),
    **dict.fromkeys(("frac", "dfrac", "tfrac", "cfrac", "nicefrac", "sfrac"), fraction),
    "det": determinant,
    "sqrt": root,
    "binom": binomial,
    "dbinom": binomial,
    "tbinom": binomial,
    "infty": infinity,
    "sum": big_operator,
    "prod": big_operator,
    "boxed": framed,
    "underbrace": framed,
    "overbrace": framed,
}
