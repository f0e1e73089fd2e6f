"""SquaredError: how far each row is from what it should be.

L_i = (1/d) sum_j (X_ij - T_ij)^2                                 Goodfellow et al. 2016, eq. 5.5
"""

from dataclasses import dataclass

from derive.exact import matrix, number
from derive.exact.trace import Apply, BigSum, Name
from derive.op import Mistake


@dataclass(frozen=True)
class SquaredError:
    """X and T (n x d) give one number a row (n x 1), whose mean is the mean square error."""

    # The squares of long quotients would not be read: they are written in entries of X.
    is_lettered = True
    rowwise = 2
    examples = (
        (matrix([[1, 2], [3, number(1, 2)]]), matrix([[0, 2], [5, 1]])),
        (matrix([[3]]), matrix([[-1]])),
    )
    mistakes = (
        Mistake("sum instead of mean", lambda X, T: ((X - T) ** 2).row_sums()),
        Mistake("halved", lambda X, T: ((X - T) ** 2).row_means() / 2),
    )

    def rule(self, X, T):
        """The mean of the squares of each row's differences."""
        return ((X - T) ** 2).row_means()

    def pullback(self, dL, L, X, T):
        """dX = 2 dL (X - T) / d, and dT its negative."""
        dX = (X - T) * (dL * 2 / X.shape[1])
        return dX, -dX

    def formula(self, L, X, T):
        """The mean square of row i."""
        square = (X["i", "j"] - T["i", "j"]) ** 2
        return L["i"], BigSum(square, "j", "d") / Name("d")

    def notation(self, X, T):
        """mean (X - T)^2, along each row."""
        return Apply("mean", (X - T) ** 2)
