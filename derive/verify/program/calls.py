"""Calls of functions and methods in programs as functions of matrices."""

from __future__ import annotations

from derive.verify.grammar.nodes import Array, Binary, Function, Name, Node, Number
from derive.verify.grammar.options import TEMPERATURES
from derive.verify.program.conditions import filled, is_condition
from derive.verify.program.losses import loss
from derive.verify.program.places import UNKNOWN, number, whole
from derive.verify.program.scope import AXES, SEVERAL
from derive.verify.program.sizes import RESHAPE, reshaped

PLAIN = {
    "exp": "exp", "log": "ln", "sqrt": "sqrt", "sin": "sin", "cos": "cos", "tanh": "tanh",
    "relu": "relu", "gelu": "gelu", "silu": "silu", "sigmoid": "sigmoid", "erf": "erf",
    "abs": "abs", "sind": "sin degrees", "cosd": "cos degrees",
    "log2": "log2", "log10": "log10", "square": "squares", "t": "T", "transpose": "T", "eye": "eye",
    "rowSums": "sum", "colSums": "column sums", "rowMeans": "mean", "tril": "lower",
    "colMeans": "column means", "norm": "norm of all", "prod": "product of all",
    "expit": "sigmoid", "pnorm": "normal cdf", "sd": "sample std of all",
    "len": "length", "length": "length", "numel": "length", "nrow": "count of rows",
    "ncol": "count of columns", "fmean": "mean of all", "pvariance": "var of all",
    "pstdev": "std of all", "cumsum": "cumulative", "rsqrt": "root below",
}  # fmt: skip
SAME = frozenset(
    "round signif float item numpy tolist detach squeeze as_tensor tensor array asarray c print"
    " clone copy as.numeric as.vector cpu FloatTensor matrix str list tuple array2string around"
    " vec double single num2str mat2str format string to type astype contiguous disp"
    " display flatten ravel drop bool Tensor DoubleTensor LongTensor constant Parameter"
    " Variable mat".split()
)
"""What leaves the numbers as they are."""
TEXTS = frozenset("sprintf paste paste0 fprintf printf cat".split())
"""What puts values into words."""
ALONG = {  # over all, along rows, along columns
    "sum": ("total", "sum", "column sums"), "mean": ("mean of all", "mean", "column means"),
    "max": ("max of all", "max", "column max"), "amax": ("max of all", "max", "column max"),
    "maximum": ("max of all", "max", "column max"),
    "min": ("min of all", "min of rows", "column min"),
    "var": ("var of all", "var", "column var"), "std": ("std of all", "std", "column std"),
    "softmax": ("softmax", "softmax", "softmax columns"), "logsumexp": ("", "log sum exp", ""),
    "log_softmax": ("log softmax", "log softmax", ""),
}  # fmt: skip
PRODUCTS = frozenset("dot matmul mm bmm inner".split())
BESIDE = frozenset("concatenate cat hstack cbind hcat horzcat concat".split())
FIRST = frozenset(("concatenate", "cat"))
"""What joins along the first axis where none is told."""
BELOW = frozenset("vstack rbind vcat vertcat stack row_stack".split())
LISTS = frozenset("c list array tensor asarray".split())
HARMLESS = frozenset("dtype keepdims keepdim requires_grad digits decimals device copy".split())
"""Keywords that change no number."""
_SPREAD = ("var", "std")


def is_known(name: str) -> bool:
    """Whether a function is known by its name."""
    return name in PLAIN or name in ALONG or name in ("layer_norm", "LayerNorm")


def called(name: str, plain: list[Node], named: dict[str, Node | None], language: str = "") -> Node:
    """A call; Function("?name", ...) where the function is not known."""
    short = name.rpartition(".")[2]
    if name == "matrix":
        return Function(UNKNOWN + name, tuple(plain)) if named else plain[0]
    if name in LISTS and len(plain) > 1:
        return Array(tuple(plain))
    if plain and short in TEXTS and not (short == "cat" and isinstance(plain[0], Array)):
        return Function(UNKNOWN + "text", tuple(plain))
    if short == "size" and len(plain) == 2:
        return _size(plain[0], plain[1], language)
    if plain and (short in SAME or name in SAME):
        return plain[0]
    if plain and short in ALONG and not (short == "maximum" and len(plain) > 1):
        return _along(short, plain, named, language)
    if plain and short in PLAIN and len(plain) == 1 and set(named) <= HARMLESS:
        return Function(PLAIN[short], tuple(plain[:1]))
    made = loss(name, plain, named) or _of_several(short, plain, named)
    return made or Function(UNKNOWN + name, tuple(plain))


def _of_several(name: str, plain: list[Node], named: dict[str, Node | None]) -> Node | None:
    """A function of several arguments."""
    match name, plain:
        case "apply", (inner, axis, Name(function)) if whole(axis) == 1:
            return _applied(function, inner)
        case "triu" | "tril", (inner, *more):
            return _from_diagonal(name, inner, [*more, named.get("k"), named.get("diagonal")])
        case "masked_fill" | "masked_fill_", (inner, test, value):
            return filled(inner, test, value)
        case "where", (test, value, inner) if is_condition(test):
            return filled(inner, test, value)
        case "maximum" | "max", (inner, Number()) | (Number(), inner):
            return Function("relu", (inner,))
        case "layer_norm", (inner, _) if set(named) <= {"eps"}:
            eps = named.get("eps")
            given = Function("layernorm given", (inner, eps)) if eps is not None else None
            return given or Function("layernorm eps", (inner,))
        case "outer", (_, _):
            return Function("outer", tuple(plain))
        case (("pow" | "power"), (left, right)):
            return Binary("^", left, right)
        case "eye", (size, _):
            return Function("eye", (size,))
    return _made(name, plain) or _of_matrices(name, plain, named)


def _from_diagonal(name: str, inner: Node, offsets: list[Node | None]) -> Node:
    """triu(x, k): what stands from the k-th diagonal on; tril(x) has a name of its own."""
    offset = next((o for o in offsets if o is not None), None)
    if offset is None and name == "tril":
        return Function("lower", (inner,))
    kind = "upper from" if name == "triu" else "lower from"
    return Function(kind, (inner, offset or number(0)))


def _size(value: Node, axis: Node, language: str) -> Node:
    """How many entries along an axis; a vector has as many along its first as it has entries."""
    place = whole(axis)
    if language in ("matlab", "julia"):
        kind = "count of rows" if place == 1 else "count of columns"
    else:
        kind = "length of axis 0" if place in (0, -2) else "count of columns"
    return Function(kind, (value,))


def _made(name: str, plain: list[Node]) -> Node | None:
    """What makes a matrix, or puts its entries in order."""
    if name in RESHAPE and len(plain) > 1:
        return reshaped(plain[0], plain[1:])
    match name, plain:
        case (("ones" | "zeros"), (_, *_)):
            return _filled(name, plain)
        case "full", (sizes, value) | (sizes, value, _):
            return _filled("full", [sizes], value)
        case "topk", (inner, size):
            return Function(SEVERAL, (Function("largest", (inner, size)), Function("?places", ())))
        case "sort", (inner,):
            return Function("sorted", (inner,))
    return None


def _of_matrices(name: str, plain: list[Node], named: dict[str, Node | None]) -> Node | None:
    """Products, and matrices joined."""
    if name in PRODUCTS and len(plain) == 2:
        return Binary("@", *plain)
    if plain and (name in BESIDE or name in BELOW):
        return _joined(name, plain, named)
    return None


def _joined(name: str, plain: list[Node], named: dict[str, Node | None]) -> Node | None:
    """Matrices beside or below each other."""
    first = plain[0]
    parts = first.items if isinstance(first, Array) else _several(first) or tuple(plain)
    axis = named.get("axis", named.get("dim"))
    if len(parts) == 1 or (axis is not None and whole(axis) not in (0, 1, -1)):
        return None
    if whole(axis) == 0 or (axis is None and name in FIRST):
        return Function("joined" if name not in BELOW else "below", tuple(parts))
    is_below = name in BELOW and axis is None
    return Function("below" if is_below else "beside", tuple(parts))


def _several(node: Node) -> tuple[Node, ...]:
    match node:
        case Function("?several", parts):
            return parts
    return ()


def _filled(name: str, plain: list[Node], of: Node | None = None) -> Node | None:
    """A matrix of ones or noughts, or of another number."""
    sizes = _several(plain[0]) or tuple(plain)
    if len(sizes) > 2:
        return None
    rows = sizes if len(sizes) == 2 else (number(1), *sizes)
    return Function("filled", (of or number(int(name == "ones")), *rows))


def _applied(name: str, inner: Node) -> Node:
    """A function of each row, as R puts the results together: in columns."""
    if name in ALONG and name != "softmax":
        return Function(ALONG[name][1], (inner,))
    made = called(name, [inner], {})
    return Function("T", (made,))


def _along(name: str, plain: list[Node], named: dict[str, Node | None], language: str = "") -> Node:
    """A reduction over all, or along an axis; a sample variance where one is asked for."""
    everything, rows, columns = ALONG[name]
    by = [named[key] for key in named if key in TEMPERATURES]
    if plain and name == "softmax" and len(by) == 1 and by[0] is not None:
        plain = [Binary("/", plain[0], by[0]), *plain[1:]]
    elif name == "softmax" and set(named) - HARMLESS - AXES:
        return Function(UNKNOWN + name, tuple(plain))
    plain, is_sample = _weighed(name, plain, named, language)
    axis = named.get("axis", named.get("dim", named.get("dims")))
    axis = plain[1] if axis is None and len(plain) > 1 else axis
    place = whole(axis)
    if place is not None and (language == "matlab" or "dims" in named):
        place -= 1
    if language == "matlab" and axis is None and name != "softmax":
        place, axis = 0, plain[0]
    if len(plain) > 2 or (axis is not None and place not in (0, 1, -1, -2)):
        return Function(UNKNOWN + name, tuple(plain))
    is_down = place in (0, -2)
    chosen = everything if axis is None else columns if is_down else rows
    if is_down:
        return Function(f"axis 0 {'sample ' * is_sample}{name}", (plain[0],))
    if is_sample or not chosen:
        chosen = f"sample {chosen}" if chosen else UNKNOWN + name
    return Function(chosen, (plain[0],))


def _weighed(
    name: str, plain: list[Node], named: dict[str, Node | None], language: str
) -> tuple[list[Node], bool]:
    """The arguments without what weighs a variance, and whether it is of a sample."""
    if name not in _SPREAD:
        is_padded = language == "matlab" and len(plain) == 3 and name in ("max", "min")
        return ([plain[0], plain[2]] if is_padded else plain), False
    if language == "matlab":
        return [plain[0], *plain[2:]], len(plain) < 2 or whole(plain[1]) == 0
    less = named.get("ddof", named.get("correction"))
    if language == "r":
        return plain, True
    if language == "torch":
        said = named.get("unbiased")
        is_biased = isinstance(said, Name) and said.text == "False"
        return plain, not is_biased and whole(less) != 0
    corrected = named.get("corrected")
    is_plain = isinstance(corrected, Name) and corrected.text == "false"
    return plain, (language == "julia" and not is_plain) or whole(less) == 1
