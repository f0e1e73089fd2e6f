"""A name before a bracket or a value: a factor, a function, or not to be told apart."""

from __future__ import annotations

from derive.read.latex.alphabet import FUNCTION_LETTERS
from derive.read.latex.grammar import Parser
from derive.read.latex.nodes import Name, Node, Number, Power
from derive.read.latex.tokens import Token

_OPENING = ("(", "[", "\\{")
_CLOSING = (")", "]", "\\}")


def called(parser: Parser, value: Node, node: Node, style: str) -> Node:
    """The value; or the function's value where a bracket makes a function of the name."""
    if parser.next.kind not in ("(", "[", "\\{") or not isinstance(node, Name):
        return value
    from derive.read.latex.calls import undefined

    base = node.base or node.name
    is_function = style == "word" or (base in FUNCTION_LETTERS and not style)
    holds_itself = _holds_itself(parser, node)
    if value is node and is_function and parser.next.kind == "(" and not holds_itself:
        return undefined(parser, node)
    is_powered = isinstance(value, Power) and isinstance(value.exponent, Number)
    if not is_function and (holds_itself or (is_powered and not _holds_one_letter(parser))):
        return value
    factor = parser.context.source.text[slice(*value.span)][:30]
    message = f"{factor}{parser.next.text} may begin a function's value or a product"
    hint = rf"write {factor} \cdot (...) for a product, \operatorname{{name}}(...) for a function"
    raise parser.error(message, (value.span[0], parser.next.end), hint)


def _bracketed(parser: Parser) -> list[Token]:
    """The tokens in the bracket at hand."""
    depth = 0
    for k, token in enumerate(parser.tokens[parser.position :]):
        depth += (token.kind in _OPENING) - (token.kind in _CLOSING)
        if depth == 0:
            return parser.tokens[parser.position + 1 : parser.position + k]
    return []


def _holds_itself(parser: Parser, node: Name) -> bool:
    """Whether the bracket behind a name holds that name as a value: n(n+1) is a product."""
    first = parser.position
    while first and parser.tokens[first - 1].start >= node.span[0]:
        first -= 1
    own = [t.text for t in parser.tokens[first : parser.position] if t.end <= node.span[1]]
    inner = _bracketed(parser)
    texts = [t.text for t in inner]
    for k in range(len(inner) - len(own) + 1):
        after = inner[k + len(own)].kind if k + len(own) < len(inner) else ""
        before = inner[k - 1].kind if k else ""
        is_value = after not in ("(", "[", "_", "'") and before not in ("_", "^")
        if texts[k : k + len(own)] == own and is_value:
            return True
    return False


def _holds_one_letter(parser: Parser) -> bool:
    """Whether the bracket at hand holds one letter alone, as a function's does: \\chi^2(\\nu)."""
    inner = _bracketed(parser)
    return len(inner) == 1 and inner[0].kind in ("letter", "command")


def check_word(parser: Parser, value: Node, style: str) -> None:
    """InputError where a word stands before a value: \\operatorname{rank} A may be a function's."""
    if style != "word" or not isinstance(value, Name) or not parser.begins_factor():
        return
    if parser.next.kind in _OPENING:
        return
    hint = rf"write \operatorname{{{value.base}}}(...) for a function, \cdot for a product"
    raise parser.error("a word before a value may be a function or a factor", value.span, hint)
