"""Affine: a linear map and a bias added to every row.

Y_ij = sum_k X_ik W_kj + b_j                                      Vaswani et al. 2017, eq. 2
"""

from dataclasses import dataclass

from derive.exact import matrix, number
from derive.exact.trace import BigSum, Name
from derive.op import Mistake


@dataclass(frozen=True)
class Affine:
    """X (n x a), W (a x b) and b (1 x b) give X W + 1 b (n x b)."""

    rowwise = 1
    examples = (
        (matrix([[1, 0], [2, 3], [1, 1]]), matrix([[1, 1], [0, 4]]), matrix([[5, number(1, 2)]])),
        (matrix([[2, -1]]), matrix([[1], [4]]), matrix([[7]])),
    )
    mistakes = (
        Mistake("bias forgotten", lambda X, W, b: X @ W),
        Mistake("weight transposed", lambda X, W, b: X @ W.T + b),
    )

    def rule(self, X, W, b):
        """X W, and b in every row."""
        return X @ W + b

    def pullback(self, dY, Y, X, W, b):
        """dX = dY W^T, dW = X^T dY, and db the sum of the rows of dY."""
        return dY @ W.T, X.T @ dY, dY.column_sums()

    def formula(self, Y, X, W, b):
        """The inner product of row i of X with column j of W, and b_j."""
        return Y["i", "j"], BigSum(X["i", "k"] * W["k", "j"], "k", "d_in") + b["j"]

    def notation(self, X, W, b):
        """X W + 1 b."""
        return X @ W + Name("1") @ b
