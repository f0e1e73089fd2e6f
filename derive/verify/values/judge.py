"""The verdict on a printed number: the first that holds, in the order of the table of verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from flint import arb

from derive.exact.enclosure import Enclosures
from derive.verify.grammar.figures import Figure, enclosed
from derive.verify.grammar.grids import Cell
from derive.verify.grammar.nodes import Leaf, Node, Number
from derive.verify.values.evaluate import value
from derive.verify.values.operations import Unknown

MOST_ROOTS = 40
"""So many wrong numbers are tried as the root of another."""


class Judge:
    """Judges the entries of one printed matrix made by an expression."""

    def __init__(self, made: Node, exact: Enclosures, ways: tuple[Node, ...] = ()) -> None:
        self.made, self.exact = made, exact
        self.ways = tuple(_Way(way) for way in (made, *ways))
        self.unit: arb | None = None  # the last place of the numbers around, where they have places

    def by(self, change: Callable[[Node], Node]) -> Judge:
        """The same, with each expression changed."""
        made = change(self.made)
        exact = value(made, "exact")
        exact = exact if exact.shape == self.exact.shape else exact.T
        return Judge(made, exact, tuple(change(way.made) for way in self.ways[1:]))

    def among(self, cells: Sequence[Sequence[Cell]]) -> Judge:
        """The same, of entries that stand together: a bare 0 among decimals is 0 exactly."""
        units = [c.figure.unit for r in cells for c in r if c.figure and not c.figure.is_whole]
        self.unit = enclosed(max(units)) if len(units) > 1 else None
        return self

    def is_nought(self, figure: Figure, exact: arb) -> bool:
        """Whether a bare 0 stands for what is none."""
        if self.unit is None or not figure.is_whole or figure.value:
            return False
        return bool(exact.is_finite() and abs(exact) > self.unit)

    def verdict(self, cell: Cell, i: int, j: int) -> tuple[str, str]:
        """The verdict on the entry (i, j), and the root of a consequence."""
        figure = cell.figure
        assert figure is not None
        exact = self.exact.rows[i][j]
        if exact.is_nan():
            cell.why = "not worked out"
            return "unchecked", ""
        if self.is_nought(figure, exact):
            return "wrong", ""
        self.loosen(cell, figure, i, j)
        if figure.is_rounded(exact):
            return "correct", ""
        for way in self.ways:
            if way.gives(figure, i, j, exact):
                root = self.root(way.made, i, j)
                return ("consequence", root) if root else ("propagated", "")
        if is_single(figure, exact, self.exact) or self.is_righted(figure, i, j):
            return "propagated", ""
        return ("truncated" if figure.is_cut(exact) else "wrong"), ""

    def is_righted(self, figure: Figure, i: int, j: int) -> bool:
        """Whether the printed operands give an entry, with the right digits for those wrong."""
        if not self.is_tainted:
            return False
        for way in self.ways:
            wrong = [c for c in dict.fromkeys(_sources(way.made)) if c.is_wrong][:MOST_ROOTS]
            right = {id(c): x for c in wrong if (x := _rounded(c)) is not None}
            found = _entry(way.made, "printed", i, j, right) if right else None
            if found is not None and figure.is_rounded(found):
                return True
        return False

    @cached_property
    def is_tainted(self) -> bool:
        """Whether something that the matrix is made from is wrong."""
        return any(cell.is_wrong for cell in _sources(self.made))

    def loosen(self, cell: Cell, figure: Figure, i: int, j: int) -> None:
        """Keeps what an entry may be, where that which it is made from is wrong, or rounded."""
        if figure.is_whole or not self.is_loose:
            return
        # Right by chance, perhaps: what goes on may be another number of the same digits.
        found = None if self.is_tainted else self.ways[0].entry("loose", i, j)
        if found is None or not found.rad() < figure.half:
            cell.is_rough = True
        else:
            cell.meant = found

    @cached_property
    def is_loose(self) -> bool:
        """Whether what the matrix is made from is not determined, as it is wrong or rounded."""
        return any(cell.is_wrong or cell.is_loose for cell in _sources(self.made))

    def holds(self, figure: Figure, i: int, j: int) -> bool:
        """Whether an entry is right, or as its printed operands give it."""
        exact = self.exact.rows[i][j]
        return figure.is_rounded(exact) or any(w.gives(figure, i, j, exact) for w in self.ways)

    def root(self, way: Node, i: int, j: int) -> str:
        """The wrong number that this entry is made from, by its quantity."""
        wrong = [c for c in dict.fromkeys(_sources(way)) if c.is_wrong][:MOST_ROOTS]
        if not wrong:
            return ""
        plain = _entry(way, "printed", i, j, {})
        for cell in wrong:
            right = cell.exact
            if right is None or plain is None:
                continue
            other = _entry(way, "printed", i, j, {id(cell): right})
            if other is not None and not other.overlaps(plain):
                return cell.root or cell.quantity or str(cell.figure and cell.figure.text)
        return ""


def _rounded(cell: Cell) -> arb | None:
    """What should stand in place of a number, to as many places; None where that is not known."""
    if cell.exact is None or cell.figure is None or not cell.exact.is_finite():
        return None
    unit = enclosed(cell.figure.unit)
    count = (cell.exact / unit + arb("0.5")).floor().unique_fmpz()
    return None if count is None else unit * count


def follows(way: Node, figure: Figure, i: int, j: int, exact: arb | None = None) -> bool:
    """Whether the printed operands give these digits, rounded or cut once."""
    return _Way(way).gives(figure, i, j, exact)


class _Way:
    """A way to the entries of a matrix, worked out once for all of them."""

    def __init__(self, made: Node) -> None:
        self.made = made
        self.known: dict[str, Enclosures | None] = {}

    def entry(self, mode: str, i: int, j: int) -> arb | None:
        if mode not in self.known:
            self.known[mode] = _value(self.made, mode, {})
        return _at(self.known[mode], i, j)

    def gives(self, figure: Figure, i: int, j: int, exact: arb | None) -> bool:
        """Whether the printed operands give these digits, rounded or cut once.

        Operands that are as exact as they are printed make no difference to a cut.
        """
        return any(_is_given(self.entry(m, i, j), figure, exact) for m in ("printed", "loose"))


def _is_given(found: arb | None, figure: Figure, exact: arb | None) -> bool:
    if found is None or (exact is not None and found.is_exact() and found == exact):
        return False
    if figure.is_rounded(found):
        return True
    is_same = exact is not None and (found - exact).contains(0) and found.rel_accuracy_bits() > 99
    return not is_same and figure.is_cut(found)


def _entry(way: Node, mode: str, i: int, j: int, swap: dict[int, arb]) -> arb | None:
    return _at(_value(way, mode, swap), i, j)


def _value(way: Node, mode: str, swap: dict[int, arb]) -> Enclosures | None:
    try:
        return value(way, mode, swap)
    except Unknown:
        return None


def _at(found: Enclosures | None, i: int, j: int) -> arb | None:
    if found is None or i >= found.shape[0] or j >= found.shape[1]:
        return None
    return found.rows[i][j]


def is_single(figure: Figure, exact: arb, around: Enclosures) -> bool:
    """Whether a long number differs by no more than single precision leaves."""
    if figure.weight < 7 or not exact.is_finite():
        return False
    largest = max((abs(x).upper() for row in around.rows for x in row if x.is_finite()), default=0)
    return bool(abs(exact - figure.ball) <= largest * arb("4e-7"))


def _sources(node: Node) -> Iterator[Cell]:
    """The printed numbers an expression is made from, through what is not printed; each once."""
    open_, seen = [node], set[int]()
    while open_:
        node = open_.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        match node:
            case Number(cell):
                yield cell.origin or cell
            case Leaf(grid) if id(grid) not in seen:
                seen.add(id(grid))
                yield from (cell.origin or cell for cell in grid.cells() if cell.figure)
                if grid.made is not None and not grid.is_printed:
                    open_.append(grid.made)
            case _:
                open_.extend(reversed(node.parts()))
