"""Numbers below each other, one in each line, that are all of a block: a column."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from derive.verify.grammar.nodes import Array, Chain, Number


def below(chains: list[Chain], breaks: Sequence[int]) -> list[Chain]:
    """The chains of a block as one column, where nothing but such numbers stands in it."""
    numbers = [c.sides[0] for c in chains if len(c.sides) == 1 and isinstance(c.sides[0], Number)]
    lines = [bisect_left(breaks, chain.start) for chain in chains]
    is_column = len(numbers) == len(chains) > 1 and len(set(lines)) == len(lines)
    if not is_column or not any(n.cell.figure and not n.cell.figure.is_whole for n in numbers):
        return chains
    column = Array(tuple(Array((number,)) for number in numbers), "rows")
    return [replace(chains[0], sides=(column,))]
