"""Softmax: each row of scores becomes weights that sum to one.

A_ij = exp(S_ij) / sum_k exp(S_ik)                     Bridle 1990; Vaswani et al. 2017, eq. 1
"""

from dataclasses import dataclass

from derive.exact import InputError, exp, matrix, number
from derive.exact.trace import Apply, BigSum
from derive.op import Mistake


@dataclass(frozen=True)
class Softmax:
    """S (n x m) gives A (n x m), each row positive where the score is not -oo, with sum 1."""

    rowwise = True
    examples = (
        (matrix([[0, 1], [number(1, 2), -2]]),),
        (matrix([[3]]),),
        (matrix([[1, 1, 2], [0, 2, 2]]),),
    )
    mistakes = (
        Mistake("columns", lambda S: exp(S.T).divide_rows(exp(S.T).row_sums()).T),
        Mistake("not exponentiated", lambda S: S.divide_rows(S.row_sums())),
    )

    def rule(self, S):
        """exp S over its row sums.  InputError where a row is -oo throughout."""
        # Float code first subtracts the row maximum; exactly, that changes nothing.
        E = exp(S)
        if row := E.zero_row():
            raise InputError(
                f"softmax: row {row} is masked throughout, so its weights are 0/0",
                expected="at least one allowed position in every row",
                hint='allow one position in that row, or use mask_value = "-1e9"',
            )
        return E.divide_rows(E.row_sums())

    def pullback(self, dA, A, S):
        """dS = A * (dA - <dA, A>), the inner product taken along each row."""
        return (A * (dA - (dA * A).row_sums()),)

    def formula(self, A, S):
        """The share of e^{S_ij} in its row."""
        return A["i", "j"], exp(S["i", "j"]) / BigSum(exp(S["i", "k"]), "k", "m")

    def notation(self, S):
        """softmax S."""
        return Apply("softmax", S)
