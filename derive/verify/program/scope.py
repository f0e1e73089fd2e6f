"""What a program has defined where a line of it is read: its language, functions, variables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from derive.verify.grammar.nodes import Array, Binary, Function, Name, Negative, Node

LARGEST = 2000
"""What a function stands for is no longer, in signs."""
SEVERAL = "?several"
"""Several results at once, as of return a, b."""


@dataclass(frozen=True)
class Routine:
    """A function: its parameters, with their values where left out, and its results."""

    parameters: tuple[str, ...]
    defaults: Mapping[str, Node]
    result: Node
    inner: Mapping[str, Node] = field(default_factory=dict)  # what is assigned inside

    def of(self, plain: list[Node], named: Mapping[str, Node | None]) -> Node | None:
        """The result for these arguments; None where they do not fit."""
        meant = dict(self.defaults)
        meant |= dict(zip(self.parameters, plain, strict=False))
        meant |= {name: value for name, value in named.items() if value is not None}
        if len(plain) > len(self.parameters) or set(self.parameters) - set(meant):
            return None
        made = put(self.result, meant)
        return made if size(made, LARGEST) < LARGEST else None


@dataclass
class Scope:
    """What is defined so far."""

    language: str = ""
    is_program: bool = False  # whether a program came before
    functions: dict[str, Routine] = field(default_factory=dict)
    variables: set[str] = field(default_factory=set)

    @property
    def first(self) -> int:
        """The number of the first entry."""
        return int(self.language in ("r", "julia", "matlab"))


def put(node: Node, meant: Mapping[str, Node]) -> Node:
    """An expression with names replaced by what they mean."""
    match node:
        case Name(text):
            return meant.get(text, node)
        case Binary(sign, left, right):
            return Binary(sign, put(left, meant), put(right, meant))
        case Negative(inner):
            return Negative(put(inner, meant))
        case Function(name, arguments):
            return Function(name, tuple(put(a, meant) for a in arguments))
        case Array(items, maker):
            return Array(tuple(put(item, meant) for item in items), maker)
    return node


def size(node: Node, most: int) -> int:
    """How many parts an expression has; at least `most` where these are too many to count."""
    count, waiting = 0, [node]
    while waiting and count < most:
        count += 1
        waiting.extend(waiting.pop().parts())
    return count


def functions_in(node: Node) -> set[str]:
    """The functions in an expression."""
    own = {node.name} if isinstance(node, Function) else set()
    return own.union(*map(functions_in, node.parts()))
