"""A single number under a name for which a formula stands in the article: a result, no input."""

from __future__ import annotations

from derive.verify.causes.mistakes import changed
from derive.verify.grammar.grids import Cell
from derive.verify.grammar.nodes import Function, Leaf, Node
from derive.verify.known.state import State
from derive.verify.known.steps.made import UNARY
from derive.verify.numbers.misprints import is_one_digit
from derive.verify.values.evaluate import value
from derive.verify.values.judge import Judge
from derive.verify.values.operations import Unknown

TELLING = 3
"""So many significant digits of a number are no chance."""
MEASURES = frozenset(("mean", "var", "std", "rms"))


def by_formula(state: State, kind: str, cell: Cell, source: Node) -> Node | None:
    """What a number is worked out from, where the formula, or one mistake in it, gives it."""
    figure = cell.figure
    if figure is None or kind not in MEASURES:
        return None
    try:
        exact = value(source, "exact")
    except (Unknown, ValueError, ZeroDivisionError):
        return None
    if exact.shape != (1, 1) or not exact.rows[0][0].is_finite():
        return None
    plain, sample = (_measured(state, f"{way}{kind}", source) for way in ("", "sample "))
    state.pool.is_population |= plain is not None
    made = plain or sample or source
    if Judge(made, exact).holds(figure, 0, 0):
        return source if sample is not None else made
    if plain is not None and not state.is_sample and _is_of_sample(state, kind, cell, plain):
        return plain
    if figure.weight < TELLING or figure.is_whole:
        return None
    if is_one_digit(figure, exact.rows[0][0]) or changed([[cell]], made, state.pool):
        return source if sample is not None else made
    return None


def _is_of_sample(state: State, kind: str, cell: Cell, plain: Node) -> bool:
    """Whether a number is what n - 1 gives, where the formula of the article divides by n."""
    match plain:
        case Function(_, (Leaf(grid),)) if cell.figure is not None and cell.figure.weight > 1:
            step = state.steps.unary(f"sample {kind}", grid) if f"sample {kind}" in UNARY else None
            exact = step.rows[0][0].exact if step is not None else None
            return exact is not None and cell.figure.is_rounded(exact)
    return False


def _measured(state: State, kind: str, source: Node) -> Node | None:
    """The same as the measure of a list that was printed, where it is one."""
    exact = value(source, "exact").rows[0][0]
    for grid in state.pool.recent():
        is_list = grid.shape[0] == 1 and (kind in UNARY)
        step = state.steps.unary(kind, grid) if is_list else None
        if step is not None and value(Leaf(step), "exact").rows[0][0].overlaps(exact):
            return step.made
    return None
