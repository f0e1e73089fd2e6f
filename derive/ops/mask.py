"""Mask: scores that must not count get -oo, so that their weight is exactly 0.

Y_ij = S_ij + M_ij,  M_ij = -oo where forbidden, 0 elsewhere      Vaswani et al. 2017, sect. 3.2.3
"""

from dataclasses import dataclass, field

from derive.exact import NEG_INF, Matrix, NegativeInfinity, Scalar, grid, matrix, number
from derive.exact.trace import Cases, Indexed, Name, term
from derive.op import Mistake


def causal(n: int, m: int) -> Matrix:
    """The n x m mask under which row i sees columns 1 ... i."""
    return grid(n, m, lambda i, j: number(0) if j <= i else NEG_INF)


@dataclass(frozen=True)
class Mask:
    """S (n x m) with `value` added to, or put in the place of, what `forbidden` marks by -oo."""

    forbidden: Matrix = field(default_factory=lambda: causal(2, 2))
    value: Scalar | NegativeInfinity = NEG_INF
    mode: str = "add"

    rowwise = False
    examples = ((matrix([[1, 2], [3, -4]]),),)
    mistakes = (
        Mistake("weights zeroed after softmax", lambda S: S),
        Mistake("transposed", lambda S: S.T + causal(*S.shape)),
    )

    def rule(self, S):
        """S + M, or S with the value in the forbidden places."""
        return S.where(self.forbidden, self.value) if self.mode == "replace" else S + self.addend()

    def addend(self) -> Matrix:
        """M: 0 where allowed, the value where forbidden."""
        return self.forbidden.where(self.forbidden, self.value)

    def pullback(self, dY, Y, S):
        """dS = dY where the score still counts; 0 where -oo or another value took its place."""
        keeps = self.mode == "add" and not isinstance(self.value, NegativeInfinity)
        return (dY if keeps else dY.where(self.forbidden, number(0)),)

    def formula(self, Y, S):
        """S_ij + M_ij, or the value where M_ij = -oo."""
        return Y["i", "j"], self.masked(S["i", "j"], Indexed("mask")["i", "j"])

    def notation(self, S):
        """S + M, or the value where M = -oo."""
        return self.masked(S, Name("mask"))

    def masked(self, s, m):
        """The rule in the letters s and m."""
        if self.mode == "add":
            return s + m
        return Cases(((s, m, term(0)), (term(self.value), m, term(NEG_INF))))

    def matrix(self) -> Matrix:
        """M as the formula speaks of it."""
        return self.addend() if self.mode == "add" else self.forbidden
