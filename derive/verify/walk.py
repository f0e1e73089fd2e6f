"""A chain walked from left to right: what is worked out, from what, and what is printed for it."""

from __future__ import annotations

from collections.abc import Iterator

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Binary, Function, Leaf, Name, Node, Number, literal
from derive.verify.grammar.parser import UNREAD
from derive.verify.known.roots import note
from derive.verify.known.steps.made import whole
from derive.verify.matrices.names import Meanings
from derive.verify.matrices.operands import Operands
from derive.verify.matrices.results import Results
from derive.verify.numbers.called import LETTERED, function_of, lettered, reapplied
from derive.verify.numbers.equated import equated
from derive.verify.numbers.rescaled import rescaled
from derive.verify.numbers.scaling import is_number
from derive.verify.numbers.spread import of_all
from derive.verify.values.evaluate import has_value, value
from derive.verify.values.formulas import names as names_in

INDICES = frozenset("ijknmt")
"""Letters that count the terms of a sum."""


class Walk:
    """One walk along the sides of a chain."""

    def __init__(self, names: Meanings, operands: Operands, results: Results) -> None:
        """At the beginning."""
        self.names, self.operands, self.results = names, operands, results
        self.source: Node | None = None  # what the results are made from
        self.before: Node | None = None  # the last side that has a value
        self.raw: Node | None = None  # the last side, as it is written

    def along(
        self, sides: tuple[Node, ...], relations: tuple[str, ...], names: list[Name]
    ) -> Node | None:
        """All sides; the last that has a value."""
        for place, side in enumerate(sides):
            if isinstance(side, Name):
                self.called(side, relations[place])
                continue
            cells = literal(side)
            if relations[place] == "→":
                self.lead(cells)
            if cells and place > 0 and not self.in_unit(cells[0][0]):
                self.results.state.unread(side, "prose")
            elif cells and place > 0:
                self.results.state.is_about = relations[place] == "≈"
                self.result(sides, place, cells, names)
                self.results.state.is_about = False
            else:
                self.worked(side)
            self.raw = side
        return self.before

    def called(self, side: Name, relation: str) -> None:
        """An arrow to the name of a function leads to its value: [1, 2] → softmax = [0.3, 0.7]."""
        name = function_of(side.text) if relation == "→" and self.source is not None else ""
        if name and self.source is not None:
            self.source = self.before = self.raw = Function(name, (self.source,))

    def lead(self, cells: list[list[Cell]] | None) -> None:
        """An arrow begins anew, but where it leads to what the side before is worth."""
        if cells and self.source is not None:
            self.source = self.before = self.results.sources.led(self.source, cells)
        elif not cells:
            self.source = self.before = self.raw = None

    def result(
        self, sides: tuple[Node, ...], place: int, cells: list[list[Cell]], names: list[Name]
    ) -> None:
        """A printed result, and the expressions that it is the value of."""
        state = self.results.state
        if self.source is None and isinstance(self.raw, Function) and self.raw.name in LETTERED:
            arguments = tuple(map(self.names.resolved, self.raw.arguments))
            self.source = self.before = (
                lettered(arguments, cells, state.is_logistic) if arguments else None
            )
            state.is_logistic |= _is_logistic(self.source)
        if self.source is None and _is_of_letter(self.raw):
            self.source = self.before = reapplied(self.results.state, Grid(cells), self.raw)
        if self.source is None:
            self.source = self.before = equated(state, self.raw, cells, place)
        as_share(self.source, cells[0][0])
        ways = (self.before,) if self.before is not None else ()
        label = names[-1] if names else sides[0]
        printed = tuple(self.by_printed(sides))
        whole = rescaled(state, label, self.source) or of_all(state, label, self.source)
        if whole is not None:
            self.source, ways, printed = whole, (), ()
        state.unknown = frozenset() if self.source else self.unknown()
        grid = self.results.result(cells, self.source, (*ways, *printed), label)
        state.unknown = frozenset()
        if grid.made is None and (self.is_unread() or _is_numeric(self.raw)):
            why = "formula not read" if self.is_unread() else "not worked out"
            for cell in (c for c in grid.cells() if c.verdict == "assumed"):
                cell.verdict, cell.why = "unchecked", why
        for name in names[:-1]:
            self.results.bind(grid, name.text, None)
        for written in sides[:place]:
            if not literal(written):
                self.names.remember(written, grid)
                note(self.results.state.pool, self.names.resolved(written), grid)
        self.before = Leaf(grid) if grid.made is not None else None

    def in_unit(self, cell: Cell) -> bool:
        """Whether a number has no unit, or is in it what stands before: 18752304 = 18.75M."""
        source, figure = self.source or UNREAD, cell.figure
        for scale in cell.scales if figure is not None else ():
            made = source if scale == 1 else Binary("/", source, whole(scale))
            modes = ("exact", "printed") if has_value(made) else ()
            if any(figure and figure.is_rounded(value(made, m).rows[0][0]) for m in modes):
                self.source = self.before = made
                return True
        return not cell.scales

    def is_unread(self) -> bool:
        """Whether the formula before a result calls what is not known: det(A) = 2."""
        return self.raw is not None and any(
            isinstance(node, Function) and node.name[:1] == "?" for node in self.raw.inside()
        )

    def unknown(self) -> frozenset[str]:
        """The names in the last formula that mean nothing yet; p_i is any entry."""
        is_formula = self.raw is not None and not isinstance(self.raw, Name)
        made = self.names.resolved(self.raw) if is_formula and self.raw is not None else None
        if made is None or self.raw is None:
            return frozenset()
        parts = [name.partition("_") for name in names_in(self.raw)]
        entries = {stem for stem, _, index in parts if index.strip("{}") in INDICES}
        return frozenset(n for n in names_in(made) if n.partition("_")[0] not in entries)

    def worked(self, side: Node) -> None:
        """A side that is worked out."""
        self.operands.read(side, self.raw)
        made = self.names.resolved(side)
        if has_value(made) and not isinstance(side, Number):
            self.source = self.source or made
            self.before = made

    def by_printed(self, sides: tuple[Node, ...]) -> Iterator[Node]:
        """The formulas of a chain with what was printed for their parts."""
        for side in sides:
            if not isinstance(side, Name) and not literal(side):
                made = self.names.by_printed(side)
                if made is not None and has_value(made):
                    yield made


def as_share(source: Node | None, cell: Cell) -> None:
    """12.5 percent is read as a share where that, and not 12.5, is what stands before."""
    if not cell.is_share or cell.figure is None or source is None or not has_value(source):
        return
    (exact, *more), *rows = value(source, "exact").rows
    if not (more or rows or cell.figure.is_rounded(exact)):
        hundredth = cell.figure.hundredth
        is_meant = abs(exact - hundredth.ball) < abs(exact - cell.figure.ball)
        cell.figure = hundredth if is_meant else cell.figure


def _is_logistic(made: Node | None) -> bool:
    """Whether the letter of a function was found to be the logistic one, of one number."""
    return isinstance(made, Function) and made.name == "sigmoid" and is_number(made)


def _is_of_letter(side: Node | None) -> bool:
    """Whether a function is taken of what one letter stands for: of s + M, M may be the mask."""
    return isinstance(side, Function) and all(isinstance(x, Name) for x in side.arguments)


def _is_numeric(side: Node | None) -> bool:
    """Whether a side is written in numbers alone, and is more than numbers that stand there."""
    if side is None or literal(side):
        return False
    inside = [side]
    while inside:
        node = inside.pop()
        if isinstance(node, Function) and node.name == "sum over" and _is_counted(node):
            continue
        if isinstance(node, Name) or (isinstance(node, Function) and node.name[:1] == "?"):
            return False
        inside.extend(node.parts())
    return True


def _is_counted(total: Node) -> bool:
    """Whether nothing but an index is unknown of what is summed up."""
    names = {*names_in(total)}
    return len(names) <= 1 and names <= INDICES
