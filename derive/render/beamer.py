r"""Pages as LaTeX slides: a beamer document, a step each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from derive.render.blocks import Contents, Heading, Page, Table
from derive.render.latex import escaped, fragment
from derive.render.texts import has_cjk

# hyperref asks for Zapf Dingbats, of which a small TeX has no metrics and a slide no need.
LENIENT = r"\ifdefined\suppressfontnotfounderror \suppressfontnotfounderror=%s \fi"
MOST_ROWS = 10
"""A table cannot go on over the next slide, so a longer one is several."""
CLASS = {"en": "beamer", "zh": "ctexbeamer"}
PREAMBLE = r"""\usefonttheme{serif}
\usepackage{amsmath}
\setbeamertemplate{navigation symbols}{}
\setbeamertemplate{footline}[frame number]
\setbeamertemplate{frametitle continuation}{}
\setbeamersize{text margin left=8mm, text margin right=8mm}
\setbeamercolor{structure}{fg=black}
\setcounter{MaxMatrixCols}{64}
\allowdisplaybreaks
\renewcommand{\arraystretch}{1.1}
"""


def document(page: Page) -> str:
    """A complete document that compiles with XeLaTeX; steps too long for a slide take several."""
    lang = "zh" if page.lang == "zh" or has_cjk(page) else "en"
    name = rf"\documentclass[10pt,aspectratio=169,xcolor=table]{{{CLASS[lang]}}}"
    head = f"{LENIENT % 1}\n{name}\n{LENIENT % 0}"
    title = rf"{{\LARGE\bfseries {escaped(page.title)}\par}}"
    first = f"\\begin{{frame}}\n\\centering\n{title}\n\\end{{frame}}"
    frames = "\n\n".join([first, *_frames(page)])
    return f"{head}\n{PREAMBLE}\n\\begin{{document}}\n{frames}\n\\end{{document}}\n"


def _frames(page: Page) -> Iterator[str]:
    """A frame for each heading below the title, with the blocks up to the next."""
    blocks: list[Any] = []
    title = chapter = ""
    for block in (*page.blocks, Heading("")):
        if isinstance(block, Heading):
            if blocks:
                yield _frame(page, title, chapter, blocks)
            chapter = "" if not block.runs_in else chapter or title
            title, blocks = block.text, []
        elif isinstance(block, Contents):
            continue  # slides have a heading each and no page to name
        elif isinstance(block, Table):
            blocks += _short_tables(block)
        else:
            blocks.append(block)


def _short_tables(table: Table) -> Iterator[Table]:
    for k in range(0, len(table.rows), MOST_ROWS):
        yield Table(table.header, table.rows[k : k + MOST_ROWS], table.numbers)


def _frame(page: Page, title: str, chapter: str, blocks: Sequence[Any]) -> str:
    body = fragment(Page(page.title, page.lang, tuple(blocks), page.names))
    head = rf"\begin{{frame}}[allowframebreaks]{{{escaped(title)}}}"
    head += f"{{{escaped(chapter)}}}" * bool(chapter)
    return f"{head}\n{body}\\end{{frame}}"
