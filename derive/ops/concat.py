"""Concatenation: matrices side by side, as the outputs of the heads are joined.

Y = [X^(1) | ... | X^(h)]                                         Vaswani et al. 2017, sect. 3.2.2
"""

from dataclasses import dataclass

from derive.exact import matrix
from derive.exact.trace import Beside, Indexed
from derive.op import Mistake


@dataclass(frozen=True)
class Concat:
    """h matrices (n x d_1 ... n x d_h) give one (n x (d_1 + ... + d_h))."""

    rowwise = 99
    examples = (
        (matrix([[1, 2], [3, 4]]), matrix([[5], [6]])),
        (matrix([[1]]), matrix([[2]]), matrix([[3]])),
    )
    mistakes = (Mistake("in reverse", lambda *X: X[-1].beside(*X[-2::-1])),)

    def rule(self, *X):
        """Side by side."""
        first, *others = X
        return first.beside(*others)

    def pullback(self, dY, Y, *X):
        """Each matrix receives its own columns of dY."""
        ends = [sum(x.shape[1] for x in X[: h + 1]) for h in range(len(X))]
        starts = [0, *ends[:-1]]
        return tuple(dY.columns(range(a + 1, b + 1)) for a, b in zip(starts, ends, strict=True))

    def formula(self, Y, *X):
        """Row i of every matrix, one after the other."""
        return Y["i", ":"], Beside(tuple(Indexed(x.step)["i", ":"] for x in X))

    def notation(self, *X):
        """[X^(1) | ... | X^(h)]."""
        return Beside(X)
