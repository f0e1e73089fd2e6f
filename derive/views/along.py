"""The page of a number along one symbol: its function, values, limits, zeros, peak and plot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from derive.certify import Certified, Certifier
from derive.digits import numeral_of
from derive.exact import Scalar, number, symbol
from derive.exact.ball import precision
from derive.exact.expand import opened
from derive.exact.growth import Limit
from derive.exact.range import BITS, Peak, ball, peak, zeros
from derive.exact.trace import Digits, Value
from derive.exact.trace import Symbol as Letter
from derive.gradients.along import Along
from derive.numerals import Format, numeral
from derive.render.blocks import Chain, Equations, Heading, Page, Plot, Table, Text
from derive.words import titled, words

MOST_TERMS, SHORT = 40, 16
"""A closed form of more terms is not printed; a second derivative only where it is short."""
COUNTS, DRAWN = (4, 5, 6, 7, 8, 9, 10), 160
"""Of so many pieces is the table, whichever gives the simplest points, and so many the curves."""
FACTORS = (Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4))
F, SLOPE, CURVE = Letter("f"), Letter("f'"), Letter("f''")


@dataclass(frozen=True)
class AlongOptions:
    """What the page shows: the range, from its lower to its upper end, and how it is rounded."""

    form: Format = field(default_factory=Format)
    lang: str = "en"
    range: tuple[Fraction, Fraction] | None = None


def along_page(found: Along, options: AlongOptions) -> Page:
    """The page.  InputError where the number is not defined in the range."""
    view = _View(found, options)
    own = titled(found.derivation.problem.title, options.lang)
    title = view.say("along title", found.of, found.text, own).rstrip(":： ")
    return Page(title, options.lang, (Heading(title, 1), *view.blocks()))


def default_range(found: Along) -> tuple[Fraction, Fraction]:
    """A range around the value in the problem."""
    here = found.here
    known = Fraction(*here.fraction) if here is not None and here.is_rational else None
    if found.text == "temperature":
        middle = known or Fraction(1)
        return middle * FACTORS[0], middle * FACTORS[-1]
    if "[" in found.text:
        return (known or Fraction(0)) - 3, (known or Fraction(0)) + 3
    return Fraction(0), Fraction(4 if "*" in found.text else 1)


def points(found: Along, options: AlongOptions) -> list[Fraction]:
    """The exact points of the table, the problem's own among them."""
    low, high = options.range or default_range(found)
    here = found.here
    count = min(COUNTS, key=lambda k: (((high - low) / k).denominator, abs(k - COUNTS[2])))
    chosen = {low + (high - low) * k / count for k in range(count + 1)}
    if found.text == "temperature" and options.range is None:
        chosen = {low / FACTORS[0] * k for k in FACTORS}
    if here is not None and here.is_rational and low <= Fraction(*here.fraction) <= high:
        chosen.add(Fraction(*here.fraction))
    return sorted(chosen)


@dataclass(frozen=True)
class _View:
    found: Along
    options: AlongOptions

    def say(self, key: str, *values: object) -> str:
        text: str = words(self.options.lang)["exploration"][key]
        return text.format(*values)

    @cached_property
    def ends(self) -> tuple[Fraction, Fraction]:
        return self.options.range or default_range(self.found)

    @property
    def spoken(self) -> tuple[str, str]:
        """The ends of the range in words."""
        return _sign(str(self.ends[0])), _sign(str(self.ends[1]))

    def blocks(self) -> Iterator[Any]:
        yield Text(tuple(self.varied()))
        yield from self.functions()
        if not self.found.slope.num:
            yield Text(self.say("along constant"))
            return
        yield Text(self.say("along table"))
        yield self.table()
        yield self.plot()
        yield Text(self.say("along limits"))
        yield self.limits()
        yield Text(self.zeros("zero f", self.found.quantity, self.found.slope))
        yield Text(self.zeros("zero slope", self.found.slope, self.found.curvature))
        yield Text(self.peak())

    def varied(self) -> Iterator[Any]:
        yield self.say("along varied", self.found.text)
        yield Value(symbol(self.found.symbol))
        if self.found.here is not None:
            yield self.say("along here")
            yield Value(self.found.here)
        yield self.say("stop")

    def functions(self) -> Iterator[Any]:
        pair = ((F, self.found.quantity), (SLOPE, self.found.slope))
        second = opened(self.found.curvature)
        three = list(pair)
        if second is not None and second.size <= SHORT:
            three.append((CURVE, second))
        short = [Chain(name, (("=", Value(x)),)) for name, x in three if x.size <= MOST_TERMS]
        if short:
            yield Text(self.say("along functions", self.found.of))
            yield Equations(tuple(short))
        if any(_has_letters(x) for _, x in pair if x.size <= MOST_TERMS):
            yield Text(self.say("along letters"))
        longest = max(x.size for _, x in pair)
        if longest > MOST_TERMS:
            yield Text(self.say("along long", longest))

    # --- numbers

    def table(self) -> Table:
        rows = []
        for x in points(self.found, self.options):
            exact = number(x.numerator, x.denominator)
            values = self.found.at(exact, self.options.form)
            rows.append(((Value(exact),), *(_shown(c) for c in values)))
        return Table(((Value(symbol(self.found.symbol)),), (F,), (SLOPE,)), tuple(rows), (1, 2))

    def limits(self) -> Table:
        sides = (("zero", "0"), ("infinity", "∞"))
        rows = tuple(
            (sign, *(self.limit(x) for x in self.found.limits[key])) for key, sign in sides
        )
        return Table(((*self.tends(),), (F,), (SLOPE,)), rows)

    def tends(self) -> Iterator[Any]:
        before, after = self.say("limit to", "\0").split("\0")
        yield from (before, Value(symbol(self.found.symbol)), after)

    def limit(self, x: Limit | None) -> Any:
        if x is None:
            return self.say("undecided")
        if x.value is None:
            return "∞" if x.side > 0 else "−∞"
        if x.value.is_rational:
            return (Value(x.value),)
        (digits,) = Certifier().certify_all((x.value,), self.options.form)
        about = Chain(Value(x.value), (("~", Digits(str(digits))),))
        return (about,) if x.value.size <= MOST_TERMS else _shown(digits)

    # --- zeros and the peak

    def zeros(self, key: str, f: Scalar, slope: Scalar) -> str:
        what, (low, high) = self.say(key), self.ends
        if not f.num:
            return self.say("zeros identical", what)
        found = zeros(f, slope, self.found.symbol, low, high)
        if found.open:
            # Within a sentence, not at its head.
            return self.say("zeros undecided", what[:1].lower() + what[1:], *self.spoken)
        if not found.found:
            return self.say("zeros none", what, *self.spoken)
        places = self.say("zero list").join(self.place(z.low, z.high) for z in found.found)
        return self.say("zeros at", what, places, *self.spoken)

    def place(self, low: Fraction, high: Fraction) -> str:
        """A place on the range in digits, or exactly."""
        if low == high:
            return self.say("exactly", _sign(str(low)))
        with precision(BITS):
            digits = numeral_of(ball(low, high), self.options.form)
        return self.say("about", _sign(digits)) if digits else f"{float(low):.6g}"

    def peak(self) -> str:
        found = peak(self.found.slope, self.found.curvature, self.found.symbol, *self.ends)
        value = None if found is None else self.height(found)
        if found is None or value is None:
            return self.say("peak undecided", *self.spoken)
        return self.say("peak at", self.place(found.low, found.high), value, *self.spoken)

    def height(self, found: Peak) -> str | None:
        with precision(BITS):
            if found.value.is_exact():
                mantissa, exponent = found.value.man_exp()
                exact = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
                return numeral(exact.numerator, exact.denominator, self.options.form)
            return numeral_of(found.value, self.options.form)

    # --- the picture

    def plot(self) -> Plot:
        low, high = self.ends
        places = [low + (high - low) * k / DRAWN for k in range(DRAWN + 1)]
        pair = (self.found.quantity, self.found.slope)
        curves = [tuple((float(x), self.drawn(f, x)) for x in places) for f in pair]
        names = (self.found.of, self.say("derivative"))
        label = self.say("plot label", self.found.of, self.found.text, *self.spoken)
        return Plot(label, self.across, tuple(zip(names, curves, strict=True)))

    @property
    def across(self) -> str:
        """What the axis is: the symbol of a multiple, else what varies."""
        return self.found.symbol if "*" in self.found.text else self.found.text

    def drawn(self, f: Scalar, x: Fraction) -> float:
        """A point of a curve, good enough to be drawn; nan where there is none."""
        return drawn(f, self.found.symbol, x)


def drawn(f: Scalar, name: str, x: Fraction) -> float:
    """The middle of a ball with f(x) as a float; nan where it is not finite."""
    from derive.exact.range import value_on

    with precision(BITS):
        found = value_on(f, name, ball(x, x))
        return float(found.mid()) if found.is_finite() else float("nan")


def _shown(c: Certified) -> Any:
    return (Digits(c.digits),) if c.digits is not None else str(c)


def _sign(digits: str) -> str:
    return digits.replace("-", "−")


def _has_letters(x: Scalar) -> bool:
    from derive.exact.extent import letters_of

    return any(True for _ in letters_of(x))
