"""Each kind of block as HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Any

from derive.render import forms
from derive.render.blocks import (
    Abreast,
    Contents,
    Equations,
    Form,
    Formulas,
    Heading,
    Heatmap,
    Inline,
    Listed,
    Note,
    Page,
    Plot,
    Table,
    Text,
)
from derive.render.html.heatmap import svg
from derive.render.html.mathml import mathml
from derive.render.html.plot import svg as plotted
from derive.render.latex import _Printer

_ENTRY = re.compile(r"\S{1,16}\[\d+\]\[\d+\]")
"""The name of an entry, which stands on one line."""


class Printer(_Printer):
    """Prints the blocks of one page; mathematics is broken into lines as LaTeX breaks it."""

    def __init__(self, page: Page) -> None:
        """The page gives the names its mathematics is written with."""
        super().__init__(page)
        self.heatmaps = 0

    def block(self, block: Any) -> str:
        """One block; TypeError where there is no rule for it."""
        match block:
            case Heading(text, level):
                tag, place = f"h{min(level, 6)}", f' id="{block.anchor}"' if block.anchor else ""
                return f"<{tag}{place}>{self.text(text)}</{tag}>"
            case Contents() | Abreast() | Form():
                return self.arranged(block)
            case Text(content):
                return f"<p>{self.inline(content)}</p>"
            case Note(content):
                return f'<p class="note" role="note">{self.inline(content)}</p>'
            case Formulas(chains):
                return self.flowing([self.math(chain) for chain in chains])
            case Equations():
                latex = super().block(block)
                return self.display([latex], latex)
            case Table(header, rows, numbers):
                made = self.table(header, rows, numbers)
                return made.replace("<table>", '<table class="form">', 1) if block.is_form else made
            case Heatmap():
                return self.heatmap(block)
            case Plot():
                return self.plot(block)
        raise TypeError(f"html: no rule for {type(block).__name__}")

    def form(self, block: Form) -> str:
        """What there is to write on."""
        return forms.html(self, block)

    def contents(self, title: str, entries: Sequence[Listed]) -> str:
        """Links to the chapters, and to the steps of each."""
        name = self.text(title)
        return f'<nav aria-label="{name}">\n<p>{name}</p>\n{self.links(entries)}</nav>'

    def links(self, entries: Sequence[Listed]) -> str:
        """A list of links, each with the list of what is under it."""
        lines = (
            f'<li><a href="#{entry.anchor}">{self.text(entry.text)}</a>'
            + (f"\n{self.links(entry.under)}" if entry.under else "")
            + "</li>\n"
            for entry in entries
        )
        return f"<ol>\n{''.join(lines)}</ol>\n"

    def abreast(self, *sides: Sequence[Any]) -> str:
        """Side by side where the window is wide enough."""
        left, right = ("\n".join(map(self.block, blocks)) for blocks in sides)
        return f'<div class="abreast">\n<div>\n{left}\n</div>\n<div>\n{right}\n</div>\n</div>'

    def text(self, text: str) -> str:
        """Escaped, with what stands in backquotes as code."""
        parts = re.split(r"`([^`]*)`", text)
        return "".join(
            f"<code>{escape(part)}</code>" if k % 2 else escape(part)
            for k, part in enumerate(parts)
        )

    def inline(self, content: Inline) -> str:
        """A sentence with its mathematics."""
        parts = (content,) if isinstance(content, str) else content
        return "".join(self.text(p) if isinstance(p, str) else mathml(self.math(p)) for p in parts)

    # --- mathematics on lines of its own

    def flowing(self, formulas: Sequence[str]) -> str:
        """Formulas that the browser puts on as few lines as it can."""
        rows = " \\\\\n".join(formulas)
        return self.display(formulas, f"\\begin{{gather*}}\n{rows}\n\\end{{gather*}}")

    def display(self, formulas: Sequence[str], source: str) -> str:
        """The formulas, and the LaTeX to copy."""
        shown = "".join(mathml(latex, is_display=True) for latex in formulas)
        return (
            f'<figure>\n{_scrolling(shown, "math")}\n<div class="source"><details>'
            f"<summary>LaTeX</summary><pre><code>{escape(source)}</code></pre></details></div>\n"
            "</figure>"
        )

    def table(self, header: Sequence[Inline], rows: Sequence[Any], numbers: Sequence[int]) -> str:
        """Columns of numbers at the right; the first column names its row where it is words."""
        head = "".join(
            _cell("col", k in numbers, self.inline(cell)) for k, cell in enumerate(header)
        )
        body = "\n".join(f"<tr>{self.row(row, numbers)}</tr>" for row in rows)
        thead, tbody = f"<thead>\n<tr>{head}</tr>\n</thead>", f"<tbody>\n{body}\n</tbody>"
        return _scrolling(f"<table>\n{thead}\n{tbody}\n</table>", "table")

    def row(self, row: Sequence[Inline], numbers: Sequence[int]) -> str:
        """The cells of a row."""
        return "".join(
            _cell("row" if k == 0 else "", k in numbers, self.inline(cell))
            for k, cell in enumerate(row)
        )

    def heatmap(self, block: Heatmap) -> str:
        """The map with its label under it."""
        self.heatmaps += 1
        picture = _scrolling(svg(block, f"map{self.heatmaps}"), "map")
        caption = f'<figcaption aria-hidden="true">{self.text(block.label)}</figcaption>'
        return f"<figure>\n{picture}\n{caption}\n</figure>"

    def plot(self, block: Plot) -> str:
        """The curves with their label under them."""
        self.heatmaps += 1
        picture = _scrolling(plotted(block, f"map{self.heatmaps}"), "map")
        caption = f'<figcaption aria-hidden="true">{self.text(block.label)}</figcaption>'
        return f"<figure>\n{picture}\n{caption}\n</figure>"


def _scrolling(content: str, kind: str) -> str:
    """In a box that scrolls sideways where the window is too narrow."""
    return f'<div class="{kind} scroll">{content}</div>'


def _cell(scope: str, is_number: bool, content: str) -> str:
    tag, scoped = ("th", f' scope="{scope}"') if scope else ("td", "")
    aligned = ' class="number"' if is_number else ""
    if _ENTRY.fullmatch(content):
        aligned = ' style="white-space: nowrap"'
    return f"<{tag}{scoped}{aligned}>{content}</{tag}>"
