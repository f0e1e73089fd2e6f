"""Matrices abreast: the first line names each of them, the lines below hold their next rows."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from derive.verify.grammar.nodes import Array, Chain, Name, literal

MOST = 8
"""No more matrices stand abreast."""


def abreast(chains: list[Chain], breaks: Sequence[int]) -> list[Chain]:
    """The chains with such rows put together; breaks: where the lines end."""
    lines = [list(line) for _, line in groupby(chains, lambda c: bisect_left(breaks, c.start))]
    return list(_joined(lines))


def _joined(lines: list[list[Chain]]) -> Iterator[Chain]:
    place = 0
    while place < len(lines):
        first, end = lines[place], place + 1
        widths = _widths(first, 2)
        if 1 < len(first) <= MOST and all(widths):
            while end < len(lines) and _widths(lines[end], 1) == widths:
                end += 1
        yield from first if end == place + 1 else _stacked(lines[place:end])
        place = end


def _stacked(lines: list[list[Chain]]) -> Iterator[Chain]:
    for column in zip(*lines, strict=True):
        made = Array(tuple(chain.sides[-1] for chain in column), "matrix")
        yield replace(column[0], sides=(*column[0].sides[:-1], made))


def _widths(line: list[Chain], sides: int) -> list[int]:
    """How long each list is, of a line of lists alone: named ones (2 sides) or bare (1)."""
    return [_width(chain) if len(chain.sides) == sides else 0 for chain in line]


def _width(chain: Chain) -> int:
    side = chain.sides[-1]
    is_named = len(chain.sides) == 1 or isinstance(chain.sides[0], Name)
    if not is_named or not isinstance(side, Array) or side.maker not in ("[", "("):
        return 0
    rows = literal(side)
    return len(rows[0]) if rows and len(rows) == 1 else 0
