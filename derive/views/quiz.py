"""Variants as the questions of a quiz: what is given, and a number for every blank."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from derive.exact.names import shown
from derive.exact.trace import Entry, Name
from derive.render.blocks import Chain, Inline, Numeric, Question
from derive.views.measure import grid
from derive.views.worksheet import Sheet
from derive.words import words
from derive.worksheet.keys import Answer, Told
from derive.worksheet.search import Variant


def questions(variants: Sequence[Variant], lang: str) -> tuple[Question, ...]:
    """A question for each variant."""
    return tuple(_question(variant, lang) for variant in variants)


def _question(variant: Variant, lang: str) -> Question:
    sheet = Sheet(variant, lang)
    asked = tuple(_numeric(variant, answer, lang) for answer in variant.key.answers)
    return Question(variant.id, (sheet.title, *_said(sheet)), asked)


def _said(sheet: Sheet) -> Iterator[Inline]:
    for step in sheet.derivation.steps:
        if step.op is None:
            yield (Chain(Name(step.name), (("=", grid(step.value)),)),)
    for step in sheet.derivation.derived:
        if step.name in sheet.asked and step.notation is not None:
            yield (Chain(Name(step.name), (("=", step.notation),)),)
    yield sheet.say("places", sheet.variant.plan.form.places)


def _numeric(variant: Variant, answer: Answer, lang: str) -> Numeric:
    """Right is the middle of the tolerance, give or take half of it and half a unit."""
    places = variant.plan.form.places
    wrong = tuple(
        (
            *_span(w.low, w.high, places),
            (Name(told.letter), " ", words(lang)["mistakes"][told.name]),
        )
        for told in variant.key.told
        for w in told.wrong
        if w.blank == answer.blank
    )
    entry = Entry(answer.step, shown(answer.step, answer.row, answer.column))
    return Numeric(entry, answer.points, _span(answer.low, answer.high, places), wrong)


def _mistake(told: Told, lang: str) -> Inline:
    table = words(lang)
    return Name(told.letter), table["worksheet"]["colon"], table["mistakes"][told.name]


def _span(low: int, high: int, places: int) -> tuple[str, str]:
    middle, half = Fraction(low + high, 2), Fraction(high - low + 1, 2)
    return _decimal(middle, places), _decimal(half, places)


def _decimal(units: Fraction, places: int) -> str:
    """So many units of the last place, or half a unit more, as a decimal that ends."""
    n = int(units * 10)
    text = str(abs(n)).rjust(places + 2, "0")
    return f"{'-' * (n < 0)}{text[: -places - 1]}.{text[-places - 1 :]}"
