r"""Quizzes as packages of QTI 1.2, as Canvas, Blackboard and Brightspace import them.

Three quizzes: numbers one by one, each with the ends of its interval (vargte, varlte); the same
with all blanks of a sheet in one question, every accepted numeral listed; multiple choice.
Mathematics stands between \( and \).  (IMS Question & Test Interoperability 1.2, "ASI Best Practice
Guide"; the fields of itemmetadata are those that Canvas writes itself.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from derive.render.archive import archive
from derive.render.blocks import Choice, Inline
from derive.render.forms import lettered
from derive.render.quiz import Numeric, Question, Quiz
from derive.render.quiz_html import identifier, inline, math, paragraphs

ASI = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
CANVAS = "http://canvas.instructure.com/xsd/cccv1p0"
PACKAGE = "http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1"
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
SCORE = (
    '<outcomes><decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>\n'
)
EVERYTHING = '<setvar action="Set" varname="SCORE">100</setvar>'


def canvas(quiz: Quiz) -> bytes:
    """The package as a zip archive."""
    kinds = (("numbers", _numbers), ("blanks", _blanks), ("choices", _choices))
    files: dict[str, str | bytes] = {}
    for key, written in kinds:
        items = [item for question in quiz.questions for item in written(quiz, question)]
        if items:
            title, points = f"{quiz.title}: {quiz.words[key]}", sum(p for _, p in items)
            files[f"{key}/{key}.xml"] = _assessment(key, title, [text for text, _ in items])
            files[f"{key}/assessment_meta.xml"] = _meta(key, title, points)
    keys = [key for key, _ in kinds if f"{key}/{key}.xml" in files]
    return archive({"imsmanifest.xml": _manifest(keys), **files})


Item = tuple[str, int]
"""An item and its points."""


def _numbers(quiz: Quiz, question: Question) -> Iterator[Item]:
    for k, one in enumerate(question.asked, 1):
        name = f"{identifier(question.id)}-number-{k}"
        asked = f"<p>{_filled(quiz, one)}</p>"
        presented = _typed("response1", ' fibtype="Decimal"')
        right = (
            f'<or><varequal respident="response1">{one.key}</varequal><and>'
            f'<vargte respident="response1">{one.right.low}</vargte>'
            f'<varlte respident="response1">{one.right.high}</varlte></and></or>'
        )
        wrong = {"general_incorrect_fb": [said for _, said in one.wrong]} if one.wrong else {}
        conditions = _shown("<other/>", "general_incorrect_fb") * bool(one.wrong)
        yield _item(
            (name, f"{question.id}-{k}", "numerical_question", one.points),
            _text(question, asked) + presented,
            _condition(right, EVERYTHING) + conditions,
            wrong,
        )


def _blanks(quiz: Quiz, question: Question) -> Iterator[Item]:
    """Each accepted numeral is written out, since these blanks hold texts."""
    if not question.asked or not all(one.accepted for one in question.asked):
        return
    lists = [list(numerals(one.accepted)) for one in question.asked]
    points = sum(one.points for one in question.asked)
    name = f"{identifier(question.id)}-blanks"
    lines = "".join(f"<p>{math(x.first)} = [b{k}]</p>" for k, x in enumerate(question.asked, 1))
    presented, judged = "", ""
    for k, accepted in enumerate(lists, 1):
        labels = "".join(_label(f"b{k}-{n}", text) for n, text in enumerate(accepted))
        presented += (
            f'<response_lid ident="response_b{k}"><material><mattext>b{k}</mattext></material>'
            f"<render_choice>\n{labels}</render_choice></response_lid>\n"
        )
        share = f"{100 * question.asked[k - 1].points / points:.2f}"
        judged += "".join(
            _condition(
                f'<varequal respident="response_b{k}">b{k}-{n}</varequal>',
                f'<setvar varname="SCORE" action="Add">{share}</setvar>',
                goes_on="Yes",
            )
            for n in range(len(accepted))
        )
    kind = "fill_in_multiple_blanks_question"
    yield _item((name, question.id, kind, points), _text(question, lines) + presented, judged, {})


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
        labels = "".join(_label(x, _minus(o.numeral)) for x, o in lettered(choice))
        presented = (
            '<response_lid ident="response1" rcardinality="Single"><render_choice>\n'
            f"{labels}</render_choice></response_lid>\n"
        )
        yield _item(
            (name, f"{question.id}-{k}", "multiple_choice_question", choice.points),
            _text(question, asked) + presented,
            "".join(_chosen(choice)),
            {f"{x}_fb": [option.said] for x, option in lettered(choice)},
        )


def _chosen(choice: Choice) -> Iterator[str]:
    every = [(f'<varequal respident="response1">{x}</varequal>', x, o) for x, o in lettered(choice)]
    yield from (_shown(test, f"{x}_fb") for test, x, _ in every)
    yield from (_condition(test, EVERYTHING) for test, _, option in every if option.share == 100)


# --- parts of an item


def _item(
    about: tuple[str, str, str, int],
    presented: str,
    judged: str,
    said: dict[str, list[Inline]],
) -> Item:
    name, title, kind, points = about
    fields = {"question_type": kind, "points_possible": str(points)}
    feedback = "".join(
        f'<itemfeedback ident="{key}"><flow_mat>{_material(paragraphs(every))}</flow_mat>'
        "</itemfeedback>\n"
        for key, every in said.items()
    )
    return (
        f'<item ident="{name}" title="{escape(title)}">\n'
        f"<itemmetadata>{_fields(fields)}</itemmetadata>\n"
        f"<presentation>{presented}</presentation>\n"
        f"<resprocessing>\n{SCORE}{judged}</resprocessing>\n{feedback}</item>\n"
    ), points


def _fields(fields: dict[str, str]) -> str:
    every = (
        f"<qtimetadatafield><fieldlabel>{key}</fieldlabel><fieldentry>{value}</fieldentry>"
        "</qtimetadatafield>"
        for key, value in fields.items()
    )
    return f"<qtimetadata>{''.join(every)}</qtimetadata>"


def _text(question: Question, asked: str) -> str:
    text = "\n".join([f"<p>{inline(question.title)}</p>", paragraphs(question.said), asked])
    return _material(text) + "\n"


def _material(text: str) -> str:
    return f'<material><mattext texttype="text/html">{escape(text)}</mattext></material>'


def _filled(quiz: Quiz, one: Numeric) -> str:
    before, _, after = quiz.words["fill in"].partition("{0}")
    return f"{inline(before)}{math(one.first)}{inline(after)}"


def _typed(name: str, kind: str) -> str:
    return (
        f'<response_str ident="{name}" rcardinality="Single"><render_fib{kind}>'
        '<response_label ident="answer1"/></render_fib></response_str>\n'
    )


def _label(name: str, text: str) -> str:
    material = f'<material><mattext texttype="text/plain">{escape(text)}</mattext></material>'
    return f'<response_label ident="{name}">{material}</response_label>\n'


def _condition(test: str, outcome: str, goes_on: str = "No") -> str:
    return (
        f'<respcondition continue="{goes_on}"><conditionvar>{test}</conditionvar>{outcome}'
        "</respcondition>\n"
    )


def _shown(test: str, feedback: str) -> str:
    return (
        f'<respcondition continue="Yes"><conditionvar>{test}</conditionvar>'
        f'<displayfeedback feedbacktype="Response" linkrefid="{feedback}"/></respcondition>\n'
    )


def _minus(numeral: str) -> str:
    return numeral.replace("-", "\N{MINUS SIGN}")


# --- the package


def _assessment(key: str, title: str, items: Sequence[str]) -> str:
    return (
        f'{HEAD}<questestinterop xmlns="{ASI}">\n'
        f'<assessment ident="{key}" title="{escape(title)}">\n'
        f"{_fields({'cc_maxattempts': '1'})}\n"
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
