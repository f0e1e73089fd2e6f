"""The key of a worksheet: proved digits, the answers that are right, and what mistakes come to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

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
from derive.worksheet.blanks import Asked
from derive.worksheet.ends import bounds_of
from derive.worksheet.mistakes import Slip
from derive.worksheet.program import BITS, Run, Traced

LONGEST = 400
"""A closed form of more characters is left out of the key."""


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
    low: int
    high: int
    points: int = 1
    _exactly: Callable[[], str] = field(default=str, compare=False, repr=False)

    @cached_property
    def exact(self) -> str:
        """The closed form."""
        return self._exactly()


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


def key_of(
    derivation: Callable[[], Derivation],
    asked: Sequence[Asked],
    form: Format,
    worked: Run,
    points: Mapping[str, int],
) -> Key:
    """The key of what is asked; InputError where a digit or a tolerance cannot be had."""
    keyed = _Keyed(derivation, form, worked)
    answers = tuple(a for one in asked for a in keyed.answers(one, points.get(one.step.name, 1)))
    found = [(t, keyed.told(t, answers)) for t in worked.program.slips]
    told = tuple(x for _, x in found if x is not None and x.wrong)
    unseen = tuple((x.name, x.letter) for _, x in found if x is not None and not x.wrong)
    return Key(answers, told, unseen)


@dataclass(frozen=True)
class _Keyed:
    derivation: Callable[[], Derivation]
    form: Format
    worked: Run

    def answers(self, one: Asked, points: int) -> Iterator[Answer]:
        """The blanks of a step."""
        name, nodes = one.step.name, self.worked.program.by_place
        balls, hand = self.worked.balls, self.worked.hand
        with precision(BITS):
            digits = [digits_of(balls[nodes[name, i, j]], self.form) for i, j in one.places]
        for k, (i, j) in enumerate(one.places):
            blank = entry_name(name, i, j)
            key, ends = digits[k] or self.slowly(name, i, j), bounds_of(hand[nodes[name, i, j]])
            if key is None or ends is None:
                raise InputError(f"{blank} has no digits that can be marked")
            exact = partial(self.exact, name, i, j)
            yield Answer(blank, name, i, j, key, *ends, points, exact)

    def slowly(self, name: str, i: int, j: int) -> str | None:
        """The digits of what the balls of the program leave open, such as a rational tie."""
        return certified(self.derivation().step(name), self.form)[i - 1][j - 1].digits

    def exact(self, name: str, i: int, j: int) -> str:
        """The closed form, "" where it is long."""
        if self.worked.program.derivation.step(name).is_deep:
            return ""  # so it is in every variant, and to find out again takes long
        step = self.derivation().step(name)
        text = "" if step.is_deep else Writer(PLAIN).text(step.value[i - 1, j - 1])
        return text if len(text) <= LONGEST else ""

    def told(self, traced: Traced, answers: Sequence[Answer]) -> Told | None:
        """What a mistake makes of the blanks it changes beyond doubt; None where none can be."""
        found = self.worked.mistakes
        if all(found[place] is None for place in traced.made):
            return None
        slip, wrong = traced.slip, []
        for a in answers:
            place = traced.blanks.get(a.blank)
            ends = None if place is None else bounds_of(found[place])
            if ends and (ends[1] < a.low or ends[0] > a.high):
                wrong.append(Wrong(a.blank, *ends))
        return Told(slip.name, slip.letter, tuple(wrong), partial(self.mistaken, traced))

    def mistaken(self, traced: Traced) -> dict[str, str]:
        """The digits of every blank after a mistake, without rounding on the way."""
        found = self.worked.mistakes_exactly
        with precision(BITS):
            return {
                blank: (found[place] is not None and digits_of(found[place], self.form)) or ""
                for blank, place in traced.blanks.items()
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
