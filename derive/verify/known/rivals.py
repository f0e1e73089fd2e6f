"""What else a result may have been worked out from: other sources of the same exact numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from flint import arb

from derive.exact.enclosure import Enclosures
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Binary, Function, Leaf, Negative, Node, Number
from derive.verify.values.evaluate import value
from derive.verify.values.operations import Unknown

CURVED = frozenset(
    (
        "exp",
        "log",
        "ln",
        "minus log",
        "sigmoid",
        "tanh",
        "silu",
        "gelu",
        "gelu tanh",
        "normal cdf",
        "softmax",
        "sqrt",
    )
)
"""Functions with which numbers do not agree by chance."""
ENTIRE = frozenset(("shares", "exp less max", "layernorm", "minus log", "log2", "plogp"))
"""Functions that are so besides, of a whole column."""
FEW, LIKELY = 3, 5
"""A column of so many entries, with so many agreeing digits, may have one wrong by such a one."""
MANY, CERTAIN = 4, 9
"""A column of so many entries may so by a sum, a difference, a product or a quotient."""


def is_telling(made: Node, count: int, digits: int) -> bool:
    """Whether a column agrees with what no head speaks of in so many digits by no chance."""
    match made:
        case Function(name):
            return name in CURVED | ENTIRE and count >= FEW and digits >= LIKELY
        case Binary() | Negative():
            return count >= MANY and digits >= CERTAIN
    return False


def least(made: Node, count: int, digits: int) -> float:
    """The part of a column that agrees with what no head speaks of, at the least."""
    return (count - 1) / count if is_telling(made, count, digits) else 1


def is_rounded(rows: Sequence[Sequence[Cell]], exact: Enclosures) -> bool:
    """Whether every printed number is the exact one, rounded."""
    cells, values = chain.from_iterable(rows), chain.from_iterable(exact.rows)
    pairs = zip(cells, values, strict=True)
    return all(c.figure is None or c.figure.is_rounded(x) for c, x in pairs)


def rivals(column: Grid, exact: Enclosures, sources: Iterable[Node]) -> Iterator[Node]:
    """The sources of the same exact numbers, where a column is not these, rounded."""
    if is_rounded(column.rows, exact):
        return
    for made in sources:
        found = _value(made)
        if found is not None and _is_same(found, exact):
            yield made


def by_value(made: Node, grids: Iterable[Grid]) -> Node | None:
    """An expression with the last printed matrices of the same exact value put in for its parts."""
    printed = [g for g in grids if g.shape != (1, 1) and g.is_printed and g.made is not None]
    found = _put(made, printed, is_whole=True) if printed else made
    return None if found is made else found


def _put(node: Node, printed: list[Grid], *, is_whole: bool = False) -> Node:
    """The same, of one part, which is put in whole where it was printed."""
    if isinstance(node, Number) or (isinstance(node, Leaf) and node.grid.is_printed):
        return node
    if not is_whole and (exact := _value(node)) is not None and exact.shape != (1, 1):
        for grid in (g for g in printed if g.shape == exact.shape):
            if _equal((cell.exact for cell in grid.cells()), exact):
                return Leaf(grid)
    match node:
        case Binary(sign, left, right):
            a, b = _put(left, printed), _put(right, printed)
            return node if a is left and b is right else Binary(sign, a, b)
        case Negative(inner):
            made = _put(inner, printed)
            return node if made is inner else Negative(made)
        case Function(name, arguments):
            parts = tuple(_put(a, printed) for a in arguments)
            same = all(a is b for a, b in zip(parts, arguments, strict=True))
            return node if same else Function(name, parts)
    return node


def _equal(values: Iterable[arb | None], exact: Enclosures) -> bool:
    pairs = zip(values, chain.from_iterable(exact.rows), strict=True)
    return all(x is not None and y.is_finite() and y.overlaps(x) for x, y in pairs)


def _is_same(found: Enclosures, exact: Enclosures) -> bool:
    return found.shape == exact.shape and _equal(chain.from_iterable(found.rows), exact)


def _value(made: Node) -> Enclosures | None:
    try:
        return value(made, "exact")
    except (Unknown, ValueError, ZeroDivisionError):
        return None
