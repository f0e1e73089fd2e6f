"""Numbers that are the right ones but for a slip of the pen."""

from __future__ import annotations

from flint import arb

from derive.verify.grammar.figures import Figure, enclosed
from derive.verify.grammar.grids import Grid
from derive.verify.grammar.nodes import Function, Leaf


def is_slip(figure: Figure, step: Grid, exact: arb) -> bool:
    """Whether a number is an entry of a step but for a digit, or the sum in place of a mean."""
    match step.made:
        case Function("mean", (Leaf(grid),)) if grid.shape[1] > 1:
            if figure.is_rounded(exact * grid.shape[1]):
                return True
    return is_one_digit(figure, exact)


def is_one_digit(figure: Figure, exact: arb) -> bool:
    """Whether one digit, or two that are swapped, part a number from the right one."""
    right = ((abs(exact) / enclosed(figure.unit)) + arb("0.5")).floor().unique_fmpz()
    printed = str(int(abs(figure.value) / figure.unit))
    if right is None or len(str(right)) != len(printed) or str(right) == printed:
        return False
    places = [k for k, (a, b) in enumerate(zip(str(right), printed, strict=True)) if a != b]
    is_swap = len(places) == 2 and sorted(str(right)) == sorted(printed)
    return len(places) == 1 or (is_swap and places[1] == places[0] + 1)
