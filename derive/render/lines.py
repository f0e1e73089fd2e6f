"""How mathematics is put on lines: about how wide it is, and where it is broken.

The renderers that typeset share this, so that their pages are broken alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from derive.exact.ink import RULER
from derive.exact.trace import Grid, MatrixProduct
from derive.exact.write import Writer
from derive.render.blocks import Chain, Page, Worked

LINE = 76
"""About how many characters of mathematics fit a line."""
Side = tuple[str, Any]
"""A relation, and what stands to its right."""


def width(page: Page, x: Any) -> int:
    """About how many characters wide a piece of mathematics is on paper."""
    match x:
        case Chain(first, rest):
            return width(page, first) + sum(width(page, side) + 3 for _, side in rest)
        case Worked(term, values):
            return len(Writer(RULER, page.names, values).text(term))
        case Grid(rows):
            columns = zip(*rows, strict=True)
            writer = Writer(RULER, page.names)
            return 2 + sum(max(len(writer.text(e)) for e in column) + 2 for column in columns)
        case MatrixProduct(factors):
            return sum(width(page, factor) for factor in factors)
    return len(Writer(RULER, page.names).text(x))


@dataclass(frozen=True)
class Row:
    """Chains side by side, and about how wide they are together."""

    chains: tuple[Chain, ...]
    width: int


def side_by_side(page: Page, chains: Sequence[Chain]) -> Iterator[Row]:
    """The chains in rows, as many in each as fit a line."""
    found: tuple[Chain, ...] = ()
    used = 0
    for chain in chains:
        wide = width(page, chain) + 4
        if found and used + wide > LINE:
            yield Row(found, used)
            found, used = (), 0
        found, used = (*found, chain), used + wide
    yield Row(found, used)


def fit_columns(page: Page, chains: Sequence[Chain], columns: int) -> bool:
    """Whether every chain fits one of so many columns."""
    return columns > 1 and all(width(page, c) + 5 <= LINE // columns for c in chains)


@dataclass(frozen=True)
class Line:
    """A line of a chain aligned at its relations, and about how wide it is.

    first: what the chain begins with, on its first line alone.
    """

    first: Any
    sides: tuple[Side, ...]
    width: int


def lines(page: Page, chain: Chain) -> Iterator[Line]:
    """The lines of a chain, each with as many sides as fit it."""
    head = used = width(page, chain.first)
    first = chain.first
    found: tuple[Side, ...] = ()
    for side in chain.rest:
        wide = width(page, side[1]) + 3
        if found and used + wide > LINE:
            yield Line(first, found, used)
            first, found, used = None, (), head
        found, used = (*found, side), used + wide
    yield Line(first, found, used)


def summands(page: Page, side: Any) -> list[list[Any]]:
    """The terms of each line of a sum too long for one, and none where there is nothing to break.

    >>> from derive.exact.trace import Entry, Sum
    >>> one_line = Sum((Entry("A", (1, 1)), Entry("A", (1, 2))))
    >>> summands(Page("", "en", ()), one_line)
    []
    """
    terms = getattr(getattr(side, "term", side), "terms", None)
    if not terms or width(page, side) + 3 <= LINE:
        return []
    return list(_filled(terms, Writer(RULER, page.names, getattr(side, "values", None))))


def _filled(terms: Sequence[Any], ruler: Writer) -> Iterator[list[Any]]:
    line: list[Any] = []
    used = 0
    for term in terms:
        wide = len(ruler.text(term)) + 3
        if line and used + wide > LINE - 12:
            yield line
            line, used = [], 0
        line.append(term)
        used += wide
    yield line
