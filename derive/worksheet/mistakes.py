"""Mistakes: wrong rules that are often met, by operation, and those of whole derivations.

A mistake is made at every step of one letter: who forgets the scale forgets it in every head.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from derive.derivation import Derivation
from derive.exact import Matrix, number
from derive.exact.names import beside as beside_step
from derive.exact.names import label
from derive.gradients.op import Gradient
from derive.ops import (
    Affine,
    Columns,
    Concat,
    Deviation,
    Gain,
    Linear,
    Mask,
    MeanSquares,
    Mix,
    Normalize,
    Relu,
    Residual,
    Scale,
    ScaleColumns,
    Scores,
    Softmax,
    Variance,
)
from derive.step import Step
from derive.worksheet.misread import (
    before_activation,
    before_mask,
    is_of_its_own,
    powers_for_weights,
    unscaled,
)
from derive.worksheet.mistakes_back import BACK

Known = Mapping[str, Matrix]
WrongRule = Callable[[Step, Known], Matrix]
"""wrong(step, known): what the step comes to by mistake, from all that is known before it."""


@dataclass(frozen=True)
class Row:
    """A mistake of one kind of operation."""

    name: str
    kind: type
    rule: WrongRule


def _own(rule: Callable[..., Matrix]) -> WrongRule:
    """A rule of the operation and its inputs."""
    return lambda step, known: rule(step.op, *(known[x.name] for x in step.inputs))


def _listed(kind: type, name: str) -> WrongRule:
    """A mistake that the operation lists itself."""
    rule = next(m.rule for m in kind.mistakes if m.name == name)  # type: ignore[attr-defined]
    return _own(lambda op, *inputs: rule(*inputs))


def _other_axis(op: Any, S: Matrix) -> Matrix:
    """Over the other side of the scores."""
    other: Any = Softmax("columns" if op.along == "rows" else "rows")
    return other.rule(S)


def _unmasked(step: Step, known: Known) -> Matrix:
    """The weights of the scores before the mask, those forbidden then put to 0."""
    masked = step.inputs[0]
    if not isinstance(masked.op, Mask):
        raise ValueError("there is no mask")
    weights = step.op.rule(known[masked.inputs[0].name])  # type: ignore[union-attr]
    return weights.where(masked.op.forbidden, number(0))


def _inputs_for_values(step: Step, known: Known) -> Matrix:
    """The weights times H, where the values belong."""
    weights, values = step.inputs
    source = values.inputs[0]
    if known[source.name].shape != known[values.name].shape:
        raise ValueError("H has another shape")
    return step.op.rule(known[weights.name], known[source.name])  # type: ignore[union-attr]


def _averaged(step: Step, known: Known) -> Matrix:
    """The plain mean of all values in every row."""
    weights, values = step.inputs
    if not isinstance(weights.op, Softmax) or isinstance(weights.inputs[0].op, Mask):
        raise ValueError("not every token is seen")
    ones = known[weights.name] * number(0) + number(1)
    summed = step.op.rule(ones, known[values.name])  # type: ignore[union-attr]
    mean: Matrix = summed / number(values.shape[0])
    return mean


def _less_one(X: Matrix, W: Matrix) -> Matrix:
    """Without the last column of X and the last row of W."""
    inner = range(1, X.shape[1])
    return X.columns(inner) @ W.T.columns(inner).T


def _in_turns(op: Any, X: Matrix) -> Matrix:
    """Every head takes columns in turns instead of side by side."""
    width = op.last - op.first + 1
    heads, head = X.shape[1] // width, (op.first - 1) // width + 1
    return X.columns(range(head, X.shape[1] + 1, heads))


def _unnormalised(step: Step, known: Known) -> Matrix:
    """The powers of e themselves."""
    return known[beside_step(step.name, "exp")]


ROWS: tuple[Row, ...] = (
    Row("weight transposed", Linear, _listed(Linear, "weight transposed")),
    Row("last product left out", Linear, _own(lambda op, X, W: _less_one(X, W))),
    Row("weight transposed", Affine, _listed(Affine, "weight transposed")),
    Row("numbers before the activation", Affine, before_activation),
    Row("numbers before the activation", Linear, before_activation),
    Row("last product left out", Affine, _own(lambda op, X, W, b: _less_one(X, W) + b)),
    Row("bias forgotten", Affine, _listed(Affine, "bias forgotten")),
    Row("columns in turns", Columns, _own(_in_turns)),
    Row("keys not transposed", Scores, _listed(Scores, "keys not transposed")),
    Row("roles exchanged", Scores, _listed(Scores, "roles exchanged")),
    Row("not scaled", Scale, _listed(Scale, "not scaled")),
    Row("divided by the square", Scale, _own(lambda op, S: S / (op.divisor * op.divisor))),
    Row("multiplied by the scale", Scale, _own(lambda op, S: S * op.divisor)),
    Row("mask forgotten", Mask, _own(lambda op, S: S)),
    Row("masked with 0", Mask, _own(lambda op, S: S.where(op.forbidden, number(0)))),
    Row("mask transposed", Mask, _own(lambda op, S: S + op.addend().T)),
    Row("weights zeroed after softmax", Softmax, _unmasked),
    Row("softmax along the other side", Softmax, _own(_other_axis)),
    Row("not exponentiated", Softmax, _listed(Softmax, "not exponentiated")),
    Row("not normalised", Softmax, _unnormalised),
    Row("scores before scaling", Softmax, unscaled),
    Row("scores before the mask", Softmax, before_mask),
    Row("weights transposed", Mix, _listed(Mix, "weights transposed")),
    Row("input in place of values", Mix, _inputs_for_values),
    Row("powers in place of weights", Mix, powers_for_weights),
    Row("values averaged", Mix, _averaged),
    Row("heads in reverse", Concat, _listed(Concat, "in reverse")),
    Row("residual forgotten", Residual, _own(lambda op, X, F: F)),
    Row("the other divisor", Variance, _own(lambda op, X, mu: _variance(op, X, mu))),
    Row("no root", Deviation, _listed(Deviation, "no root")),
    Row("eps forgotten", Deviation, _own(lambda op, var: op.root(var, number(0)))),
    Row("sum instead of mean", MeanSquares, _listed(MeanSquares, "sum instead of mean")),
    Row("mean not subtracted", Normalize, _listed(Normalize, "mean not subtracted")),
    Row(
        "variance in place of deviation",
        Normalize,
        _own(lambda op, X, mu, sigma: op.rule(X, mu, sigma * sigma)),
    ),
    Row("bias scaled too", Gain, _listed(Gain, "bias scaled too")),
    Row("gain forgotten", Gain, _own(lambda op, X, gamma, beta: X + beta)),
    Row("bias forgotten", Gain, _own(lambda op, X, gamma, beta: X * gamma)),
    Row("gain and bias exchanged", Gain, _own(lambda op, X, gamma, beta: X * beta + gamma)),
    Row("gain forgotten", ScaleColumns, _listed(ScaleColumns, "gain forgotten")),
    Row("absolute value", Relu, _listed(Relu, "absolute value")),
    Row("activation forgotten", Relu, _own(lambda op, X: X)),
    *(Row(name, Gradient, rule) for name, rule in BACK),
)
"""Every mistake that a worksheet knows."""
LEFT_OUT = {
    ("Linear", "column vectors"): "it comes to the weight transposed",
    ("Scale", "by d_k instead of its root"): "it is divided by the square, whatever d_k is",
    ("Mask", "weights zeroed after softmax"): "it is a mistake of the softmax that follows",
    ("Mask", "transposed"): "it is the mask transposed, whatever the mask is",
    ("Softmax", "columns"): "it is the softmax along the other side",
    ("Variance", "the other divisor"): "it is that of the other convention here",
    ("Variance", "not squared"): "it is 0 in every row, which nobody takes for a variance",
    ("Contributions", "weights of the column"): "it is the weights transposed",
    ("RowMeans", "mean of the column"): "there are as many means as columns, not as rows",
    ("RowSums", "column sums"): "it is the softmax along the other side",
    ("ColumnSums", "row sums"): "it is the softmax along the other side",
    ("Rows", "columns"): "it has another shape",
    ("Columns", "rows"): "it has another shape",
}
"""What operations list and worksheets do not take from them, each with the reason."""


def _variance(op: Any, X: Matrix, mu: Matrix) -> Matrix:
    other: Any = Variance(1 - op.correction)
    return other.rule(X, mu)


@dataclass(frozen=True)
class Slip:
    """A mistake where it is made: at these steps, all of one letter."""

    name: str
    steps: tuple[Step, ...]
    rule: WrongRule

    @property
    def letter(self) -> str:
        """The name of the first step, without its head where every head has it."""
        first = self.steps[0].name
        return first if len(self.steps) == 1 else label(first).base


def slips(derivation: Derivation, made: Collection[str]) -> Iterator[Slip]:
    """The mistakes that can be made at the steps with these names, in their order."""
    found: dict[tuple[str, str], tuple[WrongRule, list[Step]]] = {}
    for step in (s for s in derivation.derived if s.name in made):
        for row in ROWS:
            is_fit = isinstance(step.op, row.kind) and _is_possible(row, step)
            if is_fit and not is_of_its_own(row.name, step, made):
                key = (row.name, label(step.name).base)
                found.setdefault(key, (row.rule, []))[1].append(step)
    for (name, _), (rule, steps) in found.items():
        yield Slip(name, tuple(steps), rule)


def _is_possible(row: Row, step: Step) -> bool:
    """Not where there is nothing to get wrong: no scale, no eps, one column at a time."""
    if isinstance(step.op, Scale):
        return bool(step.op.divisor != 1)
    if row.name == "last product left out":
        return step.inputs[0].shape[1] > 1
    if isinstance(step.op, Variance):
        return not (row.name == "the other divisor" and step.inputs[0].shape[1] < 2)
    return not (row.name == "eps forgotten" and step.op.eps.is_zero)  # type: ignore[union-attr]
