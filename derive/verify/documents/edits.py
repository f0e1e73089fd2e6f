"""Corrections in the stored file: which characters of it a wrong number is changed in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import unescape

from derive.verify.documents.document import Document
from derive.verify.documents.duplicates import Copies

Span = tuple[int, int]


@dataclass(frozen=True, order=True)
class Edit:
    """The characters from start to end of the stored file become a text."""

    start: int
    end: int
    text: str


def edited(text: str, edits: Iterable[Edit]) -> str:
    """The text with edits that do not overlap; of two that do the first is made."""
    parts, last = [], 0
    for edit in sorted(set(edits)):
        if edit.start >= last:
            parts += [text[last : edit.start], edit.text]
            last = edit.end
    return "".join([*parts, text[last:]])


def corrections(document: Document, copies: Copies, start: int, old: str, new: str) -> list[Edit]:
    """The edits that make `old`, printed at an offset, `new` there and in the copy of the formula.

    Empty where the number does not stand in the file as it is read.
    """
    own = spans(document, start, old)
    if own is None or not old or not new or old == new:
        return []
    made = list(_aligned(document, changed(document, own, old, new), own, len(new) - len(old)))
    for other in copies.of(start, old, own):
        if new[0] == old[0] or all(a < b for a, b in other):  # else its sign stands elsewhere
            made += changed(document, other, old, new)
    return made


def changed(document: Document, found: list[Span], old: str, new: str) -> Iterator[Edit]:
    """Only what differs, digit by digit where both are of one length."""
    if len(old) == len(new):
        yield from _joined(
            Edit(*span, _stored(document, span, letter))
            for span, before, letter in zip(found, old, new, strict=True)
            if before != letter
        )
        return
    head = _shared(old, new)
    tail = _shared(old[head:][::-1], new[head:][::-1])
    start = found[head][0] if head < len(found) else found[-1][1]
    end = found[len(old) - tail - 1][1] if head < len(old) - tail else start
    middle = new[head : len(new) - tail]
    yield Edit(start, end, "".join(_stored(document, (start, end), c) for c in middle))


def _joined(edits: Iterable[Edit]) -> Iterator[Edit]:
    """The edits, those side by side as one."""
    last: Edit | None = None
    for edit in edits:
        if last is not None and last.end == edit.start:
            last = Edit(last.start, edit.end, last.text + edit.text)
            continue
        if last is not None:
            yield last
        last = edit
    if last is not None:
        yield last


_ALIGNED = re.compile(r"\d[,;|]? {2,}")


def _aligned(
    document: Document, edits: Iterator[Edit], own: list[Span], more: int
) -> Iterator[Edit]:
    """In columns of numbers, a sign that comes or goes leaves the others where they are."""
    start = own[0][0]
    before = document.text[max(0, start - 2) : start]
    if more not in (1, -1):
        yield from edits
        return
    line = document.line(document.place(start)[0])
    if more == 1 and before.endswith("  ") and _ALIGNED.search(line):
        yield Edit(start - 1, start, "")
    elif more == -1 and before[-1:] in (" ", "|") and _ALIGNED.search(line):
        yield Edit(start, start, " ")
    yield from edits


def _shared(a: str, b: str) -> int:
    """How many characters two texts begin with alike."""
    return next(
        (k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )


def _stored(document: Document, span: Span, letter: str) -> str:
    """A character as this file stores it."""
    if not is_json(document):
        return letter
    is_escaped = not letter.isascii() and document.text[span[0] : span[0] + 2] == "\\u"
    return f"\\u{ord(letter):04x}" if is_escaped else letter.replace("\\", "\\\\")


def is_json(document: Document) -> bool:
    """Whether a file is stored as JSON, with its escapes."""
    return document.name.lower().endswith(".ipynb")


_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.S)
_ENTITY = re.compile(r"&(?:#[xX]?[0-9a-fA-F]{1,8}|[A-Za-z]{1,32});")
_TAGS = re.compile(r"(?:<[^<>]*>)+")


def spans(document: Document, start: int, printed: str) -> list[Span] | None:
    """Where in the stored file each character of a printed string is; None where it is not."""
    text, place = document.text, start
    found: list[Span] = []
    for letter in printed:
        span = _span(text, place, letter, is_json(document))
        if span is None and found and (tags := _TAGS.match(text, place)):
            span = _span(text, tags.end(), letter, False)
        if span is None:
            return None
        found.append(span)
        place = span[1]
    return found


def _span(text: str, place: int, letter: str, is_escaped: bool) -> Span | None:
    escape = _ESCAPE.match(text, place) if is_escaped else _ENTITY.match(text, place)
    if escape and is_escaped:
        said = chr(int(escape[1], 16)) if escape[1] else escape[2]
        return escape.span() if said == letter else None
    if escape and unescape(escape[0]) == letter:
        return escape.span()
    is_here = text[place : place + 1] == letter
    return (place, place + 1) if is_here else None
