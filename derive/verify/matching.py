"""Which step of a derivation a printed matrix is: the one with which it agrees."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass

from flint import arb

from derive.verify.evaluate import value
from derive.verify.figures import Figure
from derive.verify.grids import Cell, Grid
from derive.verify.nodes import Leaf
from derive.verify.operations import Unknown

LEAST = 0.6
"""The part of a matrix without a name that agrees with a step, at the least."""
Place = tuple[int, int]
Rows = tuple[tuple[arb, ...], ...]
LIKELY = frozenset("Q K V S scaled masked exp Z A O product LN std".split())
"""Steps that an article may print without a name and in part wrong."""


@dataclass(frozen=True)
class Match:
    """A step, where in it each printed entry stands, and how many entries agree."""

    step: Grid
    places: tuple[tuple[Place, ...], ...]
    agreed: int
    rich: int  # agreeing entries of two significant digits and more
    whole: int  # agreeing whole numbers other than 0
    total: int
    is_named: bool = False
    is_sure: bool = True  # the step follows from what the article names
    is_other: bool = False  # the article gives it the name of another quantity

    @property
    def share(self) -> float:
        """The part of the entries that agree."""
        return self.agreed / self.total

    @property
    def is_whole(self) -> bool:
        """Whether every entry agrees."""
        return self.agreed == self.total

    @property
    def is_trusted(self) -> bool:
        """Whether the rest may be called wrong: by name, or as most of a rich matrix agrees."""
        is_begun = self.step.made is not None and any(c.figure for c in self.step.cells())
        if self.is_named:
            if not self.is_sure:
                return self.share >= 0.6
            least = 0.25 if self.total >= 6 else 0.5 if self.total >= 4 else 1
            return self.share >= least or (self.total < 6 and is_begun)
        if self.is_other:
            return self.is_whole and self.rich >= 3
        if self.is_whole:
            return self.total >= 3 or self.rich > 0
        if self.step.name not in LIKELY:
            return False
        return (self.share >= 0.75 and self.whole >= 5) or (
            self.share >= 0.6 and self.rich >= (2 if is_begun else 4)
        )


def matched(
    rows: list[list[Cell]],
    steps: Iterable[Grid],
    name: str,
    row: int | None = None,
    sure: Container[int] = (),
) -> Match | None:
    """The best match among the steps; `name` is the quantity that the article calls it."""
    best: Match | None = None
    total = max(1, sum(cell.figure is not None for row in rows for cell in row))
    least = LEAST * total
    for step in steps:
        is_named = bool(name) and step.name == name
        readings = _Readings(step)
        is_other, is_sure = bool(name) and not is_named, id(step) in sure
        for places in placements(rows, step, row if is_named else None):
            counts = _agreement(rows, readings, places, is_named, total)
            if counts[0] < least and not is_named:
                continue
            found = Match(step, places, *counts, total, is_named, is_sure, is_other)
            if found.is_trusted and (best is None or _rank(found) > _rank(best)):
                best = found
            if found.is_whole and found.is_trusted and (found.is_named or not name):
                return found
    return best


def _rank(match: Match) -> tuple[float, bool, int]:
    return (round(match.share, 3) + 0.3 * match.is_named, match.is_named, match.rich)


class _Readings:
    """The ways in which a step is read, each worked out once."""

    def __init__(self, step: Grid) -> None:
        self.step = step
        self.known: dict[str, Rows | None] = {}

    def rows(self, mode: str) -> Rows | None:
        if mode not in self.known:
            self.known[mode] = self.fresh(mode)
        return self.known[mode]

    def fresh(self, mode: str) -> Rows | None:
        made = self.step.made
        if mode != "exact" and made is None:
            return None
        node = made if mode != "exact" and made is not None else Leaf(self.step)
        try:
            return value(node, mode).rows
        except Unknown:
            return None


Counts = tuple[int, int, int]
"""How many entries agree, how many of these have decimals, and how many are whole and not 0."""


def _agreement(
    rows: list[list[Cell]],
    readings: _Readings,
    places: tuple[tuple[Place, ...], ...],
    deep: bool,
    total: int,
) -> Counts:
    """How many entries agree; `deep` also reads the operands as printed where few do."""
    most = total if deep else int(total * (1 - LEAST / 6))
    found = _count(rows, readings, places, "exact", most)
    if found[0] < total and (deep or found[0] * 10 >= total):
        for mode in ("printed", "loose"):
            found = max(found, _count(rows, readings, places, mode, most))
    return found


def _count(
    rows: list[list[Cell]],
    readings: _Readings,
    places: tuple[tuple[Place, ...], ...],
    mode: str,
    most: int,
) -> Counts:
    """The counts of one reading; given up after more than `most` entries do not agree."""
    known, exact = readings.rows(mode), readings.rows("exact")
    agreed = rich = whole = missed = 0
    if known is None or exact is None:
        return 0, 0, 0
    for row, targets in zip(rows, places, strict=True):
        for cell, (i, j) in zip(row, targets, strict=True):
            figure = cell.figure
            if figure is None:
                if cell.exact is not None and exact[i][j].is_finite():
                    return 0, 0, 0  # -oo is printed there
                continue
            if not _holds(figure, known[i][j], exact[i][j]):
                missed += 1
                if missed > most:
                    return agreed, rich, whole
                continue
            agreed += 1
            whole += figure.is_whole and figure.value != 0
            rich += not figure.is_whole and figure.weight >= 2
    return agreed, rich, whole


def _holds(figure: Figure, known: arb, exact: arb) -> bool:
    """Whether the digits agree; a whole number only with a whole number."""
    if figure.is_whole:
        return bool(exact.is_finite() and (exact - figure.ball).contains(0))
    return figure.is_rounded(known) or figure.is_cut(known) or figure.is_rounded(exact)


def placements(
    rows: list[list[Cell]], step: Grid, row: int | None
) -> Iterator[tuple[tuple[Place, ...], ...]]:
    """Whole, transposed, as a row, as a column, as the leading block."""
    r, c = len(rows), len(rows[0])
    R, C = step.shape
    if (r, c) == (R, C) and (row is None or R == 1):
        yield _block(r, c)
        if R == C > 1:
            yield _turned(r, c)
        return
    if (c, r) == (R, C) and C > 1 and R > 1:
        yield _turned(r, c)
    elif 1 < r <= R and 1 < c <= C:
        yield _block(r, c)
    yield from _lines(r, c, step.shape, row)


def _lines(
    r: int, c: int, shape: tuple[int, int], row: int | None
) -> Iterator[tuple[tuple[Place, ...], ...]]:
    """A list as one row, or as one column, of a step."""
    R, C = shape
    if r == 1 and c == C:
        for i in range(R) if row is None else range(row, min(row + 1, R)):
            yield (tuple((i, j) for j in range(c)),)
    if r == 1 and c == R > 1:
        for j in range(C):
            yield (tuple((i, j) for i in range(c)),)
    if c == 1 and r == C > 1:
        for i in range(R):
            yield tuple(((i, j),) for j in range(r))


def _block(r: int, c: int) -> tuple[tuple[Place, ...], ...]:
    return tuple(tuple((i, j) for j in range(c)) for i in range(r))


def _turned(r: int, c: int) -> tuple[tuple[Place, ...], ...]:
    return tuple(tuple((j, i) for j in range(c)) for i in range(r))


def written(grid: Grid, match: Match) -> None:
    """The step takes the digits printed for it."""
    if match.step.made is None:
        return
    for row, targets in zip(grid.rows, match.places, strict=True):
        for cell, (i, j) in zip(row, targets, strict=True):
            target = match.step.rows[i][j]
            if target.figure and cell.figure and target.figure.value == cell.figure.value:
                continue  # printed again: the first place keeps the finding
            target.figure, target.verdict = cell.figure, cell.verdict
            target.root, target.origin = cell.root, cell
    grid.name = grid.name or match.step.name
