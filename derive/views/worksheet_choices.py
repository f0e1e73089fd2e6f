"""A worksheet whose numbers are chosen among those to which mistakes lead, and its key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from derive.exact.trace import Digits
from derive.render.blocks import (
    Break,
    Choice,
    Formulas,
    Heading,
    Inline,
    Note,
    Page,
    Space,
    Table,
    Text,
)
from derive.step import Step
from derive.views.options import entry, options
from derive.views.words import sentence_of, step_words
from derive.views.worksheet import EMPTY_PAGE, Sheet
from derive.views.worksheet_key import TALL, KeySheet
from derive.words import phrase
from derive.worksheet.blanks import Asked
from derive.worksheet.choices import Offered, check_offered, left_out, offered
from derive.worksheet.search import Variant

LETTERS = "ABCDEFGH"


def choice_page(
    variants: Sequence[Variant], lang: str, *, hints: bool = False, share: int = 0
) -> Page:
    """The sheets, each on a page of its own.  InputError where a sheet has nothing to choose."""
    return _joined([ChoiceSheet(v, lang, hints, share) for v in variants], lang)


def choice_key_page(variants: Sequence[Variant], lang: str, *, share: int = 0) -> Page:
    """And their keys; share: per cent of the points that a known mistake keeps."""
    return _joined([ChoiceKey(v, lang, False, share) for v in variants], lang)


def _joined(parts: Sequence[ChoiceSheet], lang: str) -> Page:
    blocks: list[Any] = []
    for part in parts:
        check_offered(part.variant)
        blocks += [Break()] if blocks else []
        blocks += part.blocks()
    return Page(parts[0].title, lang, tuple(blocks))


@dataclass(frozen=True)
class ChoiceSheet(Sheet):
    """One variant; what no mistake leads to is given.

    share: per cent of the points that a known mistake keeps.
    """

    share: int = 0

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """Every blank with its answers."""
        return options(self.variant, self.lang, self.share)

    @cached_property
    def asked(self) -> dict[str, Asked]:
        """The steps of which there is something to choose."""
        named = {choice.first.step for choice in self.choices}
        return {name: one for name, one in super().asked.items() if name in named}

    @property
    def points(self) -> int:
        """What all choices are worth."""
        return sum(choice.points for choice in self.choices)

    def own(self, name: str) -> list[Choice]:
        """Those of a step."""
        return [choice for choice in self.choices if choice.first.step == name]

    def instructions(self) -> Iterator[Any]:
        """What to do, and that the other numbers are mistakes."""
        yield from super().instructions()
        yield Text((self.say("choose"), phrase("space", self.lang), self.say("one of them")))

    def step(self, step: Step) -> Iterator[Any]:
        """Its rule, and the answers to be chosen from."""
        vectors = self.derivation.problem.conventions.vectors
        heading = step_words(step.name, type(step.op).__name__, self.lang, vectors)[0]
        points = sum(choice.points for choice in self.own(step.name))
        yield Heading(str(self.say("worth", heading, points)))
        if self.hints:
            yield Text(sentence_of(step, self.lang, vectors))
        yield Formulas(self.rules(step))
        yield from self.own(step.name)
        yield Space(self.lines(self.asked[step.name]))

    def empty_page(self) -> Iterator[Any]:
        """The answers to be chosen from, and an empty page for one's own steps."""
        yield Heading(str(self.say("working")))
        yield from self.choices
        yield Space(EMPTY_PAGE)


def _parted(blanks: Sequence[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """Rows for tables of which two stand on a page, with all of a blank in one of them."""
    found: tuple[Any, ...] = ()
    for rows in blanks:
        if found and len(found) + len(rows) > TALL:
            yield found
            found = ()
        found += rows
    if found:
        yield found


class ChoiceKey(ChoiceSheet):
    """The key: which is right, and what leads to the others."""

    @property
    def title(self) -> str:
        """That it is the key, and of what."""
        return str(self.say("key title", super().title))

    def blocks(self) -> Iterator[Any]:
        """The whole key."""
        yield Heading(self.title, 1)
        yield Text(self.say("id", self.variant.id))
        yield from self.given()
        yield Heading(str(self.say("answers")))
        header = tuple(self.say(key) for key in ("blank", "option", "mistake", "points"))
        pairs = list(zip(self.choices, offered(self.variant), strict=True))
        for part in _parted([tuple(self.rows(*pair)) for pair in pairs]):
            yield Table(header, part, (3,))
        out = left_out(self.variant)
        if out:
            said = list(self.key.listed([entry(a) for a in out]))
            yield Note((self.say("not chosen"), *said, self.say("stop")))
        yield from self.key.drawn()

    @property
    def key(self) -> KeySheet:
        """The key of the numbers."""
        return KeySheet(self.variant, self.lang)

    def rows(self, choice: Choice, one: Offered) -> Iterator[tuple[Inline, ...]]:
        """An answer each: the right one as such, else what leads to it."""
        every = zip(LETTERS, choice.options, one.options, strict=False)
        for letter, option, (digits, told) in every:
            said = tuple(self.key.mistake(told.name, told.letter)) if told else option.said
            points = Fraction(choice.points * option.share, 100)
            blank: Inline = (choice.first,) if letter == LETTERS[0] else ""
            yield blank, (f"{letter}. ", Digits(digits)), said, f"{float(points):g}"
