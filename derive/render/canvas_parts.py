"""What items of QTI 1.2 are made of."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from derive.render.blocks import Inline
from derive.render.quiz import Question
from derive.render.quiz_html import inline, paragraphs

SCORE = (
    '<outcomes><decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>\n'
)
EVERYTHING = '<setvar action="Set" varname="SCORE">100</setvar>'
Item = tuple[str, int]
"""An item and its points."""


def item(
    about: tuple[str, str, str, int],
    presented: str,
    judged: str,
    said: dict[str, list[Inline]],
) -> Item:
    """An item and its points; about: its name, its title, its kind, its points; said: feedback."""
    name, title, kind, points = about
    of_kind = fields({"question_type": kind, "points_possible": str(points)})
    feedback = "".join(
        f'<itemfeedback ident="{key}"><flow_mat>{material(paragraphs(every))}</flow_mat>'
        "</itemfeedback>\n"
        for key, every in said.items()
    )
    return (
        f'<item ident="{name}" title="{escape(title)}">\n'
        f"<itemmetadata>{of_kind}</itemmetadata>\n"
        f"<presentation>{presented}</presentation>\n"
        f"<resprocessing>\n{SCORE}{judged}</resprocessing>\n{feedback}</item>\n"
    ), points


def fields(entries: dict[str, str]) -> str:
    """Entries of metadata by their labels."""
    every = (
        f"<qtimetadatafield><fieldlabel>{key}</fieldlabel><fieldentry>{value}</fieldentry>"
        "</qtimetadatafield>"
        for key, value in entries.items()
    )
    return f"<qtimetadata>{''.join(every)}</qtimetadata>"


def text_of(question: Question, asked: str) -> str:
    """What a question says, and what it asks."""
    text = "\n".join([f"<p>{inline(question.title)}</p>", paragraphs(question.said), asked])
    return material(text) + "\n"


def material(text: str) -> str:
    """HTML as material."""
    return f'<material><mattext texttype="text/html">{escape(text)}</mattext></material>'


def typed_in(name: str, kind: str, about: str = "") -> str:
    """Where one line is typed in."""
    return (
        f'<response_str ident="{name}" rcardinality="Single"><render_fib{kind}>'
        f'<response_label ident="answer1"{about}/></render_fib></response_str>\n'
    )


def plain_label(name: str, text: str) -> str:
    """An answer without mathematics."""
    material = f'<material><mattext texttype="text/plain">{escape(text)}</mattext></material>'
    return f'<response_label ident="{name}">{material}</response_label>\n'


def condition(test: str, outcome: str, goes_on: str = "No") -> str:
    """What follows where a test holds, and whether the next is looked at."""
    return (
        f'<respcondition continue="{goes_on}"><conditionvar>{test}</conditionvar>{outcome}'
        "</respcondition>\n"
    )


def shown(test: str, feedback: str) -> str:
    """Feedback where a test holds; the next is looked at as well."""
    return (
        f'<respcondition continue="Yes"><conditionvar>{test}</conditionvar>'
        f'<displayfeedback feedbacktype="Response" linkrefid="{feedback}"/></respcondition>\n'
    )


def minus(numeral: str) -> str:
    """A numeral as it is read."""
    return numeral.replace("-", "\N{MINUS SIGN}")


def blank(number: int, accepted: Sequence[str], share: float) -> tuple[str, str]:
    """A blank of several in a question, and what each right text adds: a share of the points."""
    labels = "".join(plain_label(f"b{number}-{n}", text) for n, text in enumerate(accepted))
    presented = (
        f'<response_lid ident="response_b{number}"><material><mattext>b{number}</mattext>'
        f"</material><render_choice>\n{labels}</render_choice></response_lid>\n"
    )
    judged = "".join(
        condition(
            f'<varequal respident="response_b{number}">b{number}-{n}</varequal>',
            added(share),
            goes_on="Yes",
        )
        for n in range(len(accepted))
    )
    return presented, judged


def added(share: float) -> str:
    """A share of the points."""
    return f'<setvar varname="SCORE" action="Add">{100 * share:.2f}</setvar>'


def label(name: str, html: str) -> str:
    """An answer with mathematics."""
    return f'<response_label ident="{name}">{material(html)}</response_label>\n'
