"""Absolute values, determinants, floors and ceilings."""

from __future__ import annotations

from derive.read.latex.brackets import enclosed
from derive.read.latex.grammar import Parser
from derive.read.latex.kinds import is_matrix
from derive.read.latex.nodes import Call, Grid, Node


def bar(parser: Parser) -> Node:
    """|x|, \\left| x \\right|, \\lvert x \\rvert; round a matrix written out, its determinant."""
    opening = parser.advance()
    if opening.kind == "|" and not opening.side:
        value = _bare(parser)
        closing = parser.take("|")
    else:
        value = enclosed(parser, opening)
        wanted = "\\rvert" if opening.kind == "\\lvert" else "|"
        closing = parser.take(wanted) if parser.next.side != "left" else None
    if closing is None or closing.side != ("right" if opening.side == "left" else ""):
        hint = r"write \left| ... \right|"
        raise parser.error("this bar has no partner", opening, hint)
    if isinstance(value, Grid):
        return Call(parser.since(opening), "det", (value,))
    if is_matrix(value):
        message = "bars round a matrix may be a determinant or absolute values"
        raise parser.error(message, parser.since(opening), "write the matrix out")
    return Call(parser.since(opening), "Abs", (value,))


def _bare(parser: Parser) -> Node:
    if parser.bars:
        hint = r"write \left| ... \right|"
        raise parser.error("bars within bars do not show where they end", parser.last, hint)
    parser.bars += 1
    value = parser.sum()
    parser.bars -= 1
    return value


def floor(parser: Parser) -> Node:
    """\\lfloor x \\rfloor and \\lceil x \\rceil."""
    opening = parser.advance()
    value = enclosed(parser, opening)
    parser.close(opening)
    function = "floor" if opening.kind == "\\lfloor" else "ceiling"
    return Call(parser.since(opening), function, (value,))
