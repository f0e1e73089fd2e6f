"""Expressions as they are written: what two of them share, and the rotation R_3 of a vector."""

from __future__ import annotations

import re
from collections.abc import Container

from derive.verify.grammar.grids import Grid
from derive.verify.grammar.nodes import (
    Binary,
    Function,
    Leaf,
    Name,
    Negative,
    Node,
    Number,
    rebuilt,
)
from derive.verify.known.pool import Pool
from derive.verify.known.steps.made import whole
from derive.verify.known.steps.places import BASES
from derive.verify.matrices.widths import WIDTHS
from derive.verify.speech.roles import indexed, role

TIMES = frozenset(("", "*", "·", "@", "×"))
_TURN = re.compile(r"(?:R|Rot)(?:\^d)?_?\{?(?:\\?(?:[Tt]heta|Θ|θ)[_,]?)?(\d{1,4})\}?")
"""The rotation to a position: R_3, R_{Θ,3}."""
_TURNS = frozenset("?RoPE ?Rot ?rot ?R".split())
NUMBERED = re.compile(r"([^\W\d]\w*?)(\d{1,2})")
"""A name with the number of a token."""


UNWRITTEN = "\0"
"""Stands for what is no name, number, sign or function."""


def signature(node: Node) -> str:
    """What two writings of one expression share; "" for a plain name or number."""
    text = _written(node)
    return "" if isinstance(node, Name | Number) or UNWRITTEN in text else text


def spellings(name: str) -> tuple[str, ...]:
    """A gradient in both ways of writing it: dS and ∂S."""
    return name, re.sub(r"^∂", "d", name), re.sub(r"^d(?=[A-Z])", "∂", name)


def _written(node: Node) -> str:
    match node:
        case Name(text, index):
            return f"{text}#{index}" if index is not None else text
        case Number(cell) if cell.figure:
            return str(cell.figure.value)
        case Binary(sign, left, right):
            return f"({_written(left)}{'*' if sign in TIMES else sign}{_written(right)})"
        case Negative(inner):
            return f"(-{_written(inner)})"
        case Function(name, arguments):
            return f"{name}({','.join(map(_written, arguments))})"
    return UNWRITTEN


def turned_to(pool: Pool, left: Node, right: Node) -> Node | None:
    """R_3 q and R(3) q: the pairs of q turned to a position, where the article does that."""
    text = left.text if isinstance(left, Name) else ""
    match left:
        case Function("?R" | "?Rot", (Number(cell),)) if cell.figure and cell.figure.is_whole:
            text = f"R_{cell.figure.value}"
    found = _TURN.fullmatch(text)
    if not pool.is_rotary or found is None:
        return None
    base, position = whole(pool.base or BASES[0]), whole(int(found[1]))
    turned = (g.made.name for g in reversed(pool.grids) if isinstance(g.made, Function))
    layout = next((name for name in turned if name.startswith("rotary")), "rotary interleaved")
    return Function(layout, (right, base, position))


def dotted(sign: str, left: Node, right: Node) -> Node | None:
    """q^T k of vectors that are printed as rows is a number; E 1, with a bold 1, sums up rows."""
    match left, right:
        case Function("T", (inner,)), _ if sign in TIMES and is_row(inner) and is_row(right):
            return Binary("@", inner, Function("T", (right,)))
        case _, Function("ones", ()):
            return Function("sum", (left,))
        case _, Function("T", (Function("ones", ()),)):
            return Function("upright", (left,))  # one number for each row, in every column
        case Function("ones", ()), _:
            return right  # in every row
    return None


def is_row(node: Node) -> bool:
    """Whether an expression is a vector printed as a row, turned perhaps."""
    match node:
        case Leaf(grid):
            return grid.shape[0] == 1 < grid.shape[1]
        case Function(name, (inner, *_)) if name.startswith("rotary"):
            return is_row(inner)
    return False


def is_told(step: Grid, unknown: frozenset[str]) -> bool:
    """Whether the names of a formula that mean nothing yet are all of what a step is made of.

    What is not understood is never judged by something else that nearly agrees.
    """
    known, open_ = {*WIDTHS, step.name}, [step.made or Leaf(step)]
    while open_ and unknown:
        node = open_.pop()
        if isinstance(node, Leaf):
            known.add(node.grid.name)
            if node.grid.made is not None:
                known.add(role(node.grid.name))
                open_.append(node.grid.made)
        open_.extend(node.parts())
    return all({name, role(name), *(indexed(name) or ())} & (known - {""}) for name in unknown)


def numbered(node: Node, number: str, known: Container[str]) -> Node:
    """An expression with the number of a token behind each name that is known with it."""
    match node:
        case Name(text):
            spelt = (f"{text}{number}", f"{text}_{number}")
            return next((Name(name) for name in spelt if name in known), node)
    return rebuilt(node, lambda part: numbered(part, number, known))


def renumbered(node: Node, old: str, new: str) -> Node:
    """An expression that is written for one token, for another: x_1 W as x_2 W."""
    match node:
        case Name(text) if (found := NUMBERED.fullmatch(text)) and found[2] == old:
            return Name(text[: -len(old)] + new)
    return rebuilt(node, lambda part: renumbered(part, old, new))


def spelt_out(pool: Pool, node: Function, is_program: bool) -> Node | None:
    """What is written as a call and is none: a rate times a difference, a rotation."""
    return _rated(pool, node) or (None if is_program else _placed(node))


def _rated(pool: Pool, node: Function) -> Node | None:
    """The number before a difference in brackets: eta(p - y) is no call where eta is known."""
    rate = pool.named.get(node.name[1:]) if len(node.arguments) == 1 else None
    if rate is None or rate.shape != (1, 1) or not isinstance(node.arguments[0], Binary):
        return None
    return Binary("*", Leaf(rate, node.name[1:]), node.arguments[0])


def _placed(node: Function) -> Node | None:
    """RoPE(q, 3) and rot(3, q) as R_3 q; the functions of a program are its own."""
    if node.name not in _TURNS:
        return None
    match node.arguments:
        case (Name() | Leaf() as x, Number(cell)) | (Number(cell), Name() | Leaf() as x):
            if cell.figure is not None and cell.figure.is_whole and cell.figure.value >= 0:
                return Binary("", Name(f"R_{cell.figure.value}"), x)
    return None
