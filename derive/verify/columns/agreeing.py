"""How much of a column agrees with an expression, and in how many digits."""

from __future__ import annotations

from collections.abc import Iterator

from flint import arb

from derive.verify.grammar.figures import Figure
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Binary, Function, Leaf, Node
from derive.verify.numbers.misprints import is_one_digit
from derive.verify.values.evaluate import Reading, is_alike
from derive.verify.values.operations import Unknown
from derive.verify.values.work import spend

CLEAR = 4
"""So many digits of one entry tell what a column is, as its head says it."""


Floats = tuple[float, ...]
Read = tuple[object, Floats | None, Floats | None]
"""What is read, and its entries as floats, exactly and as printed; None where not sharp."""


class Once:
    """What is made and worked out from columns, once each; it holds until one of them is judged."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.known: dict[tuple[object, ...], Node] = {}
        self.exact, self.printed = Reading("exact", {}), Reading("printed", {})
        self.floats: dict[int, Read] = {}

    def made(self, sign: str, *grids: Grid) -> Node:
        """A function of one column, or a sign between two."""
        key = (sign, *map(id, grids))
        if key not in self.known:
            parts = tuple(map(Leaf, grids))
            self.known[key] = Binary(sign, *parts) if len(parts) > 1 else Function(sign, parts)
        return self.known[key]


def agreement(
    column: Grid, made: Node, once: Once | None = None, *, is_said: bool = False
) -> tuple[float, int]:
    """The part of a column that agrees with an expression, and how many digits do.

    Those of whole numbers count where a formula says that the expression is meant.
    """
    once = once or Once()
    found = _agreeing(column, made, once.exact, is_said)
    if found[0] == 1 or is_alike(made):
        return found
    return max(found, _agreeing(column, made, once.printed, is_said))


def is_misprinted(column: Grid, made: Node) -> bool:
    """Whether half of a column tells that it is an expression, and the rest is one slip away."""
    pairs = [(c.figure, x) for c, x in _pairs(column, made, Reading("exact", {})) if c.figure]
    held = [f for f, x in pairs if _holds(f, x)]
    is_half = 2 * len(held) >= len(pairs) > len(held) > 0
    is_told = max((f.weight for f in held if not f.is_whole), default=0) >= CLEAR
    return is_half and is_told and all(_holds(f, x) or is_one_digit(f, x) for f, x in pairs)


def misses_blank(column: Grid, made: Node) -> bool:
    """Whether nothing, or 0, stands where the expression gives something, as what is masked."""
    pairs = list(_pairs(column, made, Reading("exact", {})))
    return any(not (c.figure and c.figure.value) and not _holds(c.figure, x) for c, x in pairs)


def _agreeing(column: Grid, made: Node, reading: Reading, is_said: bool) -> tuple[float, int]:
    spend(1)
    pairs = [(j, c.figure, x) for j, (c, x) in enumerate(_pairs(column, made, reading)) if c.figure]
    if any(not x.is_finite() for *_, x in pairs) or not pairs:
        return 0, 0
    agreed = [(j, f) for j, f, x in pairs if _holds(f, x)]
    share = len(agreed) / len(pairs)
    if share < 1 and not is_said:
        agreed = [(j, f) for j, f in agreed if not _is_idle(made, j)]
    return share, sum(_weight(f, is_said, share < 1) for _, f in agreed)


def _is_idle(made: Node, place: int) -> bool:
    """Whether a sign between two columns does nothing there: 0 is added, or 1 is multiplied."""
    match made:
        case Binary(sign, Leaf(Grid(rows=[left])), Leaf(Grid(rows=[right]))):
            a, b = (row[place].figure for row in (left, right))
            if a is None or b is None:
                return False
            if sign in "+-":
                return not (a.value and b.value)
            return abs(b.value) == 1 or not a.value or (sign == "*" and abs(a.value) == 1)
    return False


def _weight(figure: Figure, is_said: bool, is_part: bool) -> int:
    """How many digits tell something; of 6.0000 one, where not all of a column agrees."""
    if is_said:
        return figure.weight
    if figure.is_whole:
        return 0
    is_padded = is_part and figure.value.denominator == 1
    return len(str(abs(figure.value))) * bool(figure.value) if is_padded else figure.weight


def _pairs(column: Grid, made: Node, reading: Reading) -> Iterator[tuple[Cell, arb]]:
    """Each cell, and what the expression gives for it."""
    try:
        exact = reading.of(made)
    except (Unknown, ValueError):
        return
    if exact.shape == column.shape:
        for cells, values in zip(column.rows, exact.rows, strict=True):
            yield from zip(cells, values, strict=True)


def _holds(figure: Figure | None, exact: arb) -> bool:
    if figure is None:
        return False
    if figure.is_whole:
        return bool((exact - figure.ball).contains(0))
    return figure.is_rounded(exact) or figure.is_cut(exact)
