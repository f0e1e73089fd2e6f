"""A number of running text that is one printed shortly before, but for a slip of the pen."""

from __future__ import annotations

from collections.abc import Iterator

from flint import arb

from derive.verify.figures import Figure, enclosed
from derive.verify.grids import Cell, Grid
from derive.verify.state import State

REACH = 700
"""What is meant was printed no further before, in characters."""
RECENT = 3
"""So many of the last matrices are looked at."""
LEAST = 3
"""A number has at least so many significant digits."""


def slipped(state: State, cell: Cell) -> bool:
    """Whether a number is an earlier result with its sign lost or two digits swapped; it is judged."""
    figure = cell.figure
    if figure is None or figure.weight < LEAST or cell.verdict != "unchecked":
        return False
    near = [c for grid in list(state.pool.recent())[:RECENT] for c in _results(grid, cell)]
    meant = {str(c.exact): c for c in near if c.exact is not None and _is_slip(figure, c.exact)}
    if len(meant) != 1:
        return False
    (target,) = meant.values()
    origin = target.origin or target
    cell.exact, cell.quantity, cell.verdict, cell.why = origin.exact, origin.quantity, "wrong", ""
    cell.made, cell.at = origin.made, origin.at
    return True


def _results(grid: Grid, cell: Cell) -> Iterator[Cell]:
    """The right results in a matrix that was printed shortly before a number."""
    cells = [c for c in grid.cells() if c.start >= 0]
    if cells and 0 < cell.start - max(c.start for c in cells) < REACH:
        yield from (c for c in cells if c.verdict in ("correct", "propagated", "truncated"))


def _is_slip(figure: Figure, exact: arb) -> bool:
    if figure.is_rounded(exact):
        return False
    return any(_holds(value, figure, exact) for value in _meant(figure))


def _meant(figure: Figure) -> Iterator[int]:
    """What may have been meant, in units of the last place."""
    count = int(figure.value / figure.unit)
    yield -count
    digits, sign = str(abs(count)).zfill(len(str(figure.unit.denominator)) - 1), figure.side
    for place in range(len(digits) - 1):
        a, b = digits[place : place + 2]
        if a != b:
            yield sign * int(digits[:place] + b + a + digits[place + 2 :])


def _holds(count: int, figure: Figure, exact: arb) -> bool:
    return bool(exact.is_finite() and not abs(exact - enclosed(count * figure.unit)) > figure.half)
