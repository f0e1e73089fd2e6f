"""Mean squares: the average of the squared features of each token.

ms_i = (1/d) sum_j X_ij^2                                         Zhang and Sennrich 2019, eq. 4
"""

from dataclasses import dataclass

from derive.exact import matrix, number
from derive.exact.trace import Apply, BigSum, Name
from derive.op import Mistake


@dataclass(frozen=True)
class MeanSquares:
    """X (n x d) gives the column of the mean squares of its rows (n x 1)."""

    rowwise = 1
    examples = ((matrix([[1, 2, 3], [0, number(1, 2), -2]]),), (matrix([[7, 1]]),))
    mistakes = (Mistake("sum instead of mean", lambda X: (X**2).row_sums()),)

    def rule(self, X):
        """The sum of the squares of each row over its length."""
        return (X**2).row_means()

    def pullback(self, dms, ms, X):
        """dX = 2 dms X / d."""
        return (X * (dms * 2 / X.shape[1]),)

    def formula(self, ms, X):
        """The mean square of row i."""
        return ms["i"], BigSum(X["i", "j"] ** 2, "j", "d") / Name("d")

    def notation(self, X):
        """mean X^2."""
        return Apply("mean", X**2)
