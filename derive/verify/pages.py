"""HTML pages: their visible text and mathematics, each character with its place."""

from __future__ import annotations

import html
import re

from derive.verify.document import Segment

_TAG = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<(?P<unseen>script|style|head|svg)\b[^>]*>.*?(?:</(?P=unseen)\s*>|\Z)"
    r"|<(?P<tag>/?[a-zA-Z][\w:-]*)[^<>]*>"
    r"|(?P<entity>&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|\w{1,30});)",
    re.S,
)
_BLOCKS = frozenset("p div br li tr table h1 h2 h3 h4 h5 h6 ul ol section pre blockquote".split())
_CELLS = frozenset("td th".split())


def page(whole: Segment) -> list[Segment]:
    """The text between the tags; what stands in <pre> is code."""
    parts: list[Segment] = []
    text: list[str] = []
    offsets: list[int] = []
    kind, last = "prose", 0

    def add(letters: str, at: int, step: int = 0) -> None:
        text.append(letters)
        offsets.extend(at + step * i for i in range(len(letters)))

    def close() -> None:
        if text:
            parts.append(Segment("".join(text), tuple(offsets), kind))
        text.clear()
        offsets.clear()

    def plain(start: int, end: int) -> None:
        letters = whole.text[start:end]
        add(letters if kind == "code" else re.sub(r"[\r\n]", " ", letters), start, 1)

    for found in _TAG.finditer(whole.text):
        plain(last, found.start())
        last = found.end()
        tag = (found["tag"] or "").lower()
        if found["entity"]:
            add(html.unescape(found["entity"]), found.start())
        elif tag in ("pre", "/pre"):
            close()
            kind = "code" if tag == "pre" else "prose"
        elif tag.strip("/") in _CELLS:
            add(" | ", found.start())
        elif tag.strip("/") in _BLOCKS and not _is_fresh(text):
            add("\n", found.start())
    plain(last, len(whole.text))
    close()
    return [part for part in parts if part.text.strip()]


def _is_fresh(text: list[str]) -> bool:
    """Whether nothing was written since the last line end."""
    for piece in reversed(text):
        if piece.strip():
            return False
        if "\n" in piece:
            return True
    return False
