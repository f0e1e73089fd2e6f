"""About how wide mathematics is on paper, so that a view can tell what fits a page."""

from __future__ import annotations

from typing import Any

from derive.exact import Matrix
from derive.exact.ink import RULER, UNICODE, Latex
from derive.exact.named import Names
from derive.exact.trace import Grid, MatrixProduct
from derive.exact.write import Writer
from derive.render.blocks import Chain, Worked

PAGE_WIDTH = 78
"""About how many characters a line of mathematics holds."""
FAR_TOO_WIDE = 10 * PAGE_WIDTH
HEAD = 12
"""So much of a line is for the letter before a matrix, and the brackets around it."""
MOST_PARTS, TALLEST = 4, 16
"""A wider matrix is parted by columns into so many parts, if it has no more than so many rows."""


class Measure:
    """Widths in characters, of a derivation written with its names."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._matrices: dict[int, tuple[Matrix, int]] = {}
        self._writers: dict[tuple[str, Any], Writer] = {}

    def text(self, x: Any, ink: Latex = RULER) -> str:
        """The text on one line."""
        values, term = (x.values, x.term) if isinstance(x, Worked) else (None, x)
        key = ink.name, values
        if key not in self._writers:
            self._writers[key] = Writer(ink, self.names, values)
        return self._writers[key].text(term)

    def same(self, x: Any, y: Any) -> bool:
        """Whether both are written alike."""
        return self.text(x) == self.text(y)

    def fits(self, matrix: Matrix) -> bool:
        """Whether the matrix fits a line."""
        return self.matrix(matrix) <= PAGE_WIDTH

    def matrix(self, matrix: Matrix) -> int:
        """Its width; of what is far too wide only that it is."""
        if id(matrix) not in self._matrices:
            self._matrices[id(matrix)] = matrix, self._matrix(matrix)
        return self._matrices[id(matrix)][1]

    def _matrix(self, matrix: Matrix) -> int:
        if 3 * matrix.shape[1] > PAGE_WIDTH or any(x.size > 2 * PAGE_WIDTH for x in matrix):
            return FAR_TOO_WIDE
        return self.grid(grid(matrix))

    def is_short(self, matrix: Matrix) -> bool:
        """Whether no entry is far too wide by itself."""
        return all(x.size <= PAGE_WIDTH for x in matrix)

    def grid(self, written: Grid) -> int:
        """The width of a matrix as it is written out."""
        return 2 + sum(self.columns(written))

    def columns(self, written: Grid, ink: Latex = RULER) -> list[int]:
        """The widths of its columns."""
        writer = Writer(ink, self.names)
        columns = zip(*written.rows, strict=True)
        return [max(len(writer.text(x)) for x in column) + 2 for column in columns]

    def parts(self, written: Grid) -> list[tuple[int, int]]:
        """The first and last column of parts that fit a line, two columns or more in each."""
        if len(written.rows) > TALLEST or 3 * len(written.rows[0]) > MOST_PARTS * PAGE_WIDTH:
            return []
        # A terminal writes fractions on one line.
        widths = self.columns(written, UNICODE)
        for count in range(2, MOST_PARTS + 1):
            size = -(-len(widths) // count)
            if size == 1:
                break
            starts = range(0, len(widths), size)
            if all(sum(widths[k : k + size]) + HEAD <= PAGE_WIDTH for k in starts):
                return [(k + 1, min(k + size, len(widths))) for k in starts]
        return []

    def line(self, chain: Chain) -> int:
        """The width of a chain on one line."""
        sides = (3 + self.side(side) for _, side in chain.rest)
        return self.side(chain.first) + sum(sides)

    def side(self, x: Any) -> int:
        """The width of one side of a chain."""
        if isinstance(x, MatrixProduct):
            return sum(map(self.side, x.factors))
        return self.grid(x) if isinstance(x, Grid) else len(self.text(x))

    def chain(self, chain: Chain) -> int:
        """The width of the widest side."""
        return max(len(self.text(side)) for _, side in chain.rest)


def grid(matrix: Matrix) -> Grid:
    """The matrix written out."""
    return Grid(matrix.rows)
