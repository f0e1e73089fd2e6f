"""Gain and bias: every feature gets a scale and a shift of its own after normalisation.

N_ij = gamma_j xhat_ij + beta_j                                   Ba et al. 2016, eq. 4
"""

from dataclasses import dataclass

from derive.exact import matrix, number
from derive.op import Mistake


@dataclass(frozen=True)
class Gain:
    """xhat (n x d), gamma and beta (1 x d) give gamma xhat + beta, feature by feature."""

    rowwise = 1
    examples = ((matrix([[1, -1], [number(1, 2), 2]]), matrix([[2, 3]]), matrix([[0, 5]])),)
    mistakes = (Mistake("bias scaled too", lambda X, gamma, beta: (X + beta) * gamma),)

    def rule(self, X, gamma, beta):
        """Every column times its gain, plus its bias."""
        return X * gamma + beta

    def pullback(self, dY, Y, X, gamma, beta):
        """dX = dY gamma; dgamma and dbeta are the column sums of dY X and of dY."""
        return dY * gamma, (dY * X).column_sums(), dY.column_sums()

    def formula(self, Y, X, gamma, beta):
        """Entry by entry."""
        return Y["i", "j"], gamma["j"] * X["i", "j"] + beta["j"]

    def notation(self, X, gamma, beta):
        """xhat times gamma, plus beta."""
        return X.hadamard(gamma) + beta
