"""Cross-entropy: how surprised each position is by the token that follows.

L_i = -ln P_{i, y_i}                                              Goodfellow et al. 2016, eq. 5.59
"""

from dataclasses import dataclass

from derive.exact import log, matrix, number
from derive.exact.trace import Apply, Entry, Function, Name, Symbol
from derive.op import Mistake


@dataclass(frozen=True)
class CrossEntropy:
    """P (n x vocabulary, rows of probabilities) gives the column of losses (n x 1).

    targets: the number, counted from 1, of the token that each position should foretell.
    """

    targets: tuple[int, ...] = (2, 1)

    rowwise = 0
    examples = ((matrix([[number(1, 2), number(1, 2)], [number(1, 4), number(3, 4)]]),),)
    mistakes = (
        Mistake("logarithm to base 2", lambda P: -log(P.at((2, 1))) / log(number(2))),
        Mistake("sign forgotten", lambda P: log(P.at((2, 1)))),
    )

    def rule(self, P):
        """Minus the logarithm of the probability of each target."""
        return -log(P.at(self.targets))

    def pullback(self, dL, L, P):
        """dP = -dL / P at the targets, 0 elsewhere."""
        # Only the targets are divided by: another probability may be 0.
        return ((P * number(0) - dL / P.at(self.targets)) * self.marks(P),)

    def marks(self, P):
        """1 at the targets, 0 elsewhere."""
        m = P.shape[1]
        return matrix([[int(j == y) for j in range(1, m + 1)] for y in self.targets])

    def formula(self, L, P):
        """The target of position i is y_i."""
        return L["i"], -Function("log", Entry(P.step, ("i", "y_i")))

    def notation(self, P):
        """-ln P at the targets."""
        return -Apply("log", Entry(P.step, (":", "y")))

    def pulled(self, dL, L, P):
        """The pullback in matrix notation: 1 in the column of the target."""
        ratio = dL / Entry(P.step, (":", "y"))
        return (-(ratio @ Name("1").T).hadamard(Symbol("[j=y]")),)
