"""Transpose: rows become columns.

Y_ij = X_ji
"""

from dataclasses import dataclass

from derive.exact import matrix


@dataclass(frozen=True)
class Transpose:
    """X (n x a) gives X^T (a x n)."""

    rowwise = False
    examples = ((matrix([[1, 1], [0, 1], [1, 2]]),), (matrix([[5, -3]]),))
    mistakes = ()

    def rule(self, X):
        """X^T."""
        return X.T

    def pullback(self, dY, Y, X):
        """dX = dY^T."""
        return (dY.T,)

    def formula(self, Y, X):
        """Row and column exchanged."""
        return Y["i", "j"], X["j", "i"]

    def notation(self, X):
        """X^T."""
        return X.T
