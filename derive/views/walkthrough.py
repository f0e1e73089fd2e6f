"""The walkthrough: a derivation as a page, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from functools import cached_property
from typing import Any

from derive.certify import Certified, Format
from derive.derivation import Derivation
from derive.exact import Matrix, Scalar
from derive.exact.scalar import sum_of
from derive.exact.trace import Digits, Exponential, Grid, MatrixProduct, Name, Value
from derive.ops import Contributions, Linear, Mask, Mix, Scale, Scores, Softmax, Transpose
from derive.places import entry_name
from derive.render.blocks import Chain, Equations, Formulas, Heading, Note, Page, Text
from derive.step import Step
from derive.views.choices import Choices
from derive.views.entries import TERSE, Entries, is_integer, is_power, is_sum, terms
from derive.views.measure import PAGE_WIDTH, Measure, grid
from derive.views.summary import summary
from derive.views.weights import Weights
from derive.views.words import step_words
from derive.words import phrase, titled

LONG = 20
"""A derivation of more steps works out one row of each, and leaves long closed forms to `eval`."""
DETAILS = ("brief", "full", "every-entry")
"""Rules and results; every step with its numbers put in; and that for every entry of any matrix."""


@dataclass(frozen=True)
class Options:
    """What a page says, apart from what is derived.

    form: how decimals are rounded; steps: the names to show, all where empty; lang: "en" or "zh";
    detail: one of DETAILS.
    """

    form: Format = field(default_factory=Format)
    steps: tuple[str, ...] = ()
    lang: str = "en"
    detail: str = "full"


def walkthrough(derivation: Derivation, options: Options) -> Page:
    """The page: title, conventions, what is given, and every step."""
    for name in options.steps:
        derivation.step(name)
    view = _View(derivation, options)
    problem, lang = derivation.problem, options.lang
    title = titled(problem.title, lang) or phrase(problem.model, lang)
    blocks = tuple(view.blocks(title))
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
        return Entries(self.measure, self.options.form, every, self.is_long and not every)

    @property
    def is_long(self) -> bool:
        """Whether there are so many steps that each has to be short."""
        return len(self.derivation.derived) > LONG and not self.options.steps

    def is_written(self, step: Step) -> bool:
        """Whether the exact matrix is written out."""
        if self.is_long and any(len(self.measure.text(x)) > TERSE for x in step.value):
            return False
        return self.measure.fits(step.value)

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
        steps = [s for s in self.derivation.derived if self.is_shown(s)]
        first = next((s.name for s in steps if s.name in ("exp", "A", "C", "O")), None)
        for step in steps:
            yield from self.step(step, names=step.name == first)
        if not self.options.steps:
            yield from summary(self.derivation, self.options.lang)

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
        yield from (self.too_wide(step) for step in steps if step not in fitting)

    def named(self) -> Iterator[Any]:
        """What the letters t, Z_1 ... stand for, before they are first used."""
        names = self.derivation.names
        if names.powers:
            plain = [
                Chain(Name(letter), (("=", Exponential(Value(sum_of([(m, p, q)])))),))
                for m, (letter, p, q) in names.powers.items()
            ]
            yield Text(
                tuple(_joined(self.say("where"), plain, self.say("comma"), self.say("stop")))
            )

    # --- a step

    def step(self, step: Step, names: bool) -> Iterator[Any]:
        heading, sentence = step_words(step.name, type(step.op).__name__, self.options.lang)
        is_unscaled = isinstance(step.op, Scale) and step.op.divisor == 1
        yield Heading(heading)
        yield Text(self.say("unscaled") if is_unscaled else sentence)
        yield Formulas(tuple(self.rules(step)))
        if names:
            yield from self.named()
        worked = () if self.is_brief else tuple(self.entries.worked(step))
        if worked:
            rows = len(step.inputs[0].value.rows) if is_sum(step) else len(step.value.rows)
            if rows > 1 and len(worked) < (rows if is_sum(step) else rows * step.shape[1]):
                yield Text(self.say("first row"))
            yield Equations(worked, 1 if isinstance(step.op, Contributions) else step.shape[1])
        if not isinstance(step.op, Contributions):
            yield from self.result(step, is_listed=len(worked) == step.shape[0] * step.shape[1])

    def rules(self, step: Step) -> Iterator[Chain]:
        if not isinstance(step.op, (Contributions, Transpose)):
            yield Chain(Name(step.name), (("=", step.notation),))
        if isinstance(step.op, Mask) and self.measure.fits(step.op.matrix()):
            yield Chain(Name("mask"), (("=", grid(step.op.matrix())),))
        for lhs, rhs in step.formulas:
            yield Chain(lhs, (("=", rhs),))

    def result(self, step: Step, is_listed: bool) -> Iterator[Any]:
        """The matrix, exact and in decimals; in words where it is too wide and not listed."""
        certified = self.certified(step)
        decimals = _decimals(certified)
        if decimals and self.measure.grid(decimals) > PAGE_WIDTH:
            decimals = None
        named = self.derivation.names.entries
        is_circular = is_power(step) and any(
            m.exponent in named for x in step.value for m in terms(x)
        )
        if self.is_written(step) and not is_circular:
            sides = [*self.put_in(step), ("=", grid(step.value))]
            sides += [("~", decimals)] if decimals else []
            yield Equations((Chain(Name(step.name), tuple(sides)),))
        else:
            if not is_listed and not (self.is_long and decimals):
                yield self.too_wide(step)
            if decimals:
                yield Equations((Chain(Name(step.name), (("~", decimals),)),))
        yield from self.notes(step, certified)
        if isinstance(step.op, Softmax) and not self.is_brief:
            weights = Weights(self.derivation, self.options.form, self.options.lang)
            yield from weights.blocks(step)
            yield from weights.by_hand(step)

    def certified(self, step: Step) -> list[list[Certified]]:
        """The digits, where there is room to print them."""
        form = self.options.form
        wide = 4 + (form.places if form.digits is None else form.digits)
        fits = step.shape[1] * wide <= PAGE_WIDTH
        return self.derivation.certified(step.name, form) if fits else []

    def put_in(self, step: Step) -> Iterator[tuple[str, Any]]:
        """The product of matrices with the matrices written out, where that fits a line."""
        if not isinstance(step.op, (Linear, Scores, Mix)):
            return
        left, right = (s.value for s in step.inputs)
        factors = [left, right.T if isinstance(step.op, Scores) else right]
        widths = sum(map(self.measure.matrix, [*factors, step.value]))
        if widths <= PAGE_WIDTH and not any(map(_has_letters, factors)):
            yield "=", MatrixProduct(tuple(map(grid, factors)))

    def too_wide(self, step: Step) -> Text:
        return Text((Name(step.name), self.say("too wide", *step.shape)))

    def notes(self, step: Step, certified: list[list[Certified]]) -> Iterator[Any]:
        undecided = [
            entry_name(step.name, i, j)
            for i, row in enumerate(certified, 1)
            for j, c in enumerate(row, 1)
            if c.undecided
        ]
        self.undecided.extend(undecided)
        if undecided:
            yield Note(self.say("undecided", self.say("comma").join(undecided)))
        if isinstance(step.op, Softmax):
            for i, row in enumerate(certified, 1):
                total = displayed_sum([c.digits for c in row])
                if total is not None and total != 1:
                    yield Note(self.say("row sum", i, f"{total:f}"))


def displayed_sum(digits: Sequence[str | None]) -> Decimal | None:
    """The sum of the numerals as they stand; None where one is missing."""
    if not all(digits):
        return None
    try:
        return sum((Decimal(d) for d in digits if d), Decimal(0))
    except InvalidOperation:
        return None


def _decimals(certified: list[list[Certified]]) -> Grid | None:
    """The digits as a grid; None where all is whole, or where an entry has no digits."""
    flat = [c for row in certified for c in row]
    if any(c.digits is None for c in flat) or all(is_integer(c.value) for c in flat):
        return None
    return Grid(tuple(tuple(Digits(c.digits or "") for c in row) for row in certified))


def _has_letters(matrix: Matrix) -> bool:
    return any(isinstance(x, Scalar) and not x.is_number and len(x.num) > 1 for x in matrix)


def _joined(before: str, items: Sequence[Any], between: str, after: str) -> Iterator[Any]:
    yield before
    for k, item in enumerate(items):
        if k:
            yield between
        yield item
    yield after
