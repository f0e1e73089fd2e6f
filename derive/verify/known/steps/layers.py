"""The steps around attention: sums, normalisations, feed-forward, positions, losses, gradients.

They are made for one shape at a time, that of what is printed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Binary, Function, Leaf, Node, Number
from derive.verify.known.steps.made import Shape, is_normal
from derive.verify.known.steps.places import Placed
from derive.verify.values.work import narrowed

ACTIVATIONS = ("relu", "gelu", "gelu tanh", "silu", "sigmoid", "tanh")
NORMS = (
    "layernorm", "layernorm eps", "layernorm sample", "layernorm eps 6", "layernorm eps 12",
    "rmsnorm", "rmsnorm eps",
)  # fmt: skip
ENTRYWISE = (*ACTIVATIONS, "exp", "squares", "log", "minus log", "less mean", "exp less max")
ROWWISE = ("softmax", "shares", "log softmax", "causal", "causal shares")
SUMS = (
    "sum",
    "mean",
    "var",
    "std",
    "sample var",
    "sample std",
    "max",
    "rms",
    "entropy",
    "entropy bits",
)
INPUTS = ("H", "LN", "residual", "O")
"""What goes into a feed-forward layer."""
RECENT = 8
"""So many of the last matrices are tried in pairs."""


class Layers(Placed):
    """What one or two known matrices lead to."""

    def layers(self, shape: Shape) -> Iterator[Grid | None]:
        """The steps of one shape."""
        near = self.near()
        yield from self.backward(shape)
        yield from self.feed_forward()
        yield from self.alone(near, shape)
        yield from self.normalised(near, shape)
        yield from self.sums(near, shape)
        yield from self.affine(near, shape)
        yield from self.cosines(near, shape)
        yield from self.positions(shape)

    def near(self) -> list[Grid]:
        """The last matrices and what has a name, each once, the latest first."""
        found = [*self.pool.recent(), *self.pool.roles.values()]
        once = {id(g): g for g in found if max(g.shape) <= 64}
        return list(once.values())[: narrowed(2 * RECENT)]

    def alone(self, near: list[Grid], shape: Shape) -> Iterator[Grid | None]:
        """Functions of one matrix."""
        for grid in near:
            if grid.shape == shape:
                is_hidden = shape in self.pool.masked and all(c.figure for c in grid.cells())
                for function in (*ENTRYWISE, *ROWWISE[is_hidden:]):
                    yield self.unary(function, grid)
            if grid.shape[0] in shape and 1 in shape and grid.shape[1] > 1:
                yield self.deviation(grid)
                for function in SUMS:
                    yield self.unary(function, grid)
            if grid.shape[1] in shape and 1 in shape and grid.shape[0] > 1:
                yield self.unary("column sums", grid)
                yield self.unary("column means", grid)
            if grid.shape[::-1] == shape != grid.shape:
                yield self.turned("T", grid)

    def deviation(self, grid: Grid) -> Grid | None:
        """The root of the variance and of the small number that the article declares."""
        eps, var = self.pool.number("eps"), self.unary("var", grid)
        if eps is None or var is None or is_normal(grid):
            return None
        made = Function("sqrt", (Binary("+", Leaf(var), Leaf(eps)),))
        return self.step("std", made, "std given", id(grid), id(eps))

    def cosines(self, near: list[Grid], shape: Shape) -> Iterator[Grid | None]:
        """The cosines between the rows of one matrix, or of two."""
        rows = [g for g in near if g.shape[0] in shape and g.shape[1] > 1 and shape[1] > 1]
        for a in rows:
            if (a.shape[0], a.shape[0]) == shape:
                yield self.unary("cosines", a)
            for b in rows:
                if a is not b and a.shape[1] == b.shape[1] and (a.shape[0], b.shape[0]) == shape:
                    made = Function("cosines", (Leaf(a), Leaf(b)))
                    yield self.step("cosines", made, "cosines", id(a), id(b))

    def divided_by(self, shape: Shape) -> Iterator[Grid | None]:
        """Vectors divided by one of the last numbers, such as a temperature."""
        for grid in (g for g in self.near() if g.shape == shape and 1 in shape):
            for figure in self.pool.last_numbers():
                if figure.value > 0 and figure.value != 1:
                    divisor = Number(Cell(figure, exact=figure.ball))
                    step = self.divided("scaled", grid, divisor, "by", figure.value)
                    yield step
                    if step is not None:
                        yield self.unary("softmax", step)

    def normalised(self, near: list[Grid], shape: Shape) -> Iterator[Grid | None]:
        """LayerNorm and RMSNorm of a matrix or of a sum of two, with gamma and beta."""
        for grid in (g for g in near if g.shape == shape):
            yield from self.norms(grid)
            if all(cell.made is not None or cell.origin is not None for cell in grid.cells()):
                yield from self.fitted(grid)
        sized = [g for g in near if g.shape == shape][:6]
        for a in sized:
            for b in sized:
                if a is not b and (total := self.entrywise("residual", "+", a, b)) is not None:
                    yield from self.norms(total)

    def norms(self, grid: Grid, kind: str = "") -> Iterator[Grid | None]:
        """Each convention of a normalisation, or of one kind: layernorm, rmsnorm; with gains.

        None of what was normalised before, which is that again.
        """
        if grid.made is not None and is_normal(grid):
            return
        for plain in self.plain_norms(grid, kind):
            if plain is not None:
                yield plain
                yield from self.fitted(plain)

    def plain_norms(self, grid: Grid, kind: str) -> Iterator[Grid | None]:
        """The same without gamma and beta."""
        if kind != "rmsnorm":
            yield self.guarded(grid)
        for function in NORMS:
            is_barred = self.pool.is_population and "sample" in function
            if function.startswith(kind) and not is_barred:
                yield self.unary(function, grid, "LN")
        spread, centred = self.pool.number("std"), self.unary("less mean", grid)
        if kind != "rmsnorm" and spread and spread.made is not None and centred is not None:
            made = Binary("/", Leaf(centred), Leaf(spread))
            yield self.step("LN", made, "LN spread", id(grid), id(spread))

    def guarded(self, grid: Grid) -> Grid | None:
        """LayerNorm with the small number that the article declares under the root."""
        eps = self.pool.number("eps")
        if eps is None or is_normal(grid):
            return None
        made = Function("layernorm given", (Leaf(grid), Leaf(eps)))
        return self.step("LN", made, "LN given", id(grid), id(eps))

    def fitted(self, plain: Grid) -> Iterator[Grid | None]:
        """gamma times what is normalised, plus beta."""
        gamma, beta = self.pool.of_role("gamma"), self.pool.of_role("beta")
        if gamma is None and beta is None:
            yield from self.gained(plain)
        made: Node = Leaf(plain)
        if gamma is not None and _is_row_of(gamma, plain):
            made = Binary("*", made, Leaf(gamma))
        if beta is not None and _is_row_of(beta, plain):
            made = Binary("+", made, Leaf(beta))
        if not isinstance(made, Leaf):
            yield self.step("LN", made, "fitted", id(plain), id(gamma), id(beta))

    def gained(self, plain: Grid) -> Iterator[Grid | None]:
        """A gain and a shift that bear other names: the last two lists, each as long as a row.

        A gain alone, where nothing is taken away before.
        """
        given = [g for g in self.pool.bases[-4:] if g.shape == (1, plain.shape[1])]
        for gain in given if is_by_root(plain) else ():
            made: Node = Binary("*", Leaf(plain), Leaf(gain))
            yield self.step("LN", made, "fitted", id(plain), id(gain))
        for gain, shift in pairwise(given):
            made = Binary("+", Binary("*", Leaf(plain), Leaf(gain)), Leaf(shift))
            yield self.step("LN", made, "fitted", id(plain), id(gain), id(shift))

    def sums(self, near: list[Grid], shape: Shape) -> Iterator[Grid | None]:
        """Sums, differences and products entry by entry; parts beside each other; means."""
        sized = [g for g in near if g.shape == shape]
        rows = [g for g in near if g.shape == (1, shape[1])] if shape[0] > 1 else []
        for place, a in enumerate(sized):
            for b in sized[place + 1 :]:
                yield self.entrywise("residual", "+", a, b)
                yield self.entrywise("difference", "-", a, b)
                yield self.entrywise("difference", "-", b, a)
                yield self.entrywise("product", "*", a, b)
            for b in rows:
                yield self.entrywise("sum", "+", a, b)
                yield self.entrywise("product", "*", a, b)
        for a in near:
            for b in near:
                if a.shape[0] == b.shape[0] == shape[0] and a.shape[1] + b.shape[1] == shape[1]:
                    yield self.beside("concat", a, b)

    def beside(self, name: str, *parts: Grid) -> Grid | None:
        """Matrices side by side."""
        made = Function("beside", tuple(map(Leaf, parts)))
        return self.step(name, made, "beside", *map(id, parts))

    def affine(self, near: list[Grid], shape: Shape) -> Iterator[Grid | None]:
        """Products, with a bias of their width, and what an activation makes of them."""
        named = [g for kind, g in self.pool.roles.items() if kind[:2] == "b_"]
        given = [g for g in self.pool.bases[-3:] if g.shape[0] == 1]
        biases = [g for g in (*named, *given) if g.shape in ((1, shape[1]), (shape[0], 1))]
        for a in near:
            for b in near:
                for step in self.products(a, b, shape):
                    if step is None:
                        continue
                    yield step
                    for c in biases:
                        if c is a or c is b:
                            continue
                        made = self.entrywise("hidden", "+", step, c)
                        yield made
                        if made is not None:
                            yield self.unary("relu", made, "act")
                    yield self.unary("relu", step, "act")

    def feed_forward(self) -> Iterator[Grid | None]:
        """x W_1 + b_1, its activation, and times W_2 plus b_2, of what has these names."""
        W = self.pool.of_role("W_1")
        for kind in INPUTS if W is not None else ():
            x = self.pool.of_role(kind)
            if x is not None and W is not None:
                first = self.surely(self.layer("hidden", x, W, self.pool.of_role("b_1")))
                yield first
                yield from self.activated(first)
        yield self.surely(self.second(self.pool.of_role("act")))

    def activated(self, first: Grid | None) -> Iterator[Grid | None]:
        """Each activation of a hidden layer, and the second layer of it."""
        for name in ACTIVATIONS if first is not None else ():
            if first is not None:
                made = self.unary(name, first, "act")
                yield made
                yield self.second(made)

    def second(self, act: Grid | None) -> Grid | None:
        """What the second layer makes of an activation."""
        W = self.pool.of_role("W_2")
        if act is None or W is None:
            return None
        return self.layer("F", act, W, self.pool.of_role("b_2"))

    def layer(self, name: str, x: Grid, W: Grid, b: Grid | None) -> Grid | None:
        """x W + b, or x W^T + b where only that fits."""
        made = self.product(name, x, W) or self.against(name, x, W)
        return made if made is None or b is None else self.entrywise(name, "+", made, b)

    def products(self, a: Grid, b: Grid, shape: Shape) -> Iterator[Grid | None]:
        """a b, a b^T and a^T b where they have the shape."""
        (r, s), (t, u) = a.shape, b.shape
        if s == t and (r, u) == shape:
            yield self.product("product", a, b)
        if s == u and (r, t) == shape:
            yield self.against("product", a, b)
        if r == t and (s, u) == shape and r > 1:
            yield self.turned_product("product", a, b)
        is_last = a in self.pool.grids[-3:] or b in self.pool.grids[-3:]
        if is_last and r == t == 1 and u == shape[1] and shape[0] in (1, s):
            yield self.turned_product("outer", a, b)

    def backward(self, shape: Shape) -> Iterator[Grid | None]:
        """What the rules of gradients give from what is named as one."""
        pool = self.pool
        yield from self.turned_pairs(shape)
        A, V, dO = pool.of_role("A"), pool.of_role("V"), pool.of_role("dO")
        if A is not None and dO is not None:
            yield self.turned_product("dV", A, dO)
        if V is not None and dO is not None:
            yield self.against("dA", dO, V)
        dA = pool.of_role("dA")
        if A is not None and dA is not None:
            yield self.step(
                "dscaled", Function("softmax back", (Leaf(A), Leaf(dA))), "back", id(A), id(dA)
            )
        if shape[0] == shape[1]:
            for grid in self.near():
                if shape[0] in grid.shape and 1 in grid.shape:
                    yield self.unary("jacobian", grid)


def _is_row_of(row: Grid, grid: Grid) -> bool:
    return row.shape in ((1, grid.shape[1]), (1, 1), grid.shape)


def is_by_root(step: Grid) -> bool:
    """Whether a step is divided by its root mean square."""
    return isinstance(step.made, Function) and step.made.name.startswith("rmsnorm")
