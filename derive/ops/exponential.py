"""Exponential: e to each score, so that every score becomes a positive number.

E_ij = e^{S_ij}                                                   the numerator of softmax
"""

from dataclasses import dataclass

from derive.exact import exp, matrix, number
from derive.exact.names import is_single
from derive.exact.trace import Apply


@dataclass(frozen=True)
class Exponential:
    """S (n x m) gives e^S, entry by entry; e^{-oo} = 0."""

    rowwise = True
    examples = ((matrix([[0, 1], [number(1, 2), -2]]),), (matrix([[number(2).sqrt()]]),))
    mistakes = ()

    def rule(self, S):
        """e to each entry."""
        return exp(S)

    def pullback(self, dE, E, S):
        """dS = dE * E."""
        return (dE * E,)

    def formula(self, E, S):
        """Entry by entry; of one number, such as the perplexity, without indices."""
        place = () if is_single(E.step) else ("i", "j")
        return E[place], exp(S[place])

    def notation(self, S):
        """exp S; of one number e to it."""
        return exp(S) if is_single(S.step) else Apply("exp", S)
