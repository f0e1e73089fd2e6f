"""The steps that could follow from what is printed: a head, a softmax, a normalisation ...

Each is an expression over known matrices.  They are made when they are asked for, once each.
"""

from __future__ import annotations

from collections.abc import Iterator

from derive.verify.grammar.grids import Grid
from derive.verify.grammar.nodes import Binary, Function, Leaf, Node
from derive.verify.known.agreement import is_tainted
from derive.verify.known.heated import heated
from derive.verify.known.pool import Pool
from derive.verify.known.roots import rounded
from derive.verify.known.steps.head import Triple
from derive.verify.known.steps.layers import Layers
from derive.verify.known.steps.made import UNARY, Shape, quantity
from derive.verify.known.steps.split import Splits
from derive.verify.speech.roles import role
from derive.verify.speech.temperatures import NAMES
from derive.verify.values.work import spend

__all__ = ["Steps", "quantity"]

LARGE = 4096
"""Matrices with more entries than this are matched by name alone."""
MOST = 250
"""So many steps are tried for one printed matrix."""
DIVIDED = frozenset(("scaled", "masked", "A", "O"))
"""What is not divided by a root again."""
EXPONENTIALS = frozenset(("E", "exp", "e", "exps"))
"""Names of exponentials, which are summed up next."""
MOST_LAYERS = 1500
"""So many of its own shape besides."""


class Lazy:
    """What an iterator gives, each once asked for."""

    def __init__(self, source: Iterator[Grid]) -> None:
        """Nothing asked for yet."""
        self.source, self.known = source, list[Grid]()

    def __iter__(self) -> Iterator[Grid]:
        place = 0
        while True:
            while place < len(self.known):
                yield self.known[place]
                place += 1
            found = next(self.source, None)
            if found is None:
                return
            self.known.append(found)


class Steps(Splits, Layers):
    """The steps of one article."""

    def __init__(self, pool: Pool) -> None:
        """Over what is printed so far."""
        super().__init__(pool)
        self.listed: dict[tuple[object, ...], Lazy] = {}

    def all(self, shape: Shape | None = None) -> Lazy:
        """The steps that could be printed next, the likeliest first; more of a given shape."""
        pool = self.pool
        key = (shape, len(pool.grids), len(pool.named), len(pool.figures), len(pool.bases))
        if key not in self.listed:
            if all(k[1:] != key[1:] for k in self.listed):
                self.forget()
            self.listed = {k: v for k, v in self.listed.items() if k[1:] == key[1:]}
            self.listed[key] = Lazy(self.found(shape))
        return self.listed[key]

    def found(self, shape: Shape | None) -> Iterator[Grid]:
        """The same, one by one."""
        seen: set[int] = set()
        for grid in self.near_steps():
            if grid is not None and id(grid) not in seen:
                seen.add(id(grid))
                spend(1)
                yield grid
                if len(seen) > MOST:
                    break
        if shape is None or shape == (1, 1) or self.fixed:
            return
        for count, grid in enumerate(self.layers(shape)):
            if grid is not None and id(grid) not in seen:
                seen.add(id(grid))
                spend(1)
                yield grid
            if count > MOST_LAYERS:
                return

    def near_steps(self) -> Iterator[Grid | None]:
        """The steps of heads, and what the last matrices lead to."""
        if self.fixed:
            yield from self.fixed
            for grid in list(self.pool.recent()):
                yield from self.around(grid)
            return
        recent = [g for g in self.pool.recent() if g.shape[0] * g.shape[1] <= LARGE]
        yield from self.of_heads()
        yield from self.of_splits()
        yield from self.of_triples(recent)
        yield from self.several()
        for grid in recent:
            yield from self.around(grid)
        yield from self.of_bases()

    def of_heads(self) -> Iterator[Grid | None]:
        """What follows from printed weights and values, and from the heads told apart."""
        A, V = self.pool.of_role("A"), self.pool.of_role("V") or self.projection("V")
        if A is not None and V is not None:
            made = self.product("O", A, V)
            yield made if self.pool.is_stacked else self.surely(made)  # weights of one head
            yield from self.weighted(A, V) if self.pool.is_stacked else ()
        yield from self.of_one_token()
        for head in self.pool.heads():
            for triple in self.triples(head):
                yield from map(self.surely, self.head(triple))
        if self.pool.heads():
            yield from self.several()

    def of_one_token(self, kinds: str = "KV") -> Iterator[Grid | None]:
        """The key and value of a token that comes to a cache of the others."""
        H = self.pool.of_role("H")
        for kind in kinds if H is not None and H.shape[0] == 1 else "":
            cache = self.pool.of_role(kind)
            if cache is not None and cache.shape[0] > 1:
                yield from self.projected(kind)

    def of_triples(self, recent: list[Grid]) -> Iterator[Grid | None]:
        """What follows from all that may be queries, keys and values."""
        for place, triple in enumerate(self.triples()):
            for step in self.head(triple):
                yield self.surely(step) if place == 0 and self.is_named() else step
            if place == 0:
                for grid in recent[:2]:
                    yield from self.around(grid)

    def of_bases(self) -> Iterator[Grid | None]:
        """Products and sums of two given matrices; one and lists below each other are added."""
        bases = self.pool.bases[-6:]
        stacks = list(self.pool.stacks())
        for below in stacks:
            for a in (*bases, *self.pool.recent(), *stacks):
                if a is not below and a.shape == below.shape:
                    yield self.entrywise("X", "+", a, below)
        for a in bases:
            for b in bases:
                yield self.product("product", a, b)
                if a is not b and a.shape == b.shape:
                    yield self.step("sum", Binary("+", Leaf(a), Leaf(b)), "+", id(a), id(b))

    def ways(self, made: Node) -> Iterator[Node]:
        """The same by what may be printed on the way: exponentials and sums, means and spreads."""
        if (by_root := rounded(self.pool, made)) is not None:
            yield by_root
        if is_tainted(made):
            yield unrounded(made)
        match made:
            case Function("softmax", (Leaf(scores),)):
                E = self.unary("exp", scores)
                Z = self.unary("sum", E) if E is not None else None
                if E is not None and Z is not None:
                    yield Binary("/", Leaf(E), Leaf(Z))
            case Function(name, (Leaf(x),)) if name.startswith("layernorm"):
                mean, std = self.unary("mean", x), self.unary("std", x)
                if mean is not None and std is not None:
                    yield Binary("/", Binary("-", Leaf(x), Leaf(mean)), Leaf(std))
            case Function("std", (Leaf(x),)) if (var := self.unary("var", x)) is not None:
                yield Function("sqrt", (Leaf(var),))
            case Function("var", (Leaf(x),)) if (centred := self.unary("less mean", x)) is not None:
                yield Function("mean", (Function("squares", (Leaf(centred),)),))

    def of_scores(self, grid: Grid) -> Iterator[Grid | None]:
        """What given scores lead to as masks leave them, and all with biases."""
        triple = Triple(grid, grid, self.pool.of_role("V"))
        if 1 < grid.shape[0] == grid.shape[1] and grid.made is None:
            yield from self.weights(grid, triple)
        for step in self.biased(grid):
            found = (step, *self.weights(step, triple))
            yield from map(self.surely, found) if self.slope() and grid.name else found

    @property
    def logits_names(self) -> frozenset[str]:
        """The names under which an article prints what a softmax is taken of."""
        return frozenset(n for n in self.pool.named if role(n) in ("logits", "scaled", "masked"))

    def of_columns(self, grid: Grid) -> Grid | None:
        """The softmax of each column of square scores, where tokens are columns."""
        is_square = 1 < grid.shape[0] == grid.shape[1]
        return self.unary("softmax columns", grid, "A") if is_square and self.is_columns() else None

    def around(self, grid: Grid) -> Iterator[Grid | None]:
        """What one printed matrix or vector leads to."""
        yield from (self.deviation(grid), self.guarded(grid)) if grid.shape[1] > 1 else ()
        is_hidden = grid.shape in self.pool.masked and all(c.figure for c in grid.cells())
        for function in [f for f in UNARY if not (self.pool.is_population and "m sample" in f)]:
            if not (function == "softmax" and is_hidden):
                step = self.unary(function, grid)
                is_next = function in ("softmax", "exp") and grid.name in self.logits_names
                is_measure = function in ("mean", "var", "std", "rms")
                is_next |= is_measure and grid is self.pool.of_role("H")
                is_next |= function == "sum" and grid.name in EXPONENTIALS and is_exp(grid)
                yield self.surely(step) if is_next else step
        yield self.of_columns(grid)
        if grid is self.pool.summed:
            shares = Function("shares", (Leaf(grid),))
            yield self.surely(self.step("A", shares, "shares of summed", id(grid)))
        if role(grid.name) in ("S", "scaled", ""):
            yield from self.of_scores(grid)
        for name in NAMES:
            divisor = self.pool.named.get(name)
            if divisor is not None and divisor.shape[1] == grid.shape[0] == 1:
                made = heated(grid, Leaf(divisor))
                step = self.step("logits/T", made, "logits/T", id(grid), id(divisor))
                yield self.surely(step) if role(grid.name) == "logits" else step
        if grid.shape[1] > 1 and role(grid.name) not in DIVIDED:
            width = self.pool.scale_width()
            if width:
                scaled = self.scaled(grid, width)
                yield scaled
                if scaled is not None and scaled.shape not in self.pool.masked:
                    yield self.unary("softmax", scaled)


def is_exp(grid: Grid) -> bool:
    """Whether a matrix holds exponentials."""
    return isinstance(grid.made, Function) and grid.made.name in ("exp", "exp less max")


def unrounded(made: Node) -> Node:
    """An expression over what its matrices are made from, in place of what is printed for them."""
    match made:
        case Leaf(grid) if grid.made is not None:
            return grid.made
        case Binary(sign, left, right):
            return Binary(sign, unrounded(left), unrounded(right))
        case Function(name, arguments):
            return Function(name, tuple(map(unrounded, arguments)))
    return made
