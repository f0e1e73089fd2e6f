"""Names in expressions replaced by the matrices that they mean."""

from __future__ import annotations

from derive.verify.grids import Grid
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


class Meanings:
    """What the names of an article mean at the place that is read."""

    def __init__(self, state: State) -> None:
        """Over what is known."""
        self.state = state

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
            case Function(name, arguments):
                self.note_root(name, arguments)
                return Function(name, tuple(map(self.resolved, arguments)))
            case Array(items):
                return Array(tuple(map(self.resolved, items)))
            case Chain(sides):
                return self.resolved(sides[-1])
        return node

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
        kind = role(text)
        if kind in ("Q", "K", "V"):
            return self.state.steps.projection(kind)
        if kind in ("S", "scaled", "A", "O"):
            return next((step for step in self.state.steps.all() if step.name == kind), None)
        return None
