"""The page of saturation: gradients behind a softmax of two keys, scaled and not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from derive.certify import Certifier, Format
from derive.derivation import Derivation
from derive.digits import numeral_of
from derive.errors import InputError
from derive.exact import Scalar, number, symbol
from derive.exact.ball import precision
from derive.exact.range import BITS
from derive.exact.trace import Digits, Value
from derive.gradients.saturation import DELTA, Saturation, saturation
from derive.ops import Scores
from derive.render.blocks import Chain, Equations, Heading, Page, Plot, Table, Text
from derive.views.along import drawn
from derive.views.sentences import lettered
from derive.words import words

GAPS = tuple(Fraction(k, 2) for k in range(9))
SIZES = (2, 4, 8, 16, 64, 128)
DRAWN = 160


def saturation_page(d_k: int, form: Format, lang: str) -> Page:
    """For heads of that size.  InputError for a size below 2."""
    view = _View(saturation(d_k), form, lang)
    title = view.say("saturation title")
    return Page(title, lang, (Heading(title, 1), *view.blocks()))


def size_of(d: Derivation) -> int:
    """d_k of the first scores of a derivation.  InputError where there are none, or d_k = 1."""
    scores = next((step for step in d.steps if isinstance(step.op, Scores)), None)
    if scores is None:
        raise InputError("this derivation has no scores", expected="a problem with attention")
    queries, op = scores.inputs[0], scores.op
    size = queries.shape[1 if isinstance(op, Scores) and op.along == "rows" else 0]
    if size < 2:
        raise InputError("with d_k = 1 nothing is scaled", expected="d_k of at least 2")
    return size


@dataclass(frozen=True)
class _View:
    found: Saturation
    form: Format
    lang: str

    def say(self, key: str, *values: object) -> str:
        text: str = words(self.lang)["exploration"][key]
        return text.format(*values)

    @cached_property
    def names(self) -> tuple[str, str]:
        return self.say("saturation unscaled"), self.say("saturation scaled")

    def blocks(self) -> Iterator[Any]:
        d_k, far = self.found.d_k, self.found.far
        yield Text(lettered(self.say("saturation form")))
        pair = zip(("u", "v"), (self.found.unscaled, self.found.scaled), strict=True)
        yield Equations(tuple(Chain(Value(symbol(n)), (("=", Value(x)),)) for n, x in pair))
        yield Text(lettered(self.say("saturation table", d_k)))
        yield self.table()
        yield self.plot()
        yield Text(lettered(self.say("saturation limits")))
        yield Text(self.say("saturation crossover", *self.crossover(self.found), far))
        yield Text(self.say("saturation crossovers"))
        yield self.crossovers()

    def table(self) -> Table:
        functions = (self.found.unscaled, self.found.scaled, self.found.ratio)
        rows: list[tuple[Any, ...]] = []
        for gap in GAPS:
            x = number(gap.numerator, gap.denominator)
            exact = [f.substitute({DELTA: x}) for f in functions]
            digits = Certifier().certify_all(exact, self.form)
            rows.append(((Value(x),), *((Digits(c.digits or ""),) for c in digits)))
        last = self.say("saturation ratio")
        header = ((Value(symbol(DELTA)),), *self.names, last)
        return Table(header, tuple(rows), (1, 2, 3))

    def crossover(self, found: Saturation) -> tuple[str, str]:
        """delta and the raw gap there, in digits."""
        with precision(BITS):
            delta = found.crossover.ball
            pair = delta, delta * delta.__class__(found.d_k).sqrt()
            return tuple(numeral_of(x, self.form) or "?" for x in pair)  # type: ignore[return-value]

    def crossovers(self) -> Table:
        rows: list[tuple[Any, ...]] = []
        for d_k in SIZES:
            delta, raw = self.crossover(saturation(d_k))
            rows.append((str(d_k), (Digits(delta),), (Digits(raw),)))
        size, gap = (Value(symbol("d_k")),), (Value(symbol(DELTA)),)
        return Table((size, gap, self.say("saturation raw")), tuple(rows), (0, 1, 2))

    def plot(self) -> Plot:
        far = self.found.far
        places = [far * k / DRAWN for k in range(DRAWN + 1)]
        functions: tuple[Scalar, ...] = (self.found.unscaled, self.found.scaled)
        curves = [tuple((float(x), drawn(f, DELTA, x)) for x in places) for f in functions]
        label = self.say("saturation label", self.found.d_k, far)
        return Plot(label, "δ", tuple(zip(self.names, curves, strict=True)), is_shared=True)
