"""The tags, the text and the entities of HTML, in one pass and whatever is broken in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

LONGEST = 20_000
"""A declaration has at most so many characters."""
RAW = frozenset("script style title textarea noscript svg template iframe".split())
"""Elements of which the inside is no markup of the page."""
_NAME = re.compile(r"<(/?)([a-zA-Z][\w:-]{0,60})")
_STOP = re.compile(r"[\"'<>]")
_ATTRIBUTE = re.compile(r"([\w:-]{1,60})\s?=\s?(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")


class Token(NamedTuple):
    """A piece of the page: "text", "open", "close", or "raw" for an element with its inside."""

    kind: str
    name: str
    start: int
    end: int
    attributes: str = ""

    def attribute(self, name: str) -> str:
        """The value of an attribute, or ""."""
        for found in _ATTRIBUTE.finditer(self.attributes):
            if found[1].lower() == name:
                return found[2] or found[3] or found[4] or ""
        return ""

    @property
    def is_empty(self) -> bool:
        """Whether the element is closed where it opens: <br/>."""
        return self.attributes.endswith("/")


def markup(text: str) -> Iterator[Token]:
    """The tokens of a page, in order; what is broken is text."""
    place = last = 0
    while (start := text.find("<", place)) >= 0:
        token = _tag(text, start) or _unseen(text, start)
        if token is None:
            place = start + 1
            continue
        if last < start:
            yield Token("text", "", last, start)
        if token.kind == "open" and token.name in RAW and not token.is_empty:
            token = _raw(text, token)
        if token.kind:
            yield token
        place = last = token.end
    if last < len(text):
        yield Token("text", "", last, len(text))


def _tag(text: str, start: int) -> Token | None:
    found = _NAME.match(text, start)
    if found is None:
        return None
    place = found.end()
    kind = "close" if found[1] else "open"
    if text.startswith(">", place):
        return Token(kind, found[2].lower(), start, place + 1)
    while stop := _STOP.search(text, place):
        if stop[0] == ">":
            return Token(
                kind, found[2].lower(), start, stop.end(), text[found.end() : stop.start()].strip()
            )
        if stop[0] == "<":
            return None
        closing = text.find(stop[0], stop.end())
        place = closing + 1 if closing >= 0 else stop.end()
    return None


def _unseen(text: str, start: int) -> Token | None:
    """A comment, a declaration, an instruction: of no kind."""
    if text.startswith("<!--", start):
        end = text.find("-->", start + 4)
        return Token("", "", start, end + 3 if end >= 0 else len(text))
    if text[start + 1 : start + 2] in ("!", "?"):
        end = text.find(">", start, start + LONGEST)
        return Token("", "", start, end + 1) if end >= 0 else None
    return None


def _raw(text: str, opening: Token) -> Token:
    """The element whole; its inside begins where the opening tag ends."""
    found = re.compile(rf"</{re.escape(opening.name)}\s?>", re.I).search(text, opening.end)
    end = found.end() if found else len(text)
    inside = f"{opening.end} {found.start() if found else end}"
    return Token("raw", opening.name, opening.start, end, f'{opening.attributes} inside="{inside}"')
