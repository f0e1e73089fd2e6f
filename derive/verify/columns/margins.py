"""What stands beside the rows of a table: their sums, or the number that they are made with."""

from __future__ import annotations

from derive.verify.columns.agreeing import agreement
from derive.verify.grammar.figures import Figure
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Function, Leaf, Node
from derive.verify.known.heated import heated
from derive.verify.known.state import State
from derive.verify.matrices.results import Results
from derive.verify.numbers.scaling import agreement as rounded
from derive.verify.speech.measures import MEASURES, spoken
from derive.verify.speech.roles import role
from derive.verify.speech.temperatures import temperatures
from derive.verify.values.evaluate import value
from derive.verify.values.judge import Judge
from derive.verify.values.operations import Unknown

SHARE = 0.6
"""The part of a margin, or of the rows, that agrees at the least."""

SHOWN = ("norm", "rms", "std")
"""What a last column may be without a word that says so."""
CERTAIN, MOSTLY = 6, 8
"""So many digits are no chance; so many agree where some do not."""


class Margins:
    """Judges tables with a margin."""

    def __init__(self, state: State, results: Results) -> None:
        """Over what is known."""
        self.state, self.results = state, results

    def read(self, labels: tuple[str, ...], heads: list[str], cells: list[list[Cell]]) -> bool:
        """Whether the last column measures the rows, or the first makes them; all is judged."""
        if told := temperatures(labels[-len(cells) :]):
            cells = [[Cell(f, -1), *row] for f, row in zip(told, cells, strict=True)]
            heads = ["T", *heads]
        if len(cells[0]) < 3 or len(cells) < 2:
            return False
        first = [[row[0]] for row in cells] if role(heads[0]) == "temperature" else None
        start = int(first is not None)
        last, measure = self.measured(heads, cells, start)
        if (first is None and not measure) or last - start < 2:
            return False
        inner = [row[start:last] for row in cells]
        grid = self.warmed(inner, first) if first is not None else self.body(inner)
        if measure:
            self.judge([[row[last]] for row in cells], MEASURES[measure][0], grid)
        for place in range(last + 1, len(cells[0])):
            self.behind([[row[place]] for row in cells], grid)
        return True

    def upright(self, labels: tuple[str, ...], heads: list[str], cells: list[list[Cell]]) -> bool:
        """Whether each column is of a temperature, over it or first in it; all is judged."""
        rows = [list(column) for column in zip(*cells, strict=True)]
        corner = labels[0].strip("$*: ").replace("/", "\\").rpartition("\\")[2] if labels else ""
        if told := temperatures(heads):
            first = [[Cell(figure, -1)] for figure in told]
        elif role(corner.strip("$* ")) == "temperature":
            first, rows = [row[:1] for row in rows], [row[1:] for row in rows]
        else:
            return False
        if len(rows) < 2 or len(rows[0]) < 2 or self.by_temperature(rows, first) is None:
            return False
        self.warmed(rows, first)
        return True

    def measured(self, heads: list[str], cells: list[list[Cell]], start: int) -> tuple[int, str]:
        """Which column measures those before, and what; where none does, the one behind all."""
        count = len(cells[0])
        for last in range(count - 1, start + 1, -1):
            part = [row[: last + 1] for row in cells]
            said = self.measure(heads[last])
            least = SHARE if last == count - 1 else 1
            if said and _most(part, start, said) >= least:
                return last, said
            if not said and (shown := _by_digits(part, start)):
                return last, shown
            if said and last == count - 1:
                return 0, ""
        return count, ""

    def behind(self, cells: list[list[Cell]], grid: Grid) -> None:
        """A column behind the lengths: the cosines with one of the rows, or what is given."""
        column = Grid(cells)
        for row in grid.rows:
            made = Function("cosines", (Leaf(grid), Leaf(self.state.runs.grid(row))))
            share, digits = rounded(column, made)
            if share >= SHARE and digits >= CERTAIN:
                exact = value(made, "exact")
                self.state.judged(cells, exact, Judge(made, exact), "")
                self.state.pool.add(Grid(cells, "", made))
                return
        self.results.base(column, "")

    def measure(self, head: str) -> str:
        """What the head of the last column says is measured."""
        found = spoken(head)
        return found[0] if found else "Z" if head.strip() in ("Σ", "∑") else ""

    def body(self, inner: list[list[Cell]]) -> Grid:
        """The rows as a matrix like any other."""
        return self.results.result(inner, None, (), None)

    def warmed(self, inner: list[list[Cell]], first: list[list[Cell]]) -> Grid:
        """The rows, each softmax(z / T) with the number T before it, or printed before as that."""
        vector = self.by_temperature(inner, first)
        if first[0][0].start >= 0:
            self.results.base(Grid(first), "T")
        if vector is None:
            return self.body(inner)
        made = [Function("softmax", (heated(vector, Leaf(Grid([t]))),)) for t in first]
        again = [self.again(row, one) for row, one in zip(inner, made, strict=True)]
        if not any(again):
            whole = Function("softmax", (heated(vector, Leaf(Grid(first))),))
            return self.results.result(inner, whole, (), None)
        for row, one, origins in zip(inner, made, again, strict=True):
            if origins is None:
                self.results.result([row], one, (), None)
            for cell, origin in zip(row, origins or (), strict=False):
                self.state.refer(cell, origin)
        return Grid(inner)

    def again(self, row: list[Cell], made: Node) -> list[Cell] | None:
        """The list that a row repeats, where that is, or should be, what makes the row."""
        known = self.state.pool.vector(row)
        exact = value(made, "exact").rows[0]
        pairs = zip(known or (), exact, strict=False)
        is_same = all(c.exact is not None and c.exact.overlaps(x) for c, x in pairs)
        return known if is_same else None

    def by_temperature(self, inner: list[list[Cell]], first: list[list[Cell]]) -> Grid | None:
        """The vector z before of which the rows are softmax(z / T), a row for each T."""
        known = self.state.pool
        for grid in (*known.recent(), *reversed(known.bases)):
            if grid.shape == (1, len(inner[0])):
                made = Function("softmax", (heated(grid, Leaf(Grid(first))),))
                if agreement(Grid(inner), made)[0] >= SHARE:
                    return grid
        return None

    def judge(self, cells: list[list[Cell]], functions: tuple[str, ...], grid: Grid) -> None:
        """The verdicts on the last column, by the convention that agrees best."""
        best = max(functions, key=lambda f: agreement(Grid(cells), Function(f, (Leaf(grid),)))[0])
        made = Function(best, (Leaf(grid),))
        exact = value(made, "exact")
        self.state.judged(cells, exact, Judge(made, exact), "")
        self.state.pool.add(Grid(cells, "", made))


def _most(cells: list[list[Cell]], start: int, measure: str) -> float:
    """How much of the last column one of the ways to measure the rows gives."""
    inner, last = [row[start:-1] for row in cells], [[row[-1]] for row in cells]
    return max(_share(last, function, inner) for function in MEASURES[measure][0])


def _by_digits(cells: list[list[Cell]], start: int) -> str:
    """What the last column measures of the rows, whatever its head says, as its digits show."""
    inner, last = Grid([row[start:-1] for row in cells]), Grid([[row[-1]] for row in cells])
    if inner.shape[1] < 2 or len({c.figure.value for c in last.cells() if c.figure}) < 2:
        return ""
    for kind in SHOWN:
        share, digits = rounded(last, Function(MEASURES[kind][0][0], (Leaf(inner),)))
        if digits >= (CERTAIN if share == 1 else MOSTLY) and share >= SHARE:
            return kind
    return ""


def _share(cells: list[list[Cell]], function: str, inner: list[list[Cell]]) -> float:
    """How much of a margin the printed rows give, within what their digits leave open."""
    try:
        found = value(Function(function, (Leaf(Grid(inner)),)), "printed").rows
    except (Unknown, ValueError):
        return 0
    pairs = [(c[0].figure, x[0]) for c, x in zip(cells, found, strict=True) if c[0].figure]
    near = [abs(x - f.ball) <= _room(f, len(inner[0])) for f, x in pairs]
    return sum(map(bool, near)) / len(pairs) if pairs else 0


def _room(figure: Figure, count: int) -> object:
    return figure.half * (count + 2)
