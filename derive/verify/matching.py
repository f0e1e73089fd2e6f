"""Which step of a derivation a printed matrix is: the one with which it agrees."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, replace

from flint import arb

from derive.verify.evaluate import value
from derive.verify.figures import Figure
from derive.verify.grids import Cell, Grid
from derive.verify.nodes import Leaf, Node
from derive.verify.operations import Unknown

LEAST = 0.6
"""The part of a matrix without a name that agrees with a step, at the least."""
HALF = 0.5
ENOUGH = 8
"""So many agreeing digits are no chance."""
APART, CLOSE = 3.0, 0.02
"""In units of the last place, and in relation: numbers further apart never agree."""
Place = tuple[int, int]
Rows = tuple[tuple[arb, ...], ...]
PROJECTIONS = frozenset("QKV")
LIKELY = frozenset("Q K V S scaled masked exp Z A O product LN std PE X MHA act hidden Q' K'".split())
"""Steps that an article may print without a name and in part wrong."""


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


@dataclass(frozen=True)
class Match:
    """A step, where in it each printed entry stands, and how well they agree."""

    step: Grid
    places: tuple[tuple[Place, ...], ...]
    counts: Counts
    total: int
    is_named: bool = False
    is_sure: bool = True  # the step follows from what the article names
    is_other: bool = False  # the article gives it the name of another quantity
    is_soft: bool = False  # the name is only a word that stands near
    is_label: bool = False  # the word stands right above

    @property
    def share(self) -> float:
        """The part of the telling entries that agree."""
        telling = self.total - self.counts.plain
        return (self.counts.agreed - self.counts.plain) / telling if telling else 1.0

    @property
    def rich(self) -> int:
        """Agreeing entries of two significant digits and more."""
        return self.counts.rich

    @property
    def is_whole(self) -> bool:
        """Whether every entry agrees."""
        return self.counts.agreed == self.total

    @property
    def is_trusted(self) -> bool:
        """Whether the rest may be called wrong: by name, or as most of a rich matrix agrees."""
        if self.counts.blanks > 1:
            return False
        if self.is_named and not self.is_soft:
            return self.is_trusted_by_name
        if self.is_other:
            return self.is_whole and self.counts.digits >= 6
        if self.is_whole:
            return self.total >= 3 or self.rich > 0
        is_likely = self.step.made is not None and (self.is_named or self.step.name in LIKELY)
        is_most = self.counts.agreed >= LEAST * self.total and self.share >= HALF
        if self.is_label and self.is_sure and is_likely:
            return is_most or (self.share >= HALF - 0.1 and self.counts.digits >= 2 * ENOUGH)
        return is_likely and is_most and self.is_no_chance

    @property
    def is_no_chance(self) -> bool:
        """Whether what agrees cannot do so by chance."""
        if self.share >= 0.75 and self.counts.whole >= 5:
            return True
        return self.rich >= 2 and self.counts.digits >= (ENOUGH - 2 if self.is_begun else ENOUGH)

    @property
    def is_begun(self) -> bool:
        """Whether part of the step is printed before."""
        return self.step.made is not None and any(c.figure for c in self.step.cells())

    @property
    def is_next_row(self) -> bool:
        """Whether this is one row of a projection of which rows before are right."""
        rows = self.step.rows
        is_row = len(self.places) == 1 and len(rows) > 1 and self.step.name in PROJECTIONS
        return is_row and any(c.figure and not c.is_wrong for c in rows[0])

    @property
    def is_trusted_by_name(self) -> bool:
        """Whether enough agrees of what has the name of the step."""
        if not self.is_sure:
            return self.share >= LEAST
        telling = self.total - self.counts.plain
        few = 0.5 if self.counts.digits >= 3 else 1
        least = 0.25 if telling >= 6 else 0.5 if telling >= 4 else few
        return self.share >= least or self.is_next_row


@dataclass(frozen=True)
class Asked:
    """What the article says of a matrix: the quantities that it may be, and its row."""

    names: tuple[str, ...] = ()
    row: int | None = None
    sure: Container[int] = ()  # steps from what the article names, by identity
    is_soft: bool = False  # the names are only words that stand near
    label: str = ""  # the one of them that stands right above
    tainted: bool = False  # what is made from wrong numbers may be far from the truth


def matched(
    rows: list[list[Cell]], steps: Iterable[Grid], asked: Asked | None = None
) -> Match | None:
    """The best match among the steps."""
    asked = asked or Asked()
    names, row, is_soft = asked.names, asked.row, asked.is_soft
    best: Match | None = None
    printed = [_rough(row) for row in rows]
    total = max(1, sum(cell.figure is not None for row in rows for cell in row))
    least = LEAST * total
    has_own = False
    for step in steps:
        is_named = step.name in names
        readings = _Readings(step)
        is_other, is_sure = bool(names) and not is_named and not is_soft, id(step) in asked.sure
        has_own |= is_named and is_sure and step.name == names[0]
        for places in placements(rows, step, row if is_named else None):
            most = total - 1 if is_named else total - least
            is_near = _is_near(printed, step, places, most)
            if not is_near and not (asked.tainted and _is_tainted(step.made)):
                continue
            counts = _agreement(rows, readings, places, is_named, total)
            if counts.agreed < least and not is_named:
                continue
            is_label = bool(asked.label) and step.name == asked.label
            found = Match(
                step, places, counts, total, is_named, is_sure, is_other, is_soft, is_label
            )
            if found.is_trusted and (best is None or _rank(found) > _rank(best)):
                best = found
            if found.is_whole and found.is_trusted and (found.is_named or not names):
                return found
    return None if best is not None and best.is_other and has_own else best


def _rough(row: list[Cell]) -> list[tuple[float, float]]:
    """Each printed number as a float, and how far from it what agrees may be."""
    made = []
    for cell in row:
        if cell.figure is None:
            made.append((math.nan, 0.0))
        else:
            x, unit = float(cell.figure.value), float(cell.figure.unit)
            made.append((x, APART * unit + CLOSE * abs(x)))
    return made


def _is_near(
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


def _is_tainted(made: Node | None, deep: int = 2) -> bool:
    """Whether an expression is made from numbers that are printed wrong, and may be far off."""
    match made:
        case None:
            return False
        case Leaf(grid):
            if grid.has_wrong:
                return True
            return deep > 0 and not grid.is_printed and _is_tainted(grid.made, deep - 1)
    return any(_is_tainted(part, deep) for part in made.parts())


def _rank(match: Match) -> tuple[float, bool, int]:
    score = match.share + 0.3 * match.is_named - 0.1 * match.counts.noughts
    return (round(score, 3), match.is_named, match.rich)


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
    if found.agreed < total and (deep or found.agreed * 10 >= total):
        for mode in ("printed", "loose"):
            other = _count(rows, readings, places, mode, most)
            found = max(found, other, key=lambda counts: counts.order)
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
    agreed: list[Figure] = []
    plain = missed = noughts = digits = blanks = 0
    has_places = any(c.figure and not c.figure.is_whole for row in rows for c in row)
    if known is None or exact is None:
        return Counts()
    for row, targets in zip(rows, places, strict=True):
        for cell, (i, j) in zip(row, targets, strict=True):
            figure = cell.figure
            if figure is None:
                if cell.exact is not None and exact[i][j].is_finite():
                    return Counts()  # -oo is printed there
                continue
            if not _holds(figure, known[i][j], exact[i][j]):
                missed += 1
                noughts += not figure.value or exact[i][j] == 0
                blanks += has_places and figure.is_whole and not figure.value
                if missed > most:
                    return replace(_counted(agreed, digits, plain, noughts), blanks=blanks)
                continue
            agreed.append(figure)
            digits += 1 if known[i][j] == figure.ball else figure.weight * (figure.weight > 1)
            plain += not figure.value or (figure.value == 1 and not figure.is_whole)
    return replace(_counted(agreed, digits, plain, noughts), blanks=blanks)


def _counted(agreed: list[Figure], digits: int, plain: int, noughts: int) -> Counts:
    telling = [figure for figure in agreed if not figure.is_whole and figure.weight >= 2]
    whole = sum(figure.is_whole and figure.value != 0 for figure in agreed)
    return Counts(len(agreed), len(telling), whole, digits, plain, noughts)


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
            target.root, target.origin, target.is_rough = cell.root, cell, cell.is_rough
    grid.name = grid.name or match.step.name
