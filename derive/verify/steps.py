"""The steps that could follow from what is printed: a head, a softmax, a normalisation ...

Each is an expression over known matrices.  They are made when they are asked for, once each.
"""

from __future__ import annotations

from collections.abc import Iterator

from flint import arb

from derive.verify.evaluate import value
from derive.verify.grids import Cell, Grid
from derive.verify.nodes import Binary, Function, Leaf, Node, Number
from derive.verify.operations import Unknown
from derive.verify.pool import Pool

UNARY = {
    "softmax": "A", "exp": "exp", "exp less max": "E", "shares": "shares", "mean": "mean",
    "less mean": "diff",
    "squares": "sq", "var": "var", "std": "std", "layernorm": "LN", "layernorm eps": "LN",
    "layernorm sample": "LN", "sum": "Z", "max": "max", "relu": "relu", "sample var": "var",
    "sample std": "std", "causal shares": "shares",
}  # fmt: skip
LARGE = 4096
"""Matrices with more entries than this are matched by name alone."""
MOST = 250
"""So many steps are tried for one printed matrix."""


class Steps:
    """The steps of one article, by what they are made of."""

    def __init__(self, pool: Pool) -> None:
        """Over what is printed so far."""
        self.pool = pool
        self.known: dict[tuple[object, ...], Grid | None] = {}
        self.sure: set[int] = set()  # steps from what the article names, by identity
        self.kept: list[Node] = []  # what the keys are made of lives as long as they do

    def step(self, name: str, made: Node, *key: object) -> Grid | None:
        """The matrix of an expression, made once; None where it has no value."""
        if key not in self.known:
            self.known[key] = _grid(name, made)
            self.kept.append(made)
        return self.known[key]

    def product(self, name: str, a: Grid, b: Grid) -> Grid | None:
        """a @ b."""
        if a.shape[1] != b.shape[0]:
            return None
        return self.step(name, Binary("@", Leaf(a), Leaf(b)), "@", id(a), id(b))

    def against(self, name: str, a: Grid, b: Grid) -> Grid | None:
        """a @ b^T."""
        if a.shape[1] != b.shape[1]:
            return None
        made = Binary("@", Leaf(a), Function("T", (Leaf(b),)))
        return self.step(name, made, "@T", id(a), id(b))

    def unary(self, function: str, grid: Grid, name: str = "") -> Grid | None:
        """A function of a matrix, along its rows."""
        name = name or UNARY[function]
        if function in ("layernorm", "layernorm sample"):
            spread = self.unary("std" if function == "layernorm" else "sample std", grid)
            centred = self.unary("less mean", grid)
            if spread is None or centred is None:
                return None
            made: Node = Binary("/", Leaf(centred), Leaf(spread))
        elif function == "causal":
            made = Function("causal", (Leaf(grid),))
        else:
            made = Function(function, (Leaf(grid),))
        return self.step(name, made, function, id(grid))

    def scaled(self, grid: Grid, width: int) -> Grid | None:
        """Divided by the root of the width."""
        root = Function("sqrt", (Number(Cell(None, exact=arb(width))),))
        return self.step("scaled", Binary("/", Leaf(grid), root), "scale", id(grid), width)

    # What there may be

    def all(self) -> Iterator[Grid]:
        """The steps that could be printed next, the likeliest first."""
        seen: set[int] = set()
        for grid in self._all():
            if grid is not None and id(grid) not in seen:
                seen.add(id(grid))
                yield grid
                if len(seen) > MOST:
                    return

    def _all(self) -> Iterator[Grid | None]:
        A, V = self.pool.of_role("A"), self.pool.of_role("V") or self.projection("V")
        if A is not None and V is not None and A.shape[0] > 1:
            yield self.surely(self.product("O", A, V))
        for place, (q, k, v) in enumerate(self.triples()):
            for step in self.head(q, k, v):
                yield self.surely(step) if place == 0 and self.is_named() else step
        for grid in list(self.pool.recent()):
            if grid.shape[0] * grid.shape[1] <= LARGE:
                yield from self.around(grid)
        bases = self.pool.bases[-6:]
        for a in bases:
            for b in bases:
                yield self.product("product", a, b)
                if a is not b and a.shape == b.shape:
                    yield self.step("sum", Binary("+", Leaf(a), Leaf(b)), "+", id(a), id(b))

    def surely(self, step: Grid | None) -> Grid | None:
        """The step, marked as one that follows from named matrices."""
        if step is not None:
            self.sure.add(id(step))
        return step

    def is_named(self) -> bool:
        """Whether the article names its queries and keys, or their weights."""
        return all(self.pool.of_role(k) or self.pool.of_role("W_" + k) for k in "QK")

    def projection(self, kind: str) -> Grid | None:
        """Q, K or V: as H times its weights, as printed, or as H itself."""
        H, W = self.pool.of_role("H") or self.input_of(kind), self.pool.of_role("W_" + kind)
        if H is not None and W is not None:
            if H.shape[1] == W.shape[0]:
                return self.surely(self.product(kind, H, W))
            if H.shape[1] == W.shape[1]:
                return self.surely(self.against(kind, H, W))
        printed = self.pool.of_role(kind)
        return printed if printed is not None and printed.shape[0] > 1 else H

    def input_of(self, kind: str) -> Grid | None:
        """A matrix without a known name that the weights can follow."""
        W = self.pool.of_role("W_" + kind)
        if W is None:
            return None
        weights = {id(self.pool.roles.get("W_" + k)) for k in "QKVO"}
        fits = [g for g in self.pool.bases if g.shape[1] == W.shape[0] and id(g) not in weights]
        return fits[0] if fits else None

    def triples(self) -> Iterator[tuple[Grid, Grid, Grid | None]]:
        """What may be queries, keys and values."""
        q, k, v = (self.projection(kind) for kind in "QKV")
        if q is not None and k is not None:
            yield q, k, v
        H = self.pool.of_role("H")
        if H is not None:
            yield H, H, v or H
        plain = [g for g in self.pool.bases[-5:] if g.shape[0] > 1]
        for place in range(len(plain) - 1):
            a, b = plain[place : place + 2]
            if a.shape[1] == b.shape[1]:
                yield a, b, plain[place + 2] if place + 2 < len(plain) else None
        for a in plain:
            yield a, a, a

    def head(self, q: Grid, k: Grid, v: Grid | None) -> Iterator[Grid | None]:
        """The steps of one head."""
        yield from (q, k, v)
        S = self.against("S", q, k)
        if S is None:
            return
        yield S
        yield self.step("K^T", Function("T", (Leaf(k),)), "T", id(k))
        scaled = self.scaled(S, q.shape[1])
        for scores in (scaled, S):
            if scores is None:
                continue
            yield scores
            yield from self.weights(scores, v)

    def weights(self, scores: Grid, v: Grid | None) -> Iterator[Grid | None]:
        """exp, row sums, softmax and output, free and causal."""
        forms = [scores]
        if scores.shape[0] == scores.shape[1] and (c := self.unary("causal", scores, "masked")):
            forms.append(c)
        yield from forms[1:]
        for form in forms:
            E = self.unary("exp", form)
            if E is None:
                continue
            A = self.unary("softmax", form)
            yield from (E, self.unary("sum", E), A)
            if A is not None and v is not None:
                yield self.product("O", A, v)

    def around(self, grid: Grid) -> Iterator[Grid | None]:
        """What one printed matrix or vector leads to."""
        for function in UNARY:
            yield self.unary(function, grid)
        for name in ("T", "tau", "τ", "temperature"):
            divisor = self.pool.named.get(name)
            if divisor is not None and divisor.shape == (1, 1) and grid.shape[0] == 1:
                made = Binary("/", Leaf(grid), Leaf(divisor))
                yield self.step("logits/T", made, "/", id(grid), id(divisor))
        if grid.shape[1] > 1:
            width = self.pool.scale_width()
            if width:
                scaled = self.scaled(grid, width)
                yield scaled
                if scaled is not None:
                    yield self.unary("softmax", scaled)


def _grid(name: str, made: Node) -> Grid | None:
    try:
        exact = value(made, "exact")
    except (Unknown, ValueError, ZeroDivisionError):
        return None
    if any(x.is_nan() for row in exact.rows for x in row):
        return None
    rows = [
        [Cell(None, exact=x, quantity=quantity(name, i, j, exact.shape)) for j, x in enumerate(row)]
        for i, row in enumerate(exact.rows)
    ]
    if not rows or not rows[0]:
        return None
    return Grid(rows, name, made, exact)


def quantity(name: str, i: int, j: int, shape: tuple[int, int]) -> str:
    """The name of an entry, from 1."""
    if shape == (1, 1):
        return name
    if shape[1] == 1:
        return f"{name}[{i + 1}]"
    return f"{name}[{i + 1}][{j + 1}]"
