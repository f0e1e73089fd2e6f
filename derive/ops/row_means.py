"""Row means: the average of the features of each token.

mu_i = (1/d) sum_j X_ij                                           Ba et al. 2016, eq. 3
"""

from dataclasses import dataclass

from derive.exact import matrix, number
from derive.exact.trace import Apply, BigSum, Name
from derive.op import Mistake


@dataclass(frozen=True)
class RowMeans:
    """X (n x d) gives the column of the means of its rows (n x 1)."""

    rowwise = 1
    examples = ((matrix([[1, 2, 3], [0, number(1, 2), -1]]),), (matrix([[7, 1]]),))
    mistakes = (Mistake("mean of the column", lambda X: X.T.row_means()),)

    def rule(self, X):
        """The sum of each row over its length."""
        return X.row_means()

    def pullback(self, dmu, mu, X):
        """Every entry of row i receives dmu_i / d."""
        return (X * number(0) + dmu / X.shape[1],)

    def formula(self, mu, X):
        """The mean of row i."""
        return mu["i"], BigSum(X["i", "j"], "j", "d") / Name("d")

    def notation(self, X):
        """mean X."""
        return Apply("mean", X)
