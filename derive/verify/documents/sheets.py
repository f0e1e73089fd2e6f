"""Spreadsheets as documents: blocks of numbers with their heads, and formulas as statements."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from derive.verify.documents.document import MAX_NUMBERS, Document, Segment, too_many
from derive.verify.documents.packages import opened
from derive.verify.documents.references import NoFormula, Place, formula, letters_of, number_of
from derive.verify.documents.workbook import Formula, Sheet, sheets
from derive.verify.grammar.figures import figure
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Array, Chain, Headed, Leaf, Name, Node, Number
from derive.verify.speech.measures import spoken
from derive.verify.speech.roles import role

BEFORE = 120
"""So much before a block may say what it is, in characters."""
DEEPEST = 200
"""Formulas that rest on each other beyond this depth are taken as values."""


@dataclass(frozen=True)
class SheetDocument(Document):
    """A spreadsheet: its lines are rows, its columns those of the sheet."""

    places: tuple[tuple[int, Place], ...] = ()

    def cell(self, offset: int) -> Place:
        """The sheet, row and column of what begins here."""
        found = bisect_right(self.places, offset, key=lambda entry: entry[0])
        return self.places[max(found - 1, 0)][1]

    def place(self, offset: int) -> tuple[int, int]:
        """Row and column, from 1."""
        return self.cell(offset)[1:]

    def where(self, offset: int) -> str:
        """The cell, such as Sheet1!B3."""
        sheet, row, column = self.cell(offset)
        return f"{sheet}!{letters_of(column)}{row}"

    def line(self, number: int) -> str:
        """The row of each sheet."""
        starts = [start for start, (_, row, _) in self.places if row == number]
        found = dict.fromkeys(self.starts[bisect_right(self.starts, s) - 1] for s in starts)
        return "    ".join(self.text[s:].partition("\n")[0].replace("\t", "  ") for s in found)


def workbook(data: bytes, name: str) -> Document:
    """The document of an .xlsx file.  InputError where it is none, or has too many numbers."""
    found = sheets(opened(data, name))
    if sum(len(sheet.values) for sheet in found) > MAX_NUMBERS:
        raise too_many(name)
    return _Workbook(found).document(name)


class _Workbook:
    """The cells of all sheets, and the statements that they make."""

    def __init__(self, found: list[Sheet]) -> None:
        self.sheets = {sheet.name: sheet for sheet in found}
        self.cells: dict[Place, Cell] = {}
        self.starts: dict[Place, int] = {}
        self.text = ""
        self.written: set[Place] = set()
        self.chains: list[Chain] = []
        self.lay_out()

    def lay_out(self) -> None:
        """A line for each row; each cell knows where it begins."""
        pieces: list[str] = []
        at = 0
        for sheet in self.sheets.values():
            texts = sheet.values | {k: v.replace("\n", " ") for k, v in sheet.words.items()}
            row = 0
            for place in sorted(texts):
                mark = "\n" if place[0] != row and pieces else "\t" if pieces else ""
                row, full = place[0], (sheet.name, *place)
                self.starts[full] = at + len(mark)
                pieces.append(mark + texts[place])
                at += len(pieces[-1])
                if place in sheet.values and (made := figure(sheet.values[place])):
                    self.cells[full] = Cell(made, self.starts[full])
        self.text = "".join(pieces)

    def document(self, name: str) -> Document:
        self.state()
        marks = tuple(sorted((start, place) for place, start in self.starts.items()))
        prose, chains = tuple(self.prose()), tuple(self.chains)
        return SheetDocument(name, self.text, prose, chains, self.blank(), marks)

    def blank(self) -> int:
        """How many formulas have no stored value."""
        return sum(
            p not in sheet.values and p not in sheet.words
            for sheet in self.sheets.values()
            for p in sheet.formulas
        )

    def prose(self) -> Iterator[Segment]:
        """The text of each cell that holds words."""
        for (name, row, column), start in self.starts.items():
            word = self.sheets[name].words.get((row, column), "")
            if word:
                yield Segment(word.replace("\n", " "), range(start, start + len(word)))

    def state(self) -> None:
        """The statements of all sheets: blocks of numbers, then what is worked out from them."""
        for sheet in self.sheets.values():
            plain = {p for p in sheet.values if p not in sheet.formulas}
            for block in blocks(plain):
                self.given(sheet, block)
        for sheet in self.sheets.values():
            for place in sorted(sheet.formulas):
                self.made((sheet.name, *place))
            for block in blocks({p for p in sheet.formulas if p in sheet.values}):
                self.named(sheet, block)

    def grid(self, sheet: Sheet, block: Block) -> list[list[Cell]]:
        top, left, bottom, right = block
        return [
            [self.cells[sheet.name, r, c] for c in range(left, right + 1)]
            for r in range(top, bottom + 1)
            if all((sheet.name, r, c) in self.cells for c in range(left, right + 1))
        ]

    def given(self, sheet: Sheet, block: Block) -> None:
        """A block of numbers that are typed in, under its name."""
        rows = self.grid(sheet, block)
        if not rows:
            return
        side = _side([[Number(cell) for cell in row] for row in rows])
        name, table = title(sheet, block), headed(sheet, block, rows)
        sides = (table,) if table else (Name(name), side) if name else (side,)
        start = rows[0][0].start
        said = (self.text[max(0, start - BEFORE) : start], "")
        self.chains.append(Chain(sides, start, said=said))

    def named(self, sheet: Sheet, block: Block) -> None:
        """A block that is worked out, as the matrix of its name."""
        rows, name = self.grid(sheet, block), title(sheet, block)
        if name and rows:
            self.chains.append(Chain((Name(name), Leaf(Grid(rows, name))), rows[0][0].start))

    def made(self, place: Place, depth: int = 0) -> None:
        """A formula and its value, after the formulas on which it rests."""
        sheet = self.sheets[place[0]]
        found = sheet.formulas.get(place[1:])
        if found is None or place in self.written or depth > DEEPEST:
            return
        self.written.add(place)
        seen: list[Place] = []

        def look(at: Place) -> Cell | None:
            seen.append(at)
            return self.cells.get(at)

        try:
            side = formula(found.text, found.shift, look)
        except NoFormula:
            return
        for at in seen:
            if at[0] in self.sheets:
                self.made(at, depth + 1)
        value = self.filled(found, place)
        if value is not None:
            self.chains.append(Chain((side, value), self.starts.get(place, 0), ("=",)))

    def filled(self, found: Formula, place: Place) -> Node | None:
        """The value of a formula: a cell, or the range that it fills."""
        first, _, last = found.fills.partition(":")
        if not last:
            cell = self.cells.get(place)
            return Number(cell) if cell is not None else None
        top, left = _corner(first)
        bottom, right = _corner(last)
        rows = self.grid(self.sheets[place[0]], (top, left, min(bottom, top + 999), right))
        self.written.update(
            (place[0], r, c) for r in range(top, top + len(rows)) for c in range(left, right + 1)
        )
        return _side([[Number(cell) for cell in row] for row in rows]) if rows else None


Block = tuple[int, int, int, int]
"""The first row and column of a block, and the last."""


def _corner(text: str) -> tuple[int, int]:
    letters = text.rstrip("0123456789")
    return int(text[len(letters) :] or 1), min(number_of(letters), 16_384)


def _side(rows: list[list[Number]]) -> Node:
    if len(rows) * len(rows[0]) == 1:
        return rows[0][0]
    return Array(tuple(Array(tuple(row)) for row in rows), "table")


def blocks(places: set[tuple[int, int]]) -> list[Block]:
    """Rectangles of cells: runs in a row, joined to the same run in the row above."""
    open_: dict[tuple[int, int], Block] = {}
    found: list[Block] = []
    for row, left, right in _runs(sorted(places)):
        above = open_.get((left, right))
        if above is not None and above[2] == row - 1:
            open_[left, right] = (*above[:2], row, right)
            continue
        if above is not None:
            found.append(above)
        open_[left, right] = (row, left, row, right)
    return sorted([*found, *open_.values()])


def _runs(places: list[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
    """Cells side by side: their row, the first column and the last."""
    start = before = None
    for place in places:
        if start is not None and before == (place[0], place[1] - 1):
            before = place
            continue
        if start is not None and before is not None:
            yield start[0], start[1], before[1]
        start = before = place
    if start is not None and before is not None:
        yield start[0], start[1], before[1]


def title(sheet: Sheet, block: Block) -> str:
    """The name of a block: the word in the corner, above it, or before its first row."""
    top, left, bottom, right = block
    above = [sheet.words.get((top - 1, c), "") for c in range(left, right + 1)]
    corner, before = sheet.words.get((top - 1, left - 1), ""), sheet.words.get((top, left - 1), "")
    higher = sheet.words.get((top - 2, left), "") or sheet.words.get((top - 2, left - 1), "")
    if corner:
        return _plain(corner)
    if above[0] and not any(above[1:]):
        return _plain(above[0])
    if before and (top == bottom or (top + 1, left - 1) not in sheet.words):
        return _plain(before)
    return _plain(higher) if all(above) else ""


def headed(sheet: Sheet, block: Block, rows: list[list[Cell]]) -> Headed | None:
    """A table of values under heads, or a row of sums; None where it is a matrix, or formulas."""
    top, left, bottom, right = block
    heads = [_plain(sheet.words.get((top - 1, c), "")) for c in range(left, right + 1)]
    corner = _plain(sheet.words.get((top - 1, left - 1), ""))
    labels = tuple(_label(sheet, r, left) for r in range(top, bottom + 1))
    is_table = bottom > top and right > left and all(heads) and not role(corner)
    beside = range(top - 1, bottom + 2)
    is_worked = any(p[0] in beside and p in sheet.values for p in sheet.formulas)
    if is_worked or not (is_table or (top == bottom and spoken(labels[0]))):
        return None
    items = tuple(Array(tuple(map(Number, row))) for row in rows)
    named = tuple(filter(None, (corner, *heads))) if is_table else ()
    return Headed(items, "table", named, labels)


def _label(sheet: Sheet, row: int, before: int) -> str:
    """The first words of a row."""
    found = (sheet.words.get((row, c), "") for c in range(1, before))
    return next((_plain(word) for word in found if word.strip()), "")


def _plain(word: str) -> str:
    return word.strip().rstrip(":=").strip()[:60]
