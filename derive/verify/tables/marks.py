"""The words in the first cells of a row, before its numbers."""

from __future__ import annotations

import re

NUMBER = re.compile(
    r"(?<![\w.,])[+\-−－]?(?:\d+(?:[.,٫．]\d+)?\.?|\.\d+)(?:[eE][+-]?\d{1,4})?[%％]?(?!\w)(?!\.\d)"
    r"|(?<![\w.,])(?:-|−|\\?-)(?:∞|[Ii]nf|\\infty)(?!\w)"
)
"""A number in a cell."""
_FIRST = re.compile(r"\s*[|│┃║]?([^|│┃║]{1,80})[|│┃║]")
_WORD = re.compile(r"(?<![\d.])(?!(?<=\d\s)x\s\d)[^\W\d_]")
"""What makes a cell one of words; 2 x 12 x 64 is none."""


def labels_of(line: str, plain: str) -> tuple[str, int, int]:
    """The words in the first cells of a line, where they end, and how many cells they take."""
    cell = _FIRST.match(line)
    if cell is None:
        return "", 0, 1
    label, place, count = cell[1].strip(), cell.end(1), 1
    if _are_numbers(plain[: cell.end(1)]):
        label, place = _second(line, plain, cell.end(1))
    while (label or not cell[1].strip()) and (following := _FIRST.match(line, place)):
        if not _WORD.search(following[1]):
            break
        cell, count = following, count + 1
        label, place = f"{label} | {cell[1].strip()}", cell.end(1)
    return label, place, count


def _are_numbers(cell: str) -> bool:
    """Whether a cell holds numbers alone, as a row drawn between two bars does."""
    return bool(cell.strip()) and all(map(NUMBER.fullmatch, cell.split()))


def _second(line: str, plain: str, end: int) -> tuple[str, int]:
    """The words in the second cell, behind a number that counts the row, and where they end."""
    cell = _FIRST.match(line, end)
    if cell is None or NUMBER.search(plain[cell.start(1) : cell.end(1)]) or not cell[1].strip():
        return "", 0
    return cell[1].strip(), cell.end(1)
