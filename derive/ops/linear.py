"""Linear: every row of the input becomes a combination of the rows of the weight matrix.

Y_ij = sum_k X_ik W_kj                                            Vaswani et al. 2017, sect. 3.2.2
"""

from dataclasses import dataclass

from derive.exact import matrix
from derive.exact.trace import BigSum
from derive.op import Mistake


@dataclass(frozen=True)
class Linear:
    """X (n x a) and W (a x b) give X W (n x b)."""

    rowwise = True
    examples = (
        (matrix([[1, 0], [0, 1], [1, 1]]), matrix([[1, 1], [0, 1]])),
        (matrix([[2, -1, 3]]), matrix([[1], [4], [-2]])),
    )
    mistakes = (
        Mistake("weight transposed", lambda X, W: X @ W.T),
        Mistake("column vectors", lambda X, W: (W @ X.T).T),
    )

    def rule(self, X, W):
        """X W."""
        return X @ W

    def pullback(self, dY, Y, X, W):
        """dX = dY W^T and dW = X^T dY."""
        return dY @ W.T, X.T @ dY

    def formula(self, Y, X, W):
        """The inner product of row i of X with column j of W."""
        return Y["i", "j"], BigSum(X["i", "k"] * W["k", "j"], "k", "d_model")

    def notation(self, X, W):
        """X W."""
        return X @ W
