"""Formulas that an article defines: functions of letters, and sums over an index."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping

from derive.verify.grammar.nodes import (
    Binary,
    Chain,
    Function,
    Name,
    Node,
    Number,
    rebuilt,
)

_INDEXED = re.compile(r"(.+)_(?:\{?[a-z](?:,?[a-z])?\}?)")
_PRODUCTS = ("", "·", "×")
MOST = 6
"""A function takes so many arguments at most."""

Definition = tuple[tuple[str, ...], Node]


def definition(sides: tuple[Node, ...]) -> tuple[str, Definition] | None:
    """f(x) = ..., as the name of the function, its letters and what it stands for."""
    match sides:
        case (Function(name, arguments), made, *_) if name.startswith("?"):
            letters = tuple(a.text for a in arguments if isinstance(a, Name))
            if len(letters) == len(arguments) <= MOST and not isinstance(made, Name):
                return name, (letters, made)
    return None


def applied(found: Definition, arguments: tuple[Node, ...]) -> Node | None:
    """The body of a function with its letters replaced by the arguments."""
    letters, body = found
    if len(letters) != len(arguments):
        return None
    return replaced(body, dict(zip(letters, arguments, strict=True)))


def replaced(node: Node, meant: Mapping[str, Node]) -> Node:
    """An expression with letters replaced; x_i is an entry of x."""
    match node:
        case Name(text):
            bare = stem(text)
            if text in meant:
                return meant[text]
            other = meant.get(bare) if bare else None
            if isinstance(other, Name):
                return Name(text.replace(bare, other.text, 1))
            return node
        case Chain(sides):
            return replaced(sides[-1], meant)
    return rebuilt(node, lambda part: replaced(part, meant))


def stem(name: str) -> str:
    """x of x_i, or ""."""
    found = _INDEXED.fullmatch(name)
    return found[1] if found else ""


def entrywise(node: Node) -> Node | None:
    """What stands in a sum over an index, over whole vectors; None where nothing bears an index."""
    if not any(map(stem, names(node))):
        return None
    return _over_vectors(node)


def names(node: Node) -> list[str]:
    """The names in an expression."""
    if isinstance(node, Name):
        return [node.text]
    return [name for part in node.parts() for name in names(part)]


def _over_vectors(node: Node) -> Node:
    match node:
        case Name(text, index):
            return Name(stem(text) or text, index)
        case Binary(sign, left, right) if sign in _PRODUCTS:
            return Binary("*", _over_vectors(left), _over_vectors(right))
    return rebuilt(node, _over_vectors)


def is_unknown_call(made: Node, known: Container[str]) -> bool:
    """A call such as variance(x) says less than the formula that came before it."""
    return isinstance(made, Function) and made.name.startswith("?") and made.name not in known


def called(node: Node | None, is_list: bool = False) -> str:
    """The name of a side that is one: Q, or F(x); of lists also PE(0)."""
    match node:
        case Function(name, (Number(cell),)) if is_list and name.startswith("?"):
            text = cell.figure.text if cell.figure is not None else ""
            return f"{name[1:]}({text})" if text.isdecimal() else ""
        case Name(text):
            return text
        case Function(name, arguments) if name[:1] == "?" and arguments:
            inner = [a.text for a in arguments if isinstance(a, Name)]
            return f"{name[1:]}({', '.join(inner)})" if len(inner) == len(arguments) else ""
    return ""
