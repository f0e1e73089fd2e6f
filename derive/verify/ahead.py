"""What a sentence declares behind the formula that needs it is read first: y = W x, where W = ..."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from derive.verify.grammar.nodes import Binary, Chain, Name, Node, literal
from derive.verify.values.formulas import names

MOST, REACH = 6, 600
"""So many chains, and characters, behind a formula are looked through."""
_END = re.compile(r"[.!?](?=[\s$*])|[。！？]|\n\s*#")
"""Where a sentence ends."""
Resolved = Callable[[Node], Node]


def foretold(chains: Sequence[Chain], text: str, resolved: Resolved) -> Iterator[Chain]:
    """The chains, each behind what it needs; `resolved` tells what is known by then."""
    early: set[int] = set()
    for place, chain in enumerate(chains):
        if place in early:
            continue
        for other in declared_behind(chains, place, text, resolved):
            early.add(other)
            yield chains[other]
        yield chain


def declared_behind(
    chains: Sequence[Chain], place: int, text: str, resolved: Resolved
) -> Iterator[int]:
    """The places of the declarations behind a result whose formula has names without a meaning."""
    made = _formulas(chains[place])
    letters = {name for side in made for name in names(side)}
    letters |= {letter for name in letters if len(name) == 2 for letter in name}
    for other in range(place + 1, min(place + 1 + MOST, len(chains))) if letters else ():
        chain, start = chains[other], chains[place].start
        if not 0 < chain.start - start < REACH or _END.search(text, start, chain.start):
            return
        match chain.sides:
            case (Name(name) as side, given) if literal(given) and name in letters:
                if resolved(side) is side:
                    yield other


def _formulas(chain: Chain) -> list[Node]:
    """The formulas before a printed result; the square of a letter is what it is called by."""
    if not chain.sides or not literal(chain.sides[-1]):
        return []
    return [x for x in chain.sides if not (_is_called(x) or literal(x))]


def _is_called(side: Node) -> bool:
    match side:
        case Name() | Binary("^", Name()):
            return True
    return False
