"""Scale columns: every feature gets a scale of its own, as RMSNorm has it.

N_ij = gamma_j X_ij                                               Zhang and Sennrich 2019, eq. 4
"""

from dataclasses import dataclass

from derive.exact import matrix, number
from derive.op import Mistake


@dataclass(frozen=True)
class ScaleColumns:
    """X (n x d) and gamma (1 x d) give X with column j times gamma_j."""

    rowwise = 1
    examples = ((matrix([[1, -1], [number(1, 2), 2]]), matrix([[2, 3]])),)
    mistakes = (Mistake("gain forgotten", lambda X, gamma: X),)

    def rule(self, X, gamma):
        """Every column times its gain."""
        return X * gamma

    def pullback(self, dY, Y, X, gamma):
        """dX = dY gamma, and dgamma the column sums of dY X."""
        return dY * gamma, (dY * X).column_sums()

    def formula(self, Y, X, gamma):
        """Entry by entry."""
        return Y["i", "j"], gamma["j"] * X["i", "j"]

    def notation(self, X, gamma):
        """X times gamma."""
        return X.hadamard(gamma)
