"""The key of a worksheet: proved digits, the answers that are right, and what mistakes come to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flint import arb

from derive.certify import certified
from derive.derivation import Derivation
from derive.digits import digits_of
from derive.errors import InputError
from derive.exact import Matrix
from derive.exact.ball import precision
from derive.exact.enclosure import Enclosures
from derive.exact.ink import PLAIN
from derive.exact.write import Writer
from derive.numerals import Format, fixed
from derive.places import entry_name
from derive.step import Step
from derive.worksheet import hand
from derive.worksheet.blanks import Asked
from derive.worksheet.mistakes import Slip, slips
from derive.worksheet.reach import Reach

BITS = 128
LONGEST = 400
"""A closed form of more characters is left out of the key."""
Bounds = tuple[int, int] | None
"""The least and the largest answer, in units of the last place; None where there is no end."""


@dataclass(frozen=True)
class Answer:
    """One blank: its name, its proved digits, what it is exactly, and which answers are right.

    low, high: in units of the last place, from the ways by hand; `exact` is "" where it is long.
    """

    blank: str
    step: str
    row: int
    column: int
    key: str
    exact: str
    low: int
    high: int
    points: int = 1


@dataclass(frozen=True)
class Wrong:
    """What a mistake makes of one blank: its digits, and the answers it leads to by hand."""

    blank: str
    digits: str
    low: int
    high: int


@dataclass(frozen=True)
class Told:
    """A mistake that shows: at least one blank tells it from what is right."""

    name: str
    letter: str
    wrong: tuple[Wrong, ...]


@dataclass(frozen=True)
class Key:
    """answers: every blank; told: mistakes that show; unseen: (name, letter) of the others."""

    answers: tuple[Answer, ...]
    told: tuple[Told, ...]
    unseen: tuple[tuple[str, str], ...]


def bounds(reached: Matrix, asked: Asked, places: int) -> Iterator[Bounds]:
    """The answers to each blank of a step."""
    with precision(hand.BITS):
        found = [bounds_of(reached[i - 1, j - 1], places) for i, j in asked.places]
    yield from found


def bounds_of(x: Any, places: int) -> Bounds:
    """The least and the largest rounded number of an interval."""
    ball = x.ball if isinstance(x, Reach) else arb(0)
    if not ball.is_finite():
        return None
    unit, half = arb(10) ** places, arb(0.5)
    low, high = (ball.lower() * unit - half).ceil(), (ball.upper() * unit + half).floor()
    ends = low.lower().floor().unique_fmpz(), high.upper().ceil().unique_fmpz()
    return None if ends[0] is None or ends[1] is None else (int(ends[0]), int(ends[1]))


def key_of(
    derivation: Derivation,
    asked: Sequence[Asked],
    form: Format,
    reached: Mapping[str, Matrix],
    points: Mapping[str, int],
) -> Key:
    """The key of what is asked; InputError where a digit or a tolerance cannot be had."""
    answers = tuple(a for one in asked for a in _answers(one, form, reached, points))
    found = [told_of(derivation, s, asked, answers, form, reached) for s in slips(derivation)]
    told = tuple(t for t in found if t is not None and t.wrong)
    unseen = tuple((t.name, t.letter) for t in found if t is not None and not t.wrong)
    return Key(answers, told, unseen)


def _answers(
    one: Asked, form: Format, reached: Mapping[str, Matrix], points: Mapping[str, int]
) -> Iterator[Answer]:
    step, writer = one.step, Writer(PLAIN)
    digits = certified(step, form)
    for (i, j), found in zip(one.places, bounds(reached[step.name], one, form.places), strict=True):
        name, text = entry_name(step.name, i, j), digits[i - 1][j - 1].digits
        if text is None or found is None:
            raise InputError(f"{name} has no digits that can be marked")
        exact = "" if step.is_deep else writer.text(step.value[i - 1, j - 1])
        short = exact if len(exact) <= LONGEST else ""
        yield Answer(name, step.name, i, j, text, short, *found, points.get(step.name, 1))


def told_of(
    derivation: Derivation,
    slip: Slip,
    asked: Sequence[Asked],
    answers: Sequence[Answer],
    form: Format,
    reached: Mapping[str, Matrix],
) -> Told | None:
    """What a mistake makes of the blanks it changes beyond doubt; None where it cannot be made."""
    with precision(hand.BITS):
        changed = made_by(slip, reached)
        if changed is None:
            return None
        found = hand.onwards(derivation, reached, changed, form.places)
    apart = [
        (answer, ends)
        for answer in answers
        if answer.step in found
        and (ends := bounds_of(found[answer.step][answer.row - 1, answer.column - 1], form.places))
        and (ends[1] < answer.low or ends[0] > answer.high)
    ]
    exact = mistaken(derivation, slip) if apart else {}
    wrong = tuple(Wrong(a.blank, _digits(exact, a, form), *ends) for a, ends in apart)
    return Told(slip.name, slip.letter, wrong)


def _digits(exact: Mapping[str, Matrix], at: Answer, form: Format) -> str:
    """What a mistake comes to without rounding; "" where that is not proved."""
    if at.step not in exact:
        return ""
    with precision(BITS):
        return digits_of(exact[at.step][at.row - 1, at.column - 1], form) or ""


def made_by(slip: Slip, known: Mapping[str, Matrix]) -> dict[str, Matrix] | None:
    """The steps of a mistake; None where its shapes do not fit, or it divides by 0."""
    try:
        made = {step.name: slip.rule(step, known) for step in slip.steps}
    except (ValueError, ZeroDivisionError, IndexError):
        return None
    fit = all(made[s.name].shape == s.shape for s in slip.steps)
    return made if fit and all(_is_finite(m) for m in made.values()) else None


def _is_finite(matrix: Matrix) -> bool:
    balls = (getattr(x, "ball", x) for x in matrix)
    return all(x.is_finite() or x == arb.neg_inf() for x in balls if isinstance(x, arb))


def mistaken(derivation: Derivation, slip: Slip) -> dict[str, Matrix]:
    """The steps that a mistake changes, as enclosures; what follows from it is carried through."""
    with precision(BITS):
        known = {s.name: Enclosures.of(s.enclosure(BITS)) for s in derivation.steps}
        made = made_by(slip, known) or {}
        found: dict[str, Matrix] = {name: Enclosures.of(matrix) for name, matrix in made.items()}
        for step in derivation.derived:
            if step.name not in found and any(x.name in found for x in step.inputs):
                found[step.name] = _step(step, {**known, **found})
        return found


def _step(step: Step, known: Mapping[str, Matrix]) -> Matrix:
    assert step.op is not None
    return Enclosures.of(step.op.rule(*(known[x.name] for x in step.inputs)))


def decimal(n: int, places: int) -> str:
    """So many units of the last place as a numeral."""
    return fixed(n, places)
