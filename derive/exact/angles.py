"""The angles by which positions are told apart: one for each pair of features.

Pair i (from 0) of d features at position p has the angle p base^(-2i/d)
                                                        Vaswani et al. 2017, 3.5; Su et al. 2021
"""

from __future__ import annotations

from derive.errors import InputError
from derive.exact.power import power
from derive.exact.scalar import Scalar, as_scalar, number
from derive.exact.trace import Power, Symbol, Term, term


def angle(position: int | Scalar, i: int, base: int, d: int) -> Scalar:
    """p base^(-2i/d), exact; the position may be a letter.

    >>> from derive.exact.angles import angle
    >>> angle(3, 1, 10000, 4)
    3/100
    """
    exact: Scalar = as_scalar(position) * power(base, -2 * i, d)
    return exact


def angle_in_letters(base: int) -> Term:
    """The same in the letters p, i and d."""
    return Symbol("p") / Power(term(number(base)), "2i/d")


def pair(column: int, d: int, layout: str) -> tuple[int, bool]:
    """(i, whether it is the second): the pair to which a column, counted from 1, belongs.

    Layout "adjacent" has the pairs (1, 2), (3, 4) ..., of an odd number the last one alone;
    "halves" pairs j with j + d/2.  InputError for halves of an odd number.
    """
    if layout == "adjacent":
        i, second = divmod(column - 1, 2)
    else:
        _check_even(d)
        second, i = divmod(column - 1, d // 2)
    return i, second == 1


def pairs(d: int, layout: str) -> list[tuple[int, bool]]:
    """The pair of each column, none of them alone.  InputError for an odd number."""
    _check_even(d)
    return [pair(column, d, layout) for column in range(1, d + 1)]


def _check_even(d: int) -> None:
    if d % 2:
        raise InputError(
            f"positions turn pairs of columns, and there {'is' if d == 1 else 'are'} {d}",
            expected="an even number of columns",
        )


def columns_of_pair(layout: str) -> tuple[str, str]:
    """The two columns of pair i, in letters."""
    return ("2i+1", "2i+2") if layout == "adjacent" else ("i+1", "i+1+d/2")
