"""Unevaluated terms: what a rule does to entries, in the order in which the rule wrote it.

A rule run on entries gives its worked form; written with letters it is the symbolic form, written
with the letters' values it shows the numbers put in.  Formulas at entry i, j are terms as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from derive.exact.infinity import NegativeInfinity
from derive.exact.matrix import Matrix
from derive.exact.names import shown
from derive.exact.scalar import Scalar, as_scalar


class Term:
    """An expression that stays as it was written; + - * / and exp build larger ones."""

    def __add__(self, other: Any) -> Term:
        return Sum((*_parts(self, Sum), term(other)))

    def __radd__(self, other: Any) -> Term:
        return Sum((term(other), *_parts(self, Sum)))

    def __sub__(self, other: Any) -> Term:
        return Sum((*_parts(self, Sum), Negative(term(other))))

    def __mul__(self, other: Any) -> Term:
        return Product((*_parts(self, Product), term(other)))

    def __rmul__(self, other: Any) -> Term:
        return Product((term(other), *_parts(self, Product)))

    def __truediv__(self, other: Any) -> Term:
        return Quotient(self, term(other))

    def __neg__(self) -> Term:
        return Negative(self)

    def __pow__(self, power: int) -> Term:
        return Power(self, power)

    def exp(self) -> Term:
        """e to this."""
        return Exponential(self)

    def apply(self, function: str) -> Term:
        """A named function of this."""
        return Exponential(self) if function == "exp" else Function(function, self)

    def __matmul__(self, other: Term) -> Term:
        """Of matrices: the product, in this order."""
        return MatrixProduct((*_parts(self, MatrixProduct), *_parts(other, MatrixProduct)))

    def hadamard(self, other: Term) -> Term:
        """Of matrices: the product entry by entry."""
        return Hadamard((self, other))

    @property
    def T(self) -> Term:
        """Of a matrix: the transpose."""
        return Transpose(self)


@dataclass(frozen=True)
class Value(Term):
    """An exact value."""

    value: Scalar | NegativeInfinity


@dataclass(frozen=True)
class Entry(Term):
    """An entry of a step, at numbers counted from 1 or at letters such as i, j."""

    step: str
    indices: tuple[int | str, ...]


@dataclass(frozen=True)
class Row(Term):
    """A row of a step as a vector: v_j."""

    step: str
    index: int | str


@dataclass(frozen=True)
class Sum(Term):
    """terms[0] + terms[1] + ..."""

    terms: tuple[Term, ...]


@dataclass(frozen=True)
class Product(Term):
    """factors[0] * factors[1] * ..."""

    factors: tuple[Term, ...]


@dataclass(frozen=True)
class Quotient(Term):
    """top / bottom."""

    top: Term
    bottom: Term


@dataclass(frozen=True)
class Negative(Term):
    """-term."""

    term: Term


@dataclass(frozen=True)
class Exponential(Term):
    """e to the term."""

    term: Term


@dataclass(frozen=True)
class Power(Term):
    """term to a power: an integer, or letters such as 2i/d."""

    term: Term
    power: int | str


@dataclass(frozen=True)
class Function(Term):
    """A named function of a number: sqrt, erf, tanh, relu ..."""

    function: str
    term: Term


@dataclass(frozen=True)
class Cases(Term):
    """The first of each row (term, left, right) where left = right."""

    rows: tuple[tuple[Term, Term, Term], ...]


@dataclass(frozen=True)
class BigSum(Term):
    """The sum of body over index = 1 ... upper, or over the whole range where upper is ""."""

    body: Term
    index: str
    upper: str


@dataclass(frozen=True)
class Delta(Term):
    """Kronecker's delta: 1 where the indices are equal, else 0."""

    left: int | str
    right: int | str


@dataclass(frozen=True)
class Partial(Term):
    """The derivative of one entry by another, as it is written."""

    of: Term
    by: Term


@dataclass(frozen=True)
class Digits(Term):
    """A decimal numeral, as `derive.certify` writes it; "" where there is none."""

    text: str


@dataclass(frozen=True)
class Grid(Term):
    """A matrix written out: rows of Scalars, -oo or Terms."""

    rows: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class Name(Term):
    """A whole matrix by its letter."""

    step: str


@dataclass(frozen=True)
class MatrixProduct(Term):
    """Matrices multiplied in this order."""

    factors: tuple[Term, ...]


@dataclass(frozen=True)
class Hadamard(Term):
    """Matrices multiplied entry by entry."""

    factors: tuple[Term, ...]


@dataclass(frozen=True)
class Beside(Term):
    """Matrices side by side."""

    parts: tuple[Term, ...]


@dataclass(frozen=True)
class Symbol(Term):
    """A letter that is no step: a position p, a distance |i-j|."""

    name: str


@dataclass(frozen=True)
class Transpose(Term):
    """A matrix turned over."""

    matrix: Term


@dataclass(frozen=True)
class Apply(Term):
    """A named function of a matrix: softmax, exp, row sums."""

    function: str
    argument: Term


def term(x: Any) -> Term:
    """A Term as it is, an int or a Scalar as a Value."""
    if isinstance(x, Term):
        return x
    exact = as_scalar(x)
    if exact is NotImplemented:
        raise TypeError(f"a term cannot hold {type(x).__name__}")
    return Value(exact)


def _parts(x: Term, kind: type) -> tuple[Term, ...]:
    if isinstance(x, kind):
        return x.terms if isinstance(x, Sum) else x.factors  # type: ignore[attr-defined]
    return (x,)


@dataclass(frozen=True)
class Indexed:
    """A step by its letter, to be indexed in formulas: A[i, j]."""

    step: str

    def __getitem__(self, indices: Any) -> Entry:
        return Entry(self.step, indices if isinstance(indices, tuple) else (indices,))


def entries(step: str, shape: tuple[int, int]) -> Matrix:
    """The matrix of a step's entries."""
    rows, columns = shape
    numbers = range(1, columns + 1)
    return Matrix([[Entry(step, shown(step, i, j)) for j in numbers] for i in range(1, rows + 1)])
