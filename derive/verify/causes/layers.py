"""Mistakes in normalisations, activations, sums of terms, losses and joined heads."""

from __future__ import annotations

from collections.abc import Iterator

from flint import arb

from derive.verify.causes import wrong
from derive.verify.causes.wrong import logarithms, over_columns, ruled
from derive.verify.grammar.nodes import Binary, Function, Leaf, Negative, Node
from derive.verify.values.operations import Unknown

Change = tuple[str, tuple[str, ...], Node]
EPS = {"layernorm": 0, "layernorm eps": 5, "layernorm eps 6": 6, "layernorm eps 12": 12}
"""Minus the power of ten of each."""
ACTIVATIONS = ("relu", "gelu", "gelu tanh", "silu", "sigmoid", "tanh")


def changed(node: Node) -> Iterator[Change]:
    """Each mistake in a layer's operation."""
    yield from _measures(node)
    yield from _normalisations(node)
    yield from _others(node)


def _measures(node: Node) -> Iterator[Change]:
    match node:
        case Function("mean", (x,)):
            yield "mean over the wrong axis", (), ruled(over_columns(wrong.means), x)
            yield "sum instead of mean", (), Function("sum", (x,))
        case Function("sum", (x,)):
            yield "mean instead of sum", (), Function("mean", (x,))
        case Function("var" | "sample var" | "std" | "sample std" as name, (x,)):
            yield from _spread(name, x)
        case Function("rms", (x,)):
            yield "sum instead of mean", (), ruled(wrong.root_of_sum, x)
            yield "no root", (), ruled(wrong.mean_squares, x)
        case Function("sqrt", (x,)):
            yield "no root", (), x
            yield from _epsilon(x)


def _normalisations(node: Node) -> Iterator[Change]:
    match node:
        case Function("layernorm sample", (x,)):
            yield "the other divisor", (), ruled(wrong.normalised(), x)
            yield from _norms(x, 0)
        case Function("layernorm given", (x, given)):
            eps = _number(given)
            yield from _norms(x, 0 if eps is None else eps)
        case Function(name, (x,)) if name in EPS:
            yield from _norms(x, arb(10) ** -EPS[name] if EPS[name] else 0)
        case Function("rmsnorm" | "rmsnorm eps", (x,)):
            yield "sum instead of mean", (), ruled(wrong.root_sum, x)
        case Binary("/", Leaf() as above, Leaf() as below):
            yield from _normed(above, below)


def _others(node: Node) -> Iterator[Change]:
    match node:
        case Function(name, (x,)) if name in ACTIVATIONS:
            yield "activation forgotten", (), x
            if name == "relu":
                yield "absolute value", (), Function("abs", (x,))
        case Function("beside", parts) if len(parts) > 1:
            yield "heads in reverse", (), Function("beside", parts[::-1])
            yield "columns in turns", (), ruled(_in_turns, *parts)
        case Function("log" | "ln" | "minus log" as name, (x,)):
            yield from _logarithm(x, negative=name == "minus log")


def _spread(name: str, x: Node) -> Iterator[Change]:
    other = name.removeprefix("sample ") if name.startswith("sample") else "sample " + name
    yield "the other divisor", (), Function(other, (x,))
    if name.endswith("std"):
        yield "no root", (), Function(name.replace("std", "var"), (x,))
    yield "sum instead of mean", (), ruled(lambda y: (wrong.centred(y) ** 2).row_sums(), x)
    yield "mean over the wrong axis", (), ruled(over_columns(wrong.variances), x)


def _norms(x: Node, eps: arb | int) -> Iterator[Change]:
    if eps != 0:
        yield "eps forgotten", (), ruled(wrong.normalised(), x)
        yield "eps outside the root", (), ruled(wrong.normalised(eps=eps, outside=True), x)
    yield "the other divisor", (), ruled(wrong.normalised(eps=eps, sample=True), x)
    yield "no root", (), ruled(wrong.normalised(root=False), x)
    yield "mean not subtracted", (), ruled(wrong.uncentred, x)
    yield "mean over the wrong axis", (), ruled(wrong.norm_of_columns, x)


def _normed(above: Leaf, below: Leaf) -> Iterator[Change]:
    """Mistakes where what is centred is divided by the deviation."""
    match above.grid.made, below.grid.made:
        case Function("less mean", (x,)), Function("std" | "sample std", (_,)):
            yield from _norms(x, 0)


def _epsilon(x: Node) -> Iterator[Change]:
    match x:
        case Binary("+", variance, eps):
            yield "eps forgotten", (), Function("sqrt", (variance,))
            yield "eps outside the root", (), Binary("+", Function("sqrt", (variance,)), eps)


def _logarithm(x: Node, *, negative: bool) -> Iterator[Change]:
    for base in (2, 10):
        made = ruled(logarithms(base), x)
        yield "base of the logarithm", (str(base),), Negative(made) if negative else made
    if negative:
        yield "sign of the loss", (), Function("log", (x,))
    yield "logarithm forgotten", (), x


def _number(node: Node) -> arb | None:
    from derive.verify.values.evaluate import value

    try:
        found = value(node, "exact")
    except (Unknown, ValueError):
        return None
    return found.rows[0][0] if found.shape == (1, 1) else None


def _in_turns(*parts: object) -> object:
    """The columns of all heads in turns."""
    from derive.exact.enclosure import Enclosures
    from derive.verify.grammar.grids import matrix_of

    rows = zip(*(part.rows for part in parts if isinstance(part, Enclosures)), strict=True)
    return matrix_of([[x for xs in zip(*row, strict=True) for x in xs] for row in rows])
