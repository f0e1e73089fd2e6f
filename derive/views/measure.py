"""About how wide mathematics is on paper, so that a view can tell what fits a page."""

from __future__ import annotations

from typing import Any

from derive.exact import Matrix
from derive.exact.ink import RULER, Latex
from derive.exact.trace import Grid
from derive.exact.write import Names, Writer
from derive.render.blocks import Chain, Worked

PAGE_WIDTH = 78
"""About how many characters a line of mathematics holds."""
FAR_TOO_WIDE = 10 * PAGE_WIDTH


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

    def grid(self, written: Grid) -> int:
        """The width of a matrix as it is written out."""
        writer = Writer(RULER, self.names)
        columns = zip(*written.rows, strict=True)
        return 2 + sum(max(len(writer.text(x)) for x in column) + 2 for column in columns)

    def chain(self, chain: Chain) -> int:
        """The width of the widest side."""
        return max(len(self.text(side)) for _, side in chain.rest)


def grid(matrix: Matrix) -> Grid:
    """The matrix written out."""
    return Grid(matrix.rows)
