"""What there is to write on in a Word document: lines, empty boxes, room, answers to be ticked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from docx.enum.table import WD_ALIGN_VERTICAL, WD_ROW_HEIGHT_RULE, WD_TABLE_ALIGNMENT
from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_TAB_ALIGNMENT, WD_TAB_LEADER
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Mm, Pt
from docx.text.paragraph import Paragraph

from derive.exact.ink import UNICODE
from derive.render.blocks import Break, Cells, Choice, Fields, Space
from derive.render.docx.maths import equation
from derive.render.docx.style import ROOM
from derive.render.forms import box_width, lettered

LINE, HIGH, NAME = 15, 8, 20
"""Points of a line of writing; millimetres of a box, and of the name before a matrix."""


def fields(printer: Any, block: Fields) -> None:
    """Lines to write on, each behind its label, as tabs that are led by a line."""
    paragraph = printer.document.add_paragraph()
    step = ROOM / len(block.labels)
    for k, label in enumerate(block.labels, 1):
        stop = Mm(step * k - 3 * (k < len(block.labels)))
        stops = paragraph.paragraph_format.tab_stops
        stops.add_tab_stop(stop, WD_TAB_ALIGNMENT.LEFT, WD_TAB_LEADER.LINES)
        paragraph.add_run(f"{label} \t" + " " * (k < len(block.labels)))
    paragraph.paragraph_format.space_after = Pt(12)


def cells(printer: Any, block: Cells) -> None:
    """A table: the name at the left of its boxes."""
    rows, columns = len(block.rows), len(block.rows[0])
    table = printer.document.add_table(rows, columns + 1)
    table.alignment, table.autofit = WD_TABLE_ALIGNMENT.CENTER, False
    name = table.cell(0, 0).merge(table.cell(rows - 1, 0))
    _maths(name, printer.maths.text(block.first), WD_ALIGN_PARAGRAPH.RIGHT)
    name.paragraphs[0].add_run(" =")
    widths(table, [Mm(NAME), *[Mm(box_width(block.rows) + 3)] * columns])
    for i, row in enumerate(block.rows):
        table.rows[i]._tr.get_or_add_trPr().append(OxmlElement("w:cantSplit"))
        table.rows[i].height, table.rows[i].height_rule = Mm(HIGH), WD_ROW_HEIGHT_RULE.AT_LEAST
        for j, x in enumerate(row, 1):
            cell = table.cell(i, j)
            _ruled(cell)
            if x is not None:
                _maths(cell, printer.maths.text(x), WD_ALIGN_PARAGRAPH.CENTER)
    _together(table)
    printer.gap()


def _together(table: Any) -> None:
    """On one page: rows whose paragraphs stay with the next, and those that are merged as well."""
    rows = table._tbl.tr_lst
    for row in rows:
        row.tc_lst[0].width = Mm(NAME)
    for paragraph in (p for row in rows[:-1] for p in row.iter(qn("w:p"))):
        Paragraph(paragraph, None).paragraph_format.keep_with_next = True  # type: ignore[arg-type]


def widths(table: Any, wide: Sequence[Any]) -> None:
    """Columns of these widths, for the programs that read them from columns and from cells."""
    for column, width in zip(table.columns, wide, strict=True):
        column.width = width
    for row in table.rows:
        for cell, width in zip(row.cells, wide, strict=True):
            cell.width = width


def _maths(cell: Any, text: str, side: Any) -> None:
    paragraph = cell.paragraphs[0]
    paragraph._p.append(equation(text))
    paragraph.alignment = side
    paragraph.paragraph_format.space_after = Pt(0)
    cell.vertical_alignment = WD_ALIGN_VERTICAL.CENTER


def _ruled(cell: Any) -> None:
    borders = OxmlElement("w:tcBorders")
    for side in ("top", "left", "bottom", "right"):
        line = OxmlElement(f"w:{side}")
        for key, value in (("val", "single"), ("sz", "4"), ("space", "0"), ("color", "404040")):
            line.set(qn(f"w:{key}"), value)
        borders.append(line)
    cell._tc.get_or_add_tcPr().append(borders)


def space(printer: Any, block: Space) -> None:
    """Room below an empty paragraph, which is pushed away as one writes."""
    paragraph = printer.document.add_paragraph()
    paragraph.paragraph_format.space_after = Pt(LINE * block.lines)


def choice(printer: Any, block: Choice) -> None:
    """The name, and a box before each numeral."""
    paragraph = printer.document.add_paragraph()
    paragraph._p.append(equation(printer.maths.text(block.first)))
    paragraph.add_run(" = ")
    for letter, option in lettered(block):
        numeral = UNICODE.numeral(option.numeral)
        paragraph.add_run(f"\N{EM SPACE}\N{BALLOT BOX}\N{NO-BREAK SPACE}{letter}. {numeral}")


def break_(printer: Any, block: Break) -> None:
    """A section of its own."""
    printer.section()


FORMS: Mapping[type, Callable[[Any, Any], None]] = {
    Break: break_,
    Cells: cells,
    Choice: choice,
    Fields: fields,
    Space: space,
}
