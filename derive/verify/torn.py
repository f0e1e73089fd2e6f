"""Pages whose formulas have come apart: the text of a PDF holds no fractions, roots or rows.

What a formula says there may be another formula.  A number is called wrong only where the numbers
printed with it show that it was read as it stands.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from derive.verify.grammar.grids import Cell
from derive.verify.grammar.nodes import Binary, Leaf, Node, Number

TORN = (".pdf",)
"""The endings of such files."""
RIGHT = ("correct", "propagated", "truncated")
MANY = 2
"""So many times as many right numbers with decimals stand in the same matrix."""
NEAR = 80
"""What a line says of a number stands no further before it, in characters."""
SIGNS = frozenset("+-*·×")


def withdraw(cells: Iterable[Cell]) -> None:
    """Leaves unchecked what is wrong for all that is read, and what would follow from it."""
    cells = list(cells)
    objects: dict[int, list[Cell]] = defaultdict(list)
    for cell in cells:
        if cell.made is not None:
            objects[id(cell.made)].append(cell)
    doubtful = {id(c) for one in objects.values() if not _is_whole(one) for c in one if c.is_wrong}
    doubtful |= {id(c) for c in cells if c.made is None and c.is_wrong}
    roots = {c.quantity for c in cells if c.verdict == "wrong" and id(c) not in doubtful}
    for cell in cells:
        is_after = cell.verdict == "consequence" and cell.root not in roots
        if id(cell) in doubtful or is_after:
            cell.verdict, cell.why, cell.root, cell.cause = "unchecked", "come apart", "", None


def _is_whole(cells: list[Cell]) -> bool:
    """Whether the numbers of one matrix, or a sum in one line, are surely read as they stand."""
    wrong = sum(cell.is_wrong for cell in cells)
    right = sum(c.verdict in RIGHT and bool(c.figure and not c.figure.is_whole) for c in cells)
    made = cells[0].made
    if len(cells) > 1:
        return not wrong or (right > MANY * wrong and not _is_stacked(made))
    if not isinstance(made, Binary) or not _is_sum(made) or _is_bare(cells[0]):
        return False
    return all(0 <= cells[0].start - cell.start <= NEAR for cell in made.cells())


def _is_stacked(made: Node | None) -> bool:
    """Whether whole numbers are printed in an expression, which may be 1 over 100, not 1100."""
    inside = made.inside() if made is not None else ()
    return any(isinstance(n, Number) and n.cell.start >= 0 and _is_bare(n.cell) for n in inside)


def _is_sum(made: Node) -> bool:
    """Whether an expression is written in one line: sums and products of decimals, 1/4."""
    match made:
        case Binary("/", Number(a), Number(b)):
            return _is_bare(a) == _is_bare(b)
        case Binary(sign, left, right) if sign in SIGNS:
            return _is_sum(left) and _is_sum(right)
        case Number(cell):
            return not _is_bare(cell)
        case Leaf(grid):
            return not any(map(_is_bare, grid.cells()))
    return False


def _is_bare(cell: Cell) -> bool:
    """Whether a number has no decimals, as an index has none that fell from its letter."""
    return cell.figure is None or cell.figure.is_whole
