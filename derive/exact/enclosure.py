"""Matrices of balls: the vocabulary of rules on enclosures.

A rule run on these encloses its result, so that the digits of a step far from the inputs are proved
without its closed form.  Products are FLINT's own, on whole matrices.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from flint import arb, arb_mat

from derive.exact.ball import FUNCTIONS, Balls, integer_power
from derive.exact.infinity import NegativeInfinity
from derive.exact.matrix import Matrix
from derive.exact.numbers import Numbers
from derive.exact.scalar import Scalar


class Enclosures(Matrix):
    """A matrix of real balls, at the precision in force.

    A free symbol has no enclosure: TypeError.
    """

    def __init__(self, balls: arb_mat) -> None:
        """From FLINT's matrix of balls."""
        self._balls: arb_mat | None = balls
        self._lines: tuple[tuple[Any, ...], ...] | None = None
        self._shape = balls.nrows(), balls.ncols()

    @classmethod
    def of(cls, matrix: Matrix) -> Enclosures:
        """The enclosures of exact entries."""
        if isinstance(matrix, Enclosures):
            return matrix
        if isinstance(matrix, Numbers):
            return cls(_of_numbers(matrix))
        balls = Balls()
        return cls.made([[balls.enclose(x) for x in row] for row in matrix.rows])

    @classmethod
    def made(cls, rows: Sequence[Sequence[Any]]) -> Enclosures:
        """From balls in rows, of which FLINT's matrix is made when a product asks for it."""
        lines = tuple([tuple([x if type(x) is arb else arb(x) for x in row]) for row in rows])
        if len(set(map(len, lines))) != 1:
            raise ValueError("rows of one length")
        made = cls.__new__(cls)
        made._balls, made._lines, made._shape = None, lines, (len(lines), len(lines[0]))
        return made

    @property
    def balls(self) -> arb_mat:
        """FLINT's matrix of balls."""
        if self._balls is None:
            self._balls = arb_mat(self._lines or ())
        return self._balls

    @property
    def rows(self) -> tuple[tuple[Any, ...], ...]:
        """The balls, row by row."""
        if self._lines is None:
            self._lines = tuple(map(tuple, self.balls.tolist()))
        return self._lines

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return self._shape

    @property
    def T(self) -> Enclosures:
        """The transpose."""
        if self._lines is None:
            return Enclosures(self.balls.transpose())
        return Enclosures.made(tuple(zip(*self._lines, strict=True)))

    def map(self, function: Callable[[Any], Any]) -> Enclosures:
        """The enclosures function(ball)."""
        return Enclosures.made([[function(x) for x in row] for row in self.rows])

    def after(self, left: Matrix) -> Enclosures:
        """left @ self."""
        return _product(Enclosures.of(left), self)

    def __matmul__(self, other: Matrix) -> Enclosures:
        return _product(self, Enclosures.of(other))

    def _entrywise(self, other: Any, operation: Callable[[Any, Any], Any]) -> Enclosures:
        made = super()._entrywise(_enclosed(other), operation)
        return made if isinstance(made, Enclosures) else Enclosures.made(made.rows)

    def apply(self, function: str) -> Enclosures:
        """A named function of each ball."""
        return self.map(FUNCTIONS[function])

    def __pow__(self, power: int) -> Enclosures:
        return self.map(lambda x: integer_power(x, power))

    def exp(self) -> Enclosures:
        """e to each ball."""
        return self.map(arb.exp)

    def row_sums(self) -> Enclosures:
        """The column of the sums along each row."""
        return Enclosures(self.balls * arb_mat(self.shape[1], 1, [1] * self.shape[1]))

    def divide_rows(self, column: Matrix) -> Enclosures:
        """Each row divided by its entry of the column."""
        return Enclosures.made((self / column).rows)

    def with_zeros(self, is_zero: Callable[[int, int], bool]) -> Enclosures:
        """With 0 for what touches 0 and is known to be 0, at places counted from 0."""
        around = [
            (i, j)
            for i, row in enumerate(self.rows)
            for j, x in enumerate(row)
            if x.is_finite() and x.contains(0) and not x.is_exact() and is_zero(i, j)
        ]
        if not around:
            return self
        balls = arb_mat(self.balls)
        for place in around:
            balls[place] = 0
        return Enclosures(balls)

    def zero_row(self) -> int | None:
        """The first row, counted from 1, whose entries are all exactly zero."""
        zeros = (i for i, row in enumerate(self.rows, 1) if all(x == 0 for x in row))
        return next(zeros, None)

    def where(self, forbidden: Matrix, value: Any) -> Enclosures:
        """The enclosure of `value` where the mask holds -oo, the ball elsewhere."""
        return Enclosures.made(super().where(forbidden, _enclosed(value)).rows)

    def beside(self, *others: Matrix) -> Enclosures:
        """Side by side."""
        return Enclosures.made(super().beside(*map(Enclosures.of, others)).rows)

    def weighted_rows(self, other: Matrix) -> Enclosures:
        """Every entry (i, j) times row j of the other."""
        return Enclosures.made(super().weighted_rows(Enclosures.of(other)).rows)

    def below(self, *others: Matrix) -> Enclosures:
        """One below the other."""
        return Enclosures.made(super().below(*map(Enclosures.of, others)).rows)

    def columns(self, places: Sequence[int]) -> Enclosures:
        """The columns at these places, counted from 1."""
        return Enclosures.made(super().columns(places).rows)

    def at(self, places: Sequence[int]) -> Enclosures:
        """One ball a row."""
        return Enclosures.made(super().at(places).rows)

    def pick(self, places: Sequence[int]) -> Enclosures:
        """The rows at these places, counted from 1."""
        return Enclosures.made(super().pick(places).rows)


def _product(left: Enclosures, right: Enclosures) -> Enclosures:
    """The product; a sum of zeros, which FLINT only encloses, is 0."""
    found = Enclosures(left.balls * right.balls)
    rows = [[x.is_zero() for x in row] for row in left.rows]
    columns = [[x.is_zero() for x in column] for column in zip(*right.rows, strict=True)]

    def is_zero(i: int, j: int) -> bool:
        return all(a or b for a, b in zip(rows[i], columns[j], strict=True))

    return found.with_zeros(is_zero)


def _enclosed(x: Any) -> Any:
    if isinstance(x, Matrix):
        return Enclosures.of(x)
    return Balls().enclose(x) if isinstance(x, (Scalar, NegativeInfinity)) else x


def _of_numbers(matrix: Numbers) -> arb_mat:
    total = arb_mat(*matrix.shape)
    for root, part in matrix.parts.items():
        term = arb_mat(part)
        total += term if root == 1 else term * arb(root).sqrt()
    return total if matrix.den == 1 else total / matrix.den
