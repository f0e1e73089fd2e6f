"""Rotary positions: each pair of features is turned by an angle that grows with the position.

(x, y) at position p becomes (x cos a - y sin a, x sin a + y cos a),  a = p base^(-2i/d)
                                                                  Su et al. 2021, eq. 34
"""

from dataclasses import dataclass

from derive.exact import call, cos, grid, matrix, number, sin
from derive.exact.power import power
from derive.exact.trace import Apply, Power, Symbol, term
from derive.op import Mistake


@dataclass(frozen=True)
class Rotate:
    """X (n x d, d even) gives its rows rotated by their positions, start ... start + n - 1.

    layout: "adjacent" pairs columns (1, 2), (3, 4) ...; "halves" pairs j with j + d/2.
    """

    start: int = 0
    base: int = 10000
    layout: str = "adjacent"

    rowwise = 0
    examples = (
        (matrix([[1, 2], [3, number(1, 2)], [5, -6]]),),
        (matrix([[1, 2, 3, 4], [5, 6, 7, number(8).sqrt()]]),),
    )
    mistakes = (Mistake("turned backwards", lambda X: Rotate()._turned(X, -1)),)

    def rule(self, X):
        """X times the cosines, plus the partner of each feature times the signed sines."""
        return self._turned(X, 1)

    def _turned(self, X, direction):
        n, d = X.shape
        partners = [self.partner(j, d) for j in range(1, d + 1)]
        cosines = grid(n, d, lambda p, j: call("cos", self.angle(p, j, d)))
        sines = grid(n, d, lambda p, j: self.side(j, d) * direction * self._sine(p, j, d))
        return X * cosines + X.columns(partners) * sines

    def _sine(self, row, column, d):
        return call("sin", self.angle(row, column, d))

    def angle(self, row, column, d):
        """The angle of a pair at a position, row and column counted from 1."""
        i = (column - 1) // 2 if self.layout == "adjacent" else (column - 1) % (d // 2)
        return number(self.start + row - 1) * power(self.base, -2 * i, d)

    def partner(self, j, d):
        """The column that turns with column j."""
        if self.layout == "adjacent":
            return j + 1 if j % 2 else j - 1
        return j + d // 2 if j <= d // 2 else j - d // 2

    def side(self, j, d):
        """-1 for the first of a pair, 1 for the second."""
        return -1 if self.partner(j, d) > j else 1

    def pullback(self, dY, Y, X):
        """A rotation back."""
        return (self._turned(dY, -1),)

    def formula(self, Y, X):
        """The first of a pair."""
        first, second = self._pair()
        x, y = X["p", first], X["p", second]
        return Y["p", first], x * cos(self.turn) - y * sin(self.turn)

    def also(self, Y, X):
        """And the second."""
        first, second = self._pair()
        x, y = X["p", first], X["p", second]
        return Y["p", second], x * sin(self.turn) + y * cos(self.turn)

    def _pair(self):
        return ("2i+1", "2i+2") if self.layout == "adjacent" else ("i+1", "i+1+d/2")

    @property
    def turn(self):
        """The angle in letters, p counted from `start`."""
        return Symbol("p") / Power(term(number(self.base)), "2i/d")

    def notation(self, X):
        """RoPE X."""
        return Apply("RoPE", X)
