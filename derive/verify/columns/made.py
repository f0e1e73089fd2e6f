"""What a column of a table may be made from, and by what that is told."""

from __future__ import annotations

from dataclasses import dataclass

from derive.verify.grammar.grids import Grid
from derive.verify.grammar.nodes import Node
from derive.verify.tables.heads import base, warmed


@dataclass(frozen=True)
class Source:
    """What a column may be made from; said: by a formula, a word, its digits, or nothing."""

    made: Node
    name: str
    said: str = ""
    before: tuple[Grid, ...] = ()


def in_series(heads: list[str], found: list[Source | None]) -> list[Source | None]:
    """A column between others for other temperatures is made of the same vector."""
    known = [grid for source in found if source and (grid := base(source.made)) is not None]
    if not known:
        return found
    pairs = zip(heads, found, strict=True)
    return [source or warm(head, known[0]) for head, source in pairs]


def warm(head: str, grid: Grid) -> Source | None:
    """A vector divided by the temperature of which a head speaks."""
    made = warmed(head, grid)
    return None if made is None else Source(made, "", "word")
