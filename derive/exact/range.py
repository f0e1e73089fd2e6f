"""Functions of one symbol over a range, by balls: where they vanish, and where they are largest.

A part of the range is set aside where a ball proves that the function is not 0 there; what is left
is halved.  Where the derivative is proved not to be 0, the signs at both ends tell whether there is
one zero or none (interval bisection; Tucker 2011, ch. 5).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from derive.exact.ball import Balls, precision
from derive.exact.expand import opened
from derive.exact.extent import work
from derive.exact.monomial import Symbol
from derive.exact.scalar import Scalar, number

BITS = 192
MOST_PARTS = 20000
"""So many parts of a range are looked at before the question stays undecided."""
SHORT, MOST_TERMS = 200, 400_000
"""What has more terms is looked at on fewer parts: so many terms are worked out in all."""
NARROW = Fraction(1, 2**80)


class BallsAt(Balls):
    """Balls of expressions in symbols for which balls are given."""

    def __init__(self, symbols: Mapping[str, arb]) -> None:
        """To be used inside one `precision` block."""
        super().__init__()
        self.symbols = symbols

    def _fresh(self, atom: Any) -> arb:
        if isinstance(atom, Symbol) and atom.name in self.symbols:
            return self.symbols[atom.name]
        return super()._fresh(atom)


@dataclass(frozen=True)
class Zero:
    """A zero between low and high, the only one there; `exact` where low = high is the zero."""

    low: Fraction
    high: Fraction

    @property
    def ball(self) -> arb:
        """What contains it, at the precision in force."""
        return ball(self.low, self.high)


@dataclass(frozen=True)
class Zeros:
    """The zeros in a range, and the parts of it where nothing was decided."""

    found: tuple[Zero, ...]
    open: tuple[tuple[Fraction, Fraction], ...]


def ball(low: Fraction, high: Fraction) -> arb:
    """The numbers from low to high."""
    return _exactly(low).union(_exactly(high))


def value_on(f: Scalar, name: str, x: arb) -> arb:
    """A ball with the values of f at every x in a ball, at the precision in force."""
    return BallsAt({name: x}).enclose(f)


def zeros(f: Scalar, slope: Scalar, name: str, low: Fraction, high: Fraction) -> Zeros:
    """Where f vanishes between low and high, both included; `slope` is its derivative."""
    found: list[Zero] = []
    left: list[tuple[Fraction, Fraction]] = []
    with precision(BITS):
        parts = _parts(f, name, low, high, slope)
        for a, b, is_monotone in parts:
            zero = _between(f, name, a, b) if is_monotone else None
            if zero is None:
                left.append((a, b))
            elif zero and not any(z.high >= zero[0].low and z.low <= zero[0].high for z in found):
                found += zero
    return Zeros(tuple(found), tuple(_merged(left)))


def _parts(
    f: Scalar, name: str, low: Fraction, high: Fraction, slope: Scalar | None
) -> Iterator[tuple[Fraction, Fraction, bool]]:
    """(a, b, whether f is monotone there), for the parts where f may vanish, from left to right."""
    waiting, count = [(low, high)], 0
    terms = work(f) if slope is None else work(f, slope)
    most = MOST_PARTS if terms <= SHORT else MOST_TERMS // terms
    while waiting:
        a, b = waiting.pop()
        count += 1
        x = ball(a, b)
        if _excludes(value_on(f, name, x)):
            continue
        if slope is not None and _excludes(value_on(slope, name, x)):
            yield a, b, True
        elif b - a <= NARROW * (high - low) or count > most:
            yield a, b, False
        else:
            middle = (a + b) / 2
            waiting += [(middle, b), (a, middle)]


def _between(f: Scalar, name: str, a: Fraction, b: Fraction) -> list[Zero] | None:
    """The one zero of a monotone f, or none; None where a sign is not decided."""
    left, right = sign_at(f, name, a), sign_at(f, name, b)
    if left is None or right is None:
        return None
    if left == 0 or right == 0:
        return [Zero(a, a) if left == 0 else Zero(b, b)]
    return [_narrowed(f, name, a, b, left)] if left != right else []


def _narrowed(f: Scalar, name: str, a: Fraction, b: Fraction, left: int) -> Zero:
    end = NARROW * (b - a)
    while b - a > end:
        middle = (a + b) / 2
        side = sign_at(f, name, middle)
        if side == 0:
            return Zero(middle, middle)
        if side is None:
            break
        a, b = (middle, b) if side == left else (a, middle)
    return Zero(a, b)


def sign_at(f: Scalar, name: str, x: Fraction) -> int | None:
    """-1 or 1 where a ball proves it, 0 where algebra does, else None."""
    found = value_on(f, name, _exactly(x))
    if found.is_finite() and not found.contains(0):
        return 1 if found > 0 else -1
    plain = opened(f)
    if plain is None:
        return None
    return 0 if plain.substitute({name: number(x.numerator, x.denominator)}).is_zero else None


@dataclass(frozen=True)
class Peak:
    """Where |f| is largest: between low and high, and there between `least` and `most`."""

    low: Fraction
    high: Fraction
    value: arb


def peak(f: Scalar, slope: Scalar, name: str, low: Fraction, high: Fraction) -> Peak | None:
    """The largest |f| between low and high; None where two places are not told apart."""
    with precision(BITS):
        still = _merged([(a, b) for a, b, _ in _parts(slope, name, low, high, None)])
        places = [(low, low), (high, high), *still]
        values = [abs(value_on(f, name, ball(a, b))) for a, b in places]
        best = max(range(len(places)), key=lambda k: float(values[k].lower()))
        rivals = (v for k, v in enumerate(values) if not _touches(places[k], places[best]))
        if not values[best].is_finite() or any(not v < values[best] for v in rivals):
            return None
        near = [p for p in places if _touches(p, places[best])]
        return Peak(min(a for a, _ in near), max(b for _, b in near), values[best])


def _touches(p: tuple[Fraction, Fraction], q: tuple[Fraction, Fraction]) -> bool:
    return p[0] <= q[1] and q[0] <= p[1]


def _merged(parts: Sequence[tuple[Fraction, Fraction]]) -> list[tuple[Fraction, Fraction]]:
    """Parts that touch each other as one."""
    out: list[tuple[Fraction, Fraction]] = []
    for a, b in sorted(parts):
        if out and a <= out[-1][1]:
            out[-1] = out[-1][0], max(b, out[-1][1])
        else:
            out.append((a, b))
    return out


def _exactly(x: Fraction) -> arb:
    return arb(fmpq(x.numerator, x.denominator))


def _excludes(x: arb) -> bool:
    return bool(x.is_finite()) and not x.contains(0)
