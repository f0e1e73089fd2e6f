"""Exercises in words as notebooks: answers to be typed as text, and their tests; reasons in cells
of text that a person marks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from derive.exact.names import identifier_step
from derive.render.blocks import Heading, Inline, Page, Text
from derive.render.quiz import Code, Essay, Match, Numeric, Pick, Question, Quiz, Typed, plain
from derive.views.sentences import sentence

MARKS = "abcdefghijklmnopqrstuvwxyz"
PLAIN = (
    "def same(given, right):",
    "    def letters(text):",
    '        return "".join(str(text).casefold().split())',
    "    return letters(given) in map(letters, right)",
)
"""Whether a text is one of those that are right, whatever its spaces and capitals."""


def worded_exam(quiz: Quiz) -> Iterator[Page | Code]:
    """The cells of every question."""
    for question in quiz.questions:
        yield from _Worded(question, quiz.lang).cells()


class _Worded:
    """One question in cells."""

    def __init__(self, question: Question, lang: str) -> None:
        self.question, self.lang = question, lang

    def cells(self) -> Iterator[Page | Code]:
        """What is said, then each blank with its tests."""
        one = self.question
        yield self.text(Heading(one.title, 1), *map(Text, one.said))
        yield Code(f"{one.id}-same", "given", PLAIN)
        for typed in one.typed:
            yield from self.typed(typed)
        for pick in one.picks:
            yield from self.truth(pick) if pick.is_truth else self.picked(pick)
        for match in one.matches:
            yield from self.matched(match)
        for number in one.asked:
            yield from self.number(number)
        for essay in one.essays:
            yield from self.essay(essay)

    def text(self, *blocks: Any) -> Page:
        """Blocks as a cell."""
        return Page(self.question.title, self.lang, blocks)

    def say(self, key: str, *values: Any) -> str:
        """A sentence of the worksheets."""
        return str(sentence("worksheet", key, self.lang, *values))

    def typed(self, one: Typed) -> Iterator[Page | Code]:
        """A text."""
        yield self.text(Text(one.asked))
        yield from self.cell(one.name, repr(one.accepted[0]), list(one.accepted), one.points)

    def picked(self, one: Pick) -> Iterator[Page | Code]:
        """The letter of an answer."""
        yield self.text(Text(one.asked), *_lettered(MARKS, one.options))
        right = MARKS[one.right]
        yield from self.cell(one.name, repr(right), [right], one.points)

    def truth(self, one: Pick) -> Iterator[Page | Code]:
        """True or False."""
        yield self.text(Text(one.asked))
        right = str(one.right == 0)
        yield from self.cell(f"statement_{one.name}", right, [right], one.points)

    def matched(self, one: Match) -> Iterator[Page | Code]:
        """The mark of what belongs to each name."""
        yield self.text(Text(one.asked), *_lettered(one.marks, one.targets))
        for key, (_, target) in zip(one.keys, one.pairs, strict=True):
            right = one.marks[target]
            yield from self.cell(f"{key}.{one.name}", repr(right), [right], one.points)

    def number(self, one: Numeric) -> Iterator[Page | Code]:
        """A number that lies between two ends."""
        name = "_".join((_variable(one.first.step), *map(str, one.first.indices)))
        test = f"{one.right.low} <= float({name}) <= {one.right.high}"
        yield from self.tested(name, one.key, test, one.points)

    def essay(self, one: Essay) -> Iterator[Page | Code]:
        """A cell of text."""
        yield self.text(Text(one.asked))
        notes = tuple(map(plain, one.notes))
        name = f"{self.question.id}-{_variable(one.name)}"
        yield Code(name, "essay", (), notes, one.points)

    def cell(self, name: str, right: str, accepted: list[str], points: int) -> Iterator[Code]:
        """name = right, and its test."""
        variable = _variable(name)
        yield from self.tested(variable, right, f"same({variable}, {accepted!r})", points)

    def tested(self, name: str, right: str, test: str, points: int) -> Iterator[Code]:
        """A variable to be set, and what has to hold of it."""
        asked = self.say("worth", name, str(points))
        full = f"{self.question.id}-{name}"
        note = f" ({self.say('as text')})" if right[:1] in "'\"" else ""
        yield Code(full, "solution", (f"# {name} = ...{note}",), (f"{name} = {right}",))
        yield Code(f"{full}-test", "tests", (f"# {asked}",), (f"assert {test}, {name}",), points)


def _lettered(marks: Sequence[str], options: Sequence[Inline]) -> Iterator[Text]:
    for mark, option in zip(marks, options, strict=False):
        parts = (option,) if isinstance(option, str) else option
        yield Text((f"({mark}) ", *parts))


def _variable(blank: str) -> str:
    """A name of Python: Q_numbers."""
    step, dot, cell = blank.partition(".")
    return identifier_step(step) + dot.replace(".", "_") + cell
