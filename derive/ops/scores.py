"""Scores: how well each query fits each key.

S_ij = q_i . k_j = sum_c Q_ic K_jc                                Vaswani et al. 2017, eq. 1
"""

from dataclasses import dataclass

from derive.exact import matrix
from derive.exact.trace import BigSum
from derive.op import Mistake


@dataclass(frozen=True)
class Scores:
    """Q (n x d_k) and K (m x d_k) give Q K^T (n x m)."""

    rowwise = True
    examples = (
        (matrix([[1, 0], [0, 1], [1, 1]]), matrix([[1, 1], [0, 1], [1, 2]])),
        (matrix([[2, -1]]), matrix([[3, 1], [0, -2]])),
    )
    mistakes = (
        Mistake("keys not transposed", lambda Q, K: Q @ K),
        Mistake("roles exchanged", lambda Q, K: K @ Q.T),
    )

    def rule(self, Q, K):
        """Q K^T."""
        return Q @ K.T

    def pullback(self, dS, S, Q, K):
        """dQ = dS K and dK = dS^T Q."""
        return dS @ K, dS.T @ Q

    def formula(self, S, Q, K):
        """The inner product of query i with key j."""
        return S["i", "j"], BigSum(Q["i", "c"] * K["j", "c"], "c", "d_k")

    def notation(self, Q, K):
        """Q K^T."""
        return Q @ K.T
