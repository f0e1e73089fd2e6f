"""An article read from top to bottom: every printed number gets its verdict as it comes."""

from __future__ import annotations

from fractions import Fraction

from derive.exact.enclosure import Enclosures
from derive.verify.evaluate import has_value, value
from derive.verify.figures import Figure
from derive.verify.grids import Cell, Grid
from derive.verify.judge import Judge
from derive.verify.matching import matched
from derive.verify.names import Meanings
from derive.verify.nodes import Array, Chain, Function, Leaf, Name, Node, Number, literal, variants
from derive.verify.operands import Operands
from derive.verify.operations import Unknown
from derive.verify.placing import Places
from derive.verify.recognition import Matches
from derive.verify.roles import indexed, role
from derive.verify.scalars import Scalars
from derive.verify.state import State
from derive.verify.steps import quantity

FINE = Fraction(1, 10_000)
"""What is printed without a name to so many places is the output of a program, and rounded."""
RESULTS = frozenset("S scaled A O mean std var Z".split())
"""Quantities that are results where they are printed: what nothing explains was rounded."""
SHORT = 3
"""A name with more letters is a word."""
REACH = 160
"""A heading is no further from what it announces, in characters."""


class Article:
    """The numbers of an article, judged in the order in which they are read."""

    def __init__(self) -> None:
        """Nothing read yet."""
        self.state = State()
        self.names = Meanings(self.state)
        self.scalars = Scalars(self.state)
        self.places = Places(self.state)
        self.matches = Matches(self.state, self.scalars, self.places)
        self.operands = Operands(self.state, self.names, self.matches)

    def read(self, chain: Chain) -> None:
        """One chain: operands refer to what was printed, results are judged."""
        sides = chain.sides
        if len(sides) == 1 and not isinstance(sides[0], Number) and not any(sides[0].cells()):
            self.announce(sides[0], chain.start)
            return
        if len(sides) == 1 and isinstance(sides[0], Number):
            self.scalars.read(sides[0].cell)
            return
        if len(sides) == 1 and (cells := literal(sides[0])):
            if is_size(sides[0]):
                self.sizes(cells[0])
                return
            if isinstance(sides[0], Array) and sides[0].maker == "rows" and self.are_apart(cells):
                for row in cells:
                    self.result([row], None, (), None)
                return
            label = self.announced(chain.start)
            is_formula = label is not None and not isinstance(label, Name)
            self.result(
                cells, self.names.resolved(label) if is_formula and label else None, (), label
            )
            return
        self.linked(sides)

    def sizes(self, cells: list[Cell]) -> None:
        """A shape such as (32, 10, 512) is a statement about no value."""
        for cell in cells:
            cell.verdict, cell.why = "unchecked", "a size"
            self.state.claims.append(cell)

    def are_apart(self, cells: list[list[Cell]]) -> bool:
        """Whether lists below each other are parts of steps one by one, not as a matrix."""
        if self.state.assumes or matched(cells, self.state.steps.all(), ""):
            return False
        return any(matched([row], self.state.steps.all(), "") for row in cells)

    def announce(self, side: Node, start: int) -> None:
        """A formula, or the name of a quantity, may be the heading of what comes next."""
        side = _shown(side)
        if not isinstance(side, Name) or role(side.text) or indexed(side.text):
            self.state.label, self.state.label_at = side, start
        elif isinstance(self.state.label, Name):
            self.state.label = None

    def announced(self, start: int) -> Node | None:
        """The formula or name that stands shortly before."""
        if self.state.label is None or not 0 <= start - self.state.label_at <= REACH:
            return None
        return self.state.label

    def linked(self, sides: tuple[Node, ...]) -> None:
        """The sides of a chain, from left to right."""
        if any(map(is_size, sides)):
            self.sizes([cell for side in sides for cell in side.cells() if cell.figure])
            return
        names = [side for side in sides if isinstance(side, Name)]
        source: Node | None = None
        before: Node | None = None
        raw: Node | None = None
        for place, side in enumerate(sides):
            if isinstance(side, Name):
                continue
            cells = literal(side)
            if cells and (place > 0):
                ways = tuple(way for way in (before,) if way is not None)
                label = names[-1] if names else sides[0]
                grid = self.result(cells, source, ways, label)
                before = Leaf(grid) if grid.made is not None else None
                raw = side
                continue
            self.operands.read(side, raw)
            made = self.names.resolved(side)
            if has_value(made) and not isinstance(side, Number):
                source = source or made
                before = made
            raw = side
        if before is not None and not any(literal(s) for s in sides[1:]):
            self.declared(names, before)

    def declared(self, names: list[Name], made: Node) -> None:
        """Names for a value that is never printed: W_Q = W_K = np.eye(4) * 0.5."""
        try:
            exact = value(made, "exact")
        except Unknown:
            return
        cells = [[Cell(None, exact=x) for x in row] for row in exact.rows]
        grid = Grid(cells, "", made)
        for name in names:
            self.state.pool.bind(name.text, grid)

    def result(
        self,
        cells: list[list[Cell]],
        source: Node | None,
        ways: tuple[Node, ...],
        label: Node | None,
    ) -> Grid:
        """A printed result: made by the expression before it, or the step that it agrees with."""
        name = label.text if isinstance(label, Name) else ""
        index = label.index if isinstance(label, Name) else None
        grid = Grid(cells, name)
        self.state.is_soft = self.state.is_output and len(name) > SHORT and name.isalpha()
        source, exact = self.by_convention(source, cells)
        if exact is not None and source is not None:
            ways = (*ways, *self.places.proportional(exact))
            self.state.judged(cells, exact, Judge(source, exact, ways), name)
            grid.made = source
            self.places.place_in_step(grid, exact)
        elif not self.state.assumes and self.matches.explained(grid, name, index, label):
            pass
        else:
            self.base(grid, name)
        self.state.pool.add(grid)
        if index is None:
            if not (self.state.is_soft and self.state.pool.of_role(role(name))):
                self.state.pool.bind(name, grid)
        elif name and grid.shape[0] == 1:
            self.bind_row(name, index, grid)
        return grid

    def bind_row(self, name: str, index: int, grid: Grid) -> None:
        """X[0] = [...]: one row of a matrix."""
        self.state.pool.rows[role(name) or name][index] = grid
        self.state.pool.named[f"{name}[{index}]"] = grid

    def by_convention(
        self, source: Node | None, cells: list[list[Cell]]
    ) -> tuple[Node | None, Enclosures | None]:
        """What a result is made from and its value, by the convention it agrees with."""
        exact = self.exact_of(source, cells)
        for other in variants(source) if source is not None else ():
            if exact is not None and _agrees(cells, exact):
                break
            found = self.exact_of(other, cells)
            if found is not None and _agrees(cells, found):
                return other, found
        return source, exact

    def exact_of(self, source: Node | None, cells: list[list[Cell]]) -> Enclosures | None:
        """The exact value where it has the shape of what is printed."""
        if source is None:
            return None
        try:
            exact = value(source, "exact")
        except (Unknown, ValueError):
            return None
        if any(x.is_nan() for row in exact.rows for x in row):
            return None
        shape = (len(cells), len(cells[0]))
        if exact.shape == shape:
            return exact
        return exact.T if exact.shape == shape[::-1] and 1 in shape else None

    def base(self, grid: Grid, name: str) -> None:
        """What nothing before explains is declared, or cannot be checked."""
        is_declared = bool(name) or self.state.assumes or not self.state.is_output
        for i, row in enumerate(grid.rows):
            for j, cell in enumerate(row):
                if cell.figure is None:
                    continue
                cell.verdict = "assumed" if is_declared else "unchecked"
                cell.why = "" if is_declared else "not printed"
                cell.is_rough = self.is_rounded(cell.figure, name, is_declared)
                cell.exact = None if cell.is_rough else cell.figure.ball
                cell.quantity = quantity(role(name) or name, i, j, grid.shape) if name else ""
                self.state.claims.append(cell)
        if grid.shape != (1, 1):
            self.state.pool.bases.append(grid)

    def is_rounded(self, figure: Figure, name: str, is_declared: bool) -> bool:
        """Whether a number that nothing explains stands for the interval of its digits."""
        if figure.weight >= 7:
            return True
        if is_declared:
            return role(name) in RESULTS and not figure.is_whole and not self.state.assumes
        return figure.unit <= FINE


def _agrees(cells: list[list[Cell]], exact: Enclosures) -> bool:
    """Whether every printed entry is the exact one, rounded."""
    pairs = zip(cells, exact.rows, strict=True)
    found = ((cell.figure, x) for row, values in pairs for cell, x in zip(row, values, strict=True))
    return all(figure is None or figure.is_rounded(x) for figure, x in found)


def _shown(side: Node) -> Node:
    """What a call such as print(scores) shows."""
    match side:
        case Function(name, (first, *_)) if name.startswith("?"):
            return first
    return side


def is_size(node: Node) -> bool:
    """Whole numbers in round brackets, or running on without any."""
    return (
        isinstance(node, Array)
        and node.maker == "("
        and all(c.figure is not None and c.figure.is_whole for c in node.cells())
    )
