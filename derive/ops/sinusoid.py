"""Sinusoidal positions: each position as sines and cosines of falling frequency.

PE_{p, 2i} = sin(p base^(-2i/d)),  PE_{p, 2i+1} = cos(p base^(-2i/d))   Vaswani et al. 2017, 3.5
"""

from dataclasses import dataclass

from derive.exact import Matrix, call, cos, grid, sin
from derive.exact.angles import angle, angle_in_letters, columns_of_pair, pair
from derive.exact.trace import Name
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
        i, is_cosine = pair(column, self.d, self.layout)
        a = angle(self.start + row - 1, i, self.base, self.d)
        return call("cos" if is_cosine else "sin", a)

    def pullback(self, dY, Y):
        """Nothing goes in."""
        return ()

    def formula(self, Y):
        """The first of each pair; p is counted from `start`."""
        return Y["p", columns_of_pair(self.layout)[0]], sin(angle_in_letters(self.base))

    def also(self, Y):
        """And the second."""
        return Y["p", columns_of_pair(self.layout)[1]], cos(angle_in_letters(self.base))

    def notation(self):
        """PE."""
        return Name("PE")


def _exchanged(P: Matrix) -> Matrix:
    return P.columns([c + 1 if c % 2 else c - 1 for c in range(1, P.shape[1] + 1)])
