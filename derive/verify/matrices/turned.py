"""Steps by what was printed on the way: rotations by sines, what is normalised by a spread."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from derive.verify.causes.angles import Angles, angles_of
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Array, Binary, Function, Leaf, Node, Number, rebuilt
from derive.verify.known.pool import Pool
from derive.verify.speech.roles import role
from derive.verify.values.evaluate import value
from derive.verify.values.operations import Unknown

TURNED = frozenset(("Q'", "K'"))
"""Queries and keys, turned by their positions."""
MANY = 200
"""So many of the last numbers are looked through."""


def turned(steps: Iterable[Grid], claims: Sequence[Cell]) -> Iterator[Grid]:
    """Steps, those of rotations with the sines and cosines of which they are made in print."""
    for step in steps:
        if step.name in TURNED and step.made is not None:
            step.rounded = next(by_printed(step.made, claims), None)
        yield step


def by_spread(made: Node, pool: Pool) -> Iterator[Node]:
    """What is normalised, by the last variance that has a name, or one each, where it is wrong."""
    match made:
        case Function(name, (Leaf(x), *_)) if name.startswith("layernorm") and x.shape[0] > 1:
            for kind in ("std", "var"):
                column = pool.of_role(kind)
                if column is not None and column.shape == (x.shape[0], 1) and column.has_wrong:
                    by = Function("sqrt", (Leaf(column),)) if kind == "var" else Leaf(column)
                    yield Binary("/", Function("less mean", (Leaf(x),)), by)
            return
        case Function(name, (Leaf(x), *_)) if name.startswith("layernorm") and x.shape[0] == 1:
            centred: Node = Function("less mean", (Leaf(x),))
        case Binary("/", Leaf(grid), _) if grid.shape[0] == 1 and _is_centred(grid):
            centred = Leaf(grid)
        case _:
            return
    for name, spread in list(pool.named.items())[::-1]:
        if spread.shape == (1, 1) and spread.has_wrong and role(name) in ("var", "std"):
            root = Function("sqrt", (Leaf(spread),)) if role(name) == "var" else Leaf(spread)
            yield Binary("/", centred, root)


def _is_centred(grid: Grid) -> bool:
    match grid.made:
        case Function("less mean") | Binary("-", _, Leaf(Grid(made=Function("mean")))):
            return True
    return grid.name == "diff"


def by_printed(made: Node, claims: Sequence[Cell]) -> Iterator[Node]:
    """The same rotation with each cosine and sine as it was printed, where one of them was."""
    match made:
        case Function(name, (Leaf(x), base, first)) if name.startswith("rotary"):
            if x.shape[0] > 1 or x.shape[1] % 2:
                return
            angles = angles_of(name, base, first)
            entries: list[Node] = [Number(cell) for cell in x.rows[0]]
            known = [c for c in claims[-MANY:] if c.verdict == "correct" and c.exact is not None]
            for i in range(len(entries) // 2):
                a, b = angles.places(i, len(entries))
                entries[a], entries[b] = _pair(angles, i, entries, known)
            yield Array((Array(tuple(entries)),))
        case Array():
            known = [c for c in claims[-MANY:] if c.verdict == "correct" and c.exact is not None]
            put = _put(made, known)
            if put != made:
                yield put


def by_wrong(made: Node, claims: Sequence[Cell]) -> Iterator[Node]:
    """A step with the wrong numbers that were printed, one by one, for parts that were not."""
    wrong = [c for c in claims[-MANY:] if c.verdict == "wrong" and c.exact is not None]
    put = rebuilt(made, lambda part: _spoilt(part, wrong)) if wrong else made
    if put is not made:
        yield put


def _spoilt(part: Node, wrong: list[Cell]) -> Node:
    match part:
        case Leaf(grid) if grid.made is not None and not any(c.figure for c in grid.cells()):
            rows = [[_printed(cell, wrong) for cell in row] for row in grid.rows]
            same = all(a is b for a, b in zip(grid.cells(), Grid(rows).cells(), strict=True))
            return part if same else Leaf(Grid(rows, grid.name))
    return part


def _put(made: Node, known: list[Cell]) -> Node:
    """An expression with each cosine and sine as it was printed."""
    match made:
        case Function("cos" | "sin"):
            try:
                ((exact,),) = value(made, "exact").rows
            except (Unknown, ValueError):
                return made
            cell = Cell(None, exact=exact)
            found = _printed(cell, known)
            return made if found is cell else Number(found)
    return rebuilt(made, lambda part: _put(part, known))


def _pair(angles: Angles, i: int, entries: list[Node], known: list[Cell]) -> tuple[Node, Node]:
    """Both entries of a pair that is turned."""
    width = len(entries)
    a, b = angles.places(i, width)
    angle = angles.angle(angles.start, i, width)
    c, s = (Number(_printed(Cell(None, exact=x), known)) for x in (angle.cos(), angle.sin()))
    x, y = entries[a], entries[b]
    return (
        Binary("-", Binary("*", x, c), Binary("*", y, s)),
        Binary("+", Binary("*", x, s), Binary("*", y, c)),
    )


def _printed(cell: Cell, known: list[Cell]) -> Cell:
    """The number of this value that was printed last, else the number itself."""
    same = (c for c in reversed(known) if c.exact is not None and _is_same(c, cell))
    return next(same, cell)


def _is_same(a: Cell, b: Cell) -> bool:
    if a.exact is None or b.exact is None or not a.figure or a.figure.is_whole:
        return False
    return bool(a.exact.overlaps(b.exact))
