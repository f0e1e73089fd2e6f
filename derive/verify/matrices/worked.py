"""A product worked out term by term: which entries of which matrices its operands are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Array, Binary, Function, Leaf, Node, literal
from derive.verify.known.state import State
from derive.verify.values.align import terms

TIMES = frozenset(("*", "⊙", "·", "×", "", "@"))
MOST = 300
"""So many products are looked through."""
FEWEST = 2
"""Terms at the least."""
TELLING = 6
"""So many agreeing digits make the one operand that differs a slip."""
Values = tuple[object, ...]
Pair = tuple[list[Cell], list[Cell]]


@dataclass(frozen=True)
class Line:
    """An entry of a product, or a row of it: the cells of its left and right operands."""

    left: list[Cell]
    right: list[list[Cell]]
    target: list[Cell]


class Worked:
    """Finds the operands of worked products."""

    def __init__(self, state: State) -> None:
        """Over what is known."""
        self.state = state
        self.known: dict[tuple[object, ...], list[Line]] = {}

    def read(self, side: Node, before: Node | None, done: set[int]) -> None:
        """Refers the operands of a sum of products, or of a list of such, to what they repeat.

        before: what the side works out, where it is written: q_1 · k_2.
        """
        self.state.aimed = None
        if self.state.assumes:
            return
        said = set(_leaves(before)) if before is not None else set()
        for item in side.items if isinstance(side, Array) else (side,):
            found = pairs(item)
            if len(found) < FEWEST:
                continue
            line = self.line(found, said) or self.slip(found)
            if line is not None:
                self.state.aimed = line.target[0] if len(line.target) == 1 else None
                self.refer(found, line, done)

    def lines(self, width: int, count: int) -> list[Line]:
        """What the products of so many terms are made of, entry by entry or row by row."""
        steps = [s for s in self.state.steps.all() if s.made is not None][:MOST]
        key = (width, count, *map(id, steps))
        if key not in self.known:
            self.known = {key: [x for s in steps for x in _lines(s, width, count)]}
        return self.known[key]

    def line(self, found: list[Pair], said: set[int]) -> Line | None:
        """The product of which every operand is printed here: of what is said, the next of them."""
        lines = self.lines(len(found[0][1]), len(found))
        fits = [line for line in lines if _is_same(found, line)]
        return min(fits, key=lambda line: _rank(line, said), default=None)

    def slip(self, found: list[Pair]) -> Line | None:
        """The one product of which all operands but one are printed here."""
        figures = [c.figure for a, b in found for c in (*a, *b) if c.figure]
        if any(figure.is_whole for figure in figures):
            return None
        fits: dict[Values, Line] = {}
        for line in self.lines(len(found[0][1]), len(found)):
            wrong = _differing(found, line)
            digits = sum(f.weight for f in figures)
            if len(wrong) == 1 and digits - wrong[0][0].figure.weight >= TELLING:  # type: ignore[union-attr]
                fits.setdefault(tuple(map(_value, _cells(line))), line)
        return next(iter(fits.values())) if len(fits) == 1 else None

    def refer(self, found: list[Pair], line: Line, done: set[int]) -> None:
        """Each operand carries the verdict of what it repeats; one that differs is wrong."""
        for cell, origin in _matched(found, line):
            if id(cell) in done:
                continue
            done.add(id(cell))
            if _value(cell) == _value(origin) and origin.verdict:
                self.state.refer(cell, origin, is_operand=len(line.right[0]) > 1)
                continue
            cell.exact, cell.quantity = origin.exact, origin.quantity
            cell.verdict = "correct" if _holds(cell) else "wrong"
            self.state.claims.append(cell)


def _rank(line: Line, said: set[int]) -> tuple[int, bool]:
    apart = sum(id(cell) not in said for cell in _cells(line)) if said else 0
    return apart, any(cell.figure is not None for cell in line.target)


def _leaves(node: Node) -> Iterator[int]:
    """The numbers that an expression is made of, by identity."""
    if isinstance(node, Leaf):
        yield from map(id, node.grid.cells())
    for part in node.parts():
        yield from _leaves(part)


def pairs(node: Node) -> list[Pair]:
    """The factors of each term: a number and a number, or a number and a list."""
    found: list[Pair] = []
    for term in terms(node):
        match term:
            case Binary(sign, a, b) if sign in TIMES:
                left, right = literal(a), literal(b)
                if not left or not right or len(right) != 1 or len(left) * len(left[0]) != 1:
                    return []
                found.append((left[0], right[0]))
    return found if len({len(right) for _, right in found}) == 1 else []


def _lines(step: Grid, width: int, count: int) -> Iterator[Line]:
    match step.made:
        case Binary("@", Leaf(a), Function("T", (Leaf(b),))):
            columns = b.rows
        case Binary("@", Leaf(a), Leaf(b)):
            columns = [list(column) for column in zip(*b.rows, strict=True)]
        case _:
            return
    if a.shape[1] != count:
        return
    for i, row in enumerate(a.rows):
        if width == 1:
            for j, column in enumerate(columns):
                yield Line(row, [[cell] for cell in column], [step.rows[i][j]])
        elif len(columns) == width:
            turned = [list(cells) for cells in zip(*columns, strict=True)]
            yield Line(row, turned, step.rows[i])


def _is_same(found: list[Pair], line: Line) -> bool:
    return not _differing(found, line, 0)


def _differing(found: list[Pair], line: Line, most: int = 1) -> list[tuple[Cell, Cell]]:
    """The operands that differ from those of a product, no more than one beyond `most`."""
    wrong = []
    for cell, origin in _matched(found, line):
        if _value(cell) != _value(origin):
            wrong.append((cell, origin))
            if len(wrong) > most:
                break
    return wrong


def _matched(found: list[Pair], line: Line) -> Iterator[tuple[Cell, Cell]]:
    is_turned = len(found[0][1]) == 1 and _value(found[0][0][0]) != _value(line.left[0])
    for (a, b), left, right in zip(found, line.left, line.right, strict=True):
        if is_turned and _value(found[0][0][0]) == _value(line.right[0][0]):
            a, b = b, a
        yield a[0], left
        yield from zip(b, right, strict=True)


def _cells(line: Line) -> Sequence[Cell]:
    return [*line.left, *(cell for row in line.right for cell in row)]


def _holds(cell: Cell) -> bool:
    figure, exact = cell.figure, cell.exact
    return figure is None or exact is None or figure.is_rounded(exact)


def _value(cell: Cell) -> object:
    return cell.figure.value if cell.figure is not None else None
