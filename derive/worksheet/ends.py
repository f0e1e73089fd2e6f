"""What a calculation by hand can come to, in integers: intervals that hold every way of rounding.

A number is an interval (low, high) of integers, each a multiple of 1/`one`; ends are rounded
outwards, so that nothing is lost.  After every operation the interval is widened to hold what its
ends are rounded to, at the places that are asked for or at more of them.  None is what has no end.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import isqrt
from operator import getitem
from typing import Any

from flint import arb, fmpz

from derive.exact import Scalar
from derive.exact.ball import FUNCTIONS, Balls, precision

Ends = tuple[int, int]
Reached = Ends | None

ZERO = (0, 0)
FINE = 20 << 40
"""A tenth of a unit of the last place."""
UNIT = 10 * FINE
_HALF, _HALF_FINE, _LESS = UNIT // 2, FINE // 2, FINE // 20
_NOISE = FINE >> 32
"""What the arithmetic of intervals adds to numbers that end."""
_MOST = _HALF + _NOISE
BITS = 128
LARGEST = 4000
"""Of a larger exponent a power of e has no end."""
MOST_KNOWN = 100_000


def down(end: int) -> int:
    """The least number that an end is rounded to, to the places or to more of them, or is itself.

    Ties go either way.  To two places more, or three, an end moves by less than a hundredth of half
    a unit; one that has no more than one place more does not move.
    """
    rest = end % UNIT
    fine = rest % FINE
    if _NOISE < fine < FINE - _NOISE:
        drop = fine if _LESS < fine <= _HALF_FINE else _LESS
    else:
        drop = fine if fine <= _NOISE else 0
    return end - (rest if drop < rest <= _MOST else drop)


def bounds_of(x: Reached) -> tuple[int, int] | None:
    """The least and the largest rounded number of an interval, in units of the last place."""
    if x is None:
        return None
    return -((_HALF - x[0]) // UNIT), (x[1] + _HALF) // UNIT


class Hand:
    """The arithmetic of a hand that rounds to so many places."""

    def __init__(self, places: int) -> None:
        """places: of the last place; `one` is 1 in its fine units."""
        self.one: int = UNIT * 10**places
        self._known: dict[tuple[str, Ends], Reached] = {}
        self._rows: dict[tuple[Any, ...], tuple[Reached, ...]] = {}

    # --- what is known

    def exact(self, x: Any) -> Reached:
        """An integer or an exact number as it is."""
        if isinstance(x, Scalar) and not x.is_rational:
            with precision(BITS):
                return self.of_ball(Balls().enclose(x))
        p, q = x.fraction if isinstance(x, Scalar) else (int(x), 1)
        return p * self.one // q, -(-p * self.one // q)

    def integer(self, n: int) -> Ends:
        """A whole number."""
        end = n * self.one
        return end, end

    def wide(self, x: Any) -> Reached:
        """A constant of a formula, rounded or not."""
        found = self.exact(x)
        return None if found is None else self.widened(*found)

    def given(self, value: Fraction) -> Ends:
        """What somebody wrote down: half a unit either way."""
        middle = value * self.one
        return middle.__floor__() - _HALF, middle.__ceil__() + _HALF

    def of_ball(self, ball: arb) -> Reached:
        """The ends of a ball, None where it has none."""
        if not ball.is_finite():
            return None
        low, high = (ball.lower() * self.one).floor(), (ball.upper() * self.one).ceil()
        ends = low.lower().floor().unique_fmpz(), high.upper().ceil().unique_fmpz()
        return None if ends[0] is None or ends[1] is None else (int(ends[0]), int(ends[1]))

    def read(self, ball: arb) -> Reached:
        """A number that is printed, to the places or to more of them."""
        found = self.of_ball(ball)
        return found and self.widened(*found)

    def widened(self, low: int, high: int) -> Ends:
        """The interval, with what its ends are rounded to."""
        if low == high and not low % self.one:
            return low, high
        return down(low), -down(-high)

    # --- operations

    def add(self, x: Ends, y: Ends) -> Reached:
        """x + y; there is nothing to round where one is 0."""
        if x == ZERO or y == ZERO:
            return y if x == ZERO else x
        return self.widened(x[0] + y[0], x[1] + y[1])

    def sub(self, x: Ends, y: Ends) -> Reached:
        """x - y."""
        return self._less(x, y)

    def _less(self, x: Ends, y: Ends) -> Ends:
        return self.widened(x[0] - y[1], x[1] - y[0])

    def neg(self, x: Ends, _: Ends) -> Reached:
        """-x."""
        return -x[1], -x[0]

    def mul(self, x: Ends, y: Ends) -> Reached:
        """x y; there is nothing to round where one is 0 or 1."""
        for one, other in ((y, x), (x, y)):
            if one[0] == one[1]:
                if one == ZERO:
                    return ZERO
                if one[0] == self.one:
                    return other
        return self.widened(*self._product(x, y))

    def _product(self, x: Ends, y: Ends) -> Ends:
        (a, b), (c, d) = x, y
        if a >= 0 and c >= 0:
            return a * c // self.one, -(-b * d // self.one)
        every = a * c, a * d, b * c, b * d
        return min(every) // self.one, -(-max(every) // self.one)

    def div(self, x: Ends, y: Ends) -> Reached:
        """x / y."""
        found = self._quotient(x, y)
        return None if found is None else self.widened(*found)

    def _quotient(self, x: Ends, y: Ends) -> Reached:
        (a, b), (c, d) = x, y
        if c < 0:
            a, b, c, d = -b, -a, -d, -c
        if c <= 0:
            return None
        a, b = a * self.one, b * self.one
        return a // (d if a >= 0 else c), -(-b // (c if b >= 0 else d))

    def over(self, x: Ends, y: Ends) -> Reached:
        """x / y by what is known, such as a root of d_k, also as a product with its reciprocal."""
        found, inverse = self._quotient(x, y), self._quotient((self.one, self.one), y)
        if found is None or inverse is None:
            return None
        other = self._product(x, self.widened(*inverse))
        return self.widened(min(found[0], other[0]), max(found[1], other[1]))

    def power(self, x: Ends, n: int) -> Reached:
        """x^n; an even power is never below 0."""
        found = self._to(x, abs(n))
        if n % 2 == 0 and x[0] < 0:
            largest = max(-x[0], x[1])
            least = 0 if x[1] >= 0 else self._to((-x[1], -x[1]), abs(n))[0]
            found = least, self._to((largest, largest), abs(n))[1]
        quotient = found if n >= 0 else self._quotient((self.one, self.one), found)
        return None if quotient is None else self.widened(*quotient)

    def _to(self, x: Ends, n: int) -> Ends:
        found = (self.one, self.one)
        for _ in range(n):
            found = self._product(found, x)
        return found

    def relu(self, x: Ends, _: Ends) -> Reached:
        """max(0, x)."""
        return self.widened(max(x[0], 0), max(x[1], 0))

    def sqrt(self, x: Ends, _: Ends) -> Reached:
        """The root of the part that has one."""
        if x[1] < 0:
            return None
        low, high = isqrt(max(x[0], 0) * self.one), isqrt(x[1] * self.one)
        return self.widened(low, high + (high * high < x[1] * self.one))

    def exp(self, x: Ends, _: Ends) -> Reached:
        """e to x."""
        return self.called("exp", x)

    def function(self, name: str) -> Callable[[Ends, Ends], Reached]:
        """A function by its name: tanh, erf ..."""
        own: Callable[[Ends, Ends], Reached] | None = getattr(self, name, None)
        return own or (lambda x, _: self.called(name, x))

    def called(self, name: str, x: Ends) -> Reached:
        """A function that FLINT encloses, remembered."""
        key = name, x
        if key not in self._known:
            if len(self._known) > MOST_KNOWN:
                self._known.clear()
            found = self._enclosed(name, x)
            self._known[key] = None if found is None else self.widened(*found)
        return self._known[key]

    def _enclosed(self, name: str, x: Ends) -> Reached:
        size = 0
        if name == "exp":
            if x[1] > LARGEST * self.one:
                return None
            size = 2 * max(0, x[1] // self.one)
        with precision(BITS + size):
            ends = [arb(fmpz(end)) / self.one for end in x]
            if name not in MONOTONE:
                return self.of_ball(FUNCTIONS[name](ends[0].union(ends[1])))
            low, high = map(FUNCTIONS[name], ends)
            return self.of_ball(low.union(high))

    # --- weights

    def shares(self, row: tuple[Reached, ...], _: Any) -> tuple[Reached, ...]:
        """The weights of a row of scores, from them as they are and from them less the largest."""
        if row not in self._rows:
            if len(self._rows) > MOST_KNOWN:
                self._rows.clear()
            self._rows[row] = self._shares(row)
        return self._rows[row]

    def _shares(self, row: tuple[Reached, ...]) -> tuple[Reached, ...]:
        known = [x for x in row if x is not None]
        if len(known) < len(row):
            return (None,) * len(row)
        top = max(range(len(known)), key=lambda k: sum(known[k]))
        lowered = [(0, 0) if k == top else self._less(x, known[top]) for k, x in enumerate(known)]
        ways = [self._shares_of([self.called("exp", x) for x in way]) for way in (known, lowered)]
        return tuple(map(_either, *ways))

    def _shares_of(self, powers: list[Reached]) -> list[Reached]:
        """Each power of e over their sum, the same power above and below, the sum rounded or not.

        A share grows with its power and falls with the others.
        """
        if None in powers:
            return [None] * len(powers)
        if len(powers) == 1:
            return [(self.one, self.one)]
        low, high = (sum(x[k] for x in powers if x) for k in (0, 1))
        return [self._share(x, high - x[1] + _HALF, low - x[0] - _HALF) for x in powers if x]

    def _share(self, x: Ends, most: int, least: int) -> Reached:
        if x[0] + most <= 0 or x[1] + least <= 0:
            return None
        low, high = x[0] * self.one // (x[0] + most), -(-x[1] * self.one // (x[1] + least))
        return self.widened(low, high)

    def operation(self, name: str) -> Callable[[Any, Any], Any]:
        """What an instruction of a tape does."""
        kind, _, of = name.partition(":")
        if kind == "power":
            n = int(of)
            return lambda x, _: self.power(x, n)
        if kind == "item":
            return getitem
        return self.function(of) if kind == "apply" else getattr(self, kind)


MONOTONE = frozenset({"exp", "tanh", "erf", "log"})


def _either(x: Reached, y: Reached) -> Reached:
    return None if x is None or y is None else (min(x[0], y[0]), max(x[1], y[1]))


@cache
def hand(places: int) -> Hand:
    """The arithmetic at so many places, with what it remembers."""
    return Hand(places)
