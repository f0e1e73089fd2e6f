"""The logical lines of a program: joined where a bracket is open, without comments and prompts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

LONGEST = 2000
"""A longer line is not read as a program."""
_PROMPT = re.compile(r"(?:>>>|\.\.\.|In \[\d+\]:|>|\+)[ \t]?")
_PROMPTED = re.compile(r"^(?:>>> |> |In \[\d+\]:)", re.M)
_BARE = re.compile(r"""(?:[^#"']|"[^"]*"|'[^']*')*""")


@dataclass(frozen=True)
class Line:
    """A line, where it stands, and whether it is part of a block such as a loop."""

    text: str
    start: int
    end: int
    is_inside: bool


def lines(text: str) -> Iterator[Line]:
    """The lines of a program; where there are prompts, those behind them alone."""
    has_prompts = bool(_PROMPTED.search(text))
    joined, first, depth, is_inside = "", 0, 0, False
    for found in re.finditer(r"[^\n]+", text):
        prompt = _PROMPT.match(found[0]) if has_prompts else None
        if has_prompts and prompt is None and not depth:
            continue
        shift = prompt.end() if prompt else 0
        bare = bared(found[0][shift:])
        if not joined:
            first, is_inside = found.start(), bare[:1].isspace()
        joined += bare + "\n"
        depth = max(0, depth + sum(map(bare.count, "([{")) - sum(map(bare.count, ")]}")))
        if depth and len(joined) < LONGEST:
            continue
        if joined.strip() and len(joined) <= LONGEST:
            yield Line(joined.strip(), first, found.start() + shift + len(bare), is_inside)
        joined, depth = "", 0


def bared(line: str) -> str:
    """A line without its comment."""
    found = _BARE.match(line)
    return (found[0] if found else line).rstrip()
