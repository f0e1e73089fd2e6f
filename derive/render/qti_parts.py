"""What items of QTI 2.1 are made of."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape, unescape
from typing import Any

from derive.render.blocks import Inline
from derive.render.html.mathml import mathml
from derive.render.quiz import Question, Quiz
from derive.render.quiz_html import latex

QTI = "http://www.imsglobal.org/xsd/imsqti_v2p1"
MATHML = "http://www.w3.org/1998/Math/MathML"
SCHEMA = f"{QTI} http://www.imsglobal.org/xsd/qti/qtiv2p1/imsqti_v2p1.xsd"
INSTANCE = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_ENTITY = re.compile(r"&(?!amp;|lt;|gt;|quot;|#)\w+;")
OUTCOME = (
    '<outcomeDeclaration identifier="{name}" cardinality="single" baseType="float">'
    "<defaultValue><value>{value}</value></defaultValue></outcomeDeclaration>\n"
)


def item(quiz: Quiz, name: str, title: str, parts: Iterable[str]) -> str:
    """An item of some parts in their order."""
    return (
        f'{HEAD}<assessmentItem xmlns="{QTI}" {INSTANCE} xsi:schemaLocation="{SCHEMA}" '
        f'identifier="{name}" title="{escape(title)}" xml:lang="{quiz.lang}" adaptive="false" '
        f'timeDependent="false">\n{"".join(parts)}</assessmentItem>\n'
    )


def declared(name: str, base: str, value: str) -> str:
    """A response with one right value."""
    return (
        f'<responseDeclaration identifier="{name}" cardinality="single" baseType="{base}">'
        f"<correctResponse><value>{value}</value></correctResponse></responseDeclaration>\n"
    )


def outcomes(most: int, cardinality: str) -> str:
    """Score, the most of it, and feedback."""
    return (
        OUTCOME.format(name="SCORE", value=0)
        + OUTCOME.format(name="MAXSCORE", value=most)
        + f'<outcomeDeclaration identifier="FEEDBACK" cardinality="{cardinality}" '
        'baseType="identifier"/>\n'
    )


def body_of(question: Question) -> str:
    """What a question says, a paragraph each."""
    said = (question.title, *question.said)
    return "".join(f"<p>{xml_inline(content)}</p>\n" for content in said)


def xml_inline(content: Inline) -> str:
    """A sentence, its mathematics as MathML."""
    parts = (content,) if isinstance(content, str) else content
    return "".join(escape(p, quote=False) if isinstance(p, str) else xml_math(p) for p in parts)


def xml_math(x: Any, after: str = "") -> str:
    """A formula as MathML that needs no list of entities."""
    text = mathml(latex(x) + after).replace("<math", f'<math xmlns="{MATHML}"', 1)
    return _ENTITY.sub(lambda found: unescape(found[0]), text)
