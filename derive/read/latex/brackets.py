"""Brackets, braces and frames: what groups."""

from __future__ import annotations

from derive.read.latex.alphabet import SLASH, TIMES
from derive.read.latex.grammar import Parser
from derive.read.latex.nodes import Grid, Name, Node, Product
from derive.read.latex.tokens import Token, sign_of

_OPENING = frozenset(("(", "[", "{", "\\{", "\\lfloor", "\\lceil", "\\lvert", "begin"))
_CLOSING = frozenset((")", "]", "}", "\\}", "\\rfloor", "\\rceil", "\\rvert", "end"))


def bracket(parser: Parser) -> Node:
    """( ... ) or [ ... ] round one value, or the rows of a matrix as nested lists."""
    opening = parser.advance()
    if opening.kind == "[" and parser.next.kind == "[" and is_list(parser):
        return nested(parser, opening)
    value = enclosed(parser, opening)
    parser.close(opening)
    if isinstance(value, Name) and sum(map(str.isalpha, value.index)) > 1:
        message = "brackets round an entry may say the matrix of these entries"
        hint = "leave the brackets out for the entry, or write the matrix out"
        raise parser.error(message, parser.since(opening), hint)
    return value


def enclosed(parser: Parser, opening: Token) -> Node:
    """The value after an opening bracket."""
    return values(parser, opening, most=1)[0]


def values(parser: Parser, opening: Token, most: int = 64) -> list[Node]:
    """Values between commas after an opening bracket, one level down."""
    deeper = Parser(parser.tokens, parser.context, parser.depth + 1)
    deeper.position = parser.position
    found = [deeper.sum()]
    while len(found) < most and deeper.take(","):
        found.append(deeper.sum())
    parser.tokens, parser.position = deeper.tokens, deeper.position
    if parser.next.kind == "," and parser.next.kind != opening.kind:
        message = "a list in brackets is no single value"
        hint = "write a matrix as rows, [[1, 2]]; give other values one at a time"
        raise parser.error(message, parser.next, hint)
    return found


def is_list(parser: Parser) -> bool:
    """Whether the bracket that opens next holds a row: a comma, or ends with the outer one."""
    depth = 0
    for i in range(parser.position, len(parser.tokens)):
        token = parser.tokens[i]
        depth += (token.kind in _OPENING) - (token.kind in _CLOSING)
        if depth == 1 and token.kind == ",":
            return True
        if depth == 0:
            return parser.tokens[i + 1].kind in (",", "]")
    return False


def nested(parser: Parser, opening: Token) -> Node:
    """[[a, b], [c, d]] after its first bracket."""
    from derive.read.latex.environments import grid

    rows: list[list[Node]] = []
    while True:
        inner = parser.take("[")
        if inner is None:
            raise parser.error("a row begins with [", parser.next, "write [[1, 2], [3, 4]]")
        rows.append(values(parser, inner))
        parser.close(inner)
        if not parser.take(","):
            break
    parser.close(opening)
    return grid(parser, rows, parser.since(opening))


def braces(parser: Parser) -> Node:
    """{ ... }, which does not show: it may hold one factor, or stand alone."""
    before, opening = parser.position, parser.next
    tokens, closing = parser.group()
    if not tokens:
        raise parser.error("these braces are empty", opening, "leave them out")
    value = parser.inside(tokens, closing).whole()
    alone = before == 0 and parser.next.kind == "stop"
    powered = isinstance(value, Product) and parser.next.kind in ("^", "!")
    if not alone and (powered or _has_sign(tokens)):
        message = "braces do not show, so what they hold is not set apart"
        raise parser.error(message, parser.since(opening), "write ( ) in place of { }")
    return value


def framed(parser: Parser) -> Node:
    """\\boxed{x}, \\underbrace{x}_{words}: x."""
    parser.advance()
    value = parser.argument()
    while parser.take("_", "^"):
        if parser.next.kind != "{":
            raise parser.error(
                "it is not clear what stands here", parser.next, "put braces round it"
            )
        parser.group()
    if not isinstance(value, Grid) and parser.begins_factor():
        message = "it is not clear what the frame sets apart"
        raise parser.error(message, parser.next, r"leave the frame out, or write \cdot after it")
    return value


def _has_sign(tokens: list[Token]) -> bool:
    """Whether an operation stands outside all brackets."""
    depth = 0
    for token in tokens:
        depth += (token.kind in _OPENING) - (token.kind in _CLOSING)
        if depth == 0 and sign_of(token) in TIMES | SLASH | {"+", "-"}:
            return True
    return False
