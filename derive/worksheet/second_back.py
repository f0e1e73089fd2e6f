"""The second way to gradients: every operation of the second route is recorded, and swept back.

Numbers are mpmath's intervals, an operation of two numbers has its slope from a book on calculus,
and beside these there is the chain rule alone: no matrix, no pullback, nothing of the first way.

dz/dx = sum over the operations y = f(x, ...) on the way to z of dz/dy df/dx
                                                            Griewank and Walther 2008, sect. 3.2
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from derive.worksheet.second import Setting, steps_on
from derive.worksheet.second_curves import CURVES, SLOPES
from derive.worksheet.second_models import DIGITS, Large, Rows, large_steps_on, turned

SPLIT = "QKV"
"""What every head has its own columns of."""


def gradients_of(
    setting: Setting | Large, source: str, seed: Sequence[Sequence[Any]]
) -> dict[str, Rows]:
    """Gradients of the sum of seed_ij source_ij by every step and everything given, by name."""
    from mpmath import iv

    before, iv.dps = iv.dps, DIGITS
    try:
        record = Record(iv)
        if isinstance(setting, Large):
            (found, given), is_turned = large_steps_on(setting, record), False
        else:
            (found, given), is_turned = steps_on(setting, record), setting.is_turned
            given |= _of_heads(setting, given)
        rows = turned(seed) if is_turned else seed
        slopes = record.swept(
            (x.place, iv.mpf(weight))
            for line, weights in zip(found[source], rows, strict=True)
            for x, weight in zip(line, weights, strict=True)
        )
        made = {
            _gradient(name): [[slopes.get(x.place, iv.mpf(0)) for x in row] for row in matrix]
            for name, matrix in {**given, **found}.items()
        }
        return {name: turned(x) for name, x in made.items()} if is_turned else made
    finally:
        iv.dps = before


def _gradient(name: str) -> str:
    """dec.L1.dS of dec.L1.S."""
    scope, dot, letter = name.rpartition(".")
    return f"{scope}{dot}d{letter}"


def _of_heads(setting: Setting, given: Mapping[str, Rows]) -> dict[str, Rows]:
    """The weights of each head, by its number."""
    return dict(_split(setting, given)) if setting.heads > 1 else {}


def _split(setting: Setting, given: Mapping[str, Rows]) -> Iterator[tuple[str, Rows]]:
    heads, groups = setting.heads, setting.groups
    for letter in SPLIT:
        count, rows = heads if letter == "Q" else groups, given[f"W_{letter}"]
        wide = len(rows[0]) // count
        for h in range(count):
            yield f"W_{letter}^({h + 1})", [row[h * wide : (h + 1) * wide] for row in rows]


class Number:
    """An interval, and its place on the record."""

    __slots__ = ("place", "record", "value")

    def __init__(self, record: Record, value: Any, place: int) -> None:
        """To be made by the record."""
        self.record, self.value, self.place = record, value, place

    @property
    def a(self) -> Any:
        """The lower end."""
        return self.value.a

    @property
    def b(self) -> Any:
        """The upper end."""
        return self.value.b

    def __add__(self, other: Any) -> Number:
        y = self.record.of(other)
        return self.record.made(self.value + y.value, (self, 1), (y, 1))

    __radd__ = __add__

    def __neg__(self) -> Number:
        return self.record.made(-self.value, (self, -1))

    def __sub__(self, other: Any) -> Number:
        y = self.record.of(other)
        return self.record.made(self.value - y.value, (self, 1), (y, -1))

    def __rsub__(self, other: Any) -> Number:
        return self.record.of(other) - self

    def __mul__(self, other: Any) -> Number:
        y = self.record.of(other)
        return self.record.made(self.value * y.value, (self, y.value), (y, self.value))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Number:
        y = self.record.of(other)
        ratio = self.value / y.value
        return self.record.made(ratio, (self, 1 / y.value), (y, -ratio / y.value))

    def __rtruediv__(self, other: Any) -> Number:
        return self.record.of(other) / self

    def __pow__(self, n: int) -> Number:
        return self.record.made(self.value**n, (self, n * self.value ** (n - 1)))


class Record:
    """Numbers in the order in which they are made, each with those it is made of and its slopes.

    It stands where the second route expects mpmath's `iv`.
    """

    def __init__(self, iv: Any) -> None:
        """Empty."""
        self.iv = iv
        self.operands: list[tuple[tuple[Number, Any], ...]] = []

    def made(self, value: Any, *operands: tuple[Number, Any]) -> Number:
        """A number, made of others with these slopes."""
        self.operands.append(operands)
        return Number(self, value, len(self.operands) - 1)

    def of(self, x: Any) -> Number:
        """An operand."""
        return x if isinstance(x, Number) else self.made(self.iv.mpf(x))

    def mpf(self, x: Any) -> Number:
        """A constant."""
        return self.of(x)

    def exp(self, x: Any) -> Number:
        """e^x."""
        x = self.of(x)
        value = self.iv.exp(x.value)
        return self.made(value, (x, value))

    def sqrt(self, x: Any) -> Number:
        """The root."""
        x = self.of(x)
        value = self.iv.sqrt(x.value)
        return self.made(value, (x, 1 / (2 * value)))

    def log(self, x: Any) -> Number:
        """The natural logarithm."""
        x = self.of(x)
        return self.made(self.iv.log(x.value), (x, 1 / x.value))

    def cos(self, x: Any) -> Number:
        """The cosine."""
        x = self.of(x)
        return self.made(self.iv.cos(x.value), (x, -self.iv.sin(x.value)))

    def sin(self, x: Any) -> Number:
        """The sine."""
        x = self.of(x)
        return self.made(self.iv.sin(x.value), (x, self.iv.cos(x.value)))

    def bent(self, name: str, x: Number) -> Number:
        """An activation that is no ReLU."""
        curve: Callable[[Any, Any], Any] = CURVES[name]
        return self.made(curve(self.iv, x.value), (x, SLOPES[name](self.iv, x.value)))

    def swept(self, seeds: Iterator[tuple[int, Any]]) -> dict[int, Any]:
        """By place the slope of the sum of the numbers at some places, each times its weight."""
        found: dict[int, Any] = {}
        for place, weight in seeds:
            found[place] = found[place] + weight if place in found else weight
        for place in range(len(self.operands) - 1, -1, -1):
            if place not in found:
                continue
            for x, slope in self.operands[place]:
                share = found[place] * slope
                found[x.place] = found[x.place] + share if x.place in found else share
        return found
