"""Variants as the questions of a quiz: what is given, and a number for every blank."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from derive.exact.trace import Digits, Name
from derive.render.blocks import Chain, Inline
from derive.render.quiz import Numeric, Question, Quiz, Span, Spot, Whole
from derive.step import Step
from derive.views.measure import PAGE_WIDTH, grid
from derive.views.options import comes_of, entry, options
from derive.views.worksheet import Sheet
from derive.views.worksheet_kinds import sheet_of
from derive.words import phrase, words
from derive.worksheet.blanks import Asked
from derive.worksheet.choices import check_offered
from derive.worksheet.keys import Answer, Told, Wrong, decimal
from derive.worksheet.search import Variant

NUMBERS, CHOICES = 50, 0
"""Per cent of the points that a known mistake leaves of a number, and of what is only chosen."""
QUAD = "\N{EM SPACE}"
MOST_NUMERALS = 60
"""More right answers than this are not listed one by one."""
WORDS = ("choose", "right", "numbers", "blanks", "choices", "matrices", "fill in", "rows",
         "texts", "matching", "essays", "truths")  # fmt: skip


def quiz(
    variants: Sequence[Variant], lang: str, *, partial: int | None = None, choices: bool = False
) -> Quiz:
    """A question for each variant.

    partial: per cent of the points for a known mistake, None for what is usual; choices: whether
    numbers are only chosen; then InputError where a variant has none to choose.
    """
    table = words(lang)["worksheet"]
    asked = tuple(_question(variant, lang, partial) for variant in variants)
    if choices:
        for variant in variants:
            check_offered(variant)
        asked = tuple(replace(question, asked=(), wholes=()) for question in asked)
    return Quiz(sheet_of(variants[0], lang).title, lang, {k: table[k] for k in WORDS}, asked)


def _question(variant: Variant, lang: str, partial: int | None) -> Question:
    sheet = sheet_of(variant, lang)
    of_numbers, of_choices = (NUMBERS, CHOICES) if partial is None else (partial, partial)
    return Question(
        variant.id,
        sheet.title,
        tuple(_said(sheet)),
        tuple(numeric(variant, a, lang) for a in variant.key.answers),
        options(variant, lang, of_choices),
        tuple(_whole(sheet, one) for one in sheet.asked.values()),
        of_numbers,
        tuple(_hints(sheet)),
        tuple((Chain(Name(n), tuple(_key(sheet, x.step))),) for n, x in sheet.asked.items()),
        tuple((sheet.value(step),) for step in sheet.shown()),
    )


def _hints(sheet: Sheet) -> Iterator[Inline]:
    return (sheet.reason(one.step) for one in sheet.asked.values())


def _key(sheet: Sheet, step: Step) -> Iterator[tuple[str, Any]]:
    """The matrix exactly where it fits, and in decimals."""
    return sheet.sides(step, PAGE_WIDTH // 2)


def _said(sheet: Sheet) -> Iterator[Inline]:
    """What is given, what is worked out already, the rules of the rest, and how to round."""
    yield from sheet.intro()
    chains = [Chain(Name(step.name), (("=", grid(step.value)),)) for step in sheet.read_from()]
    yield tuple(part for k, chain in enumerate(chains) for part in (QUAD, chain)[k == 0 :])
    for step in sheet.shown():
        if step.name in sheet.asked and step.notation is not None:
            yield (Chain(Name(step.name), (("=", step.notation),)),)
        elif step.name not in sheet.asked:
            yield (sheet.value(step),)
    plan = sheet.variant.plan
    yield sheet.say("places", plan.form.places)
    yield sheet.say(plan.form.rounding)


def numeric(
    variant: Variant, answer: Answer, lang: str, known: Sequence[Told] | None = None
) -> Numeric:
    """A number to be typed in, with what known mistakes come to; None for all of the key."""
    places = variant.plan.form.places
    wrong: dict[Span, list[Any]] = {}
    for told in variant.key.told if known is None else known:
        for w in told.wrong:
            if w.blank == answer.blank:
                said = comes_of(told_digits(told, w, places), told, lang)
                wrong.setdefault(span(w.low, w.high, places), []).append(said)
    right = span(answer.low, answer.high, places)
    units = range(answer.low, answer.high + 1)
    listed = tuple(decimal(n, places) for n in units) if len(units) <= MOST_NUMERALS else ()
    return Numeric(entry(answer), answer.points, answer.key, right, listed, _joined(wrong, lang))


def _joined(wrong: Mapping[Span, list[Any]], lang: str) -> tuple[tuple[Span, Inline], ...]:
    """What leads to the same answers is said together."""
    between = phrase("space", lang)
    return tuple(
        (ends, tuple(part for k, one in enumerate(said) for part in (between, *one)[k == 0 :]))
        for ends, said in wrong.items()
    )


def told_digits(told: Told, wrong: Wrong, places: int) -> str:
    """What the mistake comes to, or the least of it by hand where that is not proved."""
    return told.digits.get(wrong.blank, "") or decimal(wrong.low, places)


# --- a matrix as a whole


def _whole(sheet: Sheet, one: Asked) -> Whole:
    key, places = sheet.variant.key, sheet.variant.plan.form.places
    own = {a.blank: a for a in key.answers if a.step == one.step.name}
    right = tuple(_spot(a, a.low, a.high, places) for a in own.values())
    found = [(told, [w for w in told.wrong if w.blank in own]) for told in key.told]
    wrong = tuple(
        (tuple(_spot(own[w.blank], w.low, w.high, places) for w in changed), _mistake(sheet, told))
        for told, changed in sorted(found, key=lambda x: -len(x[1]))
        if changed
    )
    rows = tuple(_rows(sheet, one.step))
    return Whole(Name(one.step.name), sheet.worth(one), rows, sheet.cells(one), right, wrong)


def _spot(answer: Answer, low: int, high: int, places: int) -> Spot:
    return Spot(answer.row, answer.column, span(low, high, places))


def _mistake(sheet: Sheet, told: Told) -> Inline:
    said = words(sheet.lang)["mistakes"][told.name]
    return Name(told.letter), sheet.say("colon"), said, sheet.say("stop")


def _rows(sheet: Sheet, step: Step) -> Iterator[tuple[Any, ...]]:
    """Its entries exactly where that is short, else in decimals."""
    decimals = sheet.derivation.certified(step.name, sheet.variant.plan.form)
    for i, row in enumerate(decimals, 1):
        yield tuple(_entry(sheet, step, i, j, c.digits) for j, c in enumerate(row, 1))


def _entry(sheet: Sheet, step: Step, i: int, j: int, digits: str | None) -> Any:
    value = None if step.is_deep else step.value[i - 1, j - 1]
    is_short = value is not None and len(sheet.measure.text(value)) <= PAGE_WIDTH
    return value if is_short else Digits(digits or "")


def span(low: int, high: int, places: int) -> Span:
    """Every number that is rounded to one of these: from half a unit below to half a unit above."""
    half = Fraction(1, 2)
    ends = low - half, high + half
    numbers = (*ends, Fraction(low + high, 2), (ends[1] - ends[0]) / 2)
    return Span(*(_decimal(x, places) for x in numbers))


def _decimal(units: Fraction, places: int) -> str:
    """So many units of the last place, or half a unit more, as a decimal that ends."""
    n = int(units * 10)
    text = str(abs(n)).rjust(places + 2, "0")
    return f"{'-' * (n < 0)}{text[: -places - 1]}.{text[-places - 1 :]}"
