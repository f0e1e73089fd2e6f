"""Matrices in one line whose rows have names: Q: cat (1, 2), sat (2, 0), mat (1, 1)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from derive.verify.documents.document import Segment
from derive.verify.documents.draft import Draft
from derive.verify.speech.roles import role

_NUMBER = r"[-+−]?\d+(?:[.,٫]\d+)?"
_ROW = rf"[(\[]\s?{_NUMBER}(?:\s?[;,；，]\s{_NUMBER}){{1,15}}\s?[)\]]"
_WORD = r"[«\"“'*`]{0,2}[^\W\d]{1,20}[»\"”'*`]{0,2}\s?[:=]?\s?"
_LINE = re.compile(
    rf"(?m)^[ \t>*+•–-]*(?P<name>[A-Z]\w{{0,3}})[*`$]*[ \t]?[:：=][*`$]*[ \t]?"
    rf"(?P<rows>{_WORD}{_ROW}(?:[ \t]?[;,，、][ \t]?{_WORD}{_ROW}){{1,15}})[.;]?[ \t]*$"
)
_ENTRIES = re.compile(_NUMBER)


def unworded(segment: Segment) -> Segment:
    """The segment with such lines as one matrix each."""
    draft, last = Draft(), 0
    for start, end, name, rows in _lines(segment.text):
        draft.part(segment, last, start)
        draft.put(f"{name} = [", segment.offsets[start])
        for count, row in enumerate(rows):
            draft.put("], [" if count else "[", segment.offsets[row[0][0]])
            for place, (first, behind) in enumerate(row):
                draft.put("; " if place else "", segment.offsets[first])
                draft.part(segment, first, behind)
        draft.put("]]", segment.offsets[end - 1])
        last = end
    if not last:
        return segment
    draft.part(segment, last, len(segment.text))
    made = draft.segment(segment.kind)
    return Segment(made.text, made.offsets, segment.kind, made.uses, segment.is_output)


Span = tuple[int, int]


def _lines(text: str) -> Iterator[tuple[int, int, str, list[list[Span]]]]:
    """Where such lines stand, their names, and where the entries of each row stand."""
    for found in _LINE.finditer(text):
        base = found.start("rows")
        rows = [
            [
                (base + row.start() + entry.start(), base + row.start() + entry.end())
                for entry in _ENTRIES.finditer(row[0])
            ]
            for row in re.finditer(_ROW, found["rows"])
        ]
        if role(found["name"]) and len({len(row) for row in rows}) == 1:
            yield found.start("name"), found.end("rows"), found["name"], rows
