"""Which step of a derivation a printed matrix is: the one with which it agrees."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, replace

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Binary, Function, Leaf
from derive.verify.known.agreement import (
    LEAST,
    Counts,
    Readings,
    agreement,
    is_near,
    is_tainted,
    rough,
)
from derive.verify.known.placements import Place, placements
from derive.verify.values.work import spend

HALF, THREE_QUARTERS, NEARLY = 0.5, 0.75, 0.85
FOUR = 4
"""Of so many entries 0 and 1 tell something too, where there is hardly another."""
MANY = 8
"""With so many entries some more may be wrong."""
ENOUGH = 8
"""So many agreeing digits are no chance."""
PROJECTIONS = frozenset("QKV")
SCORES = frozenset(("S", "scaled", "masked"))
"""What one name is used for again: S = S / 2 ** 0.5."""
CASUAL = frozenset(("difference", "sum", "product", "residual"))
"""Steps that may be met by chance: what is wrong spreads through them where all of it agrees."""
SHARES = frozenset(("A", "shares", "softmax"))
"""Shares of a whole, which seldom lie close to those of another."""
LIKELY = frozenset(
    "Q K V S scaled masked bias biased exp Z A O product LN std PE X MHA act hidden Q' K' cosines"
    " jacobian dlogits".split()
) | {"minus log"}
"""Steps that an article may print without a name and in part wrong."""


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
    is_next: bool = False  # the step is a function of what was printed last
    is_close: bool = False  # what does not agree is hardly off
    is_also: bool = False  # the name has another meaning first

    @property
    def share(self) -> float:
        """The part of the telling entries that agree."""
        telling = self.total - self.counts.plain
        if self.is_named and self.is_sure and telling <= 1 and self.total >= FOUR:
            return self.counts.agreed / self.total
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
    def is_turned(self) -> bool:
        """Whether rows stand for the columns of a square step."""
        return len(self.places) == len(self.places[0]) > 1 and self.places[0][1] == (1, 0)

    @property
    def is_trusted(self) -> bool:
        """Whether the rest may be called wrong: by name, or as most of a rich matrix agrees."""
        if self.counts.blanks > 1 or (self.is_turned and self.share < THREE_QUARTERS):
            return False
        if self.is_named and not self.is_soft:
            is_enough = not self.is_also or self.share >= THREE_QUARTERS
            return (is_enough and self.is_trusted_by_name) or self.is_mostly_next
        if self.is_other:
            return self.is_other_letter or (self.is_whole and self.counts.digits >= 6)
        if self.is_whole:
            return self.total >= 3 or self.rich > 0
        is_likely = self.step.made is not None and (self.is_named or self.step.name in LIKELY)
        is_most = self.counts.agreed >= LEAST * self.total and self.share >= HALF
        if self.is_label and self.is_sure and is_likely:
            return is_most or (self.share >= HALF - 0.1 and self.counts.digits >= 2 * ENOUGH)
        return is_likely and is_most and self.is_no_chance

    @property
    def is_other_letter(self) -> bool:
        """Whether hardly anything of a matrix is not the step, whatever its letter mostly means."""
        is_likely = self.step.made is not None and self.step.name in LIKELY
        return is_likely and self.share >= NEARLY and self.counts.digits >= 3 * ENOUGH

    @property
    def is_no_chance(self) -> bool:
        """Whether what agrees cannot do so by chance."""
        many = self.counts.agreed if self.is_next else self.counts.whole
        if self.share >= THREE_QUARTERS and many >= 5:
            return True
        if self.is_close and self.step.name in SHARES and self.rich >= 2:
            return self.counts.digits >= FOUR
        return self.rich >= 2 and self.counts.digits >= (
            ENOUGH - 2 if self.is_begun or self.is_next else ENOUGH
        )

    @property
    def is_mostly_next(self) -> bool:
        """Whether most of what has the name of a step follows from what was printed last."""
        return self.is_next and self.share >= LEAST and self.is_no_chance

    @property
    def is_begun(self) -> bool:
        """Whether part of the step is printed before."""
        return self.step.made is not None and any(c.figure for c in self.step.cells())

    def is_other_scores(self, name: str) -> bool:
        """Whether scores bear the name of the same scores before or after a further step."""
        is_scores = {self.step.name, name} <= SCORES
        return is_scores and self.is_whole and self.counts.digits >= ENOUGH

    @property
    def is_next_row(self) -> bool:
        """Whether this is a row of a projection, not printed yet, and those before are right."""
        rows, places = self.step.rows, self.places[0]
        at = places[0][0]
        if len(self.places) > 1 or not at or self.step.name not in PROJECTIONS:
            return False
        if any(i != at for i, _ in places) or any(cell.figure for cell in rows[at]):
            return False
        return any(cell.figure and not cell.is_wrong for row in rows[:at] for cell in row)

    @property
    def is_trusted_by_name(self) -> bool:
        """Whether enough agrees of what has the name of the step."""
        if not self.is_sure:
            least = LEAST if self.total >= MANY else THREE_QUARTERS
            return self.share >= least and (self.is_whole or self.counts.digits >= FOUR)
        telling = self.total - self.counts.plain
        digits = self.counts.digits
        some = 0.4 if digits >= 6 else HALF
        few = some if digits >= 3 else THREE_QUARTERS if telling >= 4 else 1
        least = 0.25 if telling >= 6 else few
        is_hardly_off = self.is_close and self.rich > 0 and 2 * self.counts.agreed >= self.total
        return self.share >= least or self.is_next_row or is_hardly_off


@dataclass(frozen=True)
class Asked:
    """What the article says of a matrix: the quantities that it may be, and its row."""

    names: tuple[str, ...] = ()
    row: int | None = None
    sure: Container[int] = ()  # steps from what the article names, by identity
    is_soft: bool = False  # the names are only words that stand near
    label: str = ""  # the one of them that stands right above
    tainted: bool = False  # what is made from wrong numbers may be far from the truth
    last: Grid | None = None  # what was printed last

    def is_of_last(self, step: Grid) -> bool:
        """Whether a step is a function of what was printed last."""
        match step.made:
            case Function(_, (Leaf(grid),)) | Binary("+", _, Leaf(grid)):
                return self._is_last(grid)
        return False

    def _is_last(self, grid: Grid) -> bool:
        """Whether the digits of a step are those that were printed last."""
        if grid is self.last:
            return True
        origin = next((cell.origin for cell in grid.cells() if cell.origin is not None), None)
        return any(cell is origin for cell in self.last.cells()) if self.last else False


def matched(
    rows: list[list[Cell]], steps: Iterable[Grid], asked: Asked | None = None
) -> Match | None:
    """The best match among the steps."""
    asked = asked or Asked()
    names, row, is_soft = asked.names, asked.row, asked.is_soft
    best: Match | None = None
    printed = [rough(row) for row in rows]
    total = max(1, sum(cell.figure is not None for row in rows for cell in row))
    least = LEAST * total
    has_own = False
    for step in steps:
        is_named = step.name in names
        is_casual = step.name in CASUAL and not is_named and is_tainted(step.made)
        readings = Readings(step)
        is_other, is_sure = bool(names) and not is_named and not is_soft, id(step) in asked.sure
        has_own |= is_named and is_sure and step.name == names[0]
        for places in placements(rows, step, row if is_named else None):
            spend(1)
            most = total - 1 if is_named else total - least
            may_stray = asked.tainted and is_tainted(step.made)
            if not may_stray and not is_near(printed, step, places, most):
                continue
            counts = agreement(rows, readings, places, is_named or may_stray, total)
            if counts.agreed < least and not is_named:
                continue
            if is_casual and (counts.agreed < total or counts.digits < ENOUGH):
                continue
            is_label = bool(asked.label) and step.name == asked.label
            found = Match(
                step, places, counts, total, is_named, is_sure, is_other, is_soft, is_label,
                asked.is_of_last(step), is_also=is_named and step.name != names[0],
            )  # fmt: skip
            if not found.is_whole and not found.is_trusted and is_near(printed, step, places, 0):
                found = replace(found, is_close=True)
            if found.is_trusted and (best is None or _rank(found) > _rank(best)):
                best = found
            if found.is_whole and found.is_trusted and (found.is_named or not (names or is_casual)):
                return found
    if best is not None and best.is_other and has_own:
        return best if best.is_other_scores(names[0]) else None
    return best


def _rank(match: Match) -> tuple[float, bool, int]:
    score = match.share + 0.3 * match.is_named - 0.1 * match.counts.noughts
    return (round(score, 3), match.is_named, match.rich)


def written(grid: Grid, match: Match) -> None:
    """The step takes the digits printed for it."""
    if match.step.made is None:
        return
    for row, targets in zip(grid.rows, match.places, strict=True):
        for cell, (i, j) in zip(row, targets, strict=True):
            target = match.step.rows[i][j]
            if target.figure and cell.figure and target.figure.value == cell.figure.value:
                continue  # printed again: the first place keeps the finding
            if target.start >= 0:
                continue  # a printed number itself, which keeps its own digits
            target.figure, target.verdict = cell.figure, cell.verdict
            target.root, target.origin, target.is_rough = cell.root, cell, cell.is_rough
    grid.name = grid.name or match.step.name
