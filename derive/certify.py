"""Proved decimals: the digits of an exact value, rounded once.

A rational is rounded in integers, so a tie is decided exactly.  Any other value is enclosed by a
ball (Arb) whose precision is raised until both ends round to the same digits; where that never
happens the answer is None, "undecided", never a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from flint import arb

from derive.digits import digits_of, double_of, first_bits, numeral_of, ratio, same_of_ends
from derive.exact import Matrix, NegativeInfinity, Scalar
from derive.exact.ball import Balls, precision
from derive.exact.expand import resolved
from derive.numerals import ROUNDINGS, Format, numeral

__all__ = ["ROUNDINGS", "Certified", "Certifier", "Format", "certified", "doubles"]

DOUBLINGS = 8
"""So often the precision is doubled before the answer is "undecided"."""
ASKED = 5
"""And so often before algebra is asked, which for what is deep costs more than a few more bits."""


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
        bits = first_bits(form)
        for doubling in range(DOUBLINGS):
            if not pending:
                break
            with precision(bits):
                balls = self._balls.setdefault(bits, Balls())
                for k in pending:
                    if (digits := numeral_of(balls.enclose(xs[k]), form)) is not None:
                        found[k] = digits
            pending = [k for k in pending if k not in found]
            if doubling == ASKED:
                found |= dict(_rationals(xs, pending, form))
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
            return ratio(*x.fraction)
        answer: float | None = self.agreed(x, 128, lambda ball: same_of_ends(ball, double_of))
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
    if not step.is_deep or _has_symbols(step, first_bits(form)):
        return _in_rows(Certifier().certify_all(tuple(step.value), form), step.value.shape[1])
    found, width = _by_enclosures(
        step,
        first_bits(form),
        lambda ball: digits_of(ball, form),
        lambda x: _at_once(x, form),
    )
    every = [
        Certified(partial(_entry_of, step, *divmod(k, width)), digits, form.rounding, not digits)
        for k, digits in enumerate(found)
    ]
    return _in_rows(every, width)


def _has_symbols(step: Enclosing, bits: int) -> bool:
    """Whether something that the step rests on has a symbol, and so no ball."""
    try:
        with precision(bits):
            step.enclosure(bits)
    except TypeError:
        return True
    return False


def _rationals(
    xs: Sequence[Scalar | NegativeInfinity], pending: Iterable[int], form: Format
) -> Iterator[tuple[int, str]]:
    """The digits of those that turn out to be rational when their letters are put in."""
    for k in pending:
        exact = _known(xs[k])
        if exact is not None and (digits := _at_once(exact, form)) is not None:
            yield k, digits


def _double_of(ball: arb) -> float | None:
    return 0.0 if ball.is_zero() else same_of_ends(ball, double_of)


def _double_at_once(x: Scalar | NegativeInfinity) -> float:
    return float("-inf") if isinstance(x, NegativeInfinity) else ratio(*x.fraction)


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

    What stays open for long may be a rational in disguise, a zero above all: known(rational).
    """
    with precision(bits):
        balls = step.enclosure(bits)
        found = list(map(read, balls))
    width = balls.shape[1]
    for doubling in range(DOUBLINGS - 1):
        pending = [k for k, answer in enumerate(found) if answer is None]
        if doubling == ASKED:
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


def doubles(step: Enclosing) -> list[list[float]]:
    """The doubles nearest to a step's entries; ValueError, by its name, where one has none."""
    if step.is_deep and not _has_symbols(step, 128):
        flat, width = _by_enclosures(step, 128, _double_of, _double_at_once)
        rows = [flat[k : k + width] for k in range(0, len(flat), width)]
    else:
        certifier = Certifier()
        rows = [[certifier.double(x) for x in row] for row in step.value.rows]
    if any(x is None for row in rows for x in row):
        raise ValueError(f"{step.name} has free symbols or undecided entries, so it has no floats")
    return rows


def _at_once(x: Scalar | NegativeInfinity, form: Format) -> str | None:
    """The digits that need no ball."""
    if isinstance(x, NegativeInfinity):
        return "-oo"
    return numeral(*x.fraction, form) if x.is_rational else None
