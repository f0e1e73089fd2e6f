"""A step told by what is done to the list before it: "times W2: [..]", "+ x → [..]".

The name already stands for a matrix, and what is printed is no new value of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from derive.verify.grammar.grids import Grid
from derive.verify.grammar.nodes import Binary, Leaf, Name, Node, literal
from derive.verify.known.state import State
from derive.verify.numbers.scaling import agreement
from derive.verify.speech.operations import STEP
from derive.verify.values.evaluate import has_value, value

NEAR = 400
"""The list before is no further away, in characters."""
LEAST, TELLING, SAID = 0.5, 4, 2
"""The part of the numbers that agree, and their digits, fewer where the words name a step."""
_NAMED = re.compile(r"\S+\s*[:：]\s*$")
"""The name itself, where it heads the list."""
Sides = tuple[Node, ...]


def onward(state: State, sides: Sides) -> Sides:
    """The sides, with what was done to the list before in place of the name that it uses."""
    printed = literal(sides[1]) if len(sides) == 2 else None
    last = state.pool.grids[-1] if state.pool.grids else None
    if last is None or not printed or not isinstance(sides[0], Name):
        return sides
    own, grid = state.pool.lookup(sides[0].text), Grid(printed)
    if own is None or not 0 < _start(grid) - _start(last) <= NEAR or own is last:
        return sides
    tail = re.split(r"[\n.;:。；：]\s*", _NAMED.sub("", state.words))[-1]
    is_said = bool(STEP.search(tail))
    if own.shape == grid.shape and not (is_said and agreement(grid, Leaf(own))[0] < LEAST):
        return sides  # another value of the name, or the same
    enough = SAID if is_said else TELLING
    for made in _made(state, last, own, grid.shape):
        share, digits = agreement(grid, made) if has_value(made) else (0.0, 0)
        if share >= LEAST and digits >= enough:
            return made, sides[1]
    return sides


def _made(state: State, last: Grid, own: Grid, shape: tuple[int, int]) -> Iterator[Node]:
    """What a matrix may do to the list before, with every bias."""
    before, name = Leaf(last), Leaf(own)
    products = [
        product
        for product in (Binary("", before, name), Binary("", name, before))
        if has_value(product) and value(product, "exact").shape == shape
    ]
    yield from products
    for bias in state.pool.recent():
        if bias.shape[0] == 1 and not bias.made:
            yield from (Binary("+", product, Leaf(bias)) for product in products)
    if last.shape == own.shape:
        yield from (Binary(sign, before, name) for sign in "+-*")
        yield Binary("-", name, before)


def _start(grid: Grid) -> int:
    return next((cell.start for cell in grid.cells() if cell.start >= 0), -NEAR)
