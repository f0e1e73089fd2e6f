"""Spreadsheets as stored: the sheets of a workbook with their values and formulas."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from derive.errors import InputError
from derive.verify.documents.packages import Element, Package
from derive.verify.documents.references import Shift, number_of

MOST_SHEETS = 100
MOST_CELLS = 200_000
_CELL = re.compile(r"([A-Z]{1,3})(\d{1,7})")


@dataclass(frozen=True)
class Formula:
    """A formula, where it stands, and the range it fills as one."""

    text: str
    shift: Shift
    fills: str = ""


@dataclass
class Sheet:
    """The cells of a sheet that are not empty, by row and column."""

    name: str
    values: dict[tuple[int, int], str] = field(default_factory=dict)
    words: dict[tuple[int, int], str] = field(default_factory=dict)
    formulas: dict[tuple[int, int], Formula] = field(default_factory=dict)


def sheets(package: Package) -> list[Sheet]:
    """The sheets of a workbook, in order.  InputError where they are broken or too many."""
    paths = {
        relation.get("Id", ""): relation.get("Target", "")
        for relation in package.tree("xl/_rels/workbook.xml.rels")
    }
    strings = _strings(package)
    found: list[Sheet] = []
    for entry in package.tree("xl/workbook.xml").iter("sheet"):
        path = paths.get(entry.get("id", ""), "")
        full = path.lstrip("/") if path.startswith("/") else posixpath.join("xl", path)
        if full in package.parts and len(found) < MOST_SHEETS:
            found.append(_sheet(entry.get("name", "?"), package.tree(full), strings))
    if sum(len(sheet.values) + len(sheet.words) for sheet in found) > MOST_CELLS:
        raise InputError(f"{package.name} has too many cells", expected=f"at most {MOST_CELLS}")
    return found


def _strings(package: Package) -> list[str]:
    if "xl/sharedStrings.xml" not in package.parts:
        return []
    return [_text(item) for item in package.tree("xl/sharedStrings.xml").iter("si")]


def _text(item: Element) -> str:
    return "".join(text.text or "" for text in item.iter("t"))


def _sheet(name: str, tree: Element, strings: list[str]) -> Sheet:
    made = Sheet(name)
    shared: dict[str, tuple[str, int, int]] = {}
    for place, cell in _cells(tree):
        kind, value = cell.get("t", "n"), cell.findtext("v") or ""
        if kind == "s":
            made.words[place] = strings[int(value)] if _is_index(value, strings) else ""
        elif kind == "inlineStr":
            made.words[place] = _text(cell)
        elif kind in ("str", "b", "e"):
            made.words[place] = value if kind == "str" else ""
        elif value:
            made.values[place] = _shortened(value)
        if (formula := _formula(cell.find("f"), place, name, shared)) is not None:
            made.formulas[place] = formula
    return made


def _is_index(value: str, strings: list[str]) -> bool:
    return value.isdecimal() and len(value) < 9 and int(value) < len(strings)


def _cells(tree: Element) -> Iterator[tuple[tuple[int, int], Element]]:
    """The cells with their places; where none is given, behind the cell before."""
    row, column = 0, 0
    for line in tree.iter("row"):
        given = line.get("r", "")
        row, column = int(given) if given.isdecimal() and len(given) < 8 else row + 1, 0
        for cell in line.findall("c"):
            found = _CELL.fullmatch(cell.get("r", ""))
            column = number_of(found[1]) if found else column + 1
            yield (row, column), cell


def _formula(
    element: Element | None,
    place: tuple[int, int],
    sheet: str,
    shared: dict[str, tuple[str, int, int]],
) -> Formula | None:
    """The formula of a cell; one that is shared is shifted from where it was written."""
    if element is None:
        return None
    text, key = element.text or "", element.get("si", "")
    if element.get("t") == "shared" and text:
        shared[key] = (text, *place)
    if element.get("t") == "shared" and not text:
        if key not in shared:
            return None
        first, row, column = shared[key]
        return Formula(first, Shift(sheet, place[0] - row, place[1] - column))
    fills = element.get("ref", "") if element.get("t") == "array" else ""
    return Formula(text, Shift(sheet), fills) if text else None


def _shortened(value: str) -> str:
    """A number as a spreadsheet shows it, with fifteen digits at most."""
    digits = re.sub(r"[eE].*|[-+.]", "", value).lstrip("0")
    if len(digits) <= 15 or len(value) > 40:
        return value
    try:
        return f"{float(value):.15g}"
    except ValueError:
        return value
