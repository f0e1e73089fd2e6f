"""Expressions of an article: what is written between two relations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from operator import is_
from typing import Any

from derive.verify.grammar.grids import Cell, Grid


@dataclass(frozen=True, eq=False)
class Node:
    """A part of an expression."""

    def parts(self) -> tuple[Node, ...]:
        """The expressions inside."""
        return ()

    def inside(self) -> Iterator[Node]:
        """Itself and all that stands in it, from left to right."""
        open_: list[Node] = [self]
        while open_:
            node = open_.pop()
            yield node
            open_.extend(reversed(node.parts()))

    def cells(self) -> Iterator[Cell]:
        """The printed numbers inside, in order."""
        for part in self.parts():
            yield from part.cells()


@dataclass(frozen=True, eq=False)
class Number(Node):
    """A printed number."""

    cell: Cell

    def cells(self) -> Iterator[Cell]:
        """Itself."""
        yield self.cell


@dataclass(frozen=True, eq=False)
class Array(Node):
    """A list, or a matrix as a list of its rows."""

    items: tuple[Node, ...]
    maker: str = "["

    def parts(self) -> tuple[Node, ...]:
        """The entries."""
        return self.items


@dataclass(frozen=True, eq=False)
class Headed(Array):
    """The rows of a table, with the words or formulas above its columns."""

    heads: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Name(Node):
    """A name as written, such as `W_Q`, and a number that picks a row of it."""

    text: str
    index: int | None = None


@dataclass(frozen=True, eq=False)
class Binary(Node):
    """Two expressions and a sign: + - * / · @ ^, or "" where they stand side by side."""

    sign: str
    left: Node
    right: Node

    def parts(self) -> tuple[Node, ...]:
        """Both sides."""
        return self.left, self.right


@dataclass(frozen=True, eq=False)
class Negative(Node):
    """Minus an expression."""

    inner: Node

    def parts(self) -> tuple[Node, ...]:
        """What it negates."""
        return (self.inner,)


@dataclass(frozen=True, eq=False)
class Function(Node):
    """A function of arguments; "T" is the transpose."""

    name: str
    arguments: tuple[Node, ...]

    def parts(self) -> tuple[Node, ...]:
        """The arguments."""
        return self.arguments


@dataclass(frozen=True, eq=False)
class Ruled(Node):
    """An operation's own rule over expressions."""

    op: Any
    arguments: tuple[Node, ...]

    def parts(self) -> tuple[Node, ...]:
        """The arguments."""
        return self.arguments


@dataclass(frozen=True, eq=False)
class Component(Node):
    """One entry, counted from 0, of a vector."""

    inner: Node
    place: int

    def parts(self) -> tuple[Node, ...]:
        """The vector."""
        return (self.inner,)


@dataclass(frozen=True, eq=False)
class Leaf(Node):
    """A grid that is known."""

    grid: Grid
    name: str = ""


@dataclass(frozen=True, eq=False)
class Chain(Node):
    """a = b ≈ c, and where it begins; as an entry it stands for its last side."""

    sides: tuple[Node, ...]
    start: int = 0
    relations: tuple[str, ...] = field(default=())
    ties: tuple[int, ...] = ()  # where the relations stand
    said: tuple[str, str] = ("", "")  # the text before it and from it on, as it is read
    tail: str = ""  # the text behind its last number

    def parts(self) -> tuple[Node, ...]:
        """The sides."""
        return self.sides


def quotient(above: Node, below: Node) -> Node:
    """above / below; the derivative of a loss after something bears the name of that."""
    match above, below:
        case Name(loss), Name(after) if _is_derivative(loss) and after[:1] in ("∂", "d"):
            return below
        case Binary(sign, left, Name(loss)), Name(after) if (
            sign != "/" and _is_derivative(loss) and after[:1] in ("∂", "d")
        ):
            return Binary(sign, left, below)
    return Binary("/", above, below)


def _is_derivative(name: str) -> bool:
    return name in ("∂L", "dL", "∂l", "∂ℓ", "∂loss", "dloss")


VARIANTS = {
    "layernorm": ("layernorm eps", "layernorm sample"),
    "std": ("sample std",),
    "var": ("sample var",),
    "var of all": ("sample var of all",),
    "std of all": ("sample std of all",),
    "log": ("log10", "log2"),
    "sin": ("sin degrees",),
    "cos": ("cos degrees",),
    "rotary interleaved": ("rotary halves",),
    "gelu": ("gelu tanh", "gelu sigmoid"),
}
"""Functions of which there are several conventions."""


def variants(node: Node) -> Iterator[Node]:
    """An expression with its function by other conventions."""
    match node:
        case Function(name, arguments):
            for other in VARIANTS.get(name, ()):
                yield Function(other, arguments)
        case Negative(inner):
            yield from (Negative(other) for other in variants(inner))
        case Binary("@", Leaf(grid), Function("T", (right,))) if grid.shape[0] == 1:
            yield Binary("@", Function("T", (node.left,)), right)  # the outer product
        case Binary(sign, left, right):
            if sign == "*":
                yield Binary("@", left, right)
            elif sign in ("", "·", "×") and not (is_matrix(left) and is_matrix(right)):
                yield Binary("*", left, right)  # gamma x, entry by entry
            yield from (Binary(sign, other, right) for other in variants(left))
            yield from (Binary(sign, left, other) for other in variants(right))


def is_matrix(node: Node) -> bool:
    """Whether an expression has several rows and columns, as far as its form shows it."""
    match node:
        case Leaf(grid):
            return min(grid.shape) > 1
        case Function("T", (inner,)) | Negative(inner):
            return is_matrix(inner)
    return False


def rebuilt(node: Node, change: Callable[[Node], Node]) -> Node:
    """An expression with a change made to each of its parts; the same where none is changed."""
    if not isinstance(node, Binary | Negative | Function | Array):
        return node
    before = tuple(node.parts())
    after = tuple(map(change, before))
    if all(map(is_, before, after)):
        return node
    match node:
        case Binary(sign):
            return Binary(sign, *after)
        case Function(name):
            return Function(name, after)
        case Array(maker=maker):
            return Array(after, maker)
    return Negative(*after)


def takes(node: Node, word: str) -> bool:
    """Whether a function is taken whose name begins with a word: sample, sin."""
    return any(isinstance(n, Function) and n.name.startswith(word) for n in node.inside())


def literal(node: Node) -> list[list[Cell]] | None:
    """The cells of a number, a list or a matrix that consists of printed numbers alone."""
    match node:
        case Number(cell):
            return [[cell]]
        case Chain(sides):
            return literal(sides[-1])
        case Array(items) if items:
            found = [rows for item in items if (rows := literal(item))]
            return _stacked(found, items) if len(found) == len(items) else None
        case Function("T", (inner,)):
            rows = literal(inner)
            return [list(column) for column in zip(*rows, strict=True)] if rows else None
    return None


def is_list(node: Node) -> bool:
    """Whether an entry is a list itself."""
    return isinstance(node, Array) or (isinstance(node, Chain) and is_list(node.sides[-1]))


def _stacked(found: list[list[list[Cell]]], items: tuple[Node, ...]) -> list[list[Cell]] | None:
    if len(found) == 1 and len(found[0]) > 1:
        return found[0]  # a batch of one
    lists = {is_list(item) for item in items}
    if len(lists) > 1 or any(len(rows) != 1 for rows in found):
        return None
    rows = [rows[0] for rows in found]
    if lists == {False}:
        return [[row[0] for row in rows]]
    return rows if len({len(row) for row in rows}) == 1 else None
