"""Matrices over a small real number field, carried by integer matrices.

The matrix is  (sum over roots r of sqrt(r) M_r) / den  with integer matrices M_r (FLINT's fmpz_mat)
and squarefree r: what stands before the softmax whenever the inputs are numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from math import gcd, lcm
from typing import Any

from flint import fmpz_mat

from derive.exact.matrix import Matrix
from derive.exact.monomial import ONE, Monomial, monomial
from derive.exact.scalar import Scalar, as_scalar, quotient
from derive.exact.sums import row_denominator, times_integers
from derive.exact.terms import UNIT

MOST_BITS = 2048
"""With a longer common denominator the entries are better kept apart."""
MOST_ROOTS = 32


class Numbers(Matrix):
    """See the module; an exact Matrix that keeps integer matrices by root."""

    def __init__(self, parts: Mapping[int, fmpz_mat], den: int = 1) -> None:
        """`parts` by squarefree root, at least one, over the positive integer `den`."""
        self.parts = parts
        self.den = den

    @classmethod
    def of_integers(cls, rows: Sequence[Sequence[int]]) -> Numbers:
        """A matrix of ints."""
        return cls({1: fmpz_mat([list(row) for row in rows])})

    @classmethod
    def of(cls, rows: Sequence[Sequence[Any]]) -> Numbers | None:
        """The same matrix in this form, or None where an entry is not such a number."""
        if not all(isinstance(x, Scalar) and _in_field(x) for row in rows for x in row):
            return None
        den = _common({x.den[ONE] for row in rows for x in row})
        if den.bit_length() > MOST_BITS:
            return None
        roots = {m.root for row in rows for x in row for m in x.num} or {1}
        if len(roots) > MOST_ROOTS:
            return None
        parts = {r: fmpz_mat([[_part(x, r, den) for x in row] for row in rows]) for r in roots}
        return cls(parts, den)

    @cached_property
    def rows(self) -> tuple[tuple[Any, ...], ...]:
        """The entries as Scalars in lowest terms."""
        made: dict[Any, Scalar] = {}
        return tuple(tuple(self._scalar(key, made) for key in row) for row in self._keys())

    def __reduce__(self) -> tuple[Any, ...]:
        """FLINT's matrices cannot be pickled; their integers can."""
        return _restored, ({r: _integers(m) for r, m in self.parts.items()}, self.den)

    def _keys(self) -> list[list[Any]]:
        """Per entry its integers by root, so that equal entries become one Scalar."""
        tables = [m.tolist() for m in self.parts.values()]
        return [list(zip(*rows, strict=True)) for rows in zip(*tables, strict=True)]

    def _scalar(self, key: tuple[Any, ...], made: dict[Any, Scalar]) -> Scalar:
        if key not in made:
            pairs = zip(self.parts, map(int, key), strict=True)
            num = {monomial(root=r): c for r, c in pairs if c}
            made[key] = quotient(num, UNIT if self.den == 1 else {ONE: self.den})
        return made[key]

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        part = next(iter(self.parts.values()))
        return part.nrows(), part.ncols()

    @property
    def T(self) -> Numbers:
        """The transpose."""
        return Numbers({r: m.transpose() for r, m in self.parts.items()}, self.den)

    def __matmul__(self, other: Matrix) -> Matrix:
        """The product, in integers where both are numbers."""
        if not isinstance(other, Numbers):
            return super().__matmul__(other)
        parts: dict[int, fmpz_mat] = {}
        for r1, m1 in self.parts.items():
            for r2, m2 in other.parts.items():
                g = gcd(r1, r2)
                _accumulate(parts, r1 * r2 // (g * g), m1 * m2 if g == 1 else m1 * m2 * g)
        return Numbers(parts, self.den * other.den)

    def after(self, left: Matrix) -> Matrix:
        """left @ self, with integer arithmetic on the coefficients of each row of left."""
        if set(self.parts) != {1} or any(row_denominator(row) is None for row in left.rows):
            return super().after(left)
        columns = _integers(self.parts[1].transpose())
        return Matrix([times_integers(row, columns, self.den) for row in left.rows])

    def map(self, function: Callable[[Any], Any]) -> Matrix:
        """The matrix of function(entry), on this carrier where it still holds it."""
        return _carried(super().map(function))

    def _entrywise(self, other: Any, operation: Callable[[Any, Any], Any]) -> Matrix:
        return _carried(super()._entrywise(other, operation))

    def beside(self, *others: Matrix) -> Matrix:
        """Side by side."""
        return _carried(super().beside(*others))

    def columns(self, places: Sequence[int]) -> Matrix:
        """The columns at these places, counted from 1."""
        return _carried(super().columns(places))

    def pick(self, places: Sequence[int]) -> Matrix:
        """The rows at these places, counted from 1."""
        return _carried(super().pick(places))

    def row_sums(self) -> Matrix:
        """The column of the sums along each row."""
        return self @ Numbers.of_integers([[1]] * self.shape[1])

    def __add__(self, other: Any) -> Matrix:
        if not (isinstance(other, Numbers) and other.shape == self.shape):
            return super().__add__(other)
        den = lcm(self.den, other.den)
        parts: dict[int, fmpz_mat] = {}
        for matrix in (self, other):
            for r, m in matrix.parts.items():
                _accumulate(parts, r, m * (den // matrix.den))
        return Numbers(parts, den)

    def __neg__(self) -> Numbers:
        return Numbers({r: -m for r, m in self.parts.items()}, self.den)

    def __sub__(self, other: Any) -> Matrix:
        return self + -other if isinstance(other, Numbers) else super().__sub__(other)

    def __truediv__(self, other: Any) -> Matrix:
        """By a scalar of the same field in integers; otherwise entry by entry."""
        scalar = None if isinstance(other, Matrix) else as_scalar(other)
        inverse = 1 / scalar if isinstance(scalar, Scalar) else None
        if inverse is None or not _in_field(inverse):
            return super().__truediv__(other)
        parts: dict[int, fmpz_mat] = {}
        for r, m in self.parts.items():
            for unit, c in inverse.num.items():
                g = gcd(r, unit.root)
                _accumulate(parts, r * unit.root // (g * g), m * (c * g))
        return Numbers(parts, self.den * inverse.den[ONE])

    def exp(self) -> Matrix:
        """e to each entry; equal entries become one Scalar."""
        made: dict[Any, Scalar] = {}
        roots = [monomial(root=r) for r in self.parts]
        return Matrix([[self._power(key, roots, made) for key in row] for row in self._keys()])

    def _power(
        self, key: tuple[Any, ...], roots: Sequence[Monomial], made: dict[Any, Scalar]
    ) -> Scalar:
        if key not in made:
            made[key] = (
                self._scalar(key, {}).exp() if len(roots) > 1 else _exp(key, roots, self.den)
            )
        return made[key]


def _carried(made: Matrix) -> Matrix:
    """The matrix in this form, where it still has it."""
    return Numbers.of(made.rows) or made


def _integers(m: fmpz_mat) -> list[list[int]]:
    return [list(map(int, row)) for row in m.tolist()]


def _restored(parts: Mapping[int, list[list[int]]], den: int) -> Numbers:
    return Numbers({r: fmpz_mat(rows) for r, rows in parts.items()}, den)


def _exp(key: tuple[Any, ...], roots: Sequence[Monomial], den: int) -> Scalar:
    p, g = int(key[0]), gcd(int(key[0]), den)
    if not p:
        return Scalar({ONE: 1})
    return Scalar({monomial(exponent=((roots[0], p // g, den // g),)): 1})


def _common(denominators: set[int]) -> int:
    """Their least common multiple, or any number too long to be used."""
    common = 1
    for d in denominators:
        common = lcm(common, d)
        if common.bit_length() > MOST_BITS:
            break
    return common


def _in_field(x: Scalar) -> bool:
    return x.is_polynomial and all(not m.powers and not m.exponent for m in x.num)


def _part(x: Scalar, root: int, den: int) -> int:
    return x.num.get(monomial(root=root), 0) * (den // x.den[ONE])


def _accumulate(parts: dict[int, fmpz_mat], root: int, m: fmpz_mat) -> None:
    parts[root] = parts[root] + m if root in parts else m
