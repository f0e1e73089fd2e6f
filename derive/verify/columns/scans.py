"""Tables of a softmax that goes on from score to score, each column worked out by its recurrence.

m is the largest score so far, alpha = exp(m_before - m), p = exp(x - m), l = l_before alpha + p,
and o = o_before alpha + p v, which is divided by l in the end (Milakov and Gimelshein, 2018).
"""

from __future__ import annotations

from collections.abc import Iterator

from flint import arb

from derive.verify.columns.related import Columns
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Array, Binary, Function, Headed, Leaf, Node
from derive.verify.known.state import State
from derive.verify.known.steps.made import whole
from derive.verify.numbers.scaling import agreement
from derive.verify.tables.heads import aligned, are_counted
from derive.verify.tables.scans import are_scan, heads_of, is_largest
from derive.verify.values.evaluate import value
from derive.verify.values.judge import Judge

LEAST = 0.5
"""The part of a column that agrees with its recurrence, at the least."""
Items = list[Node]


class Scans:
    """Judges the tables of a running softmax."""

    def __init__(self, state: State, columns: Columns) -> None:
        """Over what is known."""
        self.state, self.columns = state, columns

    def read(self, table: Headed, cells: list[list[Cell]]) -> bool:
        """Whether a table is one; it is then judged, column by column."""
        heads = aligned(table.heads, len(cells[0]))
        if not are_scan([found for head in heads for found in heads_of(head)]) or len(cells) < 2:
            return False
        columns = [Grid([list(column)]) for column in zip(*cells, strict=True)]
        largest = next((k for k, head in enumerate(heads) if is_largest(head)), 0)
        scores = self.scores(columns[:largest], columns[largest])
        if scores is None:
            return False
        run = Run(scores, self.values(len(cells)))
        for place, (head, column) in enumerate(zip(heads, columns, strict=True)):
            if place == 0 and are_counted([c.figure for c in column.cells()]):
                self.numbers(column)
            elif column is scores:
                self.columns.settle(column, head, None)
            else:
                self.judge(run, column, head)
                self.state.pool.named[head] = Grid([column.rows[0][-1:]], head)
        return True

    def scores(self, before: list[Grid], largest: Grid) -> Grid | None:
        """The column, or the list before, of which another is the running maximum."""
        for grid in (*reversed(before), *reversed(self.columns.outside(largest.shape[1]))):
            if all(cell.figure for cell in grid.cells()):
                for cell in grid.cells():
                    cell.exact = cell.exact if cell.exact is not None else _ball(cell)
                if agreement(largest, row(maxima(grid)))[0] >= LEAST:
                    return grid
        return None

    def values(self, count: int) -> list[Grid]:
        """The lists of values that may be weighed."""
        return [g for g in self.columns.outside(count) if g.shape == (1, count)]

    def numbers(self, column: Grid) -> None:
        """The rows are counted."""
        for cell in column.cells():
            cell.verdict, cell.why = "unchecked", "a counting number"
            self.state.claims.append(cell)

    def judge(self, run: Run, column: Grid, head: str) -> None:
        """One column, by the recurrence that it agrees with best."""
        best: tuple[tuple[float, int], Node, Node] | None = None
        for made, way in run.all(column):
            found = max(agreement(column, made), agreement(column, way))
            if found[0] >= LEAST and (best is None or found > best[0]):
                best = found, made, way
        if best is None:
            self.columns.settle(column, head, None)
            return
        _, made, way = best
        exact = value(made, "exact")
        self.state.judged(column.rows, exact, Judge(made, exact, (way,)), "")
        column.made = made
        run.note(column)
        self.state.pool.add(column)


class Run:
    """The recurrences over a list of scores, exactly and over what is printed."""

    def __init__(self, scores: Grid, values: list[Grid]) -> None:
        """Over scores, and what may be weighed."""
        self.scores, self.values = scores, values
        self.printed: list[Grid] = []

    def note(self, column: Grid) -> None:
        """A column that is printed and judged."""
        self.printed.append(column)

    def all(self, column: Grid) -> Iterator[tuple[Node, Node]]:
        """Each recurrence, and the same over the digits printed before it."""
        m = maxima(self.scores)
        m_ = self.like(m)
        (shares, shrunk), (shares_, shrunk_) = self.powers(m), self.powers(m_)
        yield row(m), row(m_)
        yield row(shares), row(shares_)
        for first in (0, 1):
            yield row([whole(first), *shrunk]), row([whole(first), *shrunk_])
        p, k = self.like(shares, shares_), self.like(shrunk, shrunk_)
        sums = scanned(shrunk, shares)
        yield row(sums), stepwise(column, k, p)
        for v in map(leaves, self.values):
            outputs = scanned(shrunk, times(shares, v))
            yield row(outputs), stepwise(column, k, times(p, v))
            given = over(self.like(outputs), self.like(sums))
            yield row(over(outputs, sums)), row(given)

    def powers(self, m: Items) -> tuple[Items, Items]:
        """exp(x - m) of each, and exp(m_before - m) of all but the first."""
        return differences(leaves(self.scores), m), differences(m[:-1], m[1:])

    def like(self, items: Items, other: Items | None = None) -> Items:
        """What is printed for a list, perhaps behind a first entry, where a column is that."""
        for column in self.printed:
            own = list(column.cells())[-len(items) :]
            if own and _same(own, row(items)):
                pairs = zip(own, other or items, strict=True)
                return [Leaf(Grid([[c]])) if c.figure else item for c, item in pairs]
        return other or items


def differences(left: Items, right: Items) -> Items:
    """exp(a - b), entry by entry."""
    return [Function("exp", (Binary("-", a, b),)) for a, b in zip(left, right, strict=True)]


def times(left: Items, right: Items) -> Items:
    """Entry by entry."""
    return [Binary("*", a, b) for a, b in zip(left, right, strict=True)]


def over(left: Items, right: Items) -> Items:
    """Entry by entry."""
    return [Binary("/", a, b) for a, b in zip(left, right, strict=True)]


def stepwise(column: Grid, factors: Items, added: Items) -> Node:
    """Each entry from the one printed before it."""
    own = times(leaves(column)[:-1], factors)
    return row([added[0], *(Binary("+", y, z) for y, z in zip(own, added[1:], strict=True))])


def maxima(scores: Grid) -> Items:
    """The largest so far."""
    (cells,) = scores.rows
    return [Function("max", (Leaf(Grid([cells[: k + 1]])),)) for k in range(len(cells))]


def scanned(factors: Items, added: Items) -> Items:
    """y = y_before f + a, entry by entry."""
    found = [added[0]]
    for factor, item in zip(factors, added[1:], strict=True):
        found.append(Binary("+", Binary("*", found[-1], factor), item))
    return found


def leaves(grid: Grid) -> Items:
    """Each number by itself."""
    return [Leaf(Grid([[cell]])) for cell in grid.cells()]


def row(items: Items) -> Node:
    """Numbers side by side."""
    return Array((Array(tuple(items)),))


def _ball(cell: Cell) -> arb | None:
    return cell.figure.ball if cell.figure else None


def _same(cells: list[Cell], made: Node) -> bool:
    pairs = zip([cell.exact for cell in cells], value(made, "exact").rows[0], strict=True)
    return all(x is None or bool(x.overlaps(y)) for x, y in pairs)
