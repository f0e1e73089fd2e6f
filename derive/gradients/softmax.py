"""The Jacobian of a softmax row, J = diag(a) - a a^T, and what is known of it exactly.

With k weights a_i > 0 that add up to 1:  J 1 = 0;  the minor without the last row and column is
a_1 ... a_k, so the rank is k - 1;  the trace is 1 - |a|^2.  J is a rank one step from diag(a), so
its eigenvalues lie between neighbouring weights (Golub 1973, Some modified matrix eigenvalue
problems).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from derive.certify import Certifier
from derive.errors import Unproved
from derive.exact import ZERO, Matrix, Scalar, number
from derive.exact.ball import sign
from derive.exact.matrix import dot, total


@dataclass(frozen=True)
class SoftmaxRow:
    """The block of a row of weights; those that are 0 are left out.

    eigenvalues: those other than 0, the largest first, where they are closed; else None.
    square: of three weights what stands under the root, (trace)^2 - 12 a_1 a_2 a_3.
    bounds: between what the largest eigenvalue lies, two of the weights; None for one weight.
    """

    weights: tuple[Scalar, ...]
    jacobian: Matrix
    rank: int
    trace: Scalar
    eigenvalues: tuple[Scalar, ...] | None
    bounds: tuple[Scalar, Scalar] | None
    square: Scalar | None


def softmax_row(row: Sequence[Scalar]) -> SoftmaxRow:
    """The block of a row of weights.  Unproved where a weight is not shown to be positive."""
    weights = tuple(x for x in row if not x.is_zero)
    if any(sign(a) != 1 for a in weights):
        raise Unproved("a weight is not shown to be positive")
    block = _block(weights)
    _check(weights, block)
    largest = sorted(weights, key=lambda a: -(Certifier().double(a) or 0.0))
    trace = total([block[i, i] for i in range(len(weights))])
    bounds = (largest[1], largest[0]) if len(weights) > 1 else None
    found = _eigenvalues(weights, block, trace)
    square = trace * trace - _principal(block) * 4 if len(weights) == 3 else None
    return SoftmaxRow(weights, block, len(weights) - 1, trace, found, bounds, square)


def _block(a: Sequence[Scalar]) -> Matrix:
    places = range(len(a))
    return Matrix(
        [[a[i] * (1 - a[i]) if i == j else -(a[i] * a[j]) for j in places] for i in places]
    )


def _check(weights: Sequence[Scalar], block: Matrix) -> None:
    """What is said of the block: by algebra on its entries."""
    squares = total([a * a for a in weights])
    holds = (
        all(total(row) == ZERO for row in block.rows)
        and block == block.T
        and total([block[i, i] for i in range(len(weights))]) == 1 - squares
    )
    if not holds:
        raise Unproved("the weights of a row are not shown to add up to 1")


def _eigenvalues(a: Sequence[Scalar], block: Matrix, trace: Scalar) -> tuple[Scalar, ...] | None:
    """Of two weights the trace; of three the roots of  x^2 - trace x + 3 a_1 a_2 a_3."""
    if len(a) < 3:
        return (trace,) if len(a) == 2 else ()
    if len(a) > 3:
        return None
    if len({x.form for x in a}) == 1:
        return a[0], a[0]
    # Over the square of their common denominator, which is positive, the root stays short.
    below = Scalar(a[0].den) if all(x.den == a[0].den for x in a) else number(1)
    below = below if sign(below) == 1 else number(1)
    square = (trace * trace - _principal(block) * 4) * below**4
    root = square.sqrt() / (below * below)
    return (trace + root) / 2, (trace - root) / 2


def _principal(block: Matrix) -> Scalar:
    """The sum of the principal minors of two rows."""
    pairs = ((0, 1), (0, 2), (1, 2))
    found: Scalar = dot(
        [number(1)] * 3, [block[i, i] * block[j, j] - block[i, j] * block[j, i] for i, j in pairs]
    )
    return found
