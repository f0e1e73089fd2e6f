"""What an article has printed so far, by name, by digits and in order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from derive.verify.figures import Figure
from derive.verify.grids import Cell, Grid
from derive.verify.roles import indexed, role

RECENT = 8
"""So many of the last matrices are tried as the source of another."""


class Pool:
    """The known matrices and numbers of an article."""

    def __init__(self) -> None:
        """Empty."""
        self.named: dict[str, Grid] = {}
        self.roles: dict[str, Grid] = {}
        self.rows: dict[str, dict[int, Grid]] = defaultdict(dict)
        self.grids: list[Grid] = []
        self.bases: list[Grid] = []
        self.cells: dict[str, list[Cell]] = defaultdict(list)
        self.lists: dict[tuple[str, ...], list[list[Cell]]] = defaultdict(list)
        self.gathered: dict[str, Grid] = {}  # matrices whose rows were printed one by one
        self.width = 0  # the last whole number that a root was taken of
        self.seen: dict[str, int] = defaultdict(int)

    def add(self, grid: Grid) -> None:
        """A printed matrix, whose rows and columns are then known by their digits."""
        if grid.shape == (1, 1):
            self.note(grid.rows[0][0])
            return
        self.grids.append(grid)
        for cells in (*grid.rows, *(list(c) for c in zip(*grid.rows, strict=True))):
            if len(cells) > 1 and all(c.figure for c in cells):
                self.lists[digits(cells)].append(cells)
        for cell in grid.cells():
            self.note(cell)

    def note(self, cell: Cell) -> None:
        """A printed number."""
        if cell.figure:
            self.cells[key(cell.figure)].append(cell)

    def bind(self, name: str, grid: Grid) -> None:
        """A name for a matrix, for a row of one, or for a number."""
        if not name:
            return
        self.named[name] = grid
        if (found := indexed(name)) and grid.shape[0] == 1:
            self.rows[found[0]][found[1]] = grid
        elif kind := role(name) or (found[0] if found else ""):
            self.roles[kind] = grid

    def lookup(self, name: str) -> Grid | None:
        """The matrix of a name, put together from its rows where they were printed one by one."""
        if name in self.named:
            return self.named[name]
        kind = role(name)
        if kind:
            return self.of_role(kind)
        found = indexed(name)
        return self.rows[found[0]].get(found[1]) if found else None

    def of_role(self, kind: str) -> Grid | None:
        """The printed matrix of a quantity."""
        whole, rows = self.roles.get(kind), self.rows.get(kind)
        if rows and (whole is None or whole.shape[0] == 1):
            first = min(rows)
            if sorted(rows) == list(range(first, first + len(rows))) and first <= 1:
                cells = [rows[k].rows[0] for k in sorted(rows)]
                if len({len(row) for row in cells}) == 1:
                    made = self.gathered.get(kind)
                    if made is None or made.rows != cells:
                        made = self.gathered[kind] = Grid(cells, kind)
                    return made
        return whole

    def origin(self, figure: Figure) -> Cell | None:
        """The earlier number that a printed operand repeats; right ones before wrong ones."""
        if figure.is_whole or figure.weight < 2:
            return None
        return _chosen(self.cells.get(key(figure), []))

    def vector(self, cells: list[Cell]) -> list[Cell] | None:
        """The earlier row or column that a list repeats."""
        if len(cells) < 2 or not all(c.figure for c in cells):
            return None
        found = self.lists.get(digits(cells), [])
        right = [v for v in found if not any(c.is_wrong for c in v)]
        return (right or found or [None])[-1]  # type: ignore[list-item]

    def scale_width(self) -> int:
        """The number whose root scores are divided by, or 0."""
        found = self.named.get("d_k")
        if found and found.shape == (1, 1) and (figure := found.rows[0][0].figure):
            return int(figure.value)
        return self.width

    def recent(self) -> Iterator[Grid]:
        """The last matrices, the latest first."""
        yield from reversed(self.grids[-RECENT:])


def _chosen(cells: list[Cell]) -> Cell | None:
    right = [c for c in cells if not c.is_wrong and c.verdict != "unchecked"]
    made = [c for c in right if c.verdict != "assumed"]
    return (made or right or cells or [None])[-1]  # type: ignore[list-item]


def key(figure: Figure) -> str:
    """What two printings of one number share."""
    return f"{figure.value} {figure.unit}"


def digits(cells: list[Cell]) -> tuple[str, ...]:
    """What two printings of one list share."""
    return tuple(str(c.figure.value) if c.figure else "" for c in cells)
