"""LaTeX in the entries of a problem: exact values of the kernel, read by the small grammar.

The tree of the formula is written out in that grammar, so neither SymPy nor the library is loaded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from derive.errors import InputError
from derive.exact import NegativeInfinity, Scalar
from derive.read.latex.context import Context
from derive.read.latex.grammar import Parser
from derive.read.latex.guards import check, check_zero
from derive.read.latex.kinds import is_matrix
from derive.read.latex.nodes import (
    Call,
    Constant,
    Grid,
    Name,
    Negative,
    Node,
    Number,
    Power,
    Product,
    Quotient,
    Root,
    Sum,
)
from derive.read.latex.source import Source
from derive.read.latex.tokens import Token, tokenize
from derive.read.literals import NO_NAMES, read_scalar

_FUNCTIONS = frozenset("exp log sin cos tan tanh erf".split())
_SIGNS: Mapping[type[Node], str] = {Sum: "+", Product: "*", Quotient: "/", Power: "^"}
_IDENTIFIER = re.compile(r"[A-Za-z]\w*", re.ASCII)
_MATRIX = r"write a matrix as \begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}"

Entry = Scalar | NegativeInfinity


def read_entry(text: str, names: Mapping[str, Scalar] = NO_NAMES) -> Entry:
    """The exact value of an entry in LaTeX; InputError points at what is not understood."""
    source = Source(text)
    node = _parsed(tokenize(source), source)
    if is_matrix(node):
        hint = "give one value, or the whole matrix in one text"
        raise source.error("an entry is a value, not a matrix", node.span, hint)
    return scalar(node, source, names)


def read_rows(text: str) -> list[list[Entry]]:
    """The rows of a matrix in LaTeX."""
    source = Source(text)
    node = _parsed(tokenize(source), source)
    if not isinstance(node, Grid):
        raise source.error("this is no matrix written out", node.span, _MATRIX)
    return rows(node, source)


def rows(grid: Grid, source: Source) -> list[list[Entry]]:
    """The exact entries of a matrix."""
    return [[scalar(entry, source) for entry in row] for row in grid.rows]


def scalar(node: Node, source: Source, names: Mapping[str, Scalar] = NO_NAMES) -> Entry:
    """The exact value of a formula's tree."""
    check(node, source)
    check_zero(node, source)
    plain = "-oo" if _is_forbidden(node) else _written(node, source)
    try:
        return read_scalar(plain, names=names)
    except InputError as error:
        hint = error.hint or "write an exact number or a letter"
        raise source.error(error.message, node.span, hint, error.expected) from None


def _parsed(tokens: Sequence[Token], source: Source) -> Node:
    from derive.read.latex.displays import only

    parser = Parser(only(tokens, source), Context(source))
    parser.take("wide")
    return parser.whole()


def _is_forbidden(node: Node) -> bool:
    return isinstance(node, Negative) and node.inner == Constant(node.span, "oo")


def _written(node: Node, source: Source) -> str:
    """The tree in the small grammar, every operation in brackets."""
    if isinstance(node, Name):
        return _identifier(node, source)
    parts = [_written(part, source) for part in node.children]
    text = _operation(node, parts)
    if text is None:
        hint = r"numbers, letters, fractions, roots, powers, \exp, \ln, \sin, \cos, \tanh"
        raise source.error("an entry cannot hold this", node.span, hint)
    return text


def _operation(node: Node, parts: Sequence[str]) -> str | None:
    match node:
        case Number(value=value):
            return f"({value})" if value.denominator > 1 else str(value)
        case Constant(name=name):
            return name if name != "oo" else None
        case Negative():
            return f"(-{parts[0]})"
        case Root():
            return f"sqrt({parts[0]})" if len(parts) == 1 else f"({parts[0]}^(1/{parts[1]}))"
        case Call(function=function, arguments=(_,)) if function in _FUNCTIONS:
            return f"{function}({parts[0]})"
    sign = _SIGNS.get(type(node))
    return f"({sign.join(parts)})" if sign else None


def _identifier(node: Name, source: Source) -> str:
    stem, rest = node.name[: len("lambda")], node.name[len("lambda") :]
    name = ("lamda" + rest if stem == "lambda" else node.name).replace(",", "_")
    if _IDENTIFIER.fullmatch(name):
        return name
    hint = "a symbol of an entry has letters, digits and _ alone: x_{1}, a_{ij}"
    raise source.error(f"{node.name} cannot name a symbol here", node.span, hint)
