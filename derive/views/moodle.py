"""Questions for Moodle: a cloze for each variant, a numeric blank with its tolerance for each cell.

{points:NUMERICAL:=answer:tolerance#feedback~...}                 Moodle docs, "Embedded Answers"
Moodle takes one answer and an equal tolerance to either side, so each blank accepts the middle of
what is right, plus or minus half of its width and half a unit of the last place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from html import escape
from typing import Any

from derive.exact import Matrix
from derive.exact.ink import LATEX
from derive.exact.names import shown
from derive.exact.trace import Entry, Name
from derive.exact.write import Writer
from derive.views.worksheet import Sheet
from derive.words import words
from derive.worksheet.keys import Answer, Told
from derive.worksheet.search import Variant

SPECIAL = str.maketrans({c: f"&#{ord(c)};" for c in '}~#=:"\\'})
"""What has a meaning inside a blank."""
PARTIAL = 50
"""Per cent of the points that a known mistake leaves."""


def moodle(variants: Sequence[Variant], lang: str) -> str:
    """A quiz in Moodle's XML, a question for each variant."""
    body = "".join(_question(variant, lang) for variant in variants)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n{body}</quiz>\n'


def _question(variant: Variant, lang: str) -> str:
    text = "\n".join(_paragraphs(variant, lang)).replace("]]>", "]]&gt;")
    return (
        '<question type="cloze">\n'
        f"<name><text>{escape(variant.id)}</text></name>\n"
        f'<questiontext format="html"><text><![CDATA[{text}]]></text></questiontext>\n'
        "<generalfeedback><text></text></generalfeedback>\n"
        "<penalty>0</penalty>\n<hidden>0</hidden>\n"
        f"<idnumber>{escape(variant.id)}</idnumber>\n"
        "</question>\n"
    )


def _paragraphs(variant: Variant, lang: str) -> Iterator[str]:
    sheet, writer = Sheet(variant, lang), Writer(LATEX)
    yield f"<p>{escape(sheet.title)}</p>"
    for step in sheet.derivation.steps:
        if step.op is None:
            yield f"<p>{_math(writer, Name(step.name))} = {_matrix(writer, step.value)}</p>"
    yield f"<p>{escape(str(sheet.say('places', variant.plan.form.places)))}</p>"
    answers = {(a.step, a.row, a.column): a for a in variant.key.answers}
    for one in variant.candidate.asked:
        for i, j in one.places:
            entry = Entry(one.step.name, shown(one.step.name, i, j))
            blank = _blank(variant, answers[one.step.name, i, j], lang)
            yield f"<p>{_math(writer, entry)} = {blank}</p>"


def _math(writer: Writer, x: Any) -> str:
    return rf"\({escape(writer.text(x), quote=False)}\)"


def _matrix(writer: Writer, value: Matrix) -> str:
    body = r" \\ ".join(" &amp; ".join(map(writer.text, row)) for row in value.rows)
    return rf"\(\begin{{bmatrix}} {body} \end{{bmatrix}}\)"


def _blank(variant: Variant, answer: Answer, lang: str) -> str:
    """The cloze of one cell: what is right, then what known mistakes lead to."""
    places = variant.plan.form.places
    parts = [f"={_span(answer.low, answer.high, places)}"]
    for told in variant.key.told:
        for wrong in told.wrong:
            if wrong.blank == answer.blank:
                span = _span(wrong.low, wrong.high, places)
                parts.append(f"%{PARTIAL}%{span}#{_said(told, lang)}")
    return f"{{{answer.points}:NUMERICAL:{'~'.join(parts)}}}"


def _span(low: int, high: int, places: int) -> str:
    """answer:tolerance, in decimals that end."""
    middle, half = Fraction(low + high, 2), Fraction(high - low + 1, 2)
    return ":".join(_decimal(x, places) for x in (middle, half))


def _decimal(halves: Fraction, places: int) -> str:
    """So many units of the last place, halves among them."""
    n = int(halves * 10)
    text = str(abs(n)).rjust(places + 2, "0")
    return f"{'-' * (n < 0)}{text[: -places - 1]}.{text[-places - 1 :]}"


def _said(told: Told, lang: str) -> str:
    name = Writer(LATEX).text(Name(told.letter))
    said = f"\\({name}\\) {words(lang)['mistakes'][told.name]}"
    return escape(said.translate(SPECIAL), quote=False).replace("&amp;#", "&#")
