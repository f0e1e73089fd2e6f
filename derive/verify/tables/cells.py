"""Tables whose cells are lists: each column is a matrix, with a row in each line."""

from __future__ import annotations

import re
from dataclasses import dataclass

from derive.verify.speech.roles import role
from derive.verify.tables.lines import LONGEST, Entry, entries_of, undressed

_NUMBERS = re.compile(r"\s*[\[(（]?((?:\s*[-+−]?[\d.,٫]+%?\s*[,;，；]?){2,40})[\])）]?\s*[ᵀT⊤]?\s*")
_NUMBER = re.compile(r"\s*\d+(?:[.,٫]\d+)?\s*")
_OTHER = re.compile(r"[\s\d.,-]*\d[\s\d.,-]*")
_RULE = re.compile(r"[\s|:+=-]+")
_SYMBOL = re.compile(r"[(（]\s*([A-Za-z](?:[_^]?\{?[A-Za-z0-9]{1,3}\}?)?'?)\s*[)）]\s*$")


SHORT = 3
"""A sign has no more letters."""


@dataclass(frozen=True)
class Columns:
    """Matrices side by side: the name above each, its rows, and the text that they take."""

    names: tuple[str, ...]
    matrices: tuple[tuple[tuple[Entry, ...], ...], ...]
    start: int
    end: int


Line = tuple[list[tuple[Entry, ...]], int, int]


def columns(text: str, comma: bool) -> list[Columns]:
    """The tables of lists in a text, in order."""
    if "|" not in text:
        return []
    found: list[Columns] = []
    block: list[Line] = []
    head, start = ("", 0), 0
    for line in text.splitlines(keepends=True):
        end = start + len(line)
        row = _row(line, start, comma)
        if row and (not block or list(map(len, block[-1][0])) == list(map(len, row))):
            block.append((row, start, end))
        elif not (block and _RULE.fullmatch(line) and line.strip()):
            found.extend(_closed(block, head))
            block = [(row, start, end)] if row else []
        if not row and not _RULE.fullmatch(line):
            head = (line, start)
        start = end
    return [*found, *_closed(block, head)]


def _row(line: str, start: int, comma: bool) -> list[tuple[Entry, ...]]:
    """The lists in the cells of a line, where a label alone may come before them."""
    if line.count("|") < 2 or len(line) > LONGEST:
        return []
    plain = undressed(line)
    made: list[tuple[Entry, ...]] = []
    place = plain.find("|") + 1 if plain.lstrip().startswith("|") else 0
    for count, cell in enumerate(plain[place:].rstrip().rstrip("|").split("|")):
        if _NUMBERS.fullmatch(cell) or (_NUMBER.fullmatch(cell) and not count):
            made.append(tuple(entries_of(cell, start + place, comma)))
        elif count or (_OTHER.fullmatch(cell) and not cell.strip().isdigit()):
            return []
        place += len(cell) + 1
    return made if len(made) > 1 and all(len(row) > 1 for row in made[1:]) else []


def _closed(block: list[Line], head: tuple[str, int]) -> list[Columns]:
    if not block:
        return []
    heads = [cell.strip() for cell in undressed(head[0]).strip().strip("|").split("|")]
    count = len(block[0][0])
    if not 0 <= len(heads) - count <= 1 or not 0 <= block[0][1] - head[1] < 400:
        return []
    heads = heads[len(heads) - count :]
    matrices = [tuple(line[0][k] for line in block) for k in range(count)]
    if len(matrices[0][0]) == 1 and role(heads[0]) != "temperature":
        if count < 3 or not all(e.figure and e.figure.is_whole for (e,) in matrices[0]):
            return []
        heads, matrices = heads[1:], matrices[1:]  # the first only counts the lines
    return [Columns(tuple(map(symbol, heads)), tuple(matrices), head[1], block[-1][2])]


def symbol(head: str) -> str:
    """The symbol that a head gives in brackets, or behind words, or the head itself."""
    found = _SYMBOL.search(head)
    name = re.sub(r"_\{?[tijnm]\}?$", "", found[1] if found else head)
    last = re.sub(r"_\{?[tijnm]\}?$", "", name.rpartition(" ")[2].strip("$*`"))
    return last if not role(name) and len(last) <= SHORT and role(last) else name
