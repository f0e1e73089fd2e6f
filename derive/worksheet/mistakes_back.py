"""Mistakes on the way back: wrong pullbacks that are often met."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from derive.exact import Matrix, number
from derive.gradients.op import Gradient
from derive.ops import Affine, CrossEntropy, Gain, Linear, Mix, Relu, Scale, Scores, Softmax
from derive.step import Step

Known = Mapping[str, Matrix]
WrongRule = Callable[[Step, Known], Matrix]
TIMES = (Linear, Affine)


def _of_use(kind: type | tuple[type, ...], place: int, rule: Callable[..., Matrix]) -> WrongRule:
    """rule(op, gradient of the result, result, inputs) where a step is used once, in this way."""

    def wrong(step: Step, known: Known) -> Matrix:
        ((pull, at), *more) = step.op.uses  # type: ignore[union-attr]
        if more or at != place or not isinstance(pull.op, kind):
            raise ValueError("another use")
        inputs = (known[x.name] for x in pull.step.inputs)
        return rule(pull.op, known[pull.seed], known[pull.step.name], *inputs)

    return wrong


def _after_loss(rule: Callable[[Matrix, Step, Known], Matrix]) -> WrongRule:
    """rule(P, step, known) where the softmax is that of a loss."""

    def wrong(step: Step, known: Known) -> Matrix:
        ((pull, _), *_more) = step.op.uses  # type: ignore[union-attr]
        before = next(x.op for x in step.inputs if x.name == pull.seed)
        if not (isinstance(before, Gradient) and isinstance(before.uses[0][0].op, CrossEntropy)):
            raise ValueError("no loss")
        return rule(known[pull.step.name], step, known)

    return wrong


def _all_tokens(P: Matrix, step: Step, known: Known) -> Matrix:
    """As if the losses were added up."""
    right: Any = step.op.rule(*(known[x.name] for x in step.inputs))  # type: ignore[union-attr]
    made: Matrix = right * number(P.shape[0])
    return made


BACK: tuple[tuple[str, WrongRule], ...] = (
    ("weights as they are on the way back", _of_use(Mix, 1, lambda op, d, O, A, V: A @ d)),
    ("softmax passed over on the way back", _of_use(Softmax, 0, lambda op, d, A, S: d)),
    ("mean not subtracted on the way back", _of_use(Softmax, 0, lambda op, d, A, S: A * d)),
    ("scale forgotten on the way back", _of_use(Scale, 0, lambda op, d, scaled, S: d)),
    ("queries' gradient transposed", _of_use(Scores, 0, lambda op, d, S, Q, K: d.T @ K)),
    ("keys' gradient not transposed", _of_use(Scores, 1, lambda op, d, S, Q, K: d @ Q)),
    ("gain forgotten on the way back", _of_use(Gain, 0, lambda op, d, N, X, g, b: d)),
    (
        "normalised row left out on the way back",
        _of_use(Gain, 1, lambda op, d, N, X, g, b: d.column_sums()),
    ),
    ("activation passed over on the way back", _of_use(Relu, 0, lambda op, d, G, U: d)),
    ("weight not transposed on the way back", _of_use(TIMES, 0, lambda op, d, Y, X, W, *b: d @ W)),
    ("input not transposed on the way back", _of_use(TIMES, 1, lambda op, d, Y, X, W, *b: X @ d)),
    ("target not subtracted", _after_loss(lambda P, step, known: P / number(P.shape[0]))),
    ("mean over the tokens forgotten", _after_loss(_all_tokens)),
)
"""By name; each is made at the gradient of a step."""
