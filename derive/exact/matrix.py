"""Small exact matrices, and the vocabulary in which rules are written.

One vocabulary serves three kinds of entries: kernel Scalars, SymPy expressions and the unevaluated
terms of `derive.exact.trace`.  A matrix whose entries are numbers of a small real number field is
carried by integer matrices instead (`derive.exact.numbers`), with the same vocabulary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from derive.exact.infinity import NegativeInfinity
from derive.exact.scalar import Scalar, as_scalar


class Matrix:
    """An immutable matrix with entries that add and multiply; rows of equal length."""

    def __init__(self, rows: Sequence[Sequence[Any]]) -> None:
        """Rows from top to bottom; at least one row and one column."""
        self._rows = tuple(map(tuple, rows))

    @property
    def rows(self) -> tuple[tuple[Any, ...], ...]:
        """The entries, row by row."""
        return self._rows

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return len(self.rows), len(self.rows[0])

    def __getitem__(self, place: tuple[int, int]) -> Any:
        """Entry (row, column), counted from 0."""
        return self.rows[place[0]][place[1]]

    def __iter__(self) -> Iterator[Any]:
        """The entries, row by row."""
        for row in self.rows:
            yield from row

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Matrix):
            return NotImplemented
        return self.shape == other.shape and all(a == b for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(self.shape)

    def __repr__(self) -> str:
        return f"Matrix({[list(row) for row in self.rows]})"

    def map(self, function: Callable[[Any], Any]) -> Matrix:
        """The matrix of function(entry)."""
        return Matrix([[function(x) for x in row] for row in self.rows])

    # --- the vocabulary of rules

    @property
    def T(self) -> Matrix:
        """The transpose."""
        return Matrix(list(zip(*self.rows, strict=True)))

    def __matmul__(self, other: Matrix) -> Matrix:
        """The product; each entry a sum in the order of the inner index."""
        return other.after(self)

    def after(self, left: Matrix) -> Matrix:
        """left @ self; a carrier that knows a quicker way says so here."""
        columns = list(zip(*self.rows, strict=True))
        return Matrix([[dot(row, column) for column in columns] for row in left.rows])

    def __add__(self, other: Any) -> Matrix:
        return self._entrywise(other, lambda x, y: x + y)

    def __radd__(self, other: Any) -> Matrix:
        return self._entrywise(other, lambda x, y: y + x)

    def __rsub__(self, other: Any) -> Matrix:
        return self._entrywise(other, lambda x, y: y - x)

    def __sub__(self, other: Any) -> Matrix:
        return self._entrywise(other, lambda x, y: x - y)

    def __mul__(self, other: Any) -> Matrix:
        """Entry by entry, or by a scalar."""
        return self._entrywise(other, lambda x, y: x * y)

    def __truediv__(self, other: Any) -> Matrix:
        """By a scalar, or entry by entry."""
        return self._entrywise(other, lambda x, y: x / y)

    def __neg__(self) -> Matrix:
        return self.map(lambda x: -x)

    def _entrywise(self, other: Any, operation: Callable[[Any, Any], Any]) -> Matrix:
        """With a matrix of this shape, a column (one value a row), a row, or a scalar."""
        if not isinstance(other, Matrix):
            return self.map(lambda x: operation(x, other))
        met = other.alongside(self)
        if met is not self:
            return operation(met, other)
        height, width = self.shape
        tall = other.rows * height if len(other.rows) == 1 else other.rows
        wide = [row * width if len(row) == 1 else row for row in tall]
        pairs = zip(self.rows, wide, strict=True)
        return Matrix([[operation(x, y) for x, y in zip(xs, ys, strict=True)] for xs, ys in pairs])

    def alongside(self, other: Matrix) -> Matrix:
        """The other, on this carrier where entries of the two cannot meet by themselves."""
        return other

    def exp(self) -> Matrix:
        """e to each entry."""
        return self.map(exp)

    def apply(self, function: str) -> Matrix:
        """A named function of each entry; see `derive.exact.functions`."""
        return self.map(lambda x: apply(function, x))

    def __pow__(self, power: int) -> Matrix:
        """Each entry to an integer power."""
        return self.map(lambda x: x**power)

    def row_sums(self) -> Matrix:
        """The column of the sums along each row."""
        return Matrix([[total(row)] for row in self.rows])

    def divide_rows(self, column: Matrix) -> Matrix:
        """Each row divided by its entry of the column."""
        return Matrix([divided(row, z) for row, (z,) in zip(self.rows, column.rows, strict=True)])

    def column_sums(self) -> Matrix:
        """The row of the sums down each column."""
        return self.T.row_sums().T

    def row_means(self) -> Matrix:
        """The column of the means along each row."""
        return self.row_sums() / self.shape[1]

    def beside(self, *others: Matrix) -> Matrix:
        """The matrices side by side: [self | other | ...], all with as many rows."""
        every = (self.rows, *(other.rows for other in others))
        return Matrix([[x for row in rows for x in row] for rows in zip(*every, strict=True)])

    def columns(self, places: Sequence[int]) -> Matrix:
        """The columns at these places, counted from 1, in this order."""
        return Matrix([[row[j - 1] for j in places] for row in self.rows])

    def at(self, places: Sequence[int]) -> Matrix:
        """The column of one entry a row, at the places counted from 1."""
        return Matrix([[row[j - 1]] for row, j in zip(self.rows, places, strict=True)])

    def below(self, *others: Matrix) -> Matrix:
        """The matrices one below the other, all as wide."""
        return Matrix([row for m in (self, *others) for row in m.rows])

    def pick(self, places: Sequence[int]) -> Matrix:
        """The rows at these places, counted from 1, in this order."""
        return Matrix([self.rows[i - 1] for i in places])

    def weighted_rows(self, other: Matrix) -> Matrix:
        """Every entry (i, j) times row j of the other, one below the other."""
        pairs = (
            (a, row) for weights in self.rows for a, row in zip(weights, other.rows, strict=True)
        )
        return Matrix([[a * x for x in row] for a, row in pairs])

    def signs(self) -> Iterator[tuple[int, int | None]]:
        """(row, sign) of every number in a column: -1, 0, 1, or None where it is not decided."""
        from derive.exact.ball import sign

        for i, (x,) in enumerate(self.rows, 1):
            if isinstance(x, Scalar) and x.is_number:
                yield i, sign(x)

    def zero_row(self) -> int | None:
        """The first row, counted from 1, whose entries are all zero."""
        return next(
            (
                i
                for i, row in enumerate(self.rows, 1)
                if all(getattr(x, "is_zero", False) for x in row)
            ),
            None,
        )

    def where(self, forbidden: Matrix, value: Any) -> Matrix:
        """`value` where the mask `forbidden` holds -oo, the entry elsewhere."""
        pairs = (zip(xs, ms, strict=True) for xs, ms in zip(self.rows, forbidden.rows, strict=True))
        is_held = NegativeInfinity
        return Matrix([[value if isinstance(m, is_held) else x for x, m in row] for row in pairs])


def matrix(rows: Sequence[Sequence[Any]]) -> Matrix:
    """A matrix of exact scalars, from ints and Scalars, on the fastest carrier that holds it."""
    from derive.exact.numbers import Numbers

    if all(type(x) is int for row in rows for x in row):
        return Numbers.of_integers(rows)
    exact = [[as_scalar(x) for x in row] for row in rows]
    return Numbers.of(exact) or Matrix(exact)


def grid(rows: int, columns: int, entry: Callable[[int, int], Any]) -> Matrix:
    """The matrix of entry(i, j), with i and j counted from 1."""
    return Matrix([[entry(i, j) for j in range(1, columns + 1)] for i in range(1, rows + 1)])


def exp(x: Any) -> Any:
    """e to x: of a matrix entry by entry, of a Scalar, a trace term or a SymPy expression."""
    return x.exp() if hasattr(x, "exp") else apply("exp", x)


def apply(function: str, x: Any) -> Any:
    """A named function of a matrix entry by entry, a Scalar, a term or a SymPy expression."""
    if hasattr(x, "apply"):
        return x.apply(function)
    from derive.exact.bridge import FUNCTIONS

    return FUNCTIONS[function](x)


def sqrt(x: Any) -> Any:
    """The square root, of what `apply` takes."""
    return apply("sqrt", x)


def log(x: Any) -> Any:
    """The natural logarithm."""
    return apply("log", x)


def erf(x: Any) -> Any:
    """The error function."""
    return apply("erf", x)


def tanh(x: Any) -> Any:
    """The hyperbolic tangent."""
    return apply("tanh", x)


def sin(x: Any) -> Any:
    """The sine."""
    return apply("sin", x)


def cos(x: Any) -> Any:
    """The cosine."""
    return apply("cos", x)


def relu(x: Any) -> Any:
    """max(0, x)."""
    return apply("relu", x)


def step(x: Any) -> Any:
    """1 where x > 0, else 0: the derivative of relu, with 0 at 0."""
    return apply("step", x)


def dot(xs: Sequence[Any], ys: Sequence[Any]) -> Any:
    """x_1 y_1 + x_2 y_2 + ..., in this order."""
    if _are_scalars(xs) and _are_scalars(ys):
        from derive.exact.sums import scalar_dot

        return scalar_dot(xs, ys)
    return total([x * y for x, y in zip(xs, ys, strict=True)])


def total(xs: Sequence[Any]) -> Any:
    """x_1 + x_2 + ..., in this order; SymPy's own sum would sort."""
    if _are_scalars(xs):
        from derive.exact.sums import scalar_total

        return scalar_total(xs)
    first, *rest = xs
    for x in rest:
        first = first + x
    return first


def divided(row: Sequence[Any], z: Any) -> list[Any]:
    """Each entry over z; Scalars keep one common denominator."""
    if _are_scalars((*row, z)):
        from derive.exact.sums import row_over

        return row_over(row, z)
    return [x / z for x in row]


def _are_scalars(xs: Sequence[Any]) -> bool:
    return all(isinstance(x, Scalar) for x in xs)
