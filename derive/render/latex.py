r"""Pages as LaTeX: a whole document, or the body to be \input into one that loads amsmath."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from derive.exact.ink import LATEX, RULER
from derive.exact.names import GREEK, GREEK_LETTERS
from derive.exact.write import Writer
from derive.render.blocks import (
    RELATIONS,
    Chain,
    Equations,
    Formulas,
    Heading,
    Note,
    Page,
    Text,
    Worked,
)

LINE = 76
"""About how many characters of mathematics fit a line."""

ESCAPES = str.maketrans(
    {c: rf"\{c}" for c in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}
    | {sign: f"${GREEK[name]}$" for name, sign in GREEK_LETTERS.items()}
    | {
        "`": r"\textasciigrave{}",
        "∞": r"$\infty$",
        "−": "$-$",
        "×": r"$\times$",
        "<": "$<$",
        ">": "$>$",
    }
)

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
\usepackage[margin=25mm]{geometry}
\setcounter{MaxMatrixCols}{64}
\setcounter{secnumdepth}{0}
\allowdisplaybreaks
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


def document(page: Page) -> str:
    """A complete document that compiles with XeLaTeX (and pdfLaTeX, where all text is Latin)."""
    lang = "zh" if page.lang == "zh" or _has_cjk(page) else "en"
    title = page.title.translate(ESCAPES)
    head = f"{PREAMBLE[lang]}{PACKAGES}"
    body = fragment(Page(page.title, page.lang, page.blocks[1:], page.names))
    top = f"\\begin{{center}}\n{{\\LARGE\\bfseries {title}\\par}}\n\\end{{center}}"
    return f"{head}\n\\begin{{document}}\n{top}\n\n{body}\n\\end{{document}}\n"


def fragment(page: Page) -> str:
    """The blocks alone."""
    printer = _Printer(page)
    text, before = "", None
    for block in page.blocks:
        # A display belongs to the paragraph above it: no blank line, so no page break between.
        close = isinstance(block, (Formulas, Equations)) and not isinstance(before, Heading)
        text += ("\n" if close else "\n\n") * bool(text) + printer.block(block)
        before = block
    return text + "\n"


class _Printer:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.writer = Writer(LATEX, page.names)

    def block(self, block: Any) -> str:
        match block:
            case Heading(text, level):
                return rf"\{'section' if level < 3 else 'subsection'}*{{{text.translate(ESCAPES)}}}"
            case Text(content):
                return self.inline(content)
            case Note(content):
                return rf"\emph{{{self.inline(content)}}}"
            case Formulas(chains):
                return self.formulas(chains)
            case Equations(chains, columns):
                if columns > 1 and max(map(self.width, chains)) + 5 <= LINE // columns:
                    return _display(self.side_by_side(chains, columns))
                return _display([line for chain in chains for line in self.lines(chain)])
        raise TypeError(f"latex: no rule for {type(block).__name__}")

    def inline(self, content: Any) -> str:
        parts = (content,) if isinstance(content, str) else content
        return "".join(
            p.translate(ESCAPES) if isinstance(p, str) else f"${self.math(p)}$" for p in parts
        )

    def math(self, x: Any, ruler: bool = False) -> str:
        ink = RULER if ruler else LATEX
        match x:
            case Chain(first, rest):
                sides = (
                    f" {RELATIONS[r][int(ruler)]} {self.math(side, ruler)}" for r, side in rest
                )
                return self.math(first, ruler) + "".join(sides)
            case Worked(term, values):
                return Writer(ink, self.page.names, values).text(term)
        return self.writer.text(x) if not ruler else Writer(ink, self.page.names).text(x)

    def width(self, x: Any) -> int:
        return width(self.page, x)

    def formulas(self, chains: tuple[Chain, ...]) -> str:
        """Side by side while they fit a line."""
        lines, used = [[]], 0  # type: ignore[var-annotated]
        for chain in chains:
            wide = self.width(chain) + 4
            if lines[-1] and used + wide > LINE:
                lines.append([])
                used = 0
            lines[-1].append(self.math(chain))
            used += wide
        rows = " \\\\\n".join(" \\qquad ".join(line) for line in lines)
        return f"\\begin{{gather*}}\n{rows}\n\\end{{gather*}}"

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
        first, used = self.math(chain.first), self.width(chain.first)
        line = first
        for k, (relation, side) in enumerate(chain.rest):
            sign, wide = RELATIONS[relation][0], self.width(side) + 3
            text = self.broken(side) if wide > LINE else self.math(side)
            if k and used + wide > LINE:
                yield line
                line, used = "", self.width(chain.first)
            line += f" &{sign} {text}" if k == 0 or not line else f" {sign} {text}"
            used += wide
        yield line

    def broken(self, side: Any) -> str:
        """A long sum on several lines, broken before its plus signs."""
        terms = getattr(getattr(side, "term", side), "terms", None)
        if not terms:
            return self.math(side)
        values = side.values if isinstance(side, Worked) else None
        writer, ruler = (
            Writer(LATEX, self.page.names, values),
            Writer(RULER, self.page.names, values),
        )
        text, used = "", 0
        for k, term in enumerate(terms):
            piece, wide = writer.bracketed(writer.piece(term), 1), len(ruler.text(term)) + 3
            if k and used + wide > LINE - 12:
                text += " \\\\\n &\\quad"
                used = 0
            text += f" + {piece}" if k else piece
            used += wide
        return text


def width(page: Page, x: Any) -> int:
    """About how many characters wide a piece of mathematics is on paper."""
    from derive.exact.trace import Grid, MatrixProduct

    match x:
        case Chain(first, rest):
            return width(page, first) + sum(width(page, side) + 3 for _, side in rest)
        case Worked(term, values):
            return len(Writer(RULER, page.names, values).text(term))
        case Grid(rows):
            columns = zip(*rows, strict=True)
            writer = Writer(RULER, page.names)
            return 2 + sum(max(len(writer.text(e)) for e in column) + 2 for column in columns)
        case MatrixProduct(factors):
            return sum(width(page, factor) for factor in factors)
    return len(Writer(RULER, page.names).text(x))


def _display(lines: list[str]) -> str:
    return "\\begin{align*}\n" + " \\\\\n".join(lines) + "\n\\end{align*}"


def _has_cjk(page: Page) -> bool:
    texts = (str(getattr(b, "content", getattr(b, "text", ""))) for b in page.blocks)
    return any("\u2e80" <= c <= "\uffef" for text in texts for c in text)
