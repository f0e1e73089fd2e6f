"""Printed results: made by the expression before them, a step with which they agree, or given."""

from __future__ import annotations

from fractions import Fraction

from derive.exact.enclosure import Enclosures
from derive.verify.grammar.figures import Figure
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Function, Leaf, Name, Node, Number
from derive.verify.known.masking import hide
from derive.verify.known.placing import Places
from derive.verify.known.rivals import by_value, is_rounded
from derive.verify.known.state import State
from derive.verify.known.steps import quantity
from derive.verify.matrices.assigned import stood
from derive.verify.matrices.earlier import by_earlier
from derive.verify.matrices.givens import gathered, is_worked_out
from derive.verify.matrices.likewise import likewise
from derive.verify.matrices.lookup import looked_up
from derive.verify.matrices.names import Meanings
from derive.verify.matrices.pairwise import in_pairs
from derive.verify.matrices.recognition import Matches
from derive.verify.matrices.sources import Sources
from derive.verify.matrices.sublayers import superseded
from derive.verify.matrices.targeted import loss_of_row
from derive.verify.matrices.turned import by_spread
from derive.verify.matrices.written import is_told
from derive.verify.numbers.called import reapplied, rectified
from derive.verify.numbers.onward import note_measured
from derive.verify.numbers.worded import worded
from derive.verify.speech.naming import named
from derive.verify.speech.roles import LET, role
from derive.verify.values.evaluate import value
from derive.verify.values.formulas import called
from derive.verify.values.held import agrees, is_part
from derive.verify.values.judge import Judge

FINE = Fraction(1, 10_000)
"""What is printed without a name to so many places is the output of a program, and rounded."""
RESULTS = frozenset(
    "S scaled A O mean std var Z Q' K' LN PE X act hidden F concat MHA residual diff".split()
)
"""Quantities that are results where they are printed: what nothing explains was rounded."""
SHORTEST = Fraction(1, 10)
"""Numbers with one place alone are given, not rounded."""
OF_TOKENS = frozenset("S scaled A O".split())
"""Quantities that have a row for each token."""
SHORT = 3
"""A name with more letters is a word."""


def is_root(made: Node | None) -> bool:
    """Whether something is the root of a number, by which others are divided."""
    return (
        isinstance(made, Function) and made.name == "sqrt" and isinstance(made.arguments[0], Number)
    )


class Results:
    """Judges the results of an article, or takes them as given."""

    def __init__(self, state: State, names: Meanings, places: Places, matches: Matches) -> None:
        """Over what is known."""
        self.state, self.names, self.places, self.matches = state, names, places, matches
        self.sources = Sources(state, names)

    def headed(self, cells: list[list[Cell]], label: Node | None, made: Node | None) -> Grid:
        """A matrix under a name or a formula, which explains it where enough of it agrees."""
        source = self.names.resolved(made) if made is not None else None
        if source is not None:
            source, exact = self.sources.by_convention(source, cells)
            if exact is None or not self.sources.is_plausible(cells, exact, source):
                source = None
        return self.result(cells, source, (), label)

    def result(
        self,
        cells: list[list[Cell]],
        source: Node | None,
        ways: tuple[Node, ...],
        label: Node | None,
    ) -> Grid:
        """A printed result: made by the expression before it, or the step that it agrees with."""
        if (length := self.sources.length(cells, source)) is not None:
            label, source = None, length
        name = called(label, is_list=len(cells[0]) > 1)
        index = label.index if isinstance(label, Name) else None
        grid = Grid(cells, name)
        self.state.is_soft = self.state.is_output and len(name) > SHORT and name.isalpha()
        source = source or worded(self.state, label, cells[0][0]) or rectified(self.state, grid)
        source = source or loss_of_row(self.state, name, cells[0][0])
        source = source or self.sources.by_definition(name, cells)
        if source is None and not self.state.assumes:
            source = looked_up(self.state, grid) or likewise(self.state, grid)
        source, exact = self.sources.by_convention(source, cells)
        if exact is None and ways:  # a name before meant another thing, or none
            source, exact = self.sources.by_convention(ways[0], cells)
        if exact is None and (again := reapplied(self.state, grid, source)) is not None:
            source, exact = self.sources.by_convention(again, cells)
        if exact is not None and source is not None and self.sources.is_astray(cells, source):
            source = exact = None
        source, exact = by_earlier(self.state, cells, source, exact)
        if exact is not None and source is not None:
            ways = (*ways, *self.state.steps.ways(source), *self.places.proportional(exact))
            ways = (*ways, *by_spread(source, self.state.pool))
            if not is_rounded(cells, exact):
                ways = (*ways, *self.places.by_sum(source))
                put = by_value(source, self.state.pool.recent())
                ways = ways if put is None else (*ways, put)
            self.state.judged(cells, exact, Judge(source, exact, ways), name)
            note_measured(self.state, cells[0][0], name)
            self.worked_out(grid, source, exact)
        elif self.state.assumes or not self.is_explained(grid, name, index, label):
            self.base(grid, name)
        if not (self.state.is_soft or index):
            named(grid, name)
        self.bind(grid, name, index)
        return grid

    def worked_out(self, grid: Grid, source: Node, exact: Enclosures) -> None:
        """What is known of a matrix by the expression that it is the value of."""
        grid.made = source
        root = source.grid.made if isinstance(source, Leaf) else source
        if isinstance(root, Function) and root.name == "softmax" and grid.shape[0] > 1:
            self.state.pool.weigh(grid)
        superseded(self.state.pool, grid)
        self.places.place_in_step(grid, exact)

    def is_explained(self, grid: Grid, name: str, index: int | None, label: Node | None) -> bool:
        """Whether a result is a step of what is known, or what the words of its sentence say."""
        self.gather(grid)
        if self.matches.explained(grid, name, index, label) or self.is_measure(grid):
            return True
        if (turned := in_pairs(self.state, grid, name)) is not None:
            self.matches.by_match(*turned)
            return True
        made = self.sources.spoken(grid) or self.sources.stated(grid)
        if made is None:
            return False
        exact = value(made, "exact")
        if exact.shape != grid.shape:
            return False
        is_foreign = not is_told(Grid(grid.rows, "", made), self.state.unknown)
        if is_foreign and not agrees(grid.rows, exact):
            return False
        self.state.judged(grid.rows, exact, Judge(made, exact), name)
        grid.made = made
        if grid.shape != (1, 1):
            self.places.place_in_step(grid, exact)
        return True

    def is_measure(self, grid: Grid) -> bool:
        """Whether a named number is what the sentence says: the variance is v = 1.25."""
        cell = grid.rows[0][0]
        if grid.shape != (1, 1) or cell.figure is None or cell.figure.is_whole:
            return False
        return cell.figure.weight > 1 and self.matches.scalars.spoken(cell)

    def gather(self, grid: Grid) -> None:
        """The single results before a list of as many become a list too."""
        runs = self.state.runs.of_length(grid.shape[1]) if grid.shape[0] == 1 else []
        for run in reversed(runs):
            if not any(run is known for known in self.state.pool.recent()):
                self.state.pool.add(run)

    def bind(self, grid: Grid, name: str, index: int | None) -> None:
        """The name of a result, or of one row of a matrix: X[0] = [...]."""
        self.state.pool.add(grid)
        weights = self.state.pool.roles.get("A")
        if weights is not None and weights is self.state.pool.named.get(name):
            self.state.pool.roles["A"] = grid  # given again, rounded
        if grid.shape != (1, 1):
            self.state.runs.close()
        elif not (self.state.assumes or is_root(grid.made)):
            self.state.runs.note(grid.rows[0][0])
        if name.partition("(")[0].lower() in ("concat", "cat", "concatenate", "hstack"):
            self.state.pool.roles["concat"] = grid
        if index is None:
            is_new = grid.made is not None or not self.state.pool.of_role(role(name))
            is_one = is_part(grid) or self.is_one_of_many(grid, role(name))
            if not self.state.is_soft or (is_new and not is_one):
                self.state.pool.bind(name, stood(grid, self.state.pool.named.get(name)))
        elif name and grid.shape[0] == 1:
            self.state.pool.rows[role(name) or name][index] = grid
            self.state.pool.named[f"{name}[{index}]"] = grid

    def is_one_of_many(self, grid: Grid, kind: str) -> bool:
        """Whether a list is of one token, where there are several."""
        if grid.shape[0] > 1 or kind not in OF_TOKENS:
            return False
        known = (self.state.pool.of_role(k) for k in ("Q", "S", "scaled"))
        return any(found is not None and found.shape[0] > 1 for found in known)

    def base(self, grid: Grid, name: str) -> None:
        """What nothing before explains is declared, or cannot be checked."""
        is_given = bool(name) and not self.names.is_worked_out(name)
        is_given |= not name and not is_worked_out(self.state)  # what an article begins with
        is_declared = is_given or self.state.assumes or not self.state.is_output
        hide(grid)
        if self.state.assumes:
            self.state.assumed.append(grid)
        again = {} if self.state.assumes else gathered(self.state, grid)
        for i, row in enumerate(grid.rows):
            for j, cell in enumerate(row):
                if cell.figure is None:
                    continue
                if (origin := again.get(id(cell))) is not None:
                    self.state.refer(cell, origin)
                    continue
                cell.verdict = "assumed" if is_declared else "unchecked"
                cell.why = "" if is_declared else "not printed"
                is_rough = self.state.is_about and not cell.figure.is_whole
                cell.is_rough = is_rough or self.is_rounded(cell.figure, name, is_declared)
                cell.exact = None if cell.is_rough else cell.figure.ball
                cell.quantity = quantity(role(name) or name, i, j, grid.shape) if name else ""
                self.state.claims.append(cell)
        if grid.shape != (1, 1):
            self.state.pool.bases.append(grid)

    def is_rounded(self, figure: Figure, name: str, is_declared: bool) -> bool:
        """Whether a number that nothing explains stands for the interval of its digits."""
        if figure.weight >= 7 or figure.is_fraction:
            return True
        if is_declared and not self.names.is_drawn(name):
            is_result = role(name) in RESULTS and figure.unit < SHORTEST
            is_given = self.state.assumes or LET.search(self.state.sentence)
            return is_result and not is_given
        return figure.unit <= FINE
