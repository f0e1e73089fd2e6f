"""An architecture from a TOML document, with sizes and parts changed from outside."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path as FilePath
from typing import Any

from derive.counts.architecture import (
    CHOICES,
    KINDS,
    SIZES,
    Architecture,
    Parts,
    Published,
)
from derive.counts.letters import LETTERS
from derive.derivation import Problem
from derive.errors import InputError, nearest, printable, quoted
from derive.exact import Scalar, number, symbol
from derive.read.conventions import check_keys
from derive.read.files import read_text, source_name
from derive.read.literals import CONSTANTS, Written
from derive.read.names import check_symbol
from derive.read.numbers import kind
from derive.read.positions import Path, Positions
from derive.read.sizes import check_sizes
from derive.read.syntax import parse
from derive.read.toml import load, read_toml
from derive.words import LANGUAGES

TOP = ("title", "lang", "architecture", "sizes", "parts", "published")
MAX_TEXT = 1_000  # characters of a title
MAX_COUNT = 10**18
UNCHANGED = {"batch", "length", "target_length", "vocabulary"}
"""Sizes under which a model can still be compared with what is published of it."""
_LETTER = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,19}")


def is_architecture(text: str) -> bool:
    """Whether a TOML document states an architecture rather than a problem."""
    return re.search(r"^\ufeff?[ \t]*architecture[ \t]*=", text, re.MULTILINE) is not None


def read_architecture(
    text: str, source: str = "<text>", changes: Mapping[str, object] | None = None
) -> Architecture:
    """The architecture a TOML document states; `changes` wins over its sizes and parts.

    A size is a whole number or a letter, its own letter where nothing is said.  InputError for a
    key that is unknown, a size out of bounds, and sizes that do not fit together.
    """
    reader = _Reader(text.removeprefix("\ufeff"), source, dict(changes or {}))
    return reader.architecture()


class _Reader:
    def __init__(self, text: str, source: str, changes: dict[str, object]) -> None:
        self.text, self.source = text, source
        self.table = parse(text, source)
        self.changes = changes

    def architecture(self) -> Architecture:
        check_keys(self.table, TOP, "key", lambda path: self.positions.key(path))
        check_keys(self.changes, (*SIZES, *CHOICES), "size or part", lambda path: None)
        a = Architecture(
            name=FilePath(self.source).stem if not self.source.startswith("<") else "architecture",
            kind=str(self.choice("", "architecture", KINDS, KINDS[0])),
            sizes={},
            parts=self.parts(),
            title=self.words("", "title"),
            lang=str(self.choice("", "lang", LANGUAGES, "en")),
            published=self.published(),
        )
        stated = {key: self.size(key) for key in SIZES if key in self.section("sizes", SIZES)}
        try:
            return replace(a, sizes=check_sizes(a, stated))
        except InputError as error:
            key = next((key for key in SIZES if error.message.startswith(f"{key} ")), "")
            raise self.placed(error, ("sizes", key)) from None

    def parts(self) -> Parts:
        table = self.section("parts", CHOICES)
        found = {key: self.choice("parts", key, CHOICES[key], CHOICES[key][0]) for key in table}
        return Parts(**found)

    def published(self) -> Published | None:
        """What a paper counted; of no use where the model is changed in more than its texts."""
        table = self.section("published", ("parameters", "rounded_to", "source"))
        if not table or set(self.changes) - UNCHANGED:
            return None
        if "parameters" not in table:
            raise self.placed(InputError("parameters is missing"), ("published",))
        total, unit = (self.count(key, table.get(key, 1)) for key in ("parameters", "rounded_to"))
        return Published(total, unit, self.words("published", "source"))

    # --- single values

    def size(self, key: str) -> Scalar:
        value = self.section("sizes", SIZES)[key]
        letter, most = SIZES[key]
        path = ("sizes", key)
        if isinstance(value, str):
            return self.letter(key, value, letter)
        if type(value) is not int:
            shown = quoted(value.text) if isinstance(value, Written) else kind(value)
            raise self.wrong(key, shown, most, path)
        if not 1 <= value <= most:
            shown = f"{value:,}" if abs(value) < MAX_COUNT else "a very large number"
            raise self.wrong(key, shown, most, path)
        return number(value)

    def letter(self, key: str, text: str, own: str) -> Scalar:
        path = ("sizes", key)
        if _LETTER.fullmatch(text) is None or text in CONSTANTS:
            raise self.wrong(key, quoted(text), SIZES[key][1], path)
        lengths = key in ("length", "target_length") and text in ("n", "m")
        if text in LETTERS and text != own and not lengths:
            message = f"{key} is {quoted(text)}, which is the letter of another size"
            expected = f"its own letter, {own}, or one that no size has"
            raise self.placed(InputError(message, expected=expected), path)
        try:
            if text not in LETTERS:
                check_symbol(text, ())
        except InputError as error:
            raise self.placed(error.about(key), path) from None
        return symbol(text)

    def count(self, key: str, value: object) -> int:
        if type(value) is not int or not 1 <= value <= MAX_COUNT:
            shown = "out of range" if type(value) is int else kind(value)
            raise self.wrong(key, shown, MAX_COUNT, ("published", key), "")
        return value

    def choice(self, section: str, key: str, choices: Any, default: object) -> Any:
        table = self.section(section, CHOICES) if section else self.table
        value = table.get(key, default)
        if any(value is choice or (value == choice and value != 1) for choice in choices):
            return value
        names = [str(c).lower() if isinstance(c, bool) else c for c in choices]
        near = nearest(value, names) if isinstance(value, str) else None
        said = quoted(value) if isinstance(value, str) else kind(value)
        error = InputError(
            f"{key} cannot be {said}",
            expected=" or ".join(names),
            hint=f"did you mean {near}?" if near and near != value else "",
        )
        raise self.placed(error, (section, key) if section else (key,))

    def words(self, section: str, key: str) -> str:
        path: Path = (section, key) if section else (key,)
        value = (self.table[section] if section else self.table).get(key, "")
        if not isinstance(value, str) or len(value) > MAX_TEXT:
            said = f"{key} is too long" if isinstance(value, str) else f"{key} is {kind(value)}"
            expected = f"text of at most {MAX_TEXT:,} characters"
            raise self.placed(InputError(said, expected=expected), path)
        try:
            return printable(value, key)
        except InputError as error:
            raise self.placed(error, path) from None

    def section(self, name: str, known: Any) -> dict[str, Any]:
        """A section with the changes put in."""
        value = self.table.get(name, {})
        if not isinstance(value, dict):
            error = InputError(f"{name} is {kind(value)}", expected=f"a section [{name}]")
            raise self.placed(error, (name,))
        check_keys(value, list(known), "key", lambda path: self.positions.key((name, *path)))
        return {**value, **{k: x for k, x in self.changes.items() if k in known}}

    # --- errors

    def wrong(
        self, key: str, shown: str, most: int, path: Path, other: str = ", or a letter in quotes"
    ) -> InputError:
        expected = f"a whole number from 1 to {most:,}{other}"
        return self.placed(InputError(f"{key} is {shown}", expected=expected), path)

    def placed(self, error: InputError, path: Path) -> InputError:
        """With its line, unless the value comes from outside the document."""
        return error if path[-1] in self.changes else error.at(self.positions.value(path))

    @property
    def positions(self) -> Positions:
        return Positions(self.text, self.source)


def architecture_or_problem(
    name: str, changes: Mapping[str, object] | None = None
) -> Architecture | Problem:
    """A built-in architecture or problem by name, else the file of that path ("-": stdin).

    InputError where there is none, with the closest name.
    """
    from derive import architectures, problems

    if name in architectures.ORDER and not FilePath(name).is_file():
        return read_architecture(architectures.source(name), f"{name}.toml", changes)
    if name in problems.ORDER and not FilePath(name).is_file():
        return replace(read_toml(problems.source(name), f"{name}.toml"), name=name)
    if not (name == "-" or FilePath(name).suffix or "/" in name or FilePath(name).exists()):
        raise _unknown(name, (*architectures.ORDER, *problems.ORDER))
    if FilePath(name).suffix.lower() in (".tex", ".md", ".markdown"):
        return load(name)
    text = read_text(name)
    if is_architecture(text):
        return read_architecture(text, source_name(name), changes)
    return read_toml(text, source_name(name))


def _unknown(name: str, known: tuple[str, ...]) -> InputError:
    close = nearest(name, known)
    return InputError(
        f"there is no architecture or problem {quoted(name)}, and no file",
        expected=f"one of {', '.join(known)}, or the path of a TOML file",
        hint=f"did you mean {close}?" if close else "",
    )
