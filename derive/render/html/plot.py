"""A plot as inline SVG, in the ink of the page."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from derive.exact.ink import UNICODE
from derive.render.blocks import Plot
from derive.render.plot import Axis, Layout, names, scaled
from derive.render.wrap import columns

WIDTH, HEIGHT = 460, 260
LEFT, RIGHT, ABOVE, BELOW = 64, 64, 34, 50
STYLES = ("", ' stroke-dasharray="7 5"')
INK = 'fill="none" stroke="currentColor"'


def svg(block: Plot, name: str) -> str:
    """The plot; `name` starts the ids of its title and description."""
    lay = Layout(block)
    wide, high = LEFT + WIDTH + RIGHT, ABOVE + HEIGHT + BELOW
    marks = "".join((*_frame(lay), *_ticks(lay), *_curves(lay), *_legend(block)))
    return (
        f'<svg role="img" aria-labelledby="{name}-title" aria-describedby="{name}-desc" '
        f'viewBox="0 0 {wide} {high}" width="{wide / 16:.3f}em" height="{high / 16:.3f}em">'
        f'<title id="{name}-title">{escape(block.label)}</title>'
        f'<desc id="{name}-desc">{escape(description(block))}</desc>{marks}</svg>'
    )


def description(block: Plot) -> str:
    """Where each curve begins and ends, and how high it goes."""
    lay = Layout(block)
    sides = [lay.sides[min(k, len(lay.sides) - 1)] for k in range(len(block.curves))]
    return "; ".join(
        f"{name}: {_ends(side)}" for name, side in zip(names(block), sides, strict=True)
    )


def _ends(side: Axis) -> str:
    return f"{UNICODE.numeral(side.ticks[0][1])} … {UNICODE.numeral(side.ticks[-1][1])}"


def _frame(lay: Layout) -> Iterator[str]:
    bottom = ABOVE + HEIGHT
    yield _line(LEFT, bottom, LEFT + WIDTH, bottom)
    yield _line(LEFT, ABOVE, LEFT, bottom)
    if len(lay.sides) > 1:
        yield _line(LEFT + WIDTH, ABOVE, LEFT + WIDTH, bottom, STYLES[1])
    for side, style in zip(lay.sides, STYLES, strict=False):
        if side.low < 0 < side.high:
            y = bottom - side.at(0) * HEIGHT
            yield _line(LEFT, y, LEFT + WIDTH, y, style + ' stroke-opacity="0.25"')


def _ticks(lay: Layout) -> Iterator[str]:
    bottom = ABOVE + HEIGHT
    for at, numeral in lay.across.ticks:
        x = LEFT + at * WIDTH
        yield _line(x, bottom, x, bottom + 5)
        yield _text(UNICODE.numeral(numeral), x, bottom + 20, "middle")
    yield _text(lay.plot.across, LEFT + WIDTH / 2, bottom + 42, "middle")
    for k, side in enumerate(lay.sides):
        x, out, anchor = (LEFT, -5, "end") if k == 0 else (LEFT + WIDTH, 5, "start")
        for at, numeral in side.ticks:
            y = bottom - at * HEIGHT
            yield _line(x, y, x + out, y)
            yield _text(UNICODE.numeral(numeral), x + 1.8 * out, y + 5, anchor)


def _curves(lay: Layout) -> Iterator[str]:
    for k in range(len(lay.plot.curves)):
        for path in lay.paths(k):
            points = " ".join(
                f"{LEFT + x:.1f},{ABOVE + HEIGHT - y:.1f}" for x, y in scaled(path, WIDTH, HEIGHT)
            )
            yield f'<polyline {INK} stroke-width="1.8"{STYLES[k]} points="{points}"/>'


def _legend(block: Plot) -> Iterator[str]:
    x = float(LEFT)
    for name, style in zip(names(block), STYLES, strict=False):
        yield _line(x, 14, x + 30, 14, style + ' stroke-width="1.8"')
        yield _text(name, x + 37, 19, "start")
        x += 37 + 8.2 * columns(name) + 24


def _line(x1: float, y1: float, x2: float, y2: float, style: str = "") -> str:
    return f'<path {INK}{style} d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"/>'


def _text(text: str, x: float, y: float, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
