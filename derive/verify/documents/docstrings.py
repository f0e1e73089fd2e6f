"""The documentation inside of programs as prose, ahead of what it stands in; the rest as code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from derive.verify.documents.document import Segment
from derive.verify.documents.draft import Draft

_WORDS = re.compile(r"(?P<quotes>\"{3}|'{3})(?P<inside>(?:[^\\]|\\.)*?)(?P=quotes)", re.S)
_STARTS = re.compile(r"^[ \t]*[rRuU]?$")
"""What stands on the line before words that no name is given."""
_TOP = re.compile(r"^(?=[^\s#)\]}\"'])", re.M)
"""Where what stands by itself in a program begins."""
_NUMBER = re.compile(r"\d")


def documented(whole: Segment) -> list[Segment]:
    """Code, parted before each definition whose documentation holds numbers, and that as prose."""
    found = [m for m in _WORDS.finditer(whole.text) if _is_said(m, whole.text)]
    if whole.is_output or not found:
        return [whole]
    tops = [m.start() for m in _TOP.finditer(whole.text)]
    text = whole.text
    for words in found:
        hidden = re.sub(r"[^\n]", " ", words[0])
        text = text[: words.start()] + hidden + text[words.end() :]
    seen = whole.seen(text)
    parts, last = [], 0
    for words in found:
        start = max((top for top in tops if last <= top <= words.start()), default=last)
        parts += [seen.cut(last, start, "code"), _prose(whole, words)]
        last = start
    parts.append(seen.cut(last, len(text), "code"))
    return [part for part in parts if part.text.strip()]


def _is_said(words: re.Match[str], text: str) -> bool:
    """Whether words in three quotes stand by themselves and speak of numbers."""
    before = text[text.rfind("\n", 0, words.start()) + 1 : words.start()]
    return bool(_STARTS.match(before) and _NUMBER.search(words["inside"]))


def _prose(whole: Segment, words: re.Match[str]) -> Segment:
    """The words without the blanks that every line but the first begins with."""
    draft, margin = Draft(), _margin(words["inside"])
    for line in _lines(words):
        is_first = line.start() == words.start("inside")
        blanks = 0 if is_first else min(margin, len(line[0]) - len(line[0].lstrip(" \t")))
        draft.part(whole, line.start() + blanks, line.end())
    return draft.segment()


def _lines(words: re.Match[str]) -> Iterator[re.Match[str]]:
    return re.compile(r"[^\n]*\n|[^\n]+$").finditer(words.string, *words.span("inside"))


def _margin(text: str) -> int:
    lines = [line for line in text.split("\n")[1:] if line.strip()]
    return min((len(line) - len(line.lstrip()) for line in lines), default=0)
