"""Numbers that are the right ones but for a slip of the pen."""

from __future__ import annotations

from flint import arb

from derive.verify.causes.digits import CHECKS
from derive.verify.grammar.figures import Figure, enclosed
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Function, Leaf
from derive.verify.known.state import State

DIGITS = [is_met for kind, is_met in CHECKS if kind.startswith("digit")]
TELLING, NEAR = 3, 40
"""So many digits has a quotient; so near, in characters, is a sum to the end of its list."""


def is_slip(figure: Figure, step: Grid, exact: arb) -> bool:
    """Whether a number is an entry of a step but for a digit, or the sum in place of a mean."""
    match step.made:
        case Function("mean", (Leaf(grid),)) if grid.shape[1] > 1:
            if figure.is_rounded(exact * grid.shape[1]):
                return True
    return is_one_digit(figure, exact)


def is_one_digit(figure: Figure, exact: arb) -> bool:
    """Whether one digit, left out or doubled too, or two swapped part a number from the right."""
    if figure.weight >= TELLING and any(is_met(figure, exact) for is_met in DIGITS):
        return True
    right = ((abs(exact) / enclosed(figure.unit)) + arb("0.5")).floor().unique_fmpz()
    printed = str(int(abs(figure.value) / figure.unit))
    if right is None or len(str(right)) != len(printed) or str(right) == printed:
        return False
    places = [k for k, (a, b) in enumerate(zip(str(right), printed, strict=True)) if a != b]
    is_swap = len(places) == 2 and sorted(str(right)) == sorted(printed)
    return len(places) == 1 or (is_swap and places[1] == places[0] + 1)


def is_misdivided(state: State, figure: Figure, exact: arb, before: Cell) -> bool:
    """Whether a number is the quotient but for one digit, or what was to be divided."""
    if figure.weight >= TELLING and is_one_digit(figure, exact):
        return True
    is_same = before.figure is not None and before.figure.value == figure.value
    return is_same and state.pool.is_scaled and not figure.is_whole


def nearly_total(state: State, cell: Cell) -> Grid | None:
    """The sum of the list just before, where one digit parts it from what is called a sum."""
    last = state.pool.grids[-1] if state.pool.grids else None
    total = state.steps.unary("sum", last) if last is not None else None
    if total is None or last is None or total.shape != (1, 1) or cell.figure is None:
        return None
    is_near = 0 < cell.start - last.rows[0][-1].start < NEAR
    exact = total.rows[0][0].exact
    is_but_one = exact is not None and is_one_digit(cell.figure, exact)
    return total if is_near and is_but_one and cell.figure.weight > 1 else None
