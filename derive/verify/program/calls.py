"""Calls of functions and methods in programs, and indices, as functions of matrices."""

from __future__ import annotations

from flint import arb

from derive.verify.grammar.grids import Cell
from derive.verify.grammar.nodes import Array, Binary, Function, Name, Negative, Node, Number

PLAIN = {
    "exp": "exp", "log": "ln", "sqrt": "sqrt", "sin": "sin", "cos": "cos", "tanh": "tanh",
    "relu": "relu", "gelu": "gelu", "silu": "silu", "sigmoid": "sigmoid", "erf": "erf",
    "abs": "abs",
    "log2": "log2", "log10": "log10", "square": "squares", "t": "T", "transpose": "T", "eye": "eye",
    "rowSums": "sum", "colSums": "column sums", "rowMeans": "mean", "tril": "lower",
    "colMeans": "column means", "norm": "norm of all", "prod": "product of all",
    "expit": "sigmoid", "pnorm": "normal cdf", "sd": "sample std of all",
}  # fmt: skip
SAME = frozenset(
    "round signif float item numpy tolist detach squeeze as_tensor tensor array asarray c print"
    " clone copy as.numeric as.vector cpu FloatTensor matrix".split()
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
PRODUCTS = frozenset("dot matmul mm bmm inner".split())
JOINS = frozenset("concatenate cat hstack cbind".split())
LISTS = frozenset("c list array tensor asarray".split())
HARMLESS = frozenset("dtype keepdims keepdim requires_grad digits decimals device copy".split())
"""Keywords that change no number."""
UNKNOWN = "?"


def called(name: str, plain: list[Node], named: dict[str, Node | None]) -> Node:
    """A call; Function("?name", ...) where the function is not known."""
    short = name.rpartition(".")[2]
    if name == "matrix":
        return Function(UNKNOWN + name, tuple(plain)) if named else plain[0]
    if name in LISTS and len(plain) > 1:
        return Array(tuple(plain))
    if plain and short in SAME:
        return plain[0]
    if plain and short in ALONG:
        return _along(short, plain, named)
    if plain and short in PLAIN and len(plain) == 1 and set(named) <= HARMLESS:
        return Function(PLAIN[short], tuple(plain[:1]))
    return _of_several(short, plain) or Function(UNKNOWN + name, tuple(plain))


def _of_several(name: str, plain: list[Node]) -> Node | None:
    """A function of several arguments."""
    match name, plain:
        case "apply", (inner, axis, Name(function)) if _whole(axis) == 1:
            return _applied(function, inner)
        case "masked_fill", (inner, mask, *_) if any("triu" in n for n in _names(mask)):
            return Function("causal", (inner,))
        case "maximum", (_, inner):
            return Function("relu", (inner,))
        case "outer", (_, _):
            return Function("outer", tuple(plain))
        case (("pow" | "power"), (left, right)):
            return Binary("^", left, right)
    if name in PRODUCTS and len(plain) == 2:
        return Binary("@", *plain)
    if name in JOINS and plain:
        first = plain[0]
        return Function("beside", first.items if isinstance(first, Array) else tuple(plain))
    return None


def _applied(name: str, inner: Node) -> Node:
    """A function of each row, as R puts the results together: in columns."""
    if name in ALONG and name != "softmax":
        return Function(ALONG[name][1], (inner,))
    made = called(name, [inner], {})
    return Function("T", (made,))


def _along(name: str, plain: list[Node], named: dict[str, Node | None]) -> Node:
    """A reduction over all, or along an axis; a sample variance where one is asked for."""
    everything, rows, columns = ALONG[name]
    axis = named.get("axis", named.get("dim", plain[1] if len(plain) > 1 else None))
    place = _whole(axis)
    if len(plain) > 2 or (axis is not None and place not in (0, 1, -1, -2)):
        return Function(UNKNOWN + name, tuple(plain))
    is_down = place in (0, -2)
    chosen = everything if axis is None else columns if is_down else rows
    if (name in ("var", "std") and _whole(named.get("ddof")) == 1) or not chosen:
        chosen = f"sample {chosen}" if chosen else UNKNOWN + name
    return Function(f"axis 0 {name}" if is_down else chosen, (plain[0],))


def _names(node: Node) -> list[str]:
    """The functions in an expression."""
    own = [node.name] if isinstance(node, Function) else []
    return own + [name for part in node.parts() for name in _names(part)]


def _whole(node: Node | None) -> int | None:
    match node:
        case Number(cell) if cell.figure is not None:
            return int(cell.figure.value)
        case Negative(Number(cell)) if cell.figure is not None:
            return -int(cell.figure.value)
    return None


def in_r(node: Node) -> Node:
    """A call as R means it: its variance is that of a sample."""
    match node:
        case Function("var of all" | "std of all" as name, arguments):
            return Function(f"sample {name}", arguments)
    return node


def indexed(value: Node, places: list[Node | None], first: int) -> Node:
    """x[i], x[i, j], x[i, :], x[:, j], x[ids], counted from the first."""
    if first and any(isinstance(place, Negative) for place in places):
        return Function(UNKNOWN + "index", (value,))  # R leaves these out
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
