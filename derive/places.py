"""Entries by their names on the page, such as A[2][3], counted from 1."""

from __future__ import annotations

import re
from collections.abc import Mapping

from derive.errors import InputError
from derive.exact import Matrix, symbol
from derive.exact.ink import PLAIN
from derive.exact.numbers import Numbers
from derive.exact.trace import VECTORS


def parse_place(place: str) -> tuple[str, int, int]:
    """("A", 2, 3) from "A[2][3]"; the column of a one-column step may be left out."""
    found = re.fullmatch(r"\s*([^\[\]\s]+)\s*\[(\d{1,6})\](?:\s*\[(\d{1,6})\])?\s*", place)
    if not found or (found[3] is None and found[1] not in VECTORS):
        raise InputError(
            f'"{place[:60]}" names no entry', expected='a step and two places, such as "A[2][3]"'
        )
    return found[1], int(found[2]), int(found[3] or 1)


def entry_name(step: str, i: int, j: int) -> str:
    """The entry's name on the page, from places counted from 1."""
    return f"{step}[{i}]" if step in VECTORS else f"{step}[{i}][{j}]"


def check_symbols(given: Mapping[str, Matrix]) -> None:
    """InputError where a symbol has the name of a given entry that is something else.

    Letters for given entries are written like the symbols of those names.
    """
    lettered = {name: m for name, m in given.items() if not isinstance(m, Numbers)}
    symbols = frozenset().union(*(x.free_symbols for m in lettered.values() for x in m))
    for name, m in given.items() if symbols else ():
        for i, row in enumerate(m.rows, 1):
            for j, x in enumerate(row, 1):
                letter_name = PLAIN.entry(name, (str(i), str(j)))
                if letter_name in symbols and x != symbol(letter_name):
                    raise InputError(
                        f"the symbol {letter_name} has the name of {name}[{i}][{j}], "
                        "which is something else",
                        hint="give the symbol another name",
                    )
