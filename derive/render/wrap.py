"""Text broken into the lines of a terminal."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from unicodedata import combining, east_asian_width


def columns(text: str) -> int:
    """How many columns a terminal gives the text: combining marks none, wide characters two."""
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


# No line ends with an opening bracket, and none begins with what closes or parts.
_PIECES = re.compile(r"[（「]?(?:[⺀-￯]|[^\s⺀-￯]+)[，。：；、）」！？]*|\s+")


def wrapped(text: str, width: int) -> list[str]:
    """Lines of at most `width` columns, broken at spaces or between Chinese characters."""
    lines, line = [], ""
    for piece in _PIECES.findall(text):
        if line and columns(line + piece.rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        line += piece if line or piece.strip() else ""
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


NARROWEST = 8
"""A column of a table is not made narrower than this."""


def broken(text: str, width: int) -> list[str]:
    """The text as it is where it fits, else wrapped."""
    return [text] if columns(text) <= width else wrapped(text, width)


def fitted(widths: Sequence[int], rigid: Collection[int], room: int) -> list[int]:
    """The widths of a table's columns, the widest made narrower until all fit the room.

    rigid: the columns that keep their widths.
    """
    found, free = list(widths), [k for k in range(len(widths)) if k not in rigid]
    while free and sum(found) > room:
        widest = max(free, key=lambda k: found[k])
        if found[widest] <= NARROWEST:
            break
        found[widest] -= 1
    return found


def folded(text: str, width: int) -> list[str]:
    """Broken before the signs outside brackets, and inside them where a part is still too long."""
    parts, depth, start = [], 0, 0
    for k, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if depth == 0 and text[k : k + 3] in (" + ", " − ") and k > start:
            parts.append(text[start:k])
            start = k
    parts.append(text[start:])
    pieces = [p for part in parts for p in ([part] if columns(part) <= width else _inside(part))]
    lines = [pieces[0]]
    for piece in pieces[1:]:
        if columns(lines[-1] + piece) <= width:
            lines[-1] += piece
        else:
            lines.append(piece)
    return lines


def _inside(text: str) -> list[str]:
    return re.split(r"(?= [+−] |(?<=\))/|(?<=, ))", text)
