"""Pages as Markdown with mathematics as GitHub reads it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from derive.exact.ink import LATEX
from derive.exact.write import Writer
from derive.render import forms
from derive.render.blocks import (
    Abreast,
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
)
from derive.render.latex import _Printer

_SHADES = "░▒▓██"
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|$~])")


def markdown(page: Page, fence: str = "math") -> str:
    """The page; `fence` is "math" for GitHub's blocks, "dollars" where notebooks expect $$."""
    printer = _Markdown(page, fence)
    return "\n\n".join(printer.block(block) for block in page.blocks) + "\n"


class _Markdown(_Printer):
    def __init__(self, page: Page, fence: str) -> None:
        super().__init__(page)
        self.fence = fence
        self.writer = Writer(LATEX, page.names)

    def block(self, block: Any) -> str:
        match block:
            case Heading(text, level):
                place = f'<a id="{block.anchor}"></a>' if block.anchor else ""
                return "#" * level + " " + place + _escaped(text)
            case Contents() | Abreast() | Form():
                return self.arranged(block)
            case Text(content):
                return self.inline(content)
            case Note(content):
                return "> " + self.inline(content)
            case Table(header, rows, numbers):
                return self.table(header, rows, numbers)
            case Heatmap(label, rows, columns, cells):
                lines = [
                    (name, *(f"{_SHADES[int(4 * shade)]} {text}" for text, shade in row))
                    for name, row in zip(rows, cells, strict=True)
                ]
                return self.table(("", *columns), lines, ()) + f"\n\n{_escaped(label)}"
            case Plot(label):
                return _escaped(label)
            case Formulas() | Equations():
                return self.fenced(super().block(block))
        raise TypeError(f"markdown: no rule for {type(block).__name__}")

    def form(self, block: Form) -> str:
        return forms.markdown(self, block)

    def contents(self, title: str, entries: Sequence[Listed]) -> str:
        return f"## {_escaped(title)}\n\n" + "\n".join(map(_chapter, entries))

    def abreast(self, *sides: Sequence[Any]) -> str:
        return "\n\n".join(self.block(block) for blocks in sides for block in blocks)

    def table(self, header: Sequence[Any], rows: Sequence[Any], numbers: Sequence[int]) -> str:
        lines = ["| " + " | ".join(map(self.inline, row)) + " |" for row in (header, *rows)]
        rule = "|" + "|".join("--:" if k in numbers else "---" for k in range(len(header))) + "|"
        return "\n".join([lines[0], rule, *lines[1:]])

    def inline(self, content: Any) -> str:
        parts = (content,) if isinstance(content, str) else content
        return "".join(_escaped(p) if isinstance(p, str) else self.dollars(p) for p in parts)

    def dollars(self, x: Any) -> str:
        text = self.math(x)
        return f"$`{text}`$" if self.fence == "math" else f"${text}$"

    def fenced(self, body: str) -> str:
        # Both places know aligned and gathered inside a block, not align* around one.
        body = body.replace("{align*}", "{aligned}").replace("{gather*}", "{gathered}")
        if self.fence == "math":
            return f"```math\n{body}\n```"
        # KaTeX, which some notebooks use, knows no space between columns.
        return "$$\n" + body.replace("@{}", "") + "\n$$"


def _chapter(entry: Listed) -> str:
    """A chapter in the list, its steps in the line under it."""
    steps = " · ".join(map(_link, entry.under))
    return f"- {_link(entry)}" + f"\\\n  {steps}" * bool(steps)


def _link(entry: Listed) -> str:
    return f"[{_escaped(entry.text)}](#{entry.anchor})"


def _escaped(text: str) -> str:
    # Backquotes in the phrases mark code, which Markdown has as well.
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(p if p.startswith("`") else _SPECIAL.sub(r"\\\1", p) for p in parts)
