"""The other copies of a formula: a page may hold each formula twice, or three times."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property

from derive.verify.documents.copies import twins
from derive.verify.documents.document import Document

Span = tuple[int, int]
_SIGN = re.compile(r"\d+(?:[.,]\d+)*|=")
_MATHS = re.compile(
    r"<math\b(?P<seen>(?:(?!</math>).)*?)<annotation\b[^<>]*application/x-tex[^<>]*>"
    r"(?P<tex>.*?)</annotation>.*?</math>",
    re.S,
)
_DRAWN = re.compile(r"""(?:\s|</span>)*<span[^<>]*class="(?:katex-html|MathJax_?\w*)"[^<>]*>""")
_STACKED = re.compile(r"\\(?:begin|frac)")
_SPAN = re.compile(r"<(/?)span\b[^<>]*>")
PAGES = ("html", "htm", "xhtml")


class Copies:
    """Where else in a document a number stands that was read in one copy of its formula."""

    def __init__(self, document: Document) -> None:
        """Of this document."""
        self.document = document

    def of(self, start: int, printed: str, own: list[Span]) -> Iterator[list[Span]]:
        """The spans of each character of the number in the other copies."""
        if self.document.name.rpartition(".")[2].lower() in PAGES:
            yield from self.marked_up(start, printed)
            return
        places = [self.plain.get(place) for place, _ in own]
        if places and all(place is not None for place in places):
            yield [(place, place + 1) for place in places if place is not None]

    @cached_property
    def plain(self) -> dict[int, int]:
        """Where what stands in a LaTeX copy stands in the plain copy, by offsets of the file."""
        found: dict[int, int] = {}
        for segment in self.document.segments:
            if segment.kind == "prose":
                offsets = segment.offsets
                for a, b in twins(segment.text).items():
                    found[offsets[a]] = offsets[b]
        return found

    # HTML, where a formula may be TeX, MathML and boxes

    @cached_property
    def formulas(self) -> list[re.Match[str]]:
        """The formulas that hold their own TeX."""
        return list(_MATHS.finditer(self.document.text))

    @cached_property
    def starts(self) -> list[int]:
        """Where the TeX of each begins."""
        return [found.start("tex") for found in self.formulas]

    def marked_up(self, start: int, printed: str) -> Iterator[list[Span]]:
        """The number in MathML, and in boxes where it cannot be taken for another."""
        place = bisect_right(self.starts, start) - 1
        formula = self.formulas[place] if place >= 0 else None
        if formula is not None and start >= formula.end("tex"):
            formula = None
        plain = _SIGN.search(printed)
        if formula is None or plain is None:
            return
        told = [m.start() for m in _SIGN.finditer(formula["tex"]) if m[0] == plain[0]]
        at = start + plain.start() - formula.start("tex")
        if at not in told:
            return
        parts = [formula.span("seen")]
        if len(told) == 1 or not _STACKED.search(formula["tex"]):
            parts.append(self.drawn(formula))  # boxes of a matrix stand column by column
        for shown in parts:
            found = list(self.shown(shown, plain[0]))
            if len(found) == len(told):
                before = [(found[told.index(at)][0],) * 2] * plain.start()
                yield [*before, *found[told.index(at)][1]]

    def drawn(self, formula: re.Match[str]) -> Span:
        """The boxes that a formula is drawn with."""
        text = self.document.text
        box = _DRAWN.match(text, formula.end())
        if box is None:
            return (0, 0)
        depth = 1
        for tag in _SPAN.finditer(text, box.end()):
            depth += -1 if tag[1] else 1
            if not depth:
                return box.end(), tag.end()
        return box.end(), len(text)

    def shown(self, span: Span, sign: str) -> Iterator[tuple[int, list[Span]]]:
        """Where a number or = stands between the tags of a part of the page."""
        text = self.document.text
        for between in re.compile(r">([^<]*)").finditer(text, *span):
            for found in _SIGN.finditer(text, *between.span(1)):
                if found[0] == sign:
                    start = found.start()
                    yield start, [(k, k + 1) for k in range(start, found.end())]
