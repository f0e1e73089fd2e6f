"""An article as segments of text, each character with its place in the file as stored."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from derive.errors import InputError, Place


class MisplacedError(InputError):
    """What is wrong with an article, and the offset in its text at which that is."""

    offset = 0


MAX_BYTES = 50_000_000
MAX_READ = 10_000_000
MAX_NUMBERS = 10_000
"""So many numbers of an article are checked."""
MAX_NOTEBOOK = 25_000_000
"""Characters of a file; pictures in a notebook are many."""


@dataclass(frozen=True)
class Segment:
    """A run of text of one kind ("prose", "code" or "math") and the offset of each character.

    Where macros stand for text, `uses` holds the places at which they are used.
    """

    text: str
    offsets: Sequence[int]
    kind: str = "prose"
    uses: Sequence[int] | None = None
    is_output: bool = False  # whether a program printed it

    def cut(self, start: int, end: int, kind: str) -> Segment:
        """The part from start to end, of another kind."""
        uses = None if self.uses is None else self.uses[start:end]
        return Segment(self.text[start:end], self.offsets[start:end], kind, uses)

    def seen(self, text: str) -> Segment:
        """The same places with other characters, such as blanks."""
        return Segment(text, self.offsets, self.kind, self.uses, self.is_output)


@dataclass(frozen=True)
class Document:
    """A file as stored, and its segments in reading order.

    `chains` are statements that need no reading, such as the formulas of a spreadsheet; `blank` of
    its formulas have no stored value.
    """

    name: str
    text: str
    segments: tuple[Segment, ...]
    chains: tuple[Any, ...] = ()
    blank: int = 0

    @cached_property
    def starts(self) -> list[int]:
        """Where each line begins; a mark of the encoding stands before the first."""
        mark = int(self.text.startswith("\ufeff"))
        return [mark, *(m.end() for m in re.finditer(r"\r\n|\r|\n", self.text))]

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column, from 1, in code points."""
        line = max(1, bisect_right(self.starts, offset))
        return line, offset - self.starts[line - 1] + 1

    def where(self, offset: int) -> str:
        """The place in words where lines do not tell it: a page, a cell of a sheet; or ""."""
        return ""

    def offset(self, line: int, column: int) -> int:
        """Where a line and column are."""
        return self.starts[line - 1] + column - 1

    def line(self, number: int) -> str:
        """The text of a line, without its end."""
        end = self.starts[number] if number < len(self.starts) else len(self.text)
        return self.text[self.starts[number - 1] : end].rstrip("\r\n")


def decoded(data: bytes, name: str) -> str:
    """The text of a file.  InputError where it is too large or no text."""
    if len(data) > MAX_BYTES:
        raise too_large(name)
    if wide := wide_encoding(data):
        return _as(data, wide, name)
    if b"\0" in data:
        raise InputError(f"{name} is a binary file", expected="an article as text")
    return _as(data, "utf-8", name)


def wide_encoding(data: bytes) -> str:
    """The encoding that the mark at the head of a text says, where that is not UTF-8; or ""."""
    if data[:4] in (b"\xff\xfe\0\0", b"\0\0\xfe\xff"):
        return "utf-32"
    return "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ""


def _as(data: bytes, encoding: str, name: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        message = f"{name} is not {encoding.upper()} text: byte {error.start + 1} fits no character"
        hint = f"iconv -f {_likely(data)} -t UTF-8 (or another encoding) converts it"
        raise InputError(message, expected="a text file in UTF-8", hint=hint) from None


def _likely(data: bytes) -> str:
    """What text that is no UTF-8 is likely in: letters inside of words are of the West."""
    runs, inside = len(_BEYOND.findall(data)), len(_INSIDE.findall(data))
    return "LATIN1" if 2 * inside >= runs else "GB18030"


_BEYOND = re.compile(rb"[\x80-\xff]+")
_INSIDE = re.compile(rb"[A-Za-z][\x80-\xff]+|(?<![\x80-\xff])[\x80-\xff]+(?=[a-z])")
PACKAGES = frozenset("docx docm xlsx xlsm pdf".split())
"""Endings of files that are no text."""
PAGES = frozenset("html htm xhtml".split())
TYPESET = frozenset("tex latex ltx".split())
PROGRAMS = frozenset("py r jl m wl nb sage".split())
STRUCTURED = frozenset("rst rest".split())
MARKED = frozenset("md markdown txt text rmd qmd".split())
ENDINGS = PACKAGES | PAGES | TYPESET | PROGRAMS | STRUCTURED | MARKED | {"org", "ipynb"}
"""The endings of articles."""


def is_package(name: str) -> bool:
    """Whether a file of this name is no text: Word, a spreadsheet, PDF."""
    return name.rpartition(".")[2].lower() in PACKAGES


def printable(name: str) -> str:
    """The name of a file as a page or a terminal may be given it."""
    return _UNSHOWN.sub("\ufffd", name)


def too_many(name: str) -> InputError:
    """Too many numbers."""
    message = f"{name} prints too many numbers to be checked"
    return InputError(message, expected=f"at most {MAX_NUMBERS:,}", hint="check it part by part")


def too_deep(name: str) -> InputError:
    """Formulas inside of each other without end, or more than memory holds."""
    return InputError(
        f"{name} is too much to be verified: its formulas are too large, or too deep",
        expected="formulas inside of each other a hundred times at most",
        hint="check it part by part",
    )


def opened(data: bytes, name: str) -> Document:
    """The document of a file as stored.  InputError where it is too large, or not what it says."""
    ending = name.rpartition(".")[2].lower()
    shown = printable(name)
    if len(data) > MAX_BYTES:
        raise too_large(shown)
    if ending in PACKAGES:
        from derive.verify.documents.formats import unpacked

        return unpacked(data, shown, ending)
    return document(decoded(data, shown), shown)


def too_large(name: str) -> InputError:
    """Too large a file."""
    expected = f"at most {MAX_BYTES // 1_000_000} MB"
    return InputError(f"{name} is too large to be read as an article", expected=expected)


def document(text: str, name: str = "article.md") -> Document:
    """The segments of an article, read by the ending of its name."""
    from derive.verify.documents.formats import segments

    shown = printable(name)
    most = MAX_NOTEBOOK if shown.lower().endswith(".ipynb") else MAX_READ
    if len(text) > most:
        raise InputError(
            f"{shown} is too long to be read",
            expected=f"at most {most // 1_000_000} million characters",
            hint="check it part by part",
        )
    seen = _HALVES.sub("\ufffd", text) if _HALVES.search(text) else text
    try:
        parts = tuple(segments(Segment(seen, range(len(seen))), shown))
    except MisplacedError as error:
        place = _place(Document(shown, seen, ()), error.offset)
        raise InputError(error.message, place=place, expected=error.expected) from None
    return Document(shown, seen, parts)


def _place(where: Document, offset: int) -> Place:
    """The line at an offset, and the column."""
    line, column = where.place(offset)
    return Place(where.name, line, column, where.line(line))


_HALVES = re.compile(r"[\ud800-\udfff]")
_UNSHOWN = re.compile(r"[\ud800-\udfff\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""What the name of a file may hold and a terminal should not be given."""
