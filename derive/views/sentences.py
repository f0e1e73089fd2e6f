"""Sentences with mathematics put in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from derive.exact import symbol
from derive.exact.trace import Value
from derive.render.blocks import Inline
from derive.words import words


def sentence(table: str, key: str, lang: str, *values: Any) -> Inline:
    """The text of a key in a table of words; {0}, {1} ... become the texts and mathematics."""
    text: str = words(lang)[table][key]
    parts = list(_parts(text, values))
    return "".join(parts) if all(isinstance(x, str) for x in parts) else tuple(parts)


_WIDTH = re.compile(r"(?<![A-Za-z0-9_])(d_(?:k|v|model|ff))(?![A-Za-z0-9_])")
"""The sizes that sentences speak of."""


def lettered(said: Inline) -> Inline:
    """A sentence in which d_k and the other widths stand as letters of mathematics."""
    pieces = (said,) if isinstance(said, str) else said
    parts = [part for piece in pieces for part in _letters(piece) if part != ""]
    return tuple(parts) if len(parts) > 1 else said


def _letters(piece: Any) -> Iterator[Any]:
    if not isinstance(piece, str):
        yield piece
        return
    for k, part in enumerate(_WIDTH.split(piece)):
        yield Value(symbol(part)) if k % 2 else part


def _parts(text: str, values: tuple[Any, ...]) -> Iterator[Any]:
    for k, piece in enumerate(re.split("[{]([0-9]+)[}]", text)):
        found = values[int(piece)] if k % 2 else piece
        if found != "":
            yield found
