"""Questions of QTI 1.2 that are answered in words, by the names that Canvas has for them.

What is typed in is a "fill in multiple blanks", whose right answers are listed; of what is matched
each pair adds its share; what is written in sentences is marked by a person.
"""

from __future__ import annotations

from collections.abc import Iterator

from derive.render.canvas_parts import (
    EVERYTHING,
    Item,
    added,
    blank,
    condition,
    item,
    label,
    material,
    plain_label,
    text_of,
    typed_in,
)
from derive.render.quiz import Essay, Match, Pick, Question, Quiz, plain
from derive.render.quiz_html import identifier, inline


def typed(_quiz: Quiz, question: Question) -> Iterator[Item]:
    """All words and shapes of a sheet in one question."""
    every = question.typed
    if not every:
        return
    points = sum(one.points for one in every)
    lines = "".join(f"<p>{inline(x.asked)} = [b{k}]</p>" for k, x in enumerate(every, 1))
    parts = [blank(k, x.accepted, x.points / points) for k, x in enumerate(every, 1)]
    about = f"{identifier(question.id)}-words", question.id, KIND_OF_BLANKS, points
    presented = text_of(question, lines) + "".join(shown for shown, _ in parts)
    yield item(about, presented, "".join(judged for _, judged in parts), {})


KIND_OF_BLANKS = "fill_in_multiple_blanks_question"


def picked(_quiz: Quiz, question: Question) -> Iterator[Item]:
    """One of some answers; true or false too."""
    for one in question.picks:
        yield _pick(question, one)


def _pick(question: Question, one: Pick) -> Item:
    kind = "true_false_question" if one.is_truth else "multiple_choice_question"
    names = [f"answer{k}" for k in range(len(one.options))]
    labels = "".join(label(n, inline(o)) for n, o in zip(names, one.options, strict=True))
    presented = (
        '<response_lid ident="response1" rcardinality="Single"><render_choice>\n'
        f"{labels}</render_choice></response_lid>\n"
    )
    right = f'<varequal respident="response1">{names[one.right]}</varequal>'
    return item(
        (_name(question, one.name), f"{question.id}-{one.name}", kind, one.points),
        text_of(question, f"<p>{inline(one.asked)}</p>") + presented,
        condition(right, EVERYTHING),
        {},
    )


def matched(_quiz: Quiz, question: Question) -> Iterator[Item]:
    """What belongs to what."""
    for one in question.matches:
        yield _match(question, one)


def _match(question: Question, one: Match) -> Item:
    labels = "".join(plain_label(f"target{k}", plain(x)) for k, x in enumerate(one.targets))
    presented, judged = "", ""
    for k, (name, target) in enumerate(one.pairs, 1):
        presented += (
            f'<response_lid ident="response_{k}">{material(inline(name))}'
            f"<render_choice>\n{labels}</render_choice></response_lid>\n"
        )
        test = f'<varequal respident="response_{k}">target{target}</varequal>'
        judged += condition(test, added(1 / len(one.pairs)), goes_on="Yes")
    points = one.points * len(one.pairs)
    return item(
        (_name(question, one.name), f"{question.id}-{one.name}", "matching_question", points),
        text_of(question, f"<p>{inline(one.asked)}</p>") + presented,
        judged,
        {},
    )


def written(_quiz: Quiz, question: Question) -> Iterator[Item]:
    """Words that a person marks; what they should hold is shown once they are handed in."""
    for one in question.essays:
        yield _essay(question, one)


def _essay(question: Question, one: Essay) -> Item:
    shown = '<displayfeedback feedbacktype="Response" linkrefid="general_fb"/>'
    return item(
        (_name(question, one.name), f"{question.id}-{one.name}", "essay_question", one.points),
        text_of(question, f"<p>{inline(one.asked)}</p>")
        + typed_in("response1", "", ' rshuffle="No"'),
        condition("<other/>", shown, goes_on="Yes") + condition("<other/>", ""),
        {"general_fb": list(one.notes)},
    )


def _name(question: Question, name: str) -> str:
    return f"{identifier(question.id)}-{identifier(name).removeprefix('q-')}"
