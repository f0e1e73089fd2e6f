"""Where in the steps a result stands that was worked out in the article itself."""

from __future__ import annotations

from collections.abc import Iterator

from flint import arb

from derive.exact.enclosure import Enclosures
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Binary, Function, Leaf, Node, Number
from derive.verify.known.agreement import Counts
from derive.verify.known.matching import Match, written
from derive.verify.known.rivals import by_value
from derive.verify.known.state import State
from derive.verify.values.evaluate import value

CLOSE = 1e-9
"""Exact values that are equal are no further apart as floats, beside their size."""
PLACES = frozenset(("Q", "K", "V", "S", "scaled", "masked", "exp", "Z", "A", "O", "K^T", "product"))
"""The steps whose entries a number that was worked out may be."""
ENTRIES = PLACES - {"masked", "K^T"} | {"mean", "var", "std"}
"""Those that one number by itself may be: what is masked or turned is no other number."""

MANY = 200
"""The sum is one of so many numbers before."""


class Places:
    """Finds results among the steps."""

    def __init__(self, state: State) -> None:
        """Over what is known."""
        self.state = state

    def place_in_step(self, grid: Grid, exact: Enclosures) -> None:
        """A result with the values of a step is that step."""
        if grid.shape == (1, 1):
            self.entry_of_step(grid.rows[0][0])
            return
        for step in self.state.steps.all():
            if step.made is None or step.shape != grid.shape or step.name not in PLACES:
                continue
            known = value(Leaf(step), "exact")
            pairs = zip(exact.rows, known.rows, strict=True)
            if all(x.overlaps(y) for r, s in pairs for x, y in zip(r, s, strict=True)):
                rows, columns = step.shape
                places = tuple(tuple((i, j) for j in range(columns)) for i in range(rows))
                for row, targets in zip(grid.rows, step.rows, strict=True):
                    for cell, target in zip(row, targets, strict=True):
                        cell.quantity = target.quantity
                written(grid, Match(step, places, Counts(), 1, True))
                return

    def entry_of_step(self, cell: Cell) -> None:
        """A number worked out is the next entry of a step with its value."""
        first, aimed = None, self.state.aimed
        if aimed is not None and _is_equal(aimed, cell):
            cell.quantity = aimed.quantity
            if aimed.figure is None:
                _take(aimed, cell)
            return
        for step in self.state.steps.all():
            if step.made is None or step.name not in ENTRIES or not _may_hold(step, cell):
                continue
            if step.name == "Z" and cell.figure and cell.figure.is_whole:
                continue  # a whole number is hardly a sum of powers
            for target in step.cells():
                if not _is_equal(target, cell):
                    continue
                first = first or target
                if target.figure is None:
                    cell.quantity = target.quantity
                    _shared(step, cell)
                    return
        if first is not None:
            cell.quantity = first.quantity

    def proportional(self, exact: Enclosures) -> Iterator[Node]:
        """A value as a multiple of another printed matrix."""
        if exact.shape == (1, 1):
            return
        for other in self.state.steps.latest():
            if other.shape != exact.shape or not other.is_printed:
                continue
            ratio = _ratio(exact, value(Leaf(other), "exact"))
            if ratio is not None:
                printed = Grid(other.rows, other.name)
                yield Binary("*", Number(Cell(None, exact=ratio)), Leaf(printed))

    def by_sum(self, made: Node) -> Iterator[Node]:
        """Weights as exponentials over the sum that was printed last, and as these were printed."""
        match made:
            case Function("softmax", (x,)):
                for way in ("exp less max", "exp"):
                    powers = Function(way, (x,))
                    total = Cell(None, exact=_only(value(Function("sum", (powers,)), "exact")))
                    found = (c for c in reversed(self.state.claims[-MANY:]) if c.figure)
                    cell = next((c for c in found if _is_equal(total, c)), None)
                    if cell is not None:
                        shares = Binary("/", powers, Number(cell))
                        yield shares
                        yield by_value(shares, self.state.pool.recent()) or shares


def _only(found: Enclosures) -> arb | None:
    return found.rows[0][0] if found.shape == (1, 1) else None


def _may_hold(step: Grid, cell: Cell) -> bool:
    """Whether an entry of the step is as near to a number as floats can tell."""
    if cell.exact is None:
        return False
    x, reach = float(cell.exact.mid()), float(cell.exact.rad())
    reach += CLOSE * (1 + abs(x))
    return any(y == x or abs(y - x) <= reach for row in step.near for y in row)


def _shared(step: Grid, cell: Cell) -> None:
    """Every entry of a step with the value of a printed number takes its digits."""
    for target in step.cells():
        if target.figure is None and _is_equal(target, cell):
            _take(target, cell)


def _take(target: Cell, cell: Cell) -> None:
    target.figure, target.verdict, target.origin = cell.figure, cell.verdict, cell
    target.root = cell.root


def _is_equal(target: Cell, cell: Cell) -> bool:
    if target.exact is None or cell.exact is None or not target.exact.is_finite():
        return False
    return bool(target.exact.overlaps(cell.exact))


def _ratio(exact: Enclosures, base: Enclosures) -> arb | None:
    """The number by which one matrix is a multiple of another, or None."""
    ratio = None
    for r, s in zip(exact.rows, base.rows, strict=True):
        for x, y in zip(r, s, strict=True):
            if y.contains(0) or not y.is_finite():
                if not x.contains(0):
                    return None
            elif ratio is None:
                ratio = x / y
            elif not (x - ratio * y).contains(0):
                return None
    return ratio
