"""One gradient by hand: the forward numbers are there, and the way back is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from derive.exact.names import label
from derive.exact.trace import Name
from derive.gradients.op import Gradient
from derive.ops import Linear, Mix
from derive.render.blocks import (
    Cells,
    Chain,
    Equations,
    Formulas,
    Heading,
    Inline,
    Note,
    Page,
    Space,
    Text,
)
from derive.step import Step
from derive.views.words import gradient_heading
from derive.views.worksheet import MOST_LINES, Sheet, paged
from derive.views.worksheet_key import KeySheet
from derive.words import phrase, words
from derive.worksheet.blanks import Asked
from derive.worksheet.deriving import own, slope_of
from derive.worksheet.search import Variant


def gradient_page(variants: Sequence[Variant], lang: str, *, hints: bool = False) -> Page:
    """The sheets, each on a page of its own."""
    return paged([GradientSheet(v, lang, hints) for v in variants], lang)


def gradient_key_page(variants: Sequence[Variant], lang: str) -> Page:
    """And their keys."""
    return paged([GradientKey(v, lang) for v in variants], lang)


class GradientSheet(Sheet):
    """What is differentiated, the forward numbers, and boxes for the gradient."""

    @property
    def title(self) -> str:
        """What to do, and with what."""
        return str(self.say("gradient title", super().title))

    @property
    def seed(self) -> Step:
        """The gradient that the way back begins with."""
        steps = self.derivation.steps
        return next(s for s in steps if s.op is None and label(s.name).before == "d")

    @property
    def way(self) -> tuple[Step, ...]:
        """Every gradient from the end to what is asked."""
        names = own(self.derivation, self.asked)
        return tuple(s for s in self.derivation.derived if s.name in names)

    @property
    def used(self) -> dict[str, Step]:
        """The steps of the way forward that the way back goes through."""
        return {pull.step.name: pull.step for s in self.way for pull, _ in _uses(s)}

    @property
    def forward(self) -> set[str]:
        """Of them the conventions are said."""
        return set(self.used)

    def intro(self) -> Iterator[Inline]:
        """What is differentiated."""
        source = slope_of(self.seed.name)
        names = Name(source), Name(self.seed.name)
        yield self.say("of loss" if source == "loss" else "of inner", *names)

    def given(self) -> Iterator[Any]:
        """And the rules of the way forward."""
        yield from super().given()
        every = (self.derivation.step(name) for name in self.used)
        rules = tuple(Chain(Name(s.name), (("=", s.notation),)) for s in every if s.notation)
        yield Heading(str(self.say("forward")))
        yield Formulas(rules[::-1])
        between = [s for s in self.way if s.name not in self.asked]
        if self.hints and between:
            yield Heading(str(self.say("backward")))
            yield Formulas(tuple(Chain(Name(s.name), (("=", s.notation),)) for s in between))

    def step(self, step: Step) -> Iterator[Any]:
        """Boxes for its entries; with hints the rule, and why it is so."""
        one = self.asked[step.name]
        yield Heading(str(self.say("worth", self.heading(step), self.worth(one))))
        if self.hints:
            yield Text(self.reason(step))
            assert step.notation is not None
            yield Formulas((Chain(Name(step.name), (("=", step.notation),)),))
        yield Cells(Name(step.name), self.cells(one))
        yield Space(self.lines(one))

    def heading(self, step: Step) -> str:
        """What a gradient is called."""
        return gradient_heading(step.name, self.lang)

    def reason(self, step: Step) -> str:
        """Why it is what it is: a sentence for each use."""
        is_turned = self.derivation.problem.conventions.vectors == "columns"
        table, said = words(self.lang)["pullbacks"], []
        for pull, place in _uses(step):
            is_other = is_turned and isinstance(pull.op, (Linear, Mix))
            sentences = table[type(pull.op).__name__]
            said.append(sentences[min(1 - place if is_other else place, len(sentences) - 1)])
        return phrase("space", self.lang).join(dict.fromkeys(said))

    def lines(self, one: Asked) -> int:
        """Room for the steps on the way that are not asked, too."""
        between = len([s for s in self.way if s.name not in self.asked])
        rows = one.step.shape[0]
        return min(MOST_LINES, super().lines(one) + between * (rows + 1))


class GradientKey(KeySheet, GradientSheet):
    """The way back, each gradient with its rule, why it is so, and its numbers."""

    def answers(self) -> Iterator[Any]:
        """Step by step."""
        for step in self.way:
            yield Heading(self.heading(step), 3)
            yield Text(self.reason(step))
            assert step.notation is not None
            yield Formulas((Chain(Name(step.name), (("=", step.notation),)),))
            yield Equations((Chain(Name(step.name), tuple(self.sides(step))),))
            if label(step.name).base == "logits":
                yield Note(self.say("shortcut", Name("P"), step.shape[0]))


def _uses(step: Step) -> tuple[Any, ...]:
    return step.op.uses if isinstance(step.op, Gradient) else ()
