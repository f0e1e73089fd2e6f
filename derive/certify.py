"""Proved decimals: the digits of an exact value, rounded once.

A rational is rounded in integers, so a tie is decided exactly.  Any other value is enclosed by a
ball (Arb) whose precision is raised until both ends round to the same digits; where that never
happens the answer is None, "undecided", never a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import floor, log2, log10
from typing import Any, Protocol

from flint import arb, fmpz

from derive.exact import Matrix, NegativeInfinity, Scalar
from derive.exact.ball import Balls, endpoints, precision
from derive.exact.expand import resolved
from derive.numerals import (
    MOST_INTEGER_DIGITS,
    ROUNDINGS,
    Format,
    fixed,
    numeral,
    scientific,
    significant,
)

__all__ = ["ROUNDINGS", "Certified", "Certifier", "Format", "certified", "doubles"]

LOG10_2 = log10(2)
DOUBLINGS = 8
"""So often the precision is doubled before the answer is "undecided"."""


@dataclass(frozen=True)
class Certified:
    """An exact value with its proved digits.

    `digits` is a decimal numeral: "0.401", or "4.25e-4" for a nonzero value below the places.
    It is None where the digits could not be proved (see `undecided`) or the value has free symbols.

    >>> from derive import Format, builtin, derive
    >>> derive(builtin('head')).certified('A', Format(places=5))[1][2].digits
    '0.50349'
    """

    _value: Scalar | NegativeInfinity | Callable[[], Scalar | NegativeInfinity]
    digits: str | None
    rounding: str
    undecided: bool = False

    @property
    def value(self) -> Scalar | NegativeInfinity:
        """The exact value."""
        return self._value() if callable(self._value) else self._value

    def __str__(self) -> str:
        return self.digits if self.digits is not None else "undecided" if self.undecided else "—"


class Certifier:
    """Proves digits of many values, sharing the enclosures of what they have in common."""

    def __init__(self) -> None:
        """Empty; enclosures are kept by precision."""
        self._balls: dict[int, Balls] = {}

    def certify(self, x: Scalar | NegativeInfinity, form: Format) -> Certified:
        """The digits of x in the format."""
        return self.certify_all((x,), form)[0]

    def certify_all(self, xs: Sequence[Scalar | NegativeInfinity], form: Format) -> list[Certified]:
        """The digits of every x; those that a precision does not decide are tried at twice it."""
        found = {k: digits for k, x in enumerate(xs) if (digits := _at_once(x, form)) is not None}
        pending = [k for k, x in enumerate(xs) if k not in found and x.is_number]
        bits = _bits(form)
        for _ in range(DOUBLINGS):
            if not pending:
                break
            with precision(bits):
                balls = self._balls.setdefault(bits, Balls())
                for k in pending:
                    if (digits := _numeral_of(balls.enclose(xs[k]), form)) is not None:
                        found[k] = digits
            pending = [k for k in pending if k not in found]
            bits *= 2
        undecided = set(pending)
        return [Certified(x, found.get(k), form.rounding, k in undecided) for k, x in enumerate(xs)]

    def double(self, x: Scalar | NegativeInfinity) -> float | None:
        """The double nearest to x; None where it has symbols or is undecided."""
        if isinstance(x, NegativeInfinity):
            return float("-inf")
        if not x.is_number:
            return None
        if x.is_rational:
            return _ratio(*x.fraction)
        answer: float | None = self.agreed(x, 128, lambda ball: _same(ball, _dyadic_double))
        return answer

    def agreed(self, x: Scalar, bits: int, read: Callable[[arb], Any]) -> Any:
        """read(ball) at rising precision, the first answer that is not None; else None."""
        for _ in range(DOUBLINGS):
            with precision(bits):
                answer = read(self._balls.setdefault(bits, Balls()).enclose(x))
            if answer is not None:
                return answer
            bits *= 2
        return None


class Enclosing(Protocol):
    """A step of a derivation, as far as its digits are concerned."""

    @property
    def name(self) -> str:
        """What messages call it."""

    @property
    def value(self) -> Matrix:
        """The exact matrix."""

    @property
    def is_deep(self) -> bool:
        """Whether enclosures by the rule are cheaper than the exact value."""

    def enclosure(self, bits: int) -> Matrix:
        """The matrix of balls at the precision in force, which is `bits`."""


def certified(step: Enclosing, form: Format) -> list[list[Certified]]:
    """The digits of every entry of a step."""
    if not step.is_deep:
        return _in_rows(Certifier().certify_all(tuple(step.value), form), step.value.shape[1])
    found, width = _by_enclosures(
        step,
        _bits(form),
        lambda ball: _digits_of(ball, form),
        lambda x: _at_once(x, form),
    )
    every = [
        Certified(partial(_entry_of, step, *divmod(k, width)), digits, form.rounding, not digits)
        for k, digits in enumerate(found)
    ]
    return _in_rows(every, width)


def _double_at_once(x: Scalar | NegativeInfinity) -> float:
    return float("-inf") if isinstance(x, NegativeInfinity) else _ratio(*x.fraction)


def _in_rows(found: list[Certified], width: int) -> list[list[Certified]]:
    return [found[k : k + width] for k in range(0, len(found), width)]


def _known(x: Scalar | NegativeInfinity) -> Scalar | NegativeInfinity | None:
    return x if isinstance(x, NegativeInfinity) else resolved(x)


def _entry_of(step: Enclosing, i: int, j: int) -> Scalar | NegativeInfinity:
    entry: Scalar | NegativeInfinity = step.value[i, j]
    return entry


def _by_enclosures(
    step: Enclosing, bits: int, read: Callable[[arb], Any], known: Callable[[Any], Any]
) -> tuple[list[Any], int]:
    """read(ball) of every entry, the first answer that is not None, and the number of columns.

    What two precisions leave open may be a rational in disguise, a zero above all: known(rational).
    """
    with precision(bits):
        balls = step.enclosure(bits)
        found = list(map(read, balls))
    width = balls.shape[1]
    for doubling in range(DOUBLINGS - 1):
        pending = [k for k, answer in enumerate(found) if answer is None]
        if doubling == 1:
            for k in pending:
                exact = _known(_entry_of(step, *divmod(k, width)))
                found[k] = None if exact is None else known(exact)
            pending = [k for k in pending if found[k] is None]
        if not pending:
            break
        bits *= 2
        with precision(bits):
            every = list(step.enclosure(bits))
            for k in pending:
                found[k] = read(every[k])
    return found, width


def _digits_of(ball: arb, form: Format) -> str | None:
    """The digits of any number that the ball decides, a number given exactly among them."""
    if ball.is_exact():
        if not ball.is_finite():
            return "-oo" if ball == arb.neg_inf() else None
        return numeral(*_fraction(*_dyadic(ball)), form)
    return _numeral_of(ball, form)


def _dyadic(ball: arb) -> tuple[int, int]:
    mantissa, exponent = ball.man_exp()
    return int(mantissa), int(exponent)


def doubles(step: Enclosing) -> list[list[float]]:
    """The doubles nearest to a step's entries; ValueError, by its name, where one has none."""
    if step.is_deep:
        flat, width = _by_enclosures(
            step, 128, lambda ball: _same(ball, _dyadic_double), _double_at_once
        )
        rows = [flat[k : k + width] for k in range(0, len(flat), width)]
    else:
        certifier = Certifier()
        rows = [[certifier.double(x) for x in row] for row in step.value.rows]
    if any(x is None for row in rows for x in row):
        raise ValueError(f"{step.name} has free symbols or undecided entries, so it has no floats")
    return rows


# --- numerals of balls: the one integer that the scaled ball can round to


def _at_once(x: Scalar | NegativeInfinity, form: Format) -> str | None:
    """The digits that need no ball."""
    if isinstance(x, NegativeInfinity):
        return "-oo"
    return numeral(*x.fraction, form) if x.is_rational else None


def _bits(form: Format) -> int:
    """A first precision, on a coarse scale so that enclosures are shared."""
    digits = form.digits if form.digits is not None else form.places
    return 64 * (2 + int(digits * log2(10)) // 64)


def _numeral_of(ball: arb, form: Format) -> str | None:
    """The digits of an irrational number in the ball, None where the ball does not decide them."""
    if not ball.is_finite() or ball.contains(0):
        return None
    power = _power_of(ball)
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


def _power_of(ball: arb) -> int:
    """About log10 of a number in the ball, never too large by more than one."""
    mantissa, exponent = ball.mid().man_exp()
    return floor((mantissa.bit_length() - 1 + int(exponent)) * LOG10_2)


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


def _same(ball: arb, read: Callable[[int, int], Any]) -> Any:
    ends = endpoints(ball)
    if ends is None:
        return None
    low, high = (read(*end) for end in ends)
    return low if low == high else None


def _fraction(mantissa: int, exponent: int) -> tuple[int, int]:
    return mantissa << max(exponent, 0), 1 << max(-exponent, 0)


def _dyadic_double(mantissa: int, exponent: int) -> float:
    size = mantissa.bit_length() + exponent
    if mantissa == 0 or size < -1100:
        return 0.0
    if size > 1100:
        return float("inf") if mantissa > 0 else float("-inf")
    return _ratio(*_fraction(mantissa, exponent))


def _ratio(p: int, q: int) -> float:
    # Division of integers is correctly rounded.
    try:
        return p / q
    except OverflowError:
        return float("inf") if p > 0 else float("-inf")
