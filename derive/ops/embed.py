"""Embedding: each token's row of the embedding matrix.

X_i = (W_E)_{t_i}                                                 Vaswani et al. 2017, sect. 3.4
"""

from dataclasses import dataclass

from derive.exact import matrix, number
from derive.exact.trace import Entry, Symbol
from derive.op import Mistake


@dataclass(frozen=True)
class Embed:
    """W_E (vocabulary x d) gives its rows at the tokens' numbers, counted from 1 (n x d)."""

    tokens: tuple[int, ...] = (1, 2)

    rowwise = 0
    examples = ((matrix([[1, 2], [3, 4], [number(1, 2), 6]]),),)
    mistakes = (Mistake("counted from 0", lambda W: W.pick((2, 3))),)

    def rule(self, W):
        """The rows, in the order of the text."""
        return W.pick(self.tokens)

    def pullback(self, dX, X, W):
        """Every row of the vocabulary receives the sum over the places where it stands."""
        first, *others = (self._sum(dX, W, word) for word in range(1, W.shape[0] + 1))
        return (first.below(*others),)

    def _sum(self, dX, W, word):
        places = [i for i, token in enumerate(self.tokens, 1) if token == word]
        if not places:
            return W.pick((word,)) * number(0)
        return dX.pick(places).column_sums()

    def formula(self, X, W):
        """Row t_i."""
        return X["i", "j"], Entry(W.step, ("t_i", "j"))

    def notation(self, W):
        """The rows t_1 ... t_n."""
        return Entry(W.step, ("t", ":"))

    def pulled(self, dX, X, W):
        """The pullback in matrix notation: 1 where word w stands at place t."""
        return (Symbol("[w=t]") @ dX,)
