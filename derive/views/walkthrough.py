"""The walkthrough: a derivation as a page, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

from derive.certify import Certified, Certifier, Format
from derive.conventions import Conventions
from derive.derivation import Derivation, Step, place_of
from derive.exact import Matrix, NegativeInfinity, Scalar
from derive.exact.ink import PLAIN, RULER, Latex
from derive.exact.scalar import sum_of
from derive.exact.trace import (
    Digits,
    Entry,
    Exponential,
    Grid,
    MatrixProduct,
    Name,
    Row,
    Sum,
    Value,
)
from derive.exact.write import Writer
from derive.ops import Contributions, Linear, Mask, Mix, Scores, Softmax, Transpose
from derive.render.blocks import Chain, Equations, Formulas, Heading, Note, Page, Text, Worked
from derive.views.words import phrase, step_words, titled

PAGE_WIDTH = 78
"""About how many characters a line of mathematics holds."""
SMALL = 9
"""Of a matrix with so many entries, every entry is worked out; of a larger one, the first row."""


@dataclass(frozen=True)
class Options:
    """What a page says, apart from what is derived.

    form: how decimals are rounded; steps: the names to show, all where empty; lang: "en" or "zh".
    """

    form: Format = field(default_factory=Format)
    steps: tuple[str, ...] = ()
    lang: str = "en"


def walkthrough(derivation: Derivation, options: Options) -> Page:
    """The page: title, conventions, what is given, and every step."""
    for name in options.steps:
        derivation.step(name)
    view = _View(derivation, options)
    problem, lang = derivation.problem, options.lang
    title = titled(problem.title, lang) or phrase(problem.model, lang)
    return Page(title, lang, tuple(view.blocks(title)), derivation.names)


@dataclass(frozen=True)
class _View:
    derivation: Derivation
    options: Options

    def say(self, key: str, *values: object) -> str:
        return phrase(key, self.options.lang, *values)

    def blocks(self, title: str) -> Iterator[Any]:
        yield Heading(title, 1)
        if not self.options.steps:
            yield from self.conventions()
        yield from self.given()
        steps = [s for s in self.derivation.derived if self.is_shown(s)]
        first = next((s.name for s in steps if s.name in ("exp", "A", "C", "O")), None)
        for step in steps:
            yield from self.step(step, names=step.name == first)

    def is_shown(self, step: Step) -> bool:
        return not self.options.steps or step.name in self.options.steps

    # --- before the steps

    def conventions(self) -> Iterator[Any]:
        choices = self.derivation.problem.conventions
        yield Heading(self.say("conventions"))
        yield Text((self.say("rows"), " ", *self.scale(choices), *self.mask(choices)))
        form = self.options.form
        kind, count = ("places", form.places) if form.digits is None else ("digits", form.digits)
        yield Text(self.say(kind, count) + self.say(form.rounding))

    def scale(self, choices: Conventions) -> Iterator[Any]:
        yield self.say("scale")
        yield Value(choices.scale)
        scaled = next((s for s in self.derivation.derived if s.name == "scaled"), None)
        if choices.temperature != 1:
            yield self.say("temperature")
            yield Value(choices.temperature)
        elif scaled is not None and choices.scale.free_symbols:
            yield " = "
            yield Value(scaled.op.divisor)  # type: ignore[union-attr]
        yield self.say("stop") + " "

    def mask(self, choices: Conventions) -> Iterator[Any]:
        if choices.mask is None:
            yield self.say("unmasked")
            return
        yield self.say("causal" if choices.mask == "causal" else "masked")
        if isinstance(choices.mask_value, NegativeInfinity):
            yield self.say("mask -oo")
        else:
            yield self.say(f"mask {choices.mask_mode}")
            yield Value(choices.mask_value)
            yield self.say("stop")

    def given(self) -> Iterator[Any]:
        problem = self.derivation.problem
        steps = [s for s in self.derivation.steps if s.op is None and self.is_shown(s)]
        if not steps:
            return
        yield Heading(self.say("given"))
        if problem.tokens:
            yield Text(self.say("tokens", self.say("comma").join(problem.tokens)))
        fitting = [s for s in steps if self.width(s.value) <= PAGE_WIDTH]
        if fitting:
            yield Formulas(tuple(Chain(Name(s.name), (("=", _grid(s.value)),)) for s in fitting))
        for step in steps:
            if step not in fitting:
                yield from self.too_wide(step)

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
        yield Heading(heading)
        yield Text(sentence)
        yield Formulas(tuple(self.rules(step)))
        if names:
            yield from self.named()
        worked = tuple(self.worked(step))
        if worked:
            one = isinstance(step.op, Contributions)
            yield Equations(worked, 1 if one else step.shape[1])
        yield from self.result(step, is_listed=len(worked) == step.shape[0] * step.shape[1])
        if isinstance(step.op, Softmax):
            yield from self.row_notes(step)

    def rules(self, step: Step) -> Iterator[Chain]:
        if not isinstance(step.op, (Contributions, Transpose)):
            yield Chain(Name(step.name), (("=", step.notation),))
        if isinstance(step.op, Mask) and self.width(step.op.matrix()) <= PAGE_WIDTH:
            yield Chain(Name("mask"), (("=", _grid(step.op.matrix())),))
        lhs, rhs = step.formula  # type: ignore[misc]
        yield Chain(lhs, (("=", rhs),))

    def worked(self, step: Step) -> Iterator[Chain]:
        """Entry by entry the numbers put in; of contributions the sum that each row makes."""
        if isinstance(step.op, Transpose):
            return
        if isinstance(step.op, Contributions):
            yield from self.contributions(step)
            return
        rows, columns = step.shape
        shown = rows if rows * columns <= SMALL else 1
        for i in range(shown):
            for j in range(columns):
                chain = self.entry(step, i, j)
                if self.chain_width(chain) <= 4 * PAGE_WIDTH:
                    yield chain

    def entry(self, step: Step, i: int, j: int) -> Chain:
        value = step.value[i, j]
        put_in = Worked(step.worked[i, j], self.value_of(step))
        is_new = self.text(put_in, PLAIN) != self.text(value, PLAIN)
        sides: list[tuple[str, Any]] = [("=", put_in)] * is_new + [("=", value)]
        if not _is_integer(value) and self.is_too_wide(step):
            digits = Certifier().certify(value, self.options.form).digits
            sides += [("~", Digits(digits))] if digits else []
        return Chain(step.entries[i, j], tuple(sides))

    def contributions(self, step: Step) -> Iterator[Chain]:
        weights, values = step.operands
        names = [s.name for s in step.inputs]
        rows, columns = weights.shape
        for i in range(rows if rows * columns <= SMALL else 1):
            letters = [
                Entry(names[0], (i + 1, j + 1)) * Row(names[1], j + 1) for j in range(columns)
            ]
            numbers = [Value(weights[i, j]) * Grid((values.rows[j],)) for j in range(columns)]
            parts = [Grid((step.value.rows[i * columns + j],)) for j in range(columns)]
            sides = [Sum(tuple(x)) for x in (letters, numbers, parts)]
            chain = Chain(Row("O", i + 1), tuple(("=", side) for side in sides))
            if self.chain_width(chain) <= 6 * PAGE_WIDTH:
                yield chain

    def value_of(self, step: Step) -> Any:
        operands = dict(zip((s.name for s in step.inputs), step.operands, strict=True))

        def value(entry: Entry) -> Any:
            row, column = (*entry.indices, 1)[:2]
            found = operands[entry.step][int(row) - 1, int(column) - 1]
            return None if isinstance(found, Scalar) and _is_long(found) else found

        return value

    def result(self, step: Step, is_listed: bool) -> Iterator[Any]:
        """The matrix, exact and in decimals; in words where it is too wide and not listed."""
        if isinstance(step.op, Contributions):
            return
        certified = self.derivation.certified(step.name, self.options.form)
        decimals = _decimals(certified)
        if not self.is_too_wide(step):
            sides = [*self.put_in(step), ("=", _grid(step.value))]
            sides += [("~", decimals)] if decimals else []
            yield Equations((Chain(Name(step.name), tuple(sides)),))
        else:
            if not is_listed:
                yield from self.too_wide(step)
            if decimals and self.grid_width(decimals) <= PAGE_WIDTH:
                yield Equations((Chain(Name(step.name), (("~", decimals),)),))
        undecided = [
            place_of(step, i, j)
            for i, row in enumerate(certified, 1)
            for j, c in enumerate(row, 1)
            if c.undecided
        ]
        if undecided:
            yield Note(self.say("undecided", self.say("comma").join(undecided)))

    def put_in(self, step: Step) -> Iterator[tuple[str, Any]]:
        """The product of matrices with the matrices written out, where that fits a line."""
        if not isinstance(step.op, (Linear, Scores, Mix)):
            return
        left, right = (s.value for s in step.inputs)
        grids = [left, right.T if isinstance(step.op, Scores) else right]
        widths = sum(map(self.width, grids)) + self.width(step.value)
        if widths <= PAGE_WIDTH and not any(map(_has_letters, grids)):
            yield "=", MatrixProduct(tuple(map(_grid, grids)))

    def too_wide(self, step: Step) -> Iterator[Any]:
        rows, columns = step.shape
        yield Text(self.say("too wide", step.name, rows, columns))

    def row_notes(self, step: Step) -> Iterator[Any]:
        for i, row in enumerate(self.derivation.certified(step.name, self.options.form), 1):
            total = displayed_sum([c.digits for c in row])
            if total is not None and total != 1:
                yield Note(self.say("row sum", i, f"{total:f}"))

    # --- widths

    def text(self, x: Any, ink: Latex = RULER) -> str:
        values, term = (x.values, x.term) if isinstance(x, Worked) else (None, x)
        return Writer(ink, self.derivation.names, values).text(term)

    def is_too_wide(self, step: Step) -> bool:
        return self.width(step.value) > PAGE_WIDTH

    def width(self, matrix: Matrix) -> int:
        """About how many characters the matrix is wide, without writing what is far too wide."""
        if matrix.shape[1] > PAGE_WIDTH or not _is_short(matrix):
            return 10 * PAGE_WIDTH
        return self.grid_width(_grid(matrix))

    def grid_width(self, grid: Grid) -> int:
        writer = Writer(RULER, self.derivation.names)
        columns = zip(*grid.rows, strict=True)
        return sum(max(len(writer.text(x)) for x in column) + 2 for column in columns) + 2

    def chain_width(self, chain: Chain) -> int:
        return max(len(self.text(side)) for _, side in chain.rest)


def displayed_sum(digits: Sequence[str | None]) -> Decimal | None:
    """The sum of the numerals as they stand; None where one is missing."""
    try:
        return (
            sum((Decimal(d) for d in digits if d is not None), Decimal(0)) if all(digits) else None
        )
    except InvalidOperation:
        return None


def _grid(matrix: Matrix) -> Grid:
    return Grid(matrix.rows)


def _decimals(certified: list[list[Certified]]) -> Grid | None:
    """The digits as a grid; None where all is whole, or where an entry has no digits."""
    flat = [c for row in certified for c in row]
    if any(c.digits is None for c in flat) or all(_is_integer(c.value) for c in flat):
        return None
    return Grid(tuple(tuple(Digits(c.digits or "") for c in row) for row in certified))


def _is_integer(x: Scalar | NegativeInfinity) -> bool:
    return isinstance(x, NegativeInfinity) or (x.is_rational and x.fraction[1] == 1)


def _is_short(matrix: Matrix) -> bool:
    return all(x.size <= 2 * PAGE_WIDTH for x in matrix)


def _is_long(x: Scalar) -> bool:
    """Whether a value is better named than put in."""
    return not x.is_number and x.size > 1 and len(x.num) > 1 and len(x.free_symbols) > 3


def _has_letters(matrix: Matrix) -> bool:
    return any(isinstance(x, Scalar) and not x.is_number and len(x.num) > 1 for x in matrix)


def _joined(before: str, items: Sequence[Any], between: str, after: str) -> Iterator[Any]:
    yield before
    for k, item in enumerate(items):
        if k:
            yield between
        yield item
    yield after
