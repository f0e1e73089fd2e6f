"""A problem from a TOML document."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path as FilePath
from typing import Any

from derive.conventions import Conventions
from derive.derivation import Problem
from derive.errors import InputError, Place, nearest, printable, quoted
from derive.exact import Matrix
from derive.models import MODELS
from derive.read.conventions import KEYS, check_keys, read_conventions
from derive.read.files import read_text, source_name
from derive.read.numbers import kind
from derive.read.objects import as_given
from derive.read.positions import Path, Positions
from derive.read.shapes import check_names, complete, known_names
from derive.read.symbols import MAX_SIDE
from derive.read.syntax import parse
from derive.words import LANGUAGES

TOP = ("title", "lang", "tokens", "vocabulary", "targets", "model", "conventions", "given")
MATRICES = ("H", "context", "W_Q", "W_K", "W_V", "W_O", "W_E", "W_1", "W_2")
MAX_TEXT = 1_000  # characters of a title or a token


def load(path: str | os.PathLike[str]) -> Problem:
    """The problem in a TOML, LaTeX or Markdown file, or as TOML on standard input for "-".

    InputError says what is wrong, and where.

    >>> load("no-such-file.toml")
    Traceback (most recent call last):
    derive.errors.InputError: error: there is no file 'no-such-file.toml'
    """
    suffix = FilePath(path).suffix.lower()
    if suffix in (".tex", ".md", ".markdown"):
        from derive.read.problems import read_document

        return read_document(read_text(path), source_name(path), markdown=suffix != ".tex")
    return read_toml(read_text(path), source_name(path))


def read_toml(text: str, source: str = "<text>") -> Problem:
    """The problem a TOML document states; `source` is what its messages call it.

    >>> text = "[given]\\nH = [[1]]\\nW_Q = [[2]]\\nW_K = [[3]]\\nW_V = [['a']]"
    >>> read_toml(text).given["W_V"]
    Matrix([[a]])
    """
    text = text.removeprefix("\ufeff")
    return _Document(text, source).problem()


class _Document:
    """A parsed document that knows, once asked, where its parts stand."""

    def __init__(self, text: str, source: str) -> None:
        self.text, self.source = text, source
        self.table = parse(text, source)

    def problem(self) -> Problem:
        self.check_keys(self.table, (), TOP, "key")
        name = self.choice("model", tuple(MODELS), "attention")
        conventions = self.conventions()
        tokens = self.texts("tokens")
        return Problem(
            name=_name(self.source),
            given=self.given(name, conventions, tokens),
            conventions=conventions,
            tokens=tokens,
            title=self.words("title"),
            lang=self.choice("lang", LANGUAGES, "en"),
            model=name,
            source=self.source,
            vocabulary=self.texts("vocabulary"),
            targets=self.texts("targets") if "targets" in self.table else None,
        )

    def conventions(self) -> Conventions:
        table = self.section("conventions")
        self.check_keys(table, ("conventions",), KEYS, "convention")
        return read_conventions(table, place_of=self.place)

    def given(
        self, model: str, conventions: Conventions, tokens: tuple[str, ...]
    ) -> dict[str, Matrix]:
        table = _flat(self.section("given"))
        required, optional = known_names(table, conventions, model)
        self.check_keys(table, ("given",), (*required, *optional), "matrix")
        check_names(table, conventions, model, self.place)
        found = {name: as_given(value, name, place_of=self.place) for name, value in table.items()}
        return complete(found, conventions, tokens, place_of=self.place, model=model)

    def texts(self, name: str) -> tuple[str, ...]:
        value = self.table.get(name, [])
        if not isinstance(value, list):
            raise self.wrong(name, value, 'a list of texts, such as ["A", "B"]')
        if len(value) > MAX_SIDE:
            error = InputError(f"there are too many {name}", expected=f"at most {MAX_SIDE}")
            raise error.at(self.place((name,)))
        return tuple(self.text_at((name, i), token) for i, token in enumerate(value))

    def words(self, name: str) -> str:
        return self.text_at((name,), self.table.get(name, ""))

    def text_at(self, path: Path, value: object) -> str:
        name = str(path[0]) if len(path) == 1 else f"token {int(path[1]) + 1}"
        if not isinstance(value, str):
            raise self.wrong(name, value, "text in quotes", path)
        if len(value) > MAX_TEXT:
            error = InputError(f"{name} is too long", expected=f"at most {MAX_TEXT} characters")
            raise error.at(self.place(path))
        try:
            return printable(value, name)
        except InputError as error:
            raise error.at(self.place(path)) from None

    def choice(self, name: str, choices: Sequence[str], default: str) -> str:
        value = self.table.get(name, default)
        if not isinstance(value, str):
            raise self.wrong(name, value, " or ".join(choices))
        if value in choices:
            return value
        near = nearest(value, choices)
        hint = f"did you mean {near}?" if near else ""
        message = f"there is no {name} {quoted(value)}"
        error = InputError(message, expected=" or ".join(choices), hint=hint)
        raise error.at(self.place((name,)))

    def section(self, name: str) -> dict[str, Any]:
        value = self.table.get(name, {})
        if not isinstance(value, dict):
            hint = f"write [{name}] once, in single brackets" if isinstance(value, list) else ""
            raise self.wrong(name, value, f"a section [{name}]", hint=hint)
        return value

    def check_keys(
        self, table: Mapping[str, Any], path: Path, known: Sequence[str], what: str
    ) -> None:
        def key_of(name: Path) -> Place:
            return self.positions.key((*path, *name))

        hints = {key: _belongs(key, path) for key in table}
        check_keys(table, known, what, key_of, hints)

    def wrong(
        self, name: str, value: object, expected: str, path: Path = (), hint: str = ""
    ) -> InputError:
        error = InputError(f"{name} is {kind(value)}", expected=expected, hint=hint)
        return error.at(self.place(path or (name,)))

    @cached_property
    def positions(self) -> Positions:
        return Positions(self.text, self.source)

    def nested(self, name: str) -> list[str]:
        """The keys that lead to a matrix: its name, or a section for each part before a dot."""
        table: Any = self.table.get("given", {})
        keys: list[str] = []
        while name and isinstance(table, dict) and name not in table:
            section, dot, rest = name.partition(".")
            if not dot or section not in table:
                break
            keys, name, table = [*keys, section], rest, table[section]
        return [*keys, name]

    def place(self, path: Path) -> Place:
        """The place of a top-level value, or of what stands in one of the two sections."""
        head = path[0] if path else "given"
        if head in KEYS:
            path = ("conventions", *path)
        elif head not in TOP:
            # L1.W_Q may stand as W_Q in a section [given.L1].
            path = ("given", *self.nested(str(head)), *path[1:])
        return self.positions.value(path or ("given",))


_SECTION = re.compile(r"L[0-9]{1,3}|enc|dec|self|cross")


def _flat(table: Mapping[str, Any]) -> dict[str, Any]:
    """The matrices by name, those of a section [given.L1] as L1.W_Q ..."""
    found: dict[str, Any] = {}
    for name, value in table.items():
        if isinstance(value, dict) and _SECTION.fullmatch(name):
            found |= {f"{name}.{key}": x for key, x in _flat(value).items()}
        else:
            found[name] = value
    return found


def _name(source: str) -> str:
    """What the problem is called: the file's name without its ending."""
    return "problem" if source.startswith("<") else FilePath(source).stem


def _belongs(key: str, path: Path) -> str:
    """The section a key should have been written in, or the command that reads it."""
    if key == "architecture":
        return "sizes without values are counted by derive shapes"
    homes = [("given", MATRICES), ("conventions", KEYS)]
    home = next((name for name, keys in homes if key in keys), "")
    if home and path != (home,):
        return f"{key} belongs under [{home}]"
    return f"{key} belongs at the top, before the sections" if key in TOP and path else ""
