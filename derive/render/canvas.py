r"""Quizzes as packages of QTI 1.2, as Canvas, Blackboard and Brightspace import them.

Numbers one by one, each with the ends of its interval (vargte, varlte); the same with all blanks of
a sheet in one question, every accepted numeral listed; multiple choice; and what is answered in
words.
Mathematics stands between \( and \).  (IMS Question & Test Interoperability 1.2, "ASI Best Practice
Guide"; the fields of itemmetadata are those that Canvas writes itself.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from derive.render.archive import archive
from derive.render.blocks import Choice
from derive.render.canvas_parts import (
    EVERYTHING,
    Item,
    blank,
    condition,
    fields,
    item,
    minus,
    plain_label,
    shown,
    text_of,
    typed_in,
)
from derive.render.canvas_words import KIND_OF_BLANKS, matched, picked, typed, written
from derive.render.forms import lettered
from derive.render.quiz import Numeric, Question, Quiz
from derive.render.quiz_html import identifier, inline, math

ASI = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
CANVAS = "http://canvas.instructure.com/xsd/cccv1p0"
PACKAGE = "http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1"
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def canvas(quiz: Quiz) -> bytes:
    """The package as a zip archive."""
    files: dict[str, str | bytes] = {}
    for key, made in KINDS.items():
        items = [one for q in quiz.questions for make in made for one in make(quiz, q)]
        if items:
            title, points = f"{quiz.title}: {quiz.words[key]}", sum(p for _, p in items)
            files[f"{key}/{key}.xml"] = _assessment(key, title, [text for text, _ in items])
            files[f"{key}/assessment_meta.xml"] = _meta(key, title, points)
    keys = [key for key in KINDS if f"{key}/{key}.xml" in files]
    return archive({"imsmanifest.xml": _manifest(keys), **files})


def _numbers(quiz: Quiz, question: Question) -> Iterator[Item]:
    for k, one in enumerate(question.asked, 1):
        name = f"{identifier(question.id)}-number-{k}"
        asked = f"<p>{_filled(quiz, one)}</p>"
        presented = typed_in("response1", ' fibtype="Decimal"')
        right = (
            f'<or><varequal respident="response1">{one.key}</varequal><and>'
            f'<vargte respident="response1">{one.right.low}</vargte>'
            f'<varlte respident="response1">{one.right.high}</varlte></and></or>'
        )
        wrong = {"general_incorrect_fb": [said for _, said in one.wrong]} if one.wrong else {}
        conditions = shown("<other/>", "general_incorrect_fb") * bool(one.wrong)
        yield item(
            (name, f"{question.id}-{k}", "numerical_question", one.points),
            text_of(question, asked) + presented,
            condition(right, EVERYTHING) + conditions,
            wrong,
        )


def _blanks(quiz: Quiz, question: Question) -> Iterator[Item]:
    """Each accepted numeral is written out, since these blanks hold texts."""
    if not question.asked or not all(one.accepted for one in question.asked):
        return
    points = sum(one.points for one in question.asked)
    name = f"{identifier(question.id)}-blanks"
    lines = "".join(f"<p>{math(x.first)} = [b{k}]</p>" for k, x in enumerate(question.asked, 1))
    parts = [
        blank(k, list(numerals(one.accepted)), one.points / points)
        for k, one in enumerate(question.asked, 1)
    ]
    presented, judged = ("".join(part) for part in zip(*parts, strict=True))
    yield item(
        (name, question.id, KIND_OF_BLANKS, points),
        text_of(question, lines) + presented,
        judged,
        {},
    )


def numerals(decimals: Iterable[str]) -> Iterator[str]:
    """The numerals, each also without the zeros at its end.

    >>> list(numerals(["0.499", "0.500"]))
    ['0.499', '0.500', '0.5']
    """
    for text in decimals:
        yield text
        if "." in text and text.endswith("0"):
            yield text.rstrip("0").rstrip(".")


def _choices(quiz: Quiz, question: Question) -> Iterator[Item]:
    for k, choice in enumerate(question.choices, 1):
        name = f"{identifier(question.id)}-choice-{k}"
        asked = f"<p>{escape(quiz.words['choose'], quote=False)} {math(choice.first)} = ?</p>"
        labels = "".join(plain_label(x, minus(o.numeral)) for x, o in lettered(choice))
        presented = (
            '<response_lid ident="response1" rcardinality="Single"><render_choice>\n'
            f"{labels}</render_choice></response_lid>\n"
        )
        yield item(
            (name, f"{question.id}-{k}", "multiple_choice_question", choice.points),
            text_of(question, asked) + presented,
            "".join(_chosen(choice)),
            {f"{x}_fb": [option.said] for x, option in lettered(choice)},
        )


def _chosen(choice: Choice) -> Iterator[str]:
    every = [(f'<varequal respident="response1">{x}</varequal>', x, o) for x, o in lettered(choice)]
    yield from (shown(test, f"{x}_fb") for test, x, _ in every)
    yield from (condition(test, EVERYTHING) for test, _, option in every if option.share == 100)


def _filled(quiz: Quiz, one: Numeric) -> str:
    before, _, after = quiz.words["fill in"].partition("{0}")
    return f"{inline(before)}{math(one.first)}{inline(after)}"


KINDS = {
    "numbers": (_numbers,),
    "blanks": (_blanks,),
    "choices": (_choices, picked),
    "texts": (typed,),
    "matching": (matched,),
    "essays": (written,),
}
"""The quizzes of a package, each with what writes its items."""


# --- the package


def _assessment(key: str, title: str, items: Sequence[str]) -> str:
    return (
        f'{HEAD}<questestinterop xmlns="{ASI}">\n'
        f'<assessment ident="{key}" title="{escape(title)}">\n'
        f"{fields({'cc_maxattempts': '1'})}\n"
        f'<section ident="root_section">\n{"".join(items)}</section>\n'
        "</assessment>\n</questestinterop>\n"
    )


def _meta(key: str, title: str, points: int) -> str:
    return (
        f'{HEAD}<quiz xmlns="{CANVAS}" identifier="{key}">\n<title>{escape(title)}</title>\n'
        "<description></description>\n<shuffle_answers>false</shuffle_answers>\n"
        "<scoring_policy>keep_highest</scoring_policy>\n<quiz_type>assignment</quiz_type>\n"
        f"<points_possible>{points}</points_possible>\n</quiz>\n"
    )


def _manifest(keys: Iterable[str]) -> str:
    kind = "associatedcontent/imscc_xmlv1p1/learning-application-resource"
    resources = "".join(
        f'<resource identifier="{key}" type="imsqti_xmlv1p2"><file href="{key}/{key}.xml"/>'
        f'<dependency identifierref="{key}-meta"/></resource>\n'
        f'<resource identifier="{key}-meta" type="{kind}" href="{key}/assessment_meta.xml">'
        f'<file href="{key}/assessment_meta.xml"/></resource>\n'
        for key in keys
    )
    return (
        f'{HEAD}<manifest xmlns="{PACKAGE}" identifier="manifest">\n'
        "<metadata><schema>IMS Content</schema><schemaversion>1.1.3</schemaversion></metadata>\n"
        f"<organizations/>\n<resources>\n{resources}</resources>\n</manifest>\n"
    )
