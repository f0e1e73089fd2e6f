"""Temper: scores over a temperature that is itself a quantity, so that it can be varied.

Y_ij = S_ij / tau                                                 Hinton et al. 2015, eq. 1
"""

from dataclasses import dataclass

from derive.exact import matrix, number
from derive.op import Mistake


@dataclass(frozen=True)
class Temper:
    """S (n x m) and tau (1 x 1) give S over tau."""

    rowwise = 1
    examples = (
        (matrix([[1, 2], [3, -4]]), matrix([[number(1, 2)]])),
        (matrix([[number(3).sqrt()]]), matrix([[2]])),
    )
    mistakes = (Mistake("multiplied", lambda S, tau: S * tau),)

    def rule(self, S, tau):
        """S / tau."""
        return S / tau

    def pullback(self, dY, Y, S, tau):
        """dS = dY / tau, and dtau = -<dY, Y> / tau."""
        return dY / tau, -((dY * Y).row_sums().column_sums() / tau)

    def formula(self, Y, S, tau):
        """Entry by entry."""
        return Y["i", "j"], S["i", "j"] / tau[()]

    def notation(self, S, tau):
        """S / tau."""
        return S / tau
