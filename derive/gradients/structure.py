"""Gradients that are 0 whatever the values: a bias of the keys cancels in the softmax.

q_i (k_j + b) = q_i k_j + q_i b, and what is added to a whole row of scores leaves its weights as
they are (`derive theorem key-bias`).  A rotation between bias and score undoes the argument.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from derive.exact import NegativeInfinity
from derive.gradients.op import Pull
from derive.ops import Affine, Alibi, Mask, Scale, Scores, Softmax, Temper

Uses = Mapping[str, Sequence[tuple[Pull, int]]]
"""How each step is used on the way to the number: (the pullback, which input it is)."""


def is_key_bias(name: str, uses: Uses) -> bool:
    """Whether the step is only added to keys that only meet queries in a softmax."""
    return _each(
        name,
        uses,
        lambda pull, place: (
            isinstance(pull.op, Affine) and place == 2 and _are_keys(pull.step.name, uses)
        ),
    )


def _are_keys(name: str, uses: Uses) -> bool:
    return _each(
        name,
        uses,
        lambda pull, place: (
            isinstance(pull.op, Scores)
            and (pull.op.along, place) == ("rows", 1)
            and _forgets_shifts(pull.step.name, uses)
        ),
    )


def _forgets_shifts(name: str, uses: Uses) -> bool:
    """Whether a number added to a whole row of the step changes nothing that follows."""
    return _each(name, uses, lambda pull, place: _forgets(pull, place, uses))


def _each(name: str, uses: Uses, holds: Callable[[Pull, int], bool]) -> bool:
    """Whether it holds of every use; what is not used is the number itself."""
    return name in uses and all(holds(pull, place) for pull, place in uses[name])


def _forgets(pull: Pull, place: int, uses: Uses) -> bool:
    op = pull.op
    if isinstance(op, Softmax):
        return op.along == "rows"
    # A number in the place of a masked score does not move with its row.
    is_kept = isinstance(op, Mask) and (op.mode == "add" or isinstance(op.value, NegativeInfinity))
    shifts = is_kept or isinstance(op, (Scale, Alibi)) or (isinstance(op, Temper) and place == 0)
    return shifts and _forgets_shifts(pull.step.name, uses)
