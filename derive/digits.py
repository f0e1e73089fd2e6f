"""The digits of a number from an enclosure of it: those that every number in the ball rounds to."""

from __future__ import annotations

from collections.abc import Callable
from math import floor, log2, log10
from typing import Any

from flint import arb, fmpz

from derive.exact.ball import endpoints
from derive.numerals import MOST_INTEGER_DIGITS, Format, fixed, numeral, scientific, significant

LOG10_2 = log10(2)
EXACTLY = 1 << 40
"""Of fewer bits the double is close enough to tell the power of ten."""


def first_bits(form: Format) -> int:
    """A first precision, on a coarse scale so that enclosures are shared."""
    digits = form.digits if form.digits is not None else form.places
    return 64 * (2 + int(digits * log2(10)) // 64)


def numeral_of(ball: arb, form: Format) -> str | None:
    """The digits of an irrational number in the ball, None where the ball does not decide them."""
    if not ball.is_finite() or ball.contains(0):
        return None
    power = _power_of(ball)
    if power is None:
        return None
    if form.digits is not None:
        lead = _leading_of(ball, power, form.digits, form.rounding)
        return None if lead is None else significant(*lead, form.digits)
    if power <= MOST_INTEGER_DIGITS:
        n = _rounded(ball * _ten(form.places), form.rounding)
        if n is None:
            return None
        if n and abs(n) < 10 ** (MOST_INTEGER_DIGITS + form.places):
            return fixed(n, form.places)
    lead = _leading_of(ball, power, max(form.places, 1), form.rounding)
    return None if lead is None else scientific(*lead)


def _power_of(ball: arb) -> int | None:
    """About log10 of a number in the ball, never off by more than one; None if it is too wide."""
    mantissa, exponent = ball.mid().man_exp()
    bits = mantissa.bit_length() - 1 + int(exponent)
    if abs(bits) < EXACTLY:
        return floor(bits * LOG10_2)
    power = (bits * arb(2).log() / arb(10).log()).floor().unique_fmpz()
    return None if power is None else int(power)


def _leading_of(ball: arb, power: int, count: int, rounding: str) -> tuple[int, int] | None:
    """(n, power): the number rounds to n 10^(power - count + 1), n of exactly `count` digits."""
    for guess in (power, power + 1, power - 1):
        n = _rounded(ball * _ten(count - 1 - guess), rounding)
        if n is None:
            return None
        if 10 ** (count - 1) <= abs(n) < 10**count:
            return n, guess
    return None


def _rounded(ball: arb, rounding: str) -> int | None:
    """The integer that a number in the ball, not a tie, is rounded to."""
    if rounding == "truncate":
        n = (abs(ball)).floor().unique_fmpz()
        return None if n is None else int(n) * (1 if ball > 0 else -1)
    n = (ball + _HALF).floor().unique_fmpz()
    return None if n is None else int(n)


_HALF = arb(1) / 2
_TENS = [fmpz(10) ** k for k in range(64)]


def _ten(power: int) -> arb | fmpz:
    return _TENS[power] if 0 <= power < len(_TENS) else arb(10) ** power


def same_of_ends(ball: arb, read: Callable[[int, int], Any]) -> Any:
    """read(mantissa, exponent) where both ends of the ball give the same; else None."""
    ends = endpoints(ball)
    if ends is None:
        return None
    low, high = (read(*end) for end in ends)
    return low if low == high else None


def _fraction(mantissa: int, exponent: int) -> tuple[int, int]:
    return mantissa << max(exponent, 0), 1 << max(-exponent, 0)


def double_of(mantissa: int, exponent: int) -> float:
    """The double nearest to mantissa 2^exponent."""
    size = mantissa.bit_length() + exponent
    if mantissa == 0 or size < -1100:
        return 0.0
    if size > 1100:
        return float("inf") if mantissa > 0 else float("-inf")
    return ratio(*_fraction(mantissa, exponent))


def ratio(p: int, q: int) -> float:
    """The double nearest to p/q."""
    # Division of integers is correctly rounded.
    try:
        return p / q
    except OverflowError:
        return float("inf") if p > 0 else float("-inf")


def digits_of(ball: arb, form: Format) -> str | None:
    """The digits of any number that the ball decides, a number given exactly among them."""
    if ball.is_exact():
        if not ball.is_finite():
            return "-oo" if ball == arb.neg_inf() else None
        return numeral(*_fraction(*_dyadic(ball)), form)
    return numeral_of(ball, form)


def _dyadic(ball: arb) -> tuple[int, int]:
    mantissa, exponent = ball.man_exp()
    return int(mantissa), int(exponent)
