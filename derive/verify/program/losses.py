"""Losses that programs call, and entries of which each row gives one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flint import arb

from derive.exact.enclosure import Enclosures
from derive.verify.grammar.grids import matrix_of
from derive.verify.grammar.nodes import Binary, Function, Name, Node
from derive.verify.program.places import number, whole

LARGEST = 512
REDUCED = {"none": "", "sum": "total", "mean": "mean of all"}


def changed(name: str, place: Node, sign: str, value: Node) -> Node | None:
    """What a name stands for once one entry, or one of each row, is given or changed."""
    match place:
        case Function("each at", (_, ids)):
            new = Binary(sign, place, value) if sign else value
            return Function("placed each", (Name(name), new, ids))
        case Function("at" | "entry at" | "row at", (_, *places)):
            new = Binary(sign, place, value) if sign else value
            return Function("placed", (Name(name), new, *places))
    return None


def loss(name: str, plain: list[Node], named: Mapping[str, Node | None]) -> Node | None:
    """cross_entropy(logits, ids), nll_loss(logp, ids), one_hot(ids, K), gather(x, 1, ids)."""
    if set(named) - {"reduction", "label_smoothing", "dim", "index", "num_classes", "input"}:
        return None
    more = (named.get(k) for k in ("num_classes", "index"))
    rest = [*plain, *(node for node in more if node is not None)]
    match name.rpartition(".")[2], rest:
        case "cross_entropy", (logits, ids):
            smooth = named.get("label_smoothing") or number(0)
            return _reduced(Function("cross entropy", (logits, ids, smooth)), named)
        case "nll_loss", (logp, ids):
            return _reduced(Function("less each at", (logp, ids)), named)
        case "one_hot", (ids, count):
            return Function("one hot", (ids, count))
        case "gather", (inner, axis, ids) if whole(axis) in (1, -1):
            return Function("each at", (inner, _flat(ids)))
    return None


def _flat(ids: Node) -> Node:
    """y of y.unsqueeze(1), y.view(-1, 1) and y[:, None]."""
    match ids:
        case Function(name, (inner, *_)) if name.lstrip("?") in ("unsqueeze", "view", "reshape"):
            return inner
    return ids


def _reduced(made: Node, named: Mapping[str, Node | None]) -> Node | None:
    """The mean over the rows, unless the call says otherwise."""
    if "reduction" not in named:
        return Function("mean of all", (made,))
    said = named["reduction"]
    word = said.text if isinstance(said, Name) else ""
    kind = REDUCED.get(word)
    return None if kind is None else Function(kind, (made,)) if kind else made


def _ids(x: Enclosures, count: int, rows: int) -> list[int]:
    flat = [y.unique_fmpz() for row in x.rows for y in row]
    found = [int(y) for y in flat if y is not None]
    if len(found) != len(flat) or len(found) != rows:
        raise TypeError
    if not all(-count <= k < count for k in found):
        raise TypeError
    return [k % count for k in found]


def _each(x: Enclosures, ids: Enclosures) -> Enclosures:
    places = _ids(ids, x.shape[1], x.shape[0])
    return matrix_of([[row[k] for row, k in zip(x.rows, places, strict=True)]])


def _placed(x: Enclosures, y: Enclosures, ids: Enclosures) -> Enclosures:
    rows, places = [list(row) for row in x.rows], _ids(ids, x.shape[1], x.shape[0])
    new = [z for row in y.rows for z in row]
    if len(new) not in (1, len(rows)):
        raise TypeError
    for i, k in enumerate(places):
        rows[i][k] = new[i % len(new)]
    return matrix_of(rows)


def _hot(ids: Enclosures, count: Enclosures) -> Enclosures:
    size = count.rows[0][0].unique_fmpz()
    if size is None or not 0 < int(size) <= LARGEST:
        raise TypeError
    flat = ids.shape[0] * ids.shape[1]
    places = _ids(ids, int(size), flat)
    return matrix_of([[arb(int(j == k)) for j in range(int(size))] for k in places])


def _entropy(x: Enclosures, ids: Enclosures, smooth: Enclosures) -> Enclosures:
    """- sum q log softmax(x) of each row, with q = (1 - e) y + e / K."""
    e, count = smooth.rows[0][0], x.shape[1]
    if ids.shape == x.shape and count > 1:
        targets = [list(row) for row in ids.rows]
    else:
        places = _ids(ids, count, x.shape[0])
        targets = [[arb(int(j == k)) for j in range(count)] for k in places]
    found = []
    for row, target in zip(x.rows, targets, strict=True):
        total = sum((y.exp() for y in row), arb(0)).log()
        shares = [(1 - e) * t + e / count for t in target]
        found.append(sum((q * (total - y) for q, y in zip(shares, row, strict=True)), arb(0)))
    return matrix_of([found])


LOSSES: Mapping[str, Callable[..., Enclosures]] = {
    "each at": _each,
    "less each at": lambda x, ids: _each(x, ids).map(lambda y: -y),
    "placed each": _placed,
    "one hot": _hot,
    "cross entropy": _entropy,
}
