"""Which step of a derivation a printed matrix is: the one with which it agrees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from derive.verify.evaluate import Unknown, value
from derive.verify.grids import Cell, Grid
from derive.verify.nodes import Leaf

Place = tuple[int, int]


@dataclass(frozen=True)
class Match:
    """A step, where in it each printed entry stands, and how many entries agree."""

    step: Grid
    places: tuple[tuple[Place, ...], ...]
    agreed: int
    rich: int  # agreeing entries of two significant digits and more
    total: int
    is_named: bool
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
        """Whether the rest may be called wrong: by name, or because most of a rich matrix agrees."""
        is_begun = self.step.made is not None and any(c.figure for c in self.step.cells())
        if self.is_named:
            least = 0.25 if self.total >= 6 else 0.5 if self.total >= 4 else 1
            return self.share >= least or (self.total < 6 and is_begun)
        if self.is_other:
            return self.is_whole and self.rich >= 3
        if self.is_whole:
            return self.total >= 3 or self.rich > 0
        return self.share >= 0.6 and self.rich >= (2 if is_begun else 4)


def matched(
    rows: list[list[Cell]], steps: Iterable[Grid], name: str, row: int | None = None
) -> Match | None:
    """The best match among the steps; `name` is the quantity that the article calls it."""
    best: Match | None = None
    for step in steps:
        is_named = bool(name) and step.name == name
        for places in placements(rows, step, row if is_named else None):
            found = _agreement(rows, step, places, is_named, bool(name) and not is_named)
            if found.is_trusted and (best is None or _rank(found) > _rank(best)):
                best = found
            if found.is_whole and found.is_trusted and (found.is_named or not name):
                return found
    return best


def _rank(match: Match) -> tuple[float, bool, int]:
    return (round(match.share, 3) + 0.3 * match.is_named, match.is_named, match.rich)


def _agreement(
    rows: list[list[Cell]],
    step: Grid,
    places: tuple[tuple[Place, ...], ...],
    is_named: bool,
    is_other: bool,
) -> Match:
    agreed, rich = _count(rows, step, places, "exact")
    total = sum(cell.figure is not None for row in rows for cell in row)
    if agreed < total and step.made is not None and (is_named or agreed * 10 >= total):
        agreed, rich = max((agreed, rich), _count(rows, step, places, "printed"))
    return Match(step, places, agreed, rich, max(total, 1), is_named, is_other)


def _count(
    rows: list[list[Cell]], step: Grid, places: tuple[tuple[Place, ...], ...], mode: str
) -> tuple[int, int]:
    try:
        made = step.made if mode == "printed" and step.made is not None else Leaf(step)
        known = value(made, mode).rows
        exact = value(Leaf(step), "exact").rows
    except Unknown:
        return 0, 0
    agreed = rich = 0
    for row, targets in zip(rows, places, strict=True):
        for cell, (i, j) in zip(row, targets, strict=True):
            figure = cell.figure
            if figure is None:
                continue
            if figure.is_whole:
                holds = (exact[i][j] - figure.ball).contains(0)
            else:
                x = known[i][j]
                holds = figure.is_rounded(x) or figure.is_cut(x) or figure.is_rounded(exact[i][j])
            agreed += holds
            rich += holds and figure.weight >= 2
    return agreed, rich


def placements(
    rows: list[list[Cell]], step: Grid, row: int | None
) -> Iterator[tuple[tuple[Place, ...], ...]]:
    """Whole, as a row, as a column, as the leading block, transposed."""
    r, c = len(rows), len(rows[0])
    R, C = step.shape
    if (r, c) == (R, C) and (row is None or R == 1):
        yield tuple(tuple((i, j) for j in range(c)) for i in range(r))
        if R == C > 1:
            yield tuple(tuple((j, i) for j in range(c)) for i in range(r))
    elif r == 1 and c == C:
        for i in range(R) if row is None else [row] if row < R else []:
            yield (tuple((i, j) for j in range(c)),)
    elif (c, r) == (R, C) and C > 1 and R > 1:
        yield tuple(tuple((j, i) for j in range(c)) for i in range(r))
    elif 1 < r <= R and 1 < c <= C:
        yield tuple(tuple((i, j) for j in range(c)) for i in range(r))
    if r == 1 and c == R and C >= 1 and R > 1 and not (r, c) == (R, C):
        for j in range(C):
            yield (tuple((i, j) for i in range(c)),)
    if c == 1 and r == C and R >= 1 and r > 1:
        for i in range(R):
            yield tuple(((i, j),) for j in range(r))
