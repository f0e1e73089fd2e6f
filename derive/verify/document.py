"""An article as segments of text, each character with its place in the file as stored."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from derive.errors import InputError

MAX_BYTES = 50_000_000


@dataclass(frozen=True)
class Segment:
    """A run of text of one kind ("prose", "code" or "math") and the offset of each character."""

    text: str
    offsets: Sequence[int]
    kind: str = "prose"

    def cut(self, start: int, end: int, kind: str) -> Segment:
        """The part from start to end, of another kind."""
        return Segment(self.text[start:end], self.offsets[start:end], kind)


@dataclass(frozen=True)
class Document:
    """A file as stored, and its segments in reading order."""

    name: str
    text: str
    segments: tuple[Segment, ...]

    @cached_property
    def starts(self) -> list[int]:
        """Where each line begins."""
        return [0, *(m.end() for m in re.finditer(r"\r\n|\r|\n", self.text))]

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column, from 1, in code points."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line, without its end."""
        end = self.starts[number] if number < len(self.starts) else len(self.text)
        return self.text[self.starts[number - 1] : end].rstrip("\r\n")


def decoded(data: bytes, name: str) -> str:
    """The text of a file.  InputError where it is too large or no text."""
    if len(data) > MAX_BYTES:
        raise InputError(
            f"{name} is too large to be read as an article",
            expected=f"at most {MAX_BYTES // 1_000_000} MB",
        )
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return _as(data, "utf-16", name)
    if b"\0" in data:
        raise InputError(f"{name} is a binary file", expected="an article as text")
    return _as(data, "utf-8", name)


def _as(data: bytes, encoding: str, name: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        message = f"{name} is not UTF-8 text: byte {error.start + 1} fits no character"
        raise InputError(message, expected="a text file in UTF-8") from None


def document(text: str, name: str = "article.md") -> Document:
    """The segments of an article, read by the ending of its name."""
    return Document(name, text, tuple(_segments(text, name)))


def _segments(text: str, name: str) -> list[Segment]:
    ending = name.rpartition(".")[2].lower()
    if ending == "ipynb":
        from derive.verify.notebook import cells

        return [part for cell in cells(text, name) for part in _parts(cell)]
    whole = Segment(text, range(len(text)))
    if ending in ("html", "htm", "xhtml"):
        from derive.verify.pages import page

        return page(whole)
    if ending == "tex":
        return [_typeset(whole)]
    if ending in ("py", "r"):
        return [Segment(text, whole.offsets, "code")]
    return fenced(whole)


def _parts(cell: Segment) -> list[Segment]:
    return fenced(cell) if cell.kind == "prose" else [cell]


_FENCE = re.compile(r"^[ \t>]*(`{3,}|~{3,})[^\n]*\n(.*?)(?:^[ \t>]*\1[`~]*[ \t]*$|\Z)", re.M | re.S)


def fenced(whole: Segment) -> list[Segment]:
    """Prose and the code between fences."""
    parts, last = [], 0
    for found in _FENCE.finditer(whole.text):
        parts.append(whole.cut(last, found.start(), "prose"))
        parts.append(whole.cut(found.start(2), found.end(2), "code"))
        last = found.end()
    parts.append(whole.cut(last, len(whole.text), "prose"))
    return [part for part in parts if part.text.strip()]


_UNSEEN = re.compile(r"(?<!\\)%[^\n]*|\\begin\{(comment|verbatim)\}.*?(?:\\end\{\1\}|\Z)", re.S)
_BODY = re.compile(r"\\begin\{document\}(.*?)(?:\\end\{document\}|\Z)", re.S)


def _typeset(whole: Segment) -> Segment:
    """The body of a LaTeX document, its comments blanked."""
    body = _BODY.search(whole.text)
    start, end = body.span(1) if body else (0, len(whole.text))
    part = whole.cut(start, end, "prose")
    seen = _UNSEEN.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), part.text)
    return Segment(seen, part.offsets, "prose")
