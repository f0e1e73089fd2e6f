"""Articles as other programs store them: Word, spreadsheets, PDF, tables of reStructuredText."""

import io
from html import escape

from articles.notations import sign, tex


def _bytes(save):
    out = io.BytesIO()
    save(out)
    return out.getvalue()


def _subscripted(name):
    base, _, below = name.partition("_")
    made = f"<m:r><m:t>{escape(base)}</m:t></m:r>"
    if not below:
        return made
    return f"<m:sSub><m:e>{made}</m:e><m:sub><m:r><m:t>{below}</m:t></m:r></m:sub></m:sSub>"


SPACE = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
FENCE = "<m:dPr><m:begChr m:val='['/><m:endChr m:val=']'/></m:dPr>"


def word(page):
    """Equations of Word."""
    import docx
    from docx.oxml import parse_xml

    document = docx.Document()
    for s in page.shown:
        rows = "".join(
            f"<m:mr>{''.join(f'<m:e><m:r><m:t>{sign(x)}</m:t></m:r></m:e>' for x in row)}</m:mr>"
            for row in s.rows
        )
        document.add_paragraph(page.lead(s))
        document.add_paragraph()._p.append(parse_xml(
            f"<m:oMath {SPACE}>{_subscripted(s.name)}<m:r><m:t>=</m:t></m:r>"
            f"<m:d>{FENCE}<m:e><m:m>{rows}</m:m></m:e></m:d></m:oMath>"
        ))  # fmt: skip
    return _bytes(document.save), "a.docx"


def word_tables(page):
    """A table of Word for each matrix, with a word before each row."""
    import docx

    document = docx.Document()
    for s in page.shown:
        document.add_paragraph(f"{page.lead(s)} {s.plain_head()}:")
        table = document.add_table(len(s.rows), len(s.rows[0]) + 1)
        for i, row in enumerate(s.rows):
            table.cell(i, 0).text = page.words.row.format(i + 1)
            for j, x in enumerate(row):
                table.cell(i, j + 1).text = sign(x)
    return _bytes(document.save), "a.docx"


def sheet(page):
    """A spreadsheet: the name, and below it the numbers as numbers."""
    import openpyxl

    book = openpyxl.Workbook()
    at = 1
    for s in page.shown:
        book.active.cell(at, 1, s.name)
        for i, row in enumerate(s.rows, at + 1):
            for j, x in enumerate(row, 2):
                book.active.cell(i, j, x if x == "-inf" else float(x))
        at += len(s.rows) + 2
    return _bytes(book.save), "a.xlsx"


def paper(page):
    """A page of PDF for each matrix."""
    from reportlab.pdfgen import canvas

    def save(out):
        drawn = canvas.Canvas(out)
        for s in page.shown:
            lines = drawn.beginText(60, 780)
            lines.textLine(f"{s.name} =")
            for row in s.rows:
                lines.textLine(" ".join(row))
            drawn.drawText(lines)
            drawn.showPage()
        drawn.save()

    return _bytes(save), "a.pdf"


def list_tables(page):
    """The list-table of reStructuredText."""

    def of(s):
        heads = "".join(f"     - c{j}\n" for j in range(len(s.rows[0])))
        rows = "".join(
            f"   * - t{i}\n" + "".join(f"     - {sign(x)}\n" for x in row)
            for i, row in enumerate(s.rows)
        )
        return f"{page.lead(s)} `{s.name}`:\n\n.. list-table::\n\n   * -\n{heads}{rows}"

    return "\n".join(map(of, page.shown)), "a.rst"


def knitted(page):
    """R Markdown with what R prints behind ##."""

    def of(s):
        heads = " ".join(f"[,{j}]".rjust(8) for j in range(1, len(s.rows[0]) + 1))
        rows = [f"[{i},] " + " ".join(x.rjust(8) for x in r) for i, r in enumerate(s.rows, 1)]
        printed = "\n".join(f"## {line}" for line in ("     " + heads, *rows))
        return f"{page.lead(s)} `{s.name}`:\n\n```\n{printed}\n```"

    return "\n\n".join(map(of, page.shown)), "a.Rmd"


def julia(page):
    """What Julia prints."""

    def of(s):
        size = f"{len(s.rows)}×{len(s.rows[0])} Matrix{{Float64}}:"
        rows = "\n".join(" " + "".join(x.ljust(9) for x in row).rstrip() for row in s.rows)
        return f"`{s.name}`\n\n```\n{size}\n{rows}\n```"

    return "\n\n".join(map(of, page.shown)), "a.md"


def braces(page):
    """Mathematica."""

    def of(s):
        rows = ", ".join("{" + ", ".join(row) + "}" for row in s.rows)
        return f"{s.name.replace('_', '')} = {{{rows}}}"

    return "\n".join(map(of, page.shown)), "a.wl"


def starred(page):
    """pmatrix* with a column aligned, and the minus sign of typesetters."""

    def of(s):
        rows = r" \\ ".join(" & ".join(row) for row in s.rows).replace("-", "−")
        return f"\\[ {tex(s.name)} = \\begin{{pmatrix*}}[r] {rows} \\end{{pmatrix*}} \\]"

    return "\n\n".join(map(of, page.shown)), "a.md"


FILES = {
    f.__name__: f
    for f in (word, word_tables, sheet, paper, list_tables, knitted, julia, braces, starred)
}
