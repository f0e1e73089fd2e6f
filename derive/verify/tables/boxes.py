"""Matrices drawn with bars side by side: Q = | 1 0 |   K = | 0 1 |, a row of each in a line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from derive.verify.tables.cells import Columns
from derive.verify.tables.lines import LONGEST, Entry, entries_of

_BOX = re.compile(
    r"(?:(?P<name>[^\W\d]\w{0,8}(?:\^[TK])?)[ \t]*[=≈:][ \t]*)?"
    r"[|│┃║⎡⎢⎣\[](?P<row>[-+−\d.,٫ \t]{1,400})[|│┃║⎤⎥⎦\]]"
)
_BETWEEN = re.compile(r"[\s,;]*")
MOST = 8
"""So many matrices stand side by side at most."""


@dataclass(frozen=True)
class _Line:
    """The boxes of a line: the name before each, if any, and the row in it."""

    names: tuple[str, ...]
    rows: tuple[tuple[Entry, ...], ...]
    start: int
    end: int

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many numbers each box holds."""
        return tuple(map(len, self.rows))


def boxes(text: str, comma: bool) -> list[Columns]:
    """The matrices of a text that stand side by side in boxes, in order."""
    found: list[Columns] = []
    block: list[_Line] = []
    start = 0
    for raw in text.splitlines(keepends=True):
        line = _line(raw, start, comma)
        if block and (line is None or line.sizes != block[0].sizes or any(line.names)):
            found.extend(_closed(block))
            block = []
        if line is not None and (block or all(line.names)):
            block.append(line)
        start += len(raw)
    return [*found, *_closed(block)]


def _closed(block: list[_Line]) -> Iterator[Columns]:
    """The matrices that lines below each other make."""
    if len(block) < 2:
        return
    first = block[0]
    matrices = tuple(tuple(line.rows[k] for line in block) for k in range(len(first.rows)))
    yield Columns(first.names, matrices, first.start, block[-1].end)


def _line(raw: str, start: int, comma: bool) -> _Line | None:
    """The boxes of a line that holds nothing else."""
    line = raw.rstrip()
    if len(line) > LONGEST or not any(map(str.isdigit, line)):
        return None
    found = list(_BOX.finditer(line))
    edges = [0, *(edge for box in found for edge in box.span()), len(line)]
    gaps = zip(edges[::2], edges[1::2], strict=True)
    if not 0 < len(found) <= MOST or not all(_BETWEEN.fullmatch(line[a:b]) for a, b in gaps):
        return None
    rows = tuple(tuple(entries_of(box["row"], start + box.start("row"), comma)) for box in found)
    words = [box["row"].split() for box in found]
    if not all(rows) or list(map(len, rows)) != list(map(len, words)):
        return None
    names = tuple(box["name"] or "" for box in found)
    return _Line(names, rows, start, start + len(raw))
