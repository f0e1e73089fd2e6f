"""One formula: from its text to a SymPy object, or a chain of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from derive.errors import InputError
from derive.read.latex.alphabet import RELATIONS
from derive.read.latex.chain import Chain
from derive.read.latex.context import Context
from derive.read.latex.declare import Shapes, declared, is_equation, shown
from derive.read.latex.grammar import Parser
from derive.read.latex.kinds import is_matrix
from derive.read.latex.nodes import (
    Call,
    Constant,
    MatrixName,
    Name,
    Node,
    Relation,
    Root,
    Transpose,
)
from derive.read.latex.source import Source
from derive.read.latex.tokens import Token, sign_of, tokenize

Members = tuple[list[Node], list[str]]
_WRAPPED = re.compile(
    r"\s*(?:\$\$(?P<a>[^$]*)\$\$|\$(?P<b>[^$]*)\$|\\\((?P<c>.*)\\\)|\\\[(?P<d>.*)\\\])\s*",
    re.DOTALL,
)
_PLAIN = re.compile(r"[\s\d+\-*/().]{1,200}", re.ASCII)
_LISTS = re.compile(r"\s*\[\s*\[[\s\d+\-*/().,\[\]]*\]\s*\]\s*", re.ASCII)
_UNCLEAR = re.compile(r"\d\s+[\d.]|\.(?!\d)|[-+*/(]\s*[-+]|/[^/]*/|\*\s*\*", re.ASCII)


def read_latex(text: str, matrices: Iterable[str] | Mapping[str, Any] = ()) -> Any:
    """The SymPy object a formula says, or the Chain of an equation.

    `matrices` names the letters that are matrices, or maps them to shapes such as (3, 2) or
    ("n", "d").  InputError, with line, column and what to write instead, for whatever is not
    understood or could be read in two ways.

    >>> read_latex(r"\\frac{QK^\\top}{\\sqrt{d_k}}", matrices=("Q", "K"))
    1/sqrt(d_k)*Q*K.T
    """
    if not isinstance(text, str):
        raise InputError(f"a formula is text, not {type(text).__name__}", expected="LaTeX")
    if (plain := _plain(text)) is not None:
        return plain
    source = Source(text)
    start, end = _unwrapped(text)
    tokens = tokenize(source, start, end)
    shapes = declared(matrices)
    return value(tokens, source, shapes)


def _plain(text: str) -> Any:
    """Numbers, operations on them and lists of them, by the small grammar; None for the rest."""
    from derive.exact import Matrix
    from derive.exact.bridge import to_sympy, to_sympy_matrix
    from derive.read.latex.entries import read_rows
    from derive.read.literals import read_scalar

    try:
        if _LISTS.fullmatch(text):
            return to_sympy_matrix(Matrix(read_rows(text)))
        if _PLAIN.fullmatch(text) and not _UNCLEAR.search(text):
            return to_sympy(read_scalar(text))
    except InputError:
        pass  # said again, with what to write, by the reader of LaTeX
    return None


def _unwrapped(text: str) -> tuple[int, int]:
    """Where the formula stands between dollars or \\[ \\]."""
    match = _WRAPPED.fullmatch(text)
    if not match or match.lastgroup is None:
        return 0, len(text)
    return match.span(match.lastgroup)


def value(tokens: Sequence[Token], source: Source, shapes: Shapes) -> Any:
    """What one formula says: evaluated where it is a value, a Chain where it is an equation."""
    from derive.read.latex.displays import only

    members, relations = parsed(only(tokens, source), source, shapes)
    found = built(members, relations, source, shapes)
    if isinstance(found, Chain):
        return found
    return _evaluated(found, members[0], source)


def parsed(tokens: Sequence[Token], source: Source, shapes: Shapes) -> Members:
    """The members of a chain and its relations; one member where there is none."""
    from derive.read.latex.guards import check, check_zero
    from derive.read.latex.suspects import check_order, check_sides

    known = frozenset(shapes) | shown(tokens)
    parser = Parser(tokens, Context(source, known, is_equation(tokens)))
    parser.take("wide")
    if parser.next.kind == "stop":
        raise parser.error("the formula is empty", parser.next, "write a value")
    members, relations = [parser.sum()], []
    if sign_of(parser.tokens[min(parser.position + 1, len(parser.tokens) - 1)]) in RELATIONS:
        parser.take("wide")
    while (sign := RELATIONS.get(sign_of(parser.next))) is not None:
        relations.append(sign)
        parser.advance()
        members.append(parser.sum())
        if parser.next.kind == "wide" and parser.tokens[parser.position + 1].kind == "stop":
            parser.advance()
    if parser.next.kind == "wide" and parser.tokens[parser.position + 1].kind == "stop":
        parser.advance()
    if parser.next.kind != "stop":
        raise parser.left_over()
    if relations[:1] == ["="] and members[0] == Constant(members[0].span, "e"):
        hint = r"write another letter, or \mathbf{e} or e_{1} for a quantity"
        raise parser.error("e is Euler's number, and is set equal", members[0].span, hint)
    for member in members:
        _check_applied(member, source)
        check(member, source)
        check_zero(member, source)
        check_order(member, source)
    check_sides(members, source)
    return members, relations


def built(members: Sequence[Node], relations: Sequence[str], source: Source, shapes: Shapes) -> Any:
    """The unevaluated SymPy object of one member, or the chain of several."""
    from derive.read.latex.build import Builder
    from derive.read.latex.indices import indexed_names

    builder = Builder(source, shapes, indexed_names(members, source))
    shape = _shape(builder, members)
    if shape is not None:
        members = [_as_matrix(builder, member, shape) for member in members]
    found = tuple(builder.build(member) for member in members)
    if len(members) == 1:
        return found[0]
    if len(members) == 2 and relations[0] not in ("=", r"\approx"):
        _check_numbers(members, source)
        return builder.relation(Relation(members[0].span, relations[0], *members))
    return Chain(found, tuple(relations), tuple(source.place(m.span) for m in members))


def _shape(builder: Any, members: Sequence[Node]) -> tuple[Any, Any] | None:
    """The shape of the matrices in a chain: that of one written out, or else of the first."""
    if len(members) == 1:
        return None
    found = [builder.build(x).shape for x in members if is_matrix(x) and not _is_name(x)]
    for rows, columns in found:
        if _is_size(rows) and _is_size(columns):
            return int(rows), int(columns)
    names = [builder.build(x).shape for x in members if _is_name(x)]
    return next(iter([*found, *names]), None)


def _is_name(member: Node) -> bool:
    return isinstance(member, (MatrixName, Transpose))


def _is_size(size: Any) -> bool:
    return isinstance(size, int) or bool(size.is_Integer)


def _as_matrix(builder: Any, member: Node, shape: tuple[int, int]) -> Node:
    """A lone name that equals a matrix is one, and of its shape."""
    if isinstance(member, (Name, MatrixName)) and builder.shapes.get(member.name) is None:
        builder.shapes = {**builder.shapes, member.name: shape}
        return MatrixName(member.span, member.name)
    if not (isinstance(member, Transpose) and isinstance(member.inner, MatrixName)):
        return member
    if builder.shapes.get(member.inner.name) is None:
        builder.shapes = {**builder.shapes, member.inner.name: shape[::-1]}
    return member


def _check_numbers(members: Sequence[Node], source: Source) -> None:
    for member in members:
        if is_matrix(member):
            hint = "compare their entries"
            raise source.error("matrices are not ordered", member.span, hint)


def _check_applied(member: Node, source: Source) -> None:
    """InputError where a matrix is used as a number, or its function is calculated with."""
    from derive.read.latex.guards import walk

    for part in walk(member):
        for child in part.children:
            if isinstance(part, Root) and is_matrix(child):
                hint = "write the root of each entry"
                raise source.error("the root of a matrix has two meanings", part.span, hint)
            if (
                isinstance(child, Call)
                and not child.is_known
                and any(map(is_matrix, child.arguments))
            ):
                message = f"{child.function} of a matrix is read only by itself"
                hint = "give its value a letter in an equation of its own, A = ..."
                raise source.error(message, child.span, hint)


def _evaluated(found: Any, member: Node, source: Source) -> Any:
    import sympy

    from derive.read.latex.evaluate import evaluated, is_undefined

    result = evaluated(found)
    if is_undefined(result):
        raise source.error("this has no value", member.span, "check for a division by zero")
    return sympy.Matrix(result) if isinstance(result, sympy.MatrixBase) else result
