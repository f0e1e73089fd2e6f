"""The arithmetic of a tape on balls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flint import arb

from derive.exact.ball import FUNCTIONS, Balls, integer_power


class OnBalls:
    """The arithmetic of a tape on balls: nothing is rounded but outwards."""

    integer = staticmethod(arb)

    def exact(self, x: Any) -> arb:
        """A number."""
        return arb(x) if isinstance(x, int) else Balls().enclose(x)

    wide = exact

    def read(self, ball: arb) -> arb:
        """A number that is printed."""
        return ball

    def shares(self, row: tuple[Any, ...], _: Any) -> tuple[Any, ...]:
        """The softmax of a row."""
        if len(row) == 1:
            return (arb(1),)
        powers = [x.exp() for x in row]
        total = sum(powers[1:], powers[0])
        return tuple(x / total for x in powers)

    def operation(self, name: str) -> Callable[[Any, Any], Any]:
        """What an instruction does."""
        kind, _, of = name.partition(":")
        if kind == "power":
            return lambda x, _: integer_power(x, int(of))
        if kind == "apply":
            function = FUNCTIONS[of]
            return lambda x, _: function(x)
        return self.shares if kind == "shares" else OPERATIONS[kind]


OPERATIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "over": lambda x, y: x / y,
    "neg": lambda x, _: -x,
    "exp": lambda x, _: x.exp(),
    "item": lambda row, k: row[k],
}
