"""Facts of a gradient that a page may state.

That every entry is 0 is shown on the entries themselves.  The others follow from the operations,
whatever their values: sum_j A_ij (dA_ij - sum_k dA_ik A_ik) = 0 as rows of A add up to 1, ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from derive.errors import Undecided
from derive.exact import NegativeInfinity
from derive.exact.ball import Balls, precision
from derive.exact.expand import resolved
from derive.gradients.op import Gradient, Pull
from derive.ops import (
    CrossEntropy,
    Deviation,
    Mask,
    Mean,
    Normalize,
    Rows,
    Softmax,
)
from derive.step import Step

BITS, MOST_TERMS = (128, 256, 512, 1024), 500


def facts(step: Step) -> Iterator[str]:
    """The names of the facts that hold: keys of FACTS, in that order."""
    if isinstance(step.op, Gradient):
        yield from (name for name, holds in FACTS.items() if holds(step, step.op))


def vanishes(step: Step, _op: Gradient) -> bool:
    """Every entry is shown to be 0; False where one is not, or is not known to be."""
    if all(getattr(x, "is_zero", False) for x in step.value):
        return True
    if not all(isinstance(x, NegativeInfinity) or x.is_number for x in step.value):
        return False
    if any(_is_apart(step, bits) for bits in BITS):
        return False
    return all(map(is_zero, step.value))


def _is_apart(step: Step, bits: int) -> bool:
    """Whether an entry is shown not to be 0 at this precision."""
    with precision(bits):
        try:
            balls = tuple(step.enclosure(bits))
        except TypeError:  # a step on the way has a symbol, which these entries have not
            balls = tuple(map(Balls().enclose, step.value))
        return any(ball > 0 or ball < 0 for ball in balls)


def is_zero(x: Any) -> bool:
    """Whether x is shown to be 0 by algebra; False where it is not, or takes too long to show."""
    try:
        known = resolved(x, MOST_TERMS)
    except Undecided:
        return False
    return known is not None and bool(known.is_zero)


def has_rows_without_sum(_step: Step, op: Gradient) -> bool:
    """Behind a softmax, every row adds up to 0: the rows of its Jacobian do."""
    return kinds(op) == {Softmax} and along(op) == {"rows"}


def has_columns_without_sum(_step: Step, op: Gradient) -> bool:
    """Of a softmax down the columns every column does."""
    return kinds(op) == {Softmax} and along(op) == {"columns"}


def along(op: Gradient) -> set[str]:
    """Which way the softmaxes among its uses run."""
    return {pull.op.along for pull, _ in op.uses if isinstance(pull.op, Softmax)}


def is_distance(step: Step, op: Gradient) -> bool:
    """Behind softmax and the mean of the cross-entropies: p - y over the number of positions.

    A_ij (dA_ij - sum_k dA_ik A_ik) with dA_ij = -[j = y_i] / (n A_ij) is (A_ij - [j = y_i]) / n.
    """
    if kinds(op) != {Softmax}:
        return False
    seed = _seed_of(step, op.uses[0][0])
    use = _only_use(seed)
    if use is not None and isinstance(use.op, Rows):
        seed = _seed_of(seed, use)
        use = _only_use(seed)
    if use is None or not isinstance(use.op, CrossEntropy):
        return False
    mean = _only_use(_seed_of(seed, use))
    return mean is not None and isinstance(mean.op, Mean)


def is_masked(_step: Step, op: Gradient) -> bool:
    """Where a mask forbids, the gradient is exactly 0."""
    if kinds(op) != {Mask}:
        return False
    mask = op.uses[0][0].op
    assert isinstance(mask, Mask)
    return mask.mode == "replace" or isinstance(mask.value, NegativeInfinity)


def has_no_mean(_step: Step, op: Gradient) -> bool:
    """Behind a LayerNorm alone, every row adds up to 0: it is orthogonal to 1."""
    return op.has_no_mean


def is_orthogonal(_step: Step, op: Gradient) -> bool:
    """And at eps = 0 it is orthogonal to x-hat."""
    if not op.has_no_mean:
        return False
    (normal,) = (pull.step for pull, _ in op.uses if isinstance(pull.op, Normalize))
    deviation = normal.inputs[2].op
    return isinstance(deviation, Deviation) and bool(deviation.eps.is_zero)


FACTS: dict[str, Callable[[Step, Gradient], bool]] = {
    "zero": vanishes,
    "rows": has_rows_without_sum,
    "columns": has_columns_without_sum,
    "distance": is_distance,
    "masked": is_masked,
    "mean": has_no_mean,
    "xhat": is_orthogonal,
}


def kinds(op: Gradient) -> set[type]:
    """The operations whose pullbacks it adds up."""
    return {type(pull.op) for pull, _ in op.uses}


def _seed_of(step: Step, pull: Pull) -> Step:
    return next(x for x in step.inputs if x.name == pull.seed)


def _only_use(seed: Step) -> Pull | None:
    uses = seed.op.uses if isinstance(seed.op, Gradient) else ()
    return uses[0][0] if len(uses) == 1 else None
