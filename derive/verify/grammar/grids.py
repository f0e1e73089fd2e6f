"""Printed numbers in rows and columns, and the three ways in which they are read."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from flint import arb

from derive.exact.enclosure import Enclosures
from derive.verify.grammar.figures import Figure

if TYPE_CHECKING:
    from derive.verify.grammar.nodes import Node

ERRORS = ("wrong", "consequence")


@dataclass(eq=False, slots=True)
class Cell:
    """One number: as printed, where, what it is exactly, and the verdict on it."""

    figure: Figure | None = None
    start: int = -1
    exact: arb | None = None
    verdict: str = ""
    quantity: str = ""
    own: str = ""  # the author's name of the matrix, where that is another
    root: str = ""
    cause: tuple[str, tuple[str, ...]] | None = None
    why: str = ""
    is_share: bool = False  # whether a word behind it says per cent
    scales: tuple[int, ...] = ()  # by what it may have been divided, for the unit behind it
    is_rough: bool = False  # stands for the interval of its digits
    meant: arb | None = None  # all that it may be, where that is not one value
    origin: Cell | None = field(default=None, repr=False)
    made: Node | None = field(default=None, repr=False)  # what it is an entry of, and at which
    at: tuple[int, int] = (0, 0)

    @property
    def is_wrong(self) -> bool:
        """Wrong, or made from what is wrong."""
        return self.verdict in ERRORS

    @property
    def is_loose(self) -> bool:
        """Whether it stands for an interval."""
        return self.is_rough or self.meant is not None

    def read(self, mode: str) -> arb | None:
        """Its value: "exact", "printed" (the digits) or "loose" (their interval, where due)."""
        figure = self.figure
        if mode == "exact" or figure is None:
            return self.exact if self.exact is not None or figure is None else figure.ball
        if mode == "printed":
            return figure.ball
        if self.is_wrong or self.is_rough:
            return figure.ball if figure.unit == 1 else figure.around
        meant = self.origin.meant if self.meant is None and self.origin else self.meant
        if meant is not None:
            return meant
        return self.exact if self.exact is not None else figure.ball


@dataclass(eq=False)
class Grid:
    """A matrix of cells; `made` is the expression it comes from, where there is one."""

    rows: list[list[Cell]]
    name: str = ""
    made: Node | None = None
    _exact: Enclosures | None = field(default=None, repr=False)
    rounded: Node | None = field(default=None, repr=False)  # `made` by a printed root

    def __post_init__(self) -> None:
        """The shape: (rows, columns)."""
        self.shape = (len(self.rows), len(self.rows[0]) if self.rows else 0)

    def cells(self) -> Iterator[Cell]:
        """All cells, row by row."""
        for row in self.rows:
            yield from row

    @property
    def is_printed(self) -> bool:
        """Whether every entry stands in the article."""
        for row in self.rows:
            for cell in row:
                if cell.figure is None:
                    return False
        return True

    @property
    def has_wrong(self) -> bool:
        """Whether something in it is printed wrong."""
        return any(cell.verdict in ERRORS for row in self.rows for cell in row)

    @cached_property
    def near(self) -> list[list[float]]:
        """The exact entries as floats, to tell apart at once what is far from each other."""
        return [[_float(cell) for cell in row] for row in self.rows]

    def row(self, index: int) -> Grid:
        """One row, counted from 0, of the same cells."""
        return Grid([self.rows[index]], self.name)

    def texts(self) -> list[list[str]]:
        """The printed strings."""
        return [[c.figure.text if c.figure else "" for c in row] for row in self.rows]


def _float(cell: Cell) -> float:
    return math.nan if cell.exact is None else float(cell.exact.mid())


def matrix_of(rows: Sequence[Sequence[Any]]) -> Enclosures:
    """Balls as a matrix."""
    return Enclosures.made(rows)
