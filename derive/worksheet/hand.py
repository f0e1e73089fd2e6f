"""The ways by hand through a derivation: what each step can come to when steps are rounded.

A step is worked out by its rule on intervals (`derive.worksheet.reach`).  For a softmax the largest
score may be subtracted first, as is often taught; both ways are in the interval.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from derive.derivation import Derivation
from derive.exact import Matrix, NegativeInfinity
from derive.exact.ball import precision
from derive.ops import Softmax
from derive.step import Step
from derive.worksheet.reach import Reach, reaches, union

BITS = 96
"""Far finer than any places that a hand would carry."""
MOST_PLACES = 12

Reached = Mapping[str, Matrix]
"""What each step, by its name, can come to."""


def by_hand(derivation: Derivation, places: int) -> dict[str, Matrix]:
    """Every step of the derivation, the given ones exactly."""
    with precision(BITS):
        found: dict[str, Matrix] = {}
        for step in derivation.steps:
            found[step.name] = reach_of(step, found, places)
    return found


def onwards(
    derivation: Derivation, known: Reached, changed: Mapping[str, Matrix], places: int
) -> dict[str, Matrix]:
    """The steps that rest on changed ones, worked out again; what is changed stays as it is.

    known: what every step comes to without the change.  To be used inside `precision(BITS)`.
    """
    found = dict(changed)
    for step in derivation.derived:
        if step.name not in found and any(x.name in found for x in step.inputs):
            found[step.name] = reach_of(step, {**known, **found}, places)
    return found


def reach_of(step: Step, known: Reached, places: int) -> Matrix:
    """One step from what its inputs can come to."""
    if step.op is None:
        return reaches(step.value, places)
    inputs = [known[x.name] for x in step.inputs]
    found = step.op.rule(*inputs)
    if isinstance(step.op, Softmax):
        lowered = _lowered(step.op, inputs[0])
        return union(found, step.op.rule(lowered))
    return found


def _lowered(op: Softmax, scores: Matrix) -> Matrix:
    """Each row less its largest score."""
    rows = op.by_rows(scores).rows
    return op.by_rows(Matrix([_less_largest(row) for row in rows]))


def _less_largest(row: tuple[Any, ...]) -> list[Any]:
    numbers = [x for x in row if isinstance(x, Reach)]
    top = max(numbers, key=lambda x: float(x.ball.mid()))
    return [x if isinstance(x, NegativeInfinity) else _less(x, top) for x in row]


def _less(x: Reach, top: Reach) -> Reach:
    """The difference; of a number with itself 0, however wide the interval."""
    return Reach(x.ball * 0, x.places) if x is top else x.made(x.ball - top.ball)
