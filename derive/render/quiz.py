"""What a quiz is made of: where views and the formats of learning systems meet.

A quiz may ask the same number in three ways: to be typed in, to be chosen, or in its matrix.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from derive.exact.ink import UNICODE
from derive.exact.trace import Digits
from derive.exact.write import Writer
from derive.render.blocks import Choice, Inline

_WRITER = Writer(UNICODE)


def plain(content: Inline) -> str:
    """A sentence without formulas: their letters in Unicode, decimals as they are typed."""
    parts = (content,) if isinstance(content, str) else content
    return "".join(map(_plainly, parts))


def _plainly(part: Any) -> str:
    if isinstance(part, str):
        return part
    return part.text if isinstance(part, Digits) else _WRITER.text(part)


@dataclass(frozen=True)
class Span:
    """An interval as decimals: its ends, its middle, and how far they are from it."""

    low: str
    high: str
    middle: str
    half: str


@dataclass(frozen=True)
class Numeric:
    """A number to be typed in: first = it, for so many points.

    key: its digits; right: where every right answer lies; accepted: the right answers at the
    places of the sheet, none where they are too many; wrong: where the answers lie to which a
    known mistake leads, each with what is said of it.
    """

    first: Any
    points: int
    key: str
    right: Span
    accepted: tuple[str, ...]
    wrong: tuple[tuple[Span, Inline], ...] = ()


@dataclass(frozen=True)
class Spot:
    """A place of a matrix, counted from 1, and where the number lies that fits it."""

    row: int
    column: int
    span: Span


@dataclass(frozen=True)
class Whole:
    """A matrix to be typed in as a whole: first = it.

    rows: what is right, exactly where that is short, else as Digits; hint: what stands there from
    the start, None for what is asked; right: what fits; wrong: what fits a known mistake, each with
    what is said of it.
    """

    first: Any
    points: int
    rows: tuple[tuple[Any, ...], ...]
    hint: tuple[tuple[Any, ...], ...]
    right: tuple[Spot, ...]
    wrong: tuple[tuple[tuple[Spot, ...], Inline], ...] = ()


@dataclass(frozen=True)
class Question:
    """A question of a quiz: its name, what it says, and what it asks for in each of three ways.

    asked: number by number; choices: some of the numbers by choosing; wholes: matrix by matrix;
    partial: per cent of the points of a number that a known mistake keeps; hints, answers,
    solutions: for systems that show them.
    """

    id: str
    title: str
    said: tuple[Inline, ...]
    asked: tuple[Numeric, ...]
    choices: tuple[Choice, ...]
    wholes: tuple[Whole, ...]
    partial: int
    hints: tuple[Inline, ...]
    answers: tuple[Inline, ...]
    solutions: tuple[Inline, ...]


@dataclass(frozen=True)
class Quiz:
    """Questions, and the words that stand around them by their keys."""

    title: str
    lang: str
    words: Mapping[str, str]
    questions: tuple[Question, ...]


@dataclass(frozen=True)
class Code:
    """A cell of Python in an exercise: what is shown, and what a student does not see.

    kind: "given"; "solution", whose hidden lines are what a student is to write; "tests", whose
    hidden lines are run on it for so many points.
    """

    id: str
    kind: str
    shown: tuple[str, ...]
    hidden: tuple[str, ...] = ()
    points: int = 0
