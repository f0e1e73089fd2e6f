"""Tables: Markdown, boxes, columns of numbers with labels, as data frames are printed."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction

from derive.verify.grammar.figures import Figure
from derive.verify.tables.heads import are_counted, is_margin
from derive.verify.tables.lines import BARS, LONGEST, Entry, Row, row_of
from derive.verify.tables.scans import filled, heads_of, is_scan
from derive.verify.tables.stairs import stairs, without

_RULE = re.compile(r"[\s|:+=─━│┃┌┐└┘├┤┬┴┼╔╗╚╝║═╠╣╦╩╬-]+")
NEAR = 400
"""The heads of a table stand no further before its numbers."""

_RUNNING = re.compile(r"\[\d+\]")
_SCALE = re.compile(r"\s*1\.0+e([+-]?\d{1,3})\s*\*\s*")
"""A factor of the whole matrix, as MATLAB prints it."""
_COLUMN = re.compile(r"(?i).*(?:\d-element|×1 |\bvector|=\s*$)")
"""What announces numbers below each other."""
_TOLD = re.compile(r"\s*\d{1,6}(?:×\d{1,6}|-element) \w[^=]{0,80}:")
"""The line in which Julia tells what it prints."""
_SERIES = re.compile(r"(?:Name: .*)?dtype: |Name: ")


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
    block: list[Row] = []
    head, head_at, start = "", 0, 0
    lines = text.splitlines(keepends=True)
    blanks = stairs(lines)
    for place, line in enumerate(lines):
        end, left = start + len(line), blanks.get(place, 0)
        plain = without(line, left) if left else line
        row = row_of(plain.rstrip("\r\n"), start, end, kind, comma) if _may_be(line) else None
        row = row or _with_blanks(line, head, start, kind, comma)
        if row and left:
            row = replace(row, entries=(*row.entries, *[Entry(None, -1)] * left))
        if row and block and _is_continued(block[-1], row):
            block[-1] = _continued(block[-1], row)
        elif row and (not block or len(block[-1].entries) == len(row.entries)):
            block.append(row)
        elif row is None and block and _RULE.fullmatch(line) and line.strip():
            pass
        else:
            is_head = row and len(block) == 1 and _counts_columns(block[0], row)
            if not is_head or not block[0].is_barred:
                found.extend(_table(block, (head, head_at), line, kind))
            if is_head:
                head, head_at = text[block[0].start : block[0].end], block[0].start
            block = [row] if row else []
        if not row and not _RULE.fullmatch(line):
            head, head_at = line, start
        start = end
    found.extend(_table(block, (head, head_at), "", kind))
    return found


def _may_be(line: str) -> bool:
    """Whether a line may be a row of a table."""
    return len(line) <= LONGEST and any(letter.isdigit() for letter in line)


def _with_blanks(line: str, head: str, start: int, kind: str, comma: bool) -> Row | None:
    """A row of a running softmax in which some cells hold nothing yet."""
    if not (BARS.search(line) and is_scan(heads_of(head))):
        return None
    text, blanks = filled(line.rstrip("\r\n"))
    row = row_of(text, start, start + len(line), kind, comma) if blanks and _may_be(line) else None
    if row is None:
        return None
    empty = {start + place for place in blanks}
    entries = tuple(Entry(None, -1) if e.start in empty else e for e in row.entries)
    return replace(row, entries=entries)


def _is_continued(before: Row, row: Row) -> bool:
    """Whether a vector goes on from the line before, as R prints it."""
    is_running = _RUNNING.fullmatch(before.label) and _RUNNING.fullmatch(row.label)
    return bool(is_running) and row.label == f"[{len(before.entries) + 1}]"


def _continued(before: Row, row: Row) -> Row:
    return Row(before.label, before.entries + row.entries, before.start, row.end, False)


def _table(block: list[Row], above: tuple[str, int], below: str, kind: str) -> list[Table]:
    """The table that rows below each other make, if they do."""
    if not block or not _is_table(block, above[0], kind):
        return []
    rows, labels = [row.entries for row in block], tuple(row.label for row in block)
    scale = _SCALE.fullmatch(above[0])
    if scale:
        rows = [tuple(_scaled(entry, int(scale[1])) for entry in row) for row in rows]
    heads = _heads(above[0], len(rows[0]))
    first = block[0]
    is_headed = bool(BARS.search(above[0])) and len(heads) - len(rows[0]) in (0, 1)
    if len(block) > 1 and _is_head(block) and not scale and not (first.label and is_headed):
        corner = (first.label,) if first.label else ()
        heads = (*corner, *(entry.figure.text for entry in rows[0] if entry.figure))
        block, rows, labels = block[1:], rows[1:], labels[1:]
        above = ("", first.start)
    is_series = bool(_SERIES.match(below)) and len(rows[0]) == 2
    is_one = len(block) == 1 and _is_row(first, above[0])
    is_numbered = is_series or len(heads) == len(rows[0]) - 1 or is_margin(heads, len(rows[0]))
    if len(rows[0]) > 1 and (is_one or (_is_counted(rows) and is_numbered)):
        rows = [row[1:] for row in rows]
    is_told = bool(_TOLD.fullmatch(above[0].rstrip("\r\n")))
    heads = () if is_told else heads
    is_near = above[1] <= block[0].start < above[1] + NEAR
    is_head = is_near and (is_told or scale or 0 <= len(heads) - len(rows[0]) <= first.labels)
    start = above[1] if is_head else block[0].start
    return [Table(tuple(rows), labels, heads if is_head else (), start, block[-1].end)]


def _counts_columns(above: Row, row: Row) -> bool:
    """Whether a line counts the columns below it, from 0 or 1, with none above the row numbers."""
    figures = [entry.figure for entry in above.entries]
    if above.is_barred and (not above.label or not row.entries[0].figure):
        return False
    return len(figures) == len(row.entries) - 1 and are_counted(figures)


def _is_head(block: list[Row]) -> bool:
    """Whether the first row only counts the columns, from 0 or 1."""
    figures = [entry.figure for entry in block[0].entries]
    patterns = {re.sub(r"\d+", "#", row.label) for row in block}
    is_like_others = bool(block[0].label) and len(patterns) == 1  # row 1, as row 2 below it
    if not block[0].is_barred or len(figures) < 2 or is_like_others:
        return False
    return are_counted(figures) and all(row.label for row in block[1:])


def _is_table(block: list[Row], head: str, kind: str) -> bool:
    """Whether rows are more than a line of numbers in running text."""
    first = block[0]
    if len(first.entries) == 1 and not first.is_barred and first.label[:1] != "[":
        return kind == "code" and len(block) > 1 and bool(_COLUMN.match(head))
    if len(block) > 1 or first.is_barred or first.label[:1] == "[" or _is_row(first, head):
        return True
    if not first.label and head.rstrip().endswith(("=", "≈")):
        return True
    figures = [entry.figure for entry in first.entries]
    return kind == "code" and not first.label and all(f and not f.is_whole for f in figures)


def _scaled(entry: Entry, power: int) -> Entry:
    if entry.figure is None or not entry.figure.value:
        return entry
    factor, figure = Fraction(10) ** power, entry.figure
    return Entry(Figure(figure.text, figure.value * factor, figure.unit * factor), entry.start)


def _heads(line: str, columns: int) -> tuple[str, ...]:
    """The heads above the columns of a table."""
    plain = line.strip(" |│┃║\r\n")
    parts = re.split(r"[|│┃║]|\s{2,}", plain)
    found = tuple(cell.strip() for cell in parts if cell.strip())
    words = tuple(plain.split())
    if plain.endswith(("=", ":", "：", "≈")):
        return ()
    is_list = "=" not in plain and len(found) < len(words) in (columns, columns - 1)
    return words if is_list else found


def _is_row(row: Row, head: str) -> bool:
    """Whether a single line is row 0, or 1, of a table whose columns are counted above it."""
    words, first = head.split(), row.entries[0].figure
    return (
        words in ([str(k + n) for k in range(len(row.entries) - 1)] for n in (0, 1))
        and first is not None
        and first.text in ("0", "1")
    )


def _is_counted(rows: list[tuple[Entry, ...]]) -> bool:
    """Whether the first column counts the rows, from 0 or 1."""
    return len(rows) > 1 and len(rows[0]) > 1 and are_counted([row[0].figure for row in rows])
