"""What pages of shapes say, in each language."""

from __future__ import annotations

from derive.words import words


def word(table: str, key: str, lang: str) -> str:
    """What "sizes", "parts" or "comments" hold for a key; "" for nothing."""
    text: str = words(lang)["shapes"][table].get(key, "")
    return text


def say(key: str, lang: str, *values: object) -> str:
    """A phrase in a language, with the values put in."""
    text: str = words(lang)["shapes"]["phrases"][key]
    return text.format(*values)
