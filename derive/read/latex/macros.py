r"""Macros of a document, written out before its formulas are read.

\newcommand, \renewcommand, \providecommand, \def with up to two arguments, and
\DeclareMathOperator. What takes more, has a default, or grows without end stays as it is, and is
refused where a formula uses it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from derive.errors import Place
from derive.read.latex.source import Source, Span

MAX_GROWTH = 200_000  # characters that expansion may add to a document
MAX_DEPTH = 10
MAX_MACROS = 500
MAX_UNCLOSED = 50  # arguments without an end, after which none is looked for
_DEFINITION = re.compile(
    r"""
      \\(?:newcommand|renewcommand|providecommand)\*?
        \s*(?:\{\s*\\(?P<a>[a-zA-Z]+)\s*\}|\\(?P<b>[a-zA-Z]+))
        \s*(?:\[(?P<count>[12])\]\s*)?(?=\{)
    | \\def\s*\\(?P<c>[a-zA-Z]+)(?P<slots>\#1(?:\#2)?)?(?=\{)
    | \\DeclareMathOperator\*?\s*\{?\s*\\(?P<d>[a-zA-Z]+)\s*\}?\s*(?=\{)
    """,
    re.VERBOSE,
)
_USE = re.compile(r"\\([a-zA-Z]+)")
_SPACE = re.compile(r"\s*")
_SLOT = re.compile(r"#(.?)")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*\n?")
_ONE = re.compile(r"\\[a-zA-Z]+|\\.|[^\s{}\\]", re.DOTALL)
_KEPT = re.compile(r"\\(?:ensuremath|xspace)(?![a-zA-Z])\s*")


@dataclass(frozen=True)
class Macro:
    """What a command of the document's own stands for: `body`, with #1 and #2 for its arguments."""

    count: int
    body: str


@dataclass(frozen=True)
class Expanded(Source):
    """A text whose macros are written out; places are those of the text as it was."""

    original: Source = field(default_factory=lambda: Source(""))
    pieces: tuple[tuple[int, int, int], ...] = ()

    def place(self, span: Span) -> Place:
        """Line and column in the text as it was."""
        return self.original.place(self.back(span))

    def written(self, span: Span) -> str:
        """What the author wrote for a span."""
        return self.original.written(self.back(span))

    def back(self, span: Span) -> Span:
        """The span of the original text that a span of this one comes from."""
        start, _ = self._one(span[0])
        _, end = self._one(max(span[1] - 1, span[0]))
        return start, max(end, start)

    def _one(self, offset: int) -> Span:
        at = bisect_right(self.pieces, offset, key=lambda piece: piece[0]) - 1
        begin, start, end = self.pieces[max(at, 0)]
        if end < 0:  # copied, one for one
            return start + offset - begin, start + offset - begin + 1
        return start, end


def expanded(source: Source) -> Source:
    """The source with its own macros written out; itself where it defines none."""
    found = dict(_definitions(source.text))
    if not found:
        return source
    writer = _Writer({name: macro for name, (macro, _) in found.items() if macro})
    writer.whole(source.text, [span for _, span in _spans(source.text)])
    return Expanded("".join(writer.parts), source.name, source, tuple(writer.pieces))


def _spans(text: str) -> Iterator[tuple[str, Span]]:
    """Each definition's name and where it stands."""
    position = 0
    for _ in range(MAX_MACROS):
        match = _DEFINITION.search(text, position)
        if match is None:
            return
        end = _past_group(text, match.end())
        position = match.end() if end is None else end
        if end is not None:
            name = next(match[x] for x in "abcd" if match[x])
            yield name, (match.start(), end)


def _definitions(text: str) -> Iterator[tuple[str, tuple[Macro | None, Span]]]:
    for name, (start, end) in _spans(text):
        match = _DEFINITION.match(text, start)
        assert match is not None
        count = int(match["count"] or len(match["slots"] or "") // 2)
        body = _COMMENT.sub("", text[match.end() + 1 : end - 1]).replace("\n", " ").strip()
        if match["d"]:
            body = rf"\operatorname{{{body}}}"
        yield name, (_macro(count, _KEPT.sub("", body)), (start, end))


def _macro(count: int, body: str) -> Macro | None:
    slots = {found[1] for found in _SLOT.finditer(body)}
    return Macro(count, body) if slots <= set("12"[:count]) else None


def _past_group(text: str, start: int) -> int | None:
    """The end of the group in braces that opens at `start`; None where it never closes."""
    depth, position = 0, start
    while position < min(len(text), start + 20_000):
        char = text[position]
        if char == "\\":
            position += 1
        depth += (char == "{") - (char == "}")
        position += 1
        if depth == 0:
            return position
    return None


class _Writer:
    """One pass over a document."""

    def __init__(self, macros: Mapping[str, Macro]) -> None:
        self.macros, self.room = macros, MAX_GROWTH
        self.parts: list[str] = []
        self.pieces: list[tuple[int, int, int]] = []
        self.length = self.unclosed = 0

    def whole(self, text: str, skipped: list[Span]) -> None:
        position = 0
        for start, end in [*skipped, (len(text), len(text))]:
            self.stretch(text, position, start)
            position = end

    def stretch(self, text: str, start: int, end: int) -> None:
        """The text between two definitions."""
        position = start
        for match in _USE.finditer(text, start, end):
            if match.start() < position or match[1] not in self.macros:
                continue
            used = self.used(text, match, 0)
            if used is None:
                continue
            body, after = used
            self.add(text[position : match.start()], position, -1)
            self.add(body, match.start(), after)
            position = after
        self.add(text[position:end], position, -1)

    def add(self, text: str, start: int, end: int) -> None:
        if text:
            self.pieces.append((self.length, start, end))
            self.parts.append(text)
            self.length += len(text)

    def used(self, text: str, match: re.Match[str], depth: int) -> tuple[str, int] | None:
        """What a use stands for, and where it ends; None where it is not to be expanded."""
        macro, position = self.macros[match[1]], match.end()
        given: list[str] = []
        for _ in range(macro.count):
            found = _argument(text, position) if self.unclosed < MAX_UNCLOSED else None
            if found is None:
                self.unclosed += 1
                return None
            argument, position = found
            given.append(argument)
        body = _SLOT.sub(lambda slot: given[int(slot[1]) - 1], macro.body)
        if not macro.count:
            position = _past_space(text, position)
        self.room -= len(body)
        if self.room < 0 or depth > MAX_DEPTH or (inner := self.inside(body, depth + 1)) is None:
            return None
        return _apart(inner, text, position), position

    def inside(self, body: str, depth: int) -> str | None:
        """A body with the macros in it expanded; None where they have no end."""
        parts: list[str] = []
        position = 0
        for match in _USE.finditer(body):
            if match.start() < position or match[1] not in self.macros:
                continue
            used = self.used(body, match, depth)
            if used is None:
                return None
            parts += [body[position : match.start()], used[0]]
            position = used[1]
        return "".join([*parts, body[position:]])


def _argument(text: str, position: int) -> tuple[str, int] | None:
    """The next argument, without its braces."""
    start = _end(_SPACE.match(text, position), position)
    if text[start : start + 1] == "{":
        end = _past_group(text, start)
        return None if end is None else (text[start + 1 : end - 1], end)
    match = _ONE.match(text, start)
    return (match[0], match.end()) if match else None


def _past_space(text: str, position: int) -> int:
    """TeX drops the space behind a command; {} there only ends its name."""
    if text.startswith("{}", position):
        return position + 2
    match = re.compile(r"[ \t]*(?:\n(?![ \t]*\n)[ \t]*)?").match(text, position)
    return _end(match, position)


def _apart(body: str, text: str, position: int) -> str:
    """The body, with a space where its last command would run into the letter behind it."""
    runs_on = re.search(r"\\[a-zA-Z]+$", body) and text[position : position + 1].isalpha()
    return f"{body} " if runs_on else body


def _end(match: re.Match[str] | None, otherwise: int) -> int:
    return match.end() if match else otherwise
