r"""Quizzes as PreTeXt: a division of exercises to be included in a book.

Each sheet is an exercise with a blank for every number, judged by its interval, with feedback for
known mistakes; each choice is a multiple-choice exercise.  (The PreTeXt Guide, "Interactive
Exercises"; its schema pretext-dev.)
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from derive.render.blocks import Choice
from derive.render.pretext_parts import math, paragraphs
from derive.render.pretext_words import worded
from derive.render.quiz import Numeric, Question, Quiz, Span
from derive.render.quiz_html import identifier

CHARACTERS = 8
"""How wide a blank is."""


def pretext(quiz: Quiz) -> str:
    """The division, with `exercises` as its root element."""
    name = identifier(quiz.questions[0].id)
    body = "".join("".join(_exercises(quiz, question)) for question in quiz.questions)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<exercises xml:id="{name}-exercises">\n<title>{escape(quiz.title)}</title>\n'
        f"{body}</exercises>\n"
    )


def _exercises(quiz: Quiz, question: Question) -> Iterator[str]:
    name = identifier(question.id)
    if question.asked:
        yield _numbers(name, question)
    yield from worded(question)
    for k, choice in enumerate(question.choices, 1):
        yield _choice(f"{name}-choice-{k}", quiz, question, choice)


def _numbers(name: str, question: Question) -> str:
    blanks = "".join(
        f"<p><m>{math(one.first)} =</m> "
        f'<fillin mode="number" answer="{one.key}" characters="{CHARACTERS}"/></p>\n'
        for one in question.asked
    )
    judged = "".join(map(_judged, question.asked))
    return (
        f'<exercise xml:id="{name}" label="{name}">\n<title>{escape(question.id)}</title>\n'
        f"<statement>\n{paragraphs(question.said)}{blanks}</statement>\n"
        + "".join(f"<hint>{paragraphs((hint,))}</hint>\n" for hint in question.hints)
        + f"<answer>{paragraphs(question.answers)}</answer>\n" * bool(question.answers)
        + f"<solution>{paragraphs(question.solutions)}</solution>\n" * bool(question.solutions)
        + f"<evaluation>\n{judged}</evaluation>\n</exercise>\n"
    )


def _judged(one: Numeric) -> str:
    wrong = "".join(
        f"<test>{_between(span)}<feedback>{paragraphs((said,))}</feedback></test>\n"
        for span, said in one.wrong
    )
    right = f'<test correct="yes">{_between(one.right)}</test>\n'
    return f"<evaluate>\n{right}{wrong}</evaluate>\n"


def _between(span: Span) -> str:
    return f'<numcmp min="{span.low}" max="{span.high}"/>'


def _choice(name: str, quiz: Quiz, question: Question, choice: Choice) -> str:
    asked = f"<p>{escape(quiz.words['choose'])} <m>{math(choice.first)} = ?</m></p>\n"
    every = "".join(
        f'<choice correct="{"yes" if option.share == 100 else "no"}">'
        f"<statement><p><m>{option.numeral}</m></p></statement>"
        f"<feedback>{paragraphs((option.said,))}</feedback></choice>\n"
        for option in choice.options
    )
    return (
        f'<exercise xml:id="{name}" label="{name}">\n<title>{escape(name[2:])}</title>\n'
        f"<statement>\n{paragraphs(question.said)}{asked}</statement>\n"
        f'<choices randomize="no">\n{every}</choices>\n</exercise>\n'
    )
