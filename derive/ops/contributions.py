"""Contributions: what each value vector, times its weight, adds to each output.

c_ij = A_ij v_j, and o_i = sum_j c_ij                             Vaswani et al. 2017, eq. 1
"""

from dataclasses import dataclass

from derive.exact import matrix, number
from derive.exact.trace import BigSum, Entry, Row
from derive.op import Mistake


@dataclass(frozen=True)
class Contributions:
    """A (n x m) and V (m x d_v) give an (n m) x d_v matrix: row (i - 1) m + j holds A_ij v_j.

    along: "rows", or "columns" for the same turned over: A (m x n), V (d_v x m), and
    column (j - 1) m + i holds A_ij v_i.
    """

    along: str = "rows"

    rowwise = False
    examples = ((matrix([[number(1, 2), number(1, 2)], [1, 0]]), matrix([[1, 0, 2], [3, -1, 1]])),)
    mistakes = (Mistake("weights of the column", lambda A, V: Contributions().rule(A.T, V)),)

    def by_rows(self, X):
        """X with vectors as rows, and back again."""
        return X if self.along == "rows" else X.T

    def rule(self, A, V):
        """Every weight times every entry of its value vector."""
        return self.by_rows(self.by_rows(A).weighted_rows(self.by_rows(V)))

    def pullback(self, dC, C, A, V):
        """dA_ij = <dC_ij, v_j> and dv_j = sum_i A_ij dC_ij."""
        dC, A, V = map(self.by_rows, (dC, A, V))
        (n, m), weights = A.shape, A.T
        blocks = [dC.pick(range(i * m + 1, i * m + m + 1)) for i in range(n)]
        first, *others = ((block * V).row_sums().T for block in blocks)
        dA = first.below(*others)
        parts = [block * weights.columns((i,)) for i, block in enumerate(blocks, 1)]
        return self.by_rows(dA), self.by_rows(sum(parts[1:], parts[0]))

    def formula(self, C, A, V):
        """The weight of token j for token i, times entry k of its value."""
        value = V["j", "k"] if self.along == "rows" else V["k", "i"]
        return C["i", "j", "k"], A["i", "j"] * value

    def notation(self, A, V):
        """c_ij = A_ij v_j."""
        return Entry(A.step, ("i", "j")) * Row(V.step, "j" if self.along == "rows" else "i")

    def pulled(self, dC, C, A, V):
        """The pullback for entry i, j of A and row j of V."""
        dc = Entry(dC.step, ("i", "j", ":"))
        key, query = ("j", "i") if self.along == "rows" else ("i", "j")
        return dc @ Row(V.step, key).T, BigSum(Entry(A.step, ("i", "j")) * dc, query, "")
