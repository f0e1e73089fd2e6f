"""What changes if: a derivation as it is given, to be worked out with one thing otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from derive.derivation import Derivation
from derive.exact.ball import precision
from derive.exact.names import shown
from derive.exact.trace import Entry, Name
from derive.models import MODELS
from derive.ops import Contributions, Transpose
from derive.render.blocks import Chain, Formulas, Heading, Inline, Page, Space, Text
from derive.step import Step
from derive.views.worksheet import Sheet, paged
from derive.views.worksheet_key import KeySheet
from derive.words import phrase
from derive.worksheet.blanks import way_to
from derive.worksheet.changes import change_of
from derive.worksheet.search import Variant

LINES, POINTS = 3, 1
"""For what has stayed as it was, and why."""
MOST_PLACES = 12
"""So many entries at most are named one by one."""
BITS = 256


def change_page(variants: Sequence[Variant], lang: str, *, hints: bool = False) -> Page:
    """The sheets, each on a page of its own."""
    return paged([ChangeSheet(v, lang, hints) for v in variants], lang)


def change_key_page(variants: Sequence[Variant], lang: str) -> Page:
    """And their keys."""
    return paged([ChangeKey(v, lang) for v in variants], lang)


class ChangeSheet(Sheet):
    """The derivation as it is, and boxes for what comes of it after the change."""

    @property
    def title(self) -> str:
        """What to do, and with what."""
        return str(self.say("change title", super().title))

    @cached_property
    def before(self) -> Derivation:
        """The derivation before the change, of the same numbers."""
        base, own = self.variant.plan.before, self.derivation.problem
        assert base is not None
        return MODELS[base.model].derive(replace(base, given=own.given))

    @property
    def points(self) -> int:
        """Of the blanks, and of what has stayed."""
        return super().points + POINTS

    @property
    def agreed_of(self) -> Derivation:
        """What is given is the derivation before the change."""
        return self.before

    @property
    def change(self) -> str:
        """What is otherwise, in words."""
        base = self.variant.plan.before
        assert base is not None
        return str(self.say(f"change {change_of(base, self.derivation.problem)}"))

    @cached_property
    def way(self) -> tuple[Step, ...]:
        """What is written of the way to what is asked, before the change."""
        every = {s.name for s in self.before.steps}
        ends = {n for n in self.asked if n in every} or {self.before.steps[-1].name}
        needed = way_to(self.before, ends)
        steps = (s for s in self.before.derived if s.name in needed)
        return tuple(s for s in steps if not isinstance(s.op, (Contributions, Transpose)))

    def intro(self) -> Iterator[Inline]:
        """What is changed."""
        yield self.say("change", self.change)

    def given(self) -> Iterator[Any]:
        """And every step as it is."""
        yield from super().given()
        yield Heading(str(self.say("as it is")))
        yield Formulas(tuple(map(self.value_before, self.way)))

    def value_before(self, step: Step) -> Chain:
        """A step before the change with its rule."""
        return Before(self.variant, self.lang).value(step)

    def shown(self) -> Iterator[Step]:
        """What is asked, and nothing that the change does not leave as it was."""
        return (s for s in self.derivation.derived if s.name in self.asked)

    def steps(self, steps: Any) -> Iterator[Any]:
        """And what has stayed as it was."""
        yield from super().steps(steps)
        yield Heading(str(self.say("worth", str(self.say("what stays")), POINTS)))
        yield Space(LINES)


class Before(Sheet):
    """The same numbers before the change."""

    @cached_property
    def derivation(self) -> Derivation:
        """Its steps."""
        return ChangeSheet(self.variant, self.lang).before


class ChangeKey(KeySheet, ChangeSheet):
    """Both derivations side by side, and what is the same in them."""

    def given(self) -> Iterator[Any]:
        """Without the steps, which stand side by side below."""
        yield Text(self.say("change", self.change))
        yield from Sheet.given(self)

    def answers(self) -> Iterator[Any]:
        """Every step before and after."""
        same = [s.name for s in self.way if s.name in self.derivation and self.is_same(s.name)]
        if same:
            yield Text((self.say("stays"), *self.names(same), self.say("stop")))
        needed = way_to(self.derivation, self.asked)
        for step in self.derivation.derived:
            is_written = step.name in needed and not isinstance(step.op, (Contributions, Transpose))
            if is_written and step.name not in same:
                yield from self.beside(step)

    def beside(self, step: Step) -> Iterator[Any]:
        """A step before and after the change."""
        after = Chain(Name(step.name), tuple(self.sides(step)))
        if step.name not in self.before:
            yield Text(self.say("new step", self.heading(step)))
            yield Formulas((after,))
            return
        between = phrase("space", self.lang)
        yield Text((*self.say("before and after", Name(step.name)), between, *self.kept(step)))
        was = Before(self.variant, self.lang)
        yield Formulas(
            (Chain(Name(step.name), tuple(was.sides(self.before.step(step.name)))), after)
        )

    def kept(self, step: Step) -> Iterator[Any]:
        """The entries that have stayed, where they are few enough to be named."""
        rows, columns = step.shape
        every = [(i, j) for i in range(rows) for j in range(columns)]
        found = [p for p in every if self.stays(step.name, *p)]
        if 0 < len(found) <= MOST_PLACES:
            places = tuple(Entry(step.name, shown(step.name, i + 1, j + 1)) for i, j in found)
            yield from (self.say("entries stay"), *self.listed(places), self.say("stop"))
        elif not found:
            yield self.say("no entry stays")

    def names(self, names: Sequence[str]) -> Iterator[Any]:
        """Letters with commas between them."""
        return self.listed([Name(n) for n in names])

    def is_same(self, name: str) -> bool:
        """Whether no entry has changed."""
        rows, columns = self.derivation.step(name).shape
        return all(self.stays(name, i, j) for i in range(rows) for j in range(columns))

    def stays(self, name: str, i: int, j: int) -> bool:
        """Whether an entry is the same number, decided by algebra where balls do not tell."""
        steps = self.before.step(name), self.derivation.step(name)
        with precision(BITS):
            x, y = (step.enclosure(BITS)[i, j] for step in steps)
            if _apart(x, y):
                return False
        x, y = (step.value[i, j] for step in steps)
        return repr(x) == repr(y) or bool((x - y).is_zero)


def _apart(x: Any, y: Any) -> bool:
    """Whether two balls have no number in common; -oo is like nothing else."""
    balls = [getattr(b, "ball", b) for b in (x, y)]
    try:
        return not balls[0].overlaps(balls[1])
    except AttributeError:
        return repr(x) != repr(y)
