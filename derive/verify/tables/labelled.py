"""Rows of one matrix behind labels, a line for each: Ann: 0.7, 0.3; or: Ann to Bob 4, to Cid 1."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from derive.verify.grammar.grids import Cell
from derive.verify.grammar.nodes import Array, Chain, Name, Node, Number, literal
from derive.verify.speech.roles import role
from derive.verify.tables.grouped import is_whole

NEAR = 60
"""Lists in one line are no further apart, in characters."""
MOST = 6
"""A label has no more words."""


@dataclass(frozen=True)
class _Line:
    """The chains of a line: its label, its numbers, and the words between these."""

    chains: tuple[Chain, ...]
    label: tuple[str, ...]
    numbers: tuple[Node, ...]
    between: tuple[str, ...]
    start: int

    def is_below(self, other: _Line) -> bool:
        """Whether two lines are rows of one matrix."""
        is_alike = len(self.numbers) == len(other.numbers) and self.between == other.between
        return is_alike and self.label != other.label


def labelled(chains: list[Chain], breaks: Sequence[int]) -> list[Chain]:
    """The chains with such rows put together; breaks: where the lines end."""
    chains = list(_bracketed(list(_named(list(_heated(chains))))))
    lines = [list(line) for _, line in groupby(chains, lambda c: bisect_left(breaks, c.start))]
    return list(_joined(lines))


def _heated(chains: list[Chain]) -> Iterator[Chain]:
    """A temperature that leads to a list, as a number before one: temperature 0.5 → [0.9, 0.1]."""
    for before, chain in pairwise((None, *chains)):
        side = before.sides[-1] if before is not None else None
        is_heated = isinstance(side, Name) and role(side.text) == "temperature"
        match chain:
            case Chain((Number() as by, Array() as row), relations=("→",)) if is_heated:
                yield Chain((by,), chain.start)
                yield Chain((row,), next(row.cells()).start)
            case Chain():
                yield chain


def _named(chains: list[Chain]) -> Iterator[Chain]:
    """Vectors of whole numbers behind names and signs: a = (1, 2), b = (0, 1); none is a size."""
    run: list[Chain] = []
    for chain in chains:
        if run and not (_is_named(chain) and _is_pair(_behind(run[-1]), _behind(chain))):
            yield from _vectors(run)
            run = []
        if _is_named(chain):
            run.append(chain)
        else:
            yield chain
    yield from _vectors(run)


def _is_named(chain: Chain) -> bool:
    is_two = len(chain.sides) == 2 and isinstance(chain.sides[0], Name)
    return is_two and bool(_round(_behind(chain)))


def _behind(chain: Chain) -> Chain:
    """The list behind a name."""
    return replace(chain, sides=chain.sides[1:])


def _vectors(run: list[Chain]) -> Iterator[Chain]:
    """Lists that cannot all be sizes, in square brackets."""
    is_size = len(run) < 2 or not any(_is_no_size(_behind(chain)) for chain in run)
    for chain in run:
        array = chain.sides[1]
        is_kept = is_size or not isinstance(array, Array)
        yield chain if is_kept else replace(chain, sides=(chain.sides[0], Array(array.parts())))


def _bracketed(chains: list[Chain]) -> Iterator[Chain]:
    """Whole numbers in round brackets right behind words as rows: Ann (1, 0), Bob (2, 3)."""
    place = 0
    while place < len(chains):
        rows, last = [chains[place]], place
        while (following := _next(chains, last)) and _is_pair(rows[-1], chains[following]):
            last = following
            rows.append(chains[last])
        if len(rows) > 1 and any(map(_is_no_size, rows)):
            yield Chain((Array(tuple(row.sides[0] for row in rows), "rows"),), rows[0].start)
            yield from (c for c in chains[place : last + 1] if c not in rows)
        else:
            yield from chains[place : last + 1]
        place = last + 1


def _next(chains: list[Chain], place: int) -> int:
    """The list behind the next word or two; 0 where there is none."""
    for following in range(place + 2, min(place + 4, len(chains))):
        between = chains[place + 1 : following]
        are_words = all(len(c.sides) == 1 and isinstance(c.sides[0], Name) for c in between)
        if are_words and _round(chains[following]):
            return following
    return 0


def _round(chain: Chain) -> list[Cell]:
    """The whole numbers of a list in round brackets that stands by itself."""
    (side,) = chain.sides if len(chain.sides) == 1 else (None,)
    if not isinstance(side, Array) or side.maker != "(":
        return []
    rows = literal(side)
    return rows[0] if rows and len(rows) == 1 and all(map(is_whole, rows[0])) else []


def _is_pair(first: Chain, second: Chain) -> bool:
    a, b = _round(first), _round(second)
    return len(a) == len(b) > 1 and 0 < second.start - first.start < NEAR


def _is_no_size(chain: Chain) -> bool:
    """Whether one of the numbers can be no size."""
    return any(cell.figure is None or cell.figure.value <= 0 for cell in _round(chain))


def _joined(lines: list[list[Chain]]) -> Iterator[Chain]:
    place = 0
    while place < len(lines):
        rows = [_line(lines[place])]
        while rows[-1] is not None and place + len(rows) < len(lines):
            following = _line(lines[place + len(rows)])
            if following is None or not following.is_below(rows[-1]):
                break
            rows.append(following)
        found = [row for row in rows if row is not None]
        if len(found) > 1 and _are_tokens([row.label for row in found]):
            yield from _matrix(found)
        else:
            yield from (chain for line in lines[place : place + len(rows)] for chain in line)
        place += len(rows)


def _are_tokens(labels: list[tuple[str, ...]]) -> bool:
    """Whether labels tell rows apart and are no names of quantities, as cat is by chance."""
    named = sum(bool(role(label[-1])) for label in labels)
    return len(set(labels)) == len(labels) and 2 * named < len(labels)


def _matrix(rows: list[_Line]) -> Iterator[Chain]:
    """The rows as one matrix, and the words that stood between."""
    words = [[c for c in row.chains if c.start < row.start] for row in rows]
    yield from words[0]
    made = Array(tuple(Array(row.numbers) for row in rows), "rows")
    yield Chain((made,), rows[0].start)
    yield from (chain for line in words[1:] for chain in line)


def _parted(chain: Chain) -> list[Chain]:
    """A word that leads to a list, as a word before one: cat → [0, 1]."""
    match chain.sides:
        case (Name() | Number() as label, Array(items, "[") as row) if (
            chain.relations == ("→",) and all(map(_is_number, items)) and literal(row)
        ):
            name = label if isinstance(label, Name) else Name(_digits(label))
            start = next(cell.start for cell in row.cells())
            return [Chain((name,), chain.start), Chain((Array(items, ","),), start)]
    return [chain]


def _line(chains: list[Chain]) -> _Line | None:
    """The row in a line of one list without brackets, or of numbers with words between."""
    is_pointed = len(parts := _parted(chains[-1])) > 1
    chains = [*chains[:-1], *parts]
    if numbered := _numbered(chains):
        return numbered
    if any(len(chain.sides) > 1 for chain in chains):
        return None
    sides = [chain.sides[0] for chain in chains]
    label: list[str] = []
    for side in sides:
        if not isinstance(side, Name):
            break
        label.append(side.text)
    rest = sides[len(label) :]
    if not 0 < len(label) <= MOST or not rest:
        return None
    start = chains[len(label)].start
    match rest:
        case (Array(items, ","),) if all(map(_is_number, items)):
            seen = chains[:-2] if is_pointed else chains  # the word names its row, and no more
            return _Line(tuple(seen), tuple(label), items, (), start)
    numbers = tuple(side for side in rest if isinstance(side, Number))
    between = tuple(side.text for side in rest if isinstance(side, Name))
    is_each = len(numbers) > 1 and len(between) >= len(numbers) - 1
    if not is_each or len(numbers) + len(between) < len(rest):
        return None
    return _Line(tuple(chains), tuple(label), numbers, between, start)


def _numbered(chains: list[Chain]) -> _Line | None:
    """The row behind words and a counting number, as in: row 2: 0.5, 0.3; or: pos = 2: 0.5, 0.3."""
    if len(chains) < 2 or len(chains[-1].sides) > 1 or len(chains) > MOST:
        return None
    *words, last = [side for chain in chains for side in chain.sides]
    *names, count = words
    is_counted = isinstance(count, Number) and is_whole(count.cell)
    match last:
        case Array(items, ",") if is_counted and names and all(map(_is_number, items)):
            if all(isinstance(name, Name) for name in names):
                label = (*(n.text for n in names if isinstance(n, Name)), _digits(count))
                return _Line(tuple(chains), label, items, (), chains[-1].start)
    return None


def _digits(count: Node) -> str:
    return count.cell.figure.text if isinstance(count, Number) and count.cell.figure else ""


def _is_number(side: Node) -> bool:
    return not isinstance(side, Array | Name)
