"""The size of a matrix between its name and its numbers: X (3 × 2), W in R^(3×2), Q: (2, 3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from derive.verify.grammar.nodes import Array, Binary, Chain, Name, Node, Number, literal
from derive.verify.speech.roles import indexed, role

SIZE = "size"
"""The maker of what is no matrix, but the size of one."""
NEAR = 4
"""So many words, at the most, stand on either side of a size; none behind (2, 3)."""
_BY = re.compile(r"[xX](\d{1,4})")
"""The rest of a size that is written in one: 4x3."""


def sized(given: Iterable[Chain]) -> Iterator[Chain]:
    """The chains, with sizes of matrices marked, and no words between those and their names."""
    chains = list(given)
    left: set[int] = set()
    marked: dict[int, Chain] = {}
    for place, chain in enumerate(chains):
        if (shape := _shape(chain)) is None:
            continue
        reach = 0 if literal(chain.sides[0]) else NEAR
        behind = _words(chains[place + 1 : place + 1 + reach])
        end = place + 1 + len(behind)
        if end < len(chains) and shape == _matrix(chains[end]):
            cells = tuple(Number(cell) for cell in chain.sides[0].cells() if cell.figure)
            marked[place] = replace(chain, sides=(Array(cells, SIZE),))
            before = _words(chains[max(0, place - NEAR) : place][::-1])
            left |= {*range(place + 1, end), *range(place - len(before), place)}
    return (marked.get(k, chain) for k, chain in enumerate(chains) if k not in left)


def _shape(chain: Chain) -> tuple[int, int] | None:
    """The two whole numbers that stand by themselves, in whatever form."""
    if len(chain.sides) != 1 or isinstance(side := chain.sides[0], Name | Number):
        return None
    figures = [cell.figure for cell in side.cells() if cell.figure]
    found = [int(f.value) for f in figures if f.is_whole and f.value > 0]
    found += [int(by[1]) for name in _tails(side) if (by := _BY.fullmatch(name))]
    return (found[0], found[1]) if len(found) == 2 >= len(figures) else None


def _tails(side: Node) -> Iterator[str]:
    match side:
        case Binary("", Number(), Name(text)):
            yield text
    for part in side.parts():
        yield from _tails(part)


def _words(chains: Sequence[Chain]) -> Sequence[Chain]:
    """The words, of no quantity, at the beginning."""
    count = next((k for k, chain in enumerate(chains) if not _is_word(chain)), len(chains))
    return chains[:count]


def _is_word(chain: Chain) -> bool:
    match chain.sides:
        case (Name(text),):
            return not (role(text) or indexed(text))
    return False


def _matrix(chain: Chain) -> tuple[int, int] | None:
    """The shape of a matrix that is printed, perhaps behind names."""
    cells = literal(chain.sides[-1]) if chain.sides else None
    if not cells or len(cells) < 2 or not all(isinstance(s, Name) for s in chain.sides[:-1]):
        return None
    return (len(cells), len(cells[0]))
