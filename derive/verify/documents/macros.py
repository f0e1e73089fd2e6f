r"""LaTeX macros of an article, put in place: \newcommand, \def, \DeclareMathOperator.

A macro is text with holes.  Each character of what it stands for keeps its place: in the
definition, or where the argument was written.
"""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass

from derive.errors import InputError
from derive.verify.documents.document import MisplacedError, Segment

DEEPEST = 20
"""Macros stand inside of macros to this depth at most."""
MOST = 400_000
"""So many characters all macros together may stand for."""
FAR = 2_000
"""An argument has at most so many characters."""
LONGEST = 10_000
"""The text of a macro has at most so many."""
_DEFINITION = re.compile(
    r"\\(?:(?:re|provide)?newcommand|providecommand|renewcommand)\*?\s?\{?\s?\\([a-zA-Z]+)\s?\}?"
    r"(?:\s?\[(\d)\])?(?:\s?\[([^\[\]]{0,200})\])?\s{0,9}(?=\{)"
    r"|\\def\s?\\([a-zA-Z]+)((?:#\d){0,9})\s{0,9}(?=\{)"
    r"|\\DeclareMathOperator\*?\s?\{?\s?\\([a-zA-Z]+)\s?\}?\s{0,9}(?=\{)"
)
_COMMAND = re.compile(r"\\([a-zA-Z]+)")
_HOLE = re.compile(r"#(\d)")


@dataclass(frozen=True)
class Macro:
    """What a command stands for, and how many arguments it takes."""

    body: Segment
    count: int = 0
    default: str | None = None


def expanded(whole: Segment) -> Segment:
    """The text with its macros in place.  InputError where they recurse or grow too large."""
    if not ("\\def" in whole.text or "command" in whole.text or "Operator" in whole.text):
        return whole
    return _Expansion().of(whole)


class _Expansion:
    """One pass over a text, in which definitions hold from where they stand."""

    def __init__(self) -> None:
        self.macros: dict[str, Macro] = {}
        self.closes: dict[int, int] = {}
        self.size = 0
        self.pieces: list[str] = []
        self.offsets, self.uses = array("q"), array("q")

    def of(self, whole: Segment) -> Segment:
        place = 0
        self.closes = _groups(whole.text)
        for found in _COMMAND.finditer(whole.text):
            if found.start() < place:
                continue
            end = self.defined(whole, found.start())
            if not end and found[1] in self.macros:
                self.add(whole.cut(place, found.start(), ""), None)
                made, end = self.used(whole, found)
                self.add(made, whole.offsets[found.start()])
            elif end:
                self.add(whole.cut(place, found.start(), ""), None)
            place = end or place
        self.add(whole.cut(place, len(whole.text), ""), None)
        return Segment("".join(self.pieces), self.offsets, whole.kind, self.uses)

    def used(self, whole: Segment, found: re.Match[str]) -> tuple[Segment, int]:
        """What a command of the article stands for; MisplacedError where that has no end."""
        try:
            return self.called(whole, found, 0)
        except InputError as error:
            told = MisplacedError(error.message, expected=error.expected)
            told.offset = whole.offsets[found.start()]
            raise told from None

    def add(self, part: Segment, use: int | None) -> None:
        self.pieces.append(part.text)
        self.offsets.extend(part.offsets)
        self.uses.extend(part.offsets if use is None else [use] * len(part.text))

    def defined(self, whole: Segment, start: int) -> int:
        """Notes the definition that stands here; where it ends, or 0."""
        found = _DEFINITION.match(whole.text, start)
        if found is None:
            return 0
        end = self.closes.get(found.end(), 0)
        if not found.end() < end < found.end() + LONGEST:
            return 0
        name = found[1] or found[4] or found[6]
        body = whole.cut(found.end() + (not found[6]), end - (not found[6]), "")
        if found[6]:
            at = array("q", [found.start()] * 13)
            body = Segment("\\operatorname" + body.text, at + array("q", body.offsets))
        self.macros[name] = Macro(body, int(found[2] or len(found[5] or "") // 2), found[3])
        return end

    def called(self, text: Segment, found: re.Match[str], depth: int) -> tuple[Segment, int]:
        """What a command with its arguments stands for, and where it ends."""
        macro, place = self.macros[found[1]], found.end()
        arguments: list[Segment] = []
        at = text.offsets[found.start()]
        if macro.default is not None:
            given = re.compile(r"\s?\[([^\[\]]{0,200})\]").match(text.text, place)
            default = Segment(macro.default, array("q", [at] * len(macro.default)))
            arguments.append(text.cut(*given.span(1), "") if given else default)
            place = given.end() if given else place
        while len(arguments) < macro.count:
            argument, place = self.argument(text, place, depth)
            arguments.append(argument)
        return self.inner(_filled(macro.body, arguments), found[1], depth + 1), place

    def argument(self, text: Segment, place: int, depth: int) -> tuple[Segment, int]:
        """A group in braces without them, a command, or one character."""
        while place < len(text.text) and text.text[place].isspace():
            place += 1
        if text.text[place : place + 1] == "{":
            end = _closed(text.text, place, FAR) if depth else self.closes.get(place, 0)
            if place < end < place + FAR:
                return text.cut(place + 1, end - 1, ""), end
        command = _COMMAND.match(text.text, place)
        end = command.end() if command else min(place + 1, len(text.text))
        return text.cut(place, end, ""), end

    def inner(self, text: Segment, name: str, depth: int) -> Segment:
        """The text of a macro with the macros in it put in place."""
        self.size += len(text.text)
        if depth > DEEPEST:
            raise self.deep(name)
        if self.size > MOST:
            raise InputError(
                "the macros of the article stand for too much text",
                expected=f"at most {MOST} characters",
            )
        pieces: list[Segment] = []
        place = 0
        for found in _COMMAND.finditer(text.text):
            if found.start() >= place and found[1] in self.macros:
                pieces.append(text.cut(place, found.start(), ""))
                made, place = self.called(text, found, depth)
                pieces.append(made)
        return _joined([*pieces, text.cut(place, len(text.text), "")])

    def deep(self, name: str) -> InputError:
        """Macros that do not end, or that only go too deep."""
        seen, waiting = set[str](), [name]
        while waiting:
            body = self.macros[waiting.pop()].body.text
            inside = {m[1] for m in _COMMAND.finditer(body)} & self.macros.keys() - seen
            if name in inside:
                return InputError(
                    f"the macro \\{name} refers to itself", expected="macros that end"
                )
            seen |= inside
            waiting.extend(inside)
        message = f"the macro \\{name} stands too deep inside of other macros"
        return InputError(message, expected=f"at most {DEEPEST} inside of each other")


def _filled(body: Segment, arguments: list[Segment]) -> Segment:
    pieces: list[Segment] = []
    place = 0
    for hole in _HOLE.finditer(body.text):
        pieces.append(body.cut(place, hole.start(), ""))
        if 0 < int(hole[1]) <= len(arguments):
            pieces.append(arguments[int(hole[1]) - 1])
        place = hole.end()
    return _joined([*pieces, body.cut(place, len(body.text), "")])


def _joined(pieces: list[Segment]) -> Segment:
    offsets = array("q")
    for piece in pieces:
        offsets.extend(piece.offsets)
    return Segment("".join(piece.text for piece in pieces), offsets)


_BRACE = re.compile(r"\\.|[{}]", re.S)


def _closed(text: str, start: int, most: int) -> int:
    """Where the group that opens at `start` is closed, or 0."""
    depth = 0
    for found in _BRACE.finditer(text, start, start + most):
        depth += (found[0] == "{") - (found[0] == "}")
        if not depth:
            return found.end()
    return 0


def _groups(text: str) -> dict[int, int]:
    """Where each group begins, and where it ends."""
    made: dict[int, int] = {}
    stack: list[int] = []
    for found in _BRACE.finditer(text):
        if found[0] == "{":
            stack.append(found.start())
        elif found[0] == "}" and stack:
            made[stack.pop()] = found.end()
    return made
