"""Why a number is wrong: what was worked out with one change that gives what is printed.

A change to a rule is blamed only where it gives every printed entry of a matrix, or of a row.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from derive.verify.article import Article
from derive.verify.causes.changes import Changes
from derive.verify.causes.digits import RICH, of_entry
from derive.verify.causes.fitting import Printed, rows_of
from derive.verify.causes.kinds import INVENTED, Cause
from derive.verify.causes.misprint import Purse, entry, factor
from derive.verify.causes.orders import exchanged, misplaced
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Node

__all__ = ["blame"]

MOST_CHANGES = 600
"""So many changes are tried for one matrix."""
MOST_WORKED = 120_000
"""So many entries are worked out for the rules of one article, and as many for its inputs."""
MOST_SEARCHED = 6
"""For so many matrices a misprint of the inputs is looked for."""
LARGEST = 4096
"""The causes of a matrix with more entries are not looked for."""
MOST_SINGLE = 40
"""So many single numbers are looked at together."""
FEW = 2
"""So many wrong numbers of a matrix have each their own cause; or a third of it."""
MANY = 6
"""From so many wrong numbers on, half of a matrix, they are taken to have been made up."""


def blame(article: Article) -> None:
    """Gives the wrong numbers of an article their causes, where there are any."""
    search = Search(article)
    for grid, made in search.objects:
        search.explain(grid, made)
    search.together()
    homes = {id(cell): grid for grid in article.state.pool.grids for cell in grid.cells()}
    for cell in article.state.claims:
        if cell.origin is not None and cell.origin.cause is not None and cell.verdict == "wrong":
            cell.cause = cell.origin.cause
        elif _is_open(cell) and id(cell) not in search.seen:
            home = homes.get(id(cell)) or Grid([[cell]])
            cell.cause = of_entry(cell, home, article.state)


def objects(article: Article) -> Iterator[tuple[Grid, Node]]:
    """The matrices that are worked out, of which something is printed."""
    for step in (*article.state.steps.known.values(), *article.state.pool.grids):
        if step is not None and step.made is not None and any(c.figure for c in step.cells()):
            yield step, step.made


def claims(grid: Grid) -> Iterator[Cell]:
    """The printed numbers themselves; a step only refers to them."""
    for cell in grid.cells():
        if cell.figure is not None:
            yield _claim(cell)


def _claim(cell: Cell) -> Cell:
    return cell.origin if cell.start < 0 and cell.origin is not None else cell


class Search:
    """Looks for the causes in one article, within bounds."""

    def __init__(self, article: Article) -> None:
        """Over an article that is read."""
        self.state = article.state
        self.changes = Changes(article.state.pool)
        self.objects = list(objects(article))
        self.seen: set[int] = set()  # numbers of which the cause has been looked for
        self.left, self.searches = MOST_WORKED, MOST_SEARCHED
        self.purse = Purse(MOST_WORKED)

    def explain(self, grid: Grid, made: Node) -> None:
        """Gives the wrong numbers of one matrix their cause."""
        wrong = self.open(grid)
        if not wrong or grid.shape[0] * grid.shape[1] > LARGEST:
            return
        printed = Printed.of(grid)
        if cause := self.of_rule(printed, made):
            _give(wrong, cause)
            return
        self.of_order(printed, made, grid.name)
        if self.open(grid):
            self.of_input(grid, made)
        self.of_lines(printed, made)
        self.of_entries(grid)

    def together(self) -> None:
        """One mistake of a rule by which several single numbers are wrong, each by its formula."""
        met: dict[Cause, list[Cell]] = {}
        for cell in list(filter(_is_single, self.state.claims))[:MOST_SINGLE]:
            printed = Printed.of(Grid([[cell]]))
            made = islice(self.changes.of(cell.made), MOST_CHANGES) if cell.made else ()
            found = {(kind, values): node for kind, values, node in made}
            for cause, node in found.items():
                self.left -= 1
                exact = rows_of(node) if self.left > 0 else None
                if exact is not None and printed.has_shape(exact) and printed.explained(exact):
                    met.setdefault(cause, []).append(cell)
        for cause, cells in sorted(met.items(), key=lambda item: -len(item[1])):
            left = [cell for cell in cells if _is_open(cell)]
            if len(left) > 1:
                _give(left, cause)

    def open(self, grid: Grid) -> list[Cell]:
        """The wrong numbers of a matrix without a cause."""
        return [cell for cell in claims(grid) if _is_open(cell)]

    def of_rule(self, printed: Printed, made: Node) -> Cause | None:
        """One change to the rules that gives every entry."""
        if not printed.is_telling():
            return None
        for kind, values, node in islice(self.changes.of(made), MOST_CHANGES):
            self.left -= printed.shape[0] * printed.shape[1]
            exact = rows_of(node) if self.left > 0 else None
            if exact is None or not printed.has_shape(exact):
                continue
            if printed.explained(exact) or printed.explained(exact, rows_of(node, "printed")):
                return kind, values
        return None

    def of_lines(self, printed: Printed, made: Node) -> None:
        """One change in some of the rows, where all the others are right."""
        found: dict[Cause | None, list[Cell]] = {}
        for line in printed.lines() if printed.shape[0] > 1 else ():
            cells = [c for c in map(_claim, (e[0] for e in line.entries)) if _is_open(c)]
            if cells:
                found.setdefault(self.of_rule(line, made), []).extend(cells)
            if None in found or len(found) > 1:
                return
        for cause, cells in found.items():
            if cause is not None:
                _give(cells, cause)

    def of_order(self, printed: Printed, made: Node, name: str) -> None:
        """Right numbers in other places."""
        for rows in (rows_of(made), rows_of(made, "printed")):
            if rows is None or not printed.has_shape(rows):
                continue
            for cause, cells in misplaced(printed, rows, name, self.state):
                _give([c for c in map(_claim, cells) if _is_open(c)], cause)
        wrong = [c for c in map(_claim, (e[0] for e in printed.entries)) if _is_open(c)]
        if (cause_of := exchanged(wrong)) is not None:
            _give(wrong, cause_of)

    def of_input(self, grid: Grid, made: Node) -> None:
        """Another input, and all that it explains."""
        if not self.searches:
            return
        self.searches -= 1
        found = entry(grid, made, self.objects, self.purse)
        if found is not None:
            cause, cells = found
            _give([c for c in map(_claim, cells) if _is_open(c)], cause)
        elif Printed.of(grid).is_telling() and (cause_of := factor(grid, made)):
            _give(self.open(grid), cause_of)

    def of_entries(self, grid: Grid) -> None:
        """Each number by itself, where few are wrong; many have one finding."""
        wrong, count = self.open(grid), sum(1 for _ in claims(grid))
        if len(wrong) >= MANY and 2 * len(wrong) >= count:
            _give(wrong, (INVENTED, ()))
            return
        if len(wrong) <= FEW or 3 * len(wrong) <= count:
            for cell in wrong:
                cell.cause = of_entry(cell, grid, self.state)
        self.seen.update(map(id, wrong))


def _is_open(cell: Cell) -> bool:
    return cell.verdict == "wrong" and cell.cause is None


def _is_single(cell: Cell) -> bool:
    """Whether a wrong number has a formula of its own, and too many digits for a chance."""
    is_told = cell.figure is not None and cell.figure.weight >= RICH
    if not (is_told and _is_open(cell)) or cell.made is None:
        return False
    exact = rows_of(cell.made)
    return exact is not None and (len(exact), len(exact[0])) == (1, 1)


def _give(cells: list[Cell], cause: Cause) -> None:
    for cell in cells:
        cell.cause = cause
