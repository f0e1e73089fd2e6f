"""How mathematics is put on lines: about how wide it is, and where it is broken.

The renderers that typeset share this, so that their pages are broken alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from unicodedata import combining

from derive.exact.ink import RULER
from derive.exact.trace import Grid, MatrixProduct
from derive.exact.write import Writer
from derive.render.blocks import Chain, Page, Worked

LINE = 76
"""About how many characters of mathematics fit a line."""
ROOM = 80.0
"""And how many digits side by side fill one, with a little to spare."""
GAP = 4.0
"""What stands between formulas side by side, in digits."""
_SMALL = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁽⁾₀₁₂₃₄₅₆₇₈₉")
_WIDTHS = {
    **dict.fromkeys(_SMALL, 0.75),
    **dict.fromkeys(" _", 0.0),
    **dict.fromkeys(".,′ij", 0.6),
    **dict.fromkeys("()[]|", 1.0),
    **dict.fromkeys("+−⊙", 2.5),
    **dict.fromkeys("=≈", 2.7),
    **dict.fromkeys("mwMW", 1.6),
    **dict.fromkeys("ABDEFGHKLNOPQRSTUVXYZΣ", 1.5),
    "·": 1.5,
    "√": 2.0,
}
"""Of a character of the ruler's on paper, in digits; others are a little wider than one."""
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


def spread(page: Page, x: Any) -> float:
    """How many digits wide a formula is on paper, character by character."""
    writer = Writer(RULER, page.names)
    match x:
        case Chain(first, rest):
            return spread(page, first) + sum(spread(page, side) + 2.7 for _, side in rest)
        case Worked(term, values):
            return _spread(Writer(RULER, page.names, values).text(term))
        case Grid(rows):
            columns = zip(*rows, strict=True)
            cells = (max(_spread(writer.text(e)) for e in column) for column in columns)
            return 1.0 + sum(cell + 1.85 for cell in cells)
        case MatrixProduct(factors):
            return sum(spread(page, factor) for factor in factors)
    return _spread(writer.text(x))


def _spread(text: str) -> float:
    return sum(0.0 if combining(c) else _WIDTHS.get(c, 1.1 if c.isalpha() else 1.0) for c in text)


@dataclass(frozen=True)
class Row:
    """Chains side by side, and about how wide they are together: in characters, and in digits."""

    chains: tuple[Chain, ...]
    width: int
    spread: float


def side_by_side(page: Page, chains: Sequence[Chain]) -> Iterator[Row]:
    """The chains in rows, as many in each as fit a line."""
    found: tuple[Chain, ...] = ()
    used = 0.0
    for chain in chains:
        wide = spread(page, chain)
        if found and used + GAP + wide > ROOM:
            yield _row(page, found, used)
            found, used = (), 0.0
        used += wide + GAP * bool(found)
        found = (*found, chain)
    yield _row(page, found, used)


def _row(page: Page, chains: tuple[Chain, ...], spread: float) -> Row:
    return Row(chains, sum(width(page, chain) + 4 for chain in chains), spread)


def fit_columns(page: Page, chains: Sequence[Chain], columns: int) -> int:
    """In how many columns every chain fits: so many, or a part of that; 1 where they do not."""
    widest = max(width(page, chain) for chain in chains) + 5
    return next((k for k in parts_of(columns) if widest <= LINE // k), 1)


def parts_of(columns: int) -> Iterator[int]:
    """The numbers of columns in which rows of so many entries go on evenly, the most first."""
    return (k for k in range(columns, 1, -1) if columns % k == 0)


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
