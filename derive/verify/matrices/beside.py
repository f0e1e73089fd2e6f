"""What is meant by names side by side: concat W_O as a product, [c; s] as one list."""

from __future__ import annotations

import re

from derive.verify.grammar.nodes import Array, Binary, Function, Name, Node, literal
from derive.verify.known.state import State
from derive.verify.matrices.names import Meanings
from derive.verify.values.evaluate import has_value, value
from derive.verify.values.held import is_held
from derive.verify.values.operations import Unknown

Sides = tuple[Node, ...]


def together(names: Meanings, sides: Sides) -> Sides:
    """The sides of a chain, [c; s] in the first as one list where what is printed is so long."""
    printed = literal(sides[1]) if len(sides) > 1 else None
    match sides[0]:
        case Array(items) if printed and len(printed) == 1 and len(items) > 1:
            parts = [names.resolved(item) for item in items]
            shapes = [value(part, "exact").shape for part in parts if has_value(part)]
            widths = [columns for rows, columns in shapes if rows == 1]
            if len(widths) == len(parts) and sum(widths) == len(printed[0]) > len(parts):
                return (Function("?concat", items), *sides[1:])
    return sides


def multiplied(state: State, names: Meanings, sides: Sides) -> Sides:
    """The sides of a chain, the first times the word before it where that gives what is printed.

    What the word was said to be the same as, MultiHead = concat W_O, is then the product.

    A word that stands there may also only tell what the name is of; so the product has to have the
    shape of what is printed, which the matrix of the name has not, or half of its numbers.
    """
    equated = [Name(text) for text in state.equated]
    label, name = equated[-1] if equated else state.label, sides[0]
    printed = literal(sides[1]) if len(sides) > 1 else None
    if label is None or not isinstance(name, Name) or not printed:
        return sides
    word, own = _last(label), names.meaning(name.text)
    if word is None or own is None or word.text not in state.pool.named:
        return sides
    if not re.search(rf"(?<!\w){re.escape(word.text)}(?:[}}$ ~]|\\[,;:!]){{1,5}}$", state.words):
        return sides
    made = _times(label, name)
    source = names.resolved(made)
    try:
        exact = value(source, "exact")
    except (Unknown, ValueError):
        return sides
    shape = (len(printed), len(printed[0]))
    if exact.shape != shape or (own.shape == shape and not is_held(printed, source, exact)):
        return sides
    return (*equated[:-1][:1], made, *sides[1:])


def _last(label: Node) -> Name | None:
    """The word at the end of a sum, or a word by itself."""
    match label:
        case Name():
            return label
        case Binary("+" | "-", _, Name() as word):
            return word
    return None


def _times(label: Node, name: Name) -> Node:
    match label:
        case Binary(sign, left, right):
            return Binary(sign, left, Binary("", right, name))
    return Binary("", label, name)
