"""Mistakes in reading: the number before a step is taken for the number after it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from derive.exact import Matrix
from derive.exact.names import beside as beside_step
from derive.ops import Mask, Relu, Scale, Softmax
from derive.step import Step

Known = Mapping[str, Matrix]
AMISS = {
    "scores before scaling": Scale,
    "scores before the mask": Mask,
    "powers in place of weights": Softmax,
    "numbers before the activation": Relu,
}
"""By name, with the operation that is passed over."""


def is_of_its_own(name: str, step: Step, made: Collection[str]) -> bool:
    """Whether that step is worked out too: then leaving it out is a mistake of its own."""
    before, kind = step.inputs[0], AMISS.get(name)
    if kind is Scale and isinstance(before.op, Mask):
        before = before.inputs[0]
    return kind is not None and isinstance(before.op, kind) and before.name in made


def powers_for_weights(step: Step, known: Known) -> Matrix:
    """The powers of e times the values, which nothing divides."""
    weights, values = step.inputs
    powers = beside_step(weights.name, "exp")
    return step.op.rule(known[powers], known[values.name])  # type: ignore[union-attr]


def unscaled(step: Step, known: Known) -> Matrix:
    """The weights of the scores before they are divided, masked as they are."""
    scores = step.inputs[0]
    mask: Any = scores.op if isinstance(scores.op, Mask) else None
    scaled = scores.inputs[0] if mask is not None else scores
    if not isinstance(scaled.op, Scale) or scaled.op.divisor == 1:
        raise ValueError("there is no scale")
    before = known[scaled.inputs[0].name]
    return step.op.rule(mask.rule(before) if mask else before)  # type: ignore[union-attr]


def before_mask(step: Step, known: Known) -> Matrix:
    """The weights of the scores before the mask."""
    masked = step.inputs[0]
    if not isinstance(masked.op, Mask):
        raise ValueError("there is no mask")
    return step.op.rule(known[masked.inputs[0].name])  # type: ignore[union-attr]


def before_activation(step: Step, known: Known) -> Matrix:
    """From what the activation takes in."""
    bent, *more = step.inputs
    if not isinstance(bent.op, Relu):
        raise ValueError("there is no activation")
    others = (known[x.name] for x in more)
    return step.op.rule(known[bent.inputs[0].name], *others)  # type: ignore[union-attr]
