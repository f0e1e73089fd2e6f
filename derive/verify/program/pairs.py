"""What a program assigns and shows, in the order in which it is read among what is printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from derive.verify.grammar.nodes import Chain, Function, Name, Negative, Node, Number, literal
from derive.verify.program.lines import Statement, defined
from derive.verify.program.places import number
from derive.verify.program.scope import Scope

GIVEN = "given"
"""A name to which a program gives numbers as they stand."""
TOLD = "told"
"""A number or a list, with a name or without, in a remark or in what a program prints."""
OUTPUT = "output"
"""So is a chain marked that a program prints."""
BEGINS, PRINTS, SHOWS = ("begins",), ("prints",), ("shows",)
"""A cell or transcript begins; values are printed; the last line shows its value."""
REMARKS, ENTRY = ("remarks",), ("entry",)
"""What stands in a remark may be the value just assigned; or this number of so many entries."""


def paired(
    events: Iterable[Chain],
    found: list[Statement],
    places: list[tuple[int, int]],
    scope: Scope,
    is_output: bool = False,
) -> Iterator[Chain]:
    """The chains of a segment and its statements in order; places: from where to where they go."""
    chains = sorted(events, key=lambda chain: chain.start)
    if found or is_output:
        where = OUTPUT if is_output else "remark"
        unread = [place for place, made in zip(places, found, strict=True) if None in made.values]
        chains = [c for c in chains if not (_is_within(c, unread) and _is_of_one(c))]
        chains = [_given(c) if _is_within(c, places) else _told(c, where) for c in chains]
    if not found:
        yield from chains
        return
    starts = [start for start, _ in places]
    yield Chain((Name(scope.language),), starts[0], BEGINS)
    parts = list(_parts(chains, starts))
    yield from parts[0] if not _is_foretold(parts[0], found[0]) else ()
    known: set[str] = set()
    for place, statement, before, behind in zip(starts, found, parts, parts[1:], strict=False):
        yield from _said(place, statement)
        if _is_foretold(before, statement) and not known & set(statement.targets):
            yield from before
        known |= set(statement.targets)
        following = found[found.index(statement) + 1 :][:1]
        is_next = bool(following) and not known & set(following[0].targets)
        if not (is_next and _is_foretold(behind, following[0])):
            yield from _remarked(statement, behind)
    yield Chain((), starts[-1], REMARKS)


def _is_within(chain: Chain, places: list[tuple[int, int]]) -> bool:
    """Whether a chain is part of the program itself."""
    place = next((cell.start for cell in chain.cells() if cell.start >= 0), chain.start)
    return any(start <= place < end for start, end in places)


def _is_of_one(chain: Chain) -> bool:
    """Whether a name is given one number; where more follows that is not read, it is not that."""
    match chain.sides:
        case (Name(), Number() | Negative(Number())):
            return True
    return False


def _given(chain: Chain) -> Chain:
    """A line of a program that gives a name its numbers."""
    match chain.sides:
        case (Name(), side) if literal(side):
            return replace(chain, relations=(GIVEN, *chain.relations))
    return chain


def _told(chain: Chain, where: str) -> Chain:
    match chain.sides:
        case (Name(), side) | (side,) if literal(side):
            return replace(chain, relations=(TOLD, where, *chain.relations))
    return chain


def _parts(chains: list[Chain], places: list[int]) -> Iterator[list[Chain]]:
    """The chains before the first statement, between one and the next, and behind the last."""
    place = 0
    for start in places:
        first = place
        while place < len(chains) and chains[place].start < start:
            place += 1
        yield chains[first:place]
    yield chains[place:]


def _is_foretold(before: Sequence[Chain], statement: Statement) -> bool:
    """Whether a remark over a line says what this line assigns: y = [...]."""
    if len(statement.targets) != 1 or statement.values[:1] in ((), (None,)):
        return False
    return any(_is_told(chain, statement.targets[0]) for chain in before)


def _is_told(chain: Chain, name: str) -> bool:
    if len(chain.sides) < 2 or not literal(chain.sides[-1]):
        return False
    return [side.text for side in chain.sides if isinstance(side, Name)][-1:] == [name]


def _said(place: int, statement: Statement) -> Iterator[Chain]:
    """What a statement says of names, and what it shows."""
    for chain in defined(statement):
        yield replace(chain, start=place)
    if not statement.values:
        return
    names: tuple[Node, ...] = tuple(map(Name, statement.targets))
    shown = names if statement.is_shown else ()
    if not names and statement.is_shown:
        shown = tuple(value or Name("") for value in statement.values)
    yield Chain(shown, place, PRINTS if statement.is_print else SHOWS)
    if len(names) == 1 and not statement.is_shown:
        yield Chain(names, place, REMARKS)


def _remarked(statement: Statement, behind: list[Chain]) -> Iterator[Chain]:
    """The chains behind a statement: row 1: 3.5, row 2: 2.0 are the entries of what it assigns."""
    entries = _entries(behind) if len(statement.targets) == 1 else {}
    for chain in behind:
        place = entries.get(id(chain))
        if place is None:
            yield chain
        else:
            made = Function("at", (Name(statement.targets[0]), number(place)))
            sides = (made, chain.sides[0], number(len(entries)))
            yield replace(chain, sides=sides, relations=ENTRY)


def _entries(chains: list[Chain]) -> dict[int, int]:
    """The places of numbers that stand one by one behind their places, counted from 0 or 1."""
    numbers = [c for c in chains if len(c.sides) > 1 or not isinstance(c.sides[0], Name)]
    figures = [c.sides[0].cell.figure if isinstance(c.sides[0], Number) else None for c in numbers]
    if len(figures) < 4 or len(figures) % 2 or any(len(c.sides) > 1 for c in numbers):
        return {}
    counts = [int(f.value) if f is not None and f.is_whole else -1 for f in figures[::2]]
    if counts[0] not in (0, 1) or counts != list(range(counts[0], counts[0] + len(counts))):
        return {}
    if any(f is None or f.is_whole for f in figures[1::2]):
        return {}
    return {id(chain): place for place, chain in enumerate(numbers[1::2])}
