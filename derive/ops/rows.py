"""Rows: some rows of a matrix, such as the part of W_O that one head's output meets.

Y_ij = X_{first + i - 1, j}                                       Vaswani et al. 2017, sect. 3.2.2
"""

from dataclasses import dataclass

from derive.exact import matrix, number
from derive.exact.trace import Entry
from derive.op import Mistake


@dataclass(frozen=True)
class Rows:
    """X (n x m) gives its rows first ... last, counted from 1 ((last - first + 1) x m)."""

    first: int = 1
    last: int = 2

    rowwise = 0
    examples = ((matrix([[1, 2], [3, 4], [5, 6], [7, 8]]),),)
    mistakes = (Mistake("columns", lambda X: X.columns((1, 2))),)

    def rule(self, X):
        """The rows."""
        return X.pick(range(self.first, self.last + 1))

    def pullback(self, dY, Y, X):
        """dY where the rows came from, 0 elsewhere."""
        zero = X.pick((1,)) * number(0)
        before, after = [zero] * (self.first - 1), [zero] * (X.shape[0] - self.last)
        every = [*before, dY, *after]
        return (every[0].below(*every[1:]),)

    def formula(self, Y, X):
        """Row first + i - 1."""
        shift = f"i+{self.first - 1}" if self.first > 1 else "i"
        return Y["i", "j"], Entry(X.step, (shift, "j"))

    def notation(self, X):
        """X with the rows as its lower index."""
        places = str(self.first) if self.first == self.last else f"{self.first}:{self.last}"
        return Entry(X.step, (places, ":"))
