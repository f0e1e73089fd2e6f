"""A LaTeX text and the places in it."""

from __future__ import annotations

from dataclasses import dataclass

from derive.errors import InputError, Place

Span = tuple[int, int]
"""Where something stands: offsets into the text, the second one past the end."""


@dataclass(frozen=True)
class Source:
    """The whole text; `name` is what messages call it, empty for a text of its own."""

    text: str
    name: str = ""

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

    def error(self, message: str, span: Span, hint: str, expected: str = "") -> InputError:
        """What is wrong at a span, and what to write instead."""
        return InputError(message, place=self.place(span), expected=expected, hint=hint)
