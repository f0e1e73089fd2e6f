"""How each kind of file is split into prose, code and mathematics."""

from __future__ import annotations

import re
from collections.abc import Callable

from derive.verify.documents.docstrings import documented
from derive.verify.documents.document import (
    PAGES,
    PROGRAMS,
    STRUCTURED,
    TYPESET,
    Document,
    Segment,
)
from derive.verify.documents.macros import expanded
from derive.verify.documents.tabular import tabulated

Reader = Callable[[Segment], list[Segment]]


def segments(whole: Segment, name: str) -> list[Segment]:
    """The segments of an article, by the ending of its name."""
    ending = name.rpartition(".")[2].lower()
    if ending == "ipynb":
        from derive.verify.documents.notebook import cells

        return [part for cell in cells(whole.text, name) for part in _of_cell(cell)]
    return reader(ending)(whole)


def unpacked(data: bytes, name: str, ending: str) -> Document:
    """The document of a file that is a package: Word, a spreadsheet, PDF."""
    if ending in ("xlsx", "xlsm"):
        from derive.verify.documents.sheets import workbook

        return workbook(data, name)
    if ending == "pdf":
        from derive.verify.documents.papers import paper

        return paper(data, name)
    from derive.verify.documents.word import text_of

    text = text_of(data, name)
    return Document(name, text, (Segment(text, range(len(text))),))


def reader(ending: str) -> Reader:
    """What splits files with this ending."""
    if ending in PAGES:
        from derive.verify.documents.pages import page

        return page
    if ending in TYPESET:
        return typeset
    if ending in PROGRAMS:
        return program
    if ending in STRUCTURED:
        from derive.verify.documents.structured import structured

        return structured
    return outlined if ending == "org" else marked


def _of_cell(cell: Segment) -> list[Segment]:
    if cell.kind == "html":
        from derive.verify.documents.pages import page

        return page(cell)
    return marked(cell) if cell.kind == "prose" else _read(cell)


def program(whole: Segment) -> list[Segment]:
    """A source: its code, and what documents it."""
    return _read(whole.cut(0, len(whole.text), "code"))


def _read(part: Segment) -> list[Segment]:
    """What documents a program as an article of its own."""
    return [
        piece
        for found in documented(part)
        for piece in (marked(found) if found.kind == "prose" else [found])
    ]


def marked(whole: Segment) -> list[Segment]:
    """Markdown: prose, with macros and LaTeX tables in place, and code between fences."""
    parts = [part for found in fenced(whole, FENCE) for part in transcripts(found)]
    return [
        piece
        for part in parts
        for piece in (
            [tabulated(expanded(part.seen(STRUCK.sub(blank, part.text))))]
            if part.kind == "prose"
            else _read(part)
        )
    ]


STRUCK = re.compile(
    r"(?<![^\s(\[*_|])~~(?=[^\s~])(?:(?!~~|\n[ \t]*\n).){1,2000}?(?<=[^\s~])~~(?![\w~])"
    r"|<(del|strike)>(?:(?!<(?:del|strike)>).){1,2000}?</\1>", re.S,
)  # fmt: skip
"""What is struck out, which nobody claims."""


TRANSCRIPT = re.compile(
    r"^(?:>>> |julia> |octave(?:\.exe)?:\d+> |In \[\d+\]: |> (?=[\w.]+(?:\[[^\n]{1,80}\])? <- )"
    r"|>> (?=[A-Za-z]\w*(?:[(' ;]|$)))[^\n]*\n?(?:[^\n]+\n?"
    r"|\n+(?=>>>? |julia> |octave|In \[|Out\[|[A-Za-z]\w* =[ \t]*$|[ \t]+-?\d|\["
    r"|> [\w.]+(?:(?:\[[^\n]{1,80}\])? <- |\()))*", re.M,
)  # fmt: skip
"""What is typed behind prompts, and what is printed, up to an empty line before other words."""


def transcripts(part: Segment) -> list[Segment]:
    """Prose, and the transcripts in it as code."""
    if part.kind != "prose" or not TRANSCRIPT.search(part.text):
        return [part]
    parts, last = [], 0
    for found in TRANSCRIPT.finditer(part.text):
        parts += [part.cut(last, found.start(), "prose"), part.cut(*found.span(), "code")]
        last = found.end()
    parts.append(part.cut(last, len(part.text), "prose"))
    return [piece for piece in parts if piece.text.strip()]


FENCE = re.compile(
    r"^[ \t>]*+(`{3,}+|~{3,}+)[^\n]*+\n(.*?)(?:^[ \t>]*\1[`~]*[ \t]*$|\Z)", re.M | re.S
)
BLOCK = re.compile(
    r"^[ \t]*#\+begin_(src|example)\b[^\n]*\n(.*?)(?:^[ \t]*#\+end_\1\b|\Z)", re.M | re.S | re.I
)


def fenced(whole: Segment, fence: re.Pattern[str]) -> list[Segment]:
    """Prose and the code between fences."""
    parts, last = [], 0
    for found in fence.finditer(whole.text):
        parts.append(whole.cut(last, found.start(), "prose"))
        parts.append(whole.cut(found.start(2), found.end(2), "code"))
        last = found.end()
    parts.append(whole.cut(last, len(whole.text), "prose"))
    return [part for part in parts if part.text.strip()]


_RESULT = re.compile(r"^[ \t]*:(?= |$)|^[ \t]*#\+[^\n]*", re.M)


def outlined(whole: Segment) -> list[Segment]:
    """Org files: blocks of code, and results behind colons."""
    parts = fenced(whole, BLOCK)
    return [p if p.kind == "code" else p.seen(_RESULT.sub(blank, p.text)) for p in parts]


UNSEEN = re.compile(
    r"(?<!\\)%[^\n]*|\\begin\{(comment|verbatim)\}.*?(?:\\end\{\1\}|\Z)"
    r"|\\sout\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\}){1,2000}\}", re.S,
)  # fmt: skip
BEGIN = re.compile(r"\\begin\{document\}")
END = re.compile(r"\\end\{document\}")


def typeset(whole: Segment) -> list[Segment]:
    """A LaTeX document: its comments blanked, its macros in place, the body alone."""
    made = expanded(whole.seen(UNSEEN.sub(blank, whole.text)))
    begin, end = BEGIN.search(made.text), END.search(made.text)
    body = made.cut(begin.end() if begin else 0, end.start() if end else len(made.text), "prose")
    return [tabulated(body)]


def blank(found: re.Match[str]) -> str:
    """Spaces in place of what was found, its lines kept."""
    return re.sub(r"[^\n]", " ", found[0])
