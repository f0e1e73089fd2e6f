"""A LaTeX text and the places in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from derive.errors import InputError, Place
from derive.read.latex.alphabet import SIGNS

Span = tuple[int, int]
"""Where something stands: offsets into the text, the second one past the end."""

_FULL_WIDTH = {chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F)}
_ONE_FOR_ONE = str.maketrans(_FULL_WIDTH | {k: v for k, v in SIGNS.items() if len(v) == 1})


@dataclass(frozen=True)
class Source:
    """The whole text; `name` is what messages call it, empty for a text of its own."""

    text: str
    name: str = ""

    @cached_property
    def plain(self) -> str:
        """The text with full-width and Unicode signs as ASCII, character for character."""
        return self.text.translate(_ONE_FOR_ONE)

    def place(self, span: Span) -> Place:
        """Line and column of a span, cut at the end of its first line."""
        start = min(span[0], len(self.text))
        first = self.text.rfind("\n", 0, start) + 1
        last = self.text.find("\n", start)
        last = len(self.text) if last < 0 else last
        line = self.text.count("\n", 0, start) + 1
        width = max(1, min(span[1], last) - start)
        text = self.text[first:last].rstrip("\r")
        return Place(self.name, line, start - first + 1, text, width)

    def written(self, span: Span) -> str:
        """What the author wrote for a span."""
        return self.text[slice(*span)]

    def error(self, message: str, span: Span, hint: str, expected: str = "") -> InputError:
        """What is wrong at a span, and what to write instead."""
        return InputError(message, place=self.place(span), expected=expected, hint=hint)
