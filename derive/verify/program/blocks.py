"""The blocks of a program: loops, functions and conditions, with the lines inside."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from derive.verify.program.source import Line, lines

_NAME = r"[^\W\d]\w{0,40}"
_OPENS = re.compile(r"(?:for|while|if|elif|else|with|try|except|finally|def|class)\b.*:$", re.S)
_INLINE = re.compile(r"((?:for|if|def)\b[^:]*(?:\([^)]*\))?[^:]*:)\s*(\S.*)$", re.S)
_ENDED = re.compile(r"(?:for|while|if|function|begin|let|try)\b")
_END = re.compile(r"end\b;?$")
_BRACED = re.compile(r"(.*?)\{\s*\n?(.*)\}\s*$", re.S)
_HEADER_IN_R = re.compile(rf"for\s*\(|(?:while|if)\s*\(|{_NAME}(?:\.\w+)*\s*(?:<-|=)\s*function\b")


@dataclass(frozen=True)
class Block:
    """A block: its first line, and the lines inside."""

    head: Line
    body: tuple[Line, ...]


def blocks(found: Sequence[Line], language: str) -> Iterator[Line | Block]:
    """Lines by themselves and blocks, in order; blocks inside of blocks are still lines."""
    if language in ("matlab", "julia"):
        yield from _ended(found)
    elif language == "r":
        yield from map(_braced, found)
    else:
        yield from _indented(found)


def _indented(found: Sequence[Line]) -> Iterator[Line | Block]:
    place = 0
    while place < len(found):
        head = found[place]
        place += 1
        first = place
        while place < len(found) and found[place].indent > head.indent:
            place += 1
        body = found[first:place]
        inline = _INLINE.match(head.text) if not body else None
        if inline is not None:
            yield Block(replace(head, text=inline[1]), (replace(head, text=inline[2], indent=1),))
        elif body and _OPENS.match(head.text):
            yield Block(head, tuple(body))
        else:
            yield head
            yield from body


def _ended(found: Sequence[Line]) -> Iterator[Line | Block]:
    place = 0
    while place < len(found):
        head = found[place]
        place += 1
        if not _ENDED.match(head.text) or _END.search(head.text):
            yield head
            continue
        first, depth = place, 1
        while place < len(found) and depth:
            text = found[place].text
            depth += bool(_ENDED.match(text) and not _END.search(text)) - bool(_END.match(text))
            place += 1
        yield Block(head, tuple(found[first : place - (not depth)]))


def _braced(line: Line) -> Line | Block:
    """A line of R: what stands in braces is a block."""
    found = _BRACED.match(line.text) if _HEADER_IN_R.match(line.text) else None
    if found is None:
        return line
    inner = tuple(replace(part, start=line.start, end=line.start) for part in lines(found[2], "r"))
    return Block(replace(line, text=found[1].rstrip()), inner)
