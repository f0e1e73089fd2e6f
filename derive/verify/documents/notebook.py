"""Jupyter notebooks: cells and outputs, each character with its place in the stored JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from derive.errors import InputError
from derive.verify.documents.document import Segment

_MARK = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))|([^\\]+)", re.S)
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


class _Text(str):
    """A string of the JSON, which remembers where it begins."""

    start = 0


MOST = 300_000
"""So many values the JSON may hold."""
MOST_CELLS = 20_000


def cells(text: str, name: str) -> list[Segment]:
    """Markdown as prose, sources and printed outputs as code.  InputError for no notebook."""
    if text.count(",") > MOST or text.count('"cell_type"') > MOST_CELLS:
        expected = f"at most {MOST_CELLS:,} cells and {MOST:,} values"
        raise InputError(f"{name} holds too much to be read", expected=expected)
    try:
        found = _located(text)
        return [part for cell in found["cells"] for part in _cell(cell, text) if part.text.strip()]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise _broken(text, name) from None


def _broken(text: str, name: str) -> InputError:
    """What is said of JSON that cannot be read as a notebook."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not isinstance(found.get("cells"), list):
        return InputError(f"{name} is not a Jupyter notebook", expected="JSON with cells")
    for place, cell in enumerate(found["cells"], 1):
        if not isinstance(cell, dict) or not {"cell_type", "source"} <= set(cell):
            expected = "an object with cell_type and source"
            return InputError(f"{name}: cell {place} is not one of a notebook", expected=expected)
    return InputError(f"{name} has a cell that cannot be read", expected="text, or lines of text")


def _located(text: str) -> Any:
    """The JSON with its strings marked by their offsets."""
    decoder = json.JSONDecoder()

    def string(source: str, begin: int, strict: bool = True) -> tuple[str, int]:
        value, end = json.decoder.scanstring(source, begin, strict)  # type: ignore[attr-defined]
        marked = _Text(value)
        marked.start = begin
        return marked, end

    decoder.parse_string = string  # type: ignore[attr-defined]
    decoder.scan_once = json.scanner.py_make_scanner(decoder)  # type: ignore[attr-defined]
    return decoder.decode(text)


def _cell(cell: dict[str, Any], text: str) -> Iterator[Segment]:
    kind = "prose" if cell["cell_type"] in ("markdown", "raw") else "code"
    yield _joined(cell["source"], text, kind)
    for output in cell.get("outputs", []):
        shown, kind = _shown(output)
        yield replace(_joined(shown, text, kind), is_output=kind == "code")
        page = output.get("data", {}).get("text/html")
        if page is not None and kind == "code" and "<table" in "".join(page):
            yield _joined(page, text, "html")


def _shown(output: dict[str, Any]) -> tuple[Any, str]:
    """What one output shows, in the form that says most, and its kind."""
    if "text" in output:
        return output["text"], "code"
    data = output.get("data", {})
    plain = data.get("text/plain", [])
    first = plain if isinstance(plain, str) else "".join(plain[:1])
    for name, kind in _FORMS:
        if name in data and (name != "text/html" or not plain or first.startswith("<")):
            return data[name], kind
    return plain, "code"


_FORMS = (("text/markdown", "prose"), ("text/latex", "prose"), ("text/html", "html"))


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
            yield _letter(mark), mark.start()


def _letter(mark: re.Match[str]) -> str:
    """The character of an escape; one of two halves, or a half alone, becomes a stand-in."""
    if not mark[1]:
        return _PLAIN.get(mark[2], mark[2])
    letter = chr(int(mark[1], 16))
    return "\ufffd" if "\ud800" <= letter <= "\udfff" else letter
