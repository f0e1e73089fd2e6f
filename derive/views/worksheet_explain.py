"""Explain the step: its formula and its numbers are there, and its name and reason are asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from derive.exact.trace import Name
from derive.render.blocks import Chain, Fields, Formulas, Heading, Inline, Page, Space, Text
from derive.step import Step
from derive.views.words import operation_of, sentence_of, step_words
from derive.views.worksheet import Sheet, paged
from derive.worksheet.search import Variant

POINTS = 2
"""Of a step: one for its name, one for the reason."""
LINES = 2


def explain_page(variants: Sequence[Variant], lang: str) -> Page:
    """The sheets, each on a page of its own."""
    return paged([ExplainSheet(v, lang) for v in variants], lang)


def explain_key_page(variants: Sequence[Variant], lang: str) -> Page:
    """And their keys."""
    return paged([ExplainKey(v, lang) for v in variants], lang)


class ExplainSheet(Sheet):
    """Every step worked out, without a word."""

    @property
    def title(self) -> str:
        """What to do, and with what."""
        return str(self.say("explain title", super().title))

    @property
    def points(self) -> int:
        """Of all steps."""
        return POINTS * len(self.asked)

    def blocks(self) -> Iterator[Any]:
        """The sheet: a step, and room to name and explain it."""
        yield Heading(self.title, 1)
        labels = [str(self.say(key)) for key in ("name", "date")]
        yield Fields((*labels, str(self.say("score", self.points))))
        yield Text(self.say("explain"))
        yield Text(self.say("id", self.variant.id))
        yield from self.given()
        for k, one in enumerate(self.asked.values(), 1):
            yield Heading(str(self.say("step", k)))
            yield Formulas((self.value(one.step),))
            yield from self.room()

    def room(self) -> Iterator[Any]:
        """Where the answer goes."""
        yield Fields((str(self.say("operation")),))
        yield Fields((str(self.say("why")),))
        yield Space(LINES)


class ExplainKey(ExplainSheet):
    """The name of each step, what it does, and why."""

    @property
    def title(self) -> str:
        """That it is the key, and of what."""
        return str(self.say("key title", super().title))

    def blocks(self) -> Iterator[Any]:
        """The whole key."""
        yield Heading(self.title, 1)
        yield Text(self.say("id", self.variant.id))
        yield Text(self.say("explain marks"))
        for k, one in enumerate(self.asked.values(), 1):
            yield from self.explained(k, one.step)

    def explained(self, k: int, step: Step) -> Iterator[Any]:
        """A step in words."""
        assert step.notation is not None
        yield Heading(str(self.say("step", k)))
        yield Formulas((Chain(Name(step.name), (("=", step.notation),)),))
        yield from map(Text, self.notes(step))

    def notes(self, step: Step) -> Iterator[Inline]:
        """What a step is called, what it does, and why."""
        vectors = self.derivation.problem.conventions.vectors
        heading = step_words(step.name, type(step.op).__name__, self.lang, vectors)[0]
        name, does = operation_of(step, self.lang)
        is_same = heading == name
        named = (heading,) if is_same else (heading, name)
        key = "operation alone" if is_same else "operation is"
        yield self.say(key, *named, does)
        why = sentence_of(step, self.lang, vectors)
        if why != does:
            yield self.say("why is", why)
