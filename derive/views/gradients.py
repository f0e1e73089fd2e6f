"""The page of a reverse sweep: what is differentiated, what the steps bring back, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from derive.certify import Format
from derive.derivation import Derivation
from derive.exact import Scalar
from derive.exact.names import gradient_name
from derive.exact.trace import Name
from derive.gradients import Sweep
from derive.gradients.facts import facts
from derive.gradients.index import local
from derive.gradients.op import Gradient, Pull
from derive.ops import Linear, Mix
from derive.places import parse_place
from derive.render.blocks import Chain, Equations, Formulas, Heading, Note, Page, Text
from derive.step import Step
from derive.views.chapters import with_contents
from derive.views.choices import Choices
from derive.views.data import data
from derive.views.entries import Entries
from derive.views.flow import flowing
from derive.views.in_full import checked, in_full
from derive.views.letters import letters
from derive.views.measure import Measure, grid
from derive.views.results import Results, bare
from derive.views.words import gradient_heading
from derive.words import phrase, titled, words

LONG = 16
"""A sweep of more steps works out one entry of each, and leaves long closed forms away."""
VIEWS = ("matrix", "index", "entries")
"""In matrix notation, in indices with sums and deltas, and entry by entry with its numbers."""


@dataclass(frozen=True)
class GradientOptions:
    """What the page says: views is some of VIEWS, all where empty; the rest as in a walkthrough.

    expand: entries to be written out in full, such as "dW_Q[1][1]".
    """

    form: Format = field(default_factory=Format)
    lang: str = "en"
    detail: str = "full"
    views: tuple[str, ...] = ()
    expand: tuple[str, ...] = ()


def gradients_page(sweep: Sweep, options: GradientOptions) -> Page:
    """The page: what is given, the forward values, the number, and its gradients step by step."""
    for place in options.expand:
        checked(sweep.derivation, place)
    view = _View(sweep, options)
    problem = sweep.derivation.problem
    own = titled(problem.title, options.lang) or phrase(problem.model, options.lang)
    title = phrase("gradient title", options.lang, view.spoken, own)
    blocks = tuple(view.blocks(title))
    if view.is_long:
        blocks = tuple(with_contents(blocks, options.lang))
    return Page(title, options.lang, blocks, sweep.derivation.names, tuple(view.undecided))


def gradients_data(sweep: Sweep, form: Format, lang: str) -> dict[str, Any]:
    """What is differentiated, by what, and the gradient steps as plain data."""
    steps = tuple(s.name for s in sweep.derivation.steps[len(sweep.forward.steps) :])
    found = data(sweep.derivation, form, lang, steps)
    return {"of": sweep.of, "wrt": list(sweep.wrt), **found}


@dataclass(frozen=True)
class _View:
    sweep: Sweep
    options: GradientOptions
    undecided: list[str] = field(default_factory=list)
    _told: set[tuple[str, int]] = field(default_factory=set)
    _reasons: set[str] = field(default_factory=set)

    # --- what the page is made with

    @property
    def derivation(self) -> Derivation:
        return self.sweep.derivation

    @cached_property
    def backward(self) -> tuple[Step, ...]:
        """The gradient steps, from the last to the first."""
        return self.derivation.steps[len(self.sweep.forward.steps) :]

    @property
    def is_long(self) -> bool:
        return len(self.backward) > LONG

    @property
    def is_terse(self) -> bool:
        return self.is_long and self.options.detail != "every-entry"

    @cached_property
    def measure(self) -> Measure:
        return Measure(self.derivation.names)

    @cached_property
    def results(self) -> Results:
        o = self.options
        return Results(self.derivation, o.form, o.lang, self.measure, self.is_terse, self.undecided)

    @cached_property
    def entries(self) -> Entries:
        every = self.options.detail == "every-entry"
        return Entries(self.measure, self.options.form, every, self.is_terse)

    def say(self, key: str, *values: object) -> str:
        return phrase(key, self.options.lang, *values)

    def shows(self, view: str) -> bool:
        return not self.options.views or view in self.options.views

    @property
    def spoken(self) -> str:
        """What is differentiated, in words."""
        return self.say("the loss") if self.sweep.of == "loss" else self.sweep.of

    # --- the page

    def blocks(self, title: str) -> Iterator[Any]:
        yield Heading(title, 1)
        yield Text(self.say("gradient layout"))
        yield from Choices(self.sweep.forward, self.options.form, self.options.lang).blocks()
        yield from self.given()
        yield from self.forward()
        yield Heading(self.say("backward"))
        yield Text(self.say("backward why"))
        for step in self.backward:
            yield from self.step(step)
        yield from self.summary()
        yield from self.in_full()

    def given(self) -> Iterator[Any]:
        steps = [s for s in self.sweep.forward.steps if s.op is None]
        yield Heading(self.say("given"))
        yield from flowing(self.measure, [_alone(Name(s.name), grid(s.value)) for s in steps])

    def forward(self) -> Iterator[Any]:
        """The values that the sweep needs, and the number that is differentiated."""
        needed = {x.name for s in self.backward for x in s.inputs} | {self.sweep.source}
        steps = [s for s in self.sweep.forward.derived if s.name in needed]
        yield Heading(self.say("forward"))
        yield Text((self.say("forward why"), *letters(self.derivation, self.options.lang)))
        yield from flowing(
            self.measure, [b for s in steps for b in self.results.result(s, is_listed=False)]
        )
        yield from self.number()

    def number(self) -> Iterator[Any]:
        """What is differentiated, and its value where it is an entry."""
        of, source = self.sweep.of, self.sweep.source
        if of.startswith("<"):
            yield Text((self.say("inner"), Name(source), self.say("inner G")))
            return
        name, i, j = parse_place(of) if "[" in of else (source, 1, 1)
        step = self.sweep.forward.step(name)
        yield Text((self.say("one entry"), step.entries[i - 1, j - 1], self.say("stop")))

    def step(self, step: Step) -> Iterator[Any]:
        """One gradient: where it comes from, its rule in each view, and its value."""
        yield Heading(gradient_heading(step.name, self.options.lang), 3, runs_in=self.is_terse)
        if not isinstance(step.op, Gradient):
            yield from self.begun(step)
            return
        reason = self.reason(step.op)
        is_told = self.is_terse and reason in self._reasons
        self._reasons.add(reason)
        rules = self.rules(step, step.op)
        yield Text((rules[0],) if is_told and rules else reason)
        worked, rest = self.worked(step)
        found: list[Any] = [Formulas(rules)] if rules and not is_told else []
        found += self.locally(step.op)
        found += [Equations(worked, step.shape[1])] if worked else []
        found += [Text(self.say("rest zero"))] if rest and not self.is_terse else []
        is_listed = not rest and len(worked) == len(list(step.value))
        found += self.results.result(step, is_listed=is_listed)
        yield from flowing(self.measure, found) if self.is_terse else iter(found)
        for fact in facts(step):
            yield Note(self.say(f"fact {fact}"))

    def worked(self, step: Step) -> tuple[tuple[Chain, ...], bool]:
        """The entries worked out, and whether those that come to 0 are left away."""
        if not self.shows("entries") or self.is_brief:
            return (), False
        every = tuple(self.entries.worked(step))
        if self.options.detail == "every-entry":
            return every, False
        kept = tuple(chain for chain in every if not _comes_to_zero(chain))
        return (kept, len(kept) < len(every)) if kept else ((), False)

    @property
    def is_brief(self) -> bool:
        return self.options.detail == "brief"

    def begun(self, step: Step) -> Iterator[Any]:
        """The gradient that the sweep starts from, or of what the number does not depend on."""
        is_start = step.name == gradient_name(self.sweep.source)
        yield Text(self.say("seed" if is_start else "independent"))
        yield Equations((Chain(Name(step.name), (("=", bare(step, grid(step.value))),)),))

    def reason(self, op: Gradient) -> str:
        """Why the gradient is what it is: a sentence for each use, or for their sum."""
        table = words(self.options.lang)["pullbacks"]
        said = (
            _sentence(table[type(pull.op).__name__], self.role(pull, place))
            for pull, place in op.uses
        )
        kept = list(dict.fromkeys(said))
        if len(op.uses) > 1:
            kept.insert(0, self.say("added up", len(op.uses)))
        return self.say("space").join(kept)

    def role(self, pull: Pull, place: int) -> int:
        """Which input it would be of vectors as rows: as columns, weights stand at the left."""
        turned = self.derivation.problem.conventions.vectors == "columns"
        return 1 - place if turned and isinstance(pull.op, (Linear, Mix)) else place

    def rules(self, step: Step, op: Gradient) -> tuple[Chain, ...]:
        """The rule in matrix notation and in indices, as far as they are shown."""
        chains = []
        if self.shows("matrix"):
            chains.append(Chain(Name(step.name), (("=", step.notation),)))
        if self.shows("index"):
            chains += [Chain(a, (("=", b),)) for a, b in op.formulas(step.name)]
        return tuple(chains)

    def locally(self, op: Gradient) -> Iterator[Any]:
        """The derivatives of the steps by themselves, of each kind the first time."""
        if not self.shows("index") or self.is_brief:
            return
        found = tuple(c for pull, place in op.uses for c in self.deltas(pull, place))
        if found:
            yield Text(self.say("locally"))
            yield Formulas(found)

    def deltas(self, pull: Pull, place: int) -> Iterator[Chain]:
        """The local derivative with its deltas, the first time that an operation is met."""
        kind = type(pull.op).__name__, place
        if kind in self._told:
            return
        self._told.add(kind)
        try:
            yield from (Chain(a, (("=", b),)) for a, b in local(pull, place))
        except TypeError:
            return

    def in_full(self) -> Iterator[Any]:
        """The entries that are to be written out in the inputs alone."""
        if self.options.expand:
            yield Heading(self.say("in full"))
        for place in self.options.expand:
            yield from in_full(self.derivation, place, self.options.form, self.options.lang)

    def summary(self) -> Iterator[Any]:
        """The whole sweep in matrix notation."""
        steps = [s for s in self.backward if isinstance(s.op, Gradient)]
        if steps and self.shows("matrix"):
            yield Heading(self.say("sweep"))
            chains = tuple(Chain(Name(s.name), (("=", s.notation),)) for s in steps)
            yield Formulas(chains) if self.is_long else Equations(chains)


def _comes_to_zero(chain: Chain) -> bool:
    value = chain.rest[-1][1]
    return isinstance(value, Scalar) and bool(value.is_zero)


def _sentence(sentences: Sequence[str], place: int) -> str:
    """That of an input; of side by side or one below the other, one for all."""
    return sentences[min(place, len(sentences) - 1)]


def _alone(first: Any, side: Any) -> Equations:
    return Equations((Chain(first, (("=", side),)),))
