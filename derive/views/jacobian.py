"""The page of a Jacobian: its layout, its entries exactly and in digits, and a softmax's facts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from derive.certify import Certifier, Format
from derive.derivation import Derivation
from derive.errors import Unproved
from derive.exact import Scalar, number, symbol
from derive.exact.trace import (
    Apply,
    Digits,
    Function,
    Grid,
    Power,
    Product,
    Quotient,
    Transpose,
    Value,
)
from derive.exact.trace import Symbol as Letter
from derive.gradients.jacobian import Jacobian, jacobian
from derive.gradients.softmax import SoftmaxRow, softmax_row
from derive.ops import Mask, Scale, Softmax
from derive.render.blocks import Chain, Equations, Heading, Page, Text
from derive.step import Step
from derive.views.letters import letters
from derive.views.measure import Measure, grid
from derive.words import titled, words

MOST_DIGITS, SHORT = 12, 12
"""So many rows and columns are written in digits; a closed form of so many terms is short."""


def jacobian_page(d: Derivation, of: str, by: str, form: Format, lang: str) -> Page:
    """The Jacobian of a step by a step as a page.  InputError for names that are no steps."""
    view = _View(d, jacobian(d, of, by), form, lang, [])
    own = titled(d.problem.title, lang)
    title = view.say("jacobian title", of, by, own).rstrip(":： ")
    blocks = (Heading(title, 1), *view.blocks())
    return Page(title, lang, blocks, d.names, tuple(view.undecided))


@dataclass(frozen=True)
class _View:
    derivation: Derivation
    found: Jacobian
    form: Format
    lang: str
    undecided: list[str]

    def say(self, key: str, *values: object) -> str:
        text: str = words(self.lang)["exploration"][key]
        return text.format(*values)

    def blocks(self) -> Iterator[Any]:
        of, by = self.found.of, self.found.by
        rows, columns = self.found.matrix.shape
        yield Text(self.say("jacobian layout", of.name, by.name, rows, columns))
        if spoken := tuple(letters(self.derivation, self.lang)):
            yield Text(spoken)
        if blocks := list(self.softmax()):
            yield Text(self.sentence("jacobian blocks", of.name, by.name))
        exact = grid(self.found.matrix)
        fits = Measure(self.derivation.names).fits(self.found.matrix)
        if fits:
            yield Text(self.say("jacobian exact"))
            yield Equations((Chain(self.name, (("=", exact),)),))
        elif columns > MOST_DIGITS or rows > MOST_DIGITS:
            yield Text(self.say("jacobian large", of.name, by.name))
        if columns <= MOST_DIGITS and rows <= MOST_DIGITS and self.is_number:
            yield Text(self.say("jacobian digits"))
            yield Equations((Chain(self.name, (("~", self.digits()),)),))
        yield from blocks

    @property
    def is_number(self) -> bool:
        return all(x.is_number for x in self.found.matrix)

    @property
    def name(self) -> Letter:
        return Letter("J")

    def digits(self) -> Grid:
        rows = self.found.certified(self.form)
        self.undecided.extend(f"J[{i}][{j}]" for i, row in enumerate(rows, 1)
                              for j, c in enumerate(row, 1) if c.undecided)  # fmt: skip
        return Grid(tuple(tuple(Digits(c.digits or "") for c in row) for row in rows))

    def sentence(self, key: str, *values: object) -> tuple[Any, ...]:
        """A sentence in which diag(a) − a aᵀ is set as mathematics."""
        before, *after = self.say(key, *values).split("diag(a) − a aᵀ")
        term = Apply("diag", Letter("a")) - Letter("a") @ Transpose(Letter("a"))
        return (before, *(part for text in after for part in (term, text)))

    # --- softmax

    def softmax(self) -> Iterator[Any]:
        """What is known of each row's block."""
        of = self.found.of
        if not (isinstance(of.op, Softmax) and of.op.along == "rows" and self.is_before(of)):
            return
        if of.is_deep or not all(x.is_number for x in of.value):
            return
        for i, row in enumerate(of.value.rows, 1):
            try:
                yield from self.row(i, softmax_row(row))
            except Unproved:
                continue

    def is_before(self, of: Step) -> bool:
        """Whether `by` are the scores of the softmax, or what is scaled and masked to be them."""
        step = of
        while step.name != self.found.by.name:
            if not isinstance(step.op, (Softmax, Scale, Mask)):
                return False
            step = step.inputs[0]
        return step is not of

    def row(self, i: int, found: SoftmaxRow) -> Iterator[Any]:
        yield Heading(self.say("softmax row", i), 3)
        if found.rank == 0:
            yield Text(self.say("softmax saturated", i))
            return
        key = "softmax bounds" if found.eigenvalues is None else "softmax facts"
        yield Text(self.sentence(key, i, found.rank))
        chains = [self.about(Apply("tr", Letter("J")), found.trace)]
        chains += self.eigenvalues(found)
        if found.eigenvalues is None and found.bounds is not None:
            low, high = found.bounds
            chains.append(
                Chain(Value(low), (("<=", Value(symbol("lamda_1"))), ("<=", Value(high))))
            )
        yield Equations(tuple(chains))

    def eigenvalues(self, found: SoftmaxRow) -> Iterator[Chain]:
        """Closed where that is short; else as roots of a quadratic, first what is under them."""
        values = found.eigenvalues or ()
        is_long = any(x.size > SHORT for x in values) and found.square is not None
        if is_long and found.square is not None:
            weights = Product((Value(number(12)), *map(Letter, ("a_1", "a_2", "a_3"))))
            three = Power(Apply("tr", Letter("J")), 2) - weights
            yield Chain(Letter("D"), (("=", three), ("=", Value(found.square))))
        for k, x in enumerate(values, 1):
            root = Function("sqrt", Letter("D"))
            half = Quotient(
                Apply("tr", Letter("J")) + (root if k == 1 else -root), Value(number(2))
            )
            yield self.about(Value(symbol(f"lamda_{k}")), x, half if is_long else None)

    def about(self, name: Any, x: Scalar, formula: Any = None) -> Chain:
        """name = formula = x ≈ digits."""
        sides = [] if formula is None else [("=", formula)]
        if formula is None or x.size <= SHORT:
            sides.append(("=", Value(x)))
        if not x.is_rational:
            (digits,) = Certifier().certify_all((x,), self.form)
            sides.append(("~", Digits(digits.digits or "")))
        return Chain(name, tuple(sides))
