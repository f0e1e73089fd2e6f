"""What students wrote: numbers as people write them, and the file that holds them."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from derive.errors import InputError, Place, nearest, quoted
from derive.read.encodings import read_table
from derive.read.files import source_name

COLUMNS = ("student", "id", "blank", "answer")
MOST_ANSWERS = 200_000
MOST_SIGNS = 200
"""In a longer answer only a number is looked for."""
QUOTES = 'a decimal comma needs quotes ("0,401"), or semicolons between the cells'
VULGAR = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_NUMBER = re.compile(
    r"([+-]?)(\d{1,30}(?:[.,]\d{0,30})?|[.,]\d{1,30})(?:(?:e|[·*x×]10\^?)\(?([+-]?\d{1,3})\)?)?(%?)"
)
_STOPPED = re.compile(r"[^.,]*(?:[.,]\d[^.,]*|/[^.,]*)?[.。]")
"""With the full stop of a sentence behind it."""
_FRACTION = re.compile(r"([+-]?)(?:(\d{1,30})\s)?\s*(\d{1,30})/(\d{1,30})")
"""Also a mixed one, 1 1/2."""
_APART = re.compile(r"(?<=\d)\s+(?=\d)(?!\d{3}(?!\d))")
"""A space between digits that does not stand before three of them."""
_POWER = re.compile(r"(?<=10)[⁺⁻]?[⁰¹²³⁴-⁹]+")
_RAISED = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+-0123456789")
_QUOTED = re.compile(r"""['\"]?(.*?)['\"]?""", re.DOTALL)
_NAMED_NUMBER = re.compile(r"[^\W\d_][^=≈]{0,40}[=≈](?!.*[=≈])(.*)", re.DOTALL)
"""A11 = 0.050: the blank with its number."""
_REMARK = re.compile(r"\s*(?:\?|？|[(（][^\d()（）]*[)）])\s*")
"""What stands behind a number and is none: 0.050 ?, 0.050 (rounded)."""
_VULGAR = re.compile(r"(?<=\d)(?=[¼-¾⅐-⅞])")
_SIGNS = str.maketrans(
    {
        "٫": ".",
        "−": "-",
        "–": "-",
        "，": ",",
        "．": ".",
        "％": "%",
        "＋": "+",
        "－": "-",
        "／": "/",
        "⁄": "/",
    }
)
_WHOLE = re.compile(r"[≈=~]?\s*[+-]?\s*\d*")
_DIGITS = re.compile(r"\d+\s*(?:%|e[+-]?\d+)?", re.IGNORECASE)
"""What stands before and behind a decimal comma that was taken for the end of a cell."""


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
    spaced = _POWER.sub(lambda x: "^" + x[0].translate(_RAISED), _bare(text)).translate(_SIGNS)
    spaced = spaced.lower().strip().lstrip("≈≃≅~=约").lstrip()
    if _STOPPED.fullmatch(re.sub(r"\s", "", spaced)):
        spaced = spaced[:-1].rstrip()
    if (found := _FRACTION.fullmatch(re.sub(r"\s*/\s*", "/", spaced))) and int(found[4]):
        value = int(found[2] or 0) + Fraction(int(found[3]), int(found[4]))
        return -value if found[1] == "-" else value
    found = None if _APART.search(spaced) else _NUMBER.fullmatch(re.sub(r"\s", "", spaced))
    if found is None:
        return None
    sign, digits, power, percent = found.groups()
    value = Fraction(_padded(digits.replace(",", "."))) * Fraction(10) ** int(power or 0)
    return (-value if sign == "-" else value) / (100 if percent else 1)


def _bare(text: str) -> str:
    """Without quotes, the name of the blank and remarks, and ½ as 1/2."""
    if len(text) > MOST_SIGNS:
        return text
    found = _QUOTED.fullmatch(text.strip())
    bare = found[1] if found else text
    named = _NAMED_NUMBER.fullmatch(bare)
    bare = re.sub(rf"{_REMARK.pattern}$", "", named[1] if named else bare)
    parts = _VULGAR.sub(" ", bare)
    return "".join(unicodedata.normalize("NFKC", x) if x in VULGAR else x for x in parts)


def _padded(digits: str) -> str:
    """With a digit on either side of the point."""
    return f"0{digits}0" if "." in digits else digits


def read_answers(
    path: str, tell: Callable[[str], None] | None = None, encoding: str | None = None
) -> list[Given]:
    """The answers in a CSV file with the columns student, id, blank, answer, in any order.

    Commas, semicolons or tabs stand between them.  tell and encoding are those of `read_table`.
    InputError with the line for a column that is missing, a row of another length, and what may
    be a decimal comma that ends a cell.
    """
    text, source = re.sub("\r\n?", "\n", read_table(path, tell, encoding)), source_name(path)
    named = _NAMED.match(text)
    delimiter = named[1] if named else _delimiter(text)
    reader = csv.reader(io.StringIO(text), delimiter=delimiter, strict=True)
    try:
        if named:
            next(reader)
        found = list(_rows(reader, source))
    except csv.Error as error:
        raise InputError(f"{source} is no CSV: {error}", place=Place(source)) from None
    return found


_NAMED = re.compile(r"sep=([,;\t])\n", re.IGNORECASE)
"""The line in which a spreadsheet says what stands between the cells."""


def _delimiter(text: str) -> str:
    first = text.partition("\n")[0]
    return max(",;\t", key=first.count)


def _header(reader: Iterator[list[str]], source: str) -> list[str]:
    """The names of the columns; InputError where one is missing, or stands there twice."""
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
    twice = [name for name in COLUMNS if header.count(name) > 1]
    if twice:
        raise InputError(f"{source} has two columns {twice[0]}", place=Place(source, 1))
    return header


def _rows(reader: Iterator[list[str]], source: str) -> Iterator[Given]:
    header = _header(reader, source)
    has_commas = reader.dialect.delimiter == ","  # type: ignore[attr-defined]
    for count, row in enumerate(reader):
        line: int = reader.line_num  # type: ignore[attr-defined]
        if not any(cell.strip() for cell in row):
            continue
        if count >= MOST_ANSWERS:
            raise InputError(f"{source} has more than {MOST_ANSWERS:,} answers")
        _check_cells(header, row, Place(source, line))
        if has_commas:
            _check_comma(header, row, Place(source, line))
        yield _given(dict(zip(header, row, strict=True)), line)


def _check_cells(header: list[str], row: list[str], place: Place) -> None:
    """InputError for a row of another length, and for a cell in a column without a name."""
    if len(row) != len(header):
        message = f"row {place.line} has {len(row)} cells, and the first line {len(header)}"
        raise InputError(message, place=place, hint=QUOTES)
    if any(cell.strip() and not name for name, cell in zip(header, row, strict=True)):
        message = f"row {place.line} has a cell in a column without a name"
        raise InputError(message, place=place, hint=QUOTES)


def _check_comma(header: list[str], row: list[str], place: Place) -> None:
    """InputError where the answer is whole, and the column behind it goes on with digits."""
    behind = header.index("answer") + 1
    if behind == len(header) or header[behind] in COLUMNS:
        return
    answer, rest = row[behind - 1].strip(), row[behind].strip()
    if answer and _WHOLE.fullmatch(answer.translate(_SIGNS)) and _DIGITS.fullmatch(rest):
        name = quoted(header[behind])
        raise InputError(
            f'row {place.line} has "{answer[:40]}" as its answer, and "{rest[:40]}" as {name}: '
            "that may be one number with a decimal comma",
            place=place,
            hint=f"{QUOTES}; and a file with numbers in another column has answer as its last",
        )


def _given(row: dict[str, str], line: int) -> Given:
    student, sheet, blank, text = (row[name].strip() for name in COLUMNS)
    return Given(student, sheet, blank.replace(" ", ""), text, line)
