"""What a loop or a list goes over: a list, a range, the rows of a matrix."""

from __future__ import annotations

from collections.abc import Iterator

from derive.verify.grammar.nodes import Array, Function, Name, Node
from derive.verify.program.places import number, whole
from derive.verify.program.tokens import NoProgram

MOST = 32
"""A loop goes round no more often."""


def turns(node: Node) -> Iterator[Node]:
    """Each value in turn; of what has a name, more than there are.  NoProgram for other things."""
    match node:
        case Array(items) | Function("?several", items):
            yield from items
        case Function("?range", (stop,)):
            yield from counted(0, whole(stop), 0)
        case Function("?range", (start, stop)):
            yield from counted(whole(start), whole(stop), 0)
        case Function("?enumerate", (inner, *rest)):
            first = whole(rest[0]) if rest else 0
            for place, value in enumerate(turns(inner), first or 0):
                yield Function("?several", (number(place), value))
        case Function("?zip", several):
            for values in zip(*map(turns, several), strict=False):
                yield Function("?several", tuple(values))
        case Name():
            for place in range(MOST):
                yield Function("turn", (node, number(place)))
        case _:
            raise NoProgram


def counted(low: int | None, high: int | None, more: int) -> Iterator[Node]:
    """The whole numbers from low to high, and `more` of them."""
    if low is None or high is None or not 0 < high + more - low <= MOST:
        raise NoProgram
    yield from (number(k) for k in range(low, high + more))
