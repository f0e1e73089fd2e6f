"""Dual matrices: a value and how fast it changes along a direction, in the vocabulary of rules.

A rule, or a pullback, run on these gives the derivative along the direction beside the value:
(x, x') + (y, y') = (x + y, x' + y'),  (x, x') (y, y') = (x y, x' y + x y')     Clifford 1873
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from derive.exact.infinity import NegativeInfinity
from derive.exact.matrix import Matrix, cos, exp, sin
from derive.exact.matrix import step as positive
from derive.exact.scalar import PI, ZERO, number

SLOPES: Mapping[str, Callable[[Any, Any], Any]] = {
    # name: (x, f(x)) -> f'(x); at a kink the derivative is that of `step`
    "exp": lambda x, y: y,
    "sqrt": lambda x, y: (x * 0 + 1) / (y * 2),
    "log": lambda x, y: (x * 0 + 1) / x,
    "sin": lambda x, y: cos(x),
    "cos": lambda x, y: -sin(x),
    "tan": lambda x, y: y * y + 1,
    "tanh": lambda x, y: -(y * y) + 1,
    "erf": lambda x, y: exp(-(x * x)) * (2 / PI.sqrt()),
    "relu": lambda x, y: positive(x),
}


class Dual(Matrix):
    """A matrix and its derivative, on any carrier; `tangent` is None where nothing changes."""

    def __init__(self, value: Matrix, tangent: Matrix | None = None) -> None:
        """Two matrices of one shape."""
        self.value = value
        self.tangent = tangent

    @property
    def rows(self) -> tuple[tuple[Any, ...], ...]:
        """There are two matrices of them."""
        raise TypeError("a dual matrix has no rows of its own")

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return self.value.shape

    def alongside(self, other: Matrix) -> Dual:
        """The other with nothing that changes."""
        return _dual(other)

    def _both(self, linear: Callable[[Matrix], Matrix]) -> Dual:
        """What is linear happens to both."""
        return Dual(linear(self.value), None if self.tangent is None else linear(self.tangent))

    @property
    def T(self) -> Dual:
        """The transpose."""
        return self._both(lambda x: x.T)

    def __matmul__(self, other: Matrix) -> Dual:
        return self._times(_dual(other), lambda x, y: x @ y)

    def after(self, left: Matrix) -> Dual:
        """left @ self."""
        return _dual(left) @ self

    def _times(self, other: Dual, product: Callable[[Matrix, Matrix], Matrix]) -> Dual:
        """(x y)' = x' y + x y'."""
        first = None if self.tangent is None else product(self.tangent, other.value)
        second = None if other.tangent is None else product(self.value, other.tangent)
        return Dual(product(self.value, other.value), _sum(first, second))

    def __add__(self, other: Any) -> Dual:
        if not isinstance(other, Matrix):
            return Dual(self.value + other, self.tangent)
        value, right = self.value + _value(other), _dual(other)
        total = _sum(_spread(self.tangent, value), _spread(right.tangent, value))
        return Dual(value, _allowed(total, _value(other)))

    def __radd__(self, other: Any) -> Dual:
        return self.alongside(other) + self if isinstance(other, Matrix) else self + other

    def __neg__(self) -> Dual:
        return self._both(lambda x: -x)

    def __sub__(self, other: Any) -> Dual:
        if not isinstance(other, Matrix):
            return Dual(self.value - other, self.tangent)
        value, right = self.value - _value(other), (-_dual(other)).tangent
        return Dual(value, _sum(_spread(self.tangent, value), _spread(right, value)))

    def __rsub__(self, other: Any) -> Dual:
        return self.alongside(other) - self if isinstance(other, Matrix) else -self + other

    def __mul__(self, other: Any) -> Dual:
        if not isinstance(other, Matrix):
            return self._both(lambda x: x * other)
        return self._times(_dual(other), lambda x, y: x * y)

    def __truediv__(self, other: Any) -> Dual:
        """(x / z)' = (x' - (x / z) z') / z."""
        if not isinstance(other, Matrix):
            return self._both(lambda x: x / other)
        return self._over(_dual(other), lambda x, z: x / z)

    def divide_rows(self, column: Matrix) -> Dual:
        """Each row over its entry of the column."""
        return self._over(_dual(column), lambda x, z: x.divide_rows(z))

    def _over(self, other: Dual, quotient: Callable[[Matrix, Matrix], Matrix]) -> Dual:
        value = quotient(self.value, other.value)
        change = None if other.tangent is None else -(value * other.tangent)
        total = _sum(_spread(self.tangent, value), change)
        return Dual(value, None if total is None else quotient(total, other.value))

    def __pow__(self, power: int) -> Dual:
        """(x^k)' = k x^(k-1) x'."""
        if self.tangent is None or power == 0:
            return Dual(self.value**power)
        slope = self.value ** (power - 1) * power if power != 1 else None
        return Dual(self.value**power, self.tangent if slope is None else slope * self.tangent)

    def exp(self) -> Dual:
        """e to each entry."""
        return self._mapped(self.value.exp(), "exp")

    def apply(self, function: str) -> Dual:
        """A named function of each entry."""
        return self._mapped(self.value.apply(function), function)

    def _mapped(self, value: Matrix, function: str) -> Dual:
        if self.tangent is None or function == "step":
            return Dual(value)
        return Dual(value, SLOPES[function](self.value, value) * self.tangent)

    def row_sums(self) -> Dual:
        """The sums along the rows."""
        return self._both(lambda x: x.row_sums())

    def beside(self, *others: Matrix) -> Dual:
        """Side by side."""
        return _joined((self, *map(_dual, others)), lambda x, *rest: x.beside(*rest))

    def below(self, *others: Matrix) -> Dual:
        """One below the other."""
        return _joined((self, *map(_dual, others)), lambda x, *rest: x.below(*rest))

    def columns(self, places: Sequence[int]) -> Dual:
        """Some columns."""
        return self._both(lambda x: x.columns(places))

    def at(self, places: Sequence[int]) -> Dual:
        """One entry a row."""
        return self._both(lambda x: x.at(places))

    def pick(self, places: Sequence[int]) -> Dual:
        """Some rows."""
        return self._both(lambda x: x.pick(places))

    def weighted_rows(self, other: Matrix) -> Dual:
        """Every entry (i, j) times row j of the other."""
        return self._times(_dual(other), lambda x, y: x.weighted_rows(y))

    def where(self, forbidden: Matrix, value: Any) -> Dual:
        """`value` where the mask holds -oo: what stands there does not change."""
        tangent = None if self.tangent is None else self.tangent.where(forbidden, ZERO)
        return Dual(self.value.where(forbidden, value), tangent)

    def signs(self) -> Iterator[tuple[int, int | None]]:
        """Those of the value."""
        return self.value.signs()

    def zero_row(self) -> int | None:
        """That of the value."""
        return self.value.zero_row()

    @property
    def change(self) -> Matrix:
        """The derivative as a matrix, of zeros where nothing changes."""
        return self.value * number(0) if self.tangent is None else self.tangent


def _dual(x: Matrix) -> Dual:
    return x if isinstance(x, Dual) else Dual(x)


def _value(x: Matrix) -> Matrix:
    return x.value if isinstance(x, Dual) else x


def _sum(x: Matrix | None, y: Matrix | None) -> Matrix | None:
    if x is None or y is None:
        return y if x is None else x
    return x + y


def _spread(tangent: Matrix | None, value: Matrix) -> Matrix | None:
    """The tangent of a column or a row that met a matrix entry by entry."""
    if tangent is None or tangent.shape == value.shape:
        return tangent
    rows, columns = value.shape
    tall = tangent if tangent.shape[0] == rows else tangent.pick([1] * rows)
    return tall if tall.shape[1] == columns else tall.columns([1] * columns)


def _allowed(tangent: Matrix | None, added: Matrix) -> Matrix | None:
    """Nothing changes where -oo was added."""
    if tangent is None or type(added) is not Matrix:
        return tangent
    is_mask = any(isinstance(x, NegativeInfinity) for x in added)
    return tangent.where(added, ZERO) if is_mask else tangent


def _joined(parts: Sequence[Dual], join: Callable[..., Matrix]) -> Dual:
    value = join(*(part.value for part in parts))
    if all(part.tangent is None for part in parts):
        return Dual(value)
    return Dual(value, join(*(part.change for part in parts)))
