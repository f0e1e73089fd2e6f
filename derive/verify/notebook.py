"""Jupyter notebooks: cells and outputs, each character with its place in the stored JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from derive.errors import InputError
from derive.verify.document import Segment

_MARK = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))|([^\\]+)", re.S)
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


class _Text(str):
    """A string of the JSON, which remembers where it begins."""

    start = 0


def cells(text: str, name: str) -> list[Segment]:
    """Markdown as prose, sources and printed outputs as code.  InputError for no notebook."""
    try:
        found = _located(text)
        return [part for cell in found["cells"] for part in _cell(cell, text) if part.text.strip()]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError(f"{name} is not a Jupyter notebook", expected="JSON with cells") from None


def _located(text: str) -> Any:
    """The JSON with its strings marked by their offsets."""
    decoder = json.JSONDecoder()
    scan = json.scanner.py_make_scanner(decoder)  # type: ignore[attr-defined]

    def string(source: str, begin: int, strict: bool = True) -> tuple[str, int]:
        value, end = json.decoder.scanstring(source, begin, strict)  # type: ignore[attr-defined]
        marked = _Text(value)
        marked.start = begin
        return marked, end

    decoder.parse_string = string  # type: ignore[attr-defined]
    decoder.scan_once = json.scanner.py_make_scanner(decoder)  # type: ignore[attr-defined]
    del scan
    return decoder.decode(text)


def _cell(cell: dict[str, Any], text: str) -> Iterator[Segment]:
    kind = "prose" if cell["cell_type"] == "markdown" else "code"
    yield _joined(cell["source"], text, kind)
    for output in cell.get("outputs", []):
        shown = output.get("text") or output.get("data", {}).get("text/plain", [])
        yield _joined(shown, text, "code")


def _joined(lines: Any, text: str, kind: str) -> Segment:
    offsets: list[int] = []
    written: list[str] = []
    for line in [lines] if isinstance(lines, str) else lines:
        if not isinstance(line, _Text):
            raise TypeError
        for letter, offset in _letters(text, line):
            written.append(letter)
            offsets.append(offset)
    return Segment("".join(written), offsets, kind)


def _letters(text: str, line: _Text) -> Iterator[tuple[str, int]]:
    raw = _STRING.match(text, line.start - 1)
    if raw is None:
        raise ValueError
    for mark in _MARK.finditer(text, raw.start(1), raw.end(1)):
        if mark[3]:
            yield from zip(mark[3], range(mark.start(), mark.end()), strict=True)
        else:
            yield (chr(int(mark[1], 16)) if mark[1] else _PLAIN.get(mark[2], mark[2])), mark.start()
