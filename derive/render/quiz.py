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
class Typed:
    """A word or a shape to be typed in, with every spelling that is right; capitals are as small
    letters."""

    name: str
    asked: Inline
    accepted: tuple[str, ...]
    points: int = 1


@dataclass(frozen=True)
class Pick:
    """One of some answers, told by its place from 0; is_truth: the answers are true and false."""

    name: str
    asked: Inline
    options: tuple[Inline, ...]
    right: int
    is_truth: bool = False
    points: int = 1


@dataclass(frozen=True)
class Match:
    """What belongs to what: each of `pairs` with the place, from 0, of its target.

    keys: what the pairs are called; marks: what a target is called where it is typed; points: of
    every pair.
    """

    name: str
    asked: Inline
    pairs: tuple[tuple[Inline, int], ...]
    keys: tuple[str, ...]
    targets: tuple[Inline, ...]
    marks: tuple[str, ...]
    points: int = 1


@dataclass(frozen=True)
class Essay:
    """Words that a person marks, with notes on what belongs into them."""

    name: str
    asked: Inline
    notes: tuple[Inline, ...]
    points: int
    lines: int = 6


@dataclass(frozen=True)
class Question:
    """A question of a quiz: its name, what it says, and what it asks for, in one way or several.

    asked: number by number; choices: some of the numbers by choosing; wholes: matrix by matrix;
    partial: per cent of the points of a number that a known mistake keeps; hints, answers,
    solutions: for systems that show them.
    """

    id: str
    title: str
    said: tuple[Inline, ...]
    asked: tuple[Numeric, ...] = ()
    choices: tuple[Choice, ...] = ()
    wholes: tuple[Whole, ...] = ()
    partial: int = 0
    hints: tuple[Inline, ...] = ()
    answers: tuple[Inline, ...] = ()
    solutions: tuple[Inline, ...] = ()
    typed: tuple[Typed, ...] = ()
    picks: tuple[Pick, ...] = ()
    matches: tuple[Match, ...] = ()
    essays: tuple[Essay, ...] = ()


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
    hidden lines are run on it for so many points; "essay", a text, whose hidden lines are for
    whoever marks it.
    """

    id: str
    kind: str
    shown: tuple[str, ...]
    hidden: tuple[str, ...] = ()
    points: int = 0
