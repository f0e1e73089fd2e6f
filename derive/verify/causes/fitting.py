"""Whether values explain what is printed of a matrix."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flint import arb

from derive.errors import InputError
from derive.verify.grammar.figures import Figure
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Node
from derive.verify.values.evaluate import Reading, Swap
from derive.verify.values.operations import Unknown

Rows = tuple[tuple[arb, ...], ...]
FEW = 2
"""So many entries that differ prove that something else was worked out."""
WEIGHT = 3
"""So many significant digits have these at least; one number alone has as many."""
FAILS = (Unknown, InputError, ValueError, ArithmeticError, TypeError, IndexError)


class Afresh(Reading):
    """Every result is worked out again from the inputs, which may be changed."""

    def fresh(self, grid: Grid) -> object:  # type: ignore[override]
        """The value of a matrix."""
        return super().fresh(grid) if grid.made is None else self.of(grid.made)


def rows_of(node: Node, mode: str = "exact", swap: Swap | None = None) -> Rows | None:
    """The value of an expression, or None; with `swap` worked out from the inputs."""
    try:
        reading = Reading(mode, {}) if swap is None else Afresh(mode, swap)
        return reading.of(node).rows
    except FAILS:
        return None


@dataclass(frozen=True)
class Printed:
    """The printed entries of one matrix, or of one row of it, by their places."""

    entries: tuple[tuple[Cell, int, int], ...]
    shape: tuple[int, int]

    @classmethod
    def of(cls, grid: Grid) -> Printed:
        """All printed entries of a matrix."""
        found = (
            (cell, i, j)
            for i, row in enumerate(grid.rows)
            for j, cell in enumerate(row)
            if cell.figure is not None
        )
        return cls(tuple(found), grid.shape)

    def row(self, i: int) -> Printed:
        """The entries of one row."""
        return Printed(tuple(e for e in self.entries if e[1] == i), self.shape)

    def column(self, j: int) -> Printed:
        """The entries of one column."""
        return Printed(tuple(e for e in self.entries if e[2] == j), self.shape)

    def lines(self) -> Iterator[Printed]:
        """Row by row."""
        yield from (self.row(i) for i in sorted({i for _, i, _ in self.entries}))

    @property
    def wrong(self) -> tuple[tuple[Cell, int, int], ...]:
        """The entries that are wrong in themselves."""
        return tuple(e for e in self.entries if e[0].verdict == "wrong")

    def is_telling(self) -> bool:
        """Whether enough differs for a rule to be blamed."""
        weights = [c.figure.weight for c, _, _ in self.wrong if c.figure]
        if self.shape == (1, 1):
            return sum(weights) >= WEIGHT
        return len(weights) >= FEW and sum(weights) >= WEIGHT

    def explained(self, rows: Rows | None, *others: Rows | None) -> bool:
        """Whether every entry is a rounding of a value in one of these matrices."""
        known = [r for r in (rows, *others) if r is not None and self.has_shape(r)]
        return bool(known) and all(
            any(fits(cell.figure, r[i][j]) for r in known) for cell, i, j in self.entries
        )

    def has_shape(self, rows: Rows) -> bool:
        """Whether a value has the shape of the matrix."""
        return bool(rows) and (len(rows), len(rows[0])) == self.shape


def fits(figure: Figure | None, x: arb | None) -> bool:
    """Whether digits are a value, rounded or cut."""
    if figure is None or x is None:
        return False
    return figure.is_rounded(x) or figure.is_cut(x)
