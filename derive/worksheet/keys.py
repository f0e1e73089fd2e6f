"""The key of a worksheet: proved digits, the answers that are right, and what mistakes come to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
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
from derive.worksheet.blanks import Asked, way_to
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
    """What a mistake makes of one blank: the least and the largest answer it leads to by hand."""

    blank: str
    low: int
    high: int


@dataclass(frozen=True)
class Told:
    """A mistake that shows: at least one blank tells it from what is right."""

    name: str
    letter: str
    wrong: tuple[Wrong, ...]
    _exactly: Callable[[], Mapping[str, str]] = field(compare=False, repr=False)

    @cached_property
    def digits(self) -> Mapping[str, str]:
        """What it makes of each blank without rounding on the way; "" where that is not proved."""
        return self._exactly()


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
    telling = _Telling(derivation, answers, form, reached)
    found = [telling.told(slip) for slip in slips(derivation)]
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


@dataclass(frozen=True)
class _Telling:
    derivation: Derivation
    answers: Sequence[Answer]
    form: Format
    reached: Mapping[str, Matrix]

    @cached_property
    def needed(self) -> set[str]:
        return way_to(self.derivation, {a.step for a in self.answers})

    def told(self, slip: Slip) -> Told | None:
        """What a mistake makes of the blanks it changes beyond doubt; None where none can be."""
        places = self.form.places
        with precision(hand.BITS):
            changed = made_by(slip, self.reached)
            if changed is None:
                return None
            found = hand.onwards(self.derivation, self.reached, changed, places, self.needed)
            wrong = tuple(self.wrong(found))
        return Told(slip.name, slip.letter, wrong, partial(_digits, self, slip))

    def wrong(self, found: Mapping[str, Matrix]) -> Iterator[Wrong]:
        for a in self.answers:
            if a.step in found:
                ends = bounds_of(found[a.step][a.row - 1, a.column - 1], self.form.places)
                if ends and (ends[1] < a.low or ends[0] > a.high):
                    yield Wrong(a.blank, *ends)


def _digits(telling: _Telling, slip: Slip) -> dict[str, str]:
    """The digits of every blank after a mistake, without rounding on the way."""
    exact = mistaken(telling.derivation, slip)
    with precision(BITS):
        return {
            a.blank: digits_of(exact[a.step][a.row - 1, a.column - 1], telling.form) or ""
            for a in telling.answers
            if a.step in exact
        }


def made_by(slip: Slip, known: Mapping[str, Matrix]) -> dict[str, Matrix] | None:
    """The steps of a mistake; None where its shapes do not fit, or it divides by 0."""
    try:
        made = {step.name: slip.rule(step, known) for step in slip.steps}
    except (ValueError, ArithmeticError, IndexError):
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
