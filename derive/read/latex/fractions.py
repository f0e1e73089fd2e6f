"""Fractions, roots, binomials, and fractions that are derivatives."""

from __future__ import annotations

from collections.abc import Sequence

from derive.read.latex.alphabet import LETTER_COMMANDS
from derive.read.latex.grammar import Parser
from derive.read.latex.nodes import Call, Derivative, Name, Node, Quotient, Root
from derive.read.latex.tokens import Token


def fraction(parser: Parser) -> Node:
    """\\frac{a}{b} in its spellings; \\frac{\\partial L}{\\partial x} is a derivative."""
    command = parser.advance()
    if parser.next.kind != "{":
        top = parser.argument()
        return Quotient(parser.since(command), top, parser.argument())
    opening = parser.next
    tokens, closing = parser.group()
    if parser.next.kind == "{" and (_is_differential(tokens) or _is_apart(parser, tokens)):
        below, end = parser.group()
        return _derivative(parser, command, parser.inside(tokens, closing), below, end)
    if not tokens:
        raise parser.error("the numerator is empty", opening, r"write \frac{1}{2}")
    top = parser.inside(tokens, closing).whole()
    return Quotient(parser.since(command), top, parser.argument())


def root(parser: Parser) -> Node:
    """\\sqrt{x}, \\sqrt[3]{x}."""
    command, degree = parser.advance(), None
    if opening := parser.take("["):
        start = parser.position
        while parser.next.kind not in ("]", "stop"):
            parser.advance()
        degree = parser.inside(parser.tokens[start : parser.position], parser.next).whole()
        parser.close(opening)
    return Root(parser.since(command), parser.argument(), degree)


def binomial(parser: Parser) -> Node:
    """\\binom{n}{k}."""
    command = parser.advance()
    n = parser.argument()
    return Call(parser.since(command), "binomial", (n, parser.argument()))


def _is_differential(tokens: Sequence[Token]) -> bool:
    """Whether a numerator opens with a d or \\partial of a derivative."""
    if not tokens:
        return False
    if tokens[0].is_command("partial"):
        return True
    if tokens[0].is_command("mathrm", "rm", "operatorname"):
        return [t.text for t in tokens[1:4]] == ["{", "d", "}"]
    if len(tokens) < 2 or tokens[0].kind != "letter" or tokens[0].text != "d" or tokens[1].gap:
        return False
    return tokens[1].kind == "letter" or tokens[1].is_command(*LETTER_COMMANDS)


def _is_apart(parser: Parser, above: Sequence[Token]) -> bool:
    """Whether both halves open with a d that stands apart: \\frac{d}{dx}, \\frac{d y}{d x}."""
    below = parser.tokens[parser.position + 1 : parser.position + 3]
    return _opens_with_d(below) and (len(above) == 1 or _opens_with_d(above)) and _is_d(above[0])


def _is_d(token: Token) -> bool:
    return token.kind == "letter" and token.text == "d"


def _opens_with_d(tokens: Sequence[Token]) -> bool:
    if len(tokens) < 2 or not _is_d(tokens[0]):
        return False
    return tokens[1].kind == "letter" or tokens[1].is_command(*LETTER_COMMANDS)


def _derivative(
    parser: Parser, command: Token, top: Parser, below: Sequence[Token], end: Token
) -> Node:
    bottom = parser.inside(below, end)
    if not (
        (_is_differential(below) or _opens_with_d(below))
        and top.next.is_command("partial") == bottom.next.is_command("partial")
    ):
        message = "this may be a derivative or a quotient"
        hint = r"write \frac{\partial L}{\partial x}, or \frac{d \cdot L}{x}"
        raise parser.error(message, parser.since(command), hint)
    _skip_differential(top)
    _skip_differential(bottom)
    variable = bottom.whole()
    if not isinstance(variable, Name):
        message = "a derivative is taken by one letter"
        raise parser.error(message, parser.since(command), r"write \frac{\partial L}{\partial x}")
    if top.next.kind == "stop":
        if not parser.begins_factor():
            hint = r"write \frac{d y}{d x}, or what is differentiated behind the fraction"
            raise parser.error("nothing is differentiated here", parser.since(command), hint)
        return Derivative(parser.since(command), parser.product(), variable)
    body = top.whole()
    if not isinstance(body, (Name, Call)):
        message = "it is not clear what is differentiated"
        hint = r"write \frac{\partial}{\partial x} \left( ... \right)"
        raise parser.error(message, parser.since(command), hint)
    if parser.next.kind in ("(", "["):
        message = "this may be the derivative at a value, or a product"
        raise parser.error(message, parser.next, r"write \cdot before the bracket for a product")
    return Derivative(parser.since(command), body, variable)


def _skip_differential(parser: Parser) -> None:
    token = parser.advance()
    if token.text in ("mathrm", "rm", "operatorname"):
        parser.group()
    if parser.next.kind == "^":
        message = "higher derivatives are not read here"
        raise parser.error(message, parser.next, "write the first derivative twice")
