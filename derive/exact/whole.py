"""Matrices by their letters: a rule run on these is written in matrix notation.

The notation is as the rule wrote it, with what matrix notation leaves unsaid put in: a column that
meets a matrix entry by entry is c 1^T, a row 1 r.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from derive.exact.blank import Blank
from derive.exact.matrix import Matrix
from derive.exact.scalar import as_scalar
from derive.exact.trace import (
    Apply,
    Beside,
    Entry,
    Grid,
    Hadamard,
    Name,
    Negative,
    Power,
    Product,
    Quotient,
    Sum,
    Symbol,
    Term,
    Value,
    term,
)

ONES = Name("1")
ALLOWED = Symbol("[M=0]")
"""The matrix that is 1 where the mask M allows a score and 0 elsewhere (Iverson's bracket)."""


class Whole(Blank):
    """A matrix of which the shape and the notation are known."""

    def __init__(self, written: Term, rows: int, columns: int) -> None:
        """Of that shape."""
        super().__init__(rows, columns)
        self.term = written

    @classmethod
    def of(cls, name: str, shape: tuple[int, int]) -> Whole:
        """A step by its letter."""
        return cls(Name(name), *shape)

    @property
    def is_zero(self) -> bool:
        """Whether it is written 0."""
        return self.term == Value(as_scalar(0))

    @property
    def T(self) -> Whole:
        """The transpose."""
        return self._shaped(self.term if self.is_zero else self.term.T, self.shape[::-1])

    def __matmul__(self, other: Matrix) -> Whole:
        right = _whole(other)
        return self._shaped(self.term @ right.term, (self.shape[0], right.shape[1]))

    def after(self, left: Matrix) -> Whole:
        """left @ self."""
        return _whole(left) @ self

    def __add__(self, other: Any) -> Whole:
        return self._joined(other, lambda x, y: x + y)

    def __radd__(self, other: Any) -> Whole:
        return self._joined(other, lambda x, y: y + x)

    def __sub__(self, other: Any) -> Whole:
        return self._joined(other, lambda x, y: x - y)

    def __rsub__(self, other: Any) -> Whole:
        return self._joined(other, lambda x, y: y - x)

    def _joined(self, other: Any, operation: Any) -> Whole:
        """A sum or a difference; what is written 0 is left out."""
        if not isinstance(other, Matrix):
            return self._shaped(operation(self.term, term(other)))
        right, shape = _whole(other), _wider(self.shape, other.shape)
        x, y = self._spread(shape), right._spread(shape)
        if self.is_zero:
            found = operation(Value(as_scalar(0)), y)
            is_sum = isinstance(found, Sum) and not isinstance(found.terms[1], Negative)
            return self._shaped(y if is_sum else Negative(y), shape)
        return self._shaped(x if right.is_zero else operation(x, y), shape)

    def __mul__(self, other: Any) -> Whole:
        """Entry by entry, or by a number."""
        if not isinstance(other, Matrix):
            return self._times(other)
        right, shape = _whole(other), _wider(self.shape, other.shape)
        if self.is_zero or right.is_zero:
            return self._shaped(Value(as_scalar(0)), shape)
        x, y = self._spread(shape), right._spread(shape)
        return self._shaped(Hadamard((*_factors(x), *_factors(y))), shape)

    def _times(self, other: Any) -> Whole:
        if other == 1 or self.is_zero:
            return self
        if other == 0:
            return self._shaped(Value(as_scalar(0)))
        return self._shaped(Product((term(other), self.term)))

    def __truediv__(self, other: Any) -> Whole:
        """By a number, or entry by entry."""
        if not isinstance(other, Matrix):
            return self._over(other)
        right, shape = _whole(other), _wider(self.shape, other.shape)
        below = right.term if right.shape == (1, 1) else right._spread(shape)
        return self._shaped(Quotient(self._spread(shape), below), shape)

    def _over(self, number: Any) -> Whole:
        if isinstance(self.term, Product) and isinstance(self.term.factors[0], Value):
            first, *others = self.term.factors
            rest = others[0] if len(others) == 1 else Product(tuple(others))
            return self._shaped(rest)._times(first.value / number)  # type: ignore[attr-defined]
        return self if number == 1 else self._shaped(Quotient(self.term, term(number)))

    def __neg__(self) -> Whole:
        return self if self.is_zero else self._shaped(Negative(self.term))

    def __pow__(self, power: int) -> Whole:
        return self._shaped(Power(self.term, power))

    def exp(self) -> Whole:
        """e to each entry."""
        return self.apply("exp")

    def apply(self, function: str) -> Whole:
        """A named function of each entry."""
        return self._shaped(Apply(function, self.term))

    def row_sums(self) -> Whole:
        """X 1."""
        return self._shaped(self.term @ ONES, (self.shape[0], 1))

    def column_sums(self) -> Whole:
        """1^T X."""
        return self._shaped(ONES.T @ self.term, (1, self.shape[1]))

    def row_means(self) -> Whole:
        """X 1 / d."""
        return self.row_sums() / self.shape[1]

    def divide_rows(self, column: Matrix) -> Whole:
        """X / (z 1^T)."""
        return self / column

    def where(self, forbidden: Matrix, value: Any) -> Whole:
        """The entries that the mask allows; only 0 can stand for the others."""
        assert value == 0
        return self if self.is_zero else self._shaped(Hadamard((*_factors(self.term), ALLOWED)))

    def beside(self, *others: Matrix) -> Whole:
        """Side by side; neighbours that are written 0 are one."""
        parts = [self, *map(_whole, others)]
        width = sum(part.shape[1] for part in parts)
        kept = [p for i, p in enumerate(parts) if not (i and p.is_zero and parts[i - 1].is_zero)]
        return self._shaped(Beside(tuple(p.term for p in kept)), (self.shape[0], width))

    def below(self, *others: Matrix) -> Whole:
        """One below the other, as the transpose of what stands side by side."""
        return self.T.beside(*(_whole(other).T for other in others)).T

    def columns(self, places: Sequence[int]) -> Whole:
        """X[:, 1:2]."""
        return self._part((":", _span(places)), (self.shape[0], len(places)))

    def pick(self, places: Sequence[int]) -> Whole:
        """X[1:2, :]."""
        return self._part((_span(places), ":"), (len(places), self.shape[1]))

    def at(self, places: Sequence[int]) -> Whole:
        """X[:, y]: in row i the column y_i."""
        return self._part((":", "y"), (self.shape[0], 1))

    def _part(self, indices: tuple[str, str], shape: tuple[int, int]) -> Whole:
        if self.is_zero:
            return self._shaped(self.term, shape)
        if isinstance(self.term, Name):
            return self._shaped(Entry(self.term.step, indices), shape)
        return self._shaped(Apply("part", self.term), shape)

    def _spread(self, shape: tuple[int, int]) -> Term:
        """The notation of this matrix where it meets one of that shape entry by entry."""
        if self.shape == shape or self.is_zero:
            return self.term
        tall = self.shape[0] == shape[0]
        wide = self.shape[1] == shape[1]
        written = self.term if tall else ONES @ self.term
        return written if wide else written @ ONES.T

    def _shaped(self, written: Term, shape: tuple[int, int] | None = None) -> Whole:
        return Whole(written, *(shape or self.shape))


def _whole(x: Matrix) -> Whole:
    if isinstance(x, Whole):
        return x
    # A constant of the operation itself is written out.
    return Whole(Grid(x.rows), *x.shape)


def _wider(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    return max(a[0], b[0]), max(a[1], b[1])


def _factors(x: Term) -> tuple[Term, ...]:
    return x.factors if isinstance(x, Hadamard) else (x,)


def _span(places: Sequence[int]) -> str:
    first, last = places[0], places[-1]
    return str(first) if first == last else f"{first}:{last}"
