"""Boxes of text: displayed mathematics as lines of equal width, set side by side."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, zip_longest

from derive.render.wrap import columns

Box = tuple[list[str], int]
"""Lines of equal width, and which of them is the axis."""
Cells = Sequence[Sequence[str]]


def padded(text: str, width: int, right: bool) -> str:
    """The text in so many columns, at the left or the right."""
    space = " " * (width - columns(text))
    return space + text if right else text + space


def text_box(text: str) -> Box:
    """A box of one line."""
    return [text], 0


def box_width(box: Box) -> int:
    """The width of a box in columns."""
    return max(map(columns, box[0]))


def beside(boxes: Sequence[Box]) -> Box:
    """Boxes side by side, their axes on one line."""
    above = max(axis for _, axis in boxes)
    below = max(len(lines) - axis for lines, axis in boxes)
    rows = [""] * (above + below)
    for lines, axis in boxes:
        width = max(map(columns, lines))
        top = above - axis
        for k in range(len(rows)):
            text = lines[k - top] if top <= k < top + len(lines) else ""
            rows[k] += text + " " * (width - columns(text))
    return rows, above


def spaced(boxes: Sequence[Box], gap: int) -> list[Box]:
    """Boxes with so much room between them."""
    out: list[Box] = []
    for box in boxes:
        out += [text_box(" " * gap), box] if out else [box]
    return out


def column_widths(rows: Sequence[Sequence[Box]]) -> list[int]:
    """The widths of columns of boxes."""
    found = zip_longest(*rows, fillvalue=text_box(""))
    return [max(map(box_width, column)) for column in found]


# --- matrices


def matrix_box(cells: Cells, right: bool, before: str = "", after: str = "") -> Box:
    """A matrix in its brackets, or with what stands for one of them."""
    widths = _widths(cells)
    lines = []
    for k, row in enumerate(cells):
        left_bracket, right_bracket = _brackets(k, len(cells))
        body = "  ".join(padded(c, w, right) for c, w in zip(row, widths, strict=True))
        lines.append(f"{before or left_bracket}{body}{after or right_bracket}")
    return lines, (len(lines) - 1) // 2


def parted(cells: Cells, right: bool, room: int) -> list[Box]:
    """A matrix some columns at a time, with dots where it goes on.

    No boxes where it has one row, or where a column by itself is too wide.
    """
    widths = _widths(cells)
    if len(cells) == 1 or max(widths) + 4 > room:
        return []
    starts, used = [0], 2
    for k, wide in enumerate(widths):
        used += wide + 2
        if used > room and k:
            starts, used = [*starts, k], 4 + wide
    return [
        matrix_box(
            [row[a:b] for row in cells],
            right,
            before="… " if a else "",
            after=" …" if b < len(widths) else "",
        )
        for a, b in pairwise((*starts, len(widths)))
    ]


def _widths(cells: Cells) -> list[int]:
    return [max(map(columns, column)) for column in zip(*cells, strict=True)]


def _brackets(k: int, n: int) -> tuple[str, str]:
    if k == 0:
        return "⎡", "⎤"
    return ("⎣", "⎦") if k == n - 1 else ("⎢", "⎥")
