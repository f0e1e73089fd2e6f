"""Items of QTI 2.1 that are answered in words.

textEntryInteraction with a mapping of all spellings that are right, choiceInteraction,
matchInteraction with a mapping of pairs, and extendedTextInteraction, which a person marks by a
rubricBlock that only scorers see.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from derive.render.qti_parts import body_of, declared, item, outcomes, xml_inline
from derive.render.quiz import Essay, Match, Pick, Question, Quiz, Typed
from derive.render.quiz_html import identifier

MARKED = (
    '<responseCondition><responseIf><not><isNull><variable identifier="{name}"/></isNull></not>'
    '<setOutcomeValue identifier="SCORE"><sum><variable identifier="SCORE"/>'
    '<mapResponse identifier="{name}"/></sum></setOutcomeValue></responseIf></responseCondition>\n'
)
"""The points of a response by its mapping."""
Made = Iterator[tuple[str, str]]


def typed(quiz: Quiz, question: Question) -> Made:
    """All words and shapes of a sheet in one item."""
    asked = [(f"R{k}", one) for k, one in enumerate(question.typed, 1)]
    if not asked:
        return
    name = f"{identifier(question.id)}-words"
    lines = "".join(
        f"<p>{xml_inline(one.asked)} = "
        f'<textEntryInteraction responseIdentifier="{x}" expectedLength="12"/></p>\n'
        for x, one in asked
    )
    said = "".join(_spelled(x, one) for x, one in asked)
    points = sum(one.points for _, one in asked)
    yield name, _item(quiz, question, name, said, points, lines, (x for x, _ in asked))


def _spelled(name: str, one: Typed) -> str:
    entries = "".join(
        f'<mapEntry mapKey="{escape(text)}" mappedValue="{one.points}" caseSensitive="false"/>'
        for text in one.accepted
    )
    return _mapped(declared(name, "string", escape(one.accepted[0])), entries)


def picked(quiz: Quiz, question: Question) -> Made:
    """One of some answers; true or false too."""
    for one in question.picks:
        name = f"{identifier(question.id)}-{_safe(one.name)}"
        yield name, _pick(quiz, question, name, one)


def _pick(quiz: Quiz, question: Question, name: str, one: Pick) -> str:
    letters = [f"O{k}" for k in range(1, len(one.options) + 1)]
    right = letters[one.right]
    entries = f'<mapEntry mapKey="{right}" mappedValue="{one.points}"/>'
    options = "".join(
        f'<simpleChoice identifier="{x}"><span>{xml_inline(option)}</span></simpleChoice>\n'
        for x, option in zip(letters, one.options, strict=True)
    )
    asked = (
        f"<p>{xml_inline(one.asked)}</p>\n"
        '<choiceInteraction responseIdentifier="RESPONSE" shuffle="false" maxChoices="1">\n'
        f"{options}</choiceInteraction>\n"
    )
    said = _mapped(declared("RESPONSE", "identifier", right), entries)
    return _item(quiz, question, name, said, one.points, asked, ("RESPONSE",))


def matched(quiz: Quiz, question: Question) -> Made:
    """What belongs to what."""
    for one in question.matches:
        name = f"{identifier(question.id)}-{_safe(one.name)}"
        yield name, _match(quiz, question, name, one)


def _match(quiz: Quiz, question: Question, name: str, one: Match) -> str:
    pairs = [f"S{k} T{target + 1}" for k, (_, target) in enumerate(one.pairs, 1)]
    values = "".join(f"<value>{pair}</value>" for pair in pairs)
    entries = "".join(f'<mapEntry mapKey="{p}" mappedValue="{one.points}"/>' for p in pairs)
    said = (
        '<responseDeclaration identifier="RESPONSE" cardinality="multiple" baseType="directedPair">'
        f"<correctResponse>{values}</correctResponse></responseDeclaration>\n"
    )
    sources = _set(((f"S{k}", xml_inline(x)) for k, (x, _) in enumerate(one.pairs, 1)), 1)
    targets = _set(((f"T{k}", xml_inline(x)) for k, x in enumerate(one.targets, 1)), len(one.pairs))
    asked = (
        f"<p>{xml_inline(one.asked)}</p>\n"
        '<matchInteraction responseIdentifier="RESPONSE" shuffle="false" '
        f'maxAssociations="{len(pairs)}">\n{sources}{targets}</matchInteraction>\n'
    )
    points = one.points * len(pairs)
    return _item(quiz, question, name, _mapped(said, entries), points, asked, ("RESPONSE",))


def _set(choices: Iterable[tuple[str, str]], most: int) -> str:
    every = "".join(
        f'<simpleAssociableChoice identifier="{name}" matchMax="{most}"><span>{text}'
        "</span></simpleAssociableChoice>\n"
        for name, text in choices
    )
    return f"<simpleMatchSet>\n{every}</simpleMatchSet>\n"


def written(quiz: Quiz, question: Question) -> Made:
    """Words that a person marks."""
    for one in question.essays:
        name = f"{identifier(question.id)}-{_safe(one.name)}"
        yield name, _essay(quiz, question, name, one)


def _essay(quiz: Quiz, question: Question, name: str, one: Essay) -> str:
    notes = "".join(f"<p>{xml_inline(note)}</p>\n" for note in one.notes)
    said = '<responseDeclaration identifier="RESPONSE" cardinality="single" baseType="string"/>\n'
    asked = (
        f'<rubricBlock view="scorer tutor">\n{notes}</rubricBlock>\n'
        f"<p>{xml_inline(one.asked)}</p>\n"
        f'<extendedTextInteraction responseIdentifier="RESPONSE" expectedLines="{one.lines}"/>\n'
    )
    return _item(quiz, question, name, said, one.points, asked, ())


def _item(
    quiz: Quiz,
    question: Question,
    name: str,
    said: str,
    points: int,
    asked: str,
    responses: Iterable[str],
) -> str:
    """An item whose responses are marked by their mappings."""
    marked = "".join(MARKED.format(name=x) for x in responses)
    processing = f"<responseProcessing>\n{marked}</responseProcessing>\n" if marked else ""
    body = f"<itemBody>\n{body_of(question)}{asked}</itemBody>\n"
    parts = (said, outcomes(points, "single"), body, processing)
    return item(quiz, name, name.removeprefix("q-"), parts)


def _mapped(declaration: str, entries: str) -> str:
    mapping = f'</correctResponse><mapping defaultValue="0">{entries}</mapping>'
    return declaration.replace("</correctResponse>", mapping)


def _safe(name: str) -> str:
    return identifier(name).removeprefix("q-")
