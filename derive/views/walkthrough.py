"""The walkthrough: a derivation as a page, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from derive.certify import Format
from derive.derivation import Derivation
from derive.exact.extent import Extent
from derive.exact.names import label
from derive.exact.trace import Name
from derive.ops import Contributions, Softmax
from derive.render.blocks import Chain, Equations, Formulas, Heading, Page, Text
from derive.step import Step
from derive.views.chapters import with_contents
from derive.views.choices import Choices
from derive.views.condensed import Condensed
from derive.views.entries import Entries, is_sum, sums
from derive.views.in_full import checked, in_full, would_be
from derive.views.letters import letters
from derive.views.measure import Measure, grid
from derive.views.results import Results
from derive.views.summary import summary
from derive.views.weights import Weights
from derive.views.words import sentence_of, step_words
from derive.words import phrase, titled

LONG = 20
"""A derivation of more steps works out one row of each, and leaves long closed forms to `eval`."""
DETAILS = ("brief", "full", "every-entry")
"""Rules and results; every step with its numbers put in; and that for every entry of any matrix."""


@dataclass(frozen=True)
class Options:
    """What a page says, apart from what is derived.

    form: how decimals are rounded; steps: the names to show, all where empty; lang: "en" or "zh";
    detail: one of DETAILS; expand: the entries to be written out in full, such as "O[1][1]".
    """

    form: Format = field(default_factory=Format)
    steps: tuple[str, ...] = ()
    lang: str = "en"
    detail: str = "full"
    expand: tuple[str, ...] = ()


def walkthrough(derivation: Derivation, options: Options) -> Page:
    """The page: title, conventions, what is given, and every step."""
    for name in options.steps:
        derivation.step(name)
    for place in options.expand:
        checked(derivation, place)
    view = _View(derivation, options)
    problem, lang = derivation.problem, options.lang
    title = titled(problem.title, lang) or phrase(problem.model, lang)
    blocks = tuple(view.blocks(title))
    if view.is_long:
        blocks = tuple(with_contents(blocks, lang))
    return Page(title, lang, blocks, derivation.names, tuple(view.undecided))


@dataclass(frozen=True)
class _View:
    derivation: Derivation
    options: Options
    undecided: list[str] = field(default_factory=list)

    @cached_property
    def measure(self) -> Measure:
        return Measure(self.derivation.names)

    @cached_property
    def entries(self) -> Entries:
        every = self.options.detail == "every-entry"
        return Entries(self.measure, self.options.form, every, self.is_terse)

    @cached_property
    def results(self) -> Results:
        o = self.options
        return Results(self.derivation, o.form, o.lang, self.measure, self.is_terse, self.undecided)

    @cached_property
    def weights(self) -> Weights:
        return Weights(self.derivation, self.options.form, self.options.lang)

    @property
    def is_long(self) -> bool:
        """Whether there are so many steps that the page needs chapters."""
        return len(self.derivation.derived) > LONG and not self.options.steps

    @property
    def is_terse(self) -> bool:
        """Whether each step has to be short."""
        return self.is_long and self.options.detail != "every-entry"

    @property
    def is_brief(self) -> bool:
        return self.options.detail == "brief"

    def say(self, key: str, *values: object) -> str:
        return phrase(key, self.options.lang, *values)

    def blocks(self, title: str) -> Iterator[Any]:
        yield Heading(title, 1)
        if not self.options.steps:
            yield from Choices(self.derivation, self.options.form, self.options.lang).blocks()
        yield from self.given()
        if self.is_terse:
            yield from self.condensed.blocks(self.named())
        else:
            yield from self.steps()
        yield from self.in_full()
        if not self.options.steps:
            yield from summary(self.derivation, self.options.lang, self.is_terse)

    @property
    def condensed(self) -> Condensed:
        o = self.options
        return Condensed(
            self.derivation, self.results, self.entries, self.weights, o.lang, self.is_brief
        )

    def steps(self) -> Iterator[Any]:
        steps = [s for s in self.derivation.derived if self.is_shown(s)]
        first = next((s for s in steps if label(s.name).base in ("exp", "A", "C", "O")), None)
        for step in steps:
            yield from self.step(step, names=step is first)

    def is_shown(self, step: Step) -> bool:
        return not self.options.steps or step.name in self.options.steps

    # --- before the steps

    def given(self) -> Iterator[Any]:
        problem = self.derivation.problem
        steps = [s for s in self.derivation.steps if s.op is None and self.is_shown(s)]
        if not steps:
            return
        yield Heading(self.say("given"))
        if problem.tokens:
            yield Text(self.say("tokens", self.say("comma").join(problem.tokens)))
        fitting = [s for s in steps if self.measure.fits(s.value)]
        if fitting:
            yield Formulas(tuple(Chain(Name(s.name), (("=", grid(s.value)),)) for s in fitting))
        for step in (step for step in steps if step not in fitting):
            parts = tuple(self.results.parts(step, grid(step.value), "="))
            yield from parts or (self.results.too_wide(step),)

    def named(self) -> Iterator[Any]:
        """What the letters t, Z_1 ... stand for, before they are first used."""
        if found := tuple(letters(self.derivation, self.options.lang)):
            yield Text(found)

    # --- after the steps

    def in_full(self) -> Iterator[Any]:
        """The entries that are to be written out."""
        if self.options.expand:
            yield Heading(self.say("in full"))
            yield from self.named()
        for place in self.options.expand:
            yield from in_full(self.derivation, place, self.options.form, self.options.lang)

    # --- a step

    def step(self, step: Step, names: bool) -> Iterator[Any]:
        """Heading, sentence, rules, worked entries, the result, and what is said of weights."""
        vectors = self.derivation.problem.conventions.vectors
        yield Heading(step_words(step.name, type(step.op).__name__, self.options.lang, vectors)[0])
        yield Text(sentence_of(step, self.options.lang, vectors))
        yield Formulas(tuple(self.results.rules(step)))
        if names:
            yield from self.named()
        yield from self.worked(step)
        if isinstance(step.op, Softmax) and not self.is_brief:
            yield from self.weights.blocks(step)
            yield from self.weights.by_hand(step)

    def worked(self, step: Step) -> Iterator[Any]:
        """Its entries one by one, as far as they are shown, and the whole matrix."""
        worked = () if self.is_brief else tuple(self.entries.worked(step))
        if worked:
            rows = sums(step)[0] if is_sum(step) else len(step.value.rows)
            if rows > 1 and len(worked) < (rows if is_sum(step) else rows * step.shape[1]):
                yield Text(self.say("first row"))
            yield Equations(worked, 1 if isinstance(step.op, Contributions) else step.shape[1])
        if not isinstance(step.op, Contributions):
            every = len(worked) == step.shape[0] * step.shape[1]
            yield from self.results.result(step, is_listed=every)
        yield from would_be(step, Extent(), self.options.lang)
