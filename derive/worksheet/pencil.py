"""One way by hand: after every operation the number is rounded to the places of the sheet.

The numbers are integers, in units of the last place.  Only what such a hand writes down comes out;
nothing is proved with it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from flint import arb

from derive.exact import Scalar
from derive.exact.ball import FUNCTIONS, Balls, precision

BITS = 128


class Pencil:
    """The arithmetic of a hand that rounds half up after every operation."""

    def __init__(self, places: int) -> None:
        """places: to which is rounded."""
        self.unit: int = 10**places

    def integer(self, n: int) -> int:
        """A whole number."""
        return n * self.unit

    def exact(self, x: Any) -> int:
        """A constant, rounded when it is written down."""
        if isinstance(x, Scalar) and not x.is_rational:
            with precision(BITS):
                return self.read(Balls().enclose(x))
        return self._rounded(Fraction(*x.fraction) if isinstance(x, Scalar) else Fraction(x))

    wide = exact

    def read(self, ball: arb) -> int:
        """A number that is printed."""
        found = (ball.mid() * self.unit + arb(0.5)).floor().unique_fmpz()
        return int(found or 0)

    def _rounded(self, x: Fraction) -> int:
        """Ties away from 0."""
        size = (2 * abs(x) * self.unit + 1) // 2
        return int(size) if x >= 0 else -int(size)

    def mul(self, x: int, y: int) -> int:
        """x y."""
        return self._rounded(Fraction(x * y, self.unit**2))

    def div(self, x: int, y: int) -> int | None:
        """x / y, None where y was rounded to 0."""
        return self._rounded(Fraction(x, y)) if y else None

    def power(self, x: int, n: int) -> int | None:
        """x^n."""
        if n < 0:
            below = self.power(x, -n)
            return None if below is None else self.div(self.unit, below)
        return self._rounded(Fraction(x, self.unit) ** n)

    def called(self, name: str, x: int) -> int:
        """A function that FLINT has."""
        with precision(BITS):
            return self.read(FUNCTIONS[name](arb(x) / self.unit))

    def shares(self, row: tuple[Any, ...], _: Any) -> tuple[int | None, ...]:
        """The weights of a row of scores."""
        if None in row:
            return (None,) * len(row)
        powers = [self.called("exp", x) for x in row]
        return tuple(self.div(x, sum(powers)) for x in powers)

    def operation(self, name: str) -> Callable[[Any, Any], Any]:
        """What an instruction of a tape does."""
        kind, _, of = name.partition(":")
        if kind == "power":
            return lambda x, _: self.power(x, int(of))
        if kind in ("apply", "exp"):
            return lambda x, _: self.called(of or kind, x)
        own: dict[str, Callable[[Any, Any], Any]] = {
            "mul": self.mul,
            "div": self.div,
            "over": self.div,
            "shares": self.shares,
        }
        return own.get(kind) or PLAIN[kind]


PLAIN: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "neg": lambda x, _: -x,
    "item": lambda row, k: row[k],
}
