"""Rotary positions: each pair of features is turned by an angle that grows with the position.

(x, y) at position p becomes (x cos a - y sin a, x sin a + y cos a),  a = p base^(-2i/d)
                                                                  Su et al. 2021, eq. 34
"""

from dataclasses import dataclass

from derive.exact import cos, grid, matrix, number, sin
from derive.exact.angles import angle, angle_in_letters, columns_of_pair, pairs
from derive.exact.trace import Apply
from derive.op import Mistake


@dataclass(frozen=True)
class Rotate:
    """X (n x d, d even) gives its rows rotated by their positions, start ... start + n - 1.

    layout: "adjacent" pairs columns (1, 2) ..., "halves" j with j + d/2.  InputError for odd d.
    """

    start: int = 0
    base: int = 10000
    layout: str = "adjacent"

    rowwise = 0
    examples = (
        (matrix([[1, 2], [3, number(1, 2)], [5, -6]]),),
        (matrix([[1, 2, 3, 4], [5, 6, 7, number(8).sqrt()]]),),
    )
    mistakes = (Mistake("turned backwards", lambda X: Rotate().turned(X, -1)),)

    def rule(self, X):
        """X times the cosines, plus the partner of each feature times the signed sines."""
        return self.turned(X, 1)

    def turned(self, X, direction):
        """Forwards for 1, backwards for -1."""
        (n, d), at = X.shape, pairs(X.shape[1], self.layout)
        partners = [at.index((i, not second)) + 1 for i, second in at]
        angles = grid(n, d, lambda p, j: angle(self.start + p - 1, at[j - 1][0], self.base, d))
        sines = sin(angles) * matrix([[direction if second else -direction for _, second in at]])
        return X * cos(angles) + X.columns(partners) * sines

    def pullback(self, dY, Y, X):
        """A rotation back."""
        return (self.turned(dY, -1),)

    def formula(self, Y, X):
        """The first of a pair; p is counted from `start`."""
        a, (first, second) = angle_in_letters(self.base), columns_of_pair(self.layout)
        return Y["p", first], X["p", first] * cos(a) - X["p", second] * sin(a)

    def also(self, Y, X):
        """And the second."""
        a, (first, second) = angle_in_letters(self.base), columns_of_pair(self.layout)
        return Y["p", second], X["p", first] * sin(a) + X["p", second] * cos(a)

    def notation(self, X):
        """RoPE X."""
        return Apply("RoPE", X)

    def pulled(self, dY, Y, X):
        """The pullback in matrix notation."""
        return (Apply("RoPE inverse", dY),)
