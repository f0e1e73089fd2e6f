"""What a page says of one step: its rule, its result exact and in decimals, and remarks on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

from derive.certify import Certified, Format
from derive.derivation import Derivation
from derive.exact import Matrix, Scalar
from derive.exact.names import is_single
from derive.exact.trace import Digits, Entry, Grid, MatrixProduct, Name
from derive.ops import Contributions, Exponential, Linear, Mask, Mix, Scores, Softmax, Transpose
from derive.places import entry_name
from derive.render.blocks import Chain, Equations, Note, Text
from derive.step import Step
from derive.views.entries import TERSE, is_integer, is_power, terms
from derive.views.measure import MOST_PARTS, PAGE_WIDTH, Measure, grid
from derive.words import phrase


@dataclass(frozen=True)
class Results:
    """The results of steps; `is_terse` leaves long closed forms and products written out away.

    undecided: the entries met whose digits could not be proved.
    """

    derivation: Derivation
    form: Format
    lang: str
    measure: Measure
    is_terse: bool = False
    undecided: list[str] = field(default_factory=list)

    def say(self, key: str, *values: object) -> str:
        """A phrase in the language."""
        return phrase(key, self.lang, *values)

    def is_written(self, step: Step) -> bool:
        """Whether the exact matrix is written out in one piece."""
        if self.is_terse and any(len(self.measure.text(x)) > TERSE for x in step.value):
            return False
        return self.measure.fits(step.value) and not self.is_circular(step)

    def is_circular(self, step: Step) -> bool:
        """Whether an entry would be written as itself."""
        named = self.derivation.names.entries
        return is_power(step) and any(m.exponent in named for x in step.value for m in terms(x))

    def rules(self, step: Step) -> Iterator[Chain]:
        """The rule in matrices, and at entry i, j."""
        if not isinstance(step.op, (Contributions, Transpose)):
            yield Chain(Name(step.name), (("=", step.notation),))
        if isinstance(step.op, Mask) and self.measure.fits(step.op.matrix()):
            yield Chain(Name("mask"), (("=", grid(step.op.matrix())),))
        if is_single(step.name) and isinstance(step.op, Exponential):
            return
        for lhs, rhs in step.formulas:
            yield Chain(lhs, (("=", rhs),))

    def result(self, step: Step, is_listed: bool) -> Iterator[Any]:
        """The matrix, exact and in decimals; in parts, or in words, where it is too wide.

        is_listed: whether its entries have been worked out one by one.
        """
        certified = self.certified(step)
        decimals = _decimals(certified)
        is_narrow = decimals is not None and self.measure.grid(decimals) <= PAGE_WIDTH
        if self.is_written(step):
            value = bare(step, grid(step.value))
            is_said = is_single(step.name) and self.measure.same(value, step.notation)
            sides = [*self.put_in(step)] + [("=", value)] * (not (is_said and decimals))
            sides += [("~", bare(step, decimals))] if decimals and is_narrow else []
            yield Equations((Chain(Name(step.name), tuple(sides)),))
        else:
            parts = tuple(self.exact_parts(step, is_listed))
            yield from parts
            if not parts and not is_listed and not (self.is_terse and decimals):
                yield self.too_wide(step)
            if decimals and is_narrow:
                yield Equations((Chain(Name(step.name), (("~", bare(step, decimals)),)),))
        if decimals and not is_narrow:
            yield from self.parts(step, decimals, "~")
        yield from self.notes(step, certified)

    def exact_parts(self, step: Step, is_listed: bool) -> Iterator[Any]:
        """The exact matrix by columns, where that is readable."""
        if self.is_terse or is_listed or self.is_circular(step):
            return
        if self.measure.is_short(step.value):
            yield from self.parts(step, grid(step.value), "=")

    def parts(self, step: Step, written: Grid, relation: str) -> Iterator[Any]:
        """A matrix too wide for a line, some columns at a time."""
        found = self.measure.parts(written)
        if found:
            first, last = found[0]
            yield Text((_columns(step, first, last), self.say("parts", first, last)))
        for first, last in found:
            rows = tuple(row[first - 1 : last] for row in written.rows)
            yield Equations((Chain(_columns(step, first, last), ((relation, Grid(rows)),)),))

    def certified(self, step: Step) -> list[list[Certified]]:
        """The digits, where there is room to print them."""
        form = self.form
        wide = 4 + (form.places if form.digits is None else form.digits)
        fits = step.shape[1] * wide <= MOST_PARTS * PAGE_WIDTH
        return self.derivation.certified(step.name, form) if fits else []

    def put_in(self, step: Step) -> Iterator[tuple[str, Any]]:
        """The product of matrices with the matrices written out, where that fits a line."""
        if self.is_terse or not isinstance(step.op, (Linear, Scores, Mix)):
            return
        left, right = (s.value for s in step.inputs)
        of_scores = isinstance(step.op, Scores)
        factors = step.op.factors(left, right) if of_scores else (left, right)  # type: ignore[union-attr]
        widths = sum(map(self.measure.matrix, [*factors, step.value]))
        if widths <= PAGE_WIDTH and not any(map(_has_letters, factors)):
            yield "=", MatrixProduct(tuple(map(grid, factors)))

    def too_wide(self, step: Step) -> Text:
        """What is too wide, by name."""
        return Text((Name(step.name), self.say("too wide", *step.shape)))

    def notes(self, step: Step, certified: list[list[Certified]]) -> Iterator[Any]:
        """What is undecided, and rows of weights whose printed entries do not add up."""
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
            by_rows = step.op.along == "rows"
            for i, row in enumerate(certified if by_rows else zip(*certified, strict=True), 1):
                total = displayed_sum([c.digits for c in row])
                if total is not None and total != 1:
                    yield Note(self.say("row sum" if by_rows else "column sum", i, f"{total:f}"))


def bare(step: Step, written: Grid) -> Any:
    """What is one number without the brackets of a matrix."""
    return written.rows[0][0] if is_single(step.name) else written


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


def _columns(step: Step, first: int, last: int) -> Entry:
    """The letter of some columns: A_{:,1:4}."""
    return Entry(step.name, (":", f"{first}:{last}"))


def _has_letters(matrix: Matrix) -> bool:
    return any(isinstance(x, Scalar) and not x.is_number and len(x.num) > 1 for x in matrix)
