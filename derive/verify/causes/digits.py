"""What went wrong with a single number: its digits, its sign, its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction

from flint import arb

from derive.verify.causes.fitting import fits
from derive.verify.causes.kinds import Cause
from derive.verify.grammar.figures import Figure, enclosed
from derive.verify.grammar.figures import figure as read
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.known.state import State

RICH = 3
"""A number with so many significant digits is not met by chance."""


def of_entry(cell: Cell, grid: Grid, state: State) -> Cause | None:
    """The cause of one wrong number, if one is known."""
    figure, exact = cell.figure, cell.exact
    if figure is None or exact is None or not exact.is_finite():
        return None
    if other := _forced(cell, grid):
        return "row made to sum to one", (other,)
    if figure.value and figure.is_rounded(-exact):
        return "sign lost", ()
    for kind, is_met in CHECKS:
        if is_met(figure, exact):
            return kind, ()
    return _elsewhere(cell, figure, grid, state)


def _forced(cell: Cell, grid: Grid) -> str:
    """1 - 0.248 - 0.248, where the printed row is made to sum to one; else ""."""
    for row in grid.rows:
        cells = [c.origin if c.start < 0 and c.origin is not None else c for c in row]
        if cell not in cells or len(cells) < 2 or not all(c.figure for c in cells):
            continue
        if any(c.is_wrong for c in cells if c is not cell):
            continue
        others = [c.figure for c in cells if c is not cell and c.figure]
        total = sum((f.value for f in others), Fraction(0))
        if cell.figure and cell.figure.value == 1 - total and _is_share(grid):
            return " - ".join(["1", *(f.text for f in others)])
    return ""


def _is_share(grid: Grid) -> bool:
    """Whether every row sums to one exactly."""
    for row in grid.rows:
        exact = [c.exact for c in row]
        if any(x is None for x in exact):
            return False
        total = sum((x for x in exact if x is not None), arb(0))
        if not (total - 1).contains(0):
            return False
    return True


def _same_unit(text: str, figure: Figure) -> Figure | None:
    found = read(text, comma="," in text and "." not in text)
    return found if found is not None and found.unit == figure.unit else None


_SIDE = re.compile(r"(\d)(?=()(\d))")
_PERCENT = re.compile(r"(\d)(?=([.,]?)(\d))")


def _is_swapped(figure: Figure, exact: arb) -> bool:
    found = (_same_unit(made, figure) for made in _exchanged(figure.text))
    return any(other is not None and other.is_rounded(exact) for other in found)


def _exchanged(text: str) -> Iterator[str]:
    """A number with two digits beside each other swapped; in percents across the point too."""
    pattern = _PERCENT if "%" in text or "％" in text else _SIDE
    for pair in pattern.finditer(text):
        first, point, second = pair.groups()
        if first != second:
            yield text[: pair.start()] + second + point + first + text[pair.end(3) :]


def _is_moved(figure: Figure, exact: arb) -> bool:
    """The decimal point one to three places off; two significant digits at least."""
    if figure.weight < 2:
        return False
    for power in (1, 2, 3, -1, -2, -3):
        scale = Fraction(10) ** power
        other = Figure(figure.text, figure.value * scale, figure.unit * scale)
        if fits(other, exact) and not exact.contains(0):
            return True
    return False


def _units(x: Fraction, figure: Figure) -> str:
    """The digits of a number in the unit of a printed one, with leading noughts."""
    places = len(str(figure.unit.denominator)) - 1
    return str(abs(int(x / figure.unit))).rjust(max(places, 0) + 1, "0")


def _is_shortened(figure: Figure, exact: arb) -> bool:
    """A digit left out, two more after it: 0.413 for 0.4013."""
    digits = _units(figure.value, figure)
    return any(
        _is_of(digits[:k] + digit + digits[k:], figure, figure.unit / 10, exact)
        for k in range(len(digits) - _decimals(figure), len(digits) - 1)
        for digit in "0123456789"
    )


def _is_lengthened(figure: Figure, exact: arb) -> bool:
    """A digit printed twice, more after it: 0.4401 for 0.401."""
    digits = _units(figure.value, figure)
    return any(
        digits[k] == digits[k + 1]
        and _is_of(digits[:k] + digits[k + 1 :], figure, figure.unit * 10, exact)
        for k in range(len(digits) - _decimals(figure), len(digits) - 2)
    )


def _decimals(figure: Figure) -> int:
    return max(0, len(str(figure.unit.denominator)) - 1)


def _is_of(digits: str, figure: Figure, unit: Fraction, exact: arb) -> bool:
    other = Figure(figure.text, (figure.side or 1) * int(digits or "0") * unit, unit)
    return other.weight >= RICH and fits(other, exact)


def _is_rounded_twice(figure: Figure, exact: arb) -> bool:
    """Rounded to one or two places more, and then once again."""
    for more in (10, 100):
        fine = _nearest(exact, figure.unit / more)
        if fine is None:
            continue
        again = (2 * abs(fine) + more) // (2 * more) * (-1 if fine < 0 else 1)
        if again * figure.unit == figure.value:
            return True
    return False


def _nearest(exact: arb, unit: Fraction) -> int | None:
    scaled = exact / enclosed(unit)
    whole = (abs(scaled) + arb("0.5")).floor().unique_fmpz()
    return None if whole is None else int(whole) * (-1 if scaled < 0 else 1)


CHECKS: tuple[tuple[str, Callable[[Figure, arb], bool]], ...] = (
    ("digits swapped", _is_swapped),
    ("rounded twice", _is_rounded_twice),
    ("point moved", _is_moved),
    ("digit doubled", _is_lengthened),
    ("digit left out", _is_shortened),
)


def _elsewhere(cell: Cell, figure: Figure, grid: Grid, state: State) -> Cause | None:
    """The value of another entry, of the same matrix or of another one."""
    if figure.weight < 2:
        return None
    for other in grid.cells():
        if cell not in (other, other.origin) and _is_same(figure, other):
            return "value of another entry", (other.quantity or _text(other),)
    if figure.weight < RICH:
        return None
    for other in _same_place(cell, grid, state):
        if other.exact is not None and figure.is_rounded(other.exact) and other.quantity:
            return "value of another matrix", (other.quantity,)
    return None


def _text(cell: Cell) -> str:
    return cell.figure.text if cell.figure else "0"


def _is_same(figure: Figure, other: Cell) -> bool:
    """Whether digits are those of another number, as it is or as it is printed."""
    if other.exact is not None and figure.is_rounded(other.exact):
        return True
    return other.figure is not None and (other.figure.value, other.figure.unit) == (
        figure.value, figure.unit,
    )  # fmt: skip


def _same_place(cell: Cell, grid: Grid, state: State) -> Iterator[Cell]:
    """What stands at the same place in the other matrices of the article."""
    places = [(i, j) for i, row in enumerate(grid.rows) for j, c in enumerate(row) if c is cell]
    i, j = places[0] if places else cell.at
    steps = (step for step in state.steps.known.values() if step is not None)
    for other in (*state.pool.roles.values(), *steps):
        is_shown = other is not grid and any(c.figure for c in other.cells())
        if is_shown and i < other.shape[0] and j < other.shape[1]:
            yield other.rows[i][j]
