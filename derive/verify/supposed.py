"""Numbers that an article only assumes, beside what they are in truth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb

from derive.verify.article import Article
from derive.verify.documents.document import Document
from derive.verify.grammar.grids import Grid
from derive.verify.grammar.nodes import Function, Leaf
from derive.verify.grammar.notation import rewritten
from derive.verify.values.evaluate import value

NEAR = arb("0.25")
"""An assumed share is further than this from the true one at the most."""


@dataclass(frozen=True)
class Supposed:
    """An assumed list: where it stands, as printed, and the true one to the same places.

    quantity: what it is, row: which row of it, from 1; of: the printed scores it is the softmax of.
    """

    line: int
    column: int
    printed: tuple[str, ...]
    true: tuple[str, ...]
    quantity: str
    row: int
    of: tuple[str, ...]


def supposed(article: Article, document: Document) -> Iterator[Supposed]:
    """Each list that is assumed to be a softmax, where its scores are known."""
    for grid in article.state.assumed:
        if grid.shape[0] == 1 and grid.shape[1] > 1 and _is_share(grid):
            found = list(_candidates(article, grid))
            if found:
                yield _told(grid, min(found, key=lambda f: f[0]), document)


Found = tuple[tuple[bool, arb], Grid, int]


def _is_share(grid: Grid) -> bool:
    figures = [c.figure for c in grid.cells()]
    known = [f for f in figures if f is not None]
    total = sum((f.value for f in known), Fraction(0))
    slack = sum((f.unit for f in known), Fraction(0))
    return (
        len(known) == len(figures) and min(f.side for f in known) >= 0 and abs(total - 1) <= slack
    )


def _candidates(article: Article, grid: Grid) -> Iterator[Found]:
    """Rows of weights that are near, those of printed scores before others."""
    for step in list(article.state.steps.known.values()):
        if step is None or step.shape[1] != grid.shape[1]:
            continue
        match step.made:
            case Function("softmax", (Leaf(scores),)) if not scores.made or step.name == "A":
                for i, row in enumerate(value(Leaf(step), "exact").rows):
                    gap = max(_gap(x, c) for x, c in zip(row, grid.rows[0], strict=True))
                    if gap <= NEAR:
                        is_printed = all(c.figure for c in scores.rows[i])
                        yield (not is_printed, gap), step, i


def _gap(x: Any, cell: Any) -> arb:
    return abs(x - cell.figure.ball).upper()


def _told(grid: Grid, found: Found, document: Document) -> Supposed:
    _, step, i = found
    cells = grid.rows[0]
    exact = value(Leaf(step), "exact").rows[i]
    true = tuple(rewritten(c.figure, x) for c, x in zip(cells, exact, strict=True) if c.figure)
    made = step.made
    assert isinstance(made, Function) and isinstance(made.arguments[0], Leaf)
    scores = made.arguments[0].grid.rows[i]
    of = tuple(c.figure.text if c.figure else "" for c in scores)
    line, column = document.place(cells[0].start)
    printed = tuple(c.figure.text for c in cells if c.figure)
    return Supposed(line, column, printed, true, "A", i + 1, of if all(of) else ())
