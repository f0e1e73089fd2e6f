"""Sides of chains by their form: a word, the size of a matrix, the square of a deviation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

from derive.verify.grammar.nodes import Array, Binary, Chain, Function, Name, Node, Number, literal
from derive.verify.speech.roles import indexed, role
from derive.verify.tables.sizes import SIZE

ROUNDED = Fraction(1, 1000)
"""A number with so many places that is printed nowhere before was rounded."""
WORDS = frozenset("aeiouyàèéó")
"""Letters that are words in some language."""
WORD = 2
"""What has more letters is a word."""
_SET = re.compile(r"\s*[:=≈→←$`*_|}\\]")
"""What stands behind a letter that is a sign."""


def is_bare_word(side: Node, behind: str) -> bool:
    """Whether a letter is a word of the language, not the sign of a quantity: o, e, a, y.

    Or words with a hyphen between them, which only look like a difference: self-attention.
    """
    if is_hyphened(side):
        return True
    behind = behind.lstrip("(（")
    if not isinstance(side, Name) or side.text not in WORDS or not behind.startswith(side.text):
        return False
    return _SET.match(behind, 1) is None


def is_hyphened(side: Node) -> bool:
    """Whether words have a hyphen between them."""
    match side:
        case Binary("-", Name(left) | Binary("-", _, Name(left)), Name(right)):
            return left.isalpha() and right.isalpha() and len(left) > WORD < len(right)
    return False


def squared(side: Node) -> Node:
    """sigma^2 as a name."""
    match side:
        case Binary("^", Name(text), Number(cell)) if cell.figure and cell.figure.value == 2:
            is_spread = role(text) == "std" or (indexed(text) or ("",))[0] == "std"
            return Name(f"{text}^2") if is_spread else side
    return side


def shown_by(side: Node) -> Node:
    """What a call such as print(scores) shows."""
    match side:
        case Function("?print" | "?display" | "?show", (first, *_)):
            return first
    return side


def is_size(node: Node) -> bool:
    """Whole numbers in round brackets, or running on without any."""
    return (
        isinstance(node, Array)
        and node.maker in ("(", SIZE)
        and all(c.figure is not None and c.figure.is_whole for c in node.cells())
        and all(c.figure is not None and c.figure.value > 0 for c in node.cells())
    )


def is_said_size(node: Node) -> bool:
    """Whether whole numbers are the size of the matrix that comes next."""
    return isinstance(node, Array) and node.maker == SIZE


def factors(side: Node) -> Iterator[Node]:
    """A side, and what is multiplied, added or turned in it."""
    yield side
    if isinstance(side, Binary) or (isinstance(side, Function) and side.name == "T"):
        for part in side.parts():
            yield from factors(part)


def led_on(chain: Chain) -> tuple[Chain, ...]:
    """A list before an arrow and the word behind it, each by itself: scaled [...] -> weights.

    So are (a, b) = (1.5, 2) two statements.
    """
    match chain:
        case Chain((Array(names, "("), Array(values))) if len(names) == len(values):
            if all(isinstance(squared(name), Name) for name in names) and literal(chain.sides[1]):
                return tuple(map(partial(_one_of, chain), names, values))
        case Chain((Array(), Name()), relations=("→",)) if literal(chain.sides[0]):
            return tuple(replace(chain, sides=(side,), relations=()) for side in chain.sides)
    return (chain,)


def _one_of(chain: Chain, name: Node, given: Node) -> Chain:
    start = next((cell.start for cell in given.cells()), chain.start)
    return Chain((name, given), start, chain.relations, chain.ties, chain.said)


def is_rounded(side: Node) -> bool:
    """Whether numbers have the places of results."""
    return any(cell.figure and cell.figure.unit <= ROUNDED for cell in side.cells())


def is_vector(node: Node | None) -> bool:
    """Whether a side is the sign of a matrix or of one of its rows, not a word for it."""
    if not isinstance(node, Name) or (node.text.isalpha() and len(node.text) > 2):
        return False
    return bool(role(node.text) or indexed(node.text))
