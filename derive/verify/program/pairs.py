"""Printouts beside the expressions that a program shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from derive.verify.grammar.nodes import Chain, Name, Node, Number, literal
from derive.verify.program.lines import Statement, defined

SHOWS = ("shows",)


@dataclass
class Shown:
    """What a program shows and is still to be printed: by print, and by its last line."""

    is_program: bool = False  # whether a program came before
    printed: list[Node | None] = field(default_factory=list)
    last: list[Node | None] = field(default_factory=list)

    def add(self, statement: Statement) -> None:
        """One more statement: only the last value stands for itself."""
        self.last = []
        if statement.is_print:
            self.printed += statement.values
        elif statement.is_shown:
            named = tuple(Name(target) for target in statement.targets)
            self.last = list(named or statement.values)

    def next(self) -> Node | None:
        """What is printed next; None where that is not known."""
        for waiting in (self.printed, self.last):
            if waiting:
                return waiting.pop(0)
        return None


def paired(
    events: Iterable[Chain], found: list[Statement], places: list[int], shown: Shown
) -> Iterator[Chain]:
    """The chains of a segment, printouts behind what is shown; places: where statements stand."""
    if found:
        shown.printed, shown.last = [], []
    lines = list(zip(places, found, strict=True))
    for event in sorted(events, key=lambda chain: chain.start):
        while lines and lines[0][0] <= event.start:
            place, statement = lines.pop(0)
            shown.add(statement)
            yield from (replace(chain, start=place) for chain in defined(statement))
        yield _printed(event, shown)
    for place, statement in lines:
        shown.add(statement)
        yield from (replace(chain, start=place) for chain in defined(statement))


def _printed(event: Chain, shown: Shown) -> Chain:
    side = event.sides[0]
    if len(event.sides) > 1 or not (isinstance(side, Number) or literal(side)):
        return event
    expression = shown.next()
    if expression is None:
        return event
    return replace(event, sides=(expression, side), relations=SHOWS)
