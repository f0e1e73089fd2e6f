"""The steps that know where a token stands: sinusoids, rotations, and biases by the distance."""

from __future__ import annotations

from collections.abc import Iterator

from flint import arb

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Array, Binary, Function, Leaf, Negative, Node, Number
from derive.verify.known.roots import whole_of
from derive.verify.known.steps.made import Made, Shape, whole

BASES = (10_000, 100, 10, 1000)
TURNS = (*BASES, 500_000, 1_000_000)
"""The bases of rotations, where the article does not say it."""
WIDEST = 64
"""Encodings of so many numbers, and so many positions, are tried."""
SLOPES = ("m", "slope", "s", "λ", "lambda")
"""What the slope of a head is called."""
THETA = ("θ", "theta", "θ_0", "θ_1", "φ", "phi", "α")
"""What the angle of the first position is called."""
HEADS = 8
"""The slopes 2^-1, 2^-2 ... 2^-8 are those of eight heads."""


class Placed(Made):
    """What follows from positions."""

    def positions(self, shape: Shape) -> Iterator[Grid | None]:
        """Sinusoids in their layouts, and the input plus these; the angles of pairs."""
        n, d = shape
        if not 1 < d <= WIDEST or n > WIDEST:
            return
        for base in self.bases():
            for layout in ("interleaved", "halves"):
                for first in self.firsts(n):
                    made = self.sinusoids(n, d, base, layout, first)
                    yield made
                    yield from self.placed(shape, made)
        yield from self.placed(shape, self.pool.of_role("PE"))
        yield from self.angled(shape)
        yield from self.biases(shape)

    def placed(self, shape: Shape, places: Grid | None) -> Iterator[Grid | None]:
        """The input plus an encoding; where none has a name, the first matrix that is given."""
        named = [self.pool.of_role("H"), self.pool.of_role("embedded")]
        found = [g for g in named if g is not None] or self.pool.plain()[:1]
        for H in found if places is not None and places.shape == shape else ():
            if places is not None and H.shape == shape:
                yield self.entrywise("X", "+", H, places)

    def firsts(self, count: int) -> tuple[int, ...]:
        """The positions that an encoding of so many begins with."""
        named = self.pool.positions if count == 1 else ()
        return tuple(dict.fromkeys((*named, *((0, 1) if count > 1 or self.pool.base else (1,)))))

    def bases(self) -> list[int]:
        """The bases of the angles: as the article says, or as they are used."""
        return [self.pool.base] if self.pool.base else list(BASES)

    def sinusoids(self, n: int, d: int, base: int, layout: str, first: int) -> Grid | None:
        """The positional encoding of n positions from the first."""
        made = Function(f"sinusoids {layout}", tuple(map(whole, (n, d, base, first))))
        step = self.step("PE", made, "PE", n, d, base, layout, first)
        return self.surely(step) if self.pool.base else step

    def angles(self, shape: Shape) -> Iterator[Grid]:
        """The angles of so many pairs at the positions that the article names, or from 0 or 1."""
        n, k = shape
        named = self.pool.positions if n == 1 else ()
        for base in self.bases() if self.pool.is_rotary and max(shape) <= WIDEST else ():
            for first in dict.fromkeys((*named, 1, 0)):
                made = Function("angles", tuple(map(whole, (n, k, base, first))))
                if (step := self.step("angles", made, "angles", n, k, base, first)) is not None:
                    yield step

    def angled(self, shape: Shape) -> Iterator[Grid | None]:
        """The angles, and their sines and cosines."""
        for step in self.angles(shape):
            yield step
            yield self.unary("cos", step)
            yield self.unary("sin", step)

    def turned_pairs(self, shape: Shape) -> Iterator[Grid | None]:
        """Queries and keys turned by their positions, perhaps with a pair in each row."""
        for kind in "QK":
            grid = self.pool.of_role(kind)
            if grid is None:
                continue
            is_pairs = self.pool.is_rotary and 1 in grid.shape and 2 in shape
            is_pairs &= shape[0] * shape[1] == grid.shape[0] * grid.shape[1]
            if is_pairs or shape in (grid.shape, grid.shape[::-1]):
                yield from self.rotations(grid, f"{kind}'")

    def turns(self) -> list[int]:
        """The bases of rotations."""
        return [self.pool.base] if self.pool.base else list(TURNS)

    def rotations(self, grid: Grid, name: str = "turned") -> Iterator[Grid | None]:
        """The pairs of each row turned by its position, in each convention.

        A single vector stands at one of the positions that the article names.
        """
        count = grid.shape[0] if grid.shape[1] == 1 else grid.shape[1]
        if count % 2:
            return
        named = self.pool.positions if 1 in grid.shape else ()
        told = self.printed_turns()
        for layout in ("interleaved", "halves"):
            for first in dict.fromkeys((*named, 0, 1)):
                for base in self.turns()[: None if count > 2 else 1]:
                    made = Function(f"rotary {layout}", (Leaf(grid), whole(base), whole(first)))
                    step = self.step(name, made, "rotary", id(grid), base, layout, first)
                    yield self.surely(step) if (base, first) in told else step
        yield from self.turned_by_angles(grid, name)

    def turned_by_angles(self, grid: Grid, name: str) -> Iterator[Grid | None]:
        """A pair turned by each angle of which a cosine is printed, or that follows from θ."""
        if sorted(grid.shape) != [1, 2]:
            return
        x, y = map(Number, grid.cells())
        for key, angle in self.printed_angles():
            c, s = Function("cos", (angle,)), Function("sin", (angle,))
            turned = (
                Binary("-", Binary("*", x, c), Binary("*", y, s)),
                Binary("+", Binary("*", x, s), Binary("*", y, c)),
            )
            made = Array((Array(turned),) if grid.shape[0] == 1 else turned)
            yield self.surely(self.step(name, made, "by angle", id(grid), key))

    def printed_turns(self) -> set[tuple[int, int]]:
        """The bases and positions of the angles whose cosines stand in a table."""
        found = set()
        for grid in self.pool.grids if self.pool.is_rotary else ():
            match grid.made:
                case Function("cos", (Leaf(Grid(made=Function("angles", (_, _, base, first)))),)):
                    found.add((whole_of(base), whole_of(first)))
        return found

    def printed_angles(self) -> Iterator[tuple[object, Node]]:
        """The angles whose cosines stand in a table, and θ times the positions; with their keys."""
        theta = next((g for n in THETA if (g := self.pool.named.get(n)) is not None), None)
        if theta is not None and theta.shape == (1, 1):
            for place in dict.fromkeys((*self.pool.positions, 1, 2, 3)):
                yield (id(theta), place), Binary("*", whole(place), Leaf(theta))
        for grid in self.pool.grids:
            match grid.made:
                case Function("cos", (Leaf(angles),)) if 1 in angles.shape:
                    yield from ((id(cell), Number(cell)) for cell in angles.cells())

    def biased(self, scores: Grid) -> Iterator[Grid]:
        """Scores less a slope times the distance, where the article speaks of such a bias."""
        n, m = scores.shape
        if not self.pool.is_biased or n != m or n < 2:
            return
        for slope in self.slopes():
            bias = self.printed_bias(n, slope)
            by_slope = Binary("*", Leaf(slope), Leaf(self.distances(n)))
            made = Binary("+", Leaf(scores), bias) if bias else Binary("-", Leaf(scores), by_slope)
            step = self.step("biased", made, "biased", id(scores), id(slope), bias is None)
            if step is not None:
                yield step

    def printed_bias(self, n: int, slope: Grid) -> Node | None:
        """What is added to scores where the article prints it, or what is taken from them."""
        for sign in (-1, 1):
            step = self.bias(n, slope, sign)
            hidden = self.unary("causal", step, "bias") if step is not None else None
            for grid in (step, hidden):
                if grid is not None and any(cell.figure for cell in grid.cells()):
                    return Leaf(grid) if sign < 0 else Negative(Leaf(grid))
        return None

    def biases(self, shape: Shape) -> Iterator[Grid | None]:
        """Minus the slope times the distance, where that is added to scores; also masked."""
        n, m = shape
        for slope in self.slopes() if self.pool.is_biased and 1 < n == m <= WIDEST else ():
            step = self.bias(n, slope, -1)
            yield step
            yield None if step is None else self.unary("causal", step, "bias")

    def bias(self, n: int, slope: Grid, sign: int) -> Grid | None:
        """The slope times the distance with a sign, as it is printed by itself."""
        made: Node = Binary("*", Leaf(slope), Leaf(self.distances(n)))
        return self.step("bias", Negative(made) if sign < 0 else made, "bias", n, id(slope), sign)

    def slopes(self) -> list[Grid]:
        """The slopes that have a name, else those of eight heads."""
        halved = (self.constant(f"1/2^{k}", 1 / arb(2) ** k) for k in range(1, HEADS + 1))
        named = self.slope()
        return list(halved) if named is None else [named]

    def slope(self) -> Grid | None:
        """The slope that has a name."""
        found = [g for name in SLOPES if (g := self.pool.named.get(name)) is not None]
        return next((g for g in found if g.shape == (1, 1) and 0 < g.near[0][0] <= 1), None)

    def constant(self, key: str, x: arb) -> Grid:
        """A number that is not printed."""
        step = self.step(key, Number(Cell(None, exact=x)), "constant", key)
        assert step is not None
        return step

    def distances(self, n: int) -> Grid:
        """|i - j| for n tokens."""
        rows = [[Number(Cell(None, exact=arb(abs(i - j)))) for j in range(n)] for i in range(n)]
        step = self.step("D", Array(tuple(Array(tuple(row)) for row in rows)), "distances", n)
        assert step is not None
        return step
