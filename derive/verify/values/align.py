"""Two sides of a chain laid over each other: which printed number works out which expression."""

from __future__ import annotations

from collections.abc import Iterator

from derive.verify.grammar.nodes import (
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
    if literal(after) and not literal(before):
        yield after, before
        return
    first, second = terms(before), terms(after)
    if isinstance(after, Array):
        if isinstance(before, Array):
            yield from _pairwise(before.items, after.items)
        elif len(first) > 1:
            yield from _by_component(first, after)
    elif len(first) > 1:
        yield from _pairwise(tuple(first), tuple(second))
    else:
        yield from _inside(before, after)


def _pairwise(before: tuple[Node, ...], after: tuple[Node, ...]) -> Iterator[Pair]:
    if len(before) == len(after):
        for a, b in zip(before, after, strict=True):
            yield from aligned(a, b)


def _inside(before: Node, after: Node) -> Iterator[Pair]:
    """The parts of two expressions of one form."""
    match before, after:
        case Binary(sign), Binary(other) if sign != other or sign not in "*/·×":
            return
        case Function(name), Function(other) if name != other:
            return
        case (Binary(), Binary()) | (Function(), Function()) | (Negative(), Negative()):
            yield from _pairwise(before.parts(), after.parts())


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
