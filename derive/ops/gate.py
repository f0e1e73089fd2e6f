"""Gate: one matrix lets the other through, entry by entry.

Y_ij = G_ij U_ij                                                  Shazeer 2020, eq. 5
"""

from dataclasses import dataclass

from derive.exact import matrix, number


@dataclass(frozen=True)
class Gate:
    """G and U (both n x m) give their entrywise product."""

    rowwise = 2
    examples = ((matrix([[1, 2], [number(1, 2), -2]]), matrix([[3, 0], [5, 1]])),)
    mistakes = ()

    def rule(self, G, U):
        """Entry by entry."""
        return G * U

    def pullback(self, dY, Y, G, U):
        """dG = dY U and dU = dY G, entry by entry."""
        return dY * U, dY * G

    def formula(self, Y, G, U):
        """Entry by entry."""
        return Y["i", "j"], G["i", "j"] * U["i", "j"]

    def notation(self, G, U):
        """The entrywise product."""
        return G.hadamard(U)
