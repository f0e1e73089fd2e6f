"""Sinusoidal positions: each position as sines and cosines of falling frequency.

PE_{p, 2i} = sin(p base^(-2i/d)),  PE_{p, 2i+1} = cos(p base^(-2i/d))   Vaswani et al. 2017, 3.5
"""

from dataclasses import dataclass

from derive.exact import Matrix, call, cos, grid, number, sin
from derive.exact.power import power
from derive.exact.trace import Name, Power, Symbol, term
from derive.op import Mistake


@dataclass(frozen=True)
class Sinusoid:
    """No input; gives the encodings (n x d) of positions start ... start + n - 1.

    layout: "adjacent" for sine and cosine in turns, "halves" for all sines before all cosines.
    Frequencies stay exact: sin(1/100) is written as such.
    """

    n: int = 3
    d: int = 4
    start: int = 0
    base: int = 10000
    layout: str = "adjacent"

    rowwise = 0
    examples = ((),)
    mistakes = (Mistake("sine and cosine exchanged", lambda: _exchanged(Sinusoid().rule())),)

    def rule(self):
        """Row p, column j."""
        return grid(self.n, self.d, self.entry)

    def entry(self, row, column):
        """The entry, row and column counted from 1."""
        if self.layout == "adjacent":
            i, is_sine = (column - 1) // 2, column % 2 == 1
        else:
            half = (self.d + 1) // 2
            i, is_sine = (column - 1) % half, column <= half
        angle = number(self.start + row - 1) * power(self.base, -2 * i, self.d)
        return call("sin" if is_sine else "cos", angle)

    def pullback(self, dY, Y):
        """Nothing goes in."""
        return ()

    def formula(self, Y):
        """The odd columns, counted from 1, of adjacent pairs; the first half otherwise."""
        return Y["p", "2i+1" if self.layout == "adjacent" else "i+1"], sin(self.angle)

    def also(self, Y):
        """And the cosines."""
        return Y["p", "2i+2" if self.layout == "adjacent" else "i+1+d/2"], cos(self.angle)

    @property
    def angle(self):
        """p base^(-2i/d), p counted from `start`."""
        return Symbol("p") / Power(term(number(self.base)), "2i/d")

    def notation(self):
        """PE."""
        return Name("PE")


def _exchanged(P: Matrix) -> Matrix:
    return P.columns([c + 1 if c % 2 else c - 1 for c in range(1, P.shape[1] + 1)])
