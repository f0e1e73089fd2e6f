"""Matrices side by side, a row of each in a line: Q = | 1 0 |   K = | 0 1 |, or under heads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from derive.verify.tables.cells import Columns, symbol
from derive.verify.tables.lines import LONGEST, Entry, entries_of

_BOX = re.compile(
    r"(?:(?P<name>[^\W\d]\w{0,8}(?:\^[TK])?)[ \t]*[=≈:][ \t]*)?"
    r"[|│┃║⎡⎢⎣\[](?P<row>[-+−\d.,٫ \t]{1,400})[|│┃║⎤⎥⎦\]]"
)
_BETWEEN = re.compile(r"[\s,;]*")
_APART = re.compile(r"[ \t]{2,}|\t|[ \t]*[|│][ \t]*")
_RULE = re.compile(r"[\s=─—-]*")
MOST = 8
"""So many matrices stand side by side at most."""
LONGEST_HEAD = 24
"""A head over one of them has no more characters."""


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

    @property
    def is_bare(self) -> bool:
        """Whether lists stand side by side, and no name before any."""
        return not any(self.names) and min(self.sizes) > 1 < len(self.sizes)


def boxes(text: str, comma: bool) -> list[Columns]:
    """The matrices of a text that stand side by side in boxes, in order."""
    found: list[Columns] = []
    block: list[_Line] = []
    start, heads = 0, list[str]()
    for raw in text.splitlines(keepends=True):
        line = _line(raw, start, comma)
        if block and (line is None or line.sizes != block[0].sizes or any(line.names)):
            found.extend(_closed(block))
            block = []
        if line is not None and not block and len(heads) == len(line.rows) > 1:
            line = line if any(line.names) else replace(line, names=tuple(heads))
        if line is not None and (block or all(line.names) or line.is_bare):
            block.append(line)
        start += len(raw)
        heads = heads if _RULE.fullmatch(raw) and raw.strip() else _heads(raw)
    return [*found, *_closed(block)]


def _heads(raw: str) -> list[str]:
    """The names in a line that names what stands in columns below it."""
    cells = _APART.split(raw.strip())
    is_short = 1 < len(cells) <= MOST and all(0 < len(c) <= LONGEST_HEAD for c in cells)
    return [symbol(c.rstrip(":：")) for c in cells] if is_short and "=" not in raw else []


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
