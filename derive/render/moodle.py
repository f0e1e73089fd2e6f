r"""Quizzes in Moodle's XML: numbers as cloze, as multiple choice and as STACK's matrices.

{points:NUMERICAL:=answer:tolerance~%50%answer:tolerance#feedback}   Moodle, "Embedded Answers"
Multiple choice: Moodle, "Moodle XML format".  The kinds stand in categories of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from html import escape

from derive.render.blocks import Choice, Inline
from derive.render.moodle_words import judged, matched, picked, typed, written
from derive.render.quiz import Numeric, Question, Quiz, plain
from derive.render.quiz_html import inline, math, paragraphs
from derive.render.stack import stack

SPECIAL = str.maketrans({c: f"\\{c}" for c in "}~#"})
"""What ends a part of a blank stands behind a backslash."""
Written = Callable[[Quiz, Question], Iterable[str]]


def moodle(quiz: Quiz) -> str:
    """The quiz, a category for each kind of question that it has."""
    kinds: tuple[tuple[str, Written], ...] = (
        ("numbers", lambda _, question: [_cloze(question)] * bool(question.asked)),
        ("choices", _choices),
        ("matrices", stack),
        ("texts", typed),
        ("choices", picked),
        ("truths", judged),
        ("matching", matched),
        ("essays", written),
    )
    body = "".join("".join(_category(quiz, key, make)) for key, make in kinds)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n{body}</quiz>\n'


def _category(quiz: Quiz, key: str, make: Written) -> Iterator[str]:
    made = [text for question in quiz.questions for text in make(quiz, question)]
    if made:
        path = escape(f"$course$/top/{_step(quiz.title)}/{_step(quiz.words[key])}")
        yield f'<question type="category">\n<category><text>{path}</text></category>\n</question>\n'
        yield from made


def _step(name: str) -> str:
    """A part of a path, in which a stroke is written twice."""
    return name.replace("/", "//")


def _cloze(question: Question) -> str:
    blanks = (f"<p>{math(one.first)} = {_blank(one, question)}</p>" for one in question.asked)
    text = "\n".join([f"<p>{inline(question.title)}</p>", paragraphs(question.said), *blanks])
    return (
        '<question type="cloze">\n'
        f"<name><text>{escape(question.id)}</text></name>\n"
        f'<questiontext format="html"><text>{escape(text)}</text></questiontext>\n'
        '<generalfeedback format="html"><text></text></generalfeedback>\n'
        "<penalty>0</penalty>\n<hidden>0</hidden>\n"
        f"<idnumber>{escape(question.id)}</idnumber>\n"
        "</question>\n"
    )


def _blank(one: Numeric, question: Question) -> str:
    """What is right, then what known mistakes lead to."""
    parts = [f"={one.right.middle}:{one.right.half}"]
    for span, said in one.wrong:
        parts.append(f"%{question.partial}%{span.middle}:{span.half}#{_plain(said)}")
    return f"{{{one.points}:NUMERICAL:{'~'.join(parts)}}}"


def _plain(content: Inline) -> str:
    """Without formulas, whose braces would end a blank."""
    return escape(plain(content), quote=False).translate(SPECIAL)


def _choices(quiz: Quiz, question: Question) -> Iterator[str]:
    for number, choice in enumerate(question.choices, 1):
        yield _choice(quiz, question, f"{question.id}-choice-{number}", choice)


def _choice(quiz: Quiz, question: Question, name: str, choice: Choice) -> str:
    asked = f"<p>{inline(quiz.words['choose'])} {math(choice.first)} = ?</p>"
    text = "\n".join([f"<p>{inline(question.title)}</p>", paragraphs(question.said), asked])
    answers = "".join(
        f'<answer fraction="{option.share}" format="html">\n'
        f"<text>{escape(math_of(option.numeral))}</text>\n"
        f'<feedback format="html"><text>{escape(inline(option.said))}</text></feedback>\n'
        "</answer>\n"
        for option in choice.options
    )
    return (
        '<question type="multichoice">\n'
        f"<name><text>{escape(name)}</text></name>\n"
        f'<questiontext format="html"><text>{escape(text)}</text></questiontext>\n'
        '<generalfeedback format="html"><text></text></generalfeedback>\n'
        f"<defaultgrade>{choice.points}</defaultgrade>\n<penalty>0</penalty>\n"
        f"<hidden>0</hidden>\n<idnumber>{escape(name)}</idnumber>\n"
        "<single>true</single>\n<shuffleanswers>false</shuffleanswers>\n"
        "<answernumbering>ABCD</answernumbering>\n"
        f"{answers}</question>\n"
    )


def math_of(numeral: str) -> str:
    """A decimal numeral as it is read."""
    return numeral.replace("-", "\N{MINUS SIGN}")
