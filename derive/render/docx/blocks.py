"""Each kind of block as paragraphs, equations and tables of Word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from docx.enum.section import WD_SECTION
from docx.enum.table import WD_TABLE_ALIGNMENT
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Mm, Pt

from derive.render.blocks import (
    Equations,
    Form,
    Formulas,
    Heading,
    Note,
    Page,
    Table,
    Text,
)
from derive.render.docx.forms import FORMS, widths
from derive.render.docx.maths import QUAD, Maths, display, equation
from derive.render.docx.style import ROOM, numbered
from derive.render.lines import lines, side_by_side
from derive.render.quiz import plain
from derive.render.wrap import columns

LETTER, PADDING = 2.2, 6.5
"""Millimetres of a letter on the average, and of what stands around those of a cell."""
LED = (Formulas, Equations, Table, Form)
"""What stays on the page of the sentence before it."""


class Printer:
    """Prints the blocks of one page at the end of a document."""

    def __init__(self, document: Any, page: Page) -> None:
        """document: one that has its look already."""
        self.document, self.page = document, page
        self.maths = Maths(page.names)

    def print(self) -> None:
        """Every block."""
        for block, after in pairwise((*self.page.blocks, None)):
            made = self.block(block)
            if made is not None and isinstance(after, LED):
                made.paragraph_format.keep_with_next = True

    def block(self, block: Any) -> Any:
        """One block; its last paragraph, if it leads what follows.  TypeError without a rule."""
        match block:
            case Heading(text, level):
                return self.document.add_heading(text, min(level, 3))
            case Text(content):
                return self.sentence(content)
            case Note(content):
                return _barred(self.sentence(content))
            case Formulas(chains):
                rows = side_by_side(self.page, chains)
                return [self.shown([self.maths.text(x) for x in row.chains]) for row in rows][-1]
            case Equations(chains):
                for line in (line for chain in chains for line in lines(self.page, chain)):
                    self.shown([self.line(line)])
            case Table(header, rows, numbers):
                self.table((header, *rows), numbers)
            case Form():
                FORMS[type(block)](self, block)
            case _:
                raise TypeError(f"docx: no rule for {type(block).__name__}")
        return None

    # --- sentences

    def sentence(self, content: Any) -> Any:
        """A paragraph."""
        return self.inline(self.document.add_paragraph(), content)

    def inline(self, paragraph: Any, content: Any) -> Any:
        """Text and mathematics in turn, at the end of a paragraph."""
        for part in (content,) if isinstance(content, str) else content:
            if isinstance(part, str):
                _write(paragraph, part)
            else:
                paragraph._p.append(equation(self.maths.text(part)))
        return paragraph

    # --- mathematics

    def shown(self, texts: Sequence[str]) -> Any:
        """Equations on a line of their own, side by side."""
        paragraph = self.document.add_paragraph()
        paragraph.alignment = WD_ALIGN_PARAGRAPH.CENTER
        if len(texts) == 1:
            paragraph._p.append(display(texts))
            return paragraph
        for k, text in enumerate(texts):
            paragraph.add_run(QUAD * (k > 0))
            paragraph._p.append(equation(text))
        return paragraph

    def line(self, line: Any) -> str:
        """A line of a chain."""
        first = "" if line.first is None else self.maths.text(line.first)
        return first + "".join(self.maths.side(*side) for side in line.sides)

    # --- tables and sections

    def table(self, rows: Sequence[Sequence[Any]], numbers: Sequence[int]) -> None:
        """Ruled, its first row repeated at the top of each page."""
        made = self.document.add_table(len(rows), len(rows[0]), style="Table Grid")
        made.alignment, made.autofit = WD_TABLE_ALIGNMENT.CENTER, False
        widths(made, [Mm(wide) for wide in column_widths(rows)])
        for row in made.rows:
            row._tr.get_or_add_trPr().append(OxmlElement("w:cantSplit"))
        for cells, row in zip(_cells(made), rows, strict=True):
            for k, (cell, content) in enumerate(zip(cells, row, strict=True)):
                paragraph = self.inline(cell.paragraphs[0], content)
                paragraph.paragraph_format.space_after = Pt(1)
                if k in numbers:
                    paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
        for run in (run for cell in made.rows[0].cells for run in cell.paragraphs[0].runs):
            run.bold = True
        head = made.rows[0]._tr.get_or_add_trPr()
        head.append(OxmlElement("w:tblHeader"))
        self.gap()

    def gap(self) -> None:
        """A little room after a table."""
        self.document.add_paragraph().paragraph_format.space_after = Pt(0)

    def section(self) -> None:
        """What follows begins a page, the first of its own."""
        numbered(self.document.add_section(WD_SECTION.NEW_PAGE))


def _cells(table: Any) -> Iterator[Any]:
    return (row.cells for row in table.rows)


def column_widths(rows: Sequence[Sequence[Any]]) -> list[float]:
    """How wide, in millimetres, each column is: its longest cell, or what the others leave."""
    return fitted(
        [
            max(columns(plain(cell)) for cell in column) * LETTER + PADDING
            for column in zip(*rows, strict=True)
        ],
        ROOM,
    )


def fitted(wide: Sequence[float], room: float) -> list[float]:
    """The widths; where they do not fit, the widest share what is left alike.

    >>> fitted([10, 90, 60], 100)
    [10, 45.0, 45.0]
    """
    share = room / len(wide)
    small = [x for x in wide if x <= share]
    if len(small) in (0, len(wide)) or sum(wide) <= room:
        return list(wide) if small else [share] * len(wide)
    rest = iter(fitted([x for x in wide if x > share], room - sum(small)))
    return [x if x <= share else next(rest) for x in wide]


def _write(paragraph: Any, text: str) -> None:
    """Text, in which backquotes mark what is typed."""
    pieces = text.split("`")
    if len(pieces) % 2 == 0:
        pieces = [text]
    for k, piece in enumerate(pieces):
        run = paragraph.add_run(piece)
        if k % 2:
            run.font.name = "Consolas"


def _barred(paragraph: Any) -> Any:
    """With a bar at the left."""
    borders = OxmlElement("w:pBdr")
    left = OxmlElement("w:left")
    for key, value in (("val", "single"), ("sz", "12"), ("space", "8"), ("color", "808080")):
        left.set(qn(f"w:{key}"), value)
    borders.append(left)
    paragraph._p.get_or_add_pPr().append(borders)
    paragraph.paragraph_format.left_indent = Mm(5)
    return paragraph
