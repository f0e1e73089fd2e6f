"""An expression by the other conventions that it may follow, of those that are left open."""

from __future__ import annotations

from collections.abc import Iterator

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Binary, Function, Leaf, Name, Node, takes, variants
from derive.verify.known.state import State
from derive.verify.known.steps.made import whole
from derive.verify.values.evaluate import has_value, value

MOST = 8
"""A matrix is multiplied with itself no more often."""
OTHER = 77
"""No article turns by this base."""


def others(state: State, source: Node) -> Iterator[Node]:
    """The expression with one function by another convention; normalisations and rotations."""
    yield from _open(state, source)
    yield from _normalised(state, source)
    yield from _rotated(state, source)
    yield from _multiplied(source)
    if is_turned(source):
        for base in state.steps.turns():
            for layout in ("interleaved", "halves"):
                yield _turned(source, f"rotary {layout}", whole(base))


def is_turned(node: Node) -> bool:
    """Whether pairs are turned somewhere in an expression."""
    is_own = isinstance(node, Function) and node.name.startswith("rotary")
    return is_own or any(map(is_turned, node.parts()))


def is_settled(state: State, cells: list[list[Cell]], source: Node) -> bool:
    """Whether a printed number agrees with a rotation, and would not by another base.

    Pairs of the first frequency, and all where the article says the base, are alike by any.
    """
    exact = value(source, "exact")
    other = value(_turned(source, None, whole(OTHER)), "exact") if not state.pool.base else exact
    if exact.shape != (len(cells), len(cells[0])):
        exact, other = exact.T, other.T
    if exact.shape != (len(cells), len(cells[0])):
        return False
    found = [
        (c.figure is not None and c.figure.is_rounded(x), bool(x.overlaps(y)))
        for row, xs, ys in zip(cells, exact.rows, other.rows, strict=True)
        for c, x, y in zip(row, xs, ys, strict=True)
    ]
    is_free = all(is_alike for _, is_alike in found)
    return any(agrees and (is_free or not is_alike) for agrees, is_alike in found)


def _turned(node: Node, layout: str | None, base: Node) -> Node:
    """The same with all rotations in one layout, or each in its own, by one base."""
    match node:
        case Function(name, (x, _, position)) if name.startswith("rotary"):
            return Function(layout or name, (_turned(x, layout, base), base, position))
        case Function(name, arguments):
            return Function(name, tuple(_turned(a, layout, base) for a in arguments))
        case Binary(sign, left, right):
            return Binary(sign, _turned(left, layout, base), _turned(right, layout, base))
    return node


def _open(state: State, source: Node) -> Iterator[Node]:
    """An expression by other conventions, of those that the article leaves open."""
    for other in variants(source):
        is_in_degrees = takes(other, "sin degrees") or takes(other, "cos degrees")
        is_all = state.pool.is_population or state.is_numpy
        is_of_sample = is_all and any(takes(other, f"{kind}sample") for kind in ("", "layernorm "))
        if not (is_of_sample or (is_in_degrees and state.pool.is_in_radians)):
            yield other


def _normalised(state: State, source: Node) -> Iterator[Node]:
    """A normalisation in each of its conventions, with the gamma and beta of the article."""
    match source:
        case Function("layernorm" | "rmsnorm" as kind, (inner,)):
            grid = inner.grid if isinstance(inner, Leaf) else _worked(state, inner)
            for step in state.steps.norms(grid, kind) if grid is not None else ():
                if step is not None and step.made is not None:
                    yield step.made


def _multiplied(source: Node) -> Iterator[Node]:
    """A power of a square matrix as a product with itself, or its inverse, not entry by entry."""
    match source:
        case Binary("^", base, power) if has_value(base) and has_value(power):
            rows, columns = value(base, "exact").shape
            count = _count(power)
            if rows == columns > 1 and count == -1:
                yield Function("inverse", (base,))
            elif rows == columns > 1 and 1 < count <= MOST:
                made = base
                for _ in range(count - 1):
                    made = Binary("@", made, base)
                yield made


def _count(power: Node) -> int:
    exact = value(power, "exact")
    found = exact.rows[0][0].unique_fmpz() if exact.shape == (1, 1) else None
    return 0 if found is None or abs(found) > MOST else int(found)


def _rotated(state: State, source: Node) -> Iterator[Node]:
    """RoPE(Q) in each of its conventions."""
    match source:
        case Function("?RoPE" | "?rope" | "?Rope" | "?apply_rope" | "?rotate", (Name(name), *_)):
            grid = state.pool.lookup(name)
            for step in state.steps.rotations(grid) if grid is not None else ():
                if step is not None and step.made is not None:
                    yield step.made


def _worked(state: State, node: Node) -> Grid | None:
    """The matrix of an expression, as a step."""
    return state.steps.step("sum", node, "worked", id(node))
