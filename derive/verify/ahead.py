"""What a sentence declares behind the formula that needs it is read first: W x, where W = ..."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Sequence

from derive.verify.grammar.nodes import Binary, Chain, Name, Node, literal
from derive.verify.tables.running import Steps
from derive.verify.values.formulas import names

MOST, REACH = 6, 600
"""So many chains, and characters, behind a formula are looked through."""
_END = re.compile(r"[.!?](?=[\s$*])|[。！？]|\n\s*#")
"""Where a sentence ends."""
Resolved = Callable[[Node], Node]
Event = Chain | Steps


def foretold(events: Sequence[Event], text: str, resolved: Resolved) -> Iterator[Event]:
    """What an article says, each part behind what it needs; `resolved` tells what is known then."""
    early: set[int] = set()
    for place, event in enumerate(events):
        if place in early:
            continue
        for other in declared_behind(events, place, text, resolved):
            early.add(other)
            yield events[other]
        yield event


def declared_behind(
    events: Sequence[Event], place: int, text: str, resolved: Resolved
) -> Iterator[int]:
    """The places of the declarations behind a result whose formula has names without a meaning."""
    first = events[place]
    made = _formulas(first) if isinstance(first, Chain) else []
    letters = {name for side in made for name in names(side)}
    letters |= {letter for name in letters if len(name) == 2 for letter in name}
    for other in range(place + 1, min(place + 1 + MOST, len(events))) if letters else ():
        match first, events[other]:
            case Chain(start=start), Chain(sides, start=end):
                if not 0 < end - start < REACH or _END.search(text, start, end):
                    return
                if len(sides) == 2 and _declares(sides, letters, resolved):
                    yield other


def _declares(sides: tuple[Node, ...], letters: Container[str], resolved: Resolved) -> bool:
    """Whether numbers are given to one of these letters, which means nothing yet."""
    match sides:
        case (Name(name) as side, given) if name in letters and literal(given):
            return resolved(side) is side
    return False


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
