"""The attention weights in words, as shades, and what a hand calculation of them needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from derive.certify import Certifier
from derive.derivation import Derivation
from derive.exact import Matrix, NegativeInfinity, number
from derive.exact.names import label
from derive.exact.trace import Digits, Exponential, Name, Value
from derive.numerals import Format, numeral
from derive.ops import Exponential as ExponentialOp
from derive.render.blocks import Heatmap, Table, Text
from derive.step import Step
from derive.views.measure import PAGE_WIDTH
from derive.words import phrase

MOST_TOKENS = 12
"""More tokens are not read aloud, and their map has no room for numbers."""
MOST_PLACES = 20
"""More places are not worked out by hand."""
MOST_CARRIED = 12
"""So many places are tried for the exponentials of a hand calculation."""


@dataclass(frozen=True)
class Weights:
    """What is said of a step of weights; `form` is how its decimals are rounded."""

    derivation: Derivation
    form: Format
    lang: str

    def say(self, key: str, *values: object) -> str:
        """A phrase in the language."""
        return phrase(key, self.lang, *values)

    def blocks(self, step: Step) -> Iterator[Any]:
        """Read aloud, and as a map, where every weight is a number and there are not too many."""
        rows, columns = step.shape
        if max(rows, columns) > MOST_TOKENS or not all(x.is_number for x in step.value):
            return
        if label(step.name).base != "P":
            yield Text(self.aloud(step))
        heatmap = self.heatmap(step)
        if _width(heatmap) <= PAGE_WIDTH:
            yield heatmap

    def aloud(self, step: Step) -> str:
        """Token 1 gives 40.1 % to token 1, ...: each percentage rounded by itself."""
        hundred = by_query(step, step.value) * number(100)
        certifier = Certifier()
        tenths = Format(places=1, rounding=self.form.rounding)
        asking, met = self.texts(step)
        kind = "key" if self.is_crossed(step) else "token"
        sentences = []
        for i, row in enumerate(hundred.rows):
            shares = certifier.certify_all(row, tenths)
            parts = [
                self.say("share", _share(c.digits or "?"), self.name(kind, j, met))
                for j, c in enumerate(shares)
                if not c.value.is_zero
            ]
            gives = self.say("gives", self.name("asker", i, asking))
            sentences.append(gives + self.say("comma").join(parts) + self.say("stop"))
        return self.say("space").join(sentences)

    def name(self, kind: str, k: int, tokens: Sequence[str]) -> str:
        """Number k + 1 of its kind, with its word where it has one."""
        return self.say(f"{kind} named", k + 1, tokens[k]) if tokens else self.say(kind, k + 1)

    def texts(self, step: Step) -> tuple[Sequence[str], Sequence[str]]:
        """The words that ask and those that are asked; none where they have no words."""
        problem, scopes = self.derivation.problem, label(step.name).scopes
        asking = problem.tokens
        if problem.model == "seq2seq" and "enc" not in scopes:
            asking = (problem.targets or ())[:-1]
        met = asking
        if self.is_crossed(step):
            met = problem.tokens if problem.model == "seq2seq" else ()
        rows, columns = by_query(step, step.value).shape
        return asking if len(asking) == rows else (), met if len(met) == columns else ()

    def is_crossed(self, step: Step) -> bool:
        """Whether the keys come from another text than the queries."""
        scopes = label(step.name).scopes
        return "cross" in scopes or ("context" in self.derivation and "self" not in scopes)

    def heatmap(self, step: Step) -> Heatmap:
        """The weights as shades."""
        certifier = Certifier()
        digits = self.derivation.certified(step.name, self.form)
        cells = tuple(
            tuple((str(c), certifier.double(c.value) or 0.0) for c in row) for row in digits
        )
        asking, met = self.texts(step)
        words, said = (asking, met), "heatmap"
        if is_turned(step):
            words, said = (met, asking), "heatmap columns"
        if label(step.name).base == "P":
            words, said = (asking, self.derivation.problem.vocabulary), "heatmap words"
        rows, columns = map(sides, words, step.shape)
        return Heatmap(self.say(said, step.name), rows, columns, cells)

    # --- by hand

    def by_hand(self, step: Step) -> Iterator[Any]:
        """The powers of e that the weights need, and how many of their places to carry."""
        source = next((s for s in step.inputs), None)
        if source is None or step.is_deep or not all(x.is_number for x in source.value):
            return
        if max(self.form.places, self.form.digits or 0) > MOST_PLACES:
            return
        powers = {x: None for x in source.value if not isinstance(x, NegativeInfinity)}
        if not 1 < len(powers) <= 2 * MOST_TOKENS:
            return
        carried = self.carried(step)
        places = Format(places=carried or self.form.places, rounding=self.form.rounding)
        certifier = Certifier()
        ordered = sorted(powers, key=lambda x: certifier.double(x) or 0.0)
        values = certifier.certify_all(ordered, places)
        exponentials = certifier.certify_all([x.exp() for x in ordered], places)
        yield Text(self.say("powers"))
        yield Table(
            ((Name("x"),), (Name("x"), " ≈"), (Exponential(Name("x")), " ≈")),
            tuple(
                ((Value(x),), (Digits(str(v)),), (Digits(str(e)),))
                for x, v, e in zip(ordered, values, exponentials, strict=True)
            ),
            numbers=(1, 2),
        )
        if carried is not None and self.form.digits is None:
            yield Text(self.say("carry", carried, self.form.places))

    def carried(self, step: Step) -> int | None:
        """The fewest places of the exponentials from which every weight comes out right."""
        if self.form.digits is not None:
            return None
        turned = is_turned(step)
        certified = self.derivation.certified(step.name, self.form)
        exact = [
            [c.digits for c in row]
            for row in (zip(*certified, strict=True) if turned else certified)
        ]
        power = next((s for s in self.derivation.steps if isinstance(s.op, ExponentialOp)), None)
        if power is None:
            return None
        for places in range(self.form.places, self.form.places + MOST_CARRIED):
            if self.weights_from(power, places, turned) == exact:
                return places
        return None

    def weights_from(self, power: Step, places: int, turned: bool) -> list[list[str]] | None:
        """The weights to the places asked for, from exponentials rounded to so many places."""
        rounded = self.derivation.certified(power.name, Format(places, None, self.form.rounding))
        rows = []
        for row in zip(*rounded, strict=True) if turned else rounded:
            values = [_at_places(c.digits or "") for c in row]
            if None in values or not any(values):
                return None
            known = [v for v in values if v is not None]
            shares = [v / sum(known) for v in known]
            rows.append([numeral(x.numerator, x.denominator, self.form) for x in shares])
        return rows


def sides(words: Sequence[str], count: int) -> tuple[str, ...]:
    """The names along a side, or their numbers where it has none."""
    return tuple(map(_shortened, words)) or tuple(map(str, range(1, count + 1)))


def is_turned(step: Step) -> bool:
    """Whether the weights of a query stand in a column."""
    return getattr(step.op, "along", "rows") == "columns"


def by_query(step: Step, matrix: Matrix) -> Matrix:
    """A matrix such as the weights with a row for each query."""
    return matrix.T if is_turned(step) else matrix


def _width(heatmap: Heatmap) -> int:
    widths = (
        max(len(numeral) for numeral, _ in column) for column in zip(*heatmap.cells, strict=True)
    )
    names = map(len, heatmap.columns)
    side = max(map(len, heatmap.rows))
    return side + sum(max(w, name) + 4 for w, name in zip(widths, names, strict=True))


def _shortened(name: str) -> str:
    return name if len(name) <= 12 else name[:11] + "…"


def _share(digits: str) -> str:
    """A percentage; of one that would be 0.0, only that it is less than the least that shows."""
    return "< 0.1" if "e-" in digits else digits


def _at_places(digits: str) -> Fraction | None:
    """The numeral as a hand calculation has it: 0 where it is below the places."""
    _, _, power = digits.partition("e")
    if power:
        return Fraction(0) if power.startswith("-") else None
    return Fraction(digits) if digits else None
