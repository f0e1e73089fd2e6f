"""Tables with blanks above the diagonal: one number in the first row, then two, then three."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from derive.verify.grammar.nodes import Array, Headed, Node
from derive.verify.tables.lines import LONGEST
from derive.verify.tables.marks import NUMBER

if TYPE_CHECKING:
    from derive.verify.tables.tables import Table

TALLEST = 64
"""A triangle has so many rows at the most."""
_BARS = re.compile(r"[|│┃║]")
_BLANK = re.compile(r"\s*(?:[–—−·×./-]|n/a)?\s*")


def stairs(lines: list[str]) -> dict[int, int]:
    """The lines that are rows of such a triangle, and how many blanks are at the end of each."""
    sizes = [_size(line) for line in lines]
    found: dict[int, int] = {}
    for place, (filled, blanks, width) in enumerate(sizes):
        count = filled + blanks
        if filled != 1 or not 1 < count <= TALLEST:
            continue
        rows = [(k + 1, count - k - 1, width) for k in range(count)]
        if sizes[place : place + count] == rows:
            found |= {place + k: count - k - 1 for k in range(count)}
    return found


def without(line: str, blanks: int) -> str:
    """A line with its last cells empty, whatever stands there for a blank."""
    places = [found.start() for found in _BARS.finditer(line)]
    first = places[-blanks - _closes(line.rstrip())]
    return line[:first] + re.sub(r"[^\s|│┃║]", " ", line[first:])


def drawn(items: tuple[Node, ...], table: Table) -> Node:
    """A table as it is read: a triangle is one matrix, whatever stands over it."""
    last = table.rows[0][-1]
    is_stepped = len(table.rows) == len(table.rows[0]) and last.figure is None and last.start < 0
    return Array(items) if is_stepped else Headed(items, "table", table.heads, table.labels)


def _size(line: str) -> tuple[int, int, int]:
    """How many numbers stand behind each other, the blanks behind them, and all cells."""
    if len(line) > LONGEST or not _BARS.search(line):
        return 0, 0, 0
    plain = line.strip()
    cells = _BARS.split(plain[_opens(plain) : len(plain) - _closes(plain)])
    numbers = [bool(NUMBER.fullmatch(cell.strip(" \t*$`\\"))) for cell in cells]
    blanks = next((k for k, cell in enumerate(reversed(cells)) if not _BLANK.fullmatch(cell)), 0)
    inner = numbers[: len(cells) - blanks]
    filled = next((k for k, is_number in enumerate(reversed(inner)) if not is_number), len(inner))
    return filled, blanks, len(cells)


def _opens(plain: str) -> bool:
    return bool(_BARS.match(plain))


def _closes(plain: str) -> bool:
    return bool(_BARS.match(plain[-1:]))
