"""What a table holds: vectors in its columns, quantities worked out from each other, a matrix."""

from __future__ import annotations

import re
import unicodedata

from derive.verify.columns.encoded import Encoded
from derive.verify.columns.margins import Margins
from derive.verify.columns.paired import Paired
from derive.verify.columns.related import Columns
from derive.verify.columns.scans import Scans
from derive.verify.columns.totals import Totals
from derive.verify.columns.waves import Waves
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Headed, Name, Node
from derive.verify.known.pool import Pool
from derive.verify.known.state import State
from derive.verify.matrices.names import Meanings
from derive.verify.matrices.results import Results
from derive.verify.speech.roles import indexed, role
from derive.verify.tables.heads import aligned, lying
from derive.verify.tables.stacked import stacked
from derive.verify.values.evaluate import has_value, value

_HEAD = re.compile(r"([^\W\d_]{1,4})_?\{?(\d)\}?")
REACH = 160
"""A name is no further from the table that it announces, in characters."""


class Tabled:
    """Judges tables, but for those that are a matrix."""

    def __init__(self, state: State, names: Meanings, results: Results) -> None:
        """Over what is known."""
        self.state, self.names, self.results = state, names, results
        self.columns = Columns(state, names, results.matches)
        self.paired = Paired(state, names, results)
        self.margins = Margins(state, results)
        self.waves, self.encoded = Waves(state, results), Encoded(state, results)
        self.totals = Totals(state)
        self.scans = Scans(state, self.columns)

    def read(self, table: Headed, cells: list[list[Cell]], start: int) -> list[list[Cell]]:
        """The part of a table that is a matrix; the rest is judged."""
        if self.scans.read(table, cells):
            return []
        cells = [r for r in cells if all(c.figure or c.exact is not None for c in r)]
        cells = self.totals.part(table, cells)
        left = self.matrix(table, cells, start) if cells else []
        self.columns.looked.note(table.labels, _columns(cells))
        if not left:
            self.totals.finish()
        return left

    def matrix(self, table: Headed, cells: list[list[Cell]], start: int) -> list[list[Cell]]:
        """The same, but for a row of totals."""
        is_met = self.columns.looked.is_met(table.labels, _columns(cells))
        if not (is_met or stacked(table, cells)) and self.paired.read(table, cells):
            return []
        if self.is_lying(table, cells) or self.are_vectors(table, cells, start):
            return []
        if self.encoded.read(table, cells) or self.waves.read(table, cells):
            return []
        if self.is_stacked(table, cells):
            return []
        if self.are_related(table, cells, is_met):
            return []
        if len(cells[0]) < 2 or not _counts([row[0] for row in cells]):
            return cells
        if all(c.figure is None or c.figure.is_whole for row in cells for c in row):
            return cells
        for row in cells:
            row[0].verdict, row[0].why = "unchecked", "a counting number"
            self.state.claims.append(row[0])
        rest = [row[1:] for row in cells]
        return [[row[0] for row in rest]] if len(rest[0]) == 1 else rest

    def are_related(self, table: Headed, cells: list[list[Cell]], is_met: bool) -> bool:
        """Whether columns, or what stands beside the rows, are worked out; all is judged."""
        heads = aligned(table.heads, len(cells[0]))
        return (
            self.margins.upright(table.labels, heads, cells)
            or self.columns.read(table, cells, is_met)
            or self.margins.read(table.labels, heads, cells)
        )

    def is_lying(self, table: Headed, cells: list[list[Cell]]) -> bool:
        """Whether each row is a step for one query, its tokens over the columns; all is judged."""
        if not lying(table.labels, aligned(table.heads, len(cells[0]))):
            return False
        turned = Headed(table.items, table.maker, table.labels, table.heads)
        return self.columns.read(turned, [list(column) for column in zip(*cells, strict=True)])

    def are_vectors(self, table: Headed, cells: list[list[Cell]], start: int) -> bool:
        """Whether matrices stand side by side, or a vector in each column; they are then judged."""
        if blocks := self.blocks(table, cells):
            self.state.is_output = False
            for name, first, last in blocks:
                self.results.result([row[first:last] for row in cells], None, (), Name(name))
            return True
        if self.has_vectors(table, len(cells[0]), start):
            self.state.is_output = False
            for head, column in zip(table.heads, zip(*cells, strict=True), strict=True):
                self.results.result([list(column)], None, (), Name(head))
            return True
        return False

    def is_stacked(self, table: Headed, cells: list[list[Cell]]) -> bool:
        """Whether matrices stand below each other, as their labels say; they are then judged."""
        blocks = stacked(table, cells)
        for _, label, first, last in blocks:
            self.state.words = f"{self.state.words} {label}"
            self.state.is_output = True
            self.results.result(cells[first:last], None, (), None)
        return bool(blocks)

    def blocks(self, table: Headed, cells: list[list[Cell]]) -> list[tuple[str, int, int]]:
        """Matrices side by side, a token in each row: q1, q2, k1 and k2 stand over the columns."""
        count = len(cells[0])
        found = [_numbered(head) for head in aligned(table.heads, count)]
        first = [place for place, pair in enumerate(found) if pair and pair[1] <= 1]
        if not all(found) or first[:1] != [0]:
            return []
        made = []
        for start, end in zip(first, [*first[1:], count], strict=True):
            part = [pair for pair in found[start:end] if pair]
            runs = [(part[0][0], part[0][1] + k) for k in range(end - start)]
            if part != runs or end - start < 2:
                return []
            made.append((part[0][0], start, end))
        is_apart = len({name for name, _, _ in made}) == len(made) > 1
        return made if is_apart and len(cells) > 1 and any(table.labels) else []

    def has_vectors(self, table: Headed, count: int, start: int) -> bool:
        """Whether each column is a vector of its own, as q_1 and q_2 stand over them."""
        found = [indexed(head) for head in table.heads]
        if len(found) != count or not all(found) or _are_words(table.labels):
            return False
        if self.are_pairs(table, {f[0] for f in found if f}):
            return False
        label = self.state.label if 0 <= start - self.state.label_at <= REACH else None
        if label is not None and self.is_whole(table, count):
            return False
        return role(label.text if isinstance(label, Name) else "") not in {f[0] for f in found if f}

    def is_whole(self, table: Headed, count: int) -> bool:
        """Whether the formula that stands over a table gives all of it at once."""
        made = self.state.label_made or self.state.label
        source = self.names.resolved(made) if made is not None else None
        if source is None or isinstance(source, Name) or not has_value(source):
            return False
        return value(source, "printed").shape == (len(table.items), count)

    def are_pairs(self, table: Headed, kinds: set[str]) -> bool:
        """Whether the columns stand for vectors that are known, as keys do over their scores."""
        labels = {found[0] for label in table.labels if (found := indexed(label.strip("$* ")))}
        known = [self.state.pool.of_role(kind) for kind in kinds]
        return bool(labels - kinds) or any(grid and grid.shape[0] > 1 for grid in known)


def lettered(side: Node, pool: Pool) -> Name | None:
    """The letter of the inputs, whose components are counted over the columns of a table: x1, x2.

    Words stand before its rows; where something is known, it may hold results.
    """
    is_open = isinstance(side, Headed) and not pool.grids
    if not isinstance(side, Headed) or not is_open or any(map(indexed, side.labels)):
        return None
    found = [_HEAD.fullmatch(head.strip("$* ")) for head in side.heads]
    if len(found) > len(side.items[0].parts()):
        found = found[1:]  # what stands over the labels
    letters = {match[1] for match in found if match}
    count = [int(match[2]) for match in found if match]
    (letter,) = letters if len(letters) == 1 else ("",)
    is_counted = len(count) == len(found) > 1 and count in (
        list(range(len(count))),
        list(range(1, len(count) + 1)),
    )
    return Name(letter) if is_counted and role(letter) == "H" else None


def _numbered(head: str) -> tuple[str, int] | None:
    """The letter and the number of a head such as q1, $k_{2}$ or v₁."""
    found = _HEAD.fullmatch(unicodedata.normalize("NFKC", head.strip("$* ")))
    return (found[1], int(found[2])) if found and role(found[1]) else None


def _are_words(labels: tuple[str, ...]) -> bool:
    """Whether the rows are tokens, by what stands before them."""
    plain = [label.strip("*$ ") for label in labels]
    is_word = all(len(w.encode()) > 2 and w.isalpha() and not role(w) for w in plain)
    return is_word and len(set(plain)) == len(plain) > 1


def _counts(cells: list[Cell]) -> bool:
    """Whether a column counts its rows, from 0 or 1."""
    values = [cell.figure.value if cell.figure and cell.figure.is_whole else None for cell in cells]
    return values in (list(range(len(values))), list(range(1, len(values) + 1)))


def _columns(cells: list[list[Cell]]) -> list[Grid]:
    return [Grid([list(column)]) for column in zip(*cells, strict=True)]
