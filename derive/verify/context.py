"""The words around what is read, and the numbers that only count the items of a list."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import replace

from derive.verify.documents.document import Segment
from derive.verify.grammar.nodes import Chain

BEFORE = 120
"""So much before a number may say what it is."""
AFTER = 24
"""So much behind a number may say what it is: 2.34 bits."""
TAIL = 90
"""So much behind the last number of a statement may take it back."""
_MARKER = re.compile(r"[ \t>#*]*(?:(\d{1,3})[.)]|[\[(](\d{1,3})[\])])[ \t]+\S")


def is_marker(chain: Chain, segment: Segment, text: str) -> bool:
    """Whether a number only counts the items of a list: 2. at the head of a line."""
    if segment.kind != "prose" or len(chain.sides) > 1 or len(list(chain.sides[0].cells())) != 1:
        return False
    place = bisect_left(segment.uses or segment.offsets, chain.start)
    found = _MARKER.match(text, text.rfind("\n", 0, place) + 1)
    return found is not None and place in (found.start(1), found.start(2), found.start(2) - 1)


def with_text(chain: Chain, segment: Segment) -> Chain:
    """A chain with the text around it."""
    uses = segment.uses or segment.offsets
    place = bisect_left(uses, chain.start)
    before = segment.text[max(0, place - BEFORE) : place]
    said = (before, segment.text[place : place + AFTER])
    last = max((c for c in chain.cells() if c.figure), key=lambda c: c.start, default=None)
    if last is None or last.figure is None or last.start < chain.start:
        return replace(chain, said=said)
    end = bisect_left(uses, last.start) + len(last.figure.text)
    return replace(chain, said=said, tail=segment.text[end : end + TAIL])
