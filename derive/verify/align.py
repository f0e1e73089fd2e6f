"""Two sides of a chain laid over each other: which printed number is which expression worked out."""

from __future__ import annotations

from collections.abc import Iterator

from derive.verify.nodes import (
    Array,
    Binary,
    Chain,
    Component,
    Function,
    Name,
    Negative,
    Node,
    Number,
    literal,
)

Pair = tuple[Node, Node]


def terms(node: Node) -> list[Node]:
    """The terms of a sum."""
    if isinstance(node, Binary) and node.sign == "+":
        return [*terms(node.left), *terms(node.right)]
    return [node]


def aligned(before: Node, after: Node) -> Iterator[Pair]:
    """Pairs of a printed part of the later side and the part of the earlier side it works out."""
    if isinstance(before, Name) or isinstance(after, Name):
        return
    if isinstance(before, Chain):
        before = before.sides[-1]
    rows = literal(after)
    if rows and not literal(before):
        yield after, before
        return
    if isinstance(after, Array) and isinstance(before, Array):
        if len(after.items) == len(before.items):
            for a, b in zip(before.items, after.items, strict=True):
                yield from aligned(a, b)
        return
    first, second = terms(before), terms(after)
    if isinstance(after, Array) and len(first) > 1:
        yield from _by_component(first, after)
        return
    if len(first) == len(second) > 1:
        for a, b in zip(first, second, strict=True):
            yield from aligned(a, b)
    elif isinstance(before, Binary) and isinstance(after, Binary):
        if before.sign == after.sign and before.sign in "*/·×":
            yield from aligned(before.left, after.left)
            yield from aligned(before.right, after.right)
    elif isinstance(before, Function) and isinstance(after, Function):
        if before.name == after.name and len(before.arguments) == len(after.arguments):
            for a, b in zip(before.arguments, after.arguments, strict=True):
                yield from aligned(a, b)
    elif isinstance(before, Negative) and isinstance(after, Negative):
        yield from aligned(before.inner, after.inner)


def _by_component(vectors: list[Node], after: Array) -> Iterator[Pair]:
    """A sum of vectors written out entry by entry."""
    for place, item in enumerate(after.items):
        parts = terms(item)
        if len(parts) == len(vectors):
            for vector, part in zip(vectors, parts, strict=True):
                if literal(part):
                    yield part, Component(vector, place)


def numbers(node: Node) -> list[Number]:
    """The plain numbers of an expression."""
    if isinstance(node, Number):
        return [node]
    return [n for part in node.parts() for n in numbers(part)]
