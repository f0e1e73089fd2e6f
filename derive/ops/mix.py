"""Mix: each output is the average of the value vectors under the weights of its row.

O_ij = sum_k A_ik V_kj                                            Vaswani et al. 2017, eq. 1
"""

from dataclasses import dataclass

from derive.exact import matrix, number
from derive.exact.trace import BigSum
from derive.op import Mistake


@dataclass(frozen=True)
class Mix:
    """A (n x m) and V (m x d_v) give A V (n x d_v)."""

    rowwise = True
    examples = ((matrix([[number(1, 2), number(1, 2)], [1, 0]]), matrix([[1, 0, 2], [3, -1, 1]])),)
    mistakes = (Mistake("weights transposed", lambda A, V: A.T @ V),)

    def rule(self, A, V):
        """A V."""
        return A @ V

    def pullback(self, dO, O, A, V):
        """dA = dO V^T and dV = A^T dO."""
        return dO @ V.T, A.T @ dO

    def formula(self, O, A, V):
        """The weighted sum of column j of V."""
        return O["i", "j"], BigSum(A["i", "k"] * V["k", "j"], "k", "m")

    def notation(self, A, V):
        """A V."""
        return A @ V
