"""GELU: each number times the probability that a standard normal one is smaller.

Y_ij = X_ij (1 + erf(X_ij / sqrt(2))) / 2                         Hendrycks and Gimpel 2016, eq. 1
"""

from dataclasses import dataclass

from derive.exact import PI, erf, exp, matrix, number, tanh
from derive.exact.trace import Apply
from derive.op import Mistake

ROOT = number(2).sqrt()
INNER = (2 / PI).sqrt()
CUBIC = number(44715, 1000000)


@dataclass(frozen=True)
class Gelu:
    """X (n x m) gives X Phi(X), entry by entry.

    form: "erf", or "tanh" for x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) / 2.
    """

    form: str = "erf"

    rowwise = 1
    examples = ((matrix([[1, -2], [number(-1, 2), number(2).sqrt()]]),), (matrix([[0]]),))
    mistakes = (Mistake("sigmoid instead", lambda X: X / (1 + exp(-X))),)

    def rule(self, X):
        """X Phi(X)."""
        return X * (1 + self.inner(X)) / 2

    def inner(self, X):
        """2 Phi - 1, exactly or by tanh."""
        return erf(X / ROOT) if self.form == "erf" else tanh((X + X**3 * CUBIC) * INNER)

    def pullback(self, dY, Y, X):
        """dX = dY (Phi(X) + X Phi'(X))."""
        if self.form == "erf":
            slope = exp(-(X**2) / 2) / (PI * 2).sqrt()
        else:
            slope = (1 - self.inner(X) ** 2) * ((1 + X**2 * (3 * CUBIC)) * INNER) / 2
        return (dY * ((1 + self.inner(X)) / 2 + X * slope),)

    def formula(self, Y, X):
        """Entry by entry."""
        x = X["i", "j"]
        return Y["i", "j"], x * (1 + self.inner(x)) / 2

    def notation(self, X):
        """GELU X."""
        return Apply("GELU", X)

    def pulled(self, dY, Y, X):
        """The pullback in matrix notation."""
        return (dY.hadamard(Apply("GELU'", X)),)
