"""Mean: the average of a column, such as the loss over all positions.

loss = (1/n) sum_i L_i
"""

from dataclasses import dataclass

from derive.exact import matrix, number
from derive.exact.trace import Apply, BigSum, Name
from derive.op import Mistake


@dataclass(frozen=True)
class Mean:
    """L (n x 1) gives the mean of its entries (1 x 1)."""

    rowwise = 0
    examples = ((matrix([[1], [number(1, 2)], [3]]),), (matrix([[4]]),))
    mistakes = (Mistake("sum instead of mean", lambda L: L.T.row_sums()),)

    def rule(self, L):
        """The sum over the number."""
        return L.T.row_means()

    def pullback(self, dY, Y, L):
        """Every entry receives dY / n."""
        return (L * number(0) + dY / L.shape[0],)

    def formula(self, Y, L):
        """The mean of all positions."""
        return Y[()], BigSum(L["i"], "i", "n") / Name("n")

    def notation(self, L):
        """mean L."""
        return Apply("mean", L)
