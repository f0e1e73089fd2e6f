"""The mistakes that the operations list themselves, run where an expression is one of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from derive.ops import (
    Affine,
    Concat,
    Deviation,
    Gain,
    Gelu,
    Linear,
    Mix,
    Normalize,
    Relu,
    ScaleColumns,
    Scores,
    Silu,
    Softmax,
    Variance,
)
from derive.verify.causes.wrong import ruled
from derive.verify.grammar.nodes import Binary, Function, Leaf, Node, Ruled

Change = tuple[str, tuple[str, ...], Node]
CALLED = {
    ("Linear", "weight transposed"): "weights transposed",
    ("Linear", "column vectors"): "weights transposed",
    ("Affine", "bias forgotten"): "bias forgotten",
    ("Affine", "weight transposed"): "weights transposed",
    ("Scores", "keys not transposed"): "not transposed",
    ("Scores", "roles exchanged"): "other way round",
    ("Scale", "not scaled"): "not scaled",
    ("Scale", "by d_k instead of its root"): "scaled by the width",
    ("Mask", "transposed"): "other triangle",
    ("Softmax", "columns"): "softmax of columns",
    ("Softmax", "not exponentiated"): "not exponentiated",
    ("Mix", "weights transposed"): "first transposed",
    ("Contributions", "weights of the column"): "first transposed",
    ("Concat", "in reverse"): "heads in reverse",
    ("RowMeans", "mean of the column"): "mean over the wrong axis",
    ("RowSums", "column sums"): "softmax of columns",
    ("ColumnSums", "row sums"): "softmax of columns",
    ("Mean", "sum instead of mean"): "sum instead of mean",
    ("Variance", "the other divisor"): "the other divisor",
    ("Deviation", "no root"): "no root",
    ("LiftedDeviation", "eps forgotten"): "eps forgotten",
    ("MeanSquares", "sum instead of mean"): "sum instead of mean",
    ("Normalize", "mean not subtracted"): "mean not subtracted",
    ("Gain", "bias scaled too"): "bias scaled too",
    ("ScaleColumns", "gain forgotten"): "gain forgotten",
    ("Relu", "absolute value"): "absolute value",
    ("Gelu", "sigmoid instead"): "sigmoid instead",
    ("Silu", "sigmoid alone"): "sigmoid alone",
    ("Sinusoid", "sine and cosine exchanged"): "sine and cosine swapped",
    ("Rotate", "turned backwards"): "turned backwards",
    ("Temper", "multiplied"): "multiplied by the temperature",
    ("CrossEntropy", "logarithm to base 2"): "base of the logarithm",
    ("CrossEntropy", "sign forgotten"): "sign of the loss",
}
"""The kind of cause of each."""
LEFT_OUT = {
    ("Mask", "weights zeroed after softmax"): "it leaves the scores as they are",
    ("Embed", "counted from 0"): "the rows that it takes are fixed",
    ("Variance", "not squared"): "it is 0 in every row, which nobody takes for a variance",
    ("SquaredError", "sum instead of mean"): "it is one number, which proves nothing",
    ("SquaredError", "halved"): "it is one number, which proves nothing",
    ("Rows", "columns"): "it has another shape",
    ("Columns", "rows"): "it has another shape",
}
"""What operations list and no printed number can be blamed on, each with the reason."""


def changed(node: Node) -> Iterator[Change]:
    """The wrong rules of each operation that an expression may be."""
    for op, arguments in operations(node):
        for mistake in op.mistakes:
            kind = CALLED.get((type(op).__name__, mistake.name))
            if kind is not None:
                yield kind, _values(kind), ruled(mistake.rule, *arguments)


def _values(kind: str) -> tuple[str, ...]:
    """What the sentence of a kind says besides."""
    return {"base of the logarithm": ("2",), "bias forgotten": ("b",)}.get(kind, ())


def operations(node: Node) -> Iterator[tuple[Any, tuple[Node, ...]]]:
    """The operations of which an expression is the result, with what goes into them."""
    match node:
        case Ruled(op, arguments) if hasattr(op, "mistakes"):
            yield op, arguments
        case Function(name, (x,)):
            yield from _of_one(name, x)
        case Function("beside", parts) if len(parts) > 1:
            yield Concat(), parts
        case Binary("+", Binary("@" | "", x, W), b):
            yield Affine(), (x, W, b)
        case Binary("+", Binary("*" | "⊙" | "·", x, g), b):
            yield Gain(), (x, g, b)
        case Binary("@" | "", a, Function("T", (b,))):
            yield Scores(), (a, b)
        case Binary("@" | "", a, b):
            yield Linear(), (a, b)
            yield Mix(), (a, b)
        case Binary("*" | "⊙" | "·", x, g):
            yield ScaleColumns(), (x, g)
        case Binary("/", Leaf(above), Leaf(below)):
            yield from _normalize(above.made, below.made)


def _of_one(name: str, x: Node) -> Iterator[tuple[Any, tuple[Node, ...]]]:
    mean = Function("mean", (x,))
    single: dict[str, tuple[Any, tuple[Node, ...]]] = {
        "softmax": (Softmax(), (x,)),
        "relu": (Relu(), (x,)),
        "silu": (Silu(), (x,)),
        "gelu": (Gelu(), (x,)),
        "gelu tanh": (Gelu(), (x,)),
        "var": (Variance(), (x, mean)),
        "sample var": (Variance(1), (x, mean)),
        "std": (Deviation(), (Function("var", (x,)),)),
        "sqrt": (Deviation(), (x,)),
    }
    if name in single:
        yield single[name]


def _normalize(above: Node | None, below: Node | None) -> Iterator[tuple[Any, tuple[Node, ...]]]:
    match above, below:
        case Function("less mean", (x,)), Function("std", _):
            assert below is not None
            yield Normalize(), (x, Function("mean", (x,)), below)
