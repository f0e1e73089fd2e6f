"""The numbers of a side that is worked out: what they repeat, or what they are results of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from derive.verify.grammar.figures import Figure
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Array, Binary, Function, Node, literal
from derive.verify.known.agreement import is_same
from derive.verify.known.matching import matched
from derive.verify.known.state import State
from derive.verify.matrices.names import Meanings
from derive.verify.matrices.recognition import Matches
from derive.verify.matrices.sides import ROUNDED
from derive.verify.matrices.sums import Sums, settled
from derive.verify.matrices.weighed import weights_of
from derive.verify.matrices.worked import Worked
from derive.verify.matrices.written import signature
from derive.verify.values.align import aligned
from derive.verify.values.evaluate import has_value, value
from derive.verify.values.operations import Unknown

FEW = 3
"""So many of the last matrices may hold a short number."""
NEAR = 4
"""So many of the last results may stand among the operands as whole numbers."""
_LAST = re.compile(r"(\d{1,2})\W*$")
"""The number of an entry, behind its name."""


GIVEN = ("H", "W_Q", "W_K", "W_V", "W_O")
"""What an author gives, and repeats wherever it is multiplied."""


class Operands:
    """Judges the operands of an article's chains."""

    def __init__(self, state: State, names: Meanings, matches: Matches) -> None:
        """Over what is known."""
        self.state, self.names, self.matches = state, names, matches
        self.worked, self.sums = Worked(state), Sums(state, matches)

    def read(self, side: Node, before: Node | None) -> None:
        """The numbers of a side: results of the side before, or repeated."""
        done: set[int] = set()
        if before is not None:
            is_equal = self.are_equal(before, side)
            for target, made in aligned(before, side):
                if self.again(target, made, done):
                    continue
                made = self.names.resolved(made)
                if not is_equal or _is_met(target, made):
                    settled(self.state, target, made, done)
        if not done:
            self.sums.contributions(side, done)
        self.worked.read(side, None if before is None else self.names.resolved(before), done)
        self.repeated(side, done)

    def again(self, target: Node, made: Node, done: set[int]) -> bool:
        """Whether a part repeats what was printed for it: x + FFN(x) = [1, 2] + [3, 4]."""
        known, cells = self.names.printed.get(signature(made)), literal(target)
        if known is None or not cells or len(cells[0]) < 2 or Grid(cells).shape != known.shape:
            return False
        if not is_same(Grid(cells), known):
            return False
        for cell, origin in zip(Grid(cells).cells(), known.cells(), strict=True):
            self.state.refer(cell, origin)
            done.add(id(cell))
        return True

    def are_equal(self, left: Node, right: Node) -> bool:
        """Whether two sides are one number exactly, whatever their parts: 1/√2 = √2/2.

        Two fractions may be, where one has a letter that is not known.
        """
        may_be = all(isinstance(side, Binary) and side.sign == "/" for side in (left, right))
        try:
            a, b = (value(self.names.resolved(side), "exact") for side in (left, right))
        except (Unknown, ValueError):
            return may_be
        if a.shape != b.shape:
            return may_be
        pairs = zip(a.rows, b.rows, strict=True)
        return all(x.overlaps(y) for r, s in pairs for x, y in zip(r, s, strict=True))

    def repeated(self, side: Node, done: set[int]) -> None:
        """Numbers that repeat earlier ones: matrices, then rows, then one by one."""
        for matrix in _matrices(side):
            grid = Grid(matrix)
            if self.given(grid):
                done.update(id(cell) for cell in grid.cells())
            elif not self.state.assumes and self.matches.explained(grid, "", None, None):
                done.update(id(cell) for cell in grid.cells())
                self.state.pool.add(grid)
            elif 1 not in grid.shape and _is_whole(grid):
                self.introduced(grid, done)
        is_mixing = next(_vectors(side), None) is not None
        for cells in (*_vectors(side), *_columns(side)):
            if not all(id(cell) in done for cell in cells):
                self.listed(cells, done)
        weights = weights_of(self.state.pool, side)
        for cell in (c for c in side.cells() if id(c) in weights and id(c) not in done):
            self.state.refer(cell, weights[id(cell)], is_operand=True)
            done.add(id(cell))
        for cell in side.cells():
            if id(cell) not in done and cell.start >= 0 and cell.figure is not None:
                self.single(cell, cell.figure, is_factor=is_mixing)
        self.taken_of(side)

    def introduced(self, grid: Grid, done: set[int]) -> None:
        """A matrix of whole numbers that is given only here, as an operand."""
        for cell in grid.cells():
            if id(cell) not in done and cell.start >= 0:
                cell.verdict = "assumed"
                self.state.claims.append(cell)
                done.add(id(cell))

    def taken_of(self, side: Node) -> None:
        """Keeps the list that a function is taken of, where it is given only there."""
        for (cells,) in (v for v in map(literal, arguments(side)) if v and len(v) == 1 < len(v[0])):
            if all(cell.verdict == "assumed" and cell.origin is None for cell in cells):
                self.state.pool.add(Grid([cells]))

    def given(self, grid: Grid) -> bool:
        """A matrix of the author's, entry for entry: no squares that happen to be its digits."""
        match = matched(grid.rows, self.state.steps.all(grid.shape), self.matches.asked())
        if match is not None and match.is_whole and not isinstance(match.step.made, Function):
            return False
        roles = filter(None, map(self.state.pool.of_role, GIVEN))
        for known in (*self.state.pool.recent(), *roles):
            is_own = known.made is None and all(c.verdict == "assumed" for c in known.cells())
            if is_own and known.shape == grid.shape and is_same(known, grid):
                for cell, origin in zip(grid.cells(), known.cells(), strict=True):
                    self.state.refer(cell, origin)
                return True
        return False

    def listed(self, cells: list[Cell], done: set[int]) -> None:
        """A list among the operands: printed before, or part of a step."""
        known = self.state.pool.vector(cells)
        if known is None:
            if len(cells) > 2 and self.is_step(cells):
                done.update(map(id, cells))
            return
        for cell, origin in zip(cells, known, strict=True):
            if id(cell) not in done:
                self.state.refer(cell, origin, is_operand=True)
                done.add(id(cell))

    def single(self, cell: Cell, figure: Figure, *, is_factor: bool = False) -> None:
        """A number among the operands: printed before, or taken as it stands."""
        origin = self.term(figure) or self.state.pool.origin(figure) or self.recent(figure)
        if origin is not None:
            self.state.refer(cell, origin, is_operand=is_factor)
            cell.meant = self.state.pool.meant(figure)
        elif figure.is_whole and (result := self.counted(figure)) is not None:
            self.state.refer(cell, result)
        elif (result := self.opposite(figure)) is not None:
            self.state.refer(cell, result)
            cell.origin, cell.exact = None, None if result.exact is None else -result.exact
        elif not figure.is_whole and not self.matches.scalars.follows(cell):
            cell.verdict, cell.why = "assumed", "operand"
            cell.is_rough = figure.unit <= ROUNDED and figure.weight > 1  # 0.001 is a rate
            self.state.claims.append(cell)

    def opposite(self, figure: Figure) -> Cell | None:
        """The right result of which a number is the negative, as sines are in rotations."""
        found = self.state.pool.origin(replace(figure, value=-figure.value))
        return None if figure.value > 0 or found is None or found.is_wrong else found

    def term(self, figure: Figure) -> Cell | None:
        """The term of the last sum that a number is, where two of them have its digits.

        Each is taken in turn, or by the number behind the name of the result: p_3.
        """
        same = [place for place, c in enumerate(self.state.summed) if _is_equal(c.figure, figure)]
        if len({self.state.summed[place].verdict for place in same}) < 2:
            return None
        numbered = _LAST.search(self.state.naming)
        place = int(numbered[1]) - 1 if numbered else -1
        if place not in same:
            later = [p for p in same if p > self.state.summed_at]
            place = (later or same)[0]
        self.state.summed_at = place
        return self.state.summed[place]

    def counted(self, figure: Figure) -> Cell | None:
        """A whole number, where one of the last results is the same; a wrong one, if no digit."""
        last = self.state.runs.cells[-1:] if figure.weight > 1 else []
        if last and last[0].is_wrong and _is_equal(last[0].figure, figure):
            return last[0]
        lists = [cell for grid in list(self.state.pool.recent())[:2] for cell in grid.cells()]
        for cell in (*reversed(self.state.runs.cells[-NEAR:]), *lists):
            if _is_equal(cell.figure, figure) and cell.verdict in ("correct", "propagated"):
                return cell
        return None

    def recent(self, figure: Figure) -> Cell | None:
        """A short number such as 0.5, where the last matrix holds it, or right results before."""
        if figure.is_whole:
            return None
        for place, grid in enumerate(list(self.state.pool.recent())[:FEW]):
            for cell in grid.cells():
                if _is_equal(cell.figure, figure) and (not place or _is_exact(cell)):
                    return cell
        return None

    def is_step(self, cells: list[Cell]) -> bool:
        """Whether a list among the operands is, throughout, part of a step."""
        if self.state.assumes:
            return False
        match = matched([cells], self.state.steps.all())
        if match is None or not match.is_whole or not match.rich:
            return False
        self.matches.by_match(Grid([cells]), match)
        return True


def arguments(node: Node) -> tuple[Node, ...]:
    """What a function that is known is taken of: the list in softmax([1, 2])."""
    return node.arguments if isinstance(node, Function) and node.name[:1] != "?" else ()


def _is_met(target: Node, made: Node) -> bool:
    """Whether every number of a printed part is what the expression gives, rounded."""
    cells = literal(target)
    if not cells or not has_value(made):
        return False
    rows = value(made, "exact").rows
    if (len(rows), len(rows[0])) != (len(cells), len(cells[0])):
        return False
    pairs = (
        (c.figure, x) for r, s in zip(cells, rows, strict=True) for c, x in zip(r, s, strict=True)
    )
    return all(figure is None or figure.is_rounded(x) for figure, x in pairs)


def _is_exact(cell: Cell) -> bool:
    """Whether a result is what is printed for it, with no more digits."""
    if cell.made is None or cell.exact is None or cell.figure is None or cell.is_wrong:
        return False
    return bool((cell.exact - cell.figure.ball).contains(0))


def _is_equal(known: Figure | None, figure: Figure) -> bool:
    return known is not None and (known.value, known.unit) == (figure.value, figure.unit)


def _matrices(node: Node) -> Iterator[list[list[Cell]]]:
    """The matrices of plain numbers, of two rows and more, in an expression."""
    cells = literal(node) if isinstance(node, Array) else None
    if cells and len(cells) > 1:
        yield cells
        return
    for part in node.parts():
        yield from _matrices(part)


def _columns(node: Node) -> Iterator[list[Cell]]:
    """Numbers below each other in an expression, in brackets of their own."""
    for matrix in _matrices(node):
        if len(matrix[0]) == 1:
            yield [cell for (cell,) in matrix]


def _vectors(node: Node) -> Iterator[list[Cell]]:
    """The lists of plain numbers in an expression."""
    if isinstance(node, Array):
        cells = literal(node)
        if cells:
            yield from cells
            return
    for part in node.parts():
        yield from _vectors(part)


def _is_whole(grid: Grid) -> bool:
    return all(cell.figure is not None and cell.figure.is_whole for cell in grid.cells())
