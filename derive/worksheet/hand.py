"""The ways by hand through a derivation: what each step can come to when steps are rounded.

A step is worked out by its rule on intervals (`derive.worksheet.reach`).  For a softmax the largest
score may be subtracted first, as is often taught; both ways are in the interval.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from flint import arb

from derive.derivation import Derivation
from derive.exact import Matrix, NegativeInfinity
from derive.exact.ball import precision
from derive.exact.names import beside
from derive.ops import Softmax
from derive.step import Step
from derive.worksheet.reach import Reach, reaches, settled, union, widened

BITS = 96
"""Far finer than any places that a hand would carry."""
MOST_PLACES = 12

Reached = Mapping[str, Matrix]
"""What each step, by its name, can come to."""


class ByHand(dict[str, Matrix]):
    """What every step comes to, each worked out when it is first asked for."""

    def __init__(self, derivation: Derivation, places: int) -> None:
        """Nothing yet."""
        super().__init__()
        self.derivation, self.places = derivation, places

    def __missing__(self, name: str) -> Matrix:
        step = self.derivation.step(name)
        with precision(BITS):
            self[name] = reach_of(step, self, self.places)
        return self[name]


def by_hand(derivation: Derivation, places: int) -> Reached:
    """Every step of the derivation, the given ones exactly."""
    return ByHand(derivation, places)


def onwards(
    derivation: Derivation,
    known: Reached,
    changed: Mapping[str, Matrix],
    places: int,
    needed: Collection[str] | None = None,
) -> dict[str, Matrix]:
    """The steps that rest on changed ones, worked out again; what is changed stays as it is.

    known: what every step comes to without the change; needed: the steps that are wanted, all where
    it is None.  To be used inside `precision(BITS)`.
    """
    found = {name: settled(matrix, places) for name, matrix in changed.items()}
    both = ChainMap(found, known)  # type: ignore[arg-type]
    for step in derivation.derived:
        if step.name in found or not (needed is None or step.name in needed):
            continue
        if isinstance(step.op, Softmax) and (powers := _powers(step, found)):
            found[step.name] = _divided(step.op, powers, both, places)
        elif any(x.name in found for x in step.inputs):
            found[step.name] = reach_of(step, both, places)
    return found


def _powers(step: Step, found: Reached) -> tuple[str, str] | None:
    """The powers of e and their sums that belong to a softmax, where one of them is changed."""
    names = beside(step.name, "exp"), beside(step.name, "Z")
    scores = step.inputs[0].name in found
    return names if not scores and any(name in found for name in names) else None


def _divided(op: Any, powers: tuple[str, str], known: Reached, places: int) -> Matrix:
    """The weights by way of the powers of e and their sums."""
    above, below = (op.by_rows(known[name]) for name in powers)
    return settled(op.by_rows(above.divide_rows(below)), places)


def reach_of(step: Step, known: Reached, places: int) -> Matrix:
    """One step from what its inputs can come to."""
    if step.op is None:
        return reaches(step.value, places)
    inputs = [known[x.name] for x in step.inputs]
    if isinstance(step.op, Softmax):
        return _shares(step.op, inputs[0], places)
    return settled(step.op.rule(*inputs), places)


def _shares(op: Any, scores: Matrix, places: int) -> Matrix:
    """The weights, from the scores as they are and from the scores less the largest of a row."""
    rows = op.by_rows(scores).rows
    plain = Matrix([_shares_of(row, places) for row in rows])
    lowered = Matrix([_shares_of(_less_largest(row), places) for row in rows])
    return op.by_rows(union(plain, lowered))


def _shares_of(row: Sequence[Any], places: int) -> list[Reach]:
    """Each power of e over their sum, the same power above and below, the sum rounded or not."""
    powers = [None if isinstance(x, NegativeInfinity) else x.exp().ball for x in row]
    seen = [x for x in powers if x is not None]
    return [
        Reach(arb(0) if x is None else widened(_share(x, seen, places), places), places)
        for x in powers
    ]


def _share(x: arb, powers: list[arb], places: int) -> arb:
    """x over x and the others; it grows with x and falls with them."""
    if len(powers) == 1:
        return arb(1)
    others = sum((y for y in powers if y is not x), arb(0))
    half = arb(0.5) / arb(10) ** places
    low, high = x.lower(), x.upper()
    least = low / (low + others.upper() + half)
    return least.union(high / (high + others.lower() - half))


def _less_largest(row: Sequence[Any]) -> list[Any]:
    numbers = [x for x in row if isinstance(x, Reach)]
    top = max(numbers, key=lambda x: float(x.ball.mid()))
    return [x if isinstance(x, NegativeInfinity) else _less(x, top) for x in row]


def _less(x: Reach, top: Reach) -> Reach:
    """The difference; of a number with itself 0, however wide the interval."""
    return Reach(x.ball * 0, x.places) if x is top else x.made(x.ball - top.ball)
