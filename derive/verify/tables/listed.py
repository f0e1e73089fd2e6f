"""Numbers behind the labels of pairs, a line for each, as one matrix: the → fox: 0.71."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import groupby

from derive.verify.grammar.nodes import Array, Chain, Name, Node, Number
from derive.verify.tables.pairs import pairs

MOST = 8
"""A label has no more words."""


def listed(chains: list[Chain], breaks: Sequence[int]) -> list[Chain]:
    """The chains with such numbers put together; breaks: where the lines end."""
    lines = [list(line) for _, line in groupby(chains, lambda c: bisect_left(breaks, c.start))]
    made: list[Chain] = []
    for is_row, run in groupby(lines, lambda line: bool(_label(line))):
        block = list(run)
        made.extend(_matrix(block) if is_row else (c for line in block for c in line))
    return made


def _matrix(lines: list[list[Chain]]) -> Iterator[Chain]:
    """The numbers of such lines as a matrix, where their labels are all the pairs of two lists."""
    places = pairs([_label(line) for line in lines])
    rows = max((i for i, _ in places), default=-1) + 1
    if rows < 2 or len(places) % rows:
        yield from (chain for line in lines for chain in line)
        return
    numbers = [line[-1].sides[-1] for line in lines]
    width = len(numbers) // rows
    items = [Array(tuple(numbers[k : k + width])) for k in range(0, len(numbers), width)]
    yield from lines[0][:-1]
    yield Chain((Array(tuple(items), "rows"),), lines[0][-1].start)


def _label(line: list[Chain]) -> str:
    """The words before the number with which a line ends; "" where it is no such line."""
    last = line[-1].sides[-1]
    words = [side for chain in line[:-1] for side in chain.sides]
    if len(line[-1].sides) > 1 or not isinstance(last, Number) or not 1 < len(words) <= MOST:
        return ""
    return " ".join(filter(None, map(_text, words))) if all(map(_text, words)) else ""


def _text(side: Node) -> str:
    """A word or a counting number of a label."""
    match side:
        case Name(text):
            return text
        case Number(cell) if cell.figure is not None and cell.figure.is_whole:
            return cell.figure.text
    return ""
