"""Conditions in programs, entry by entry: x == 0, ~mask, and what is put where they hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flint import arb

from derive.exact.enclosure import Enclosures
from derive.verify.grammar.grids import matrix_of
from derive.verify.grammar.nodes import Function, Negative, Node

IS = "is "
"""x == y is Function("is ==", (x, y)), whose entries are 1 where it holds and 0 elsewhere."""
NOT = "is not"
SIGNS = ("==", "!=", "<=", ">=", "<", ">")
ENDLESS = frozenset("inf Inf infty Infty infinity Infinity INFINITY PINF".split())
"""The last part of a name of infinity: np.inf, math.inf."""


def is_condition(node: Node) -> bool:
    """Whether an expression says yes or no of every entry, or may do so."""
    return isinstance(node, Function) and node.name.startswith(IS)


def filled(inner: Node, condition: Node, value: Node) -> Node:
    """A matrix with a value where a condition holds."""
    return Function("put where", (inner, condition, value))


def endless(name: str) -> Node | None:
    """Infinity, where this is its name."""
    last = name.rpartition(".")[2]
    made = Function("infinity", ())
    return Negative(made) if last == "NINF" else made if last in ENDLESS else None


def _decided(found: arb, sign: str) -> bool:
    """Whether a difference proves a condition, or its contrary.  TypeError where it does not."""
    is_zero = found == 0
    if not is_zero and found.contains(0):
        raise TypeError
    match sign:
        case "==" | "!=":
            return is_zero == (sign == "==")
        case "<=" | ">=":
            return is_zero or (found < 0) == (sign == "<=")
    return not is_zero and (found < 0) == (sign == "<")


def _compared(sign: str) -> Callable[[Enclosures, Enclosures], Enclosures]:
    def made(x: Enclosures, y: Enclosures) -> Enclosures:
        rows = [
            [arb(_decided(a - _entry(y, x.shape, i, j), sign)) for j, a in enumerate(row)]
            for i, row in enumerate(x.rows)
        ]
        return matrix_of(rows)

    return made


def _entry(x: Enclosures, shape: tuple[int, int], i: int, j: int) -> arb:
    """The entry at a place of a shape to which one row, one column or one number spreads."""
    if any(mine not in (1, other) for mine, other in zip(x.shape, shape, strict=True)):
        raise TypeError
    return x.rows[i % x.shape[0]][j % x.shape[1]]


def put_where(x: Enclosures, test: Enclosures, value: Enclosures) -> Enclosures:
    """A matrix with the entries of another where a third is not 0; numbers and rows spread."""
    shape = (max(x.shape[0], test.shape[0]), max(x.shape[1], test.shape[1]))
    rows = []
    for i in range(shape[0]):
        holds = [_decided(_entry(test, shape, i, j), "!=") for j in range(shape[1])]
        rows.append([_entry(value if y else x, shape, i, j) for j, y in enumerate(holds)])
    return matrix_of(rows)


def _from_diagonal(x: Enclosures, offset: Enclosures, side: int) -> Enclosures:
    """The entries above a diagonal, itself included (side 1), or below it (-1); others 0."""
    place = offset.rows[0][0].unique_fmpz()
    if place is None:
        raise TypeError
    rows = [
        [y if (j - i - int(place)) * side >= 0 else arb(0) for j, y in enumerate(row)]
        for i, row in enumerate(x.rows)
    ]
    return matrix_of(rows)


CONDITIONS: Mapping[str, Callable[..., Enclosures]] = {
    **{IS + sign: _compared(sign) for sign in SIGNS},
    NOT: lambda x: x.map(lambda y: arb(_decided(y, "=="))),
    "put where": put_where,
    "upper from": lambda x, offset: _from_diagonal(x, offset, 1),
    "lower from": lambda x, offset: _from_diagonal(x, offset, -1),
    "infinity": lambda: matrix_of([[arb.pos_inf()]]),
}
