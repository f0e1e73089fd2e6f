"""What an article does not claim: what a comment says to ignore, and questions of true or false."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

_COMMENT = re.compile(
    r"(?:<!--|%+|#+|//|\(\*|^[ \t]*\.\.)[ \t]*derive:[ \t]*(ignore|end)\b[ \t]*(?:-->|\*\))?", re.M
)
_EMPTY = re.compile(r"[\s\",>]*(?:\\n)?[\s\",]*")
"""What stands beside a comment that has its line to itself, in a notebook too."""
_QUIZ = re.compile(
    r"(?i)\b(?:true (?:or|/) false|true/false|right or wrong|correct or incorrect"
    r"|(?:richtig|wahr) oder falsch|vrai ou faux|verdadero o falso|verdadeiro ou falso"
    r"|vero o falso|верно или неверно|правда или ложь|waar of (?:niet waar|onwaar)"
    r"|sant eller (?:falskt|usant)|rätt eller fel|prawda czy fałsz|doğru mu,? yanlış mı)"
    r"|判断(?:正误|对错|题)|是非题|对还是错|正しいか|참[ ,]*(?:또는|인가)"
)
_ASKS = re.compile(r"[^\w\n]{0,4}[:?：？]|\s?[)）】\]]")
_HEAD = re.compile(r"[^\w\n]*(?:\(?(?:\w{1,10}\s)?\d{0,3}[.):]?)?[^\w\n]*")
"""What stands behind such words where something is asked, and before them at the head of a line."""
_ITEM = re.compile(
    r"[ \t>]*(?:[-*+•○◯☐]|\(?(?:\d{1,3}|[a-zA-Z])[.)]|\\(?:item|begin|end)\b|<(?:li|ol|ul)\b)"
)
_BREAK = re.compile(r"\n[ \t>]*\n\s*?(?=[ \t>]*\S)|\n(?=[ \t]*#)")


@dataclass(frozen=True)
class Unclaimed:
    """From where to where nothing is claimed, and why, in order."""

    spans: tuple[tuple[int, int, str], ...] = ()

    def why(self, place: int) -> str:
        """Why what stands at a place is no claim; "" where it is one."""
        k = bisect_right(self.spans, (place, 1 << 60, "")) - 1
        return self.spans[k][2] if k >= 0 and place < self.spans[k][1] else ""


def unclaimed(text: str) -> Unclaimed:
    """The parts of an article that claim nothing; the lines of a notebook are those of its JSON."""
    if text.lstrip()[:1] == "{":
        text = text.replace("\\n", "\n ").replace('"', "\n")
    ignored = [*_ignored(text)] if "derive:" in text else []
    made: list[tuple[int, int, str]] = []
    for start, end, why in sorted((*ignored, *_asked(text))):
        start = max(start, made[-1][1]) if made else start
        made += [(start, end, why)] if start < end else []
    return Unclaimed(tuple(made))


def _ignored(text: str) -> Iterator[tuple[int, int, str]]:
    """The line of a comment behind something, and what follows one by itself, up to its end."""
    last = 0
    for found in _COMMENT.finditer(text):
        start, end = text.rfind("\n", 0, found.start()) + 1, text.find("\n", found.end())
        end = end if end >= 0 else len(text)
        if found[1] == "end" or found.start() < last:
            continue
        if not all(map(_EMPTY.fullmatch, (text[start : found.start()], text[found.end() : end]))):
            yield start, end, "ignored"
            continue
        ends = (f.start() for f in _COMMENT.finditer(text, found.end()) if f[1] == "end")
        last = next(ends, len(text))
        yield start, last, "ignored"


def _asked(text: str) -> Iterator[tuple[int, int, str]]:
    """True or false? And the statements behind it."""
    for found in _QUIZ.finditer(text):
        line = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
        if not (_ASKS.match(text, found.end()) or _HEAD.fullmatch(line)):
            continue
        parts = _BREAK.finditer(text, found.end())
        end = next((part.end() for part in parts), len(text))
        if not re.search(r"[=≈<>]", text[found.end() : end]):
            end = next((part.end() for part in parts), len(text))
            while end < len(text) and _ITEM.match(text, end):
                end = next((part.end() for part in parts), len(text))
        yield found.start(), end, "asked"
