"""A text put together from pieces of a file, each character with its place."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from derive.errors import InputError
from derive.verify.documents.document import Segment

MOST = 1_500_000
"""So many characters are put together."""


class Draft:
    """Pieces of text in reading order."""

    def __init__(self) -> None:
        """Empty."""
        self.pieces: list[str] = []
        self.offsets, self.uses = array("q"), array("q")
        self.is_moved = False  # whether text stands elsewhere than where it is used
        self.last = "\n"

    def copy(self, text: str, start: int) -> None:
        """Text as it stands in the file from `start` on."""
        self.spread(text, range(start, start + len(text)))

    def put(self, text: str, at: int) -> None:
        """Text that stands for something at one place of the file."""
        self.spread(text, [at] * len(text))

    def spread(self, text: str, offsets: Sequence[int], uses: Sequence[int] | None = None) -> None:
        """Text with the place of each character."""
        if len(self.offsets) > MOST:
            raise InputError("the article is too long to be read", hint="check it part by part")
        if text:
            self.pieces.append(text)
            self.offsets.extend(offsets)
            self.uses.extend(offsets if uses is None else uses)
            self.is_moved = self.is_moved or uses is not None
            self.last = text

    def part(self, segment: Segment, start: int, end: int) -> None:
        """A part of a segment, with its places."""
        cut = segment.cut(start, end, "")
        self.spread(cut.text, cut.offsets, cut.uses)

    @property
    def is_fresh(self) -> bool:
        """Whether a line begins here."""
        return not self.pieces or self.last.endswith("\n")

    def segment(self, kind: str = "prose") -> Segment:
        """What was put together, which is then gone from here."""
        uses = self.uses if self.is_moved else None
        made = Segment("".join(self.pieces), self.offsets, kind, uses)
        Draft.__init__(self)
        return made
