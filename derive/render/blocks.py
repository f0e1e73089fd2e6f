"""What a page is made of: where views and renderers meet.

A view makes blocks and never writes a backslash; a renderer prints blocks and never sees a
derivation.  Mathematics is handed over as Scalars and Terms.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from derive.exact.named import NO_NAMES, Names

Inline = str | tuple[Any, ...]
"""A sentence: text, or a tuple of texts and mathematics in turn."""


@dataclass(frozen=True)
class Heading:
    """A heading; level 1 is the title.

    runs_in: whether the sentence after it goes on in its line; anchor: what a link to it says.
    """

    text: str
    level: int = 2
    runs_in: bool = False
    anchor: str = ""


@dataclass(frozen=True)
class Text:
    """A paragraph; a ragged one is a long formula, with lines as they come."""

    content: Inline
    is_ragged: bool = False


@dataclass(frozen=True)
class Note:
    """A remark that a reader should not miss."""

    content: Inline


@dataclass(frozen=True)
class Worked:
    """A term whose entries are written as their values."""

    term: Any
    values: Callable[[Any], Any]


@dataclass(frozen=True)
class Chain:
    """first = second = ... : sides joined by the relations of RELATIONS."""

    first: Any
    rest: tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Equations:
    """Displayed chains, aligned at their first relation, `columns` a line where they fit."""

    chains: tuple[Chain, ...]
    columns: int = 1


@dataclass(frozen=True)
class Formulas:
    """Displayed formulas side by side: the rule, and its entry i, j."""

    chains: tuple[Chain, ...]


@dataclass(frozen=True)
class Table:
    """Rows of sentences under a header; `numbers` says which columns stand at the right."""

    header: tuple[Inline, ...]
    rows: tuple[tuple[Inline, ...], ...]
    numbers: tuple[int, ...] = ()

    @property
    def is_form(self) -> bool:
        """Whether some cells are lines to write on, which want more room."""
        return any(isinstance(x, str) and set(x) == {"_"} for row in self.rows for x in row)


@dataclass(frozen=True)
class Listed:
    """A heading in a table of contents, with those under it."""

    text: str
    anchor: str
    under: tuple[Listed, ...] = ()


@dataclass(frozen=True)
class Contents:
    """A table of contents: links, and page numbers where there are pages."""

    title: str
    entries: tuple[Listed, ...]


@dataclass(frozen=True)
class Abreast:
    """Some blocks beside others where there is room, else the ones below the others."""

    left: tuple[Any, ...]
    right: tuple[Any, ...]


@dataclass(frozen=True)
class Heatmap:
    """A matrix of numbers between 0 and 1 as shades, each with its numeral.

    label: what it shows, for whoever cannot see it; rows, columns: the names along the sides;
    cells: (numeral, shade) by row.
    """

    label: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[tuple[str, float], ...], ...]


@dataclass(frozen=True)
class Plot:
    """One or two curves over an axis, the first solid, the second dashed.

    label: what it shows, for whoever cannot see it; across: what the axis below is; curves: (name,
    points) with points (x, y) from left to right; is_shared: whether one axis serves both curves,
    else the second has its own at the right.
    """

    label: str
    across: str
    curves: tuple[tuple[str, tuple[tuple[float, float], ...]], ...]
    is_shared: bool = False


class Form:
    """What there is to write on; every renderer prints it by `derive.render.forms`."""


@dataclass(frozen=True)
class Fields(Form):
    """Lines to write on, each behind its label."""

    labels: tuple[str, ...]


@dataclass(frozen=True)
class Cells(Form):
    """first = a matrix of which some entries, None here, are boxes to be filled in."""

    first: Any
    rows: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class Space(Form):
    """Room for so many lines of writing."""

    lines: int


@dataclass(frozen=True)
class Quoted(Form):
    """A line of somebody's text as it stands: (text, whether it is marked) in turn."""

    parts: tuple[tuple[str, bool], ...]


@dataclass(frozen=True)
class Break(Form):
    """What follows begins a page, the first of its own."""


@dataclass(frozen=True)
class Option:
    """An answer to be chosen: its numeral, the per cent of the points, and what is said of it."""

    numeral: str
    share: int
    said: Inline


@dataclass(frozen=True)
class Choice(Form):
    """first = one of some numerals, for so many points."""

    first: Any
    points: int
    options: tuple[Option, ...]


def stay_together(before: Any, block: Any, after: Any) -> bool:
    """Whether a block stays on the page of the next: lines to write on with what they are for, a
    formula right under its heading with the sentence that tells of it."""
    if isinstance(block, Fields):
        return isinstance(after, (Fields, Text))
    is_under = isinstance(block, Formulas) and isinstance(before, Heading)
    return is_under and isinstance(after, (Text, Fields))


@dataclass(frozen=True)
class Run:
    """Python to be run in a notebook, and the page that it shows, None for nothing."""

    code: str
    shown: Page | None = None


@dataclass(frozen=True)
class Page:
    """Blocks in order, with the names their mathematics is written with.

    undecided: the entries whose digits could not be proved.
    """

    title: str
    lang: str
    blocks: tuple[Any, ...]
    names: Names = NO_NAMES
    undecided: tuple[str, ...] = ()


RELATIONS = {
    # name: (LaTeX, Unicode)
    "=": ("=", "="),
    "~": (r"\approx", "≈"),
    "!=": (r"\neq", "≠"),
    "<": ("<", "<"),
    ">": (">", ">"),
    "<=": (r"\leq", "≤"),
    "->": (r"\to", "→"),
}
