"""Tables: Markdown, boxes, columns of numbers with labels, as data frames are printed."""

from __future__ import annotations

import re
from dataclasses import dataclass

from derive.verify.figures import Figure, figure

_NUMBER = re.compile(
    r"(?<![\w.,])[+\-−]?(?:\d+(?:[.,٫]\d+)?\.?|\.\d+)(?:[eE][+-]?\d{1,4})?%?(?![\w])(?!\.\d)"
)
_RULE = re.compile(r"[\s|:+=─━│┃┌┐└┘├┤┬┴┼╔╗╚╝║═╠╣╦╩╬-]+")
NEAR = 400
"""The heads of a table stand no further before its numbers."""
_BARS = re.compile(r"[|│┃║]")
_LABEL = re.compile(r"[^\d\[\](){}=≈$\\]{0,40}\d{0,3}:?")
_HEAD = re.compile(r"[^=≈\[\]{}]*")


@dataclass(frozen=True)
class Entry:
    """One number of a table and where it begins."""

    figure: Figure
    start: int


@dataclass(frozen=True)
class Table:
    """The numbers of a table, its row labels and heads, and the text it takes."""

    rows: tuple[tuple[Entry, ...], ...]
    labels: tuple[str, ...]
    heads: tuple[str, ...]
    start: int
    end: int


def tables(text: str, kind: str, comma: bool = False) -> list[Table]:
    """The tables of a segment, in order."""
    found: list[Table] = []
    block: list[tuple[str, tuple[Entry, ...], int, int]] = []
    head, start = "", 0
    head_at = 0
    for line in text.splitlines(keepends=True):
        end = start + len(line)
        row = _row(line.rstrip("\r\n"), start, kind, comma)
        if row and (not block or len(block[-1][1]) == len(row[1])):
            block.append((*row, start, end))
        elif row is None and block and _RULE.fullmatch(line) and line.strip():
            pass
        else:
            _close(block, head, head_at, found)
            block = [(*row, start, end)] if row else []
        if not row and not _RULE.fullmatch(line):
            head, head_at = line, start
        start = end
    _close(block, head, head_at, found)
    return found


def _close(
    block: list[tuple[str, tuple[Entry, ...], int, int]],
    head: str,
    head_at: int,
    found: list[Table],
) -> None:
    if len(block) < 2 and not (block and block[0][0] == "|"):
        return
    heads = tuple(
        cell.strip() for cell in re.split(r"[|│┃║]|\s{2,}", head.strip(" |│┃║\r\n")) if cell.strip()
    )
    rows = tuple(row for _, row, _, _ in block)
    labels = tuple(label for label, _, _, _ in block)
    is_head = 0 <= len(heads) - len(rows[0]) <= 1 and head_at < block[0][2] < head_at + NEAR
    start = head_at if is_head else block[0][2]
    found.append(Table(rows, labels, heads if is_head else (), start, block[-1][3]))


def _row(line: str, start: int, kind: str, comma: bool) -> tuple[str, tuple[Entry, ...]] | None:
    """The label and the numbers of a line that holds nothing else."""
    if not any(letter.isdigit() for letter in line):
        return None
    barred = len(_BARS.findall(line)) >= 1
    if barred and kind != "code" and line.count("|") < 2 and "│" not in line and "║" not in line:
        return None
    if (
        kind == "prose"
        and not barred
        and not re.match(r"\s*\S.*\d[ \t]{2,}-?\d|\s*-?[\d.]+\s", line)
    ):
        return None
    plain = _BARS.sub(" ", line)
    numbers = list(_NUMBER.finditer(plain))
    first = _start_of_numbers(plain, numbers)
    if first is None:
        return None
    entries = []
    for number in numbers[first:]:
        made = figure(number[0], comma=comma)
        if made is None:
            return None
        entries.append(Entry(made, start + number.start()))
    label = plain[: numbers[first].start()].strip()
    if len(entries) < 2 and not (barred and label):
        return None
    return label or "", tuple(entries)


def _start_of_numbers(plain: str, numbers: list[re.Match[str]]) -> int | None:
    """The first number after which only numbers stand; a label may come before it."""
    if not numbers:
        return None
    first = len(numbers) - 1
    if plain[numbers[-1].end() :].strip():
        return None
    while first and not plain[numbers[first - 1].end() : numbers[first].start()].strip():
        first -= 1
    label = plain[: numbers[first].start()].strip()
    return first if _LABEL.fullmatch(label) else None
