"""A worksheet and its key as pages: the same derivation with values left out, or put in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any

from derive.derivation import Derivation
from derive.exact.named import NO_NAMES
from derive.exact.trace import Digits, Grid, Name
from derive.ops import Contributions, Mask, Relu, Residual, Scale, Transpose
from derive.render.blocks import (
    Break,
    Cells,
    Chain,
    Fields,
    Formulas,
    Heading,
    Inline,
    Page,
    Space,
    Text,
)
from derive.step import Step
from derive.views.agreed import Agreed
from derive.views.entries import is_integer
from derive.views.measure import PAGE_WIDTH, Measure, grid
from derive.views.results import Results
from derive.views.sentences import sentence
from derive.views.words import sentence_of, step_words
from derive.words import phrase, titled
from derive.worksheet.blanks import Asked, after, known, way_to
from derive.worksheet.deriving import is_part, own
from derive.worksheet.search import Variant

MOST_LINES = 24
"""So many lines at most are left for the working of one step."""
EMPTY_PAGE = 28
SHORT = (Mask, Relu, Residual, Scale)
"""What asks for less than a line of working at an entry."""


def worksheet_page(variants: Sequence[Variant], lang: str, *, hints: bool = False) -> Page:
    """The sheets, each on a page of its own."""
    return paged([Sheet(v, lang, hints) for v in variants], lang)


def paged(parts: Sequence[Sheet], lang: str) -> Page:
    """Each on a page of its own."""
    blocks: list[Any] = []
    for part in parts:
        blocks += [Break()] if blocks else []
        blocks += part.blocks()
    return Page(parts[0].title, lang, tuple(blocks))


@dataclass(frozen=True)
class Sheet:
    """One variant; `hints` adds what each step does, and its rule entry by entry."""

    variant: Variant
    lang: str
    hints: bool = False

    def say(self, key: str, *values: Any) -> Inline:
        """A sentence of the worksheets."""
        texts = (str(x) if isinstance(x, int) else x for x in values)
        return sentence("worksheet", key, self.lang, *texts)

    @property
    def title(self) -> str:
        """The problem's title."""
        problem = self.derivation.problem
        return titled(problem.title, self.lang) or str(self.say("title"))

    @property
    def derivation(self) -> Derivation:
        """Its steps."""
        return self.variant.candidate.derivation

    @cached_property
    def measure(self) -> Measure:
        """Widths, with every value written out: a key has no letters of its own."""
        return Measure(NO_NAMES)

    @cached_property
    def results(self) -> Results:
        """The rules of steps."""
        return Results(self.derivation, self.variant.plan.form, self.lang, self.measure)

    @cached_property
    def asked(self) -> dict[str, Asked]:
        """What is left blank, by step."""
        return {one.step.name: one for one in self.variant.candidate.asked}

    @property
    def points(self) -> int:
        """What all blanks are worth."""
        worth = dict(self.variant.plan.points)
        return sum(worth.get(name, 1) * len(one.places) for name, one in self.asked.items())

    def blocks(self) -> Iterator[Any]:
        """The whole sheet."""
        yield Heading(self.title, 1)
        labels = [str(self.say(key)) for key in ("name", "date")]
        yield Fields((*labels, str(self.say("score", self.points))))
        yield from self.instructions()
        yield from self.given()
        if self.variant.plan.level == 3:
            yield from self.empty_page()
            return
        for is_asked, steps in groupby(self.shown(), key=lambda step: step.name in self.asked):
            every = tuple(steps)
            yield from self.steps(every) if is_asked else self.known(every)

    def steps(self, steps: Iterable[Step]) -> Iterator[Any]:
        """Steps that are asked, one after the other."""
        for step in steps:
            yield from self.step(step)

    def known(self, steps: Iterable[Step]) -> Iterator[Any]:
        """Steps that are not asked, side by side with their rules, in the digits to go on with."""
        yield Heading(str(self.say("known")))
        yield Formulas(tuple(self.value(step, 0) for step in steps))

    def intro(self) -> Iterator[Inline]:
        """What is said before what to do."""
        return iter(())

    def instructions(self) -> Iterator[Any]:
        """What to do, how to round, and the number of the sheet."""
        yield from map(Text, self.intro())
        plan = self.variant.plan
        said: list[Any] = [self.say("task")]
        for k, name in enumerate(self.asked):
            said += [self.say("comma"), Name(name)] if k else [Name(name)]
        said += [self.say("stop"), phrase("space", self.lang), self.say("places", plan.form.places)]
        yield Text((*said, phrase("space", self.lang), self.say(plan.form.rounding)))
        yield Text(self.say("id", self.variant.id))

    def given(self) -> Iterator[Any]:
        """The given matrices and the mask."""
        steps = self.read_from()
        said = [*self.texts(), *self.conventions()]
        if steps or said:
            yield Heading(str(self.say("given")))
        yield from said
        if steps:
            yield Formulas(tuple(Chain(Name(s.name), (("=", grid(s.value)),)) for s in steps))

    def conventions(self) -> Iterator[Text]:
        """The formula of attention, and what it is here: scale, mask, temperature, d, eps."""
        yield from Agreed(self.agreed_of, self.variant.plan.form, self.lang).texts()

    @property
    def agreed_of(self) -> Derivation:
        """What the conventions under what is given are of: of a part only what belongs to it."""
        if self.read is None:
            return self.derivation
        kept = own(self.derivation, self.asked) | self.forward
        steps = tuple(s for s in self.derivation.steps if s.name in kept)
        return Derivation(self.derivation.problem, steps)

    @property
    def forward(self) -> set[str]:
        """The steps of which gradients tell."""
        return set()

    def read_from(self) -> list[Step]:
        """The given matrices that are needed."""
        steps = [s for s in self.derivation.steps if s.op is None]
        return steps if self.read is None else [s for s in steps if s.name in self.read]

    def texts(self) -> Iterator[Text]:
        """The tokens; of a language model the words that it knows and those that are right."""
        problem, between = self.derivation.problem, str(self.say("comma"))
        for key in ("tokens", "vocabulary", "targets"):
            found = getattr(problem, key)
            if found:
                yield Text(self.say(key, between.join(x or "—" for x in found)))

    @cached_property
    def read(self) -> set[str] | None:
        """What is read from the sheet, where that is not all on the way from what is given."""
        if not is_part(self.variant.plan):
            return None
        return known(self.derivation, own(self.derivation, self.asked))

    def shown(self) -> Iterator[Step]:
        """The steps on the way to what is asked, but for those that nobody writes down.

        What rests on a blank is not there either, or it would give the blank away.
        """
        needed = way_to(self.derivation, self.asked) - after(self.derivation, self.asked)
        if self.read is not None:
            needed = self.read
        for step in self.derivation.derived:
            is_written = not isinstance(step.op, (Contributions, Transpose))
            if step.name in self.asked or (step.name in needed and is_written):
                yield step

    def step(self, step: Step) -> Iterator[Any]:
        """Its rule, and its values or boxes for them."""
        one = self.asked[step.name]
        yield Heading(str(self.say("worth", self.heading(step), self.worth(one))))
        if self.hints:
            yield Text(self.reason(step))
        yield Formulas(self.rules(step))
        yield Cells(Name(step.name), self.cells(one))
        yield Space(self.lines(one))

    def rules(self, step: Step) -> tuple[Chain, ...]:
        """The rule in matrices; with hints, or where that is a name alone, at an entry too."""
        every = tuple(self.results.rules(step))
        told = tuple(chain for chain in every if chain.rest[0][1] != chain.first)
        return told if self.hints or told[:1] != every[:1] else told[:1]

    def listed(self, items: Sequence[Any]) -> Iterator[Any]:
        """With commas between them."""
        for k, item in enumerate(items):
            if k:
                yield phrase("comma", self.lang)
            yield item

    def heading(self, step: Step) -> str:
        """What a step is called."""
        vectors = self.derivation.problem.conventions.vectors
        return step_words(step.name, type(step.op).__name__, self.lang, vectors)[0]

    def reason(self, step: Step) -> str:
        """What it does, and why."""
        return sentence_of(step, self.lang, self.derivation.problem.conventions.vectors)

    def worth(self, one: Asked) -> int:
        """The points of a step."""
        return dict(self.variant.plan.points).get(one.step.name, 1) * len(one.places)

    def lines(self, one: Asked) -> int:
        """Room for the working: a line for each entry, and more where sums are long."""
        if isinstance(one.step.op, SHORT):
            return 1 + -(-len(one.places) // 2)
        inner = max((s.shape[1] for s in one.step.inputs), default=1)
        return min(MOST_LINES, 1 + len(one.places) * (1 if inner < 5 else 2))

    def cells(self, one: Asked) -> tuple[tuple[Any, ...], ...]:
        """The entries that are there, and None for the others."""
        rows, columns = one.step.shape
        if len(one.places) == rows * columns:
            return ((None,) * columns,) * rows
        shown, asked = self.written(one.step).rows, set(one.places)
        return tuple(
            tuple(None if (i, j) in asked else x for j, x in enumerate(row, 1))
            for i, row in enumerate(shown, 1)
        )

    def written(self, step: Step) -> Grid:
        """The entries exactly where all are whole, else in decimals."""
        if not step.is_deep and all(is_integer(x) for x in step.value):
            return grid(step.value)
        rows = self.derivation.certified(step.name, self.variant.plan.form)
        return Grid(tuple(tuple(Digits(c.digits or "") for c in row) for row in rows))

    def value(self, step: Step, most: int | None = None) -> Chain:
        """A step with its rule, exactly where that is short, up to a width, and in decimals."""
        notation = None if step.notation == Name(step.name) else step.notation
        rule = (("=", notation),) if notation is not None else ()
        sides = self.sides(step) if most is None else self.sides(step, most)
        return Chain(Name(step.name), (*rule, *sides))

    def sides(self, step: Step, most: int = PAGE_WIDTH // 3) -> Iterator[tuple[str, Any]]:
        """The matrix exactly, up to a width, and in decimals where it is not whole."""
        written = self.written(step)
        if not step.is_deep and all(is_integer(x) for x in step.value):
            yield "=", written
            return
        if not step.is_deep and self.measure.matrix(step.value) <= most:
            yield "=", grid(step.value)
        yield "~", written

    def empty_page(self) -> Iterator[Any]:
        """Boxes for what is asked at the end, and an empty page for one's own steps."""
        if self.hints:
            yield from self.all_hints()
        yield Heading(str(self.say("working")))
        for one in self.asked.values():
            yield Cells(Name(one.step.name), self.cells(one))
        yield Space(EMPTY_PAGE)

    def all_hints(self) -> Iterator[Any]:
        """The rules of all steps, and below them what they are at an entry."""
        chains = [x for s in self.shown() for x in self.results.rules(s) if x.rest[0][1] != x.first]
        yield Heading(str(self.say("hints")))
        yield Formulas(tuple(chain for chain in chains if isinstance(chain.first, Name)))
        entries = tuple(chain for chain in chains if not isinstance(chain.first, Name))
        if entries:
            yield Text(self.say("at an entry"))
            yield Formulas(entries)
