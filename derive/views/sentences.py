"""Sentences with mathematics put in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from derive.render.blocks import Inline
from derive.words import words


def sentence(table: str, key: str, lang: str, *values: Any) -> Inline:
    """The text of a key in a table of words; {0}, {1} ... become the texts and mathematics."""
    text: str = words(lang)[table][key]
    parts = list(_parts(text, values))
    return "".join(parts) if all(isinstance(x, str) for x in parts) else tuple(parts)


def _parts(text: str, values: tuple[Any, ...]) -> Iterator[Any]:
    for k, piece in enumerate(re.split("[{]([0-9]+)[}]", text)):
        found = values[int(piece)] if k % 2 else piece
        if found != "":
            yield found
