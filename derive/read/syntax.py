"""TOML text to plain tables, within bounds; what is wrong with the syntax, in our words."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from derive.errors import InputError, Place
from derive.read.literals import Written
from derive.read.positions import line_place

MAX_DEPTH = 60  # nested brackets
MAX_LENGTH = 1_000_000  # characters; the parser takes about a second for them

# Strings and comments, so that a bracket inside one does not count. Linear in time: possessive, and
# a string that is never closed still matches, so that no second start is tried inside it.
_OPAQUE = re.compile(
    r'"""(?:[^"\\]++|\\.|"(?!""))*+(?:""")?'
    r"|'''(?:[^']++|'(?!''))*+(?:''')?"
    r'|"(?:[^"\\\n]++|\\[^\n])*+"?'
    r"|'[^'\n]*+'?"
    r"|#[^\n]*+",
    re.DOTALL,
)
_POSITION = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", re.DOTALL)
_FULL_WIDTH = dict(zip("，、“”「」‘’【】［］｛｝＝：＃", ',,""""\'\'[][]{}=:#', strict=True))
_QUOTES = 'text such as 1/3 or sqrt(2) goes in quotes: "1/3"'

# What the parser says: (what we say, expected, hint)
_SAID = {
    "Invalid value": ("this is not a value", "a number, text in quotes, or a list", _QUOTES),
    "Unclosed array": ("the list is not closed here", "',' or ']'", _QUOTES),
    "Unclosed inline table": ("the table is not closed here", "',' or '}'", ""),
    "Expected newline or end of document": ("the line goes on after the value", "", _QUOTES),
    "Expected '=' after a key": ("a name stands here without a value", "name = value", ""),
    "Invalid initial character for a key": ("a name cannot begin here", "name = value", ""),
    "Invalid statement": ("this is not a line of TOML", "name = value, or [section]", ""),
    "Expected ']' at the end": ("the section is not closed", "']'", ""),
    "Expected ']]' at the end": ("the section is not closed", "']]'", ""),
    "Cannot declare": ("this section is given twice", "", "put both parts under one heading"),
    "Cannot overwrite a value": ("this name is given twice", "", "keep one of the two"),
    "Duplicate inline table key": ("this name is given twice", "", "keep one of the two"),
    "Cannot mutate": ("this table is complete and cannot grow", "", ""),
    "Cannot redefine": ("this name is given twice", "", "keep one of the two"),
    "Unterminated string": ("the text is not closed", "a closing quote", ""),
    "Illegal character '\\n'": ("the text is not closed in its line", "a closing quote", ""),
    "Illegal character": ("this character may not stand in text", "", ""),
    "Found invalid character": ("this character may not stand here", "", ""),
    "Unescaped '\\'": ("a backslash begins an escape here", "", "LaTeX goes in single quotes"),
    "Invalid hex value": ("this escape is not complete", "", ""),
    "Escaped character": ("this escape names no character", "", ""),
    "Invalid date": ("this date does not exist", "", ""),
}


def parse(text: str, source: str) -> dict[str, Any]:
    """The document as tables, lists and values, a decimal number as Written.

    InputError on text that is too long or too deeply nested, and on bad syntax.
    """
    if len(text) > MAX_LENGTH:
        raise InputError(f"{source} is too large", expected=f"at most {MAX_LENGTH:,} characters")
    check_nesting(text, source)
    try:
        return tomllib.loads(text, parse_float=Written)
    except tomllib.TOMLDecodeError as error:
        raise _in_our_words(str(error), text, source) from None
    except ValueError:
        raise _unreadable_number(text, source) from None


def check_nesting(text: str, source: str) -> None:
    """InputError where brackets, or the parts of a dotted name, are nested too deeply."""
    bare = _OPAQUE.sub(lambda match: " " * len(match[0]), text)
    depth = 0
    for match in re.finditer(r"[][{}]", bare):
        depth += 1 if match[0] in "[{" else -1
        if depth > MAX_DEPTH:
            raise _too_deep(text, source, match.start(), "brackets are")
    for match in re.finditer(r"[^][{}=,\n]+", bare):
        if match[0].count(".") > MAX_DEPTH:
            raise _too_deep(text, source, match.start(), "this name is")


def _too_deep(text: str, source: str, offset: int, what: str) -> InputError:
    place = line_place(text, source, *_line_and_column(text, offset))
    return InputError(
        f"{what} nested too deeply", place=place, expected=f"at most {MAX_DEPTH} levels"
    )


def _in_our_words(said: str, text: str, source: str) -> InputError:
    match = _POSITION.fullmatch(said)
    line, column = _position(match, text) if match else (1, 1)
    if said.startswith("Unescaped"):
        column = max(1, column - 2)  # the parser has passed the backslash and one more
    place = line_place(text, source, line, column)
    found = next((ours for theirs, ours in _SAID.items() if said.startswith(theirs)), None)
    message, expected, hint = found or (match[1] if match else said, "", "")
    if "twice" in message:
        return _twice(message, hint, text, place)
    hint = _hint(hint, place.text[: column - 1], place.text[column - 1 :])
    return InputError(message, place=place, expected=expected, hint=hint)


def _hint(hint: str, before: str, after: str) -> str:
    """What else the characters at fault suggest."""
    if after[:1] in _FULL_WIDTH:
        return f"{after[0]} is a full-width sign: write {_FULL_WIDTH[after[0]]}"
    if hint != _QUOTES or (before.strip() and after.strip("] \t}")):
        return hint
    return "" if before.strip() else "what was begun above this line is not closed"


def _twice(message: str, hint: str, text: str, place: Place) -> InputError:
    """A name or a section given twice: both places."""
    from derive.read.positions import Positions

    found = Positions(text, place.source).repeated()
    if not found:
        return InputError(message, place=place, hint=hint)
    name, first, second = found
    hint = f"it is given first in line {first.line}; {hint}"
    return InputError(f"{name} is given twice", place=second, hint=hint)


def _position(match: re.Match[str], text: str) -> tuple[int, int]:
    if match[2]:
        return int(match[2]), int(match[3])
    return _line_and_column(text, len(text.rstrip()))


def _line_and_column(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def _unreadable_number(text: str, source: str) -> InputError:
    """Python reads no integer of more than 4,300 digits."""
    match = re.search(r"[\d_]{400,}", text)
    place = line_place(text, source, *_line_and_column(text, match.start() if match else 0))
    return InputError("the number is too long", place=place, expected="at most 400 digits")
