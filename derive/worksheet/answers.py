"""What students wrote: numbers as people write them, and the file that holds them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from derive.errors import InputError, Place, nearest, quoted
from derive.read.files import read_table, source_name

COLUMNS = ("student", "id", "blank", "answer")
MOST_ANSWERS = 200_000
_NUMBER = re.compile(
    r"([+-]?)(\d{1,30}(?:[.,]\d{0,30})?|[.,]\d{1,30})(?:(?:e|[·*x×]10\^?)\(?([+-]?\d{1,3})\)?)?(%?)"
)
_STOPPED = re.compile(r"[^.,]*(?:[.,]\d[^.,]*|/[^.,]*)?[.。]")
"""With the full stop of a sentence behind it."""
_FRACTION = re.compile(r"([+-]?\d{1,30})/(\d{1,30})")
_SIGNS = str.maketrans({"−": "-", "–": "-", "，": ",", "．": ".", "％": "%", "＋": "+", "－": "-"})


@dataclass(frozen=True)
class Given:
    """One answer of a student: which sheet, which blank, what stands there, in which line."""

    student: str
    id: str
    blank: str
    text: str
    line: int


def number_of(text: str) -> Fraction | None:
    """The number that is written: 0.401, 0,401, 40.1 %, 1/3, 4.25e-4; None where none can be read.

    >>> number_of("40,1 %"), number_of("a half")
    (Fraction(401, 1000), None)
    """
    plain = re.sub(r"\s", "", text.translate(_SIGNS)).lower().lstrip("≈≃≅~=约")
    if _STOPPED.fullmatch(plain):
        plain = plain[:-1]
    if (found := _FRACTION.fullmatch(plain)) and int(found[2]):
        return Fraction(int(found[1]), int(found[2]))
    found = _NUMBER.fullmatch(plain)
    if found is None:
        return None
    sign, digits, power, percent = found.groups()
    value = Fraction(_padded(digits.replace(",", "."))) * Fraction(10) ** int(power or 0)
    return (-value if sign == "-" else value) / (100 if percent else 1)


def _padded(digits: str) -> str:
    """With a digit on either side of the point."""
    return f"0{digits}0" if "." in digits else digits


def read_answers(path: str, tell: Callable[[str], None] | None = None) -> list[Given]:
    """The answers in a CSV file with the columns student, id, blank, answer, in any order.

    Commas, semicolons or tabs stand between them.  A file that is not UTF-8 is read as GB18030,
    and tell is called with a line that says so.  InputError with the line for a column that is
    missing, a row of another length, a row without student, and the same blank twice.
    """
    text, source = read_table(path, tell), source_name(path)
    reader = csv.reader(io.StringIO(text), delimiter=_delimiter(text), strict=True)
    try:
        found = list(_rows(reader, source))
    except csv.Error as error:
        raise InputError(f"{source} is no CSV: {error}", place=Place(source)) from None
    _check_once(found, source)
    return found


def _delimiter(text: str) -> str:
    first = text.partition("\n")[0]
    return max(",;\t", key=first.count)


def _rows(reader: Iterator[list[str]], source: str) -> Iterator[Given]:
    header = [cell.strip().casefold() for cell in next(reader, [])]
    missing = [name for name in COLUMNS if name not in header]
    if missing:
        close = nearest(missing[0], header)
        raise InputError(
            f"{source} has no column {missing[0]}",
            place=Place(source, 1),
            expected="a first line with " + ", ".join(COLUMNS),
            hint=f'is it the column "{close}"?' if close else "",
        )
    for count, row in enumerate(reader):
        line: int = reader.line_num  # type: ignore[attr-defined]
        if not any(cell.strip() for cell in row):
            continue
        if count >= MOST_ANSWERS:
            raise InputError(f"{source} has more than {MOST_ANSWERS:,} answers")
        _check_cells(header, row, Place(source, line))
        yield _given(dict(zip(header, row, strict=True)), line, source)


def _check_cells(header: list[str], row: list[str], place: Place) -> None:
    """InputError for a row of another length, and for a cell in a column without a name."""
    hint = 'a decimal comma needs quotes ("0,401"), or semicolons between the cells'
    if len(row) != len(header):
        message = f"row {place.line} has {len(row)} cells, and the first line {len(header)}"
        raise InputError(message, place=place, hint=hint)
    if any(cell.strip() and not name for name, cell in zip(header, row, strict=True)):
        message = f"row {place.line} has a cell in a column without a name"
        raise InputError(message, place=place, hint=hint)


def _given(row: dict[str, str], line: int, source: str) -> Given:
    student, sheet, blank, text = (row[name].strip() for name in COLUMNS)
    if not student:
        raise InputError("the row names no student", place=Place(source, line))
    return Given(student, sheet, blank.replace(" ", ""), text, line)


def _check_once(found: list[Given], source: str) -> None:
    seen: dict[tuple[str, str, str], int] = {}
    for one in found:
        key = (one.student, one.id, one.blank)
        if key in seen:
            raise InputError(
                f"{quoted(one.student)} answers {one.blank} twice",
                place=Place(source, one.line),
                hint=f"the first answer is in line {seen[key]}; keep one of them",
            )
        seen[key] = one.line
