"""Rows as sheets are copied and stored: their cells parted by tabs, semicolons or commas."""

from __future__ import annotations

import re

LONGEST = 400
"""A longer line is no row."""
WIDEST = 40
"""A head or a label is no longer."""
_NUMBER = re.compile(
    r"\s*[-+−]?(?:\d+(?:[.,٫]\d+)?|\.\d+)(?:[eE][-+]?\d+)?[%٪]?\s*|\s*[-−](?:inf|∞)\s*"
)
_LABEL = re.compile(r"[^=\[\](){}]*")
BAR = "│"
"""What a table has between its cells."""


def ruled(text: str) -> str:
    """The text with bars between the cells of such rows, each letter in its place."""
    lines = text.split("\n")
    for sign in "\t;,":
        if sign in text:
            lines = _drawn(lines, sign)
    return "\n".join(lines)


def _drawn(lines: list[str], sign: str) -> list[str]:
    made = list(lines)
    kinds = [_kind(line, sign) for line in lines]
    place = 0
    while place < len(lines):
        end = place
        while end < len(lines) and kinds[end] == kinds[place] != 0:
            end += 1
        if end == place:
            place += 1
            continue
        head = place - 1 if place and _is_head(lines[place - 1], sign, kinds[place]) else -1
        if _are_rows(end - place, head >= 0, sign, kinds[place]):
            for k in (*([head] if head >= 0 else ()), *range(place, end)):
                made[k] = lines[k].replace(sign, BAR)
        place = end
    return made


def _are_rows(count: int, is_headed: bool, sign: str, parts: int) -> bool:
    """Whether so many lines, each with so many signs, are rows of a table."""
    if sign == "\t":
        return parts > 1 or count > 1
    return is_headed and parts > 1 and count > 1


def _kind(line: str, sign: str) -> int:
    """How many signs part the cells of a row; 0 where a line is none."""
    cells = _cells(line, sign)
    if len(cells) < 2 or not _LABEL.fullmatch(cells[0]) or len(cells[0]) > WIDEST:
        return 0
    numbers = [cell for cell in cells[1:] if _NUMBER.fullmatch(cell)]
    is_row = len(numbers) == len([cell for cell in cells[1:] if cell.strip()]) > 0
    return len(cells) - 1 if is_row else 0


def _is_head(line: str, sign: str, parts: int) -> bool:
    """Whether a line holds the heads of such rows."""
    cells = _cells(line, sign)
    is_short = all(len(cell) <= WIDEST for cell in cells)
    are_words = not any(map(_NUMBER.fullmatch, cells[1:]))
    if sign != "\t" and any(cell[:1] == " " for cell in cells[1:]):
        return False
    return len(cells) == parts + 1 and is_short and are_words


def _cells(line: str, sign: str) -> list[str]:
    return [] if len(line) > LONGEST or BAR in line or "|" in line else line.rstrip().split(sign)
