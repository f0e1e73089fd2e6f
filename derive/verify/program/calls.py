"""Calls of functions and methods in programs, and indices, as functions of matrices."""

from __future__ import annotations

from flint import arb

from derive.verify.grids import Cell
from derive.verify.nodes import Array, Binary, Function, Name, Node, Number

PLAIN = {
    "exp": "exp", "log": "ln", "sqrt": "sqrt", "sin": "sin", "cos": "cos", "tanh": "tanh", "abs": "abs",
    "relu": "relu", "gelu": "gelu", "silu": "silu", "sigmoid": "sigmoid", "erf": "erf", "pnorm": "normal cdf",
    "log2": "log2", "log10": "log10", "square": "squares", "t": "T", "transpose": "T", "eye": "eye",
    "diag": "diagonal", "rowSums": "sum", "colSums": "column sums", "rowMeans": "mean", "tril": "lower",
    "colMeans": "column means", "norm": "norm of all", "prod": "product of all", "expit": "sigmoid",
}  # fmt: skip
SAME = frozenset(
    "round signif float item numpy tolist detach squeeze as_tensor tensor array asarray c print clone copy"
    " as.numeric as.vector cpu FloatTensor matrix".split()
)
"""What leaves the numbers as they are."""
ALONG = {  # over all, along rows, along columns
    "sum": ("total", "sum", "column sums"), "mean": ("mean of all", "mean", "column means"),
    "max": ("max of all", "max", "column max"), "amax": ("max of all", "max", "column max"),
    "min": ("min of all", "min of rows", "column min"),
    "var": ("var of all", "var", "column var"), "std": ("std of all", "std", "column std"),
    "softmax": ("softmax", "softmax", "softmax columns"), "logsumexp": ("", "log sum exp", ""),
    "log_softmax": ("log softmax", "log softmax", ""),
}  # fmt: skip
PRODUCTS = frozenset("dot matmul mm bmm inner crossprod".split())
UNKNOWN = "?"


def called(name: str, plain: list[Node], named: dict[str, Node | None]) -> Node:
    """A call; Function("?name", ...) where the function is not known."""
    short = name.rpartition(".")[2]
    if name == "matrix":
        return _matrix(plain, named)
    if name in ("c", "list", "array", "tensor", "asarray") and len(plain) > 1:
        return Array(tuple(plain))
    if (
        short == "apply"
        and len(plain) == 3
        and _whole(plain[1]) == 1
        and isinstance(plain[2], Name)
    ):
        return _applied(plain[2].text, plain[0])
    if short == "masked_fill" and len(plain) > 1 and "triu" in str(_names(plain[1])):
        return Function("causal", (plain[0],))
    if short in SAME and plain:
        return plain[0]
    if short in ("sd",):
        return Function("sample std of all", tuple(plain[:1]))
    if short in ALONG and plain:
        return _along(short, plain, named)
    if short in PRODUCTS and len(plain) == 2:
        return Binary("@", *plain)
    if short == "outer" and len(plain) == 2:
        return Function("outer", tuple(plain))
    if short == "maximum" and len(plain) == 2:
        return Function("relu", (plain[-1],))
    if short in ("concatenate", "cat", "hstack", "cbind") and plain:
        parts = plain[0].items if isinstance(plain[0], Array) else tuple(plain)
        return Function("beside", parts)
    if short in ("pow", "power") and len(plain) == 2:
        return Binary("^", *plain)
    if short in PLAIN and plain:
        return Function(PLAIN[short], tuple(plain[:1]))
    return Function(UNKNOWN + name, tuple(plain))


def _applied(name: str, inner: Node) -> Node:
    """A function of each row, as R puts the results together: in columns."""
    if name in ALONG and name != "softmax":
        return Function(ALONG[name][1], (inner,))
    made = called(name, [inner], {})
    return Function("T", (made,))


def _matrix(plain: list[Node], named: dict[str, Node | None]) -> Node:
    return Function(UNKNOWN + "matrix", tuple(plain)) if named else plain[0]


def _along(name: str, plain: list[Node], named: dict[str, Node | None]) -> Node:
    """A reduction over all, or along an axis; a sample variance where one is asked for."""
    everything, rows, columns = ALONG[name]
    axis = named.get("axis", named.get("dim", plain[1] if len(plain) > 1 else None))
    place = _whole(axis)
    chosen = everything if axis is None else columns if place == 0 else rows
    if (name in ("var", "std") and _whole(named.get("ddof")) == 1) or not chosen:
        chosen = f"sample {chosen}" if chosen else UNKNOWN + name
    return Function(f"axis 0 {name}" if place == 0 and axis is not None else chosen, (plain[0],))


def _names(node: Node) -> list[str]:
    """The functions in an expression."""
    own = [node.name] if isinstance(node, Function) else []
    return own + [name for part in node.parts() for name in _names(part)]


def _whole(node: Node | None) -> int | None:
    match node:
        case Number(cell) if cell.figure is not None:
            return int(cell.figure.value)
    return None


def in_r(node: Node) -> Node:
    """A call as R means it: its variance is that of a sample."""
    match node:
        case Function("var of all" | "std of all" as name, arguments):
            return Function(f"sample {name}", arguments)
    return node


def indexed(value: Node, places: list[Node | None], first: int) -> Node:
    """x[i], x[i, j], x[i, :], x[:, j], x[ids], counted from the first."""
    if first:
        one = Number(Cell(None, -1, exact=arb(first)))
        places = [None if p is None else Binary("-", p, one) for p in places]
    if len(places) == 1:
        return Function("at", (value, *(p for p in places if p is not None)))
    if len(places) == 2:
        row, column = places
        if row is not None and column is not None:
            return Function("entry at", (value, row, column))
        if row is not None:
            return Function("row at", (value, row))
        if column is not None:
            return Function("column at", (value, column))
        return value
    return Function(UNKNOWN + "index", (value,))
