"""Functions: known ones with and without brackets, extremes, and names that are functions."""

from __future__ import annotations

from derive.read.latex.alphabet import (
    EXTREMES,
    FUNCTION_COMMANDS,
    FUNCTIONS,
    LETTER_COMMANDS,
)
from derive.read.latex.brackets import values
from derive.read.latex.grammar import Parser
from derive.read.latex.kinds import is_matrix
from derive.read.latex.nodes import Call, Grid, MatrixName, Name, Node, Number, Power, Softmax, Sum
from derive.read.latex.tokens import Token

_OPENING = ("(", "[", "\\{")
_CLOSING = (")", "]", "\\}")
_TURNING = frozenset("sin cos tan cot sec csc sinh cosh tanh coth".split())


def function(parser: Parser) -> Node:
    """\\exp(x), \\exp x, \\log_{2} x, \\sin^{2} x."""
    token = parser.advance()
    return function_after(parser, token.text, token)


def function_after(parser: Parser, name: str, start: Token) -> Node:
    """The same once the function's name has been read."""
    base, power = _scripts(parser, name)
    argument = _argument(parser, start)
    _check_end(parser, name, argument, start)
    arguments = (argument,) if base is None else (argument, base)
    value: Node = Call(parser.since(start), FUNCTIONS[name], arguments, _is_read(argument))
    return Power(parser.since(start), value, power) if power else value


def extreme(parser: Parser) -> Node:
    """\\max(a, b)."""
    token = parser.advance()
    return extreme_after(parser, token.text, token)


def extreme_after(parser: Parser, name: str, start: Token) -> Node:
    """The same once its name has been read."""
    if parser.next.kind not in _OPENING:
        hint = rf"write \{name}(a, b), every value of it"
        raise parser.error("it is not clear what this is taken over", start, hint)
    arguments = _arguments(parser)
    for argument in arguments:
        if is_matrix(argument):
            hint = "write the entries that are compared"
            raise parser.error("a matrix stands among numbers", argument.span, hint)
    return Call(parser.since(start), EXTREMES[name], tuple(arguments))


def determinant(parser: Parser) -> Node:
    """\\det(A), \\det A, of a matrix written out or known by name."""
    start = parser.advance()
    if parser.next.kind in _OPENING:
        opening = parser.advance()
        value = values(parser, opening, most=1)[0]
        parser.close(opening)
    else:
        value = _bare(parser, start)
    if not isinstance(value, (Grid, MatrixName)):
        hint = r'write \begin{vmatrix}...\end{vmatrix}, or read_latex(text, matrices=("A",))'
        raise parser.error("a determinant is read only of one matrix", value.span, hint)
    return Call(parser.since(start), "det", (value,))


def undefined(parser: Parser, name: Name) -> Node:
    """f(x, y), \\operatorname{softmax}(x)."""
    arguments = _arguments(parser)
    if parser.next.kind in ("_", "'"):
        hint = "name the function's value, and put the script on that name"
        raise parser.error("it is not clear what this script belongs to", parser.next, hint)
    span = name.span[0], parser.last.end
    by_rows = name.name == "softmax" and parser.context.is_equation and len(arguments) == 1
    if by_rows and is_matrix(arguments[0]):
        return Softmax(span, arguments[0])
    for argument in arguments:
        _check_letter(parser, argument)
    return Call((name.span[0], parser.last.end), name.name, tuple(arguments), is_known=False)


def _is_read(argument: Node) -> bool:
    """A function of a matrix stays a name applied to it; SymPy's function is for numbers."""
    return not is_matrix(argument)


def _check_letter(parser: Parser, argument: Node) -> None:
    """InputError for a function of a matrix that is not one letter."""
    if is_matrix(argument) and not isinstance(argument, MatrixName):
        message = "a function of a matrix is read only of a single letter"
        hint = r"name its argument first: S = ..., then \operatorname{softmax}(S)"
        raise parser.error(message, argument.span, hint)


def _scripts(parser: Parser, name: str) -> tuple[Node | None, Node | None]:
    """The base of a logarithm and the power of the whole."""
    base = power = None
    while parser.next.kind in ("_", "^"):
        sign = parser.advance()
        number = parser.argument()
        if sign.kind == "_" and name == "log" and base is None:
            base = number
        elif sign.kind == "^" and power is None and _is_count(number):
            power = number
        else:
            hint = rf"write \left(\{name}(x)\right)^{{-1}} for a power, \arcsin for an inverse"
            raise parser.error("it is not clear what this script says", sign, hint)
    return base, power


def _check_end(parser: Parser, name: str, argument: Node, start: Token) -> None:
    """InputError for \\cos (2k+1)x, whose argument may go on behind the bracket."""
    follows = parser.next.kind == "letter" or parser.next.is_command(*LETTER_COMMANDS, "pi")
    is_closed = parser.last.kind in _CLOSING
    if name in _TURNING and is_closed and isinstance(argument, Sum) and follows:
        message = rf"it is not clear where the argument of \{name} ends"
        raise parser.error(message, parser.next, rf"write \{name}( ... ) \cdot for a product")


def _is_count(node: Node) -> bool:
    return isinstance(node, Number) and node.value.denominator == 1 and node.value > 0


def _arguments(parser: Parser) -> list[Node]:
    opening = parser.advance()
    found = values(parser, opening)
    parser.close(opening)
    return found


def _argument(parser: Parser, start: Token) -> Node:
    if parser.next.kind in _OPENING:
        opening = parser.advance()
        value = values(parser, opening, most=1)[0]
        parser.close(opening)
    else:
        value = _bare(parser, start)
    _check_letter(parser, value)
    return value


def _bare(parser: Parser, start: Token) -> Node:
    """An argument without brackets: one factor, and no factor after it but a function."""
    if not parser.begins_factor():
        hint = rf"write \{start.text}(x)"
        raise parser.error(rf"\{start.text} is applied to nothing", start, hint)
    value = parser.factor()
    after = parser.next
    if parser.begins_factor() and not after.is_command(*FUNCTION_COMMANDS):
        message = rf"it is not clear where the argument of \{start.text} ends"
        raise parser.error(message, after, rf"write \{start.text}( ... )")
    if after.kind in ("/", "!"):
        message = rf"it is not clear whether this belongs to the argument of \{start.text}"
        raise parser.error(message, after, rf"write \{start.text}( ... )")
    return value
