"""Find the mistake: a derivation in which one step is wrong, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from derive.exact.trace import Digits, Grid, Name
from derive.render.blocks import (
    Break,
    Cells,
    Chain,
    Equations,
    Fields,
    Formulas,
    Heading,
    Inline,
    Page,
    Text,
)
from derive.step import Step
from derive.views.worksheet import Sheet
from derive.words import words
from derive.worksheet.blanks import way_to
from derive.worksheet.planted import Planted, planted
from derive.worksheet.search import Variant

POINTS = 2
"""For the step and for what is wrong there; the end put right has its own."""


def mistake_page(variants: Sequence[Variant], lang: str) -> Page:
    """The sheets, each on a page of its own."""
    return _joined([MistakeSheet(v, lang) for v in variants], lang)


def mistake_key_page(variants: Sequence[Variant], lang: str) -> Page:
    """And their keys."""
    return _joined([MistakeKey(v, lang) for v in variants], lang)


def _joined(parts: Sequence[MistakeSheet], lang: str) -> Page:
    blocks: list[Any] = []
    for part in parts:
        blocks += [Break()] if blocks else []
        blocks += part.blocks()
    return Page(parts[0].title, lang, tuple(blocks))


class MistakeSheet(Sheet):
    """A derivation with a mistake."""

    @property
    def title(self) -> str:
        """What to do, and with what."""
        return str(self.say("find title", super().title))

    @cached_property
    def planted(self) -> Planted:
        """The mistake."""
        return planted(self.variant)

    @property
    def points(self) -> int:
        """Of the whole sheet."""
        return POINTS + self.worth(self.asked[self.last.name])

    @property
    def last(self) -> Step:
        """The step at the end."""
        return self.derivation.steps[-1]

    def blocks(self) -> Iterator[Any]:
        """The sheet: everything worked out, a mistake in it, and room to say which."""
        yield Heading(self.title, 1)
        labels = [str(self.say(key)) for key in ("name", "date")]
        yield Fields((*labels, str(self.say("score", self.points))))
        yield Text(self.say("find"))
        yield Text(self.say("id", self.variant.id))
        yield from self.given()
        yield Heading(str(self.say("worked")))
        yield Formulas(tuple(map(self.value, self.steps_shown())))
        yield from self.room()

    def steps_shown(self) -> tuple[Step, ...]:
        """The steps that stand there."""
        needed = way_to(self.derivation, {self.last.name})
        return tuple(s for s in self.shown() if s.name in needed)

    def told(self) -> Inline:
        """Where the mistake is, and what it is."""
        slip = self.planted.slip
        said = words(self.lang)["mistakes"][slip.name]
        return Name(slip.letter), self.say("colon"), said, self.say("stop")

    def room(self) -> Iterator[Any]:
        """Where the answer goes."""
        yield Heading(str(self.say("answer")))
        yield Fields((str(self.say("which step")), str(self.say("what is wrong"))))
        yield Text(self.say("put right"))
        rows, columns = self.last.shape
        yield Cells(Name(self.last.name), ((None,) * columns,) * rows)

    def sides(self, step: Step, most: int = 0) -> Iterator[tuple[str, Any]]:
        """The numbers after the mistake; what it does not change in the same form."""
        changed = self.planted.changed.get(step.name)
        if changed is None:
            yield from super().sides(step, most)
            return
        is_whole = not any("." in x for row in changed for x in row)
        grid = Grid(tuple(tuple(map(Digits, row)) for row in changed))
        yield ("=" if is_whole else "~"), grid


class MistakeKey(MistakeSheet):
    """The mistake, the step as it should be, and the end."""

    @property
    def title(self) -> str:
        """That it is the key, and of what."""
        return str(self.say("key title", super().title))

    def blocks(self) -> Iterator[Any]:
        """The whole key."""
        yield Heading(self.title, 1)
        yield Text(self.say("id", self.variant.id))
        slip = self.planted.slip
        yield Text(self.told())
        yield Text(self.say("right there"))
        names = dict.fromkeys([*(s.name for s in slip.steps), self.last.name])
        yield Equations(tuple(self.right(self.derivation.step(name)) for name in names))

    def right(self, step: Step) -> Chain:
        """A step without the mistake."""
        return Chain(Name(step.name), tuple(Sheet.sides(self, step)))
