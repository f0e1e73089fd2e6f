"""Matrices of which only the shape is known: the vocabulary of rules on sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from derive.exact.matrix import Matrix


class Blank(Matrix):
    """A matrix without entries; what a rule makes of it has the shape of the result."""

    def __init__(self, rows: int, columns: int) -> None:
        """Of that shape."""
        self._shape = rows, columns

    @property
    def rows(self) -> tuple[tuple[Any, ...], ...]:
        """There are none."""
        raise TypeError("a blank matrix has no entries")

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return self._shape

    @property
    def T(self) -> Blank:
        """The transpose."""
        return Blank(*reversed(self._shape))

    def __matmul__(self, other: Matrix) -> Blank:
        return Blank(self.shape[0], other.shape[1])

    def after(self, left: Matrix) -> Blank:
        """left @ self."""
        return Blank(left.shape[0], self.shape[1])

    def map(self, function: Callable[[Any], Any]) -> Blank:
        """The same shape."""
        return self

    def _entrywise(self, other: Any, operation: Callable[[Any, Any], Any]) -> Blank:
        return self

    def row_sums(self) -> Blank:
        """One column."""
        return Blank(self.shape[0], 1)

    def divide_rows(self, column: Matrix) -> Blank:
        """The same shape."""
        return self

    def weighted_rows(self, other: Matrix) -> Blank:
        """A row for every entry."""
        return Blank(self.shape[0] * self.shape[1], other.shape[1])

    def signs(self) -> Iterator[tuple[int, int | None]]:
        """None is known."""
        return iter(())

    def zero_row(self) -> int | None:
        """None is known."""
        return None

    def where(self, forbidden: Matrix, value: Any) -> Blank:
        """The same shape."""
        return self

    def beside(self, *others: Matrix) -> Blank:
        """As wide as all together."""
        return Blank(self.shape[0], self.shape[1] + sum(m.shape[1] for m in others))

    def below(self, *others: Matrix) -> Blank:
        """As high as all together."""
        return Blank(self.shape[0] + sum(m.shape[0] for m in others), self.shape[1])

    def columns(self, places: Sequence[int]) -> Blank:
        """So many columns."""
        return Blank(self.shape[0], len(places))

    def at(self, places: Sequence[int]) -> Blank:
        """One column."""
        return Blank(self.shape[0], 1)

    def pick(self, places: Sequence[int]) -> Blank:
        """So many rows."""
        return Blank(len(places), self.shape[1])
