"""Matrices and cases: what stands between \\begin and \\end."""

from __future__ import annotations

from collections.abc import Sequence

from derive.read.latex.alphabet import RELATIONS
from derive.read.latex.grammar import Parser
from derive.read.latex.kinds import is_matrix
from derive.read.latex.nodes import Call, Cases, Every, Grid, Node, Relation
from derive.read.latex.source import Span
from derive.read.latex.tokens import Token, sign_of

MATRICES = frozenset(
    "matrix bmatrix pmatrix Bmatrix smallmatrix psmallmatrix bsmallmatrix array "
    "matrix* bmatrix* pmatrix* Bmatrix*".split()
)
CASES = frozenset(("cases", "dcases", "rcases", "cases*"))
MAX_SIDE = 512
_RULES = ("hline", "toprule", "midrule", "bottomrule")
_CONDITION = frozenset(("if", "when", "for", "falls", "若", "当", "如果"))
_OTHERWISE = frozenset(("otherwise", "else", "sonst", "否则", "其他", "其它"))


def environment(parser: Parser) -> Node:
    """The environment at hand."""
    opening = parser.advance()
    if opening.text in CASES:
        return _cases(parser, opening)
    if opening.text not in MATRICES | {"vmatrix"}:
        message = rf"\begin{{{opening.text}}} is no value"
        hint = r"write a matrix as \begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}"
        raise parser.error(message, opening, hint)
    rows = [list(row) for row in _rows(parser, opening)]
    found = grid(parser, rows, parser.since(opening))
    return Call(found.span, "det", (found,)) if opening.text == "vmatrix" else found


def grid(parser: Parser, rows: Sequence[Sequence[Node]], span: Span) -> Grid:
    """A matrix of these rows; InputError where they differ in length or hold matrices."""
    if len(rows) > MAX_SIDE or len(rows[0]) > MAX_SIDE:
        hint = f"at most {MAX_SIDE} rows and columns are read"
        raise parser.error("the matrix is too large", span, hint)
    for i, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            message = f"row {i} has {len(row)} entries, row 1 has {len(rows[0])}"
            where = row[0].span[0], row[-1].span[1]
            raise parser.error(message, where, "write an entry for every column, 0 too")
        for entry in row:
            if is_matrix(entry):
                message = "a matrix within a matrix is not read here"
                raise parser.error(message, entry.span, "write the entries of the whole matrix")
    return Grid(span, tuple(tuple(row) for row in rows))


def _rows(parser: Parser, opening: Token) -> list[list[Node]]:
    rows: list[list[Node]] = []
    deeper = _deeper(parser)
    while not _is_over(deeper, opening):
        row = [_cell(deeper, opening)]
        while deeper.take("&"):
            row.append(_cell(deeper, opening))
        rows.append(row)
        if deeper.next.kind not in ("row", "end"):
            raise _no_cell(deeper, opening)
        deeper.take("row")
    if not rows:
        raise parser.error("this matrix is empty", opening, "write its entries")
    _return(parser, deeper)
    return rows


def _is_over(parser: Parser, opening: Token) -> bool:
    """Whether the environment ends here; rules between its rows are passed over."""
    while parser.take_command(*_RULES):
        pass
    token = parser.next
    if token.kind == "stop":
        hint = rf"write \end{{{opening.text}}}"
        raise parser.error("this environment is never closed", opening, hint)
    if token.kind != "end":
        return False
    if token.text != opening.text:
        hint = rf"close it with \end{{{opening.text}}}"
        message = rf"\begin{{{opening.text}}} is closed by \end{{{token.text}}}"
        raise parser.error(message, token, hint)
    parser.advance()
    return True


def _cell(parser: Parser, opening: Token) -> Node:
    token = parser.next
    if token.kind in ("&", "row", "end"):
        raise parser.error("an entry is empty", token, "write every entry, 0 too")
    if token.kind == "stop":
        _is_over(parser, opening)
    return parser.sum()


def _no_cell(parser: Parser, opening: Token) -> Exception:
    if parser.next.kind == "stop":
        hint = rf"write \end{{{opening.text}}}"
        return parser.error("this environment is never closed", opening, hint)
    return parser.left_over()


def _cases(parser: Parser, opening: Token) -> Node:
    rows: list[tuple[Node, Relation | Every | None]] = []
    deeper = _deeper(parser)
    while not _is_over(deeper, opening):
        value = _cell(deeper, opening)
        if is_matrix(value):
            raise parser.error("a matrix stands among cases", value.span, "write cases of entries")
        deeper.take(",")
        if not deeper.take("&"):
            message = "this case has no condition"
            raise deeper.error(message, deeper.next, r"write a, & x > 0 \\ b, & \text{otherwise}")
        rows.append((value, _condition(deeper)))
        deeper.take(",", ".", ";")
        if deeper.next.kind not in ("row", "end"):
            raise _no_cell(deeper, opening)
        deeper.take("row")
    if not rows or any(condition is None for _, condition in rows[:-1]):
        message = "a case that always holds comes before others" if rows else "there are no cases"
        raise parser.error(message, opening, r"write \text{otherwise} in the last case alone")
    _return(parser, deeper)
    return Cases(parser.since(opening), tuple(rows))


def _condition(parser: Parser) -> Relation | Every | None:
    parser.take("wide")
    if parser.next.kind == "text":
        word = parser.next.text.strip(" .,").lower()
        if word in _OTHERWISE:
            parser.advance()
            return None
        if word in _CONDITION:
            parser.advance()
    start, left = parser.next, parser.sum()
    found: list[Relation] = []
    while (sign := RELATIONS.get(sign_of(parser.next))) not in (None, r"\approx"):
        parser.advance()
        right = parser.sum()
        found.append(Relation(parser.since(start), str(sign), left, right))
        left = right
    if not found:
        hint = r"write a comparison, such as x > 0, or \text{otherwise}"
        raise parser.error("this is no condition", parser.next, hint)
    return found[0] if len(found) == 1 else Every(parser.since(start), tuple(found))


def _deeper(parser: Parser) -> Parser:
    deeper = Parser(parser.tokens, parser.context, parser.depth + 1)
    deeper.position = parser.position
    return deeper


def _return(parser: Parser, deeper: Parser) -> None:
    parser.tokens, parser.position = deeper.tokens, deeper.position
