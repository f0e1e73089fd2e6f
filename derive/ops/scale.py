"""Scale: the scores over sqrt(d_k), and over the temperature where there is one.

Y_ij = S_ij / (sqrt(d_k) tau)                                     Vaswani et al. 2017, sect. 3.2.1
"""

from dataclasses import dataclass, field

from derive.exact import Scalar, matrix, number
from derive.exact.trace import Value
from derive.op import Mistake


@dataclass(frozen=True)
class Scale:
    """S (n x m) over `divisor`; `spelled` is the divisor in the letters of the shapes."""

    divisor: Scalar = field(default_factory=lambda: number(2).sqrt())
    spelled: Scalar | None = None

    rowwise = True
    examples = ((matrix([[1, 0, 1], [2, 1, 3]]),), (matrix([[-4]]),))
    mistakes = (
        Mistake("not scaled", lambda S: S),
        Mistake("by d_k instead of its root", lambda S: S / 2),
    )

    def rule(self, S):
        """S over the divisor; S itself where that is 1."""
        return S if self.divisor == 1 else S / self.divisor

    def pullback(self, dY, Y, S):
        """dS = dY over the divisor."""
        return (dY / self.divisor,)

    def formula(self, Y, S):
        """Entry by entry."""
        return Y["i", "j"], self.scaled(S["i", "j"])

    def notation(self, S):
        """S over the divisor."""
        return self.scaled(S)

    def scaled(self, s):
        """The rule in the letter s and in the letters of the shapes."""
        spelled = self.spelled if self.spelled is not None else self.divisor
        return s if spelled == 1 else s / Value(spelled)
