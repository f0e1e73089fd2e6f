"""A table of shapes and counts as a page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from derive.counts import Group, Part, ShapeTable
from derive.counts.letters import d_k, d_model, h, spelled
from derive.exact import Scalar, number, symbol
from derive.exact.trace import Name, Product, Quotient, Value
from derive.render.blocks import (
    Chain,
    Equations,
    Heading,
    Inline,
    Note,
    Page,
    Table,
    Text,
    Worked,
)
from derive.views.shape_data import plain
from derive.views.shape_words import say, word
from derive.words import titled


def shapes_page(table: ShapeTable, lang: str) -> Page:
    """Sizes, what is counted, each group in letters and in numbers, and the whole."""
    title = titled(table.title, lang) or say("title", lang)
    return Page(title, lang, tuple(_View(table, lang).blocks(title)))


@dataclass(frozen=True)
class _View:
    table: ShapeTable
    lang: str

    def say(self, key: str, *values: object) -> str:
        return say(key, self.lang, *values)

    @property
    def is_whole(self) -> bool:
        """Whether this is a model of layers, not a list of steps."""
        return self.table.architecture is not None

    def blocks(self, title: str) -> Iterator[Any]:
        yield Heading(title, 1)
        yield from self.sizes()
        for group in self.table.groups:
            yield from self.group(group)
        yield from self.total()
        yield from self.comparison()

    # --- sizes

    def sizes(self) -> Iterator[Any]:
        if self.table.sizes:
            yield Heading(self.say("sizes"))
            header = tuple((self.say(key),) for key in ("letter", "meaning", "size"))
            rows = tuple(
                ((Value(symbol(letter)),), (self.meaning(letter),), _numeral(x))
                for letter, x in self.table.sizes.items()
            )
            yield Table(header, rows, (2,))
            yield from self.head_width()
        yield Text(self.say("counted" if self.is_whole else "counted steps"))

    def meaning(self, letter: str) -> str:
        if letter == "n" and "m" in self.table.sizes:
            return word("sizes", "target" if self.is_whole else "queries", self.lang)
        if letter == "m" and self.is_whole:
            return word("sizes", "source", self.lang)
        return word("sizes", letter, self.lang)

    def head_width(self) -> Iterator[Any]:
        """h d_k = 8 x 64 = 512, the width that the heads fill side by side."""
        found = [self.table.sizes.get(letter) for letter in ("h", "d_k", "d_model")]
        if any(x is None or not x.is_rational for x in found):
            return
        heads, width, whole = map(Value, found)  # type: ignore[arg-type]
        if found[0] * found[1] == found[2]:  # type: ignore[operator]
            yield Text(self.say("head width"))
            side = Chain(Value(d_k), (("=", Quotient(Value(d_model), Value(h))),))
            divided = (*side.rest, ("=", Quotient(whole, heads)), ("=", width))
            product = (("=", _worked(Product((heads, width)))), ("=", whole))
            yield Equations((Chain(Value(d_k), divided), Chain(_formula(h * d_k), product)))

    # --- a group

    def group(self, group: Group) -> Iterator[Any]:
        yield Heading(self.heading(group))
        comment = word("comments", group.name, self.lang)
        if comment and self.is_whole:
            yield Text(comment)
        for sublayer, parts in groupby(group.parts, key=lambda part: part.sublayer):
            if sublayer:
                yield Heading(self.say(sublayer), 3)
            yield from self.tables(tuple(parts))
        if group.name.endswith("layer"):
            yield Text(self.say("of one layer"))
            formulas = (("N_layer", group.parameters), ("M_layer", group.multiply_adds))
            yield Equations(tuple(self.counted(name, x) for name, x in formulas))

    def tables(self, parts: tuple[Part, ...]) -> Iterator[Any]:
        """In letters, and in numbers where there are any."""
        letters = set().union(*(part.letters for part in parts))
        if letters:
            yield Table(self.header("letters"), tuple(self.row(p, lambda x: x) for p in parts))
        if any(self.table.sizes[name] != symbol(name) for name in letters) or not letters:
            rows = tuple(self.row(part, self.table.value) for part in parts)
            yield Table(self.header("numbers"), rows, (2, 3))

    def heading(self, group: Group) -> str:
        text = self.say(group.name)
        if not group.name.endswith("layer"):
            return text
        times = self.table.value(group.times)
        count = f"L = {times.fraction[0]:,}" if times.is_rational else plain(times)
        return text + self.say("times", count)

    def header(self, key: str) -> tuple[Inline, ...]:
        return (
            (self.say(key),),
            *((self.say(k),) for k in ("shape", "parameters", "multiply-adds")),
        )

    def row(self, part: Part, value: Callable[[Scalar], Scalar]) -> tuple[Inline, ...]:
        counts = (_numeral(value(x)) for x in (part.parameters, part.multiply_adds))
        return self.label(part), _tuple([_side(value(x)) for x in part.shape]), *counts

    def label(self, part: Part) -> Inline:
        """A part in words, with its letter; a step of a derivation by its letter alone."""
        text = word("parts", part.name, self.lang)
        if not self.is_whole or not text:
            return (Name(part.name),)
        pieces = re.split("[{](.+?)[}]", text)
        return tuple(Name(x) if k % 2 else x for k, x in enumerate(pieces) if x)

    def number(self, formula: Scalar) -> Inline:
        return _numeral(self.table.value(formula))

    # --- the whole

    def total(self) -> Iterator[Any]:
        """The groups, `times` over, in the columns that are numbers; and the sums in letters."""
        table = self.table
        columns = {
            "parameters": [g.times * g.parameters for g in table.groups],
            "multiply-adds": [g.times * g.multiply_adds for g in table.groups],
        }
        whole = {"parameters": table.parameter_formula, "multiply-adds": table.multiply_add_formula}
        known = [key for key, total in whole.items() if table.value(total).is_rational]
        yield Heading(self.say("whole"))
        names = [*map(self.heading, table.groups), self.say("together")]
        cells = [map(self.number, (*columns[key], whole[key])) for key in known]
        if known:
            header = tuple((self.say(key),) for key in ("part", *known))
            rows = zip(((name,) for name in names), *cells, strict=True)
            yield Table(header, tuple(rows), tuple(range(1, len(header))))
        if any(x.free_symbols for x in whole.values()):
            chains = zip(("N", "M"), whole.values(), strict=True)
            yield Equations(tuple(self.counted(name, x) for name, x in chains))

    def counted(self, name: str, formula: Scalar) -> Chain:
        """N = its formula = its number."""
        value = self.table.value(formula)
        sides = [("=", _formula(formula))] + [("=", _formula(value))] * (value != formula)
        return Chain(Value(symbol(name)), tuple(sides))

    def comparison(self) -> Iterator[Any]:
        """Beside a published count: how far apart, and the vocabularies that would give it."""
        a = self.table.architecture
        total = self.table.value(self.table.parameter_formula)
        if a is None or a.published is None or not total.is_rational:
            return
        found, said = total.fraction[0], a.published
        low, high = said.bounds
        yield Heading(self.say("published"))
        source = self.say("source", said.source) if said.source else ""
        if low <= found <= high:
            yield Text(self.say("agrees", f"{said.parameters:,}", source))
            return
        yield Text(
            self.say("differs", f"{said.parameters:,}", source, _signed(found - said.parameters))
        )
        yield from self.vocabulary(low, high)
        if comment := word("comments", a.name, self.lang):
            yield Note(comment)

    def vocabulary(self, low: int, high: int) -> Iterator[Any]:
        """The vocabularies under which the count would lie between two bounds."""
        known = {k: x for k, x in self.table.sizes.items() if k != "V"}
        formula = self.table.parameter_formula.substitute(known)
        rest, more = (formula.substitute({"V": number(v)}).fraction[0] for v in (0, 1))
        if more > rest:
            first, last = -((rest - low) // (more - rest)), (high - rest) // (more - rest)
            if 1 <= first <= last:
                counts = (f"{x:,}" for x in (more - rest, first, last))
                yield Text(self.say("vocabulary", *counts))


# --- cells


def _worked(term: Any) -> Worked:
    """A term whose factors stand with dots between them."""
    return Worked(term, lambda entry: None)


def _formula(x: Scalar) -> Any:
    return Value(x) if x.is_rational else _worked(spelled(x))


def _side(x: Scalar) -> Any:
    return f"{x.fraction[0]}" if x.is_rational else _formula(x)


def _numeral(x: Scalar) -> Inline:
    if x.is_rational and x.fraction[1] == 1:
        return (f"{x.fraction[0]:,}",)
    return (_formula(x),)


def _signed(x: int) -> str:
    return f"{x:+,}".replace("-", "−")


def _tuple(sides: list[Any]) -> Inline:
    parts: list[Any] = ["("]
    for k, side in enumerate(sides):
        parts += [", ", side] if k else [side]
    return (*parts, ")")
