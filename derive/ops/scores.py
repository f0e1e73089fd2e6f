"""Scores: how well each query fits each key.

S_ij = q_i . k_j = sum_c Q_ic K_jc                                Vaswani et al. 2017, eq. 1
"""

from dataclasses import dataclass

from derive.exact import matrix
from derive.exact.trace import BigSum
from derive.op import Mistake


@dataclass(frozen=True)
class Scores:
    """Q (n x d_k) and K (m x d_k) give Q K^T (n x m).

    along: "rows", or "columns" where vectors are columns: Q (d_k x n) and K (d_k x m) give K^T Q.
    """

    along: str = "rows"

    examples = (
        (matrix([[1, 0], [0, 1], [1, 1]]), matrix([[1, 1], [0, 1], [1, 2]])),
        (matrix([[2, -1]]), matrix([[3, 1], [0, -2]])),
    )
    mistakes = (
        Mistake("keys not transposed", lambda Q, K: Q @ K),
        Mistake("roles exchanged", lambda Q, K: K @ Q.T),
    )

    @property
    def rowwise(self):
        """Row i of Q K^T needs row i of Q."""
        return self.along == "rows"

    def factors(self, Q, K):
        """The two that are multiplied."""
        return (Q, K.T) if self.along == "rows" else (K.T, Q)

    def rule(self, Q, K):
        """Q K^T."""
        left, right = self.factors(Q, K)
        return left @ right

    def pullback(self, dS, S, Q, K):
        """dQ = dS K and dK = dS^T Q."""
        return (dS @ K, dS.T @ Q) if self.along == "rows" else (K @ dS, Q @ dS.T)

    def formula(self, S, Q, K):
        """The inner product of query i with key j; of columns, of key i with query j."""
        product = Q["i", "c"] * K["j", "c"] if self.along == "rows" else K["c", "i"] * Q["c", "j"]
        return S["i", "j"], BigSum(product, "c", "d_k")

    def notation(self, Q, K):
        """Q K^T."""
        return self.rule(Q, K)
