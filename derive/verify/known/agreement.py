"""How well a printed matrix and a step agree: read exactly, as printed, or by its intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass

from flint import arb

from derive.verify.grammar.figures import Figure
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Function, Leaf, Node
from derive.verify.known.placements import Place
from derive.verify.values.evaluate import value
from derive.verify.values.operations import Unknown

LEAST = 0.6
"""The part of a matrix without a name that agrees with a step, at the least."""
APART, CLOSE = 3.0, 0.02
"""In units of the last place, and in relation: numbers further apart never agree."""
Rows = tuple[tuple[arb, ...], ...]


@dataclass(frozen=True)
class Counts:
    """How many entries agree, and how telling they are."""

    agreed: int = 0
    rich: int = 0  # agreeing entries of two significant digits and more
    whole: int = 0  # agreeing whole numbers other than 0
    digits: int = 0  # their significant digits
    plain: int = 0  # agreeing entries that tell nothing: 0, and 1 where nothing else can be
    noughts: int = 0  # entries printed as 0 that are not
    blanks: int = 0  # of them, those printed as a bare 0 among decimals

    @property
    def order(self) -> tuple[int, int, int]:
        """What makes one reading better than another."""
        return self.agreed, self.rich, self.whole


def rough(row: list[Cell]) -> list[tuple[float, float]]:
    """Each printed number as a float, and how far from it what agrees may be."""
    made = []
    for cell in row:
        if cell.figure is None:
            made.append((math.nan, 0.0))
        else:
            x = cell.figure.near
            made.append((x, APART * cell.figure.step + CLOSE * abs(x)))
    return made


def is_near(
    printed: list[list[tuple[float, float]]],
    step: Grid,
    places: tuple[tuple[Place, ...], ...],
    most: float,
) -> bool:
    """Whether no more than so many entries are far from those of the step."""
    missed, near = 0, step.near
    for row, targets in zip(printed, places, strict=True):
        for (x, reach), (i, j) in zip(row, targets, strict=True):
            if abs(x - near[i][j]) > reach:
                missed += 1
                if missed > most:
                    return False
    return True


def is_tainted(made: Node | None, deep: int = 2) -> bool:
    """Whether an expression is made from numbers that are printed wrong, and may be far off."""
    match made:
        case None:
            return False
        case Leaf(grid):
            if grid.has_wrong:
                return True
            return deep > 0 and not grid.is_printed and is_tainted(grid.made, deep - 1)
    return any(is_tainted(part, deep) for part in made.parts())


class Readings:
    """The ways in which a step is read, each worked out once."""

    def __init__(self, step: Grid) -> None:
        """None read yet."""
        self.step = step
        self.known: dict[str, Rows | None] = {}

    def rows(self, mode: str) -> Rows | None:
        """The entries, read in one way; None where it has no value so."""
        if mode not in self.known:
            self.known[mode] = self.fresh(mode)
        return self.known[mode]

    def fresh(self, mode: str) -> Rows | None:
        """The same, worked out."""
        made = self.step.made
        if mode != "exact" and made is None:
            return None
        node = made if mode != "exact" and made is not None else Leaf(self.step)
        if mode == "rounded":
            if self.step.rounded is None:
                return None
            node, mode = self.step.rounded, "printed"
        try:
            return value(node, mode).rows
        except Unknown:
            return None


def agreement(
    rows: list[list[Cell]],
    readings: Readings,
    places: tuple[tuple[Place, ...], ...],
    deep: bool,
    total: int,
) -> Counts:
    """How many entries agree; `deep` also reads the operands as printed where few do."""
    most = total if deep else int(total * (1 - LEAST / 6))
    found = _count(rows, readings, places, "exact", most)
    if found.agreed < total and (deep or found.agreed * 10 >= total):
        for mode in ("printed", "loose", "rounded"):
            other = _count(rows, readings, places, mode, most)
            found = max(found, other, key=lambda counts: counts.order)
    return found


def _count(
    rows: list[list[Cell]],
    readings: Readings,
    places: tuple[tuple[Place, ...], ...],
    mode: str,
    most: int,
) -> Counts:
    """The counts of one reading; given up after more than `most` entries do not agree."""
    known, exact = readings.rows(mode), readings.rows("exact")
    agreed: list[Figure] = []
    plain = missed = noughts = digits = blanks = 0
    halves = [c.figure.half for row in rows for c in row if c.figure and not c.figure.is_whole]
    if known is None or exact is None:
        return Counts()
    for row, targets in zip(rows, places, strict=True):
        for cell, (i, j) in zip(row, targets, strict=True):
            figure = cell.figure
            if figure is None:
                if cell.exact is not None and exact[i][j].is_finite():
                    return Counts()  # -oo is printed there
                continue
            is_bare = bool(halves) and figure.is_whole and not figure.value
            if not _holds(figure, known[i][j], exact[i][j], max(halves) if is_bare else None):
                missed += 1
                noughts += not figure.value or exact[i][j] == 0
                blanks += is_bare
                if missed > most:
                    return _counted(agreed, digits, plain, noughts, blanks)
                continue
            agreed.append(figure)
            digits += 1 if known[i][j] == figure.ball else figure.weight * (figure.weight > 1)
            plain += not figure.value or (figure.value == 1 and not figure.is_whole)
    return _counted(agreed, digits, plain, noughts, blanks)


def _counted(agreed: list[Figure], digits: int, plain: int, noughts: int, blanks: int) -> Counts:
    telling = [figure for figure in agreed if not figure.is_whole and figure.weight >= 2]
    whole = sum(figure.is_whole and figure.value != 0 for figure in agreed)
    return Counts(len(agreed), len(telling), whole, digits, plain, noughts, blanks)


def _holds(figure: Figure, known: arb, exact: arb, half: arb | None) -> bool:
    """Whether the digits agree; a whole number only with a whole number.

    half: half a unit of the decimals around a bare 0, to which less is rounded.
    """
    if half is not None:
        return bool(exact.is_finite() and abs(exact) < half)
    if figure.is_whole:
        return bool(exact.is_finite() and (exact - figure.ball).contains(0))
    return figure.is_rounded(known) or figure.is_cut(known) or figure.is_rounded(exact)


def is_same(known: Grid, grid: Grid) -> bool:
    """Whether two matrices of a shape hold the same numbers."""
    return all(
        a.figure and b.figure and a.figure.value == b.figure.value
        for a, b in zip(known.cells(), grid.cells(), strict=True)
    )


def is_itself(made: Node | None, grid: Grid) -> bool:
    """Whether a step is a function of the very numbers that it gives, as ReLU of positive ones."""
    match made:
        case None:
            return True
        case Function(_, (Leaf(known),)):
            return known.shape == grid.shape and is_same(known, grid)
    return False
