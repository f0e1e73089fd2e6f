"""HTML pages: their visible text and mathematics, each character with its place."""

from __future__ import annotations

import html
import re

from derive.verify.document import Segment

_TAG = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<(?P<unseen>script(?![^>]*math/tex)|style|head|svg)\b[^>]*>"
    r".*?(?:</(?P=unseen)\s*>|\Z)"
    r"|<(?P<tag>/?[a-zA-Z][\w:-]*)[^<>]*>"
    r"|(?P<entity>&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|\w{1,30});)",
    re.S,
)
_SPAN = re.compile(r"<(/?)span\b[^<>]*>")
_SHOWN_TWICE = re.compile(r"""<span[^<>]*class="(?:katex-html|MathJax_?\w*)"[^<>]*>""")
_SOURCE = re.compile(
    r"<math\b(?:(?!</math>).)*?<annotation\b[^<>]*application/x-tex[^<>]*>"
    r"(?P<tex>.*?)</annotation>.*?</math>",
    re.S,
)
_BLOCKS = frozenset(
    "mtr p div br li tr table h1 h2 h3 h4 h5 h6 ul ol section pre blockquote".split()
)
_CELLS = frozenset("td th mtd".split())


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
        letters = seen[start:end]
        add(letters if kind == "code" else re.sub(r"[\r\n]", " ", letters), start, 1)

    seen = _once(whole.text)
    for found in _TAG.finditer(seen):
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
    plain(last, len(seen))
    close()
    return [part for part in parts if part.text.strip()]


def _once(text: str) -> str:
    """The page with formulas that are marked up twice left as their TeX, at the same length."""
    made = _SOURCE.sub(_as_tex, text)
    for found in list(_SHOWN_TWICE.finditer(made)):
        end = _end_of_span(made, found.end())
        made = made[: found.start()] + " " * (end - found.start()) + made[end:]
    return made


def _as_tex(found: re.Match[str]) -> str:
    start, end = (place - found.start() for place in found.span("tex"))
    return " " * (start - 1) + "$" + found["tex"] + "$" + " " * (len(found[0]) - end - 1)


def _end_of_span(text: str, start: int) -> int:
    """Where the span that opens before `start` is closed."""
    depth = 1
    for tag in _SPAN.finditer(text, start):
        depth += -1 if tag[1] else 1
        if not depth:
            return tag.end()
    return len(text)


def _is_fresh(text: list[str]) -> bool:
    """Whether nothing was written since the last line end."""
    for piece in reversed(text):
        if piece.strip():
            return False
        if "\n" in piece:
            return True
    return False
