"""ReLU: what is negative becomes 0; the leaky one keeps a little of it.

Y_ij = max(0, X_ij) (1 - slope) + slope X_ij                      Nair and Hinton 2010; Maas 2013
"""

from dataclasses import dataclass, field

from derive.exact import Scalar, matrix, number, relu, step
from derive.exact.trace import Apply, term
from derive.op import Mistake


@dataclass(frozen=True)
class Relu:
    """X (n x m) gives X where it is positive and slope X elsewhere.  The derivative at 0 is slope.

    The sign of a number is proved, by algebra or by enclosures; where neither decides it, the value
    stays max(0, x).
    """

    slope: Scalar = field(default_factory=lambda: number(0))

    rowwise = 1
    examples = ((matrix([[1, -2], [number(-1, 2), number(2).sqrt()]]),),)
    mistakes = (Mistake("absolute value", lambda X: relu(X) + relu(-X)),)

    def rule(self, X):
        """max(0, X), and the slope where it is not 0."""
        return relu(X) if self.slope.is_zero else X * self.slope + relu(X) * (1 - self.slope)

    def pullback(self, dY, Y, X):
        """dX = dY where X > 0, slope dY elsewhere."""
        return (dY * (step(X) * (1 - self.slope) + self.slope),)

    def formula(self, Y, X):
        """Entry by entry."""
        return Y["i", "j"], self.spelled(X["i", "j"])

    def notation(self, X):
        """ReLU X."""
        return Apply("ReLU" if self.slope.is_zero else "LeakyReLU", X)

    def pulled(self, dY, Y, X):
        """The pullback in matrix notation."""
        name = "ReLU'" if self.slope.is_zero else "LeakyReLU'"
        return (dY.hadamard(Apply(name, X)),)

    def spelled(self, x):
        """The rule in the letter x."""
        if self.slope.is_zero:
            return relu(x)
        return term(self.slope) * x + term(1 - self.slope) * relu(x)
