"""The operations on the way to the blanks of a sheet, counted on its tape."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from derive.worksheet.difficulty import Difficulty

if TYPE_CHECKING:
    from derive.worksheet.program import Run

SUMS, QUOTIENTS, TIMES = ("add", "sub"), ("div", "over"), ("mul", "power:")
READ = ("given", "printed")
OF_READ = "minus"


@dataclass(frozen=True)
class Operations:
    """products: of factors that are not 0; minus: numbers below 0 among what is read."""

    sums: int
    products: int
    quotients: int
    roots: int
    minus: int

    @property
    def difficulty(self) -> Difficulty:
        """As the difficulty of a variant: quotients and roots count as products."""
        return Difficulty(self.products + self.quotients + self.roots, 0, self.minus)


def operations(worked: Run) -> Operations:
    """What a hand does from what is read to the blanks."""
    tape, program, found = worked.program.trace.tape, worked.program, Counter[str]()
    size, balls = program.balls.size, worked.balls

    def at(place: int) -> Any:
        """What is whole stands in registers of its own."""
        return balls[place] if balls[place] is not None else balls[place + size]

    for place in tape.needed(program.blanks.values()):
        name, operands = tape.instructions[place]
        if name in READ:
            found[OF_READ] += bool(at(place) is not None and at(place) < 0)
        elif not name.startswith(TIMES) or not any(at(k) == 0 for k in operands):
            found[name] += 1
    return Operations(
        sum(found[name] for name in SUMS),
        sum(n for name, n in found.items() if name.startswith(TIMES)),
        sum(found[name] for name in QUOTIENTS),
        found["apply:sqrt"],
        found[OF_READ],
    )
