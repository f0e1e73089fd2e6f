"""Sizes of matrices in programs: what their shape is parted into, and what is shaped anew.

What has three axes is held as the rows along its last one, so only the last size tells.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import arb

from derive.exact.enclosure import Enclosures
from derive.verify.grammar.grids import matrix_of
from derive.verify.grammar.nodes import Array, Function, Name, Node
from derive.verify.program.places import number, whole

RESHAPE = frozenset(("reshape", "view"))
PLANE = 2
"""A matrix has so many axes."""


def parted(shape: Node, count: int) -> list[Node]:
    """B, S, E = x.shape: the sizes that are known of so many."""
    match shape:
        case Function("?size", (inner,)) if count > 1:
            rows = Function("count of rows", (inner,)) if count == PLANE else Name("")
            unknown: list[Node] = [Name("")] * (count - PLANE)
            return [*unknown, rows, Function("count of columns", (inner,))]
    return [shape]


def reshaped(inner: Node, sizes: Sequence[Node]) -> Node | None:
    """x.reshape(2, 3): its entries in rows of another length; of three axes only the same one."""
    match sizes:
        case [Array(items)] | [Function("?several", items)]:
            sizes = items
    if not sizes:
        return None
    last = whole(sizes[-1])
    if len(sizes) > PLANE:
        return Function("of width", (inner, sizes[-1])) if last != -1 else None
    if last == -1:
        return Function("in so many rows", (inner, sizes[0] if len(sizes) > 1 else number(1)))
    return Function("in rows of", (inner, sizes[-1]))


def of_width(x: Enclosures, width: Enclosures) -> Enclosures:
    """x, where its rows have this length.  TypeError where they have another."""
    if _count(width) != x.shape[1]:
        raise TypeError
    return x


def in_rows_of(x: Enclosures, width: Enclosures) -> Enclosures:
    """The entries of x, row by row, in rows of this length.  TypeError where they fill none."""
    return _cut(x, _count(width))


def in_so_many_rows(x: Enclosures, rows: Enclosures) -> Enclosures:
    """The same in so many rows."""
    return _cut(x, x.shape[0] * x.shape[1] // max(_count(rows), 1))


def _cut(x: Enclosures, width: int) -> Enclosures:
    entries = [y for row in x.rows for y in row]
    if width < 1 or len(entries) % width:
        raise TypeError
    return matrix_of([entries[k : k + width] for k in range(0, len(entries), width)])


def quotient(x: Enclosures, y: Enclosures) -> Enclosures:
    """x // y, entry by entry.  TypeError where it is not certain."""
    if y.shape != (1, 1):
        raise TypeError
    return x.map(lambda entry: _floor(entry / y.rows[0][0]))


def remainder(x: Enclosures, y: Enclosures) -> Enclosures:
    """x % y, entry by entry, with the sign of y."""
    if y.shape != (1, 1):
        raise TypeError
    (divisor,) = y.rows[0]
    return x.map(lambda entry: entry - divisor * _floor(entry / divisor))


def _floor(x: arb) -> arb:
    found = x.floor().unique_fmpz() if x.is_finite() else None
    if found is None:
        raise TypeError
    return arb(found)


def _count(x: Enclosures) -> int:
    found = x.rows[0][0].unique_fmpz() if x.shape == (1, 1) else None
    if found is None:
        raise TypeError
    return int(found)


SIZES = {
    "of width": of_width,
    "in rows of": in_rows_of,
    "in so many rows": in_so_many_rows,
    "quotient": quotient,
    "remainder": remainder,
}
"""The operations, by their names."""
