"""A heatmap as inline SVG: colours and letters are the page's, in light, in dark and on paper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import accumulate
from math import cos, radians, sin

from derive.exact.ink import UNICODE
from derive.render.blocks import Heatmap
from derive.render.wrap import columns

CHARACTER, CAPITAL, WIDE = 8.0, 11.0, 13.0
"""The widths of letters, where the page's letter size is 16."""
HEIGHT, GAP, MARGIN = 36, 3, 2
LONGEST = 130.0
"""A name wider than this is cut; the whole of it is said in the description."""
TURN = 40
"""Degrees by which names along the top are turned where they are wider than a cell."""


def svg(block: Heatmap, name: str) -> str:
    """The map; `name` starts the ids of its title and description."""
    lay = _Layout(block)
    size = f'viewBox="0 0 {lay.width:.0f} {lay.height:.0f}"'
    marks = "".join((*lay.top(), *lay.sides(), *lay.cells()))
    return (
        f'<svg role="img" aria-labelledby="{name}-title" aria-describedby="{name}-desc" {size} '
        f'width="{lay.width / 16:.3f}em" height="{lay.height / 16:.3f}em">'
        f'<title id="{name}-title">{escape(block.label)}</title>'
        f'<desc id="{name}-desc">{escape(description(block))}</desc>{marks}</svg>'
    )


def description(block: Heatmap) -> str:
    """Every number, row by row, under the names of the columns."""
    head = ", ".join(block.columns)
    rows = (
        f"{row}: {', '.join(UNICODE.numeral(numeral) for numeral, _ in cells)}"
        for row, cells in zip(block.rows, block.cells, strict=True)
    )
    return "; ".join((head, *rows))


@dataclass(frozen=True)
class _Layout:
    block: Heatmap

    @cached_property
    def cell(self) -> float:
        numerals = (UNICODE.numeral(text) for row in self.block.cells for text, _ in row)
        return max(48.0, 12 + 7.4 * max(map(len, numerals), default=0))

    @cached_property
    def longest_column(self) -> float:
        return max(map(_shown_width, self.block.columns), default=0)

    @property
    def is_turned(self) -> bool:
        return self.longest_column > self.cell - GAP

    @cached_property
    def left(self) -> float:
        return MARGIN + 10 + max(map(_shown_width, self.block.rows), default=0)

    @cached_property
    def above(self) -> float:
        return 26 + (self.longest_column * sin(radians(TURN)) + 8 if self.is_turned else 0)

    @property
    def width(self) -> float:
        over = self.longest_column * cos(radians(TURN)) - self.cell / 2 if self.is_turned else 0
        return self.left + self.cell * len(self.block.columns) + MARGIN + max(0, over)

    @property
    def height(self) -> float:
        return self.above + (HEIGHT + GAP) * len(self.block.rows) + MARGIN

    def middle(self, column: int) -> float:
        return self.left + self.cell * (column + 0.5)

    def baseline(self, row: int) -> float:
        return self.above + (HEIGHT + GAP) * row + HEIGHT / 2 + 5

    def top(self) -> Iterator[str]:
        for k, name in enumerate(self.block.columns):
            x, y = self.middle(k), self.above - 9
            if self.is_turned:
                turn = f' transform="rotate(-{TURN} {x - 3:.1f} {y:.1f})"'
                yield _text(_cut(name), x - 3, y, "start", turn)
            else:
                yield _text(_cut(name), x, y, "middle")

    def sides(self) -> Iterator[str]:
        for k, name in enumerate(self.block.rows):
            yield _text(_cut(name), self.left - 9, self.baseline(k), "end")

    def cells(self) -> Iterator[str]:
        for i, row in enumerate(self.block.cells):
            for j, (numeral, shade) in enumerate(row):
                x, y = self.left + self.cell * j, self.above + (HEIGHT + GAP) * i
                yield (
                    f'<rect x="{x:.1f}" y="{y:.1f}" width="{self.cell - GAP:.1f}" '
                    f'height="{HEIGHT}" rx="3" fill-opacity="{min(max(shade, 0), 1):.3f}"/>'
                )
                middle = self.middle(j) - GAP / 2
                yield _text(_numeral(numeral), middle, self.baseline(i), "middle")


def _shown_width(name: str) -> float:
    return min(_width(name), LONGEST)


def _width(text: str) -> float:
    """About how wide the text is in print, or a little less than this."""
    return sum(map(_character, text))


def _character(c: str) -> float:
    if columns(c) == 2 or c in "mwMW%…":
        return WIDE + (columns(c) == 2)
    return CAPITAL if c.isupper() or c in "&<>=+@" else CHARACTER * columns(c)


def _text(markup: str, x: float, y: float, anchor: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{markup}</text>'


def _cut(name: str) -> str:
    """The name, or its beginning where it is too long for the margin."""
    if _width(name) > LONGEST:
        widths = accumulate(map(_character, name))
        name = "".join(c for c, w in zip(name, widths, strict=True) if w + WIDE < LONGEST) + "…"
    return escape(name)


def _numeral(text: str) -> str:
    """The numeral, a power of ten raised."""
    digits, _, power = text.partition("e")
    if not power:
        return escape(UNICODE.numeral(text))
    raised = escape(power.replace("-", UNICODE.minus))
    return f'{escape(UNICODE.numeral(digits))}·10<tspan class="power" dy="-5">{raised}</tspan>'
