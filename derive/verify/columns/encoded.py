"""Tables of positional encodings: a position stands before each row, and says which it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from derive.verify.causes.mistakes import is_explained
from derive.verify.columns.waves import wave
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Array, Function, Headed, Leaf, Node
from derive.verify.known.agreement import Counts
from derive.verify.known.matching import Match
from derive.verify.known.state import State
from derive.verify.known.steps.made import whole
from derive.verify.matrices.results import Results
from derive.verify.numbers.scaling import TELLING, agreement
from derive.verify.tables.heads import aligned

_HEAD = re.compile(
    r"(?i)\W*(?:\w*\{)?(?:posi[tczç]|\b(?:pos|p|t|m|n|k)\b|позиц|位置|위치|vị trí|konum|pozycj"
    r"|ตำแหน่ง|स्थिति|stelle|θέση|מיקום|الموضع|موقعیت)"
)
"""What stands over the positions."""
_LABEL = re.compile(r"\W*[^\W\d]{1,12}\W{0,3}(\d{1,4})\W*")
"""A label that tells one: pos = 2."""
SHORT = 3
"""A head of so many letters is the one of the formula, which counts as the formula does."""
HALF = 0.5
LAYOUTS = {"interleaved": ("sin", "cos"), "halves": ("sin", "sin")}
"""What the first two columns hold, in each layout."""


class Encoded:
    """Judges tables of positional encodings."""

    def __init__(self, state: State, results: Results) -> None:
        """Over what is known."""
        self.state, self.results = state, results

    def read(self, table: Headed, cells: list[list[Cell]]) -> bool:
        """Whether a table is one of the encodings that the article declares; it is then judged."""
        if not self.state.pool.base or self.state.pool.is_rotary or not cells:
            return False
        head, told = self.told(table, cells)
        first = [row[0] for row in cells] if not told else []
        rows = [row[len(first) > 0 :] for row in cells]
        places = [_place(cell) for cell in first] or told
        width = len(rows[0])
        if -1 in places or not places or width < 2 or width % 2:
            return False
        found = [aligned(table.heads, width)[k] for k in (0, 1)]
        is_strict = places[0] == 0 or len(re.sub(r"\W", "", head)) <= SHORT
        ways = self.ways(places, width, (wave(found[0]), wave(found[1])), is_strict)
        best = max(ways, key=lambda way: agreement(Grid(rows), Leaf(way)), default=None)
        if best is None or best.made is None or not self.is_meant(rows, best.made):
            return False
        for cell in first:
            cell.verdict, cell.why = "unchecked", "a counting number"
            self.state.claims.append(cell)
        self.settle(Grid(rows), best)
        return True

    def settle(self, grid: Grid, step: Grid) -> None:
        """The verdicts on the encodings, which are then a step of what follows."""
        count, width = grid.shape
        own = tuple(tuple((i, j) for j in range(width)) for i in range(count))
        self.results.matches.by_match(grid, Match(step, own, Counts(), count * width, True))
        self.results.bind(grid, "PE", None)

    def told(self, table: Headed, cells: list[list[Cell]]) -> tuple[str, list[int]]:
        """What stands over the positions, and these where they stand in labels before the rows."""
        labels = [_LABEL.fullmatch(label) for label in table.labels]
        if len(labels) == len(cells) and all(m and _HEAD.match(m[0]) for m in labels):
            return table.labels[0], [int(m[1]) for m in labels if m]
        heads = aligned(table.heads, len(cells[0]))
        return heads[0], [] if _HEAD.match(heads[0]) else [-1]

    def ways(
        self, places: list[int], width: int, waves: tuple[str, str], is_strict: bool
    ) -> Iterator[Grid]:
        """The encodings that the positions may mean: those below, where tokens count from 1."""
        starts = (0,) if is_strict or places[0] != 1 else (0, 1)
        known = [name for name, own in LAYOUTS.items() if own == waves]
        if any(waves) and not known:
            return
        layouts = known or list(LAYOUTS)[: 1 if self.state.said.is_paired else 2]
        for layout in layouts:
            for start in starts:
                made = self.encodings([p - start for p in places], width, layout)
                if made is not None:
                    yield made

    def encodings(self, places: list[int], width: int, layout: str) -> Grid | None:
        """The encodings at some positions, one in each row."""
        steps, base = self.state.steps, self.state.pool.base
        if all(b == a + 1 for a, b in pairwise(places)):
            return steps.sinusoids(len(places), width, base, layout, places[0])
        size = whole(1), whole(width), whole(base)
        rows = (Function(f"sinusoids {layout}", (*size, whole(p))) for p in places)
        return steps.step("PE", Array(tuple(rows), "matrix"), "PE", width, layout, *places)

    def is_meant(self, rows: list[list[Cell]], made: Node) -> bool:
        """Whether most of a table agrees with encodings, or all with one mistake in them."""
        share, digits = agreement(Grid(rows), made)
        is_most = share >= HALF and digits >= TELLING
        return is_most or is_explained(rows, made, self.state.pool, True)


def _place(cell: Cell) -> int:
    """The position that a number is, or -1."""
    figure = cell.figure
    return int(figure.value) if figure and figure.is_whole and figure.value >= 0 else -1
