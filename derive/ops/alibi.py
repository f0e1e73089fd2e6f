"""ALiBi: a score loses a little for every step between query and key.

Y_ij = S_ij - slope |i - j|                                       Press et al. 2022, sect. 3
"""

from dataclasses import dataclass, field

from derive.exact import Scalar, grid, matrix, number
from derive.exact.trace import Name, Symbol, term


@dataclass(frozen=True)
class Alibi:
    """S (n x m) gives S less the distances times the slope of the head."""

    slope: Scalar = field(default_factory=lambda: number(1, 2))

    rowwise = 0
    examples = ((matrix([[1, 2, 0], [3, 4, number(2).sqrt()]]),), (matrix([[1, 2], [3, 4]]),))
    mistakes = ()

    def rule(self, S):
        """S minus slope times the distances."""
        return S + self.matrix(*S.shape)

    def matrix(self, n, m):
        """What is added."""
        return grid(n, m, lambda i, j: -self.slope * abs(i - j))

    def pullback(self, dY, Y, S):
        """dS = dY."""
        return (dY,)

    def formula(self, Y, S):
        """The distance is the number of steps between the two places."""
        return Y["i", "j"], S["i", "j"] - term(self.slope) * Symbol("|i-j|")

    def notation(self, S):
        """S - slope D."""
        return S - term(self.slope) * Name("D")
