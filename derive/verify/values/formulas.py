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

_INDEXED = re.compile(r"(.+)_(?:\{?([a-z]),?([a-z])?\}?)")
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


def indices(name: str) -> str:
    """ij of S_ij, i of x_i, or ""."""
    found = _INDEXED.fullmatch(name)
    return found[2] + (found[3] or "") if found else ""


def entrywise(node: Node, target: str = "") -> Node | None:
    """What is written for each entry, over whole matrices; None where nothing bears an index.

    target: the indices of the entry; a sum over what two matrices share is their product.
    """
    if not any(map(stem, names(node))):
        return None
    try:
        return _over_vectors(node, target)
    except _NotWholeError:
        return None


class _NotWholeError(Exception):
    """A sum over entries that is no known work on whole matrices."""


def names(node: Node) -> list[str]:
    """The names in an expression."""
    return [part.text for part in node.inside() if isinstance(part, Name)]


def _over_vectors(node: Node, target: str) -> Node:
    match node:
        case Name(text, index):
            return _whole(Name(stem(text) or text, index), indices(text), target)
        case Function("sum over", (inner,)):
            return _total(inner, target)
        case Binary(sign, left, right) if sign in _PRODUCTS:
            return Binary("*", _over_vectors(left, target), _over_vectors(right, target))
    return rebuilt(node, lambda part: _over_vectors(part, target))


def _whole(bare: Name, index: str, target: str) -> Node:
    """What bears an index: turned where its two are the other way round, upright beside rows."""
    if _is_reversed(index, target):
        return _turned(bare)
    is_of_rows = len(set(target)) == 2 and index == target[0]
    return Function("upright", (bare,)) if is_of_rows else bare


def _total(inner: Node, target: str) -> Node:
    """A sum over an index: over vectors, over the rows or columns of a matrix, or a product."""
    both = {found for name in names(inner) if len(found := indices(name)) > 1}
    if not both:
        return Function("sum over", (_over_vectors(inner, target),))
    if len(_matrices(factors(inner))) > 1 and len(both) > 1:
        return _product(factors(inner), target)
    pair, *others = both
    kept = [place for place in (0, 1) if pair[place] in target]
    if others or len(kept) > 1:
        raise _NotWholeError
    function = "column sums" if kept == [1] else "sum"
    return Function(function, (_over_vectors(inner, pair),))


def factors(node: Node) -> list[Node]:
    """The factors of a product."""
    match node:
        case Binary(sign, left, right) if sign in (*_PRODUCTS, "*"):
            return factors(left) + factors(right)
    return [node]


def _matrices(parts: list[Node]) -> list[Name]:
    """The factors that bear two indices."""
    return [x for x in parts if isinstance(x, Name) and len(indices(x.text)) > 1]


def _product(parts: list[Node], target: str) -> Node:
    """The sum over k of A_ik B_kj, as A B, of the two factors that bear an index."""
    if len(parts) != 2 or len(names_of := _matrices(parts)) != 2:
        raise _NotWholeError
    (a, c), (b, d) = ((Name(stem(x.text)), indices(x.text)) for x in names_of)
    shared = set(c) & set(d)
    if len(shared) != 1 or shared & set(target) or len(set(c)) + len(set(d)) != 4:
        raise _NotWholeError
    left = a if c[1] in shared else _turned(a)
    right = b if d[0] in shared else _turned(b)
    free = "".join(x for x in c + d if x not in shared)
    made = Binary("@", left, right)
    return _turned(made) if _is_reversed(free, target) else made


def _turned(node: Node) -> Node:
    return Function("T", (node,))


def _is_reversed(free: str, target: str) -> bool:
    return len(set(free)) == 2 and free[::-1] == target


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
