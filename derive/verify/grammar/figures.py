"""Numbers as printed: the digits, the unit of the last place, and what agrees with them."""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from flint import arb, fmpq

MOST = 400
"""A number with more characters than this is not read."""
_INSIDE = 1 - Fraction(1, 10**30)
"""The next printed number is not cut to this one."""
PARTED = 4
"""So many digits tell a fraction such as 2/7."""
_SHAPE = re.compile(r"([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?(%?)")


@dataclass(frozen=True)
class Figure:
    """A printed number: its string in the file, exactly what it says, and the unit it stops at."""

    text: str
    value: Fraction
    unit: Fraction

    @property
    def hundredth(self) -> Figure:
        """The same number where a word behind it says per cent."""
        return Figure(self.text, self.value / 100, self.unit / 100)

    @cached_property
    def is_whole(self) -> bool:
        """Printed without decimals."""
        return self.unit >= 1

    @cached_property
    def weight(self) -> int:
        """How many significant digits are printed."""
        return len(str(abs(self.value) // self.unit).lstrip("0"))

    @cached_property
    def is_fraction(self) -> bool:
        """Whether the digits are those of a fraction that has no end: 0.333, 0.1667, 0.2857."""
        parts = (3, 6) if self.weight < PARTED else (3, 6, 7, 9, 11)
        if self.weight < PARTED - 1 or self.unit > Fraction(1, 100):
            return False
        near = ((Fraction(round(self.value * d), d), d) for d in parts)
        return any(x.denominator == d and abs(x - self.value) * 2 <= self.unit for x, d in near)

    @cached_property
    def side(self) -> int:
        """1, -1 or 0."""
        return (self.value > 0) - (self.value < 0)

    @cached_property
    def ball(self) -> arb:
        """Exactly the digits."""
        return enclosed(self.value)

    @cached_property
    def near(self) -> float:
        """The digits as a float."""
        return _float(self.value)

    @cached_property
    def step(self) -> float:
        """The unit as a float."""
        return _float(self.unit)

    @cached_property
    def half(self) -> arb:
        """Half a unit of the last place."""
        return enclosed(self.unit / 2)

    @cached_property
    def reach(self) -> arb:
        """Just less than a unit."""
        return enclosed(self.unit * _INSIDE)

    @cached_property
    def around(self) -> arb:
        """All that rounds to these digits."""
        return self.ball + arb(0, enclosed(self.unit / 2))

    def is_rounded(self, x: arb) -> bool:
        """Whether some value of the ball rounds to the digits; a tie goes either way."""
        return bool(x.is_finite() and not abs(x - self.ball) > self.half)

    def is_cut(self, x: arb) -> bool:
        """Whether some value of the ball is cut to the digits."""
        if not x.is_finite():
            return False
        if not self.side:
            return bool(not abs(x) > self.reach)
        beyond = x - self.ball if self.side > 0 else self.ball - x
        return bool(not beyond < 0 and not beyond > self.reach)


def _float(value: Fraction) -> float:
    """The nearest float, infinite where none is as large."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def enclosed(value: Fraction) -> arb:
    """A rational as a ball."""
    return arb(fmpq(value.numerator, value.denominator))


def figure(text: str, *, comma: bool = False) -> Figure | None:
    """The number a string prints; `comma` says that its decimals follow a comma.  None if none."""
    if len(text) > MOST:
        return None
    plain = _western(text)
    if comma and "٫" not in text and text.count("{,}") < 2:
        plain = plain.replace(".", "").replace(",", ".")
    plain = plain.replace("." if plain.count(".") > 1 else ",", "")
    found = _SHAPE.fullmatch(plain)
    if not found or not (found[2] or found[3]):
        return None
    sign, whole, decimals, exponent, percent = found.groups()
    power = int(exponent or 0) - 2 * bool(percent)
    if abs(power) > MOST:
        return None
    unit = Fraction(10) ** (power - len(decimals or ""))
    value = int(whole + (decimals or "")) * unit
    return Figure(text, -value if sign == "-" else value, unit)


def _western(text: str) -> str:
    """Native digits, signs and powers of ten as ASCII."""
    made = text if text.isascii() else "".join(map(_ascii, text))
    return _MARKS.sub("", _TIMES.sub("e", made.replace("\\,", "").lower()))


def _ascii(letter: str) -> str:
    value = unicodedata.decimal(letter, None)
    return str(value) if value is not None else _SIGNS.get(letter, letter)


_SIGNS = {
    "−": "-", "－": "-", "٫": ".", "．": ".", "％": "%", "٪": "%", "，": ",",
    **dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+", strict=True)),
}  # fmt: skip
_MARKS = re.compile(r"\\[;:!]|[\s\\{}'’~$]")
_TIMES = re.compile(r"\s?(?:\\times|\\cdot|[×·⋅x*])\s?10\s?(?:\^|\*\*|(?=[-+\d]))")
