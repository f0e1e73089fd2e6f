"""Row sums: the normaliser of each row of exponentials.

Z_i = sum_j E_ij                                                  the denominator of softmax
"""

from dataclasses import dataclass

from derive.exact import matrix, number
from derive.exact.trace import BigSum, Name
from derive.op import Mistake


@dataclass(frozen=True)
class RowSums:
    """E (n x m) gives the column of its row sums (n x 1)."""

    rowwise = True
    examples = ((matrix([[1, 2, 3], [0, number(1, 2), -1]]),), (matrix([[7]]),))
    mistakes = (Mistake("column sums", lambda E: E.T.row_sums()),)

    def rule(self, E):
        """The sum along each row."""
        return E.row_sums()

    def pullback(self, dZ, Z, E):
        """Every entry of row i receives dZ_i."""
        return (E * number(0) + dZ,)

    def formula(self, Z, E):
        """The sum of row i."""
        return Z["i"], BigSum(E["i", "j"], "j", "m")

    def notation(self, E):
        """E times a column of ones."""
        return E @ Name("1")
