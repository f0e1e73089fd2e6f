"""What is laid out as a table, taken out of the text around it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

BREAK = "\ufffc"
"""Stands where something was taken out: nothing goes on across it."""


class Laid(Protocol):
    """Whatever has its place in a text."""

    @property
    def start(self) -> int:
        """Where it begins."""

    @property
    def end(self) -> int:
        """Just behind it."""


_Laid = TypeVar("_Laid", bound=Laid)


def disjoint(found: Iterable[_Laid]) -> list[_Laid]:
    """All but those that begin inside of one before."""
    kept: list[_Laid] = []
    for table in found:
        if not kept or table.start >= kept[-1].end:
            kept.append(table)
    return kept


def without(text: str, found: Sequence[Laid]) -> str:
    """The text with its tables blanked, as long as before."""
    pieces, last = [], 0
    for table in found:
        pieces += [text[last : table.start], BREAK, _blank(text[table.start + 1 : table.end])]
        last = table.end
    return "".join([*pieces, text[last:]])


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
