"""Exercises of PreTeXt that are answered in words: strings, choices, true or false, cards, essays.

(The PreTeXt Guide, "Interactive Exercises"; its schema pretext-dev.)
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from derive.render.pretext_parts import inline, opened, paragraphs
from derive.render.quiz import Essay, Match, Pick, Question, Typed

CHARACTERS = 16
"""How wide a blank is."""


def worded(question: Question) -> Iterator[str]:
    """Every exercise of a question that is answered in words."""
    if question.typed:
        yield _typed(question)
    for pick in question.picks:
        yield _judged(question, pick) if pick.is_truth else _picked(question, pick)
    for match in question.matches:
        yield _matched(question, match)
    for essay in question.essays:
        yield _written(question, essay)


def _typed(question: Question) -> str:
    blanks = "".join(
        f'<p>{inline(one.asked)} = <fillin mode="string" answer="{escape(one.accepted[0])}" '
        f'characters="{CHARACTERS}"/></p>\n'
        for one in question.typed
    )
    judged = "".join(map(_spelled, question.typed))
    return (
        f"{opened(question, 'words')}<statement>\n{paragraphs(question.said)}{blanks}</statement>\n"
        f"<evaluation>\n{judged}</evaluation>\n</exercise>\n"
    )


def _spelled(one: Typed) -> str:
    """Each spelling by itself, letter by letter."""
    every = "".join(
        f'<test correct="yes"><strcmp case="insensitive" literal="yes">{escape(text)}</strcmp>'
        "</test>\n"
        for text in one.accepted
    )
    return f"<evaluate>\n{every}</evaluate>\n"


def _picked(question: Question, one: Pick) -> str:
    every = "".join(
        f'<choice correct="{_yes(k == one.right)}"><statement><p>{inline(option)}</p></statement>'
        "</choice>\n"
        for k, option in enumerate(one.options)
    )
    said = paragraphs((*question.said, one.asked))
    return (
        f"{opened(question, one.name)}<statement>\n{said}</statement>\n"
        f'<choices randomize="no">\n{every}</choices>\n</exercise>\n'
    )


def _judged(question: Question, one: Pick) -> str:
    return (
        f'{opened(question, one.name)}<statement correct="{_yes(one.right == 0)}">'
        f"<p>{inline(one.asked)}</p></statement>\n</exercise>\n"
    )


def _matched(question: Question, one: Match) -> str:
    """A target with all that belong to it; one to which nothing does stands there as well."""
    every = "".join(
        "<match>"
        + "".join(f"<premise>{inline(name)}</premise>" for name, k in one.pairs if k == target)
        + f"<response>{inline(said)}</response></match>\n"
        for target, said in enumerate(one.targets)
    )
    said = paragraphs((*question.said, one.asked))
    return (
        f"{opened(question, one.name)}<statement>\n{said}</statement>\n"
        f"<cardsort>\n{every}</cardsort>\n</exercise>\n"
    )


def _written(question: Question, one: Essay) -> str:
    said = paragraphs((*question.said, one.asked))
    return (
        f"{opened(question, one.name)}<statement>\n{said}</statement>\n<response/>\n"
        f"<solution>{paragraphs(one.notes)}</solution>\n</exercise>\n"
    )


def _yes(is_so: bool) -> str:
    return "yes" if is_so else "no"
