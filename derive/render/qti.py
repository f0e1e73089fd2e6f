"""Quizzes as packages of QTI 2.1: an assessmentItem a question, tests that hold them, a manifest.

Numbers are typed into one item, each judged by its interval, known mistakes with their share of the
points and feedback; every choice is an item of its own.  Mathematics is MathML.
(IMS Question & Test Interoperability 2.1, "Assessment Test, Section and Item Information Model"
and "Integration Guide"; IMS Content Packaging 1.1.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from derive.render.archive import archive
from derive.render.blocks import Choice, Inline
from derive.render.forms import lettered
from derive.render.qti_parts import (
    HEAD,
    INSTANCE,
    OUTCOME,
    QTI,
    SCHEMA,
    body_of,
    declared,
    item,
    outcomes,
    xml_inline,
    xml_math,
)
from derive.render.qti_words import matched, picked, typed, written
from derive.render.quiz import Numeric, Question, Quiz, Span
from derive.render.quiz_html import identifier

PACKAGE = "http://www.imsglobal.org/xsd/imscp_v1p1"
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


def qti(quiz: Quiz) -> bytes:
    """The package as a zip archive."""
    kinds = {key: dict(one for q in quiz.questions for make in made for one in make(quiz, q))
             for key, made in KINDS.items()}  # fmt: skip
    made = {name: text for items in kinds.values() for name, text in items.items()}
    tests = {f"test-{key}": tuple(items) for key, items in kinds.items() if items}
    files = {f"items/{name}.xml": text for name, text in made.items()}
    texts = {
        f"{name}.xml": _test(name, quiz.words[name.removeprefix("test-")], held)
        for name, held in tests.items()
    }
    return archive({"imsmanifest.xml": _manifest(made, tests), **texts, **files})


# --- items


def _numbers(quiz: Quiz, question: Question) -> Iterator[tuple[str, str]]:
    """One item with an entry for each number."""
    if question.asked:
        yield identifier(question.id), _entries(quiz, question)


def _choices(quiz: Quiz, question: Question) -> Iterator[tuple[str, str]]:
    for k, choice in enumerate(question.choices, 1):
        name = f"{identifier(question.id)}-choice-{k}"
        yield name, _choice(quiz, question, name, choice)


def _entries(quiz: Quiz, question: Question) -> str:
    asked = [(f"R{k}", one) for k, one in enumerate(question.asked, 1)]
    most = sum(one.points for one in question.asked)
    answers = "".join(declared(name, "float", one.key) for name, one in asked)
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
    return item(
        quiz,
        identifier(question.id),
        question.id,
        (
            answers,
            outcomes(most, "multiple"),
            f"<itemBody>\n{body_of(question)}{blanks}</itemBody>\n",
            f"<responseProcessing>\n{judged}</responseProcessing>\n",
            said,
        ),
    )


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
    right_one = declared("RESPONSE", "identifier", right).replace(
        "</correctResponse>", f'</correctResponse><mapping defaultValue="0">{entries}</mapping>'
    )
    answers = "".join(
        f'<simpleChoice identifier="{x}">{_numeral(option.numeral)}</simpleChoice>\n'
        for x, option in every
    )
    prompt = f"<prompt>{escape(quiz.words['choose'])}</prompt>\n"
    body = (
        f"<itemBody>\n{body_of(question)}<p>{xml_math(choice.first, ' = ?')}</p>\n"
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
    return item(
        quiz,
        name,
        name.removeprefix("q-"),
        (right_one, outcomes(choice.points, "single"), body, processing, said),
    )


def _modal(name: str, said: Inline) -> str:
    return (
        f'<modalFeedback outcomeIdentifier="FEEDBACK" identifier="{name}" showHide="show">'
        f"<p>{xml_inline(said)}</p></modalFeedback>\n"
    )


def _numeral(text: str) -> str:
    return text.replace("-", "\N{MINUS SIGN}")


KINDS = {
    "numbers": (_numbers,),
    "choices": (_choices, picked),
    "texts": (typed,),
    "matching": (matched,),
    "essays": (written,),
}
"""The tests of a package, each with what writes its items: their names and their texts."""


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
