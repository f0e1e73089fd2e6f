"""Which signs between two columns may give a third, told by floats before it is worked out."""

from __future__ import annotations

import math
from collections.abc import Callable

from derive.verify.columns.agreeing import Floats, Once, Read
from derive.verify.grammar.figures import Figure
from derive.verify.grammar.grids import Grid
from derive.verify.grammar.nodes import Binary, Leaf, Negative, Node
from derive.verify.values.evaluate import Reading
from derive.verify.values.operations import Unknown

SHARP, CLOSE, WHOLE = 1e-12, 1e-9, 1e-6
"""So small a ball is a float; so near are equal floats, and whole numbers."""
MISSES = 1
"""A column that no head explains may have one number wrong."""
LONGEST = 64
"""A function of a longer column is not sieved."""
_NOUGHTS = (0.0,) * LONGEST
Sign = Callable[[float, float], float]


class Sieve:
    """What a column may be made from, by the floats of others, read exactly and as printed."""

    def __init__(self, once: Once, column: Grid) -> None:
        """Nothing read yet."""
        self.once = once
        self.figures = [cell.figure for cell in column.rows[0]]

    def may_be(self, made: Node) -> bool:
        """Whether no more than one number of the column is far from what it may be made from."""
        match made:
            case Binary(sign, Leaf() as a, Leaf() as b) if sign in _SIGNS:
                return self._may(_SIGNS[sign], self._floats(a), self._floats(b))
            case Negative(Binary("*", Leaf() as a, Leaf() as b)):
                return self._may(_less, self._floats(a), self._floats(b))
        return self._may(_first, self._floats(made), (None, _NOUGHTS, _NOUGHTS))

    def _may(self, by: Sign, a: Read, b: Read) -> bool:
        (_, x, x2), (_, y, y2) = a, b
        if self._agrees(by, x, y):
            return True
        return (x2 is not x or y2 is not y) and self._agrees(by, x2, y2)

    def _agrees(self, by: Sign, x: Floats | None, y: Floats | None) -> bool:
        if x is None or y is None or not len(x) == len(self.figures) <= len(y):
            return True
        missed = 0
        for figure, a, b in zip(self.figures, x, y, strict=False):
            if figure is not None and not _is_near(figure, by(a, b), abs(a) + abs(b)):
                missed += 1
                if missed > MISSES:
                    return False
        return True

    def _floats(self, node: Node) -> Read:
        """The entries of a column in both readings; None where one is no single number."""
        part = node.grid if isinstance(node, Leaf) else node
        known = self.once.floats
        if id(part) not in known:
            exact, printed = _read(self.once.exact, node), _read(self.once.printed, node)
            known[id(part)] = part, exact, exact if printed == exact else printed
        return known[id(part)]


def _read(reading: Reading, node: Node) -> Floats | None:
    try:
        rows = reading.of(node).rows
    except (Unknown, ValueError):
        return None
    balls = [(float(x.mid()), float(x.rad())) for row in rows for x in row]
    is_sharp = all(rad <= SHARP * (1 + abs(mid)) for mid, rad in balls)
    return tuple(mid for mid, _ in balls) if is_sharp else None


def _is_near(figure: Figure, x: float, size: float) -> bool:
    reach = WHOLE if figure.is_whole else 1.001 * figure.step + CLOSE * size
    return abs(x - figure.near) <= reach + CLOSE * abs(x)


def _over(x: float, y: float) -> float:
    return x / y if y else math.nan


def _less(x: float, y: float) -> float:
    return -x * y


def _first(x: float, _: float) -> float:
    return x


_SIGNS: dict[str, Sign] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": _over,
}
