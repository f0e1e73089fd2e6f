"""A plot in a terminal: curves as dots of Braille characters, two wide and four high each."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from derive.exact.ink import UNICODE
from derive.render.blocks import Plot
from derive.render.plot import Layout, Path, dashes, names, scaled

WIDTH, HEIGHT = 52, 12
_BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
_SAMPLES = ("⠤⠤⠤⠤", "⠤⠀⠤⠀")
Dots = set[tuple[int, int]]


def chart(block: Plot) -> Iterator[str]:
    """The lines of the chart: names, curves between the axes, and the axis below."""
    lay = Layout(block)
    parts = zip(_SAMPLES, names(block), strict=False)
    yield "   ".join(f"{sample} {name}" for sample, name in parts)
    cells = _cells(lay)
    sides = [dict(_rows(side.ticks)) for side in lay.sides]
    wide = [max(map(len, side.values()), default=0) for side in sides]
    for row in range(HEIGHT):
        left = sides[0].get(row, "")
        line = "".join(_character(cells.get((column, row), 0)) for column in range(WIDTH))
        right = sides[1].get(row, "") if len(sides) > 1 else ""
        edge = ("├" if right else "│") if len(sides) > 1 else ""
        yield f"{left:>{wide[0]}} {'┤' if left else '│'}{line}{edge} {right}".rstrip()
    yield from _below(lay, wide[0] + 1)


def _rows(ticks: tuple[tuple[float, str], ...]) -> Iterator[tuple[int, str]]:
    for at, numeral in ticks:
        yield min(HEIGHT - 1, round((1 - at) * (HEIGHT - 1))), UNICODE.numeral(numeral)


def _below(lay: Layout, margin: int) -> Iterator[str]:
    """The axis below, its numerals, and what it is."""
    rule, numerals = ["─"] * WIDTH, [" "] * (WIDTH + margin + 8)
    for at, numeral in lay.across.ticks:
        column, text = min(WIDTH - 1, round(at * (WIDTH - 1))), UNICODE.numeral(numeral)
        rule[column] = "┬"
        first = max(0, margin + 1 + column - len(text) // 2)
        numerals[first : first + len(text)] = text
    yield " " * margin + "└" + "".join(rule)
    yield "".join(numerals).rstrip()
    yield lay.plot.across.center(WIDTH + 2 * margin).rstrip()


def _cells(lay: Layout) -> dict[tuple[int, int], int]:
    """The bits of each character."""
    cells: dict[tuple[int, int], int] = {}
    for k in range(len(lay.plot.curves)):
        for path in lay.paths(k):
            placed = scaled(path, 2 * WIDTH - 1, 4 * HEIGHT - 1)
            for part in [placed] if k == 0 else dashes(placed, 3, 3):
                for x, y in _dots(part):
                    place = x // 2, (4 * HEIGHT - 1 - y) // 4
                    bit = _BITS[(4 * HEIGHT - 1 - y) % 4][x % 2]
                    cells[place] = cells.get(place, 0) | bit
    return cells


def _dots(path: Path) -> Dots:
    found: Dots = set()
    for (x1, y1), (x2, y2) in pairwise(path):
        steps = max(1, round(max(abs(x2 - x1), abs(y2 - y1))))
        for k in range(steps + 1):
            share = k / steps
            found.add((round(x1 + (x2 - x1) * share), round(y1 + (y2 - y1) * share)))
    return found


def _character(bits: int) -> str:
    return chr(0x2800 + bits) if bits else " "
