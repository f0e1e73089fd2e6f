"""Lines of one number, two, three ... as the rows of a lower triangle: what masks leave over."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, takewhile

from derive.verify.grammar.grids import Cell
from derive.verify.grammar.nodes import Array, Chain, Node, Number

LEAST, TALLEST = 3, 64
"""A triangle has so many rows at the least, and at the most."""
Line = list[Chain]


def ragged(chains: list[Chain], breaks: Sequence[int]) -> Iterator[Chain]:
    """The chains with the lines of triangles put together; breaks: where the lines end."""
    lines = [list(line) for _, line in groupby(chains, lambda c: bisect_left(breaks, c.start))]
    sizes = [len(_shares(line)) for line in lines]
    place = 0
    while place < len(lines):
        count = _height(sizes[place : place + TALLEST])
        if count >= LEAST:
            yield from _triangle(lines[place : place + count])
        else:
            count = 1
            yield from lines[place]
        place += count


def _height(sizes: Iterable[int]) -> int:
    """How many lines hold one number, two, three and so on."""
    return sum(1 for _ in takewhile(lambda pair: pair[1] == pair[0], enumerate(sizes, 1)))


def _triangle(lines: list[Line]) -> Iterator[Chain]:
    """The words of the first line, the numbers of all as one matrix, and the words of the rest."""
    shares = [_shares(line) for line in lines]
    start = next(chain.start for chain in lines[0] if _numbers(chain))
    rows = [
        Array((*row, *(Number(Cell(None)) for _ in range(len(lines) - len(row))))) for row in shares
    ]
    yield from (c for c in lines[0] if not _numbers(c))
    yield Chain((Array(tuple(rows), "rows"),), start)
    yield from (c for line in lines[1:] for c in line if not _numbers(c))


def _shares(line: Line) -> list[Number]:
    """The numbers of a line that holds no others, and nothing that is worked out."""
    found = [_numbers(chain) for chain in line]
    is_plain = all(len(chain.sides) == 1 for chain in line)
    others = any(
        not numbers and any(chain.cells()) for numbers, chain in zip(found, line, strict=True)
    )
    return [] if others or not is_plain else [n for numbers in found for n in numbers]


def _numbers(chain: Chain) -> list[Number]:
    """The numbers with points, or of hundredths, that a chain is."""
    parts: Sequence[Node] = chain.sides[:1]
    if isinstance(parts[0], Array) and parts[0].maker == ",":
        parts = parts[0].items
    numbers = [part for part in parts if isinstance(part, Number) and _is_share(part.cell)]
    return numbers if len(numbers) == len(parts) else []


def _is_share(cell: Cell) -> bool:
    figure = cell.figure
    return figure is not None and (not figure.is_whole or figure.text[-1:] in "%％٪")
