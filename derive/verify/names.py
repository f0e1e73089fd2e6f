"""Names in expressions replaced by the matrices that they mean."""

from __future__ import annotations

from flint import arb

from derive.verify.grids import Cell, Grid
from derive.verify.nodes import (
    Array,
    Binary,
    Chain,
    Component,
    Function,
    Leaf,
    Name,
    Negative,
    Node,
    Number,
)
from derive.verify.roles import role
from derive.verify.state import State

WIDTHS = {"d_k": ("Q", 1), "dk": ("Q", 1), "d_model": ("H", 1), "d": ("H", 1), "n": ("H", 0)}
"""Numbers that the shapes tell."""
DEEPEST = 8
"""Definitions in each other are followed no further."""

JOINS = frozenset("?concat ?cat ?concatenate ?hstack".split())
"""What puts matrices side by side, as it is written."""


class Meanings:
    """What the names of an article mean at the place that is read."""

    def __init__(self, state: State) -> None:
        """Over what is known."""
        self.state = state
        self.defined: dict[str, Node] = {}  # what the article says that a name stands for
        self.open: set[str] = set()  # definitions that are being resolved

    def define(self, name: str, made: Node) -> None:
        """Q = X W_Q, without its numbers."""
        if name:
            self.defined[name] = made

    def definition(self, name: str) -> Grid | None:
        """The matrix of a definition, as far as its names are known."""
        made = self.defined.get(name)
        if made is None or name in self.open or len(self.open) > DEEPEST:
            return None
        self.open.add(name)
        resolved = self.resolved(made)
        self.open.discard(name)
        known = (len(self.state.pool.grids), len(self.state.pool.named))
        return self.state.steps.step(role(name) or name, resolved, "defined", name, known)

    def width(self, text: str) -> Grid | None:
        """d_k, d or n where it is not printed: as many as a matrix has columns or rows."""
        kind, side = WIDTHS.get(text, ("", 0))
        of = self.state.pool.of_role(kind) if kind else None
        of = of or (self.state.steps.projection(kind) if kind in ("Q", "K") else None)
        if of is None or of.shape[0] < 1:
            return None
        return Grid([[Cell(None, exact=arb(of.shape[side]))]])

    def resolved(self, node: Node) -> Node:
        """The expression with its names replaced by what they mean."""
        match node:
            case Name(text, index):
                grid = self.meaning(text)
                if grid is None:
                    return node
                if index is not None:
                    return Leaf(grid.row(index), text) if index < grid.shape[0] else node
                return Leaf(grid, text)
            case Binary(sign, left, right):
                return Binary(sign, self.resolved(left), self.resolved(right))
            case Negative(inner):
                return Negative(self.resolved(inner))
            case Component(inner, place):
                return Component(self.resolved(inner), place)
            case Function(name, arguments) if name.startswith("?"):
                grid = self.state.pool.named.get(called(node))
                if grid is None and name.lower() in JOINS:
                    return self.joined(arguments)
                return node if grid is None else Leaf(grid, called(node))
            case Function(name, arguments):
                self.note_root(name, arguments)
                return Function(name, tuple(map(self.resolved, arguments)))
            case Array(items):
                return Array(tuple(map(self.resolved, items)))
            case Chain(sides):
                return self.resolved(sides[-1])
        return node

    def joined(self, parts: tuple[Node, ...]) -> Node:
        """Matrices side by side."""
        match parts:
            case (Array(items), *_):
                parts = items
        return Function("beside", tuple(map(self.resolved, parts)))

    def note_root(self, name: str, arguments: tuple[Node, ...]) -> None:
        """Keeps the number that a root is taken of, which may be d_k."""
        if name == "sqrt" and len(arguments) == 1 and isinstance(arguments[0], Number):
            figure = arguments[0].cell.figure
            if figure and figure.is_whole and 1 < figure.value < 10_000:
                self.state.pool.width = int(figure.value)

    def meaning(self, text: str) -> Grid | None:
        """The matrix a name means: as printed, or as the step of that name."""
        found = self.state.pool.lookup(text)
        if found is not None:
            return found
        if (made := self.definition(text)) is not None:
            return made
        if text in WIDTHS:
            return self.width(text)
        kind = role(text)
        if kind in ("Q", "K", "V"):
            return self.state.steps.projection(kind)
        if kind in ("S", "scaled", "A"):
            return next((step for step in self.state.steps.all() if step.name == kind), None)
        return None


def called(node: Node | None) -> str:
    """The name of a side that is one: Q, or F(x)."""
    match node:
        case Name(text):
            return text
        case Function(name, arguments) if name.startswith("?"):
            inner = [a.text for a in arguments if isinstance(a, Name)]
            return f"{name[1:]}({', '.join(inner)})" if len(inner) == len(arguments) else ""
    return ""
