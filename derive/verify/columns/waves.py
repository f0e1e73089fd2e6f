"""Tables of sines and cosines: their rows, or their columns, are those of one list of angles."""

from __future__ import annotations

import re
import unicodedata

from flint import arb

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Binary, Function, Headed, Leaf, Node
from derive.verify.known.state import State
from derive.verify.known.steps.places import THETA
from derive.verify.matrices.results import Results
from derive.verify.numbers.scaling import agreement
from derive.verify.tables.heads import aligned

WAVES = {
    "cos": re.compile(r"(?i)\W*cos|кос|余弦|コサイン|코사인|جتا"),
    "sin": re.compile(r"(?i)\W*s[ie]n|синус|正弦|サイン|사인|جا"),
}
"""What stands before a row, or over a column, of each."""
_POSITION = re.compile(r"(?:^|[=\s_(])\$?(\d{1,4})\W*$")
_ANGLE = re.compile(r"(?:\\theta|θ|theta)\s?_?\{?(\d)\}?")
HALF, TELLING = 0.5, 4
"""The part that agrees, and its digits, at the least."""
OTHERS = 3
"""So many rows of other things stand beside."""


class Waves:
    """Judges tables of sines and cosines."""

    def __init__(self, state: State, results: Results) -> None:
        """Over what is known."""
        self.state, self.results = state, results

    def read(self, table: Headed, cells: list[list[Cell]]) -> bool:
        """Whether a table is one of sines and cosines; it is then judged."""
        columns = [list(column) for column in zip(*cells, strict=True)]
        heads = aligned(table.heads, len(columns))
        if len({found[1] for head in heads if (found := _ANGLE.search(_plain(head)))}) > 1:
            return self.turned(list(table.labels), heads, columns)
        return self.rows(list(table.labels), cells) or self.rows(heads, columns)

    def turned(self, labels: list[str], heads: list[str], columns: list[list[Cell]]) -> bool:
        """Whether a position stands before each row, and over each column one of the angles."""
        first = [] if wave(heads[0]) else columns[0]
        heads, columns = heads[len(first) > 0 :], columns[len(first) > 0 :]
        told = [cell.figure.text if cell.figure else "" for cell in first] or labels
        found = [_POSITION.search(label) for label in told]
        places = [int(match[1]) for match in found if match]
        angles = [x for head in heads if (x := self.angle(head)) is not None]
        waves = [name for head in heads if (name := wave(head))]
        if {len(angles), len(waves)} != {len(columns)} or len(places) != len(columns[0]):
            return False
        grids = [Grid([[Cell(None, exact=x * k) for k in places]]) for x in angles]
        made = [Function(n, (Leaf(g),)) for n, g in zip(waves, grids, strict=True)]
        if not self.are_held(columns, made):
            return False
        for cells, source in [([first], None)] * bool(first) + [
            ([column], source) for column, source in zip(columns, made, strict=True)
        ]:
            self.results.result(cells, source, (), None)
        return True

    def are_held(self, columns: list[list[Cell]], made: list[Function]) -> bool:
        """Whether columns agree well enough with what they may be."""
        parts = [agreement(Grid([c]), m) for c, m in zip(columns, made, strict=True)]
        share = sum(part for part, _ in parts) / len(parts)
        return share >= HALF and sum(digits for _, digits in parts) >= TELLING

    def angle(self, head: str) -> arb | None:
        """The known angle of which a head speaks: cos θ_1."""
        found = _ANGLE.search(_plain(head))
        names = (f"{letter}{found[1]}" for letter in ("theta_", "θ_", "θ")) if found else ()
        known = next((g for name in names if (g := self.state.pool.lookup(name))), None)
        return known.rows[0][0].exact if known is not None and known.shape == (1, 1) else None

    def rows(self, labels: list[str], rows: list[list[Cell]]) -> bool:
        """The same of rows with labels."""
        if len(labels) != len(rows):
            return False
        found = [wave(label) for label in labels]
        if not any(found) or found.count("") > OTHERS:
            return False
        angles = self.angles(found, rows)
        if angles is None:
            return False
        for function, row in zip(found, rows, strict=True):
            made: Node | None = Function(function, (Leaf(angles),)) if function else None
            if all(cell.figure and cell.figure.is_whole for cell in row):
                made = None
            if made is None and row is angles.rows[0]:
                made = self.multiple(rows, row)
            if made is None and row is angles.rows[0]:
                self.results.base(Grid([row]), "")
            else:
                self.results.result([row], made, (), None)
        return True

    def multiple(self, rows: list[list[Cell]], angles: list[Cell]) -> Node | None:
        """θ times the positions that stand beside the angles, where most of these are that."""
        theta = next((g for n in THETA if (g := self.state.pool.named.get(n)) is not None), None)
        for row in rows if theta is not None and theta.shape == (1, 1) else ():
            if row is not angles and all(c.figure and c.figure.is_whole for c in row):
                made = Binary("*", Leaf(Grid([row])), Leaf(theta)) if theta is not None else None
                if made is not None and agreement(Grid([angles]), made)[0] > HALF:
                    return made
        return None

    def angles(self, found: list[str], rows: list[list[Cell]]) -> Grid | None:
        """The angles with whose sines and cosines the rows agree best."""
        count = len(rows[0])
        own = [Grid([row]) for name, row in zip(found, rows, strict=True) if not name]
        for grid in own:
            for cell in grid.cells():
                cell.exact = cell.figure.ball if cell.figure else None
        near = [g for g in self.state.pool.recent() if g.shape == (1, count)]
        best: tuple[float, Grid] | None = None
        for angles in (*self.state.steps.angles((1, count)), *near, *own):
            parts = [
                agreement(Grid([row]), Function(name, (Leaf(angles),)))
                for name, row in zip(found, rows, strict=True)
                if name
            ]
            share = sum(part for part, _ in parts) / len(parts)
            is_telling = sum(digits for _, digits in parts) >= TELLING
            if share >= HALF and is_telling and (best is None or share > best[0]):
                best = share, angles
        return best[1] if best else None


def _plain(head: str) -> str:
    return unicodedata.normalize("NFKC", head)


def wave(label: str) -> str:
    """Which of the two a label speaks of, or ""."""
    return next((name for name, word in WAVES.items() if word.match(label.strip("$* "))), "")
