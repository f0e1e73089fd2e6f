"""Softmax: each row, or column, of scores becomes weights that sum to one.

A_ij = exp(S_ij) / sum_k exp(S_ik)                     Bridle 1990; Vaswani et al. 2017, eq. 1
"""

from dataclasses import dataclass

from derive.exact import InputError, exp, matrix, number
from derive.exact.trace import Apply, BigSum
from derive.op import Mistake


@dataclass(frozen=True)
class Softmax:
    """S gives A of its shape, each row positive where the score is not -oo, with sum 1.

    along: "rows", or "columns" where the scores of a query stand in a column.
    """

    along: str = "rows"

    examples = (
        (matrix([[0, 1], [number(1, 2), -2]]),),
        (matrix([[3]]),),
        (matrix([[1, 1, 2], [0, 2, 2]]),),
    )
    mistakes = (
        Mistake("columns", lambda S: exp(S.T).divide_rows(exp(S.T).row_sums()).T),
        Mistake("not exponentiated", lambda S: S.divide_rows(S.row_sums())),
    )

    @property
    def rowwise(self):
        """Of columns a row needs all rows."""
        return self.along == "rows"

    def by_rows(self, X):
        """X with what belongs to a query as a row, and back again."""
        return X if self.along == "rows" else X.T

    def rule(self, S):
        """exp S over its row sums.  InputError where a row is -oo throughout."""
        # Float code first subtracts the row maximum; exactly, that changes nothing.
        E = exp(self.by_rows(S))
        if row := E.zero_row():
            line = self.along.removesuffix("s")
            raise InputError(
                f"softmax: {line} {row} is masked throughout, so its weights are 0/0",
                expected=f"at least one allowed position in every {line}",
                hint=f'allow one position in that {line}, or use mask_value = "-1e9"',
            )
        return self.by_rows(E.divide_rows(E.row_sums()))

    def pullback(self, dA, A, S):
        """dS = A * (dA - <dA, A>), the inner product taken along each row."""
        return (A * (dA - self.by_rows(self.by_rows(dA * A).row_sums())),)

    def formula(self, A, S):
        """The share of e^{S_ij} in its row."""
        other = S["i", "k"] if self.along == "rows" else S["k", "j"]
        return A["i", "j"], exp(S["i", "j"]) / BigSum(exp(other), "k", "m")

    def notation(self, S):
        """softmax S."""
        return Apply("softmax", S)
