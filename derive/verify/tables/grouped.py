"""Lists of one length, each on a line of its own, as one matrix."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from derive.verify.grammar.grids import Cell
from derive.verify.grammar.nodes import (
    Array,
    Binary,
    Chain,
    Name,
    Negative,
    Node,
    Number,
    literal,
)
from derive.verify.speech.headings import step
from derive.verify.speech.measures import EACH
from derive.verify.speech.roles import FOLLOWS, indexed, role
from derive.verify.tables.led import is_led

NEAR = 60
"""Lists that are rows of one matrix are no further apart."""
SHORT = 3
"""A name with more letters is a word."""
APART = 24
"""What stands so near before a name is of the same line: Output = weights V."""
CLOSE = 40
"""So near is a list to the first row of its matrix, behind a name and a relation."""


@dataclass
class _Block:
    """Rows gathered so far, the words since the last, and whether words stand between them."""

    before: list[Chain] = field(default_factory=list)  # the words before the first row
    last: int = -NEAR  # where what stands before these begins
    rows: list[Chain] = field(default_factory=list)
    words: list[Chain] = field(default_factory=list)
    said: list[tuple[str, ...]] = field(default_factory=list)  # the words right before each row
    is_labelled: bool | None = None

    def takes(self, chain: Chain) -> bool:
        """Whether a chain is the next row, parted from the last as the rows before were."""
        if not self.rows or not _is_row(chain) or not _follows(self.rows[-1], chain, self.is_tied):
            return False
        if any(_is_quantity(word) for word in self.words):
            return False
        if self.said and self.is_apart(chain):
            return False
        if is_led(_list_of(self.rows[-1]) or [], _list_of(chain) or []):
            return False
        return self.is_labelled in (None, bool(self.words)) and not (self.is_tied and self.words)

    def is_apart(self, chain: Chain) -> bool:
        """Whether more words stand before a list than before: the first tells of another matrix.

        By its name with a number, or as other places stand behind the points.
        """
        since = self.words[sum(map(len, self.said)) :]
        before = len(self.said[-1]) if len(self.said) > 1 else len(since)
        if len(since) <= before:
            return False
        is_named = any(indexed(_spelt(word)) for word in since[: len(since) - before])
        return is_named or _places(self.rows[-1]) != _places(chain)

    @property
    def is_tied(self) -> bool:
        """Whether the first row stands behind a name: Q = [1, 0]."""
        return len(self.rows[0].sides) > 1

    def add(self, chain: Chain) -> None:
        """One more row; the words before it are its label."""
        if self.rows:
            self.is_labelled = bool(self.words)
        since = self.words[sum(map(len, self.said)) :]
        self.said.append(tuple(_spelt(word) for word in since))
        self.rows.append(chain)

    def behind(self) -> list[Chain]:
        """The words behind the last row."""
        return self.words[sum(map(len, self.said)) :]

    def label(self) -> int:
        """How many of the words before the first row are its label, as those of the others are.

        They stand below the name of a quantity.
        """
        said = [len(words) for words in self.said[1:]]
        count = said[0] if said and len(set(said)) == 1 else 0
        if not 0 < count < len(self.before):
            return 0
        head = self.before[-count - 1]
        is_apart = head.start - self.last > APART
        is_name = _is_quantity(head) or indexed(_spelt(head)) is not None
        return count if is_apart and is_name else 0

    def chains(self) -> Iterator[Chain]:
        """What stands before, the rows as one matrix, and the words between and before them."""
        count = len(self.before) - self.label()
        yield from self.before[:count]
        yield from self.made()
        start = self.rows[0].start if self.rows else 0
        yield from (replace(word, start=start) for word in self.before[count:])
        if not self.is_sorted():
            yield from self.words[: sum(map(len, self.said))]

    def is_sorted(self) -> bool:
        """Whether words say that the second row follows from the first, or begin a sentence."""
        if len(self.rows) != 2:
            return False
        said = self.said[1]
        first = {_spelt(word) for word in self.before[-len(said) :]}
        is_sentence = len(said) > SHORT and 2 * len(first.intersection(said)) < len(said)
        return is_sentence or any(FOLLOWS.search(word) for word in said)

    def made(self) -> Iterator[Chain]:
        """The rows as one matrix, or several whose rows take turns."""
        period = _period(self.said)
        if period > 1:
            for place in range(period):
                part = self.rows[place::period]
                yield replace(part[0], sides=(Array(tuple(c.sides[-1] for c in part), "rows"),))
        elif self.is_sorted():
            inner = self.words[: sum(map(len, self.said))]
            yield from sorted((*self.rows, *inner), key=lambda chain: chain.start)
        elif len(self.rows) > 1:
            rows = tuple(chain.sides[-1] for chain in self.rows)
            first = self.rows[0]
            made = Array(rows, "matrix" if self.is_tied else "rows")
            yield replace(first, sides=(*first.sides[:-1], made))
        else:
            yield from self.rows


def _spelt(word: Chain) -> str:
    """A word, or how a number before a list counts as one."""
    return word.sides[0].text if isinstance(word.sides[0], Name) else ""


def _period(said: list[tuple[str, ...]]) -> int:
    """After how many lists the words repeat: the input of A, its output, the input of B ..."""
    for period in range(2, len(said) // 2 + 1):
        later = range(1, len(said) - period)
        inner = {said[place] for place in range(1, period)}
        is_same = all(said[k] == said[k + period] for k in later if k % period)
        is_apart = all(said[k] not in inner for k in range(period, len(said), period))
        if len(said) % period == 0 and is_same and is_apart and () not in inner:
            return period
    return 0


def grouped(chains: list[Chain]) -> Iterator[Chain]:
    """The chains with rows below each other put together."""
    block, held = _Block(), list[Chain]()
    counted = last = -NEAR
    for chain in map(_slashed, chains):
        if _is_counted(chain):
            counted = chain.start
        if _is_word(chain) or _is_counted(chain):
            (block.words if block.rows else held).append(chain)
            continue
        if 0 <= chain.start - counted < NEAR:
            chain = _bracketed(chain)
        if block.rows and not block.takes(chain):
            yield from block.chains()
            block, held = _Block(), block.behind()
        if _is_row(chain) or _list_of(chain):
            if not block.rows:
                block.before, block.last, held = held, last, []
            block.add(chain)
        else:
            yield from (*held, chain)
            held, last = [], chain.start
    yield from (*block.chains(), *block.behind(), *held)


def _slashed(chain: Chain) -> Chain:
    """[1, 2] / [3, 4] as two rows: no list is divided by another."""
    rows = _rows_of(chain.sides[-1])
    if len(rows) < 2 or len({len(row.items) for row in rows}) > 1 or len(chain.sides) > 2:
        return chain
    made = Array(tuple(rows), "matrix" if len(chain.sides) > 1 else "rows")
    return replace(chain, sides=(*chain.sides[:-1], made))


def _rows_of(side: Node) -> list[Array]:
    """The lists of numbers that slashes part."""
    match side:
        case Binary("/", left, Array() as last) if (rows := _rows_of(left)) and literal(last):
            return [*rows, last] if _is_list(last) else []
        case Array() if _is_list(side):
            return [side]
    return []


def _is_list(side: Array) -> bool:
    return len(side.items) > 1 and len(literal(side) or ()) == 1


def _is_word(chain: Chain) -> bool:
    """A word or a counting number, which may stand before each of the lists."""
    (side,) = chain.sides if len(chain.sides) == 1 else (None,)
    if isinstance(side, Negative):
        side = side.inner
    is_count = isinstance(side, Number) and bool(side.cell.figure and side.cell.figure.is_whole)
    return isinstance(side, Name) or is_count


def _is_quantity(chain: Chain) -> bool:
    """Whether a word names the quantity of the list behind it, as in query 2: (1; 0).

    Or what each entry before becomes: Their exponentials are ..., divided by 2 they are ...
    """
    side = chain.sides[0]
    if not isinstance(side, Name) or len(chain.sides) > 1:
        return False
    is_each = len(side.text) > SHORT and any(word.search(side.text) for word in EACH.values())
    return bool(role(side.text)) or is_each or step(side.text) == "scaled"


def _is_counted(chain: Chain) -> bool:
    """A name with a counting number, which may stand before each of the lists: pos = 1.

    A temperature is none: lists behind others are made with them.
    """
    match chain.sides:
        case (Name(text), Number(cell)) if role(text) != "temperature":
            return cell.figure is not None and cell.figure.is_whole and 0 <= cell.figure.value < 100
    return False


def _bracketed(chain: Chain) -> Chain:
    """A list that runs on without brackets, as one with them."""
    match chain.sides:
        case (Array(items, ","),):
            return replace(chain, sides=(Array(items),))
    return chain


def _is_row(chain: Chain) -> bool:
    return len(chain.sides) == 1 and _list_of(chain) is not None


def _list_of(chain: Chain) -> list[Cell] | None:
    """The list that a chain ends with."""
    side = chain.sides[-1]
    if not isinstance(side, Array) or side.maker not in ("[", "("):
        return None
    rows, is_round = literal(side), side.maker == "("
    if rows is None or len(rows) != 1 or (is_round and len(chain.sides) > 1):
        return None
    return None if is_round and all(map(is_whole, rows[0])) else rows[0]


def _places(chain: Chain) -> set[Fraction]:
    """The last places of the numbers of a list."""
    return {cell.figure.unit for cell in _list_of(chain) or () if cell.figure}


def is_whole(cell: Cell) -> bool:
    """Whether a number is a whole one."""
    return cell.figure is not None and cell.figure.is_whole


def _follows(before: Chain, chain: Chain, is_tied: bool) -> bool:
    first, second = _list_of(before), _list_of(chain)
    if not first or not second or len(first) != len(second):
        return False
    return 0 < chain.start - first[-1].start < (CLOSE if is_tied else NEAR)
