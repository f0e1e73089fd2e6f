"""Column sums: the normaliser of each column of exponentials, where tokens are columns.

Z_j = sum_i E_ij                                                  the denominator of softmax
"""

from dataclasses import dataclass

from derive.exact import matrix, number
from derive.exact.trace import BigSum, Name
from derive.op import Mistake


@dataclass(frozen=True)
class ColumnSums:
    """E (m x n) gives its column sums, written one below the other (n x 1)."""

    rowwise = 0
    examples = ((matrix([[1, 2, 3], [0, number(1, 2), -1]]),), (matrix([[7]]),))
    mistakes = (Mistake("row sums", lambda E: E.row_sums()),)

    def rule(self, E):
        """The sum down each column."""
        return E.T.row_sums()

    def pullback(self, dZ, Z, E):
        """Every entry of column j receives dZ_j."""
        return (E * number(0) + dZ.T,)

    def formula(self, Z, E):
        """The sum of column j."""
        return Z["j"], BigSum(E["i", "j"], "i", "m")

    def notation(self, E):
        """E turned over, times a column of ones."""
        return E.T @ Name("1")
