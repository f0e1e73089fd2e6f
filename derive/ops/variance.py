"""Variance: how far the features of each token lie from their mean, squared, on average.

var_i = sum_j (X_ij - mu_i)^2 / (d - correction)                  Ba et al. 2016, eq. 3
"""

from dataclasses import dataclass

from derive.exact import InputError, matrix, number
from derive.exact.trace import Apply, BigSum, Name, term
from derive.op import Mistake


@dataclass(frozen=True)
class Variance:
    """X (n x d) and mu (n x 1) give the column of the variances of the rows (n x 1).

    correction: 0 for the population variance, 1 for the sample variance.
    """

    correction: int = 0

    rowwise = 2
    examples = (
        (matrix([[1, 2, 3], [0, number(1, 2), -2]]), matrix([[2], [number(-1, 2)]])),
        (matrix([[7, 1]]), matrix([[4]])),
    )
    mistakes = (
        Mistake("the other divisor", lambda X, mu: ((X - mu) ** 2).row_sums() / (X.shape[1] + 1)),
        Mistake("not squared", lambda X, mu: (X - mu).row_means()),
    )

    def rule(self, X, mu):
        """The squares of the distances, summed, over d - correction.

        InputError for a sample variance of one feature.
        """
        if X.shape[1] == self.correction:
            raise InputError(
                "the sample variance of one feature is 0/0",
                expected="at least two features, or the population variance",
            )
        return ((X - mu) ** 2).row_sums() / (X.shape[1] - self.correction)

    def pullback(self, dvar, var, X, mu):
        """dX = 2 dvar (X - mu)/(d - correction), and dmu the negative of its row sums."""
        dX = (X - mu) * (dvar * 2 / (X.shape[1] - self.correction))
        return dX, -dX.row_sums()

    def formula(self, var, X, mu):
        """The mean of the squared distances of row i."""
        total = BigSum((X["i", "j"] - mu["i"]) ** 2, "j", "d")
        return var["i"], total / (Name("d") - term(1) if self.correction else Name("d"))

    def notation(self, X, mu):
        """var X."""
        return Apply("var", X)
