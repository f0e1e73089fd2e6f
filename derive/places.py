"""Entries by their names on the page, such as A[2][3], counted from 1."""

from __future__ import annotations

import re
from collections.abc import Mapping

from derive.errors import InputError
from derive.exact import Matrix, symbol
from derive.exact.ink import PLAIN
from derive.exact.names import place as place_of
from derive.exact.names import shown
from derive.exact.numbers import Numbers


def parse_place(place: str) -> tuple[str, int, int]:
    """("A", 2, 3) from "A[2][3]"; the column of a one-column step may be left out."""
    found = re.fullmatch(r"\s*([^\[\]\s]+)\s*(?:\[(\d{1,6})\])?(?:\s*\[(\d{1,6})\])?\s*", place)
    indices = tuple(int(k) for k in found.groups()[1:] if k) if found else ()
    entry = place_of(found[1], indices) if found else None
    if found is None or entry is None:
        raise InputError(
            f'"{place[:60]}" names no entry', expected='a step and two places, such as "A[2][3]"'
        )
    return found[1], *entry


def entry_name(step: str, i: int, j: int) -> str:
    """The entry's name on the page, from places counted from 1."""
    return step + "".join(f"[{k}]" for k in shown(step, i, j))


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
