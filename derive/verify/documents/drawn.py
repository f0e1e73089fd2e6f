"""Matrices drawn over several lines, each row in brackets, as one formula in one line.

The name, the sign or the other factors may stand beside any of the rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from derive.verify.documents.document import Segment
from derive.verify.documents.draft import Draft

_BOX = re.compile(r"[(\[|│┃║⎡⎢⎣⎛⎜⎝](?P<row>[-+−\d.,;٫%eE∞inf \t]{1,200})[)\]|│┃║⎤⎥⎦⎞⎟⎠]")
_NUMBERS = re.compile(r"[-+−]?(?:\d[\d.,٫]*(?:[eE][-+]?\d+)?%?|\.\d+|∞|inf)[,;]?")
_BARRED = re.compile(r"\|.*\d[ \t]*\|[ \t]*[-+−.\d]*\d")
_RULE = re.compile(r"[\s|:+=-]+")
_BETWEEN = re.compile(r"[\s,;]*")
_BEHIND = re.compile(r"[\s,;.]*")
_OPEN = re.compile(r"[\[(]\s*$|^\s*[\])]")
_TIMES = re.compile(r"(?<=\s)[xX](?=\s)")
_NAMED = re.compile(r"[:：](?=\s*$)")
_TIED, _EQUALS = re.compile(r"[=≈]\s*$"), re.compile(r"\s*[=≈]")
"""Around two matrices side by side that are a product: K = A B = C."""
LONGEST = 400
"""A longer line draws nothing."""
WIDEST = 60
"""Words beside a row take no more characters."""
NEAR = 2
"""Rows of one matrix begin, or end, no further from each other, in characters."""


@dataclass
class _Box:
    """The rows of one matrix so far: where each stands, in the text and in its line."""

    spans: list[tuple[int, int]]
    first: int
    last: int
    count: int
    rows: list[int] = field(default_factory=list)

    def takes(self, start: int, end: int, count: int) -> bool:
        """Whether a row in the next line is one of this matrix."""
        is_near = abs(start - self.first) <= NEAR or abs(end - self.last) <= NEAR
        return is_near and count == self.count


@dataclass(frozen=True)
class _Line:
    """A line with rows in brackets: where it stands, its rows, and whether words stand beside."""

    start: int
    end: int
    found: tuple[re.Match[str], ...]
    is_named: bool
    is_open: bool  # whether brackets around the rows make them a list of lists


def redrawn(segment: Segment) -> Segment:
    """The segment with such matrices in one line each."""
    text = segment.text
    if not any(sign in text for sign in "([|│┃║⎡⎛"):
        return segment
    draft, last = Draft(), 0
    for block in _blocks(text):
        if (boxes := _boxes(block)) is not None:
            draft.part(segment, last, block[0].start)
            _draw(draft, segment, block, boxes)
            last = block[-1].end
    if not last:
        return segment
    draft.part(segment, last, len(text))
    made = draft.segment(segment.kind)
    return Segment(made.text, made.offsets, segment.kind, made.uses, segment.is_output)


def _blocks(text: str) -> Iterator[list[_Line]]:
    """The lines that may draw matrices together."""
    run: list[_Line] = []
    start, above = 0, ""
    for raw in text.splitlines(keepends=True):
        line = _line(raw, start) if not (not run and _RULE.fullmatch(above)) else None
        if line is None:
            yield from _parted(run)
            run = []
        else:
            run.append(line)
        above = raw if raw.strip() else ""
        start += len(raw)
    yield from _parted(run)


def _parted(run: list[_Line]) -> Iterator[list[_Line]]:
    """A run of lines, parted before those with names if the first has one."""
    if any(line.is_open for line in run):
        return
    named = [place for place, line in enumerate(run) if line.is_named]
    if len(named) > 1 and named[0] == 0:
        for first, last in zip(named, [*named[1:], len(run)], strict=True):
            if last > first + 1:
                yield run[first:last]
    elif len(run) > 1 and len(named) < 2:
        yield run


def _line(raw: str, start: int) -> _Line | None:
    """A line that holds rows in brackets, and few words beside them."""
    line = raw.rstrip()
    if len(line) > LONGEST or _BARRED.search(line):
        return None
    found = tuple(box for box in _BOX.finditer(line) if _is_row(box["row"].split()))
    if not found:
        return None
    gaps = _gaps(line, found)
    if any(len(gap.strip()) > WIDEST for gap in gaps):
        return None
    is_open = any(map(_OPEN.search, gaps)) or _is_told_behind(gaps)
    is_named = not (all(map(_BETWEEN.fullmatch, gaps[:-1])) and _BEHIND.fullmatch(gaps[-1]))
    if is_named and len(found) > 1 and gaps[0].strip() and line[found[0].end() - 1] == ")":
        wide = tuple(box for box in found if len(box["row"].split()) > 1)
        found = wide or found
    return _Line(start, start + len(raw), found, is_named, is_open)


def _is_row(words: list[str]) -> bool:
    """Whether all that stands between two brackets are numbers."""
    return bool(words) and all(map(_NUMBERS.fullmatch, words))


def _is_told_behind(gaps: list[str]) -> bool:
    """Whether words stand behind the rows alone."""
    return all(map(_BETWEEN.fullmatch, gaps[:-1])) and not _BEHIND.fullmatch(gaps[-1])


def _gaps(line: str, found: tuple[re.Match[str], ...]) -> list[str]:
    edges = [0, *(edge for box in found for edge in box.span()), len(line)]
    return [line[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)]


def _boxes(block: list[_Line]) -> list[_Box] | None:
    """The matrices of a block, if one of them has several rows and each is in the named line."""
    boxes: list[_Box] = []
    for number, line in enumerate(block):
        for row in line.found:
            span, count = (row.start(), row.end()), len(row["row"].split())
            place = (line.start + span[0], line.start + span[1])
            under = [b for b in boxes if b.rows[-1] == number - 1 and b.takes(*span, count)]
            if under:
                box = under[0]
                box.spans.append(place)
                box.rows.append(number)
                box.first, box.last = span
            else:
                boxes.append(_Box([place], *span, count, [number]))
    named = next((k for k, line in enumerate(block) if line.is_named), -1)
    is_drawn = any(len(box.rows) > 1 for box in boxes)
    is_drawn &= named >= 0 or block[0].found[0][0][0] != "["
    named = max(named, 0)
    return boxes if is_drawn and all(named in box.rows for box in boxes) else None


def _draw(draft: Draft, segment: Segment, block: list[_Line], boxes: list[_Box]) -> None:
    """The line with the names, with each matrix whole in the place of its row."""
    number = next((k for k, line in enumerate(block) if line.is_named), 0)
    line = block[number]
    text, places = segment.text, list[int]()
    place = line.start
    pieces, is_factor = [], False
    for box in sorted(boxes, key=lambda b: b.spans[b.rows.index(number)]):
        start, end = box.spans[box.rows.index(number)]
        gap = text[place:start]
        is_led = is_factor and gap and not gap.strip() and _EQUALS.match(text, end, line.end)
        pieces.append("·" + gap[1:] if is_led else _sign(gap))
        is_factor = bool(_TIED.search(gap))
        places.extend(range(place, start))
        for made, where in _written(text, box):
            pieces.append(made)
            places.extend(where)
        place = end
    end = line.end - (text[line.end - 1 : line.end] == "\n")
    pieces.append(text[place:end] + "\n")
    places.extend((*range(place, end), block[-1].end - 1))
    uses, first, last = segment.uses or segment.offsets, block[0].start, block[-1].end - 1
    draft.spread(
        "".join(pieces),
        [segment.offsets[p] for p in places],
        [uses[min(first + k, last)] for k in range(len(places))],
    )


def _sign(gap: str) -> str:
    """What stands before a matrix: x is the sign of a product, Q: is Q =."""
    return _NAMED.sub("=", gap) if gap.strip() not in "xX" else _TIMES.sub("×", gap)


def _written(text: str, box: _Box) -> Iterator[tuple[str, list[int]]]:
    """The rows of a matrix in square brackets, with the place of each character."""
    if len(box.spans) > 1:
        yield "[", [box.spans[0][0]]
    for k, (start, end) in enumerate(box.spans):
        if k:
            yield ", ", [start, start]
        yield f"[{text[start + 1 : end - 1]}]", list(range(start, end))
    if len(box.spans) > 1:
        yield "]", [box.spans[-1][1] - 1]
