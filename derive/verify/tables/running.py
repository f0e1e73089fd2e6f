"""Lines that give the same names new numbers, step by step, as a table: m = 3, d = 1.14."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import dropwhile, groupby, takewhile

from derive.verify.grammar.nodes import Array, Chain, Headed, Name, Number
from derive.verify.tables.scans import are_scan

_INDEX = re.compile(r"[_^({]*\d{1,3}[)}]*$")


@dataclass(frozen=True)
class Steps:
    """The table that some lines may make, and their chains; those that name and number them."""

    table: Headed
    chains: tuple[Chain, ...]
    labels: tuple[Chain, ...]


def running(chains: Iterable[Chain], line_of: Callable[[Chain], int]) -> Iterator[Chain | Steps]:
    """The chains, with those put together that may be the steps of a running softmax."""
    lines = [list(line) for _, line in groupby(chains, line_of)]
    place = 0
    while place < len(lines):
        heads, end = _heads(lines[place]), place + 1
        while heads and end < len(lines) and _heads(lines[end]) == heads:
            end += 1
        if end < place + 2:
            yield from lines[place]
        else:
            yield _steps(heads, lines[place:end])
        place = end


def _steps(heads: tuple[str, ...], lines: list[list[Chain]]) -> Steps:
    rows = [[chain.sides[-1] for chain in line if _is_given(chain)] for line in lines]
    table = Headed(tuple(Array(tuple(row)) for row in rows), "table", heads)
    labels = [c for line in lines for c in takewhile(lambda chain: not _is_given(chain), line)]
    return Steps(table, tuple(chain for line in lines for chain in line), tuple(labels))


def _heads(line: list[Chain]) -> tuple[str, ...]:
    """The names that are given numbers in a line, behind words, where a running sum is among."""
    given = list(dropwhile(lambda chain: not _is_given(chain), line))
    if not all(_is_given(chain) or _is_word(chain) for chain in given):
        return ()
    names = [chain.sides[0] for chain in given if _is_given(chain)]
    found = tuple(_INDEX.sub("", name.text) for name in names if isinstance(name, Name))
    return found if are_scan(found) else ()


def _is_given(chain: Chain) -> bool:
    match chain.sides:
        case (Name(), Number()):
            return True
    return False


def _is_word(chain: Chain) -> bool:
    match chain.sides:
        case (Name(),):
            return True
    return False
