"""What a user of SymPy, symengine or mpmath would write for the same head."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import mpmath
import symengine
import sympy
from benchmarks.heads import NAMES, Head
from mpmath import iv

from derive.exact.bridge import to_sympy_matrix

Rows = Sequence[Sequence[Any]]


def sympy_forms(head: Head, *, simplify: bool) -> tuple[sympy.Matrix, sympy.Matrix]:
    """A and O."""
    H, W_Q, W_K, W_V = (sympy.Matrix(_sympified(head[name])) for name in NAMES)
    Q, K, V = H * W_Q, H * W_K, H * W_V
    E = (Q * K.T / sympy.sqrt(W_Q.cols)).applyfunc(sympy.exp)
    Z = [sum(E[i, :]) for i in range(E.rows)]
    A = sympy.Matrix(E.rows, E.cols, lambda i, j: E[i, j] / Z[i])
    O = A * V
    return (sympy.simplify(A), sympy.simplify(O)) if simplify else (A, O)


def sympy_page(head: Head, *, simplify: bool) -> tuple[str, str, sympy.Matrix]:
    """The LaTeX of A and O, and O."""
    A, O = sympy_forms(head, simplify=simplify)
    return sympy.latex(A), sympy.latex(O), O


def sympy_block_entry(given: Mapping[str, Any], digits: int) -> sympy.Expr:
    """The first output of a post-norm GELU block of one head, built closed and evaluated."""
    m = {name: to_sympy_matrix(x) for name, x in given.items()}
    Q, K, V = (m["H"] * m[name] for name in NAMES[1:])
    E = (Q * K.T / sympy.sqrt(Q.cols)).applyfunc(sympy.exp)
    A = sympy.Matrix(E.rows, E.cols, lambda i, j: E[i, j] / sum(E[i, :]))
    N = _normed(m["H"] + A * V * m["W_O"])
    U = (N * m["W_1"]).applyfunc(lambda x: x * (1 + sympy.erf(x / sympy.sqrt(2))) / 2)
    return _normed(N + U * m["W_2"])[0, 0].evalf(digits)


def _normed(X: sympy.Matrix) -> sympy.Matrix:
    eps = sympy.Rational(1, 100000)
    means = [sum(X[i, :]) / X.cols for i in range(X.rows)]
    variances = [sum((x - mu) ** 2 for x in X[i, :]) / X.cols for i, mu in enumerate(means)]
    return sympy.Matrix(
        *X.shape, lambda i, j: (X[i, j] - means[i]) / sympy.sqrt(variances[i] + eps)
    )


def _sympified(rows: Rows) -> list[list[Any]]:
    # Fractions and names, as sympify would read them, without its parser.
    kinds = {str: sympy.Symbol, Fraction: lambda x: sympy.Rational(x.numerator, x.denominator)}
    return [[kinds.get(type(x), sympy.Integer)(x) for x in row] for row in rows]


def symengine_page(head: Head) -> tuple[str, str, Any]:
    """A and O as symengine prints them, and O."""
    H, W_Q, W_K, W_V = (symengine.DenseMatrix(head[name]) for name in NAMES)
    Q, K, V = H * W_Q, H * W_K, H * W_V
    S, scale = Q * K.T, symengine.sqrt(W_Q.ncols())
    n = S.nrows()
    E = [[symengine.exp(S[i, j] / scale) for j in range(n)] for i in range(n)]
    Z = [symengine.Add(*row) for row in E]
    A = symengine.DenseMatrix(n, n, [e / z for row, z in zip(E, Z, strict=True) for e in row])
    O = A * V
    return str(A), str(O), O


# --- numbers


def product(a: Rows, b: Rows) -> list[list[Any]]:
    """a b, whatever multiplies and adds."""
    columns = list(zip(*b, strict=True))
    return [[_dot(row, column) for column in columns] for row in a]


def _dot(xs: Sequence[Any], ys: Sequence[Any]) -> Any:
    return sum(x * y for x, y in zip(xs, ys, strict=True))


def numbers(head: Head, context: Any) -> dict[str, list[list[Any]]]:
    """exp, Z, A and O in an mpmath context (mpmath.mp, or iv with intervals)."""
    S, V = scores_and_values(head)
    scale = context.sqrt(len(head["W_Q"][0]))
    E = [[context.exp(of(context, s) / scale) for s in row] for row in S]
    Z = [sum(row) for row in E]
    A = [[e / z for e in row] for row, z in zip(E, Z, strict=True)]
    O = product(A, [[of(context, x) for x in row] for row in V])
    return {"exp": E, "Z": [[z] for z in Z], "A": A, "O": O}


def scores_and_values(head: Head) -> tuple[list[list[Any]], list[list[Any]]]:
    """Q K^T and V, in Python's own exact numbers."""
    Q, K, V = (product(head["H"], head[name]) for name in NAMES[1:])
    return product(Q, list(zip(*K, strict=True))), V


def of(context: Any, x: Any) -> Any:
    """A whole number or a fraction in the context."""
    return context.mpf(x.numerator) / x.denominator


def intervals_shared(head: Head, digits: int, bits: int = 96) -> list[str | None]:
    """The digits of A and O by intervals, each exponential and each row sum taken once."""
    iv.prec = bits
    found = numbers(head, iv)
    return [agreed(x, digits) for name in "AO" for row in found[name] for x in row]


def intervals_of_forms(head: Head, digits: int, bits: int = 96) -> list[str | None]:
    """The digits of A and O by intervals, from the closed form of each entry."""
    iv.prec = bits
    S, V = scores_and_values(head)
    scale = iv.sqrt(len(head["W_Q"][0]))
    weights = [[_weight(row, j, scale) for j in range(len(row))] for row in S]
    outputs = [[_output(row, column, scale) for column in zip(*V, strict=True)] for row in S]
    return [agreed(x, digits) for rows in (weights, outputs) for row in rows for x in row]


def _weight(scores: Sequence[int], j: int, scale: Any) -> Any:
    return iv.exp(scores[j] / scale) / sum(iv.exp(s / scale) for s in scores)


def _output(scores: Sequence[int], values: Sequence[int], scale: Any) -> Any:
    E = [iv.exp(s / scale) for s in scores]
    return sum(v * e for v, e in zip(values, E, strict=True)) / sum(E)


def agreed(x: Any, digits: int) -> str | None:
    """The significant digits on which both ends of an interval agree."""
    low, high = (mpmath.libmp.to_str(end, digits, strip_zeros=False) for end in x._mpi_)
    return low if low == high else None
