"""A printed matrix recognised: as one printed before, or as a step of what is known."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from derive.verify.causes.mistakes import is_explained
from derive.verify.grammar.grids import Grid
from derive.verify.grammar.nodes import Leaf, Node
from derive.verify.known import scaling
from derive.verify.known.agreement import Counts, is_itself, is_same
from derive.verify.known.biasing import distanced, unbiased
from derive.verify.known.masking import masked_late, unmasked
from derive.verify.known.matching import CASUAL, PROJECTIONS, Asked, Match, matched, written
from derive.verify.known.placing import Places
from derive.verify.known.state import State
from derive.verify.known.steps import quantity
from derive.verify.known.steps.made import is_raw
from derive.verify.matrices import siblings
from derive.verify.matrices.cached import is_appended
from derive.verify.matrices.givens import is_given, is_meant
from derive.verify.matrices.graded import less_one, undiminished
from derive.verify.matrices.names import Meanings
from derive.verify.matrices.picks import picked
from derive.verify.matrices.turned import by_printed, by_spread, by_wrong, turned
from derive.verify.numbers.scalars import Scalars
from derive.verify.speech.roles import indexed, kinds, role
from derive.verify.values.evaluate import value
from derive.verify.values.judge import Judge

DISTINCT = frozenset(("PE", "Q'", "K'", "LN", "mean", "var", "std", "rms"))
"""Quantities whose names mean nothing else."""
SIGNED = frozenset("H Q K V S scaled masked PE LN".split())
"""What may be negative without being a gradient."""
CERTAIN, MOSTLY = 8, 0.75
"""So many agreeing digits make a result of what is named as an input; twice as many if most."""
OF_LENGTH = re.compile(
    r"(?i)\bunit\b|length|\bl_?2\b|euclid|einheit|länge|unitari|unité|longueur|longitud|единичн|длин"
    r"|单位|單位|模长|単位|長さ|단위|길이|‖|\|\|"
)
"""What says that a vector is divided by its length, and not normalised as a layer does it."""
CHANCE = CASUAL | {"outer"}
"""Steps with which lists of few digits agree by chance."""
WORDS = 3
"""So many words before a matrix are taken for what it may be, with one mistake throughout."""
FEWEST, WIDEST = 3, 12
"""Entries of a column that repeats a list; columns of a table of steps side by side."""


class Matches:
    """Recognises the printed matrices of an article."""

    def __init__(self, state: State, names: Meanings, scalars: Scalars, places: Places) -> None:
        """Over what is known."""
        self.state, self.names, self.scalars, self.places = state, names, scalars, places

    def explained(self, grid: Grid, name: str, index: int | None, label: Node | None) -> bool:
        """Whether the matrix is a repetition, or a step of what is known."""
        fixed, state = self.state.fixed_match(grid, name, index), self.state
        named = fixed or unmasked(state, grid) or masked_late(state, grid) or unbiased(state, grid)
        named = named or undiminished(state, grid) or distanced(state, grid)
        named = named or siblings.match(self.state, name, grid, self.asked())
        if match := named or siblings.in_turn(self.state, grid, role(name)):
            self.by_match(grid, match)
            return True
        kind, found = role(name), indexed(name)
        measure = kind or (found[0] if found else "")
        if grid.shape == (1, 1) and self.scalars.measured(grid.rows[0][0], measure):
            return True
        is_again = self.is_undivided(grid, name) or self.is_again(grid, name)
        if is_again or is_appended(self.state, grid, name) or picked(self.state, grid):
            return True
        row = index
        if not kind and found:
            kind = found[0]
            row = found[1] - 1 if grid.shape[0] == 1 else row
        if grid.shape == (1, 1):
            return "Z" in (kind, name) and self.scalars.summed(grid.rows[0][0])
        if (
            is_given(self.state, kind, grid)
            and not self.state.is_soft
            and self.names.definition(name) is None
        ):
            return self.is_certain(grid)
        if kind in ("Q", "K", "V", "A", "O") and grid.shape[0] == 1 and row is None:
            match = self.found(grid, name, kind, None) if kind in ("A", "O") else None
            row = self.next_row(kind)
            if match is None or not match.is_whole:
                match = self.found(grid, name, kind, row)
        else:
            match = self.found(grid, name, kind, row)
        if match is None or not is_meant(self.state, kind, match):
            return match is None and self.is_beside(grid)
        siblings.note(self.state, name, grid, match)
        self.by_match(grid, match)
        return True

    def is_certain(self, grid: Grid) -> bool:
        """Whether what has the name of an input is, without doubt, worked out."""
        match = matched(grid.rows, self.worked(grid.shape))
        if match is None or match.share < MOSTLY:
            return False
        if match.counts.digits < (CERTAIN if match.is_whole else 2 * CERTAIN):
            return False
        self.by_match(grid, match)
        return True

    def worked(self, shape: tuple[int, int]) -> Iterator[Grid]:
        """The steps of a shape, but what stands beside or is only turned."""
        return (s for s in self.known(shape) if s.made is not None and s.name != "K^T")

    def known(self, shape: tuple[int, int] | None = None) -> Iterable[Grid]:
        """The steps of a shape, rotations with the sines and cosines as they are printed."""
        found = self.state.steps.all(shape)
        return turned(found, self.state.claims) if self.state.pool.is_rotary else found

    def found(self, grid: Grid, name: str, kind: str, row: int | None) -> Match | None:
        """The step that a matrix is: by its definition, its name, the words before, or alone."""
        steps = self.state.steps
        graded = None if kind in SIGNED else less_one(grid, steps)
        if graded is not None:
            return graded
        if (own := self.names.definition(name)) is not None:
            match = matched(grid.rows, [own], Asked((own.name,), row, {id(own)}))
            if match is not None:
                return match
        if self.state.is_soft or not name:
            return self.spoken_of(grid, kind, row)
        own_kinds = kinds(name) or ((kind,) if kind else ())
        known = self.known(grid.shape) if kind else self.made(grid.shape)
        match = matched(grid.rows, known, self.asked(own_kinds, row))
        if match is None and row is not None:
            one = [s for s in steps.all(grid.shape) if s.shape[0] == 1 and s.made is not None]
            match = matched(grid.rows, one, self.asked(own_kinds)) if row else None
            match = match or matched(grid.rows, steps.all(grid.shape), self.asked())
        match = match or self.mistaken(grid, kind)
        return match or siblings.in_blocks(self.state, grid, own_kinds)

    def is_block(self, grid: Grid) -> bool:
        """Whether rows below each other are those of one step, as far as they are right."""
        found = matched(grid.rows, self.state.steps.all(), self.asked())
        return bool(found or siblings.in_block(self.state, grid))

    def asked(self, names: tuple[str, ...] = (), row: int | None = None) -> Asked:
        """What is said of a matrix, by its name."""
        pool = self.state.pool
        last = pool.grids[-1] if pool.grids else None
        return Asked(names, row, self.state.steps.sure, tainted=pool.has_wrong, last=last)

    def spoken_of(self, grid: Grid, kind: str, row: int | None) -> Match | None:
        """The step of a matrix that only words, or nothing, name."""
        steps = self.state.steps
        words = (kind, *self.state.heard) if kind else self.state.heard
        free = matched(grid.rows, self.known(grid.shape), self.asked())
        if free is not None and free.is_whole:
            return self.rather(grid, free) or free
        if "scaled" in words:
            divided = [s for s in steps.divided_by(grid.shape) if s is not None]
            match = matched(grid.rows, divided)
            if match is not None and match.is_whole:
                return match
        asked = replace(self.asked(words, row), is_soft=True, label=kind)
        match = matched(grid.rows, self.known(grid.shape), asked) or free
        match = match or siblings.in_blocks(self.state, grid, ("", kind))
        if match is not None:
            return match
        tried = dict.fromkeys(words[: WORDS + bool(kind)])
        return next((found for k in tried if (found := self.mistaken(grid, k)) is not None), None)

    def rather(self, grid: Grid, free: Match) -> Match | None:
        """What words speak of, with one known mistake, where a list agrees by chance."""
        spoken = [k for k in self.state.heard if k in DISTINCT and free.step.name in CHANCE]
        return next((found for k in spoken if (found := self.mistaken(grid, k))), None)

    def mistaken(self, grid: Grid, kind: str) -> Match | None:
        """The step of the name, where one known mistake in it gives all that is printed."""
        if kind == "LN" and OF_LENGTH.search(self.state.words):
            return None
        steps, sure = self.state.steps.all(grid.shape), self.state.steps.sure
        found = [s for s in steps if s.name == kind and s.shape == grid.shape and s.made]
        found = found if kind in DISTINCT else [step for step in found if id(step) in sure]
        for step in found:
            is_bound = kind in PROJECTIONS and len(found) == 1
            if step.made and is_explained(grid.rows, step.made, self.state.pool, False, is_bound):
                rows, columns = grid.shape
                places = tuple(tuple((i, j) for j in range(columns)) for i in range(rows))
                return Match(step, places, Counts(), rows * columns, True)
        return None

    def made(self, shape: tuple[int, int] | None = None) -> Iterator[Grid]:
        """The steps that are worked out, not given."""
        return (step for step in self.state.steps.all(shape) if step.made is not None)

    def next_row(self, kind: str) -> int | None:
        """The row that comes next where the rows of a matrix stand one by one."""
        self.state.pool.seen[kind] += 1
        return self.state.pool.seen[kind] - 1

    def is_beside(self, grid: Grid) -> bool:
        """Whether two steps stand side by side in one table."""
        rows, columns = grid.shape
        if rows < 2 or not 2 < columns <= WIDEST or not self.state.is_output:
            return False
        for cut in range(1, columns):
            parts = [Grid([row[:cut] for row in grid.rows]), Grid([row[cut:] for row in grid.rows])]
            found = [self.rich_match(part) for part in parts]
            if all(found):
                for part, match in zip(parts, found, strict=True):
                    if match is not None:
                        self.by_match(part, match)
                return True
        return False

    def rich_match(self, grid: Grid) -> Match | None:
        """The step with which all of a matrix agrees, where that can be no chance."""
        match = matched(grid.rows, self.state.steps.all())
        return match if match is not None and match.is_whole and match.rich > 2 else None

    def by_match(self, grid: Grid, match: Match) -> None:
        """Judges a matrix as (part of) a step."""
        step, places = self.state.own(match.step), match.places
        exact = value(Leaf(step), "exact")
        made = step.made or Leaf(step)
        ways = (
            *self.state.steps.ways(made),
            *self.places.proportional(exact),
            *by_printed(made, self.state.claims),
            *by_spread(made, self.state.pool),
            *by_wrong(made, self.state.claims),
        )
        judge = Judge(made, exact, ways).among(grid.rows)
        self.state.note_made(made, places[0][0][0], grid.rows[0][0].start)
        scaling.note(self.state, made)
        self.state.note_divided(made)
        for row, targets in zip(grid.rows, places, strict=True):
            for cell, (i, j) in zip(row, targets, strict=True):
                target = step.rows[i][j]
                cell.exact = exact.rows[i][j]
                cell.made, cell.at = made, (i, j)
                cell.quantity = target.quantity or quantity(step.name, i, j, step.shape)
                if cell.figure:
                    cell.verdict, cell.root = judge.verdict(cell, i, j)
                    self.state.pool.has_wrong |= cell.is_wrong
                    self.state.claims.append(cell)
        if all(place == (i, j) for i, row in enumerate(places) for j, place in enumerate(row)):
            grid.made = grid.made or (step.made if grid.shape == step.shape else None)
        self.state.note_weights(made, grid.rows)
        siblings.take_turn(self.state, match)
        if step.name in ("masked", "causal"):
            self.state.pool.masked.add(step.shape)
        if step.name in ("A", "shares") and grid.shape == step.shape and grid.shape[0] > 1:
            self.state.pool.weigh(grid)
        written(grid, match)

    def is_undivided(self, grid: Grid, name: str) -> bool:
        """Whether scores are printed as they were where the article divides them."""
        is_divided = self.state.pool.is_scaled and self.state.heard[:1] == ("scaled",)
        if name or not is_divided or any(c.figure and c.figure.is_whole for c in grid.cells()):
            return False
        again = (g for g in self.state.pool.recent() if g.shape == grid.shape and is_raw(g))
        if not any(is_same(g, grid) and g.texts() != grid.texts() for g in again):
            return False
        match = self.mistaken(grid, "scaled")
        if match is not None:
            self.by_match(grid, match)
        return match is not None

    def is_again(self, grid: Grid, name: str) -> bool:
        """A matrix printed before, or a part of one, entry for entry."""
        known = self.state.pool.named.get(name) if name else None
        if known is not None and known.shape == grid.shape and is_same(known, grid):
            for row, before in zip(grid.rows, known.rows, strict=True):
                for cell, origin in zip(row, before, strict=True):
                    self.state.refer(cell, origin)
            grid.made = known.made
            return True
        if role(name) == "concat":
            columns = [list(column) for column in zip(*grid.rows, strict=True)]
            return self.repeats(Grid(columns), 2)
        if name or grid.shape == (1, 1):
            return False
        turned = [list(column) for column in zip(*grid.rows, strict=True)]
        return self.repeats(grid) or (len(grid.rows) >= FEWEST and self.repeats(Grid(turned)))

    def repeats(self, grid: Grid, least: int = 3) -> bool:
        """Whether each row repeats a list or results printed before; they keep their verdicts."""
        again = siblings.one_by_one
        found = [self.state.pool.vector(row) or again(self.state, row, least) for row in grid.rows]
        if any(v is None for v in found):
            return False
        if any(c.verdict != "correct" for v in found for c in v or ()):
            match = matched(grid.rows, self.made())
            if match is not None and match.is_whole and not is_itself(match.step.made, grid):
                return False
        for row, origins in zip(grid.rows, found, strict=True):
            for cell, origin in zip(row, origins or (), strict=True):
                self.state.refer(cell, origin)
        return True
