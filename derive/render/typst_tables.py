"""How wide the columns of a table are in Typst, and how high its rows, so that neither need be
measured: that takes as long as to set it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from derive.exact.ink import UNICODE
from derive.exact.names import label
from derive.exact.trace import Digits, Entry, Name
from derive.exact.write import Writer
from derive.render.blocks import Table

_WRITER = Writer(UNICODE)
_PLAIN = re.compile(r"-?[0-9]+([.][0-9]+)?")
_ADVANCES = (
    ("!',.:;[]|il’", 0.28),
    ("fj- ", 0.34),
    ("()rstI", 0.4),
    ("cez?“”", 0.48),
    ("0123456789ago/–*", 0.5),
    ("kqvxyJ", 0.53),
    ("bdhnpuS", 0.56),
    ("ABCDEFGHKLNOPQRTUVXYZ%&−×≈=<>+·≥≤", 0.79),
    ("wmM√…", 0.92),
    ("W—∞", 1.03),
)
"""No letter of the text is wider, in em."""
_EM = {c: wide for letters, wide in _ADVANCES for c in letters}
_OF_TITLES = (
    dict.fromkeys("ijl.,:'", 0.31) | dict.fromkeys("ftrs -()", 0.4) | {"m": 0.86, "w": 0.75}
)
GAP = 1.2
"""What stands beside a cell, in em."""
HIGH = "1.44em"
"""A row of one line, with what stands above and below it."""


@dataclass(frozen=True)
class Sizes:
    """The width of every column and the height of every row, the header's first; "auto" where it
    has to be measured, and no heights where all have."""

    columns: tuple[str, ...]
    rows: tuple[str, ...]


def is_plain(x: Any) -> bool:
    """Whether it is a numeral without a power of ten, which is the same in text."""
    return isinstance(x, Digits) and _PLAIN.fullmatch(x.text) is not None


def listing(
    block: Table, cells: Callable[[Sequence[Any]], str], wide: float, *, is_long: bool
) -> str:
    """A table in a line of so many em, 0 where all of it is to be measured; cells: spells a row;
    is_long: whether it may go on over the next page."""
    header, rows, numbers = block.header, block.rows, block.numbers
    sides = ["right" if k in numbers else "left" for k in range(len(header))]
    found = sizes(header, rows, numbers, wide)
    room = "room: 0.48em, " if block.is_form else ""
    high = f"high: {_heights(found.rows)}, " if found.rows else ""
    shape = f"({', '.join(sides)},), ({', '.join(found.columns)},)"
    head = f"#listing({room}{high}{str(is_long).lower()}, {shape}, ({cells(header)},),"
    return "\n".join([head, *(f"  {cells(row)}," for row in rows), ")"])


def _heights(rows: Sequence[str]) -> str:
    """One for all where they are alike."""
    return rows[0] if len(set(rows)) == 1 else f"({', '.join(rows)},)"


def sizes(
    header: Sequence[Any], rows: Sequence[Sequence[Any]], numbers: Sequence[int], room: float
) -> Sizes:
    """Of a table on a page so many em wide; numbers: the columns that stand at the right.

    Where it is too wide, the lines of its widest column are broken.
    """
    every = [[_cell(cell) for cell in line] for line in (header, *rows)]
    known = [[wide for wide in line if wide is not None] for line in every]
    if not room or any(len(line) < len(header) for line in known):
        return Sizes(tuple(_widths(header, rows, numbers)), ())
    columns = [max(column) + GAP for column in zip(*known, strict=True)]
    widest = columns.index(max(columns))
    columns[widest] = min(columns[widest], room - sum(columns) + columns[widest])
    if columns[widest] < room / 3 < sum(columns) - room / 3:
        return Sizes(tuple(_widths(header, rows, numbers)), ())
    high = (HIGH if line[widest] + GAP <= columns[widest] else "auto" for line in known)
    return Sizes(tuple(f"{wide:.2f}em" for wide in columns), tuple(high))


def _cell(content: Any) -> float | None:
    """No line is wider; None where that is not known, or where a line may be higher than others."""
    parts = (content,) if isinstance(content, str) else content
    wide = [_text(x) if isinstance(x, str) else _math(x) for x in parts]
    return None if None in wide else sum(filter(None, wide)) + 0.01


def _text(text: str) -> float | None:
    wide = [_EM.get(c) for c in text]
    return None if None in wide else sum(filter(None, wide))


def _math(x: Any) -> float | None:
    if is_plain(x):
        return _text(x.text.replace("-", "−"))
    if not isinstance(x, (Name, Entry)) or label(x.step).head or label(x.step).scopes:
        return None
    return sum(map(_letter, _WRITER.text(x))) + 0.1


def _letter(c: str) -> float:
    if unicodedata.combining(c):
        return 0.0
    return 0.42 if unicodedata.decomposition(c) else max(0.8, _EM.get(c, 0.8))


def _widths(
    header: Sequence[Any], rows: Sequence[Sequence[Any]], numbers: Sequence[int]
) -> Iterator[str]:
    """In em for a column of plain numerals, "auto" for the others."""
    for k, title in enumerate(header):
        said = (title,) if isinstance(title, str) else title
        cells = [row[k] for row in rows]
        plain = all(len(cell) == 1 and is_plain(cell[0]) for cell in cells)
        if k not in numbers or not plain or not all(isinstance(x, str) for x in said):
            yield "auto"
            continue
        digits = [_math(cell[0]) or 0.0 for cell in cells]
        yield f"{max([_head(''.join(said)), *digits]) + GAP:.2f}em"


def _head(text: str) -> float:
    """A title is no wider than this."""
    return sum(1.0 if ord(c) > 0x2E80 else _OF_TITLES.get(c, 0.58) for c in text)
