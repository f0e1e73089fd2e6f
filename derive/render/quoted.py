"""A quoted line with what is marked in it, in each format: text, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape
from typing import Any

from derive.render.blocks import Quoted
from derive.render.wrap import columns

WIDTH = 78
"""A quotation for a terminal is cut to so many columns around what is marked."""


def latex(block: Quoted) -> str:
    """In typewriter, what is marked underlined."""
    from derive.render.latex import escaped

    parts = (
        rf"\underline{{\textbf{{{escaped(text)}}}}}" if is_marked else _breaking(text, escaped)
        for text, is_marked in block.parts
    )
    return r"\begin{quote}\ttfamily\small\raggedright " + "".join(parts) + r"\end{quote}"


def _breaking(text: str, escaped: Callable[[str], str]) -> str:
    """A text that may go on in the next line behind any sign, and inside of long words."""
    pieces = re.findall(r"[\w.]{1,24}[^\w.]?|[^\w.]", text)
    joined = r"\hspace{0pt}".join(map(escaped, pieces))
    return re.sub(r"(?<= )\\hspace\{0pt\}|\\hspace\{0pt\}(?= )", "", joined)


def typst(block: Quoted) -> str:
    """With the functions of page.typ."""
    parts = (
        f"#{'marked' if is_marked else 'raw'}({_string(text)})" for text, is_marked in block.parts
    )
    return f"#quoted[{''.join(parts)}]"


def _string(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def markdown(block: Quoted) -> str:
    """As code: what is marked stands between arrows of the line below."""
    text, under = _lines(list(block.parts))
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}text\n{text}\n{under}\n{fence}"


def html(block: Quoted) -> str:
    """With marks."""
    parts = (
        f"<mark>{escape(text)}</mark>" if is_marked else escape(text)
        for text, is_marked in block.parts
    )
    return f'<pre class="quoted">{"".join(parts)}</pre>'


def terminal(printer: Any, block: Quoted) -> str:
    """With carets below."""
    text, under = _lines(list(_cut(block)))
    return f"  {text}\n  {printer.painted(under, '1;31')}"


def _lines(parts: list[tuple[str, bool]]) -> tuple[str, str]:
    text = "".join(text for text, _ in parts)
    under = "".join(("^" if is_marked else " ") * columns(text) for text, is_marked in parts)
    return text, under.rstrip()


def _cut(block: Quoted) -> Iterator[tuple[str, bool]]:
    """The part of the line around what is marked that fits a terminal."""
    letters = [(letter, is_marked) for text, is_marked in block.parts for letter in text]
    marks = [k for k, (_, is_marked) in enumerate(letters) if is_marked]
    start, end = 0, len(letters)
    while columns("".join(c for c, _ in letters[start:end])) > WIDTH - 2:
        if marks and marks[0] - start > end - marks[-1]:
            start += 1
        else:
            end -= 1
    if start:
        yield "…", False
    yield from letters[start:end]
    if end < len(letters):
        yield "…", False
