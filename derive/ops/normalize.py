"""Normalisation: each token's features with mean 0 and deviation 1.

xhat_ij = (X_ij - mu_i) / sigma_i                                 Ba et al. 2016, eq. 4
"""

from dataclasses import dataclass

from derive.exact import matrix, number
from derive.exact.trace import Name
from derive.op import Mistake


@dataclass(frozen=True)
class Normalize:
    """X (n x d), mu and sigma (n x 1) give the rows of X less their mean, over their deviation."""

    rowwise = 3
    examples = (
        (
            matrix([[1, 2, 3], [0, number(1, 2), -2]]),
            matrix([[2], [number(-1, 2)]]),
            matrix([[number(2).sqrt()], [3]]),
        ),
    )
    mistakes = (Mistake("mean not subtracted", lambda X, mu, sigma: X.divide_rows(sigma)),)

    def rule(self, X, mu, sigma):
        """(X - mu) over sigma, row by row."""
        return (X - mu).divide_rows(sigma)

    def pullback(self, dY, Y, X, mu, sigma):
        """dX = dY / sigma; dmu and dsigma are minus the row sums of dX and of dX times Y."""
        dX = dY.divide_rows(sigma)
        return dX, -dX.row_sums(), -(dX * Y).row_sums()

    def formula(self, Y, X, mu, sigma):
        """Entry by entry."""
        return Y["i", "j"], (X["i", "j"] - mu["i"]) / sigma["i"]

    def notation(self, X, mu, sigma):
        """(X - mu 1) / sigma."""
        return (X - mu @ Name("1").T) / sigma
