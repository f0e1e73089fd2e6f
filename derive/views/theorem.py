"""A theorem as a page: what it says, why, with which numbers, and where it stops."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from derive.exact import number, symbol
from derive.exact.letters import STEPS
from derive.exact.named import NO_NAMES, Names
from derive.exact.names import label
from derive.exact.scalar import sum_of
from derive.exact.trace import Entry, Exponential, Grid, Name, Value
from derive.render.blocks import (
    Chain,
    Equations,
    Formulas,
    Heading,
    Inline,
    Note,
    Page,
    Table,
    Text,
    Worked,
)
from derive.theorems.claim import Claim
from derive.theorems.theorem import Item, Said, Tabled, Theorem, claims_of
from derive.words import words


def theorem_page(theorem: Theorem, lang: str) -> Page:
    """The page, after every claim on it has been decided.  Unproved where one is not."""
    theorem.check()
    view = _View(theorem, lang)
    return Page(view.title, lang, tuple(view.blocks()), names_of(theorem))


def names_of(theorem: Theorem) -> Names:
    """The letters for powers of e with which its example is written."""
    return theorem.example_of.names if theorem.example_of else NO_NAMES


@dataclass(frozen=True)
class _View:
    theorem: Theorem
    lang: str

    @property
    def title(self) -> str:
        return title_of(self.theorem.name, self.lang)

    def blocks(self) -> Iterator[Any]:
        yield Heading(self.title, 1)
        for part, items in self.theorem.parts:
            if not items:
                continue
            if part != "statement":
                yield Heading(phrase(part, self.lang))
            if part == "example":
                yield from self.powers()
            yield from self.part(items)
            if part == "proof":
                yield from self.decided(items)

    def part(self, items: Sequence[Item]) -> Iterator[Any]:
        """Claims that stand together become one display."""
        shown = [x for x in items if not isinstance(x, Claim) or x.is_shown]
        for is_claim, group in groupby(shown, key=lambda x: isinstance(x, Claim)):
            if is_claim:
                yield from _displayed(group)
            else:
                yield from map(self.block, group)

    def block(self, item: Any) -> Any:
        if isinstance(item, Said):
            content = self.sentence(item.key)
            return Note(content) if item.is_note else Text(content)
        assert isinstance(item, Tabled)
        header = tuple(self.sentence(key) for key in item.header)
        rows = tuple(tuple(map(self.cell, row)) for row in item.rows)
        return Table(header, rows)

    def cell(self, x: Any) -> Inline:
        """A term, or the sentence of a key."""
        return self.sentence(x) if isinstance(x, str) else (x,)

    def sentence(self, key: str) -> Inline:
        text: str = words(self.lang)["theorems"][self.theorem.name][key]
        return inline(text, self.theorem.letters)

    def powers(self) -> Iterator[Any]:
        """What t stands for."""
        for m, (name, p, q) in names_of(self.theorem).powers.items():
            power = Exponential(Value(sum_of([(m, p, q)])))
            yield Text((phrase("where", self.lang), Chain(Name(name), (("=", power),)), self.stop))

    @property
    def stop(self) -> str:
        return phrase("stop", self.lang)

    def decided(self, items: Sequence[Item]) -> Iterator[Any]:
        """What the kernel decided, and at which sizes."""
        settings = [s for c in claims_of(tuple(items)) for s in c.settings]
        sizes = _distinct(s.sizes for s in settings if s.sizes)
        if not sizes:
            yield Text(phrase("decided", self.lang))
            return
        before, after = phrase("decided at", self.lang).split("{}")
        yield Text((before, *self.sizes(sizes), after))

    def sizes(self, sizes: Sequence[Mapping[str, int]]) -> Iterator[Any]:
        """n = 3, m = 4; n = 3, m = 3; d = 1, 2, 3."""
        before: str | None = None
        for k, row in enumerate(sizes):
            alone = next(iter(row)) if len(row) == 1 else None
            is_again = alone is not None and alone == before
            for count, (name, size) in enumerate(row.items()):
                if k or count:
                    yield phrase("comma" if count or is_again else "or", self.lang)
                exact = Value(number(size))
                yield exact if is_again else Chain(Value(symbol(name)), (("=", exact),))
            before = alone


def _distinct(sizes: Iterable[Mapping[str, int]]) -> list[Mapping[str, int]]:
    """Each once, without those that are a part of another."""
    every = [dict(items) for items in dict.fromkeys(tuple(s.items()) for s in sizes)]
    return [s for s in every if not any(s.items() < other.items() for other in every)]


def _displayed(claims: Iterable[Any]) -> Iterator[Equations | Formulas]:
    """One below the other, and side by side those that have one other side."""
    for is_short, group in groupby(map(_chain, claims), key=lambda chain: len(chain.rest) == 1):
        chains = tuple(group)
        yield Formulas(chains) if is_short and len(chains) > 1 else Equations(chains)


def _chain(claim: Any) -> Chain:
    """A claim as it is displayed."""
    spell = (
        (lambda x: x if isinstance(x, Grid) else Worked(x, _no_value)) if claim.is_dotted else _left
    )
    return Chain(spell(claim.first), tuple((relation, spell(x)) for relation, x in claim.rest))


def _left(x: Any) -> Any:
    return x


def _no_value(_entry: Any) -> None:
    """Entries keep their letters."""


def phrase(key: str, lang: str) -> str:
    """What every theorem's page says."""
    text: str = words(lang)["theorem"][key]
    return text


def title_of(name: str, lang: str) -> str:
    """The title of a theorem."""
    text: str = words(lang)["theorems"][name]["title"]
    return text


def inline(text: str, letters: Mapping[str, Any]) -> Inline:
    """A sentence with what stands in braces as mathematics.

    {A} is a step or a free letter, {A_ij} an entry; what `letters` holds comes first.
    """
    pieces = re.split("[{](.+?)[}]", text)
    return tuple(_letter(x, letters) if k % 2 else x for k, x in enumerate(pieces) if x)


def _letter(name: str, letters: Mapping[str, Any]) -> Any:
    base, _, indices = name.rpartition("_")
    if name in letters:
        return letters[name]
    if name not in STEPS and base in STEPS:
        return Entry(base, tuple(indices))
    return Name(name) if label(name).is_step else Value(symbol(name))
