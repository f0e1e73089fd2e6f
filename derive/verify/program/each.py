"""What goes over lists: sums of products, and lists of them, as products of matrices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from derive.verify.grammar.nodes import Array, Binary, Function, Name, Node, rebuilt
from derive.verify.program.calls import ALONG as REDUCED
from derive.verify.program.places import whole
from derive.verify.program.scope import SEVERAL, put
from derive.verify.program.tokens import NoProgram
from derive.verify.program.turns import turns

SPREAD = "?spread"
"""*x as an argument."""
EACH = "each product"
"""x @ v for each row v of a matrix, where x may turn out to be a vector or a matrix."""
TURNS = "?turns"
"""f(t) for t in x, before it is known what gathers them."""
DOTS = "each dot"
"""sum(x * v) for each row v of a matrix, where x may be a vector, or a matrix of what is added."""
DEFERRED = frozenset((EACH, DOTS))
PRODUCTS = DEFERRED | {"dot"}
ALONG = {everything: rows for everything, rows, _ in REDUCED.values() if everything}
"""What is taken of a whole row is taken along each row of a matrix."""
INDEXED = frozenset(("at", "row at"))


def turned(made: Node, names: Sequence[str], over: Node) -> Node:
    """made for names in over."""
    return Function(TURNS, (made, Array(tuple(map(Name, names))), over))


def is_turned(node: Node) -> bool:
    """Whether an argument goes over something."""
    return isinstance(node, Function) and node.name == TURNS


def gone_over(name: str, node: Node) -> Node:
    """The argument of a call that goes over something: summed, or as a list."""
    match node:
        case Function("?turns", (made, Array(names), over)):
            texts = [n.text for n in names if isinstance(n, Name)]
            return summed(made, texts, over) if name == "sum" else listed(made, texts, over)
    raise NoProgram


def listed(made: Node, names: Sequence[str], over: Node) -> Node:
    """[made for names in over].  NoProgram where this is not one matrix."""
    if len(names) == 1 and (isinstance(over, Array) or _count(over) is not None):
        return Array(tuple(put(made, {names[0]: turn}) for turn in turns(over)))
    return _over(made, _meant(names, over))


def summed(made: Node, names: Sequence[str], over: Node) -> Node:
    """sum(made for names in over)."""
    if len(names) == 1 and _count(over) is not None:
        first, *rest = (put(made, {names[0]: turn}) for turn in turns(over))
        for turn in rest:
            first = Binary("+", first, turn)
        return first
    meant = _meant(names, over)
    match made:
        case Function("times", (left, right)) if _is_varied(left, meant) and _is_varied(
            right, meant
        ):
            return Function("dot", (_over(left, meant), _over(right, meant)))
    return Function("sum", (_over(made, meant),))


def _count(over: Node) -> int | None:
    """How often range(3) goes round."""
    match over:
        case Function("?range", (*_, stop)):
            return whole(stop)
    return None


def _meant(names: Sequence[str], over: Node) -> dict[str, Node | None]:
    """What the names go over; None for one that counts."""
    match over:
        case Function("?range", _) if len(names) == 1:
            return {names[0]: None}
        case Function("?enumerate", (inner, *_)) if len(names) > 1:
            return {names[0]: None, **_meant(names[1:], inner)}
        case Function("?zip", (Function(name, (inner,)),)) if name == SPREAD and len(names) == 1:
            return {names[0]: Function("T", (inner,))}
        case Function("?zip", parts) if len(parts) == len(names):
            return dict(zip(names, parts, strict=True))
        case Name() | Function() | Binary() if len(names) == 1 and not _is_call(over):
            return {names[0]: over}
    raise NoProgram


def _is_call(over: Node) -> bool:
    return isinstance(over, Function) and over.name[:1] == "?" and over.name != SEVERAL


def _is_varied(node: Node, meant: Mapping[str, Node | None]) -> bool:
    """Whether an expression speaks of what a name goes over."""
    if isinstance(node, Name):
        return node.text in meant
    return any(_is_varied(part, meant) for part in node.parts())


def _over(node: Node, meant: Mapping[str, Node | None]) -> Node:
    """An expression for all that its names go over at once, a row for each."""
    if not _is_varied(node, meant):
        return node
    inner: Callable[[Node], Node] = lambda part: _over(part, meant)  # noqa: E731
    match node:
        case Name(text):
            whole_ = meant[text]
            if whole_ is None:
                raise NoProgram  # a place that is used as a number
            return whole_
        case Function(name, (x, Name(text))) if name in INDEXED and meant.get(text, x) is None:
            return inner(x)  # each row of a matrix, by its place
        case Function(name, (x, place)) if name in INDEXED:
            return Function("at", (_columns(inner(x)), inner(place)))
        case Function("entry at", (x, i, j)):
            return inner(Function("at", (Function("at", (x, i)), j)))
        case Function(name, (left, right)) if name in PRODUCTS:
            return _product(name, left, right, meant)
        case Function(name, (x,)) if name in ALONG:
            return Function(ALONG[name], (inner(x),))
        case Binary("@", left, right) if not _is_varied(left, meant):
            return Function(EACH, (left, inner(right)))
    return rebuilt(node, inner)


def _columns(node: Node) -> Node:
    """The columns of a matrix as rows."""
    match node:
        case Function("T", (x,)):
            return x
    return Function("T", (node,))


def _product(name: str, left: Node, right: Node, meant: Mapping[str, Node | None]) -> Node:
    """The products of two vectors, of which one or both are rows of a matrix."""
    a, b = _over(left, meant), _over(right, meant)
    if name in DEFERRED and not _is_varied(right, meant):
        return Binary("@", a, _columns(b))
    if name in DEFERRED or (_is_varied(left, meant) and _is_varied(right, meant)):
        return Function("sum", (Function("times", (a, b)),))
    return Function(DOTS, (a, b) if _is_varied(right, meant) else (b, a))
