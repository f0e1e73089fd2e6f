"""Single results that stand one after the other, as the vector that they make together."""

from __future__ import annotations

from collections.abc import Iterator

from derive.verify.grammar.grids import Cell, Grid

LONGEST = 16
"""So many of the last single results are kept."""
MOST = 4
"""So many vectors of one length are looked at."""
PAST = 8
"""So many runs before the last are remembered."""
APART = 400
"""Results of one run are no further from each other, in characters."""


class Runs:
    """The last single results of an article."""

    def __init__(self) -> None:
        """None yet."""
        self.cells: list[Cell] = []
        self.past: list[list[Cell]] = []
        self.made: dict[tuple[int, ...], Grid] = {}

    def note(self, cell: Cell) -> None:
        """One more result; one far from the last begins anew."""
        if cell.start < 0 or cell.figure is None:
            return
        if self.cells and not 0 <= cell.start - self.cells[-1].start <= APART:
            self.close()
        self.cells.append(cell)
        del self.cells[:-LONGEST]

    def close(self) -> None:
        """What comes next is no part of the same vector."""
        self.past = [*self.past[-PAST:], *([list(self.cells)] if self.cells else [])]
        self.cells.clear()

    def same(self, cells: list[Cell]) -> list[Cell] | None:
        """The results that a list repeats, if it does."""
        values = [cell.figure.value if cell.figure else None for cell in cells]
        for run in (self.cells, *reversed(self.past)):
            for place in range(len(run) - len(cells), -1, -1):
                part = run[place : place + len(cells)]
                if [cell.figure.value for cell in part if cell.figure] == values:
                    return part
        return None

    def vector(self, count: int) -> Grid | None:
        """The last so many results of one kind, as a row; the same grid each time."""
        return next(iter(self.of_length(count)), None)

    def of_length(self, count: int) -> list[Grid]:
        """The vectors of so many results of one kind, the last first."""
        if count < 2:
            return []
        found = []
        for run in (self.cells, *reversed(self.past)):
            parts = [part for part in _parts(run) if len(part) >= count]
            parts = parts or [part for part in _alike(run) if len(part) == count]
            if not parts and len(run) == count:
                parts = [run]
            found += [self.grid(part[-count:]) for part in reversed(parts)]
            kinds = dict.fromkeys(map(_kind, reversed(run)))
            alike = [[cell for cell in run if _kind(cell) == kind] for kind in kinds]
            found += [self.grid(part[-count:]) for part in alike if len(part) >= count]
        return list({id(grid): grid for grid in found}.values())[:MOST]

    def vectors(self) -> Iterator[Grid]:
        """The last results of each kind, all of them; then the last two, the last three ..."""
        parts = _parts(self.cells)
        for part in (*reversed(parts), *_alike(self.cells)):
            if len(part) > 1:
                yield self.grid(part)
        for count in range(2, len(self.cells) + 1):
            yield self.grid(self.cells[-count:])

    def grid(self, cells: list[Cell]) -> Grid:
        """A row of results."""
        key = tuple(map(id, cells))
        if key not in self.made:
            self.made[key] = Grid([cells])
        return self.made[key]


def _parts(cells: list[Cell]) -> list[list[Cell]]:
    """Results cut where their kind changes."""
    parts: list[list[Cell]] = []
    for cell in cells:
        if parts and _kind(parts[-1][-1]) == _kind(cell):
            parts[-1].append(cell)
        else:
            parts.append([cell])
    return parts


def _alike(cells: list[Cell]) -> list[list[Cell]]:
    """The results of each kind, whatever stands between them."""
    found: dict[tuple[str, str], list[Cell]] = {}
    for cell in cells:
        found.setdefault(_kind(cell), []).append(cell)
    return list(found.values()) if len(found) > 1 else []


def _kind(cell: Cell) -> tuple[str, str]:
    """What a result was made by: two of one kind may be entries of one vector."""
    made = (cell.origin or cell).made
    return type(made).__name__, str(getattr(made, "name", getattr(made, "sign", "")))
