"""The page of a few steps of training: the loss, its gradients, the updates, and the new loss."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from derive.certify import Format
from derive.exact.trace import Digits, Entry, Name, Value
from derive.gradients.train import BETAS, EPS, Round, Training
from derive.gradients.updates import Inner
from derive.places import parse_place
from derive.render.blocks import Chain, Equations, Formulas, Heading, Page, Table, Text
from derive.step import Step
from derive.views.choices import Choices
from derive.views.data import data
from derive.views.flow import flowing
from derive.views.letters import letters
from derive.views.measure import Measure, grid
from derive.views.results import Results
from derive.views.words import training_heading
from derive.words import phrase, titled

LONG = 12
"""With more matrices than these, long closed forms are left away."""


@dataclass(frozen=True)
class TrainingOptions:
    """How decimals are rounded, and the language."""

    form: Format = field(default_factory=Format)
    lang: str = "en"


def training_page(training: Training, options: TrainingOptions) -> Page:
    """The page: conventions, what is given, the number, every step, and all of them in a table."""
    view = _View(training, options)
    blocks = tuple(view.blocks())
    return Page(view.title, options.lang, blocks, view.names, tuple(view.undecided))


def training_data(training: Training, form: Format, lang: str) -> dict[str, Any]:
    """What is trained and how, the numbers of each step, and all that the steps make."""
    shown = [s for r in training.rounds for s in _made(r)]
    found = data(training.derivation, form, lang, tuple(dict.fromkeys(s.name for s in shown)))
    rounds = [
        {
            "step": r.number,
            "before": r.before.name,
            "after": r.after.name,
            "decrease": r.decrease.name,
            "first_order": r.foreseen.name,
        }
        for r in training.rounds
    ]
    way = "adam" if training.is_adam else "gradient descent"
    return {"of": training.of, "by": way, "eta": repr(training.eta), "rounds": rounds, **found}


def _made(r: Round) -> tuple[Step, ...]:
    return (
        *(r.before, *r.gradients, *r.moments, *r.updated),
        *(r.after, r.decrease, r.foreseen),
    )


@dataclass(frozen=True)
class _View:
    training: Training
    options: TrainingOptions
    undecided: list[str] = field(default_factory=list)

    @cached_property
    def names(self) -> Any:
        return self.training.forward.names

    @cached_property
    def measure(self) -> Measure:
        return Measure(self.names)

    @cached_property
    def results(self) -> Results:
        """Exact matrices and decimals."""
        return self.told(len(self.training.rounds[0].gradients) > LONG)

    @cached_property
    def briefly(self) -> Results:
        """Without exact matrices in letters of letters, which the rules say as well."""
        return self.told(True)

    def told(self, is_terse: bool) -> Results:
        t, o = self.training, self.options
        return Results(t.derivation, o.form, o.lang, self.measure, is_terse, self.undecided)

    def say(self, key: str, *values: object) -> str:
        return phrase(key, self.options.lang, *values)

    @property
    def title(self) -> str:
        problem = self.training.derivation.problem
        own = titled(problem.title, self.options.lang) or self.say(problem.model)
        return self.say("training title", own)

    @property
    def spoken(self) -> str:
        """What is made smaller, in words."""
        return self.say("the loss") if self.training.of == "loss" else self.training.of

    # --- the page

    def blocks(self) -> Iterator[Any]:
        yield Heading(self.title, 1)
        yield from self.rule()
        yield from Choices(self.training.forward, self.options.form, self.options.lang).blocks()
        yield from self.given()
        first = self.training.rounds[0]
        yield Heading(self.say("before training"))
        yield Text((self.say("training number", self.spoken), *letters(
            self.training.forward, self.options.lang
        )))  # fmt: skip
        yield from self.number(first.before)
        for r in self.training.rounds:
            yield from self.round(r)
        yield from self.table()

    def rule(self) -> Iterator[Any]:
        """What a step does, in words, and the sizes that it is done with."""
        yield Text(self.say("adam" if self.training.is_adam else "descent", self.spoken))
        sizes = [("eta", self.training.eta)]
        if self.training.is_adam:
            sizes += [("beta_1", BETAS[0]), ("beta_2", BETAS[1]), ("epsilon", EPS)]
        yield Formulas(tuple(Chain(Name(n), (("=", Value(x)),)) for n, x in sizes))
        yield Text(self.say("training names"))

    def given(self) -> Iterator[Any]:
        steps = [s for s in self.training.forward.steps if s.op is None]
        yield Heading(self.say("given"))
        yield from flowing(self.measure, [_alone(Name(s.name), grid(s.value)) for s in steps])

    def number(self, step: Step) -> Iterator[Any]:
        """The number that is made smaller, exact where it has a closed form, and in decimals."""
        first = step.notation if isinstance(step.op, Inner) else Name(step.name)
        ((x,),) = step.value.rows
        if isinstance(step.op, Inner) and "[" in self.training.of:
            _, i, j = parse_place(self.training.of)
            first = Entry(step.inputs[1].name, (i, j))
            x = step.inputs[1].value[i - 1, j - 1]
        is_closed = not step.inputs[-1].is_deep and self.measure.fits(step.value)
        sides = (("=", Value(x)),) if is_closed else ()
        if x.is_rational:
            sides = (("=", Value(x)),)
        digits = self.digits(step)
        if isinstance(digits, str):
            yield Text((first, f": {digits}"))
        else:
            yield Equations((Chain(first, (*sides, ("~", digits))),))

    def round(self, r: Round) -> Iterator[Any]:
        yield Heading(training_heading(r.number, self.options.lang))
        yield Text(self.say("training gradients"))
        results = self.results if r.number == 1 else self.briefly
        yield from self.values(results, r.gradients)
        if r.moments:
            yield Text(self.say("moments"))
            yield from self.ruled(self.briefly, r.moments)
        yield Text(self.say("updated" if r.updated else "nothing moves"))
        yield from self.ruled(self.briefly if r.moments else results, r.updated)
        yield Text(self.say("after training", self.spoken))
        yield from self.number(r.after)
        yield Text(self.compared(r))

    def ruled(self, results: Results, steps: Sequence[Step]) -> Iterator[Any]:
        """The rule of each step and its value."""
        if steps:
            yield Formulas(tuple(Chain(Name(s.name), (("=", s.notation),)) for s in steps))
            yield from self.values(results, steps)

    def values(self, results: Results, steps: Sequence[Step]) -> Iterator[Any]:
        blocks = [b for s in steps for b in results.result(s, is_listed=False)]
        if results is self.briefly:
            blocks = list(map(_in_decimals, blocks))
        yield from flowing(self.measure, blocks)

    def compared(self, r: Round) -> tuple[Any, ...]:
        """By how much it fell, and by how much it would have to first order."""
        way = "first order of adam" if self.training.is_adam else "first order"
        texts = self.say("fell", "{}").split("{}"), self.say(way, "{}").split("{}")
        fell, foreseen = map(self.digits, (r.decrease, r.foreseen))
        return (texts[0][0], fell, texts[0][1], texts[1][0], foreseen, texts[1][1])

    def digits(self, step: Step) -> Any:
        """The proved digits of a number by themselves."""
        ((found,),) = self.training.derivation.certified(step.name, self.options.form)
        if found.undecided:
            self.undecided.append(step.name)
        return str(found) if found.digits is None else Digits(found.digits)

    def table(self) -> Iterator[Any]:
        yield Heading(self.say("training table"))
        keys = ("step number", "number before", "number after", "decrease")
        way = "foreseen by adam" if self.training.is_adam else "foreseen"
        header = tuple(self.say(key) for key in (*keys, way))
        yield Table(header, tuple(map(self.row, self.training.rounds)), (0, 1, 2, 3, 4))

    def row(self, r: Round) -> tuple[Any, ...]:
        """The step, and its four numbers."""
        numbers = (r.before, r.after, r.decrease, r.foreseen)
        return (str(r.number), *((self.digits(s),) for s in numbers))


def _in_decimals(block: Any) -> Any:
    """A display without the exact matrices beside which decimals stand."""
    if not isinstance(block, Equations):
        return block
    return Equations(tuple(map(_rounded, block.chains)), block.columns)


def _rounded(chain: Chain) -> Chain:
    decimals = tuple(side for side in chain.rest if side[0] == "~")
    return Chain(chain.first, decimals or chain.rest)


def _alone(first: Any, side: Any) -> Equations:
    return Equations((Chain(first, (("=", side),)),))
