r"""A plot as LaTeX's own picture environment, which needs no package.

Its lines are Bezier curves that happen to be straight: \line knows few directions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from math import ceil, hypot

from derive.exact.ink import LATEX
from derive.render.blocks import Plot
from derive.render.plot import Layout, Path, dashes, names, scaled, thinned

WIDTH, HEIGHT = 90, 50
"""Millimetres."""
DOT = 0.08
"""LaTeX draws such a curve as dots, at this distance it is a line."""
LEFT, BELOW, ABOVE = 16, 14, 9
Text = Callable[[str], str]


def picture(block: Plot, escaped: Text) -> str:
    """The plot; `escaped` makes LaTeX of its words."""
    lay = Layout(block)
    size = f"({WIDTH + 2 * LEFT},{HEIGHT + BELOW + ABOVE})(-{LEFT},-{BELOW})"
    lines = [*_frame(lay), *_ticks(lay), *_curves(lay), *_legend(block, escaped)]
    lines.append(_box(WIDTH / 2, 2 - BELOW, "t", escaped(block.across), drop=-1))
    body = "\n".join(lines)
    head = "\\setlength{\\unitlength}{1mm}\\footnotesize\\linethickness{0.3pt}"
    return f"{{{head}\n\\begin{{picture}}{size}\n{body}\n\\end{{picture}}}}"


def _frame(lay: Layout) -> Iterator[str]:
    yield rf"\put(0,0){{\line(1,0){{{WIDTH}}}}}"
    yield rf"\put(0,0){{\line(0,1){{{HEIGHT}}}}}"
    if len(lay.sides) > 1:
        yield rf"\put({WIDTH},0){{\line(0,1){{{HEIGHT}}}}}"


def _ticks(lay: Layout) -> Iterator[str]:
    for at, numeral in lay.across.ticks:
        yield rf"\put({at * WIDTH:.2f},0){{\line(0,-1){{1}}}}"
        yield _box(at * WIDTH, -2, "t", f"${LATEX.numeral(numeral)}$")
    for k, side in enumerate(lay.sides):
        x, out, corner = (0, -1, "r") if k == 0 else (WIDTH, 1, "l")
        for at, numeral in side.ticks:
            yield rf"\put({x},{at * HEIGHT:.2f}){{\line({out},0){{1}}}}"
            yield _box(x + 2 * out, at * HEIGHT, corner, f"${LATEX.numeral(numeral)}$")


def _curves(lay: Layout) -> Iterator[str]:
    yield r"\linethickness{0.7pt}"
    for k in range(len(lay.plot.curves)):
        for path in lay.paths(k):
            placed = thinned(scaled(path, WIDTH, HEIGHT), 0.6)
            for part in [placed] if k == 0 else dashes(placed, 2.2, 1.4):
                yield from _segments(part)


def _segments(path: Path) -> Iterator[str]:
    for (x1, y1), (x2, y2) in pairwise(path):
        middle = f"({(x1 + x2) / 2:.2f},{(y1 + y2) / 2:.2f})"
        dots = max(2, ceil(hypot(x2 - x1, y2 - y1) / DOT))
        yield rf"\qbezier[{dots}]({x1:.2f},{y1:.2f}){middle}({x2:.2f},{y2:.2f})"


def _legend(block: Plot, escaped: Text) -> Iterator[str]:
    y = HEIGHT + 5
    for k, name in enumerate(names(block)):
        x = k * WIDTH / 2
        line: Path = ((x, y), (x + 8, y))
        for part in [line] if k == 0 else dashes(line, 2.2, 1.4):
            yield from _segments(part)
        yield _box(x + 10, y, "l", escaped(name))


def _box(x: float, y: float, corner: str, text: str, drop: int = 0) -> str:
    return rf"\put({x:.2f},{y + drop:.2f}){{\makebox(0,0)[{corner}]{{{text}}}}}"
