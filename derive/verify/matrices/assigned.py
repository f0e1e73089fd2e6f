"""What programs assign: values printed before their line, and entries printed one by one."""

from __future__ import annotations

from collections.abc import Mapping

from flint import arb

from derive.exact.enclosure import Enclosures
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Function, Leaf, Node, Number
from derive.verify.known.runs import Runs
from derive.verify.values.evaluate import value


def unprinted(exact: Enclosures, source: Node, runs: Runs) -> Grid:
    """A value that a program assigns: the last results where these are it, or without digits."""
    cells = foregone(exact, runs) or [[Cell(None, exact=x) for x in row] for row in exact.rows]
    return Grid(cells, "", source)


def foregone(exact: Enclosures, runs: Runs) -> list[list[Cell]] | None:
    """The last results, where they are this value: it was printed before it was assigned."""
    rows, columns = exact.shape
    found = runs.of_length(max(rows, columns)) if 1 in (rows, columns) else []
    ones = [Grid([[cell]]) for cell in runs.cells[-1:]] if exact.shape == (1, 1) else []
    for grid in (*found, *ones):
        cells = grid.rows if rows == 1 else [[cell] for cell in grid.rows[0]]
        pairs = zip(cells, exact.rows, strict=True)
        if all(_is_of(c, x) for r, s in pairs for c, x in zip(r, s, strict=True)):
            return [list(row) for row in cells]
    return None


def _is_of(cell: Cell, exact: arb) -> bool:
    """Whether a printed number is exactly this one."""
    return cell.figure is not None and cell.exact is not None and cell.exact.overlaps(exact)


def stood(grid: Grid, before: Grid | None) -> Grid:
    """A printed vector as it stood before: a column that is printed in a row stays a column."""
    match grid.made:
        case Function("T", (made,)) if before is not None and before.shape == grid.shape[::-1]:
            return Grid([list(column) for column in zip(*grid.rows, strict=True)], grid.name, made)
    return grid


def fill(place: Node, cell: Cell) -> None:
    """An entry of an assigned vector is printed: s(1) = 2.5."""
    match place:
        case Function("at", (Leaf(grid), at)) if 1 in grid.shape and cell.made is not None:
            found = value(at, "exact").rows[0][0].unique_fmpz()
            index = -1 if found is None else int(found)
            row, column = (0, index) if grid.shape[0] == 1 else (index, 0)
            is_inside = 0 <= index < max(grid.shape)
            if is_inside and grid.rows[row][column].figure is None:
                grid.rows[row][column] = cell


def by_place(named: Mapping[str, Grid], name: str, places: tuple[Node, ...]) -> Function | None:
    """s(2) or X(1, 2) as an entry, as MATLAB counts."""
    grid = named.get(name)
    cells = [place.cell for place in places if isinstance(place, Number)]
    counts = [int(cell.figure.value) - 1 for cell in cells if cell.figure]
    if grid is None or len(counts) < len(places) or not counts or min(counts) < 0:
        return None
    if len(counts) == 1:
        return Function("at", (Leaf(grid, name), _number(counts[0])))
    if len(counts) > 2 or grid.shape[0] <= counts[0] or grid.shape[1] <= counts[1]:
        return None
    return Function("entry at", (Leaf(grid, name), *map(_number, counts)))


def _number(value_: int) -> Node:
    return Number(Cell(None, exact=arb(value_)))
