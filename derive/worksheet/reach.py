"""What a calculation by hand can come to: every intermediate result rounded, or left as it is.

Each number is an interval.  After every operation it is widened to hold what its ends are rounded
to, at the places that are asked for or at more of them, so that a rule run on matrices of these
encloses every way of rounding along it.  Where people divide by multiplying with a rounded
reciprocal, that way is in the interval as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import arb

from derive.exact import Matrix, NegativeInfinity, Scalar
from derive.exact.ball import FUNCTIONS, Balls, integer_power
from derive.exact.enclosure import Enclosures

_HALF = arb(0.5)
_NOISE = arb(2) ** -40
"""What the arithmetic of intervals adds to numbers that end."""


class Reach:
    """An interval of numbers that are rounded to so many places, or not, after every operation."""

    __slots__ = ("ball", "places")

    def __init__(self, ball: arb, places: int) -> None:
        """What is exact before anything is rounded, at the precision in force."""
        self.ball = ball
        self.places = places

    def __repr__(self) -> str:
        return f"Reach({self.ball})"

    @property
    def is_zero(self) -> bool:
        """Whether it is 0 and nothing else."""
        return bool(self.ball.is_zero())

    def made(self, ball: arb) -> Reach:
        """The result of an operation, which is rounded, or not."""
        return Reach(widened(ball, self.places), self.places)

    def _of(self, other: Any) -> arb:
        if isinstance(other, Reach):
            return other.ball
        if isinstance(other, Scalar):
            return widened(Balls().enclose(other), self.places)
        if isinstance(other, NegativeInfinity):
            raise ValueError("-oo is only added")
        return arb(other)

    def __add__(self, other: Any) -> Any:
        return (
            other if isinstance(other, NegativeInfinity) else self.made(self.ball + self._of(other))
        )

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self.made(self.ball - self._of(other))

    def __rsub__(self, other: Any) -> Any:
        return self.made(self._of(other) - self.ball)

    def __mul__(self, other: Any) -> Any:
        return self.made(self.ball * self._of(other))

    __rmul__ = __mul__

    def __neg__(self) -> Reach:
        return Reach(-self.ball, self.places)

    def __truediv__(self, other: Any) -> Reach:
        """By what is known, such as a root of d_k, also as a product with its reciprocal."""
        below = self._of(other)
        found = self.ball / below
        if isinstance(other, Scalar):
            found = found.union(self.ball * widened(1 / below, self.places))
        return self.made(found)

    def __rtruediv__(self, other: Any) -> Reach:
        return self.made(self._of(other) / self.ball)

    def __pow__(self, power: int) -> Reach:
        if power == 2:  # a square is never below 0, whatever the interval
            size = abs(self.ball)
            return self.made((size * size).nonnegative_part())
        return self.made(integer_power(self.ball, power))

    def exp(self) -> Reach:
        """e to this."""
        return self.made(self.ball.exp())

    def apply(self, function: str) -> Reach:
        """A named function of this; a root of the part that has one."""
        has_root = function == "sqrt" and self.ball.is_finite() and not self.ball < 0
        ball = self.ball.nonnegative_part() if has_root else self.ball
        return self.made(FUNCTIONS[function](ball))


def widened(ball: arb, places: int) -> arb:
    """The interval, with what its ends are rounded to: to the places, or to more of them.

    Ties go either way.  To two places more, or three, an end moves by less than a hundredth of half
    a unit; one that has no more than one place more does not move.
    """
    if ball.is_integer() or not ball.is_finite():
        return ball
    low, high = _down(ball.lower(), places), -_down(-ball.upper(), places)
    return ball.union(low).union(high)


def _down(end: arb, places: int) -> arb:
    """The least number that an end is rounded to."""
    unit = arb(10) ** places
    tenths = end * unit * 10
    near = (tenths + _HALF).floor()
    if abs(tenths - near) < _NOISE:
        finer = near / (unit * 10)
    else:
        finer = ((tenths - _HALF).ceil() / (unit * 10)).min(end - _HALF / (unit * 100))
    return finer.min((end * unit - _HALF - _NOISE).ceil() / unit)


def reaches(matrix: Matrix, places: int) -> Matrix:
    """A matrix of exact entries: what is given is not rounded."""
    rows: Sequence[Sequence[Any]] = matrix.rows
    if not any(isinstance(x, NegativeInfinity) for row in rows for x in row):
        rows = Enclosures.of(matrix).rows
        return Matrix([[Reach(x, places) for x in row] for row in rows])
    balls = Balls()
    return Matrix([[_reach(balls, x, places) for x in row] for row in rows])


def settled(matrix: Matrix, places: int) -> Matrix:
    """The same with every entry on this carrier, those that a mask put in its place as well."""
    if all(isinstance(x, (Reach, NegativeInfinity)) for x in matrix):
        return matrix
    balls = Balls()
    return Matrix([[_reach(balls, x, places) for x in row] for row in matrix.rows])


def _reach(balls: Balls, x: Any, places: int) -> Any:
    return x if isinstance(x, (Reach, NegativeInfinity)) else Reach(balls.enclose(x), places)


def union(first: Matrix, second: Matrix) -> Matrix:
    """What either way comes to."""
    return Matrix(
        [
            [_either(x, y) for x, y in zip(xs, ys, strict=True)]
            for xs, ys in zip(first.rows, second.rows, strict=True)
        ]
    )


def _either(x: Any, y: Any) -> Any:
    if isinstance(x, Reach) and isinstance(y, Reach):
        return Reach(x.ball.union(y.ball), x.places)
    return x
