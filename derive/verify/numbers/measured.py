"""Means, variances and deviations of the rows of what is known, named as such."""

from __future__ import annotations

import re
from collections.abc import Iterator

from flint import arb

from derive.verify.grammar.figures import Figure
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Function, Leaf, Name
from derive.verify.known.state import State
from derive.verify.numbers.misprints import is_one_digit
from derive.verify.speech.measures import spoken
from derive.verify.speech.roles import role
from derive.verify.values.evaluate import value
from derive.verify.values.judge import Judge

_NUMBER = re.compile(r"_?\{?(\d{1,2})\}?(?:\^2|²)?$")
"""The number of a vector in the name of what is measured of it."""
_CLAUSE = re.compile(r"[.;,。；，、]\s|\d|\n")
CLOSE = 30
"""So near before its number is the word that names what is measured, in characters."""
_COUNT = re.compile(r"^\d{1,2}\W{0,2}[:=：)]")
KINDS = frozenset(("mean", "var", "std", "rms"))
TELLING = 3
"""So many significant digits of a number are no chance."""
REACH = 400
"""What is in hand was measured no further before, in characters."""
ROOTED = 120
"""The variance of which a deviation is the root was printed no further before, in characters."""
FAR = 0.5
"""A number further from what it should be, in relation, is something else."""


def is_measured(state: State) -> bool:
    """Whether a number behind the word for a measure is its value, and counts nothing: mean 5."""
    kind = role(state.label.text) if isinstance(state.label, Name) else ""
    return kind in KINDS | {"Z"} and _COUNT.search(state.behind) is None


class Measured:
    """Judges what is measured of rows."""

    def __init__(self, state: State) -> None:
        """Over what is known."""
        self.state = state

    def put(self, cell: Cell, step: Grid, i: int, j: int) -> None:
        """The verdict on a number that stands for an entry of a step."""
        assert step.made is not None
        known = value(Leaf(step), "exact")
        cell.exact, cell.quantity = known.rows[i][j], step.rows[i][j].quantity
        cell.made, cell.at = step.made, (i, j)
        self.state.note_made(step.made, i, cell.start)
        judge = Judge(step.made, known, tuple(self.state.steps.ways(step.made)))
        cell.verdict, cell.root = judge.verdict(cell, i, j)
        self.state.pool.has_wrong |= cell.is_wrong
        self.state.claims.append(cell)
        self.same_value(step, cell)

    def same_value(self, step: Grid, cell: Cell) -> None:
        """All entries of the step with this value take the digits printed for one."""
        for target in step.cells():
            if target.figure is None and _is_equal(target, cell):
                target.figure, target.verdict, target.origin = cell.figure, cell.verdict, cell

    def measured(self, cell: Cell, kind: str) -> bool:
        """A mean, a deviation or a variance of a row, named as one."""
        if kind not in ("mean", "std", "var", "rms") or cell.figure is None:
            return False
        found = self.row_of(cell, kind)
        if found is None:
            return False
        self.state.focus, self.state.focus_at = found, cell.start
        grid, i = found
        step = self.state.steps.unary(kind, grid)
        if step is None or step.made is None:
            return False
        exact = value(Leaf(step), "exact")
        judge = Judge(step.made, exact, tuple(self.state.steps.ways(step.made)))
        if kind == "std" and not judge.holds(cell.figure, i, 0) and self.is_root(cell):
            return True
        cell.exact, cell.quantity = exact.rows[i][0], f"{kind}[{i + 1}]"
        cell.made, cell.at = step.made, (i, 0)
        cell.verdict, cell.root = judge.verdict(cell, i, 0)
        self.state.pool.has_wrong |= cell.is_wrong
        self.state.claims.append(cell)
        self.state.measured.add(kind)
        is_all = kind != "mean" and (cell.verdict == "correct" or self.state.is_normed)
        self.state.pool.is_population |= is_all
        target = step.rows[i][0]
        target.figure, target.verdict, target.origin = cell.figure, cell.verdict, cell
        return True

    def is_root(self, cell: Cell) -> bool:
        """Whether a deviation is the root of the right variance just before, of a sample too."""
        known = self.state.pool.number("var")
        before = known.rows[0][0] if known is not None else None
        if known is None or before is None or before.verdict not in ("correct", "propagated"):
            return False
        made = Function("sqrt", (Leaf(known),))
        exact = value(made, "exact")
        judge = Judge(made, exact)
        is_near = 0 < cell.start - before.start < ROOTED
        if cell.figure is None or not (is_near and judge.holds(cell.figure, 0, 0)):
            return False
        self.state.judged([[cell]], exact, judge, "std")
        return True

    def row_of(self, cell: Cell, kind: str) -> tuple[Grid, int] | None:
        """The row that is measured: the one whose mean stands just before, or one that agrees."""
        grid, row = self.state.focus
        if grid is not None and kind != "mean" and 0 <= cell.start - self.state.focus_at < 60:
            return grid, row
        found = list(self.agreeing(cell, kind)) or list(self.following(cell, kind))
        later = [f for f in found if f[0] is grid and f[1] > row]
        return next(iter(later or found), None) or self.numbered(kind) or self.nearly(cell, kind)

    def told(self, cell: Cell) -> bool:
        """Whether a number is measured of the row in hand, as the word right before it says."""
        clause = _CLAUSE.split(self.state.words)[-1]
        kind = next(iter(spoken(clause[-CLOSE:])), "")
        place = self.in_hand(cell, kind)
        if place is None or cell.figure is None:
            return False
        grid, row = place
        step = self.state.steps.unary(kind, grid)
        exact = step.rows[row][0].exact if step is not None else None
        if step is None or exact is None or any(self.agreeing(cell, kind)):
            return False
        if not exact.is_finite() or not abs(cell.figure.ball - exact) < FAR * abs(exact):
            return False
        self.state.pool.is_population |= kind != "mean"
        self.state.measured.add(kind)
        self.put(cell, step, row, 0)
        self.state.pool.note(cell)
        return True

    def in_hand(self, cell: Cell, kind: str) -> tuple[Grid, int] | None:
        """The row that was measured just before; of a mean the next one."""
        grid, row = self.state.focus
        if grid is None or kind not in KINDS or not 0 < cell.start - self.state.focus_at < REACH:
            return None
        step = self.state.steps.unary(kind, grid)
        if step is None or row >= len(step.rows) or len(step.rows) != grid.shape[0]:
            return None
        if kind == "mean" or step.rows[row][0].figure is not None:
            row += 1
        return (grid, row) if row < grid.shape[0] else None

    def numbered(self, kind: str) -> tuple[Grid, int] | None:
        """The vector with the number of the name, where the same was measured of another: var_2."""
        if kind not in self.state.measured:
            return None
        number = _NUMBER.search(self.state.naming)
        found = self.state.pool.rows["H"].get(int(number[1])) if number else None
        return (found, 0) if found is not None and found.shape[0] == 1 else None

    def following(self, cell: Cell, kind: str) -> Iterator[tuple[Grid, int]]:
        """The rows that give a number as they are printed; or as a sample, where all is meant."""
        if cell.figure is None or cell.figure.is_whole or cell.figure.weight < TELLING:
            return
        is_other = self.state.is_normed and not self.state.is_sample and kind in ("var", "std")
        for grid in self.state.pool.recent():
            step = self.state.steps.unary(kind, grid)
            other = self.state.steps.unary(f"sample {kind}", grid) if is_other else None
            if step is None or step.made is None:
                continue
            judge = Judge(step.made, value(Leaf(step), "exact"))
            for i in range(len(step.rows)):
                exact = other.rows[i][0].exact if other is not None else None
                if (grid.has_wrong and judge.holds(cell.figure, i, 0)) or (
                    exact is not None and cell.figure.is_rounded(exact)
                ):
                    yield grid, i

    def nearly(self, cell: Cell, kind: str) -> tuple[Grid, int] | None:
        """The row of the last matrix of which a number is the measure, but for one digit."""
        grid = self.state.pool.grids[-1] if self.state.pool.grids else None
        step = self.state.steps.unary(kind, grid) if grid is not None else None
        if grid is None or step is None or cell.figure is None or cell.figure.weight < TELLING:
            return None
        for i, (target, *_) in enumerate(step.rows):
            if target.exact is not None and is_one_digit(cell.figure, target.exact):
                return grid, i
        return None

    def agreeing(self, cell: Cell, kind: str) -> Iterator[tuple[Grid, int]]:
        """The rows of known matrices of which a number is the measure."""
        for grid in self.state.pool.recent():
            step = self.state.steps.unary(kind, grid)
            for i, (target,) in enumerate(step.rows if step is not None else []):
                if cell.figure and target.exact is not None and _agree(cell.figure, target.exact):
                    yield grid, i


def _agree(figure: Figure, exact: arb) -> bool:
    """Whether digits are those of a value, rounded, or cut where there are two and more."""
    return figure.is_rounded(exact) or (figure.weight > 1 and figure.is_cut(exact))


def _is_equal(target: Cell, cell: Cell) -> bool:
    if target.exact is None or cell.exact is None:
        return False
    return bool(target.exact.is_finite() and target.exact.overlaps(cell.exact))
