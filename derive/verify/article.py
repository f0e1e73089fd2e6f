"""An article read from top to bottom: every printed number gets its verdict as it comes."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from derive.exact.enclosure import Enclosures
from derive.verify.align import aligned, terms
from derive.verify.evaluate import Unknown, value
from derive.verify.grids import Cell, Grid
from derive.verify.judge import Judge, follows
from derive.verify.matching import Match, matched
from derive.verify.nodes import (
    Array,
    Binary,
    Chain,
    Component,
    Function,
    Leaf,
    Name,
    Negative,
    Node,
    Number,
    literal,
)
from derive.verify.pool import Pool
from derive.verify.roles import indexed, role
from derive.verify.steps import Steps, quantity

FINE = Fraction(1, 10_000)
"""What is printed without a name to so many places is the output of a program, and rounded."""
REACH = 160
"""A heading is no further from what it announces, in characters."""
WIDEST = 12
"""A table of steps side by side has at most so many columns."""
PLACES = frozenset(("Q", "K", "V", "S", "scaled", "masked", "exp", "Z", "A", "O", "K^T", "product"))
"""The steps whose entries a number that was worked out may be."""
INPUTS = ("H", "W_Q", "W_K", "W_V", "W_O")


class Article:
    """The state of reading: what is known, and the numbers judged so far."""

    def __init__(self) -> None:
        """Nothing read yet."""
        self.pool = Pool()
        self.steps = Steps(self.pool)
        self.claims: list[Cell] = []
        self.label: Node | None = None  # a formula without numbers that announces what follows
        self.label_at = -1
        self.assumes = False
        self.is_output = False
        self.focus: tuple[Grid | None, int] = (None, -1)  # the row last measured
        self.focus_at = -1
        self.last: list[Node] = []  # the vector terms of the last sum

    # Chains

    def read(self, chain: Chain) -> None:
        """One chain: operands refer to what was printed, results are judged."""
        sides = chain.sides
        if len(sides) == 1 and not isinstance(sides[0], Number) and not any(sides[0].cells()):
            self.announce(sides[0], chain.start)
            return
        if len(sides) == 1 and isinstance(sides[0], Number):
            self.scalar(sides[0].cell)
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
            self.result(cells, self.resolved(label) if is_formula and label else None, (), label)
            return
        self.linked(sides)

    def sizes(self, cells: list[Cell]) -> None:
        """A shape such as (32, 10, 512) is a statement about no value."""
        for cell in cells:
            cell.verdict, cell.why = "unchecked", "a size"
            self.claims.append(cell)

    def are_apart(self, cells: list[list[Cell]]) -> bool:
        """Whether lists below each other are parts of steps one by one, not as a matrix."""
        if self.assumes or matched(cells, self.steps.all(), ""):
            return False
        return any(matched([row], self.steps.all(), "") for row in cells)

    def announce(self, side: Node, start: int) -> None:
        """A formula, or the name of a quantity, may be the heading of what comes next."""
        if not isinstance(side, Name) or role(side.text) or indexed(side.text):
            self.label, self.label_at = side, start
        elif isinstance(self.label, Name):
            self.label = None

    def announced(self, start: int) -> Node | None:
        """The formula or name that stands shortly before."""
        if self.label is None or not 0 <= start - self.label_at <= REACH:
            return None
        return self.label

    def linked(self, sides: tuple[Node, ...]) -> None:
        """The sides of a chain, from left to right."""
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
                grid = self.result(cells, source, ways, label, known=self.named_step(names))
                before = Leaf(grid)
                source = source or (Leaf(grid) if grid.made is None else None)
                raw = side
                continue
            self.operands(side, raw)
            made = self.resolved(side)
            if self.has_value(made):
                source = source or made
                before = made
            raw = side
            self.keep_terms(made)
        if before is not None and not any(literal(s) for s in sides[1:]):
            self.declared(names, before)

    def named_step(self, names: list[Name]) -> str:
        return role(names[-1].text) if names else ""

    def declared(self, names: list[Name], made: Node) -> None:
        """Names for a value that is never printed: W_Q = W_K = np.eye(4) * 0.5."""
        try:
            exact = value(made, "exact")
        except Unknown:
            return
        cells = [[Cell(None, exact=x) for x in row] for row in exact.rows]
        grid = Grid(cells, "", made)
        for name in names:
            self.pool.bind(name.text, grid)

    def keep_terms(self, made: Node) -> None:
        found = terms(made)
        if len(found) > 1:
            self.last = found

    def has_value(self, node: Node) -> bool:
        try:
            value(node, "exact")
        except (Unknown, ValueError):
            return False
        return True

    # Operands

    def operands(self, side: Node, before: Node | None) -> None:
        """The printed numbers of a side that is worked out: results of the side before, or repeated."""
        done: set[int] = set()
        if before is not None:
            for target, made in aligned(before, side):
                self.settled(target, self.resolved(made), done)
        else:
            self.contributions(side, done)
        self.repeated(side, done)

    def settled(self, target: Node, made: Node, done: set[int]) -> None:
        cells = literal(target)
        if not cells or not self.has_value(made):
            return
        exact = value(made, "exact")
        if exact.shape != (len(cells), len(cells[0])):
            return
        self.judged(cells, exact, Judge(made, exact), "")
        for row in cells:
            for cell in row:
                self.pool.note(cell)
        done.update(id(cell) for row in cells for cell in row)

    def repeated(self, side: Node, done: set[int]) -> None:
        """Numbers that repeat earlier ones: whole rows by their digits, then one by one."""
        for matrix in _matrices(side):
            grid = Grid(matrix)
            if not self.assumes and self.explained(grid, "", None, None):
                done.update(id(cell) for cell in grid.cells())
                self.pool.add(grid)
        for cells in _vectors(side):
            if all(id(cell) in done for cell in cells):
                continue
            known = self.pool.vector(cells)
            if not known and len(cells) > 2 and self.is_step(cells):
                done.update(map(id, cells))
            if known:
                for cell, origin in zip(cells, known, strict=True):
                    if id(cell) not in done:
                        self.refer(cell, origin)
                        done.add(id(cell))
        for cell in side.cells():
            if id(cell) in done or cell.start < 0 or cell.figure is None:
                continue
            origin = self.pool.origin(cell.figure)
            if origin:
                self.refer(cell, origin)
            elif not cell.figure.is_whole:
                cell.verdict, cell.why = "assumed", "operand"
                self.claims.append(cell)

    def is_step(self, cells: list[Cell]) -> bool:
        """Whether a list among the operands is, throughout, part of a step."""
        if self.assumes:
            return False
        match = matched([cells], self.steps.all(), "")
        if match is None or not match.is_whole or not match.rich:
            return False
        self.by_match(Grid([cells]), match)
        return True

    def refer(self, cell: Cell, origin: Cell) -> None:
        """A number printed again carries the verdict it had."""
        cell.origin = origin.origin or origin
        cell.exact = origin.exact
        cell.verdict = "consequence" if origin.is_wrong else origin.verdict
        cell.root = (origin.root or origin.quantity) if origin.is_wrong else ""
        cell.quantity, cell.why, cell.is_rough = origin.quantity, origin.why, origin.is_rough
        self.claims.append(cell)

    def contributions(self, side: Node, done: set[int]) -> None:
        """A sum of printed terms, as entry (i, c) of a product: each term is a_ik b_kc."""
        for item in side.items if isinstance(side, Array) else (side,):
            found = terms(item)
            if len(found) < 2 or not all(isinstance(t, Number) for t in found):
                continue
            cells = [t.cell for t in found if isinstance(t, Number)]
            for ways in self.products(len(cells)):
                if all(
                    follows(w, c.figure, 0, 0) for w, c in zip(ways, cells, strict=True) if c.figure
                ):
                    for cell, way in zip(cells, ways, strict=True):
                        self.settled(Number(cell), way, done)
                    break

    def products(self, count: int) -> Iterator[list[Node]]:
        """For each entry of each product of `count` terms, the terms."""
        list(self.steps.all())
        for step in list(self.steps.known.values()):
            if step is None or not isinstance(step.made, Binary) or step.made.sign != "@":
                continue
            a, b = step.made.left, step.made.right
            turned = isinstance(b, Function)
            right = b.arguments[0] if isinstance(b, Function) else b
            if not isinstance(a, Leaf) or not isinstance(right, Leaf) or a.grid.shape[1] != count:
                continue
            rows = right.grid.rows
            for row in a.grid.rows:
                for c in range(len(rows) if turned else len(rows[0])):
                    column = rows[c] if turned else [r[c] for r in rows]
                    yield [
                        Binary("*", Leaf(Grid([[x]])), Leaf(Grid([[y]])))
                        for x, y in zip(row, column, strict=True)
                    ]

    # Names

    def resolved(self, node: Node) -> Node:
        """The expression with its names replaced by what they mean."""
        match node:
            case Name(text, index):
                grid = self.meaning(text)
                if grid is None:
                    return node
                if index is not None:
                    return Leaf(grid.row(index), text) if index < grid.shape[0] else node
                return Leaf(grid, text)
            case Binary(sign, left, right):
                return Binary(sign, self.resolved(left), self.resolved(right))
            case Negative(inner):
                return Negative(self.resolved(inner))
            case Component(inner, place):
                return Component(self.resolved(inner), place)
            case Function(name, arguments):
                self.note_root(name, arguments)
                return Function(name, tuple(map(self.resolved, arguments)))
            case Array(items):
                return Array(tuple(map(self.resolved, items)))
            case Chain(sides):
                return self.resolved(sides[-1])
        return node

    def note_root(self, name: str, arguments: tuple[Node, ...]) -> None:
        if name == "sqrt" and len(arguments) == 1 and isinstance(arguments[0], Number):
            figure = arguments[0].cell.figure
            if figure and figure.is_whole and 1 < figure.value < 10_000:
                self.pool.width = int(figure.value)

    def meaning(self, text: str) -> Grid | None:
        """The matrix a name means: as printed, or as the step of that name."""
        found = self.pool.lookup(text)
        if found is not None:
            return found
        kind = role(text)
        if kind in ("Q", "K", "V"):
            return self.steps.projection(kind)
        if kind in ("S", "scaled", "A", "O"):
            return next((step for step in self.steps.all() if step.name == kind), None)
        return None

    # Results

    def result(
        self,
        cells: list[list[Cell]],
        source: Node | None,
        ways: tuple[Node, ...],
        label: Node | None,
        known: str = "",
    ) -> Grid:
        """A printed result: made by the expression before it, or the step that it agrees with."""
        name = label.text if isinstance(label, Name) else ""
        index = label.index if isinstance(label, Name) else None
        grid = Grid(cells, name)
        exact = self.exact_of(source, cells)
        if exact is not None and source is not None:
            ways = (*ways, *self.proportional(exact))
            self.judged(cells, exact, Judge(source, exact, ways), name)
            grid.made = source
            self.place_in_step(grid, exact)
        elif not self.assumes and self.explained(grid, name, index, label):
            pass
        else:
            self.base(grid, name)
        self.pool.add(grid)
        if index is None:
            self.pool.bind(name, grid)
        elif name and grid.shape[0] == 1:
            self.bind_row(name, index, grid)
        return grid

    def bind_row(self, name: str, index: int, grid: Grid) -> None:
        """X[0] = [...]: one row of a matrix."""
        self.pool.rows[role(name) or name][index] = grid
        self.pool.named[f"{name}[{index}]"] = grid

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

    def judged(self, cells: list[list[Cell]], exact: Enclosures, judge: Judge, name: str) -> None:
        """Gives every entry its verdict."""
        for i, row in enumerate(cells):
            for j, cell in enumerate(row):
                if cell.figure is None:
                    continue
                cell.exact = exact.rows[i][j]
                cell.verdict, cell.root = judge.verdict(cell, i, j)
                cell.quantity = cell.quantity or (quantity(name, i, j, exact.shape) if name else "")
                self.claims.append(cell)

    def explained(self, grid: Grid, name: str, index: int | None, label: Node | None) -> bool:
        """Whether the matrix is a repetition, or a step of what is known."""
        kind = role(name)
        if grid.shape == (1, 1) and self.measured(grid.rows[0][0], kind):
            return True
        if self.is_again(grid, name):
            return True
        row = index
        if not kind and (found := indexed(name)) and grid.shape[0] == 1:
            kind, row = found[0], found[1] - 1
        if kind in INPUTS or (kind in ("Q", "K", "V") and not self.is_projected(kind)):
            return False
        if grid.shape == (1, 1):
            return False
        if kind in ("Q", "K", "V", "A", "O") and grid.shape[0] == 1 and row is None:
            row = self.next_row(kind)
        match = matched(grid.rows, self.steps.all(), kind, row, self.steps.sure)
        if match is None and row is not None:
            match = matched(grid.rows, self.steps.all(), "", None)
        if match is None:
            return self.is_beside(grid)
        self.by_match(grid, match)
        return True

    def is_beside(self, grid: Grid) -> bool:
        """Whether two steps stand side by side in one table."""
        rows, columns = grid.shape
        if rows < 2 or not 1 < columns <= WIDEST:
            return False
        for cut in range(1, columns):
            left, right = ([row[:cut] for row in grid.rows], [row[cut:] for row in grid.rows])
            first = matched(left, self.steps.all(), "")
            second = matched(right, self.steps.all(), "") if first and first.is_whole else None
            if first and second and second.is_whole and min(first.rich, second.rich) > 2:
                self.by_match(Grid(left), first)
                self.by_match(Grid(right), second)
                return True
        return False

    # Single numbers

    def scalar(self, cell: Cell) -> None:
        """A number in running text: printed before, a sum, or an entry of a step."""
        figure = cell.figure
        if figure is None or cell.start < 0:
            return
        label = self.label.text if isinstance(self.label, Name) else ""
        if 0 <= cell.start - self.label_at <= len(label) + 3 and self.measured(cell, role(label)):
            self.pool.note(cell)
            return
        origin = self.pool.origin(figure)
        if origin is not None and origin.verdict != "unchecked":
            self.refer(cell, origin)
        elif not (figure.is_whole and figure.text[-1] != ".") and self.found(cell):
            self.pool.note(cell)
        else:
            cell.verdict, cell.why = "unchecked", "prose"
            self.claims.append(cell)

    def found(self, cell: Cell) -> bool:
        """Whether a number is the sum of the last list, or an entry of a step."""
        assert cell.figure is not None
        for grid in list(self.pool.recent())[:2]:
            total = self.steps.unary("sum", grid)
            if total is not None and self.entry(cell, total):
                return True
        if cell.figure.weight < 3:
            return False
        return any(self.entry(cell, step) for step in self.steps.all() if step.made)

    def entry(self, cell: Cell, step: Grid) -> bool:
        """Whether a number is an entry of a step, rounded or as its printed operands give it."""
        assert cell.figure is not None and step.made is not None
        for i, row in enumerate(step.rows):
            for j, target in enumerate(row):
                exact = target.exact
                if exact is None or not (
                    cell.figure.is_rounded(exact)
                    or (step.name == "Z" and follows(step.made, cell.figure, i, j))
                ):
                    continue
                cell.exact, cell.quantity = exact, target.quantity
                known = value(Leaf(step), "exact")
                cell.verdict, cell.root = Judge(step.made, known).verdict(cell, i, j)
                self.claims.append(cell)
                self.same_value(step, cell)
                return True
        return False

    def same_value(self, step: Grid, cell: Cell) -> None:
        """All entries of the step with this value take the digits printed for one."""
        for target in step.cells():
            if target.exact is not None and cell.exact is not None and target.figure is None:
                if target.exact.overlaps(cell.exact):
                    target.figure, target.verdict, target.origin = cell.figure, cell.verdict, cell

    def measured(self, cell: Cell, kind: str) -> bool:
        """A mean, a deviation or a sum of a row, named as one."""
        if kind not in ("mean", "std", "var") or cell.figure is None:
            return False
        found = []
        for grid in self.pool.recent():
            step = self.steps.unary(kind, grid)
            rows = step.rows if step is not None else []
            found += [
                (grid, i)
                for i, (t,) in enumerate(rows)
                if t.exact and cell.figure.is_rounded(t.exact)
            ]
        grid, row = self.focus
        later = [f for f in found if f[0] is grid and f[1] > row] if kind == "mean" else []
        near = grid is not None and 0 <= cell.start - self.focus_at < 60
        if near and kind != "mean" and grid is not None:
            place: tuple[Grid | None, int] = (grid, row)
        elif found:
            place = (later or found)[0]
        else:
            return False
        self.focus, self.focus_at = place, cell.start
        assert place[0] is not None
        step = self.steps.unary(kind, place[0])
        if step is None or step.made is None:
            return False
        i = place[1]
        exact = value(Leaf(step), "exact")
        cell.exact, cell.quantity = exact.rows[i][0], f"{kind}[{i + 1}]"
        cell.verdict, cell.root = Judge(step.made, exact).verdict(cell, i, 0)
        self.claims.append(cell)
        target = step.rows[i][0]
        target.figure, target.verdict, target.origin = cell.figure, cell.verdict, cell
        return True

    def next_row(self, kind: str) -> int | None:
        """The row that comes next where the rows of a matrix stand one by one."""
        place = self.pool.seen[kind]
        self.pool.seen[kind] += 1
        return place

    def by_match(self, grid: Grid, match: Match) -> None:
        """Judges a matrix as (part of) a step."""
        step, places = match.step, match.places
        exact = value(Leaf(step), "exact")
        made = step.made or Leaf(step)
        judge = Judge(made, exact, tuple(self.proportional(exact)))
        for row, targets in zip(grid.rows, places, strict=True):
            for cell, (i, j) in zip(row, targets, strict=True):
                target = step.rows[i][j]
                cell.exact = exact.rows[i][j]
                cell.quantity = target.quantity or quantity(step.name, i, j, step.shape)
                if cell.figure:
                    cell.verdict, cell.root = judge.verdict(cell, i, j)
                    self.claims.append(cell)
        self.write(grid, match)

    def write(self, grid: Grid, match: Match) -> None:
        """The step takes the digits printed for it."""
        if match.step.made is None:
            return
        for row, targets in zip(grid.rows, match.places, strict=True):
            for cell, (i, j) in zip(row, targets, strict=True):
                target = match.step.rows[i][j]
                if target.figure and cell.figure and target.figure.value == cell.figure.value:
                    continue  # printed again: the first place keeps the finding
                target.figure, target.verdict = cell.figure, cell.verdict
                target.root, target.origin = cell.root, cell
        grid.name = grid.name or match.step.name

    def entry_of_step(self, cell: Cell) -> None:
        """A number worked out is the next entry of a step with its value."""
        first = None
        for step in self.steps.all():
            if step.made is None or step.name not in PLACES:
                continue
            for target in step.cells():
                if (
                    target.exact is None
                    or cell.exact is None
                    or not target.exact.overlaps(cell.exact)
                ):
                    continue
                first = first or target
                if target.figure is None:
                    target.figure, target.verdict, target.origin = cell.figure, cell.verdict, cell
                    target.root = cell.root
                    cell.quantity = target.quantity
                    return
        if first is not None:
            cell.quantity = first.quantity

    def place_in_step(self, grid: Grid, exact: Enclosures) -> None:
        """A result with the values of a step is that step."""
        if grid.shape == (1, 1):
            self.entry_of_step(grid.rows[0][0])
            return
        for step in self.steps.all():
            if step.made is None or step.shape != grid.shape or step.name not in PLACES:
                continue
            known = value(Leaf(step), "exact")
            pairs = zip(exact.rows, known.rows, strict=True)
            if all(x.overlaps(y) for r, s in pairs for x, y in zip(r, s, strict=True)):
                rows, columns = step.shape
                places = tuple(tuple((i, j) for j in range(columns)) for i in range(rows))
                for row, targets in zip(grid.rows, step.rows, strict=True):
                    for cell, target in zip(row, targets, strict=True):
                        cell.quantity = target.quantity
                self.write(grid, Match(step, places, 0, 0, 0, 1, True))
                return

    def proportional(self, exact: Enclosures) -> Iterator[Node]:
        """A value as a multiple of another printed matrix."""
        if exact.shape == (1, 1):
            return
        for other in list(self.steps.known.values()):
            if other is None or other.shape != exact.shape or not other.is_printed:
                continue
            ratio = _ratio(exact, value(Leaf(other), "exact"))
            if ratio is not None:
                printed = Grid(other.rows, other.name)
                yield Binary("*", Number(Cell(None, exact=ratio)), Leaf(printed))

    def is_projected(self, kind: str) -> bool:
        """Whether queries, keys or values follow from an input and weights."""
        step = self.steps.projection(kind)
        return step is not None and step.name == kind and step.made is not None

    def is_again(self, grid: Grid, name: str) -> bool:
        """A matrix printed before, or a part of one, entry for entry."""
        known = self.pool.named.get(name) if name else None
        if known is not None and known.shape == grid.shape and _is_same(known, grid):
            for row, before in zip(grid.rows, known.rows, strict=True):
                for cell, origin in zip(row, before, strict=True):
                    self.refer(cell, origin)
            grid.made = known.made
            return True
        if role(name) or grid.shape == (1, 1) or name:
            return False
        found = [self.pool.vector(row) for row in grid.rows]
        if any(v is None for v in found):
            return False
        if any(c.verdict != "correct" for v in found for c in v or ()):
            match = matched(grid.rows, self.steps.all(), "")
            if match is not None and match.is_whole and match.step.made is not None:
                return False
        for row, origins in zip(grid.rows, found, strict=True):
            for cell, origin in zip(row, origins or (), strict=True):
                self.refer(cell, origin)
        return True

    def base(self, grid: Grid, name: str) -> None:
        """What nothing before explains is declared, or cannot be checked."""
        is_declared = bool(name) or self.assumes or not self.is_output
        for i, row in enumerate(grid.rows):
            for j, cell in enumerate(row):
                if cell.figure is None:
                    continue
                cell.verdict = "assumed" if is_declared else "unchecked"
                cell.why = "" if is_declared else "not printed"
                cell.is_rough = cell.figure.weight >= 7 or (
                    not is_declared and cell.figure.unit <= FINE
                )
                cell.exact = None if cell.is_rough else cell.figure.ball
                cell.quantity = quantity(role(name) or name, i, j, grid.shape) if name else ""
                self.claims.append(cell)
        if grid.shape != (1, 1):
            self.pool.bases.append(grid)


def is_size(node: Node) -> bool:
    """Whole numbers in round brackets, or running on without any."""
    return (
        isinstance(node, Array)
        and node.maker == "("
        and all(c.figure is not None and c.figure.is_whole for c in node.cells())
    )


def _ratio(exact: Enclosures, base: Enclosures):  # type: ignore[no-untyped-def]
    ratio = None
    for r, s in zip(exact.rows, base.rows, strict=True):
        for x, y in zip(r, s, strict=True):
            if y.contains(0) or not y.is_finite():
                if not x.contains(0):
                    return None
            elif ratio is None:
                ratio = x / y
            elif not (x - ratio * y).contains(0):
                return None
    return ratio


def _is_same(known: Grid, grid: Grid) -> bool:
    return all(
        a.figure and b.figure and a.figure.value == b.figure.value
        for a, b in zip(known.cells(), grid.cells(), strict=True)
    )


def _matrices(node: Node) -> Iterator[list[list[Cell]]]:
    """The matrices of plain numbers, of two rows and more, in an expression."""
    cells = literal(node) if isinstance(node, Array) else None
    if cells and len(cells) > 1:
        yield cells
        return
    for part in node.parts():
        yield from _matrices(part)


def _vectors(node: Node) -> Iterator[list[Cell]]:
    """The lists of plain numbers in an expression."""
    if isinstance(node, Array):
        cells = literal(node)
        if cells:
            yield from cells
            return
    for part in node.parts():
        yield from _vectors(part)
