"""The geometry of a plot, which every format draws: axes with round ticks, and paths of curves.

Places are fractions of the width and the height, counted from below at the left.  The first curve
is drawn solid, the second dashed, so that no colour is needed to tell them apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import floor, hypot, isfinite, log10

from derive.render.blocks import Plot

MOST_TICKS = 6
Path = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Axis:
    """From low to high, a tick with its numeral every `step`."""

    low: Fraction
    high: Fraction
    step: Fraction

    def at(self, x: float) -> float:
        """Where x is on the axis: 0 at its low end, 1 at its high one."""
        return (x - float(self.low)) / float(self.high - self.low)

    @cached_property
    def ticks(self) -> tuple[tuple[float, str], ...]:
        """(place, numeral)."""
        first, last = self.low // self.step, self.high // self.step
        marks = (k * self.step for k in range(int(first), int(last) + 1))
        return tuple((self.at(float(x)), _numeral(x, self.step)) for x in marks if x >= self.low)


def axis(values: Iterable[float], is_rounded: bool = True) -> Axis:
    """An axis that holds the values; is_rounded: whether it begins and ends at a tick."""
    known = [x for x in values if isfinite(x)] or [0.0]
    low, high = Fraction(min(known)), Fraction(max(known))
    if low == high:
        half = (abs(low) or Fraction(1)) / 2
        low, high = low - half, high + half
    step = _step(high - low)
    if is_rounded:
        low, high = (low // step) * step, -((-high) // step) * step
    return Axis(low, high, step)


def _step(span: Fraction) -> Fraction:
    """1, 2 or 5 times a power of ten, so that a few ticks span as much."""
    power = floor(log10(float(span) / MOST_TICKS))
    unit = Fraction(10**power) if power >= 0 else Fraction(1, 10**-power)
    return next(unit * k for k in (1, 2, 5, 10, 20) if span <= MOST_TICKS * unit * k)


def _numeral(x: Fraction, step: Fraction) -> str:
    """The decimal numeral of a tick, exactly, with as many places as the step has."""
    if x and not Fraction(1, 10**5) < abs(step) < 10**6:
        return f"{float(x):.3g}"
    places = 0
    while (step * 10**places).denominator != 1:
        places += 1
    n = abs(int(x * 10**places))
    digits = str(n).rjust(places + 1, "0")
    whole, part = digits[: len(digits) - places], digits[len(digits) - places :]
    return ("-" if x < 0 else "") + whole + (f".{part}" if part else "")


@dataclass(frozen=True)
class Layout:
    """A plot with its axes: one below, and one or two at the sides."""

    plot: Plot

    @cached_property
    def across(self) -> Axis:
        """The axis below."""
        return axis((x for _, points in self.plot.curves for x, _ in points), is_rounded=False)

    @cached_property
    def sides(self) -> tuple[Axis, ...]:
        """The axis at the left, and one at the right where the second curve has its own."""
        heights = [[y for _, y in points] for _, points in self.plot.curves]
        if self.plot.is_shared or len(heights) == 1:
            return (axis(y for ys in heights for y in ys),)
        return tuple(map(axis, heights))

    def paths(self, k: int) -> list[Path]:
        """The curve k, from 0, in pieces without gaps."""
        side = self.sides[min(k, len(self.sides) - 1)]
        pieces: list[list[tuple[float, float]]] = [[]]
        for x, y in self.plot.curves[k][1]:
            if isfinite(y):
                pieces[-1].append((self.across.at(x), side.at(y)))
            elif pieces[-1]:
                pieces.append([])
        return [tuple(piece) for piece in pieces if len(piece) > 1]


def scaled(path: Path, width: float, height: float) -> Path:
    """The path in a box of that size."""
    return tuple((x * width, y * height) for x, y in path)


def dashes(path: Path, on: float, off: float) -> Iterator[Path]:
    """The parts of a path that a dashed line draws."""
    done, is_on = 0.0, True
    piece: list[tuple[float, float]] = [path[0]]
    for start, end in pairwise(path):
        here, left = start, hypot(end[0] - start[0], end[1] - start[1])
        while left > (room := (on if is_on else off) - done):
            share = room / left
            here = here[0] + (end[0] - here[0]) * share, here[1] + (end[1] - here[1]) * share
            left, done = left - room, 0.0
            if is_on:
                yield (*piece, here)
            is_on, piece = not is_on, [here]
        done += left
        piece.append(end)
    if is_on and len(piece) > 1:
        yield tuple(piece)


def thinned(path: Path, least: float) -> Path:
    """The path without points that are nearer than `least` to the one before."""
    kept: list[tuple[float, float]] = [path[0]]
    for point in path[1:-1]:
        if hypot(point[0] - kept[-1][0], point[1] - kept[-1][1]) >= least:
            kept.append(point)
    return (*kept, path[-1])


def names(plot: Plot) -> Sequence[str]:
    """The names of the curves."""
    return [name for name, _ in plot.curves]
