"""A theorem as data: what it says, why it holds, with which numbers, and where it stops.

The sentences are those of `derive.words` under [theorems.NAME]; here are only their keys, and the
claims between them, which the kernel decides before a page is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from derive.derivation import Derivation
from derive.errors import Unproved
from derive.exact.trace import Term
from derive.theorems.claim import Claim


@dataclass(frozen=True)
class Said:
    """The sentence of a key; `is_note` where a reader should not miss it."""

    key: str
    is_note: bool = False


@dataclass(frozen=True)
class Tabled:
    """Rows of terms, or of keys of sentences, under headers, which are keys too.

    What the rows say is in `claims`.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[Term | str, ...], ...]
    claims: tuple[Claim, ...]


Item = Said | Claim | Tabled
PARTS = ("statement", "assumptions", "proof", "example", "breaks")
"""The parts of a page, in this order."""


@dataclass(frozen=True)
class Theorem:
    """Five parts of sentences and claims.

    letters: what the braces in its sentences stand for, beside steps and plain letters.
    example_of: the derivation with whose letters (t for a power of e) the page is written.
    """

    name: str
    statement: tuple[Item, ...] = ()
    assumptions: tuple[Item, ...] = ()
    proof: tuple[Item, ...] = ()
    example: tuple[Item, ...] = ()
    breaks: tuple[Item, ...] = ()
    letters: Mapping[str, Any] = field(default_factory=dict)
    example_of: Derivation | None = None

    @property
    def parts(self) -> Iterator[tuple[str, tuple[Item, ...]]]:
        """Each part by its name."""
        return ((part, getattr(self, part)) for part in PARTS)

    @property
    def items(self) -> Iterator[Item]:
        """What stands in the parts, in order."""
        return (item for _, items in self.parts for item in items)

    @property
    def claims(self) -> Iterator[Claim]:
        """Every claim, those of tables included."""
        return claims_of(self.items)

    def check(self) -> None:
        """Unproved, with the theorem's name, at the first claim that does not hold."""
        for claim in self.claims:
            try:
                claim.check()
            except Unproved as error:
                raise Unproved(f"{self.name}: {error}") from None


def claims_of(items: Iterator[Item] | tuple[Item, ...]) -> Iterator[Claim]:
    """The claims among the items, and in their tables."""
    for item in items:
        if isinstance(item, Claim):
            yield item
        elif isinstance(item, Tabled):
            yield from item.claims


def said(*keys: str) -> tuple[Said, ...]:
    """Sentences by their keys."""
    return tuple(map(Said, keys))


def note(key: str) -> Said:
    """A sentence that a reader should not miss."""
    return Said(key, is_note=True)
