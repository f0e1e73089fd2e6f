r"""Quizzes in Moodle's XML: cloze questions with a numeric blank and its tolerance for each number.

{points:NUMERICAL:=answer:tolerance~%50%answer:tolerance#feedback}   Moodle, "Embedded Answers"
Mathematics stands between \( and \), as Moodle's filter reads it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from derive.exact.ink import LATEX, UNICODE
from derive.exact.trace import Term
from derive.exact.write import Writer
from derive.render.blocks import RELATIONS, Chain, Inline, Numeric, Question

SPECIAL = str.maketrans({c: f"\\{c}" for c in "}~#"})
"""What ends a part of a blank stands behind a backslash."""
PARTIAL = 50
"""Per cent of the points that a known mistake leaves."""
_WRITER, _UNICODE = Writer(LATEX), Writer(UNICODE)


def moodle(questions: Sequence[Question]) -> str:
    """A quiz with these questions."""
    body = "".join(map(_question, questions))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n{body}</quiz>\n'


def _question(question: Question) -> str:
    text = "\n".join(f"<p>{part}</p>" for part in _parts(question))
    name = escape(question.id)
    return (
        '<question type="cloze">\n'
        f"<name><text>{name}</text></name>\n"
        f'<questiontext format="html"><text>{escape(text)}</text></questiontext>\n'
        '<generalfeedback format="html"><text></text></generalfeedback>\n'
        "<penalty>0</penalty>\n<hidden>0</hidden>\n"
        f"<idnumber>{name}</idnumber>\n"
        "</question>\n"
    )


def _parts(question: Question) -> Iterator[str]:
    yield from map(_inline, question.said)
    for one in question.asked:
        yield f"{_math(one.first)} = {_blank(one)}"


def _inline(content: Inline) -> str:
    parts = (content,) if isinstance(content, str) else content
    return "".join(escape(p, quote=False) if isinstance(p, str) else _math(p) for p in parts)


def _plain(content: Inline) -> str:
    """Without formulas, whose braces would end a blank."""
    parts = (content,) if isinstance(content, str) else content
    text = "".join(p if isinstance(p, str) else _UNICODE.text(p) for p in parts)
    return escape(text, quote=False).translate(SPECIAL)


def _math(x: Any) -> str:
    return rf"\({escape(_latex(x), quote=False)}\)"


def _latex(x: Chain | Term) -> str:
    if isinstance(x, Chain):
        sides = (f" {RELATIONS[r][0]} {_WRITER.text(side)}" for r, side in x.rest)
        return _WRITER.text(x.first) + "".join(sides)
    return _WRITER.text(x)


def _blank(one: Numeric) -> str:
    """What is right, then what known mistakes lead to."""
    parts = ["=" + ":".join(one.right)]
    for middle, half, said in one.wrong:
        parts.append(f"%{PARTIAL}%{middle}:{half}#{_plain(said)}")
    return f"{{{one.points}:NUMERICAL:{'~'.join(parts)}}}"
