r"""Pages as LaTeX: a whole document, or the body to be \input into one that loads amsmath."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from derive.exact.ink import LATEX
from derive.exact.names import GREEK, GREEK_LETTERS
from derive.exact.write import Writer
from derive.render import blocks, forms
from derive.render.blocks import (
    RELATIONS,
    Abreast,
    Cells,
    Chain,
    Contents,
    Equations,
    Form,
    Formulas,
    Heading,
    Heatmap,
    Listed,
    Note,
    Page,
    Plot,
    Table,
    Text,
    Worked,
)
from derive.render.lines import LINE, fit_columns, lines, side_by_side, summands
from derive.render.picture import picture
from derive.render.tables import table_columns
from derive.render.texts import has_cjk

ROOMY = r"{\renewcommand{\arraystretch}{1.5}"
"""Before a table whose cells are lines to write on."""
ESCAPES = str.maketrans(
    {c: rf"\{c}" for c in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}
    | {sign: f"${GREEK[name]}$" for name, sign in GREEK_LETTERS.items()}
    | {
        "`": r"\textasciigrave{}",
        "∞": r"$\infty$",
        "…": r"\ensuremath{\ldots}",
        "≈": r"$\approx$",
        "−": "$-$",
        "×": r"$\times$",
        "√": r"$\surd$",
        **{c: f"$^{k}$" for k, c in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
        "<": "$<$",
        ">": "$>$",
    }
)


def escaped(text: str) -> str:
    """Text in which nothing is a command; signs beside each other are one formula."""
    return text.translate(ESCAPES).replace("$$\\infty", "\\infty").replace(2 * ESCAPES[8230], "……")


PREAMBLE = {
    "en": r"""\documentclass[11pt,a4paper]{article}
\usepackage{iftex}
\ifpdftex
  \usepackage[utf8]{inputenc}
  \usepackage[T1]{fontenc}
  \usepackage{lmodern}
\else
  \usepackage{fontspec}
\fi
""",
    "zh": r"""\documentclass[11pt,a4paper]{ctexart}
""",
}
PACKAGES = r"""\usepackage{amsmath}
\usepackage[table]{xcolor}
\usepackage[margin=25mm]{geometry}
\setcounter{MaxMatrixCols}{64}
\setcounter{secnumdepth}{0}
\allowdisplaybreaks
\csname @beginparpenalty\endcsname=10000
\renewcommand{\arraystretch}{1.15}
\setlength{\parindent}{0pt}
\setlength{\parskip}{4pt plus 1pt}
\AtBeginDocument{%
  \setlength{\abovedisplayskip}{5pt plus 2pt minus 2pt}%
  \setlength{\belowdisplayskip}{5pt plus 2pt minus 2pt}%
  \setlength{\abovedisplayshortskip}{3pt plus 2pt}%
  \setlength{\belowdisplayshortskip}{5pt plus 2pt minus 2pt}%
}
"""


CLOSE = r"""\linespread{1.1}
\ctexset{section={beforeskip=2.2ex plus .5ex, afterskip=1.2ex}}
"""
"""A long page in Chinese stands no wider than in English."""


def document(page: Page) -> str:
    """A complete document that compiles with XeLaTeX (and pdfLaTeX, where all text is Latin)."""
    lang = "zh" if page.lang == "zh" or has_cjk(page) else "en"
    title = escaped(page.title)
    is_long = any(isinstance(block, Contents) for block in page.blocks)
    head = f"{PREAMBLE[lang]}{CLOSE if is_long and lang == 'zh' else ''}{PACKAGES}"
    body = fragment(Page(page.title, page.lang, page.blocks[1:], page.names))
    top = f"\\begin{{center}}\n{{\\LARGE\\bfseries {title}\\par}}\n\\end{{center}}"
    return f"{head}\n\\begin{{document}}\n{top}\n\n{body}\n\\end{{document}}\n"


def fragment(page: Page) -> str:
    """The blocks alone."""
    printer, text, before = _Printer(page), "", None
    for block, after in pairwise((*page.blocks, None)):
        # A display belongs to the paragraph above it: no blank line, so no page break between.
        close = isinstance(block, (Formulas, Equations, Cells)) and not isinstance(before, Heading)
        close |= isinstance(before, Heading) and before.runs_in
        printed = printer.block(block)
        if isinstance(after, Cells) or blocks.stay_together(before, block, after):
            printed = f"\\begin{{samepage}}\n{printed}\n\\end{{samepage}}%"
        text += ("\n" if close else "\n\n") * bool(text) + printed
        before = block
    return text + "\n"


class _Printer:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.writer = Writer(LATEX, page.names)

    def block(self, block: Any) -> str:
        match block:
            case Heading():
                return _heading(block)
            case Contents() | Abreast() | Form():
                return self.arranged(block)
            case Text(content):
                text = self.inline(content)
                return f"{{\\raggedright {text}\\par}}" if block.is_ragged else text
            case Note(content):
                return rf"\emph{{{self.inline(content)}}}"
            case Formulas(chains):
                return self.formulas(chains)
            case Table(header, rows, numbers):
                made = self.table(header, rows, numbers)
                return f"{ROOMY}\n{made}\n}}" if block.is_form else made
            case Heatmap():
                return self.heatmap(block)
            case Plot():
                return _centred(picture(block, escaped) + f"\n\n\\small {escaped(block.label)}")
            case Equations(chains, columns):
                return self.equations(chains, fit_columns(self.page, chains, columns))
        raise TypeError(f"latex: no rule for {type(block).__name__}")

    def inline(self, content: Any) -> str:
        parts = (content,) if isinstance(content, str) else content
        return "".join(_prose(p) if isinstance(p, str) else f"${self.math(p)}$" for p in parts)

    def table(self, header: Sequence[Any], rows: Sequence[Any], numbers: Sequence[int]) -> str:
        columns = "".join(table_columns((header, *rows), numbers))
        lines = [" & ".join(map(self.inline, row)) for row in (header, *rows)]
        # A bracket after the end of a line would be read as room below it.
        lines = ["{}" + line if line.startswith("[") else line for line in lines]
        body = f"{lines[0]} \\\\ \\hline\n" + " \\\\\n".join(lines[1:])
        return _centred(f"\\begin{{tabular}}{{{columns}}}\n{body}\n\\end{{tabular}}")

    def arranged(self, block: Contents | Abreast | Form) -> str:
        """Blocks about other blocks, and what there is to write on."""
        if isinstance(block, Form):
            return self.form(block)
        if isinstance(block, Contents):
            return self.contents(block.title, block.entries)
        return self.abreast(block.left, block.right)

    def form(self, block: Form) -> str:
        """What there is to write on."""
        return forms.latex(self, block)

    def contents(self, title: str, entries: Sequence[Listed]) -> str:
        """The chapters with their pages, each with its steps in a line or two."""
        lines = [rf"{{\bfseries {escaped(title)}\par}}"]
        for entry in entries:
            lines.append(rf"{escaped(entry.text)}\dotfill\pageref{{{_LABELS}{entry.anchor}}}\par")
            if entry.under:
                steps = r" \textperiodcentered\ ".join(escaped(x.text) for x in entry.under)
                lines.append(rf"{{\footnotesize\raggedright\leftskip=1.5em {steps}\par}}")
        return "\n".join(["\\begingroup\\parskip=2pt", *lines, "\\endgroup"])

    def abreast(self, *sides: Sequence[Any]) -> str:
        """Side by side, each on half of the line."""
        texts = ("\n\n".join(map(self.block, blocks)) for blocks in sides)
        parts = [
            f"\\begin{{minipage}}{{0.48\\linewidth}}\n{text}\n\\end{{minipage}}" for text in texts
        ]
        return "\\noindent" + "\\hfill\n".join(parts)

    def heatmap(self, block: Heatmap) -> str:
        """Shades of grey behind the numbers, dark enough to tell and light enough to read."""
        head = " & ".join(["", *(escaped(text) for text in block.columns)])
        lines = [
            " & ".join([escaped(name), *(_shaded(*cell) for cell in row)])
            for name, row in zip(block.rows, block.cells, strict=True)
        ]
        body = " \\\\\n".join([head, *lines])
        columns = "l" + "c" * len(block.columns)
        # Where the document around a fragment has no colours, the numbers stand without shades.
        plain = "\\providecommand{\\cellcolor}[2][]{}\n"
        label = f"\n\n\\small {escaped(block.label)}"
        return plain + _centred(
            f"\\begin{{tabular}}{{{columns}}}\n{body}\n\\end{{tabular}}" + label
        )

    def math(self, x: Any) -> str:
        match x:
            case Chain(first, rest):
                sides = (f" {RELATIONS[r][0]} {self.math(side)}" for r, side in rest)
                return self.math(first) + "".join(sides)
            case Worked(term, values):
                return Writer(LATEX, self.page.names, values).text(term)
        return self.writer.text(x)

    def formulas(self, chains: tuple[Chain, ...]) -> str:
        """Side by side while they fit a line."""
        rows = " \\\\\n".join(
            " \\qquad ".join(map(self.math, row.chains)) for row in side_by_side(self.page, chains)
        )
        return f"\\begin{{gather*}}\n{rows}\n\\end{{gather*}}"

    def equations(self, chains: tuple[Chain, ...], columns: int) -> str:
        """Aligned at their relations, in columns or one below the other."""
        if columns > 1:
            return _display(self.side_by_side(chains, columns))
        return _display([line for chain in chains for line in self.lines(chain)])

    def side_by_side(self, chains: tuple[Chain, ...], columns: int) -> list[str]:
        """Lines of so many chains, each aligned at its first relation."""
        texts = ["".join(self.aligned(chain)) for chain in chains]
        return [" & ".join(texts[k : k + columns]) for k in range(0, len(texts), columns)]

    def aligned(self, chain: Chain) -> Iterator[str]:
        yield self.math(chain.first)
        for k, (relation, side) in enumerate(chain.rest):
            yield f" {'&' if k == 0 else ''}{RELATIONS[relation][0]} {self.math(side)}"

    def lines(self, chain: Chain) -> Iterator[str]:
        """The chain on lines aligned at the relation, as many sides a line as fit."""
        for line in lines(self.page, chain):
            start = "" if line.first is None else self.math(line.first)
            spell = self.broken if line.width > LINE else self.math
            texts = [f"{RELATIONS[r][0]} {spell(side)}" for r, side in line.sides]
            yield start + " &" * bool(texts) + " ".join(texts)

    def broken(self, side: Any) -> str:
        """A long sum on several lines, broken before its plus signs."""
        values = side.values if isinstance(side, Worked) else None
        writer = Writer(LATEX, self.page.names, values)
        parts = [
            " + ".join(writer.bracketed(writer.piece(term), 1) for term in terms)
            for terms in summands(self.page, side)
        ]
        return " \\\\\n &\\quad + ".join(parts) or self.math(side)


_LABELS = "derive-"


def _heading(block: Heading) -> str:
    text, place = escaped(block.text), _label(block.anchor)
    if block.runs_in:
        return rf"\smallskip{place}\textbf{{{text}}}\quad"
    return rf"\{'section' if block.level < 3 else 'subsection'}*{{{text}}}{place}"


def _label(anchor: str) -> str:
    return rf"\label{{{_LABELS}{anchor}}}" if anchor else ""


def _display(lines: list[str]) -> str:
    return "\\begin{align*}\n" + " \\\\\n".join(lines) + "\n\\end{align*}"


def _prose(text: str) -> str:
    """Text in which backquotes mark what is typed."""
    pieces = text.split("`")
    if len(pieces) % 2 == 0:
        return escaped(text)
    return "".join(
        rf"\texttt{{{escaped(piece)}}}" if k % 2 else escaped(piece)
        for k, piece in enumerate(pieces)
    )


def _centred(body: str) -> str:
    return f"\\begin{{center}}\n{body}\n\\end{{center}}"


def _shaded(numeral: str, shade: float) -> str:
    return rf"\cellcolor[gray]{{{1 - 0.6 * shade:.2f}}}${LATEX.numeral(numeral)}$"
