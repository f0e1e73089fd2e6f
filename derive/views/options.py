"""Answers to be chosen, each with its share of the points and what is said of it."""

from __future__ import annotations

from derive.exact.names import shown
from derive.exact.trace import Digits, Entry, Name
from derive.render.blocks import Choice, Inline, Option
from derive.views.sentences import sentence
from derive.words import words
from derive.worksheet.choices import Offered, offered
from derive.worksheet.keys import Answer, Told
from derive.worksheet.search import Variant


def options(variant: Variant, lang: str, share: int = 0) -> tuple[Choice, ...]:
    """What can be asked by choosing; share: per cent of the points that a known mistake keeps."""
    return tuple(_choice(one, lang, share) for one in offered(variant))


def _choice(one: Offered, lang: str, share: int) -> Choice:
    options = tuple(
        Option(digits, share, comes_of(digits, told, lang))
        if told
        else Option(digits, 100, sentence("worksheet", "right", lang))
        for digits, told in one.options
    )
    return Choice(entry(one.answer), one.answer.points, options)


def comes_of(digits: str, told: Told, lang: str) -> Inline:
    """That this number is what one gets by that mistake."""
    said = words(lang)["mistakes"][told.name]
    return sentence("worksheet", "comes of", lang, Digits(digits), Name(told.letter), said)


def entry(answer: Answer) -> Entry:
    """The blank with its indices."""
    return Entry(answer.step, shown(answer.step, answer.row, answer.column))
