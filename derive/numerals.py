"""Decimal numerals of rationals, rounded exactly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import floor, log10

from flint import fmpz

from derive.errors import InputError

MOST_INTEGER_DIGITS = 21
"""A number with more digits before the point is written in powers of ten."""


def _half_up(p: int, q: int) -> int:
    return (2 * abs(p) + q) // (2 * q) * (1 if p >= 0 else -1)


def _half_even(p: int, q: int) -> int:
    floor, rest = divmod(p, q)
    return floor + (2 * rest > q or (2 * rest == q and floor % 2 == 1))


def _truncate(p: int, q: int) -> int:
    return abs(p) // q * (1 if p >= 0 else -1)


ROUNDINGS: dict[str, Callable[[int, int], int]] = {
    "half-up": _half_up,
    "half-even": _half_even,
    "truncate": _truncate,
}
"""p/q (q > 0) to an integer: ties away from zero; ties to even (IEEE 754); towards zero."""


@dataclass(frozen=True)
class Format:
    """How many digits, and how rounded: `digits` significant ones if given, else `places`.

    InputError for a rounding that is not in ROUNDINGS, negative places, or no digits.

    >>> Format(digits=4, rounding="truncate")
    Format(places=3, digits=4, rounding='truncate')
    """

    places: int = 3
    digits: int | None = None
    rounding: str = "half-up"

    def __post_init__(self) -> None:
        if self.rounding not in ROUNDINGS:
            known = ", ".join(ROUNDINGS)
            raise InputError(f"rounding cannot be {self.rounding!r}", expected=f"one of {known}")
        if self.places < 0 or (self.digits is not None and self.digits < 1):
            raise InputError("places count from 0, significant digits from 1")


def numeral(p: int, q: int, form: Format) -> str:
    """p/q (q > 0) in the format: plain, or in powers of ten where plain digits would be 0."""
    if p == 0:
        return "0" if form.digits is not None else fixed(0, form.places)
    if form.digits is not None:
        return significant(*_leading(p, q, form.digits, form.rounding), form.digits)
    if abs(p) < q * 10**MOST_INTEGER_DIGITS:
        n = ROUNDINGS[form.rounding](p * 10**form.places, q)
        if n and abs(n) < 10 ** (MOST_INTEGER_DIGITS + form.places):
            return fixed(n, form.places)
    return scientific(*_leading(p, q, max(form.places, 1), form.rounding))


def significant(n: int, power: int, count: int) -> str:
    """n, of `count` digits, times 10^(power - count + 1): plainly where that is short."""
    return fixed(n, count - 1 - power) if -5 <= power < count else scientific(n, power)


def scientific(n: int, power: int) -> str:
    """n with the point after its first digit, times 10^power."""
    text = _decimal(abs(n))
    point = "." if len(text) > 1 else ""
    return f"{'-' if n < 0 else ''}{text[0]}{point}{text[1:]}e{power}"


def _leading(p: int, q: int, count: int, rounding: str) -> tuple[int, int]:
    """(n, power): p/q rounds to n 10^(power - count + 1) with exactly `count` digits in n."""
    power = _magnitude(p, q)
    shift = count - 1 - power
    n = ROUNDINGS[rounding](p * 10 ** max(shift, 0), q * 10 ** max(-shift, 0))
    return (n // 10, power + 1) if abs(n) == 10**count else (n, power)


def _magnitude(p: int, q: int) -> int:
    """The floor of log10 |p/q|."""
    p = abs(p)
    # The estimate is never too large (2^(a - 1) <= p and q < 2^b), and the loop mends it.
    power = floor((p.bit_length() - q.bit_length() - 1) * log10(2)) - 1
    while p * 10 ** max(-power - 1, 0) >= q * 10 ** max(power + 1, 0):
        power += 1
    return power


def fixed(n: int, places: int) -> str:
    """n / 10^places."""
    text = _decimal(abs(n)).rjust(places + 1, "0")
    sign = "-" if n < 0 else ""
    return f"{sign}{text[:-places]}.{text[-places:]}" if places else sign + text


def _decimal(n: int) -> str:
    # Python refuses to print integers of more than 4,300 digits; FLINT does not.
    return str(fmpz(n))
