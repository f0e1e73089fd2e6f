"""The angles by which positions are told apart: one for each pair of features.

Pair i (from 0) of d features at position p has the angle p base^(-2i/d)
                                                        Vaswani et al. 2017, 3.5; Su et al. 2021
"""

from __future__ import annotations

from derive.exact.power import power
from derive.exact.scalar import Scalar, number
from derive.exact.trace import Power, Symbol, Term, term


def angle(position: int, i: int, base: int, d: int) -> Scalar:
    """p base^(-2i/d), exact.

    >>> from derive.exact.angles import angle
    >>> angle(3, 1, 10000, 4)
    3/100
    """
    return number(position) * power(base, -2 * i, d)


def angle_in_letters(base: int) -> Term:
    """The same in the letters p, i and d."""
    return Symbol("p") / Power(term(number(base)), "2i/d")


def pair(column: int, d: int, layout: str) -> tuple[int, bool]:
    """(i, whether it is the second): the pair to which a column, counted from 1, belongs.

    Layout "adjacent" has the pairs (1, 2), (3, 4) ...; "halves" pairs j with j + d/2.
    """
    if layout == "adjacent":
        i, second = divmod(column - 1, 2)
    else:
        second, i = divmod(column - 1, (d + 1) // 2)
    return i, second == 1


def columns_of_pair(layout: str) -> tuple[str, str]:
    """The two columns of pair i, in letters."""
    return ("2i+1", "2i+2") if layout == "adjacent" else ("i+1", "i+1+d/2")
