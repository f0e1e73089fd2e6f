"""Entries worked out one by one: the numbers put in, and what they come to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from derive.certify import Certifier, Format
from derive.exact import Matrix, NegativeInfinity, Scalar
from derive.exact.ink import PLAIN
from derive.exact.monomial import Monomial
from derive.exact.names import beside, is_single, place
from derive.exact.trace import Digits, Entry, Grid, Quotient, Row, Sum, Value
from derive.exact.trace import Transpose as Turned
from derive.ops import Contributions, Exponential, Transpose
from derive.render.blocks import Chain, Worked
from derive.step import Step
from derive.views.measure import PAGE_WIDTH, Measure

SMALL = 9
"""Of a matrix with so many entries, every entry is worked out; of a larger one, the first row."""
FIRST = 8
"""And of a longer row, so many entries."""
SHORT = 28
"""A value longer than this is not put in: its letter stays."""
TERSE = 40
"""And so is a value longer than this in a long derivation."""
UNBROKEN = 120
"""A fraction as long as this fits a line, as its exponents are small."""
SQUARES = 100
"""And one over a number, whose names are not small, if it is no longer than this."""
LONGEST = 4 * PAGE_WIDTH
"""A side that would be longer is not written."""


@dataclass(frozen=True)
class Entries:
    """The worked forms that a page shows, as far as they fit."""

    measure: Measure
    form: Format
    every: bool = False
    terse: bool = False
    """Of a long derivation, the first entry of each matrix and short values alone."""

    @property
    def most(self) -> int:
        """How many entries of a row are worked out."""
        return 1 if self.terse else FIRST

    def worked(self, step: Step) -> Iterator[Chain]:
        """A chain an entry; of contributions, the sum that each row makes."""
        if isinstance(step.op, Transpose) or is_single(step.name):
            return
        rows, columns = sums(step) if is_sum(step) else step.shape
        is_small = rows * columns <= SMALL and not self.terse
        for i in range(rows if self.every or is_small else 1):
            chains = [self.contributions(step, i)] if is_sum(step) else self.row(step, i)
            yield from (c for c in chains if self.measure.chain(c) <= LONGEST)

    def row(self, step: Step, i: int) -> Iterator[Chain]:
        """The entries of a row."""
        columns = step.shape[1]
        values, worked = self.short(value_of(step)), step.worked_row(i)
        for j in range(columns if self.every else min(columns, self.most)):
            yield self.entry(step, i, j, Worked(worked[j], values))

    def entry(self, step: Step, i: int, j: int, put_in: Worked) -> Chain:
        """S_12 = the numbers put in = the value, and its digits where the matrix has no room."""
        value, put_in = step.value[i, j], self.parted(put_in)
        is_new = self.measure.text(put_in, PLAIN) != self.measure.text(value, PLAIN)
        room = TERSE if self.terse else PAGE_WIDTH
        is_told = len(self.measure.text(value)) <= room and not self.is_name(step, value)
        is_shown = not is_told or (is_new and not self.is_unbroken(put_in))
        sides: list[tuple[str, Any]] = [("=", put_in)] * is_shown
        sides += [("=", value)] * is_told
        if not is_integer(value) and not self.measure.fits(step.value):
            digits = Certifier().certify(value, self.form).digits
            sides += [("~", Digits(digits))] if digits else []
        return Chain(step.entries[i, j], tuple(sides))

    def parted(self, put_in: Worked) -> Worked:
        """A sum over a number that no line holds as the sum of its parts, which lines can hold."""
        match put_in.term:
            case Quotient(Sum(terms), Value() as bottom):
                if len(self.measure.text(put_in)) > SQUARES:
                    return Worked(Sum(tuple(Quotient(x, bottom) for x in terms)), put_in.values)
        return put_in

    def is_unbroken(self, put_in: Worked) -> bool:
        """Whether it is a fraction that no line holds."""
        return isinstance(put_in.term, Quotient) and len(self.measure.text(put_in)) > UNBROKEN

    def is_name(self, step: Step, value: Scalar | NegativeInfinity) -> bool:
        """Whether the value would be written as the entry itself."""
        return is_power(step) and any(
            m.exponent in self.measure.names.entries for m in terms(value)
        )

    def short(self, values: Callable[[Entry], Any]) -> Callable[[Entry], Any]:
        """The values that are put in where they are short; the letters of others stay."""

        def value(entry: Entry) -> Any:
            found = values(entry)
            return found if len(self.measure.text(found)) <= SHORT else None

        return value

    def contributions(self, step: Step, i: int) -> Chain:
        """o_1 = A_11 v_1 + A_12 v_2 ... = the numbers put in = the vectors to be added."""
        assert isinstance(step.op, Contributions)
        by_rows = step.op.along == "rows"
        weights, values = map(step.op.by_rows, step.operands)
        names = [s.name for s in step.inputs]
        places = [(i + 1, j + 1) if by_rows else (j + 1, i + 1) for j in range(weights.shape[1])]
        letters = [Entry(names[0], p) * Row(names[1], j) for j, p in enumerate(places, 1)]
        written = (Grid((row,)) for row in values.rows)
        numbers = [
            Value(a) * (x if by_rows else Turned(x))
            for a, x in zip(weights.rows[i], written, strict=True)
        ]
        parts = Matrix(weights.rows[i : i + 1]).weighted_rows(values)
        vectors = [Grid((row,)) if by_rows else Turned(Grid((row,))) for row in parts.rows]
        sides = [letters, *(side for side in (numbers, vectors) if self.has_room(side))]
        output = Row(beside(step.name, "O"), i + 1)
        return Chain(output, tuple(("=", Sum(tuple(side))) for side in sides))

    def has_room(self, terms: Sequence[Any]) -> bool:
        """Whether every term of a sum fits a line of its own."""
        return all(len(self.measure.text(x)) <= PAGE_WIDTH - 12 for x in terms)


def is_sum(step: Step) -> bool:
    """Whether the step's rows are parts of a sum rather than results."""
    return isinstance(step.op, Contributions)


def sums(step: Step) -> tuple[int, int]:
    """Of contributions: how many sums there are, and of how many terms each."""
    rows, columns = step.inputs[0].shape
    return (rows, columns) if getattr(step.op, "along", "rows") == "rows" else (columns, rows)


def is_power(step: Step) -> bool:
    """Whether the step's entries are the powers of e that other steps may name."""
    return isinstance(step.op, Exponential)


def terms(x: Scalar | NegativeInfinity) -> Iterable[Monomial]:
    """The monomials of the numerator; -oo has none."""
    return () if isinstance(x, NegativeInfinity) else x.num


def value_of(step: Step) -> Callable[[Entry], Any]:
    """What to put in for an entry of the step's inputs."""
    operands = dict(zip((s.name for s in step.inputs), step.operands, strict=True))

    def value(entry: Entry) -> Any:
        row, column = place(entry.step, tuple(map(int, entry.indices))) or (1, 1)
        return operands[entry.step][row - 1, column - 1]

    return value


def is_integer(x: Scalar | NegativeInfinity) -> bool:
    """Whether decimals would say nothing new."""
    return isinstance(x, NegativeInfinity) or (x.is_rational and x.fraction[1] == 1)
