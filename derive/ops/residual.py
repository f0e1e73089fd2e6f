"""Residual: what a sublayer makes is added to what went into it.

Y_ij = X_ij + F_ij                                                He et al. 2016, eq. 1
"""

from dataclasses import dataclass

from derive.exact import matrix, number


@dataclass(frozen=True)
class Residual:
    """X and F (both n x m) give X + F."""

    rowwise = 2
    examples = ((matrix([[1, 2], [number(1, 2), -2]]), matrix([[3, 0], [5, 1]])),)
    mistakes = ()

    def rule(self, X, F):
        """X + F."""
        return X + F

    def pullback(self, dY, Y, X, F):
        """dY goes both ways unchanged."""
        return dY, dY

    def formula(self, Y, X, F):
        """Entry by entry."""
        return Y["i", "j"], X["i", "j"] + F["i", "j"]

    def notation(self, X, F):
        """X + F."""
        return X + F
