"""What proofs are written with: letters to index, free matrices, and the head of the examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from derive.conventions import Conventions
from derive.derivation import Derivation, Problem
from derive.exact import Matrix, Scalar, exp, grid, matrix, number, symbol
from derive.exact.trace import Apply, BigSum, Grid, Indexed, Name, Term, Value, term
from derive.models.attention import derive_attention
from derive.op import Op
from derive.ops import Softmax

A, C, E, H, K, O, P, Q, S, V, W, X, Z = map(Indexed, "A C exp H K O P Q S V W X Z".split())
GIVEN = {
    "H": matrix([[1, 0], [0, 1], [1, 1]]),
    "W_Q": matrix([[1, 0], [0, 1]]),
    "W_K": matrix([[1, 1], [0, 1]]),
    "W_V": matrix([[1, 0], [1, 1]]),
}
"""The head of the examples: three tokens, two dimensions."""


def head(mask: str | None = None, **changed: Matrix) -> Derivation:
    """The derivation of the head of the examples, with other matrices where they are given."""
    problem = Problem("head", {**GIVEN, **changed}, Conventions(mask=mask))
    return derive_attention(problem)


def applied(op: Op, *inputs: Matrix) -> Matrix:
    """What an operation makes of matrices."""
    return op.rule(*inputs)


def free(name: str, rows: int, columns: int) -> Matrix:
    """A matrix with a letter for each entry: S_11, S_12 ..."""
    return grid(rows, columns, lambda i, j: symbol(f"{name}_{i}{j}"))


def column(name: str, rows: int) -> Matrix:
    """A column with a letter for each entry: c_1, c_2 ..."""
    return grid(rows, 1, lambda i, _: symbol(f"{name}_{i}"))


def row(name: str, columns: int) -> Matrix:
    """A row with a letter for each entry."""
    return column(name, columns).T


def weights(scores: Matrix) -> Mapping[str, Matrix]:
    """What follows from scores: their powers of e, the row sums Z, and the weights A."""
    powers = exp(scores)
    return {"S": scores, "exp": powers, "Z": powers.row_sums(), "A": applied(Softmax(), scores)}


def letter(name: str) -> Value:
    """A free letter as a term."""
    return Value(symbol(name))


def fraction(p: int, q: int = 1) -> Value:
    """A rational as a term."""
    return Value(number(p, q))


def of(name: str) -> Name:
    """A whole matrix by its letter."""
    return Name(name)


def total(body: Term, index: str, upper: str) -> BigSum:
    """The sum of body over index = 1 ... upper."""
    return BigSum(body, index, upper)


def softmax(x: Any) -> Apply:
    """softmax x, of a term or a matrix written out."""
    return Apply("softmax", Grid(x.rows) if isinstance(x, Matrix) else x)


def row_of(*entries: int | Scalar) -> Matrix:
    """One row."""
    return matrix([list(entries)])


def terms(xs: Sequence[Any]) -> tuple[Term, ...]:
    """Each as a term."""
    return tuple(map(term, xs))
