"""The signs of a program: numbers, names, operators, words in quotes, matrices in brackets."""

from __future__ import annotations

import re
from collections.abc import Iterator

SEMICOLONS = frozenset(("matlab", "julia"))
"""Languages that write [1 2; 3 4], X' for the transpose and .* for entry by entry."""
MODULES = frozenset("np numpy torch math F tf jnp nn scipy special statistics stats".split())
_TOKEN = re.compile(
    r"""\s*(?:(?P<num>\d+(?:\.(?![*/^'])\d*)?(?:[eE][-+]?\d{1,3})?|\.\d+)L?
    |(?P<str>[rbfRBF]{0,2}(?:"[^"\n]*"|'[^'\n]*'))
    |(?P<op>\*\*|%\*%|%o%|//|[=!<>]=|[<>~]|\.[-+*/^](?=[^.])|\.'|[-+*/@^:,=()\[\]{}%])
    |(?P<name>[^\W\d][\w.]*(?<!\.))|(?P<dot>\.))""",
    re.X,
)
_DEGREE = re.compile(r"\.?'")
_VALUE = frozenset(("num", "name", "matrix", "turned"))
Token = tuple[str, str]


class NoProgram(Exception):
    """Here is no expression."""


def tokens(text: str, language: str = "") -> Iterator[Token]:
    """The signs of a text, each with its kind."""
    place, last = 0, ("", "")
    text = text.strip()
    has_rows = language in SEMICOLONS
    while place < len(text):
        made = _rows(text, place, last) if has_rows else None
        if made is None:
            for last in _plain(text, place):
                yield last
            place = _end(text, place)
        else:
            last, place = made
            yield last


def _rows(text: str, place: int, last: Token) -> tuple[Token, int] | None:
    """A transpose, or what stands in brackets, where this is one; and where it ends."""
    is_after = last[0] in _VALUE or last[1] in (")", "]")
    if is_after and (found := _DEGREE.match(text, place)):
        return ("turned", "'"), found.end()
    start = place + len(text[place:]) - len(text[place:].lstrip())
    if text[start : start + 1] != "[" or (is_after and start == place):
        return None
    end = closing(text, start)
    return ("matrix", text[start + 1 : end]), end + 1


def closing(text: str, start: int) -> int:
    """Where a bracket is closed.  NoProgram where it is not."""
    depth = 0
    for place in range(start, len(text)):
        depth += (text[place] in "([{") - (text[place] in ")]}")
        if not depth:
            return place
    raise NoProgram


def _end(text: str, place: int) -> int:
    found = _TOKEN.match(text, place)
    if found is None:
        raise NoProgram
    return found.end()


def _plain(text: str, place: int) -> Iterator[Token]:
    found = _TOKEN.match(text, place)
    if found is None:
        raise NoProgram
    kind = found.lastgroup or ""
    name = found[kind]
    if kind == "name" and "." in name:
        yield from _parted(name, text[found.end() : found.end() + 1] == "(")
    else:
        yield kind, name


def _parted(name: str, is_call: bool) -> Iterator[Token]:
    """x.sum( as x, a point and sum; np.sum( and names of R stay whole."""
    first, _, rest = name.partition(".")
    if is_call and first == "as":
        yield "name", name  # as.vector(x), which is a word that no language calls something
        return
    if first in MODULES:
        yield "name", name.rpartition(".")[2]
        return
    yield "name", first
    for part in rest.split("."):
        yield "dot", "."
        yield "name", part


def items(text: str) -> list[list[str]]:
    """The rows of a bracket such as 1 -2; 3 4, and their entries."""
    rows: list[list[str]] = [[]]
    depth, entry = 0, ""
    for place, letter in enumerate([*text, ";"]):
        depth += (letter in "([{") - (letter in ")]}")
        is_row, is_gap = letter in ";\n", letter == "," or _parts(text, place)
        if depth or not (is_row or is_gap):
            entry += letter
            continue
        if entry.strip():
            rows[-1].append(entry.strip())
        entry = ""
        if is_row and rows[-1]:
            rows.append([])
    return [row for row in rows if row]


_OPERATOR = "+-*/^@:=,;.'"


def _parts(text: str, place: int) -> bool:
    """Whether a space stands between two entries: in 1 -2, not in 1 - 2."""
    if text[place : place + 1] not in (" ", "\t"):
        return False
    before, behind = text[:place].rstrip()[-1:], text[place:].lstrip()
    if not before or not behind or before in "+-*/^@:=,;(":
        return False
    is_sign = behind[0] in "+-" and behind[1:2] not in (" ", "\t", "")
    return is_sign or behind[0] not in _OPERATOR
