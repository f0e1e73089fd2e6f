"""Columns: some columns of a matrix, such as the part of a wide weight that one head uses.

Y_ij = X_{i, first + j - 1}                                       Vaswani et al. 2017, sect. 3.2.2
"""

from dataclasses import dataclass

from derive.exact import matrix, number
from derive.exact.trace import Entry
from derive.op import Mistake


@dataclass(frozen=True)
class Columns:
    """X (n x m) gives its columns first ... last, counted from 1 (n x (last - first + 1))."""

    first: int = 1
    last: int = 2

    rowwise = 1
    examples = ((matrix([[1, 2, 3, 4], [5, 6, 7, 8]]),),)
    mistakes = (Mistake("rows", lambda X: X.pick((1, 2))),)

    def rule(self, X):
        """The columns."""
        return X.columns(range(self.first, self.last + 1))

    def pullback(self, dY, Y, X):
        """dY where the columns came from, 0 elsewhere."""
        m = X.shape[1]
        zero = X.columns(range(1, 2)) * number(0)
        before, after = [zero] * (self.first - 1), [zero] * (m - self.last)
        every = [*before, dY, *after]
        return (every[0].beside(*every[1:]),)

    def formula(self, Y, X):
        """Column first + j - 1."""
        shift = f"j+{self.first - 1}" if self.first > 1 else "j"
        return Y["i", "j"], Entry(X.step, ("i", shift))

    def notation(self, X):
        """X with the columns as its lower index."""
        places = str(self.first) if self.first == self.last else f"{self.first}:{self.last}"
        return Entry(X.step, (":", places))
