"""What there is to write on, in each format: lines with labels, empty boxes, room, page breaks.

Each function prints a block of `derive.render.blocks.FORMS` with the printer of its format, which
spells mathematics.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import Any

from derive.exact.ink import LATEX, UNICODE
from derive.exact.typst_ink import TYPST
from derive.render import quoted
from derive.render.blocks import Break, Cells, Choice, Fields, Option, Quoted, Space

WIDEST, ROOM = 17, 140
"""Millimetres of a box, and of a line of them."""
GAP = 3
"""What stands between two boxes, in millimetres."""
EMPTY = "______"
LETTERS = "ABCDEFGH"
"""Of the answers that can be chosen, so that there are no more of them."""


def lettered(block: Choice) -> Iterator[tuple[str, Option]]:
    """Each answer with its letter."""
    return zip(LETTERS, block.options, strict=False)


def box_width(rows: Sequence[Sequence[Any]]) -> int:
    """How wide, in millimetres, the boxes of a matrix may be."""
    return max(6, min(WIDEST, ROOM // len(rows[0]) - GAP))


def latex(printer: Any, block: Any) -> str:
    """With amsmath and nothing else."""
    match block:
        case Fields(labels):
            lines = (rf"{printer.inline(label)}~\hrulefill" for label in labels)
            return "\\noindent " + r"\quad ".join(lines) + r"\par\nopagebreak\medskip"
        case Cells(first, rows):
            inside = rf"\framebox[{box_width(rows)}mm]{{\rule[-2.5mm]{{0pt}}{{7.5mm}}}}"
            box = rf"\rule[-4.3mm]{{0pt}}{{11.1mm}}{inside}"
            body = " \\\\\n".join(_cells(printer.math, row, box, " & ") for row in rows)
            columns = "@{\\ }".join("c" * len(rows[0]))
            array = f"\\begin{{array}}{{{columns}}}\n{body}\n\\end{{array}}"
            return f"\\[\n{printer.math(first)} = \\left[\\,{array}\\,\\right]\n\\]"
        case Space(count):
            return rf"\vspace{{{count}\baselineskip}}"
        case Break():
            return "\\clearpage\\setcounter{page}{1}"
        case Choice(first, _):
            box = r"\framebox[3.2mm]{\rule{0pt}{1.6mm}}"
            every = (rf"\quad {box}~{x}.~${LATEX.numeral(o.numeral)}$" for x, o in lettered(block))
            return rf"\noindent ${printer.math(first)} ={{}}$" + "".join(every) + r"\par\smallskip"
        case Quoted():
            return quoted.latex(block)
    raise TypeError(f"latex: no rule for {type(block).__name__}")


def typst(printer: Any, block: Any) -> str:
    """With the functions of page.typ."""
    match block:
        case Fields(labels):
            return f"#fields({''.join(f'[{printer.inline(label)}], ' for label in labels)})"
        case Cells(first, rows):
            box = f"#blank({box_width(rows)}mm)"
            body = " ; ".join(_cells(printer.math, row, box, ", ") for row in rows)
            return f"$ {printer.math(first)} = mat(row-gap: #0.35em, column-gap: #0.5em, {body}) $"
        case Space(count):
            return f"#space({count})"
        case Break():
            return "#pagebreak(weak: true)\n#counter(page).update(1)"
        case Choice(first, _):
            every = (f"#option[{x}][${TYPST.numeral(o.numeral)}$]" for x, o in lettered(block))
            return f"#options[${printer.math(first)} =$][{''.join(every)}]"
        case Quoted():
            return quoted.typst(block)
    raise TypeError(f"typst: no rule for {type(block).__name__}")


def markdown(printer: Any, block: Any) -> str:
    """Boxes of the size of a numeral; room is left empty."""
    match block:
        case Fields(labels):
            return " \u2003 ".join(
                f"{printer.inline(label)} {EMPTY * 3}" for label in labels
            ).replace("_", "\\_")
        case Cells(first, rows):
            box = r"\boxed{\phantom{-00.000}}"
            body = " \\\\\n".join(_cells(printer.math, row, box, " & ") for row in rows)
            array = f"\\begin{{bmatrix}}\n{body}\n\\end{{bmatrix}}"
            return str(printer.fenced(f"{printer.math(first)} = {array}"))
        case Space(count):
            return "\n".join(["<br>"] * count)
        case Break():
            return "---"
        case Choice(first, _):
            every = (f"☐ {x}. {UNICODE.numeral(o.numeral)}" for x, o in lettered(block))
            return " \u2003 ".join([printer.dollars(first) + " =", *every])
        case Quoted():
            return quoted.markdown(block)
    raise TypeError(f"markdown: no rule for {type(block).__name__}")


def html(printer: Any, block: Any) -> str:
    """Boxes as cells of a table, which can be written on when it is printed."""
    from derive.render.html.mathml import mathml

    match block:
        case Fields(labels):
            lines = (f"<span>{printer.inline(label)}</span><u></u>" for label in labels)
            return f'<p class="fields">{"".join(lines)}</p>'
        case Cells(first, rows):
            body = "".join(f"<tr>{''.join(_html_cells(printer, row))}</tr>" for row in rows)
            name = mathml(f"{printer.math(first)} =")
            return f'<div class="cells">{name}<table class="grid">{body}</table></div>'
        case Space(count):
            return '<div class="room">' + "<br>" * count + "</div>"
        case Break():
            return '<hr class="break">'
        case Choice(first, _):
            every = (f"<li>☐ {x}. {UNICODE.numeral(o.numeral)}</li>" for x, o in lettered(block))
            name = mathml(f"{printer.math(first)} =")
            return f'<div class="options">{name}<ul>{"".join(every)}</ul></div>'
        case Quoted():
            return quoted.html(block)
    raise TypeError(f"html: no rule for {type(block).__name__}")


def _html_cells(printer: Any, row: Sequence[Any]) -> Iterator[str]:
    from derive.render.html.mathml import mathml

    for x in row:
        empty = f'<td class="empty"><span>{escape(EMPTY)}</span></td>'
        yield empty if x is None else f"<td>{mathml(printer.math(x))}</td>"


def terminal(printer: Any, block: Any) -> str:
    """Boxes as lines."""
    match block:
        case Fields(labels):
            return "  ".join(f"{printer.inline(label)} {EMPTY * 2}" for label in labels)
        case Cells(first, rows):
            return "\n".join(_terminal_rows(printer, printer.line(first), rows))
        case Space(count):
            return "\n" * min(count, 2)
        case Break():
            return "─" * 80
        case Choice(first, _):
            every = (f"☐ {x}. {UNICODE.numeral(o.numeral)}" for x, o in lettered(block))
            return f"  {printer.line(first)} =   {'   '.join(every)}"
        case Quoted():
            return quoted.terminal(printer, block)
    raise TypeError(f"terminal: no rule for {type(block).__name__}")


def _terminal_rows(printer: Any, name: str, rows: Sequence[Sequence[Any]]) -> Iterator[str]:
    cells = [[EMPTY if x is None else printer.line(x) for x in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    middle = (len(rows) - 1) // 2
    for k, row in enumerate(cells):
        head = f"{name} = " if k == middle else " " * (len(name) + 3)
        body = "  ".join(text.rjust(wide) for text, wide in zip(row, widths, strict=True))
        yield f"  {head}[{body}]"


def _cells(spell: Callable[[Any], str], row: Sequence[Any], box: str, between: str) -> str:
    return between.join(box if x is None else spell(x) for x in row)
