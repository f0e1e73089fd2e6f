"""The page of a sensitivity map: the magnitudes of a Jacobian as shades, the largest by name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import floor, log10
from typing import Any

from derive.certify import Certified, Format
from derive.derivation import Derivation
from derive.errors import InputError
from derive.exact.trace import Digits
from derive.gradients.jacobian import Jacobian, jacobian
from derive.places import entry_name
from derive.render.blocks import Heading, Heatmap, Note, Page, Table, Text
from derive.step import Step
from derive.words import titled, words

MOST_ENTRIES, MOST_NAMED = 12, 5
"""A map has so many rows and columns at most; so many of its entries are named."""
LEAST = -300
"""Of smaller powers of ten no double is left."""


def sensitivity_page(d: Derivation, of: str, by: str, form: Format, lang: str) -> Page:
    """The map of a step by a step.  InputError for names that are no steps, and for symbols."""
    view = _View(d, jacobian(d, of, by), form, lang)
    if not all(x.is_number for x in view.found.matrix):
        raise InputError(
            f"the derivatives of {of} by {by} have symbols, so they have no size to be shown",
            expected="numbers in the problem",
            hint="--jacobian writes them out",
        )
    own = titled(d.problem.title, lang)
    title = view.say("sensitivity title", of, by, own).rstrip(":： ")
    return Page(title, lang, (Heading(title, 1), *view.blocks()), undecided=view.undecided)


@dataclass(frozen=True)
class _View:
    derivation: Derivation
    found: Jacobian
    form: Format
    lang: str

    def say(self, key: str, *values: object) -> str:
        text: str = words(self.lang)["exploration"][key]
        return text.format(*values)

    @cached_property
    def certified(self) -> list[list[Certified]]:
        return self.found.certified(self.form)

    @cached_property
    def sizes(self) -> list[list[float]]:
        """The magnitudes over the largest of them, for shades and for the order."""
        parts = [[_parted(c.digits or "0") for c in row] for row in self.certified]
        most, top = max((x for row in parts for x in row if x[1]), default=(0, 1.0))
        return [[x / top * 10.0 ** max(k - most, LEAST) for k, x in row] for row in parts]

    @property
    def names(self) -> tuple[list[str], list[str]]:
        """The entries along both sides."""
        return _entries(self.found.of), _entries(self.found.by)

    @property
    def undecided(self) -> tuple[str, ...]:
        above, across = self.names
        return tuple(
            f"d{above[i]}/d{across[j]}"
            for i, row in enumerate(self.certified)
            for j, c in enumerate(row)
            if c.undecided
        )

    def blocks(self) -> Iterator[Any]:
        of, by = self.found.of.name, self.found.by.name
        rows, columns = self.found.matrix.shape
        yield Text(self.say("sensitivity layout", of, by))
        if max(rows, columns) <= MOST_ENTRIES:
            yield self.heatmap()
        else:
            yield Note(self.say("sensitivity large", rows, columns))
        if any(x for row in self.sizes for x in row):
            yield Text(self.say("sensitivity largest"))
            yield self.largest()
        zeros = sum(_is_zero(c) for row in self.certified for c in row)
        if zeros:
            yield Text(self.say("sensitivity zeros", zeros, rows * columns))

    def heatmap(self) -> Heatmap:
        cells = tuple(
            tuple(
                ((c.digits or "?").removeprefix("-"), size)
                for c, size in zip(row, sizes, strict=True)
            )
            for row, sizes in zip(self.certified, self.sizes, strict=True)
        )
        label = self.say("sensitivity label", self.found.of.name, self.found.by.name)
        above, across = self.names
        return Heatmap(label, tuple(above), tuple(across), cells)

    def largest(self) -> Table:
        above, across = self.names
        places = [(i, j) for i, row in enumerate(self.sizes) for j in range(len(row))]
        places.sort(key=lambda place: -self.sizes[place[0]][place[1]])
        rows = tuple(
            (f"∂{above[i]} / ∂{across[j]}", (Digits(self.certified[i][j].digits or "?"),))
            for i, j in places[:MOST_NAMED]
            if self.sizes[i][j]
        )
        return Table(("", self.say("sensitivity head")), rows, numbers=(1,))


def _parted(digits: str) -> tuple[int, float]:
    """(k, x) of a numeral x 10^k with 1 <= |x| < 10, without its sign; x = 0 of 0."""
    mantissa, _, power = digits.removeprefix("-").partition("e")
    x = float(mantissa)
    k = floor(log10(x)) if x else 0
    return int(power or 0) + k, x / 10.0**k


def _is_zero(c: Certified) -> bool:
    """Only of 0 are all digits 0: what is smaller than the places is in powers of ten."""
    return c.digits is not None and not set(c.digits) - set("0.")


def _entries(step: Step) -> list[str]:
    rows, columns = step.shape
    return [entry_name(step.name, i, j) for i in range(1, rows + 1) for j in range(1, columns + 1)]
