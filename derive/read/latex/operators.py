"""Sums and products over an index."""

from __future__ import annotations

from collections.abc import Iterator

from derive.read.latex.grammar import Parser
from derive.read.latex.guards import walk
from derive.read.latex.nodes import BigOperator, Name, Node, Product, Quotient
from derive.read.latex.tokens import Token

_BOUNDS = r"write \sum_{i=1}^{n} x_{i}"


def big_operator(parser: Parser) -> Node:
    """\\sum_{i=1}^{n} body; the body goes as far as the product it begins."""
    command = parser.advance()
    below = above = None
    while sign := parser.take("_", "^"):
        if sign.kind == "_" and below is None:
            below = _bound(parser)
        elif sign.kind == "^" and above is None:
            above = _bound(parser)
        else:
            raise parser.error("this bound is given twice", sign, _BOUNDS)
    if below is None or above is None:
        message = "without its bounds it is not clear what is added up"
        raise parser.error(message, command, _BOUNDS)
    index, lower = _index(below)
    upper = above.whole()
    body = parser.product()
    _check_scope(parser, index)
    if command.text == "prod":
        _check_factors(parser, index, body)
    return BigOperator(parser.since(command), command.text, index, lower, upper, body)


def _bound(parser: Parser) -> Parser:
    if parser.next.kind == "{":
        tokens, closing = parser.group()
        return parser.inside(tokens, closing)
    token = parser.single()
    return parser.inside([token], token)


def _index(below: Parser) -> tuple[str, Node]:
    """The index and where it starts."""
    start = below.next
    index = below.factor()
    if not isinstance(index, Name) or index.index or not below.take("="):
        raise below.error("the index has no first value", start, _BOUNDS)
    return index.name, below.whole()


def _check_scope(parser: Parser, index: str) -> None:
    """InputError where the index is used once more after the body has ended."""
    for token in _rest_of_sum(parser):
        if token.kind in ("letter", "command") and token.text == index:
            message = f"it is not clear whether the sum over {index} ends before this"
            hint = "put brackets round everything that is added up"
            raise parser.error(message, token, hint)


def _check_factors(parser: Parser, index: str, body: Node) -> None:
    """InputError where a product's body ends with what does not depend on its index."""
    last = body.factors[-1] if isinstance(body, Product) else body
    before = parser.context.source.text[body.span[0] : body.span[0] + 1]
    if isinstance(body, Quotient) and before != "\\":
        last = body.bottom
    elif not isinstance(body, Product):
        return
    if not any(_depends(part, index) for part in walk(last)):
        message = f"it is not clear whether the product over {index} ends before this"
        raise parser.error(message, last.span, "put brackets round everything that is multiplied")


def _depends(part: Node, index: str) -> bool:
    return isinstance(part, Name) and (part.name == index or index in part.index)


def _rest_of_sum(parser: Parser) -> Iterator[Token]:
    """The tokens up to the end of the sum that the operator stands in."""
    if parser.next.kind not in ("+", "-"):
        return
    depth = 0
    for token in parser.tokens[parser.position :]:
        if token.is_command("sum", "prod") and depth == 0:
            return
        depth += (token.kind in ("(", "[", "{", "begin")) - (token.kind in (")", "]", "}", "end"))
        ends = token.kind in ("stop", "&", "row", "=", ",", "wide") or token.is_command("approx")
        if depth < 0 or (depth == 0 and ends):
            return
        yield token
