"""The options that a sheet depends on, spelled in its identifier: head.l2.p4-7-1-117-e4d1f89c.

Behind the name of the problem stands a letter and a value for each option that is not as usual.
What is neither a letter, a digit nor a hyphen is written _ and its code point in hexadecimal _,
and what stands between blanks _ and one letter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from derive.errors import InputError

MARK = "."
_SHORT = {",": "_k", "[": "_u", "]": "_v", "][": "_x", "],": "_y", "=": "_z"}
"""No letter of these is a digit of a code point."""
_LONG = {code: signs for signs, code in _SHORT.items()}
_CODED = re.compile(r"_([0-9a-f]{1,6})_|_[kuvxyz]")
_SIGNS = re.compile(r"\]\[|\],|[^A-Za-z0-9-]")
LONGEST = 400


def _spelled(value: Any) -> str:
    coded = lambda found: _SHORT.get(found[0]) or f"_{ord(found[0]):x}_"  # noqa: E731
    return _SIGNS.sub(coded, str(value))


def _read(text: str) -> str:
    return _CODED.sub(lambda found: chr(int(found[1], 16)) if found[1] else _LONG[found[0]], text)


def _range(value: tuple[int, int]) -> str:
    return f"{value[0]}to{value[1]}"


def _read_range(text: str) -> tuple[int, int]:
    low, _, high = text.partition("to")
    return int(low), int(high)


@dataclass(frozen=True)
class Kind:
    """How the values of an option are spelled and read again."""

    spell: Callable[[Any], str]
    read: Callable[[str], Any]


TEXT = Kind(_spelled, _read)
NUMBER = Kind(str, int)
FLAG = Kind(lambda _: "", lambda _: True)
RANGE = Kind(_range, _read_range)


@dataclass(frozen=True)
class Option:
    """An option of the command: its letter here, its usual value, and of which kind it is."""

    name: str
    letter: str
    usual: Any
    kind: Kind


OPTIONS = (
    Option("preset", "g", None, TEXT),
    Option("causal", "c", False, FLAG),
    Option("scale", "z", None, TEXT),
    Option("temperature", "t", None, TEXT),
    Option("blank", "b", None, TEXT),
    Option("level", "l", 1, NUMBER),
    Option("places", "p", 3, NUMBER),
    Option("rounding", "r", "half-up", TEXT),
    Option("points", "w", None, TEXT),
    Option("exercise", "k", "compute", TEXT),
    Option("choices", "m", False, FLAG),
    Option("entries", "e", None, RANGE),
    Option("inputs", "i", None, RANGE),
    Option("exponentials", "x", 5, NUMBER),
    Option("spread", "s", 5, NUMBER),
    Option("like_tokens", "a", False, FLAG),
    Option("rational", "q", False, FLAG),
    Option("unique_key", "u", False, FLAG),
    Option("width", "n", None, NUMBER),
    Option("difficulty", "d", None, NUMBER),
    Option("change", "h", None, TEXT),
)
"""Every option on which a sheet depends; its seed and pool stand in the identifier anyway."""
BY_LETTER = {option.letter: option for option in OPTIONS}


def recipe(options: Mapping[str, Any]) -> str:
    """What stands behind the name of the problem, "" where all is as usual."""
    found = "".join(_items(options))
    if len(found) > LONGEST:
        raise InputError(
            "the blanks and points are too long for an identifier",
            expected=f"at most {LONGEST} characters of options",
        )
    return found


def _items(options: Mapping[str, Any]) -> Iterator[str]:
    for option in OPTIONS:
        value = options.get(option.name, option.usual)
        if value != option.usual:
            yield MARK + option.letter + option.kind.spell(value)


def options_of(text: str) -> dict[str, Any]:
    """The options that a recipe spells, the usual ones too; InputError where it spells none."""
    found = {option.name: option.usual for option in OPTIONS}
    for item in text.split(MARK)[1:]:
        option = BY_LETTER.get(item[:1])
        try:
            found[option.name] = option.kind.read(item[1:])  # type: ignore[union-attr]
        except (AttributeError, ValueError, OverflowError):
            message = f'"{item[:40]}" in the identifier is no option of a sheet'
            raise InputError(message, expected="such as l2 for --level 2") from None
    return found


def taken_apart(name: str, problem: str | None) -> tuple[str, str]:
    """The problem's name and the recipe; `problem` is the name where it is known.

    InputError where it is another one.
    """
    if problem is None:
        base, mark, rest = name.partition(MARK)
        return base, mark + rest
    if name != problem and not name.startswith(problem + MARK):
        raise InputError(
            f'the sheet is of the problem "{name.partition(MARK)[0]}", and this is "{problem}"',
            expected="the problem of which it was made",
        )
    return problem, name[len(problem) :]
