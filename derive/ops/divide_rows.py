"""Divide rows: each token's features over one number.

Y_ij = X_ij / rms_i                                               Zhang and Sennrich 2019, eq. 4
"""

from dataclasses import dataclass

from derive.exact import matrix, number


@dataclass(frozen=True)
class DivideRows:
    """X (n x d) and a column z (n x 1) give X with row i over z_i."""

    rowwise = 2
    examples = ((matrix([[1, 2, 3], [0, number(1, 2), -2]]), matrix([[2], [number(3).sqrt()]])),)
    mistakes = ()

    def rule(self, X, z):
        """Row by row."""
        return X.divide_rows(z)

    def pullback(self, dY, Y, X, z):
        """dX = dY / z, and dz minus the row sums of dX Y."""
        dX = dY.divide_rows(z)
        return dX, -(dX * Y).row_sums()

    def formula(self, Y, X, z):
        """Entry by entry."""
        return Y["i", "j"], X["i", "j"] / z["i"]

    def notation(self, X, z):
        """X / z."""
        return X / z
