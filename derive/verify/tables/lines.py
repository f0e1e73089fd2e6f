"""The lines of tables: a label, and the numbers behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from derive.verify.grammar.figures import Figure, figure
from derive.verify.tables.marks import NUMBER, labels_of

BARS = re.compile(r"[|│┃║]")
_POINTED = re.compile(
    r"(?<![\w.٫])[+\-−－]?(?:\d+(?:[.٫．]\d+)?\.?|\.\d+)(?:[eE][+-]?\d{1,4})?[%％]?(?!\w)"
)
_NUMBERED = r"(?:[-*•]\s)?[^\W\d][^\d\[\](){}=≈$\\:：]{0,15}[=(\[]?\s?\d{1,3}\s?[)\]]?\s?[:：]"
"""A word and a number before a row: pos=0:"""
_SPACED = re.compile(r"\s*\S.*\d[ \t]{2,}-?\d|\s*-?[\d.]+\s")
_NAMED = re.compile(
    r"(?<=\|)(?=[^|=]{0,60}(?:[·•⋅×*@]|\\cdot|\\times)|[\s$]*\d{1,3}\s?\\?[α-ωa-z])"
    r"(?:[\s$\\·•⋅×*@^{}'_A-Za-zα-ω]|(?<=[A-Za-z_{])\d|\d(?=\d{0,2}\s?\\?[α-ωa-z])){1,60}="
    r"(?=\s*-?\d[\d.,]*[\s$]*\|)"
)
"""A product of signs before the number of a cell: q1 · k1 = 112, 3θ_1 = 3."""
_CELL = re.compile(r"\s*[|│┃║]\s*[-+−]?[\d.,٫]+\s*[|│┃║]\s*")
"""A line that is one cell with a number."""
LONGEST = 4000
"""A longer line is no row of a table."""
_LABEL = re.compile(rf"[^\d\[\](){{}}=≈$\\]{{0,40}}\d{{0,3}}:?|{_NUMBERED}")
_TOLD_ROW = re.compile(
    r"[ \t>*+•–-]*[^\s:：][^:：\d\n]{0,40}\d{0,3}[)\]]?(?:[ \t]*[:：→][ \t]+|[ \t]{2,})"
    r"(?:[-+−]?\d*[.,٫]\d+[ \t]+)+[-+−]?\d*[.,٫]\d+[ \t]*"
)
"""A line of numbers with points, parted by blanks, behind a label."""
_DRESS = re.compile(
    r"\$|\*\*|`|\\(?:textbf|mathbf|boldsymbol|bm|textit|num|mathrm)\{|(?<=\d)\}|&nbsp;|\\[,;!()]"
)
"""What may stand around a number in a cell."""
_INDEX = re.compile(r"\s*(?:#[#>]?\s+)?(\[\d{1,6}(?:,\d{0,6})?\])(?=\s)")
"""The places that R prints before a row."""
_SEPARATED = re.compile(
    r"\s*(?:[^\d,;\[\](){}=]{1,40}[,;])?\s*(?:[+\-−]?[\d.]+(?:[eE][+-]?\d+)?\s*"
    r"[,;]\s*)+[+\-−]?[\d.]+(?:[eE][+-]?\d+)?\s*"
)
"""A line of numbers with commas or semicolons between them, perhaps behind a word."""


@dataclass(frozen=True)
class Entry:
    """One number of a table and where it begins; no figure means minus infinity, or none."""

    figure: Figure | None
    start: int


@dataclass(frozen=True)
class Row:
    """A line that holds numbers, and a label before them."""

    label: str
    entries: tuple[Entry, ...]
    start: int
    end: int
    is_barred: bool
    labels: int = 1  # so many cells hold it


def row_of(line: str, start: int, end: int, kind: str, comma: bool) -> Row | None:
    """The label and the numbers of a line that holds nothing else."""
    barred = bool(BARS.search(line))
    line = _NAMED.sub(_blanks, line)
    if barred and kind != "code" and line.count("|") < 2 and "│" not in line and "║" not in line:
        return None
    index = _INDEX.match(line)
    if kind == "prose" and not barred and not index and not _may_be_row(line):
        return None
    plain = BARS.sub(" ", undressed(line) if barred else line)
    if kind == "code" and not comma and not barred and _SEPARATED.fullmatch(plain):
        plain = plain.replace(",", " ").replace(";", " ")
    label, place = (index[1], index.end()) if index else ("", 0)
    labels = 1
    if not index and barred:
        label, place, labels = labels_of(line, plain)
    numbers = list(NUMBER.finditer(plain, place))
    first = _start_of_numbers(plain, numbers, place)
    if first is None:
        return None
    entries = tuple(_entries(numbers[first:], start, comma))
    label = label or plain[: numbers[first].start()].strip()
    is_cell = barred and (bool(label) or _CELL.fullmatch(line) is not None)
    is_short = len(entries) < 2 and not is_cell and not index
    if len(entries) < len(numbers) - first or (is_short and (kind != "code" or label)):
        return None
    return Row(label, entries, start, end, barred, labels)


def _may_be_row(line: str) -> bool:
    """Whether a line of prose may be a row: its numbers stand apart, or behind a label."""
    return bool(_SPACED.match(line) or _TOLD_ROW.fullmatch(line))


def undressed(line: str) -> str:
    """A line without what stands around its numbers, at the same length."""
    return _DRESS.sub(_blanks, line)


def entries_of(cell: str, start: int, comma: bool) -> Iterator[Entry]:
    """The numbers of a cell that begins at `start`."""
    number = NUMBER if comma else _POINTED
    return _entries(list(number.finditer(cell)), start, comma)


def _entries(numbers: list[re.Match[str]], start: int, comma: bool) -> Iterator[Entry]:
    for number in numbers:
        made = figure(number[0], comma=comma)
        if made is not None or not number[0][-1:].isdigit():
            yield Entry(made, start + number.start())


def _blanks(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _start_of_numbers(plain: str, numbers: list[re.Match[str]], place: int) -> int | None:
    """The first number after which only numbers stand; a label may come before it."""
    if not numbers or plain[numbers[-1].end() :].strip():
        return None
    first = len(numbers) - 1
    while first and not plain[numbers[first - 1].end() : numbers[first].start()].strip():
        first -= 1
    label = plain[place : numbers[first].start()].strip()
    return first if _LABEL.fullmatch(label) else None
