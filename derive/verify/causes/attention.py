"""Mistakes in projections, scores, masks and weights."""

from __future__ import annotations

from collections.abc import Iterator

from flint import arb

from derive.verify.causes.wrong import (
    NOUGHTS,
    OTHER_TRIANGLE,
    powers_of,
    ruled,
    softmax_of_base,
    strict_softmax,
)
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Binary, Function, Leaf, Node, Number
from derive.verify.known.pool import Pool

Change = tuple[str, tuple[str, ...], Node]
PRODUCTS = ("@", "", "·", "*")
MASKS = ("causal", "masked", "causal filled")
BASES = (2, 10)
ROLES = ("W_Q", "W_K", "W_V", "W_O", "K", "Q", "V", "H", "M")


def changed(node: Node) -> Iterator[Change]:
    """Each mistake in an operation of attention."""
    yield from _weights(node)
    yield from _products(node)
    yield from _quotients(node)


def _weights(node: Node) -> Iterator[Change]:
    match node:
        case Function("softmax", (x,)):
            yield from _softmax(x)
        case Function("softmax columns", (x,)):
            yield "softmax of rows", (), Function("softmax", (x,))
        case Function(name, (x, *_)) if name in MASKS:
            yield from _mask(x)
        case Function("exp", (x,)):
            for base in BASES:
                yield "other base", (str(base),), ruled(powers_of(base), x)
        case Function("exp less max", (x,)):
            yield "max forgotten", (), Function("exp", (x,))


def _products(node: Node) -> Iterator[Change]:
    match node:
        case Binary(sign, a, Function("T", (b,))) if sign in PRODUCTS:
            kind = "not transposed" if _is_keys(b) else "second not transposed"
            yield kind, (), Binary("@", a, b)
            yield "other way round", (), Binary("@", b, Function("T", (a,)))
        case Binary(sign, a, b) if sign in PRODUCTS and not (is_row(a) or is_row(b)):
            yield "weights transposed", (), Binary("@", a, Function("T", (b,)))
            yield "weights copied", (), b
            yield "first transposed", (), Binary("@", Function("T", (a,)), b)


def _quotients(node: Node) -> Iterator[Change]:
    match node:
        case Binary("/", x, Function("sqrt", (width,))) if _is_width(width):
            yield from _scale(x, width)
        case Binary("/", x, Leaf(divisor)) if divisor.shape == (1, 1):
            yield "temperature forgotten", (), x
            yield "multiplied by the temperature", (), Binary("*", x, Leaf(divisor))
        case Binary("/", x, Number()):
            yield "not divided", (), x


def _is_keys(node: Node) -> bool:
    """Whether a factor is the matrix of the keys, by its name."""
    return not isinstance(node, Leaf) or (node.grid.name or node.name)[:1] in ("K", "k", "")


def is_row(node: Node) -> bool:
    """Whether an operand is one row, which meets every row of a matrix."""
    return isinstance(node, Leaf) and node.grid.shape[0] == 1


def _is_width(node: Node) -> bool:
    """Whether a number is whole."""
    match node:
        case Leaf(grid) if grid.shape == (1, 1):
            cell = grid.rows[0][0]
        case Number(cell):
            pass
        case _:
            return False
    exact = cell.read("exact")
    return exact is not None and exact.unique_fmpz() is not None


def _softmax(x: Node) -> Iterator[Change]:
    yield "softmax of columns", (), Function("softmax columns", (x,))
    yield "not exponentiated", (), Function("shares", (x,))
    yield "not normalised", (), Function("exp", (x,))
    for base in BASES:
        yield "other base", (str(base),), ruled(softmax_of_base(base), x)
    free = _unmasked(x)
    if free is None:
        yield "mask not declared", (), Function("softmax", (Function("causal", (x,)),))
        yield "strict mask", (), ruled(strict_softmax, x)
    else:
        yield "strict mask", (), ruled(strict_softmax, free)
        yield "mask after softmax", (), Function("lower", (Function("softmax", (free,)),))


def _unmasked(x: Node) -> Node | None:
    """What is masked in an expression that is masked last."""
    match x:
        case Function(name, (free, *_)) if name in MASKS:
            return free
        case Leaf(grid) if grid.made is not None:
            return _unmasked(grid.made)
    return None


def _mask(x: Node) -> Iterator[Change]:
    yield "mask left out", (), x
    yield "other triangle", (), ruled(OTHER_TRIANGLE, x)
    yield "masked with 0", (), ruled(NOUGHTS, x)


def _scale(x: Node, width: Node) -> Iterator[Change]:
    yield "not scaled", (), x
    yield "scaled by the width", (), Binary("/", x, width)
    yield "multiplied by the scale", (), Binary("*", x, Function("sqrt", (width,)))


def other_factors(node: Node, pool: Pool) -> Iterator[Change]:
    """Multiplied by another matrix, or scaled by another width, of those that have a name."""
    match node:
        case Binary(sign, a, Leaf(b)) if sign in PRODUCTS:
            for name in ROLES:
                other = pool.of_role(name)
                if other is not None and other is not b:
                    yield _called(name, b), (name,), Binary("@", a, Leaf(other))
        case Binary(sign, a, Function("T", (Leaf(b),))) if sign in PRODUCTS:
            for name in ROLES:
                other = pool.of_role(name)
                if other is not None and other is not b:
                    turned = Function("T", (Leaf(other),))
                    yield "other factor", (name,), Binary("@", a, turned)
        case Binary("/", x, Function("sqrt", (_,))) if (H := pool.of_role("H")) is not None:
            width = H.shape[1]
            root = Function("sqrt", (Number(Cell(None, exact=arb(width))),))
            yield "scaled by the model", (str(width),), Binary("/", x, root)


def _called(name: str, factor: Grid) -> str:
    is_input = name in ("H", "M") and factor.name in ("V", "v")
    return "input in place of values" if is_input else "other factor"
