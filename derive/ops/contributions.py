"""Contributions: what each value vector, times its weight, adds to each output.

c_ij = A_ij v_j, and o_i = sum_j c_ij                             Vaswani et al. 2017, eq. 1
"""

from dataclasses import dataclass

from derive.exact import Matrix, matrix, number
from derive.exact.trace import Entry, Row
from derive.op import Mistake


@dataclass(frozen=True)
class Contributions:
    """A (n x m) and V (m x d_v) give an (n m) x d_v matrix: row (i - 1) m + j holds A_ij v_j."""

    rowwise = False
    examples = ((matrix([[number(1, 2), number(1, 2)], [1, 0]]), matrix([[1, 0, 2], [3, -1, 1]])),)
    mistakes = (Mistake("weights of the column", lambda A, V: Contributions().rule(A.T, V)),)

    def rule(self, A, V):
        """Every weight times every entry of its value vector."""
        return A.weighted_rows(V)

    def pullback(self, dC, C, A, V):
        """dA_ij = <dC_ij, v_j> and dv_j = sum_i A_ij dC_ij."""
        m = len(V.rows)
        blocks = [Matrix(dC.rows[k : k + m]) for k in range(0, len(dC.rows), m)]
        dA = Matrix([[x for (x,) in (block * V).row_sums().rows] for block in blocks])
        parts = [block * Matrix([[a] for a in w]) for block, w in zip(blocks, A.rows, strict=True)]
        return dA, sum(parts[1:], parts[0])

    def formula(self, C, A, V):
        """The weight of token j for token i, times entry k of its value."""
        return C["i", "j", "k"], A["i", "j"] * V["j", "k"]

    def notation(self, A, V):
        """c_ij = A_ij v_j."""
        return Entry(A.step, ("i", "j")) * Row(V.step, "j")
