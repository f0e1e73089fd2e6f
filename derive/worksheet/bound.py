"""A tape bound to one kind of numbers: the code that every variant runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

from derive.worksheet.hand import constants
from derive.worksheet.tape import INPUTS, WHOLE, Code
from derive.worksheet.whole import Whole

if TYPE_CHECKING:
    from derive.worksheet.program import Program


class Bound:
    """The code of a program on one kind of numbers.

    What is whole, whatever is given, is worked out in Python's integers, in registers of its own
    behind the others, and put among the others where it is needed there.
    """

    def __init__(self, program: Program, arithmetic: Any) -> None:
        """arithmetic: an operation for each name, and what is exact."""
        self.program, self.arithmetic = program, arithmetic
        tape = program.trace.tape
        rest = [p for t in program.slips for p in (*t.made, *t.blanks.values())]
        self.size, self._whole, self._made = len(tape.instructions), tape.whole(), set[int]()
        known = frozenset(p for nodes in program.whole.values() for p in nodes)
        blanks = tape.needed(program.blanks.values(), known)
        mistakes = tape.needed(rest, known.union(blanks))
        self.blanks: Code = list(self._code(blanks, program.blanks.values()))
        self.mistakes: Code = list(self._code(mistakes, rest))
        self.start = self._constants()
        read = {x - self.size for code in (self.blanks, self.mistakes) for x in _read(code)}
        self.whole = [
            (name, [place + self.size for place in nodes])
            for name, nodes in program.whole.items()
            if read.intersection(nodes)
        ]

    def _constants(self) -> list[Any]:
        """The registers before anything is worked out."""
        tape = self.program.trace.tape
        found = constants(tape, self.arithmetic)
        start = [found.get(k) for k in range(self.size)] + [None] * self.size
        for place in self._whole:
            name, operands = tape.instructions[place]
            if name == "exact":
                start[place + self.size] = operands[0]
        return start

    def _code(self, places: Iterable[int], results: Iterable[int]) -> Iterator[Any]:
        tape, size = self.program.trace.tape, self.size
        for place in places:
            name, operands = tape.instructions[place]
            if name in INPUTS:
                continue
            if place in self._whole:
                yield place + size, WHOLE[name], operands[0] + size, operands[1] + size
                continue
            yield from self._converted(operands)
            if name == "row":
                yield place, None, operands, 0
            else:
                yield place, self.arithmetic.operation(name), *operands
        yield from self._converted(results)

    def _converted(self, places: Iterable[int]) -> Iterator[Any]:
        """Whole numbers as the others are, each once."""
        for place in places:
            if place in self._whole and place not in self._made:
                self._made.add(place)
                at = place + self.size
                yield place, lambda x, _: self.arithmetic.integer(x), at, at

    def registers(self, whole: Whole) -> list[Any]:
        """With the whole numbers of a variant, before anything else is worked out."""
        found = list(self.start)
        for name, nodes in self.whole:
            for place, x in zip(nodes, chain(*whole[name]), strict=True):
                found[place] = x
        return found


def _read(code: Code) -> Iterator[int]:
    for _, operation, left, right in code:
        yield from (left, right) if operation is not None else left
