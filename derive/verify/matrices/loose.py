"""Single numbers in running text that are, one after the other, the entries of a step."""

from __future__ import annotations

from collections.abc import Iterator

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Name, Node
from derive.verify.known.letters import entry
from derive.verify.known.matching import LIKELY, Asked, Match, matched
from derive.verify.known.state import State
from derive.verify.matrices.recognition import Matches
from derive.verify.numbers import tempered
from derive.verify.numbers.running import running
from derive.verify.numbers.slips import slipped
from derive.verify.speech.hearing import heard
from derive.verify.speech.measures import EACH

APART = 160
"""Numbers of one list are no further from each other, in characters."""
LONGEST = 12
LEAST = 3
"""A list has at least so many numbers."""
TELLING = 6
"""So many agreeing digits are no chance."""
FEWER = 4
"""So many, where all agree and the words before speak of it."""


class Loose:
    """The numbers of running text that no step explained alone."""

    def __init__(self, state: State, matches: Matches) -> None:
        """None yet."""
        self.state, self.matches = state, matches
        self.cells: list[Cell] = []
        self.before: dict[int, tuple[Node | None, str]] = {}  # the formula and words before each

    def note(self, cell: Cell) -> None:
        """One more number."""
        if cell.figure is None or cell.start < 0:
            return
        if self.cells and not 0 < cell.start - self.cells[-1].start <= APART:
            self.close()
        self.cells.append(cell)
        self.before[id(cell)] = self.state.label, self.state.sentence

    def is_named(self, cell: Cell) -> bool:
        """Whether the name of one entry stands before a number, and before what is beside it."""
        label, _ = self.before[id(cell)]
        return isinstance(label, Name) and entry(self.state.pool, label.text) is not None

    def close(self) -> None:
        """The list is at its end: what of it is not explained yet may be so together."""
        cells, self.cells = self.cells[-LONGEST:], []
        self.listed(cells)
        for cell in cells:
            slipped(self.state, cell, cells, self.before[id(cell)][1])
        self.before.clear()

    def listed(self, cells: list[Cell]) -> None:
        """Judges what of the numbers is explained together, and what stands before and behind."""
        best = next(self.lists(cells), None)
        if best is None:
            return
        first, last, found = best
        grid = Grid([cells[first:last]])
        for cell in grid.cells():
            cell.why = ""
        self.matches.by_match(grid, found)
        self.state.pool.add(grid)
        self.listed(cells[:first])
        self.listed(cells[last:])

    def lists(self, cells: list[Cell]) -> Iterator[tuple[int, int, Match]]:
        """The parts that are explained, the longest first; of one length those wholly right."""
        for count in range(len(cells), LEAST - 1, -1):
            found = []
            for first in range(len(cells) - count + 1):
                part = cells[first : first + count]
                match = self.match(part) if any(c.verdict == "unchecked" for c in part) else None
                if match is not None and not strays(part, match) and not gainsays(part, match):
                    found.append((first, first + count, match))
            yield from sorted(found, key=lambda part: not part[2].is_whole)

    def match(self, cells: list[Cell]) -> Match | None:
        """The step of which most of the numbers are entries."""
        if (told := self.told(cells)) is not None:
            return told
        if any(map(self.is_named, cells)):
            return None
        words = heard(self.before[id(cells[0])][1])
        found = matched([cells], self.steps(len(cells), words))
        if found is None or found.counts.digits < self.least(cells, found):
            return None
        return found if found.counts.agreed + 1 >= found.total else None

    def least(self, cells: list[Cell], found: Match) -> int:
        """So many digits agree at the least: fewer where words speak of what all of them are."""
        is_heard = found.step.name in heard(self.before[id(cells[0])][1])
        is_row = len(cells) == found.step.shape[1] and id(found.step) in self.state.steps.sure
        if is_heard and is_row and found.is_whole:
            return LEAST
        return FEWER if is_heard and found.counts.agreed == found.total else TELLING

    def told(self, cells: list[Cell]) -> Match | None:
        """What the formula before the numbers, or the words of their sentence, say they are."""
        for step in self.said(len(cells), *self.before[id(cells[0])]):
            if step is None or max(step.shape) != len(cells):
                continue
            found = matched([cells], [step], Asked((step.name,), None, {id(step)}))
            if found is not None and found.counts.digits >= len(cells):
                return found if found.counts.agreed + 1 >= found.total else None
        return None

    def said(self, count: int, label: Node | None, sentence: str) -> Iterator[Grid | None]:
        """The same, as steps."""
        steps = self.state.steps
        yield from tempered.running(self.state, sentence, count)
        if label is not None and not isinstance(label, Name):
            yield steps.step("result", self.matches.names.resolved(label), "told", id(label))
        for function, words in EACH.items():
            for grid in self.state.pool.recent() if words.search(sentence) else ():
                if max(grid.shape) == count:
                    yield steps.unary(function, grid)

    def steps(self, count: int, words: tuple[str, ...]) -> Iterator[Grid]:
        """What the last vectors of a length lead to, and what words speak of."""
        yield from running(self.state, count)
        for run in (*self.state.runs.of_length(count), *self.state.pool.recent()):
            if run.shape == (1, count):
                for function in ("shares", "softmax", "exp"):
                    step = self.state.steps.unary(function, run, "A")
                    if step is not None:
                        yield step
        sure = self.state.steps.sure
        likely = (s for s in self.state.steps.all() if s.name in LIKELY)
        yield from (s for s in likely if is_begun(s) or (s.name in words and id(s) in sure))


def strays(cells: list[Cell], match: Match) -> bool:
    """Whether a whole number among decimals is none of the entries: 1 becomes 0.7, 2 1.4."""
    (places,) = match.places
    if all(cell.figure and cell.figure.is_whole for cell in cells):
        return False
    return any(
        cell.figure is not None
        and cell.figure.is_whole
        and (exact := match.step.rows[i][j].exact) is not None
        and not cell.figure.is_rounded(exact)
        for cell, (i, j) in zip(cells, places, strict=True)
    )


def gainsays(cells: list[Cell], match: Match) -> bool:
    """Whether a number that is right by itself would be wrong as an entry."""
    (places,) = match.places
    return any(
        cell.verdict == "correct"
        and cell.figure is not None
        and (exact := match.step.rows[i][j].exact) is not None
        and not cell.figure.is_rounded(exact)
        for cell, (i, j) in zip(cells, places, strict=True)
    )


def is_begun(step: Grid) -> bool:
    """Whether a step is printed, which a list may repeat."""
    return step.made is not None and any(c.figure for c in step.cells())
