"""Quizzes as packages of QTI 2.1: an assessmentItem a question, tests that hold them, a manifest.

Numbers are typed into one item, each judged by its interval, known mistakes with their share of the
points and feedback; every choice is an item of its own.  Mathematics is MathML.
(IMS Question & Test Interoperability 2.1, "Assessment Test, Section and Item Information Model"
and "Integration Guide"; IMS Content Packaging 1.1.)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape, unescape
from typing import Any

from derive.render.archive import archive
from derive.render.blocks import Choice, Inline
from derive.render.forms import lettered
from derive.render.html.mathml import mathml
from derive.render.quiz import Numeric, Question, Quiz, Span
from derive.render.quiz_html import identifier, latex

QTI = "http://www.imsglobal.org/xsd/imsqti_v2p1"
PACKAGE = "http://www.imsglobal.org/xsd/imscp_v1p1"
MATHML = "http://www.w3.org/1998/Math/MathML"
SCHEMA = f"{QTI} http://www.imsglobal.org/xsd/qti/qtiv2p1/imsqti_v2p1.xsd"
INSTANCE = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_ENTITY = re.compile(r"&(?!amp;|lt;|gt;|quot;|#)\w+;")
BETWEEN = (
    '<and><gte><variable identifier="{name}"/><baseValue baseType="float">{low}</baseValue></gte>'
    '<lte><variable identifier="{name}"/><baseValue baseType="float">{high}</baseValue></lte></and>'
)
ADDED = (
    '<setOutcomeValue identifier="SCORE"><sum><variable identifier="SCORE"/>'
    '<baseValue baseType="float">{points}</baseValue></sum></setOutcomeValue>'
)
SAID = (
    '<setOutcomeValue identifier="FEEDBACK"><multiple><variable identifier="FEEDBACK"/>'
    '<baseValue baseType="identifier">{said}</baseValue></multiple></setOutcomeValue>'
)
OUTCOME = (
    '<outcomeDeclaration identifier="{name}" cardinality="single" baseType="float">'
    "<defaultValue><value>{value}</value></defaultValue></outcomeDeclaration>\n"
)


def qti(quiz: Quiz) -> bytes:
    """The package as a zip archive."""
    numbers = {identifier(q.id): _numbers(quiz, q) for q in quiz.questions if q.asked}
    chosen = {
        f"{identifier(q.id)}-choice-{k}": _choice(quiz, q, f"{identifier(q.id)}-choice-{k}", choice)
        for q in quiz.questions
        for k, choice in enumerate(q.choices, 1)
    }
    tests = {
        f"test-{key}": (_test(f"test-{key}", quiz.words[key], tuple(made)), tuple(made))
        for key, made in (("numbers", numbers), ("choices", chosen))
        if made
    }
    files = {f"items/{name}.xml": text for name, text in (numbers | chosen).items()}
    texts = {f"{name}.xml": text for name, (text, _) in tests.items()}
    manifest = _manifest(numbers | chosen, {name: held for name, (_, held) in tests.items()})
    return archive({"imsmanifest.xml": manifest, **texts, **files})


# --- items


def _item(quiz: Quiz, name: str, title: str, parts: Iterable[str]) -> str:
    return (
        f'{HEAD}<assessmentItem xmlns="{QTI}" {INSTANCE} xsi:schemaLocation="{SCHEMA}" '
        f'identifier="{name}" title="{escape(title)}" xml:lang="{quiz.lang}" adaptive="false" '
        f'timeDependent="false">\n{"".join(parts)}</assessmentItem>\n'
    )


def _numbers(quiz: Quiz, question: Question) -> str:
    """One item with an entry for each number."""
    asked = [(f"R{k}", one) for k, one in enumerate(question.asked, 1)]
    most = sum(one.points for one in question.asked)
    declared = "".join(_declared(name, "float", one.key) for name, one in asked)
    blanks = "".join(
        f"<p>{xml_math(one.first, ' =')} "
        f'<textEntryInteraction responseIdentifier="{name}" expectedLength="8"/></p>\n'
        for name, one in asked
    )
    judged = "".join(_judged(name, one, question.partial) for name, one in asked)
    said = "".join(
        _modal(f"{name}-M{k}", text)
        for name, one in asked
        for k, (_, text) in enumerate(one.wrong, 1)
    )
    return _item(
        quiz,
        identifier(question.id),
        question.id,
        (
            declared,
            _outcomes(most, "multiple"),
            f"<itemBody>\n{_body(question)}{blanks}</itemBody>\n",
            f"<responseProcessing>\n{judged}</responseProcessing>\n",
            said,
        ),
    )


def _declared(name: str, base: str, value: str) -> str:
    return (
        f'<responseDeclaration identifier="{name}" cardinality="single" baseType="{base}">'
        f"<correctResponse><value>{value}</value></correctResponse></responseDeclaration>\n"
    )


def _outcomes(most: int, cardinality: str) -> str:
    return (
        OUTCOME.format(name="SCORE", value=0)
        + OUTCOME.format(name="MAXSCORE", value=most)
        + f'<outcomeDeclaration identifier="FEEDBACK" cardinality="{cardinality}" '
        'baseType="identifier"/>\n'
    )


def _body(question: Question) -> str:
    said = (question.title, *question.said)
    return "".join(f"<p>{xml_inline(content)}</p>\n" for content in said)


def _judged(name: str, one: Numeric, partial: int) -> str:
    """The points of a number: all where it is right, a share for a known mistake, else none."""
    first = _between(name, one.right) + ADDED.format(points=one.points)
    share = ADDED.format(points=f"{one.points * partial / 100:g}")
    others = "".join(
        f"<responseElseIf>{_between(name, span)}{share}{SAID.format(said=f'{name}-M{k}')}"
        "</responseElseIf>"
        for k, (span, _) in enumerate(one.wrong, 1)
    )
    return f"<responseCondition><responseIf>{first}</responseIf>{others}</responseCondition>\n"


def _between(name: str, span: Span) -> str:
    return BETWEEN.format(name=name, low=span.low, high=span.high)


def _choice(quiz: Quiz, question: Question, name: str, choice: Choice) -> str:
    """An item with a choice, its points by the table of its answers."""
    every = list(lettered(choice))
    right = next(letter for letter, option in every if option.share == 100)
    entries = "".join(
        f'<mapEntry mapKey="{x}" mappedValue="{choice.points * option.share / 100:g}"/>'
        for x, option in every
    )
    declared = _declared("RESPONSE", "identifier", right).replace(
        "</correctResponse>", f'</correctResponse><mapping defaultValue="0">{entries}</mapping>'
    )
    answers = "".join(
        f'<simpleChoice identifier="{x}">{_numeral(option.numeral)}</simpleChoice>\n'
        for x, option in every
    )
    prompt = f"<prompt>{escape(quiz.words['choose'])}</prompt>\n"
    body = (
        f"<itemBody>\n{_body(question)}<p>{xml_math(choice.first, ' = ?')}</p>\n"
        '<choiceInteraction responseIdentifier="RESPONSE" shuffle="false" maxChoices="1">\n'
        f"{prompt}{answers}</choiceInteraction>\n</itemBody>\n"
    )
    processing = (
        "<responseProcessing>\n"
        '<responseCondition><responseIf><isNull><variable identifier="RESPONSE"/></isNull>'
        '<setOutcomeValue identifier="SCORE"><baseValue baseType="float">0</baseValue>'
        "</setOutcomeValue></responseIf><responseElse>"
        '<setOutcomeValue identifier="SCORE"><mapResponse identifier="RESPONSE"/></setOutcomeValue>'
        '<setOutcomeValue identifier="FEEDBACK"><variable identifier="RESPONSE"/>'
        "</setOutcomeValue></responseElse></responseCondition>\n</responseProcessing>\n"
    )
    said = "".join(_modal(x, option.said) for x, option in every)
    outcomes = _outcomes(choice.points, "single")
    return _item(quiz, name, name.removeprefix("q-"), (declared, outcomes, body, processing, said))


def _modal(name: str, said: Inline) -> str:
    return (
        f'<modalFeedback outcomeIdentifier="FEEDBACK" identifier="{name}" showHide="show">'
        f"<p>{xml_inline(said)}</p></modalFeedback>\n"
    )


def _numeral(text: str) -> str:
    return text.replace("-", "\N{MINUS SIGN}")


# --- sentences


def xml_inline(content: Inline) -> str:
    """A sentence, its mathematics as MathML."""
    parts = (content,) if isinstance(content, str) else content
    return "".join(escape(p, quote=False) if isinstance(p, str) else xml_math(p) for p in parts)


def xml_math(x: Any, after: str = "") -> str:
    """A formula as MathML that needs no list of entities."""
    text = mathml(latex(x) + after).replace("<math", f'<math xmlns="{MATHML}"', 1)
    return _ENTITY.sub(lambda found: unescape(found[0]), text)


# --- tests and the manifest


def _test(name: str, title: str, items: Sequence[str]) -> str:
    held = "".join(f'<assessmentItemRef identifier="{x}" href="items/{x}.xml"/>\n' for x in items)
    return (
        f'{HEAD}<assessmentTest xmlns="{QTI}" {INSTANCE} xsi:schemaLocation="{SCHEMA}" '
        f'identifier="{name}" title="{escape(title)}">\n'
        f"{OUTCOME.format(name='SCORE', value=0)}"
        '<testPart identifier="part" navigationMode="nonlinear" submissionMode="individual">\n'
        f'<assessmentSection identifier="section" title="{escape(title)}" visible="true">\n'
        f"{held}</assessmentSection>\n</testPart>\n"
        '<outcomeProcessing><setOutcomeValue identifier="SCORE"><sum>'
        '<testVariables variableIdentifier="SCORE"/></sum></setOutcomeValue></outcomeProcessing>\n'
        "</assessmentTest>\n"
    )


def _manifest(items: Iterable[str], tests: dict[str, tuple[str, ...]]) -> str:
    resources = [_resource(n, "imsqti_test_xmlv2p1", f"{n}.xml", held) for n, held in tests.items()]
    resources += [_resource(name, "imsqti_item_xmlv2p1", f"items/{name}.xml") for name in items]
    return (
        f'{HEAD}<manifest xmlns="{PACKAGE}" {INSTANCE} xsi:schemaLocation="{PACKAGE} '
        'http://www.imsglobal.org/xsd/qti/qtiv2p1/qtiv2p1_imscpv1p2_v1p0.xsd" '
        'identifier="manifest">\n'
        "<metadata><schema>QTIv2.1 Package</schema><schemaversion>1.0.0</schemaversion>"
        f"</metadata>\n<organizations/>\n<resources>\n{''.join(resources)}</resources>\n</manifest>\n"
    )


def _resource(name: str, kind: str, href: str, held: Iterable[str] = ()) -> str:
    needed = "".join(f'<dependency identifierref="{x}"/>' for x in held)
    return (
        f'<resource identifier="{name}" type="{kind}" href="{href}"><file href="{href}"/>'
        f"{needed}</resource>\n"
    )
