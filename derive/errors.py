"""What is wrong with an input, and where: one message in the style of a good compiler."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Self

WINDOW = 72  # columns of a long source line that are shown


@dataclass(frozen=True)
class Place:
    """Where an input goes wrong; lines and columns count from 1, columns in characters.

    `text` is the whole source line. A place without a source lies in a text of its own
    (one entry, say), which `around` finds again inside the line of a larger document.
    """

    source: str
    line: int | None = None
    column: int | None = None
    text: str = ""
    width: int = 1

    def around(self, inner: Place | None) -> Place:
        """`inner` seen from this place, which encloses it."""
        if inner is None or inner.source:
            return inner or self
        if not self.text:
            return replace(inner, source=self.source, line=self.line)
        start = (self.column or 1) - 1
        found = self.text.find(inner.text, start, start + self.width)
        if found < 0 or not inner.text:
            return self
        return replace(self, column=found + (inner.column or 1), width=inner.width)


class InputError(ValueError):
    """Bad input. `str` of it is the whole message, with the line and a caret where known.

    >>> print(InputError("W_V has 3 rows but H has 2 columns", expected="2 rows"))
    error: W_V has 3 rows but H has 2 columns
       = expected: 2 rows
    """

    def __init__(
        self, message: str, *, place: Place | None = None, expected: str = "", hint: str = ""
    ) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.expected = expected
        self.hint = hint

    def at(self, place: Place | None) -> Self:
        """The same error, its place filled in (or found again inside `place`)."""
        return self if place is None else self._but(self.message, place.around(self.place))

    def about(self, name: str) -> Self:
        """The same error, its message opening with what it is about, such as `H[2][1]`."""
        return self._but(f"{name}: {self.message}", self.place)

    def _but(self, message: str, place: Place | None) -> Self:
        return type(self)(message, place=place, expected=self.expected, hint=self.hint)

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        margin = " " * len(_number(self.place))
        yield f"error: {shown(self.message)}"
        if self.place:
            yield from _pointed(self.place, margin)
        for label, text in (("expected", self.expected), ("hint", self.hint)):
            if text:
                yield f"  {margin}= {label}: {shown(text)}"


class Undecided(ArithmeticError):
    """A question about a value that could not be proved either way; `entry` names the value."""

    def __init__(self, message: str, entry: str = "") -> None:
        super().__init__(f"{entry}: {message}" if entry else message)
        self.message = message
        self.entry = entry


class Unproved(ArithmeticError):
    """A claim that is false, or that the kernel does not decide: no page may show it."""


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """The choice a mistyped word most likely meant, if any is near."""
    plain = {_plain(choice): choice for choice in choices}
    wanted = _plain(word[:60])
    found = [wanted] if wanted in plain else get_close_matches(wanted, plain, n=1, cutoff=0.6)
    return plain[found[0]] if found else None


def quoted(text: str, limit: int = 40) -> str:
    """A piece of input, in quotes and cut to a length that fits a message."""
    return f"'{text}'" if len(text) <= limit else f"'{text[:limit]}…'"


def printable(text: str, what: str) -> str:
    """The text, which goes on pages and terminals; InputError where it holds control characters."""
    if any(unicodedata.category(char) == "Cc" for char in text):
        raise InputError(
            f"{what} holds a control character: {quoted(shown(text))}",
            expected="text on one line",
        )
    return text


def shown(text: str) -> str:
    """The text with whatever a terminal would act on, or not show, spelled out."""
    return text if text.isascii() and text.isprintable() else "".join(map(_visible, text))


def _plain(word: str) -> str:
    return word.casefold().replace("_", "").replace("-", "").replace(" ", "")


def _number(place: Place | None) -> str:
    return str(place.line) if place and place.line else " "


def _pointed(place: Place, margin: str) -> Iterator[str]:
    if place.source:
        numbers = [f":{n}" for n in (place.line, place.column if place.line else None) if n]
        yield f" {margin}--> {shown(place.source)}{''.join(numbers)}"
    if place.text:
        line, carets = _window(place)
        yield f"  {margin}|"
        yield f" {_number(place)} | {line}".rstrip()
        yield f"  {margin}| {carets}"


def _window(place: Place) -> tuple[str, str]:
    """The source line (the part of it round the caret, when long) and the carets under it."""
    text, start = place.text, max((place.column or 1) - 1, 0)
    first = 0 if len(text) <= WINDOW else max(0, min(start - WINDOW // 2, len(text) - WINDOW))
    last = min(first + WINDOW, len(text))
    before = ("…" if first else "") + shown(text[first:start])
    marked = shown(text[start : min(start + max(place.width, 1), last)])
    after = shown(text[start:last]) + ("…" if last < len(text) else "")
    return before + after, " " * _columns(before) + "^" * max(1, _columns(marked))


def _columns(text: str) -> int:
    return sum(map(_column, text))


def _column(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _visible(char: str) -> str:
    if char == "\t":
        return " "
    category = unicodedata.category(char)
    hidden = category[0] == "C" or category in ("Zl", "Zp")
    return f"<U+{ord(char):04X}>" if hidden else char
