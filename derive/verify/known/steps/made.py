"""Steps as expressions over known matrices, each made once and only when it is asked for."""

from __future__ import annotations

from itertools import islice

from flint import arb

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Binary, Function, Leaf, Negative, Node, Number
from derive.verify.known.pool import Pool
from derive.verify.known.roots import rounded
from derive.verify.known.steps.upright import is_printed_upright
from derive.verify.speech.roles import role
from derive.verify.values.evaluate import value
from derive.verify.values.operations import Unknown
from derive.verify.values.work import STEP, narrowed, spend

UNARY = {
    "softmax": "A", "exp": "exp", "exp less max": "E", "shares": "shares", "mean": "mean",
    "less mean": "diff",
    "squares": "sq", "var": "var", "std": "std", "layernorm": "LN", "layernorm eps": "LN",
    "layernorm sample": "LN", "sum": "Z", "max": "max", "relu": "act", "sample var": "var",
    "sample std": "std", "causal shares": "shares", "rms": "rms",
}  # fmt: skip
WEIGHING = frozenset(("softmax", "softmax columns", "exp", "exp less max", "shares"))
"""What is taken of scores once they are divided."""
MOST_KNOWN = 60_000
"""So many steps are worked out for one article; what would need more is not checked."""
PROJECTED = frozenset("Q K V W_Q W_K W_V W_O".split())
"""What is no scores, and no softmax is taken of."""
MOST_ENTRIES = 200_000
"""So many entries of steps are kept; those used longest ago are made again where they are due."""
NEARLY = 0.02
"""So far may the mean and the variance of a normalised row be from 0 and 1."""
CLOSE = 1e-9
"""Floats of equal numbers are no further apart, beside their size."""
LATEST = 600
"""So many steps are looked through for what a number may be made of."""
Shape = tuple[int, int]


class Made:
    """The steps of one article, by what they are made of."""

    def __init__(self, pool: Pool) -> None:
        """Over what is printed so far."""
        self.pool = pool
        self.known: dict[tuple[object, ...], Grid | None] = {}
        self.sure: set[int] = set()  # steps from what the article names, by identity
        self.scored: list[Grid] = []  # scores, divided or not
        self.cuts: dict[tuple[int, int, int], Grid] = {}  # columns of heads
        self.split_off: dict[tuple[int, int], dict[str, Grid]] = {}  # and what follows from them
        self.split_at = (-1, -1, -1)  # how much was known when they were made
        self.fixed: list[Grid] = []  # the steps of a problem, where one is given
        self.kept: dict[tuple[object, ...], Node] = {}  # what the keys are made of lives as long
        self.used: dict[tuple[object, ...], int] = {}  # entries, those used last at the end

    def step(self, name: str, made: Node, *key: object) -> Grid | None:
        """The matrix of an expression, made once; None where it has no value."""
        if key not in self.known:
            if len(self.known) >= MOST_KNOWN:
                return None
            self.known[key] = found = _grid(name, made)
            if found is not None and name in ("S", "scaled"):
                self.scored.append(found)
            self.kept[key] = made
            self.used[key] = 1 if found is None else found.shape[0] * found.shape[1]
        else:
            self.used[key] = self.used.pop(key, 1)
        return self.known[key]

    def forget(self) -> None:
        """Leaves the steps that were used longest ago, and of which nothing is printed."""
        over = sum(self.used.values()) - MOST_ENTRIES
        if over <= 0:
            return
        for key, count in list(self.used.items()):
            step = self.known[key]
            if over <= -MOST_ENTRIES // 2:
                break
            if step is None or not any(cell.figure for cell in step.cells()):
                del self.known[key], self.kept[key], self.used[key]
                self.sure.discard(id(step))
                over -= count
        kept = {id(step) for step in self.known.values()}
        self.scored = [step for step in self.scored if id(step) in kept]

    def latest(self) -> list[Grid]:
        """The steps that were made last, in the order in which they were made."""
        found = list(islice(reversed(self.known.values()), narrowed(LATEST)))
        return [step for step in reversed(found) if step is not None]

    def product(self, name: str, a: Grid, b: Grid) -> Grid | None:
        """a @ b."""
        if a.shape[1] != b.shape[0] or self.pool.is_unbound(b, "rows"):
            return None
        return self.step(name, Binary("@", Leaf(a), Leaf(b)), "@", id(a), id(b))

    def against(self, name: str, a: Grid, b: Grid) -> Grid | None:
        """a @ b^T."""
        if a.shape[1] != b.shape[1] or self.pool.is_unbound(b, "rows turned"):
            return None
        made = Binary("@", Leaf(a), Function("T", (Leaf(b),)))
        return self.step(name, made, "@T", id(a), id(b))

    def turned_product(self, name: str, a: Grid, b: Grid) -> Grid | None:
        """a^T @ b."""
        if a.shape[0] != b.shape[0]:
            return None
        made = Binary("@", Function("T", (Leaf(a),)), Leaf(b))
        return self.step(name, made, "T@", id(a), id(b))

    def entrywise(self, name: str, sign: str, a: Grid, b: Grid) -> Grid | None:
        """a and b under a sign, entry by entry; b may be one row for all."""
        if a.shape != b.shape and (b.shape[0] != 1 or a.shape[1] != b.shape[1]):
            return None
        return self.step(name, Binary(sign, Leaf(a), Leaf(b)), sign, id(a), id(b))

    def turned(self, name: str, a: Grid) -> Grid | None:
        """a^T."""
        return self.step(name, Function("T", (Leaf(a),)), "T", id(a))

    def unary(self, function: str, grid: Grid, name: str = "") -> Grid | None:
        """A function of a matrix, along its rows."""
        name = name or UNARY.get(function, function)
        if function in WEIGHING and self.is_barred(function, grid):
            return None
        if function in ("layernorm", "layernorm sample"):
            spread = self.unary("std" if function == "layernorm" else "sample std", grid)
            centred = self.unary("less mean", grid)
            if spread is None or centred is None:
                return None
            made: Node = Binary("/", Leaf(centred), Leaf(spread))
        elif function == "less mean" and (mean := self.unary("mean", grid)) is not None:
            made = Binary("-", Leaf(grid), Leaf(mean))
        elif function == "minus mean":
            made = Negative(Function("mean", (Leaf(grid),)))
        elif function == "mean minus log":
            made = Function("mean", (Function("minus log", (Leaf(grid),)),))
        else:
            made = Function(function, (Leaf(grid),))
        return self.step(name, made, function, id(grid))

    def is_barred(self, function: str, grid: Grid) -> bool:
        """Whether nothing is taken of a matrix of scores yet, by what the article declares."""
        if all(id(cell) in self.pool.divided for cell in grid.cells()):
            return True
        if is_raw(grid) and (self.pool.is_scaled or id(origin(grid)) in self.pool.divided):
            return True
        if function == "softmax" and is_printed_upright(self.pool, grid):
            return True
        if grid.shape[0] > 1 and role(grid.name) in PROJECTED and not function.startswith("exp"):
            return True
        if not self.pool.is_causal or function.startswith("exp"):
            return False
        if 1 < grid.shape[0] == grid.shape[1]:
            return is_scored(grid)
        return grid.shape[0] == 1 and self.is_row(grid)

    def is_row(self, grid: Grid) -> bool:
        """Whether a list is a row of square scores, before the last."""
        (row,) = grid.near
        for step in self.scored:
            if step.shape == (len(row), len(row)) and is_scored(step):
                for other in step.near[:-1]:
                    if all(
                        abs(x - y) <= CLOSE * (1 + abs(y)) for x, y in zip(row, other, strict=True)
                    ):
                        return True
        return False

    def divided(self, name: str, grid: Grid, divisor: Node, *key: object) -> Grid | None:
        """Divided by a number."""
        return self.step(name, Binary("/", Leaf(grid), divisor), "/", id(grid), *key)

    def scaled(self, grid: Grid, width: int) -> Grid | None:
        """Divided by the root of the width."""
        made = Binary("/", Leaf(grid), Function("sqrt", (whole(width),)))
        step = self.step("scaled", made, "scale", id(grid), width)
        if step is not None:
            step.rounded = rounded(self.pool, made)
        return step

    def surely(self, step: Grid | None) -> Grid | None:
        """The step, marked as one that follows from named matrices."""
        if step is not None:
            self.sure.add(id(step))
        return step


def is_raw(grid: Grid) -> bool:
    """Whether a matrix holds products of queries of two numbers and more with keys, not divided."""
    match origin(grid):
        case Binary(sign, left, Function("T", (Leaf(keys),))) if sign != "/":
            return keys.shape[1] > 1 and not _is_divided(left)
    return False


def raw_in(made: Node) -> Node | None:
    """The expression of the scores that are divided in another."""
    match made:
        case Binary("/", Leaf(scores), _) if is_raw(scores):
            return origin(scores)
    return None


def is_scored(grid: Grid) -> bool:
    """Whether a matrix holds scores, divided or not, but not masked."""
    match grid.made:
        case Binary("/", Leaf(scores), _):
            return is_scored(scores)
    return is_raw(grid)


def origin(grid: Grid) -> Node | None:
    """The expression that a matrix, or a list of its entries, comes from."""
    cell = grid.rows[0][0]
    return grid.made or (cell.origin or cell).made


def _is_divided(node: Node) -> bool:
    """Whether something is divided on the way."""
    match node:
        case Binary("/"):
            return True
        case Leaf(grid) if grid.made is not None and not grid.is_printed:
            return _is_divided(grid.made)
    return any(map(_is_divided, node.parts()))


def whole(n: int) -> Number:
    """A whole number that is not printed."""
    return Number(Cell(None, exact=arb(n)))


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
    spend(STEP + len(rows) * len(rows[0]))
    return Grid(rows, name, made, exact)


def quantity(name: str, i: int, j: int, shape: tuple[int, int]) -> str:
    """The name of an entry, from 1."""
    if shape == (1, 1):
        return name
    if shape[1] == 1:
        return f"{name}[{i + 1}]"
    return f"{name}[{i + 1}][{j + 1}]"


def is_normal(grid: Grid) -> bool:
    """Whether every row has the mean 0 and the variance 1, nearly: it is normalised already."""
    return all(
        abs(sum(row)) <= NEARLY * len(row)
        and abs(sum(x * x for x in row) - len(row)) <= NEARLY * len(row)
        for row in grid.near
    )
