"""Expressions with one mistake in them: at the top, or in what they are made from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from derive.verify.causes import angles, arithmetic, attention, layers, listed
from derive.verify.grammar.nodes import (
    Array,
    Binary,
    Chain,
    Component,
    Function,
    Leaf,
    Negative,
    Node,
    Ruled,
)
from derive.verify.known.pool import Pool

DEEP = 8
"""So many steps back a mistake is looked for, where the steps between are not printed."""
PRINTED = 2
"""So many printed steps back."""
MOST_ITEMS = 64
"""In so many entries of a list a mistake is made."""
WHOLE = ("rounded too early", ("0",))
Change = tuple[str, tuple[str, ...], Node]
SOURCES = (attention.changed, layers.changed, angles.changed, arithmetic.changed)


@dataclass(frozen=True)
class Changes:
    """The mistakes that can be made in the expressions of an article."""

    pool: Pool

    def of(self, node: Node) -> Iterator[Change]:
        """The expression with one mistake, those of its last step first.

        Operands rounded to whole numbers are the last: another mistake is likelier.
        """
        last: list[Change] = []
        for change in self.inside(node, DEEP, PRINTED):
            if change[:2] == WHOLE:
                last.append(change)
            else:
                yield change
        yield from last

    def here(self, node: Node) -> Iterator[Change]:
        """A mistake in this very operation."""
        for source in SOURCES:
            yield from source(node)
        yield from attention.other_factors(node, self.pool)
        yield from listed.changed(node)

    def inside(self, node: Node, deep: int, printed: int) -> Iterator[Change]:
        """A mistake here, or so many steps back, so many of them printed."""
        yield from self.here(node)
        if deep == 0:
            return
        if isinstance(node, Leaf):
            made, is_printed = node.grid.made, node.grid.is_printed
            if made is not None and (printed or not is_printed):
                yield from self.inside(made, deep - 1, printed - is_printed)
            return
        if isinstance(node, Array):
            yield from self.throughout(node, deep, printed)
        for place, part in enumerate(node.parts()):
            for kind, values, other in self.inside(part, deep - 1, printed):
                made_of = replaced(node, place, other)
                if made_of is not None:
                    yield kind, values, made_of

    def throughout(self, node: Array, deep: int, printed: int) -> Iterator[Change]:
        """The same mistake in every entry of a list where it can be made."""
        found = [
            {(kind, values): other for kind, values, other in self.inside(part, deep - 1, printed)}
            for part in node.items[:MOST_ITEMS]
        ]
        for key in dict.fromkeys(key for changes in found for key in changes):
            items = (c.get(key, part) for c, part in zip(found, node.items, strict=False))
            made = Array((*items, *node.items[MOST_ITEMS:]), node.maker)
            yield *key, made


def replaced(node: Node, place: int, part: Node) -> Node | None:
    """An expression with one of its parts changed."""
    parts = [*node.parts()]
    parts[place] = part
    match node:
        case Binary(sign):
            return Binary(sign, parts[0], parts[1])
        case Negative():
            return Negative(part)
        case Function(name):
            return Function(name, tuple(parts))
        case Ruled(op):
            return Ruled(op, tuple(parts))
        case Array(_, maker):
            return Array(tuple(parts), maker)
        case Component(_, at):
            return Component(part, at)
        case Chain() if place == len(parts) - 1:
            return part
    return None
