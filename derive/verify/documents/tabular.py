"""LaTeX tables as rows between bars."""

from __future__ import annotations

import re

from derive.verify.documents.document import Segment
from derive.verify.documents.draft import Draft

_TABLE = re.compile(
    r"\\begin\{(tabular[*xy]?|longtable|tabu|tblr)\}(?:\s?\[[^\[\]]{0,20}\])?"
    r"(?:\s?\{[^{}]{0,80}\}(?=\s?\{))?\s?\{(?:[^{}]|\{[^{}]{0,80}\}){0,200}\}"
)
_MARK = re.compile(
    r"(?P<end>\\end\{(?:tabular[*xy]?|longtable|tabu|tblr)\})"
    r"|(?P<row>\\\\(?:\[[^\]\n]{0,20}\])?|\\tabularnewline)"
    r"|(?P<rule>\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot)"
    r"|\\c(?:line|midrule)(?:\([a-z]{0,9}\))?\s?\{[^{}]{0,20}\})"
    r"|(?P<span>\\multi(?:column|row)\s?\{[^{}]{0,20}\}\s?\{[^{}]{0,40}\})"
    r"|(?P<cell>(?<!\\)&)|(?P<line>\s*\n\s*)|(?P<dollar>\$)"
)


def tabulated(whole: Segment) -> Segment:
    """The text with each table as lines of cells between bars."""
    if not _TABLE.search(whole.text):
        return whole
    draft, last = Draft(), 0
    for found in _TABLE.finditer(whole.text):
        if found.start() >= last:
            draft.part(whole, last, found.start())
            last = _rows(draft, whole, found.end())
    draft.part(whole, last, len(whole.text))
    return draft.segment(whole.kind)


def _rows(draft: Draft, whole: Segment, start: int) -> int:
    """Writes the rows of one table; where it ends."""
    draft.put("\n\n| ", whole.offsets[start - 1])
    last = start
    for mark in _MARK.finditer(whole.text, start):
        draft.part(whole, last, mark.start())
        last = mark.end()
        at = whole.offsets[mark.start()]
        if mark["end"]:
            draft.put("\n\n", at)
            return last
        draft.put({"row": " |\n| ", "cell": " | "}.get(mark.lastgroup or "", " "), at)
    draft.part(whole, last, len(whole.text))
    return len(whole.text)
