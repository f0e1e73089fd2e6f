"""SiLU: each number times its own sigmoid.

Y_ij = X_ij / (1 + e^{-X_ij})                                     Elfwing et al. 2018, eq. 1
"""

from dataclasses import dataclass

from derive.exact import exp, matrix, number
from derive.exact.trace import Apply
from derive.op import Mistake


@dataclass(frozen=True)
class Silu:
    """X (n x m) gives X sigmoid(X), entry by entry."""

    rowwise = 1
    examples = ((matrix([[1, -2], [number(-1, 2), number(2).sqrt()]]),), (matrix([[0]]),))
    mistakes = (Mistake("sigmoid alone", lambda X: (X * 0 + 1) / (1 + exp(-X))),)

    def rule(self, X):
        """X over 1 + e^{-X}."""
        return X / (1 + exp(-X))

    def pullback(self, dY, Y, X):
        """dX = dY sigmoid(X) (1 + X (1 - sigmoid(X))) = dY (1 + Y e^{-X}) sigmoid(X)."""
        E = exp(-X)
        return (dY * (1 + Y * E) / (1 + E),)

    def formula(self, Y, X):
        """Entry by entry."""
        x = X["i", "j"]
        return Y["i", "j"], x / (1 + exp(-x))

    def notation(self, X):
        """SiLU X."""
        return Apply("SiLU", X)

    def pulled(self, dY, Y, X):
        """The pullback in matrix notation."""
        return (dY.hadamard(Apply("SiLU'", X)),)
