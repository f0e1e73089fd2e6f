"""Wrong functions on balls: what is met in place of the functions that articles use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flint import arb

from derive.exact.enclosure import Enclosures
from derive.verify.grammar.grids import matrix_of
from derive.verify.grammar.nodes import Node, Ruled

Wrong = Callable[..., Enclosures]


@dataclass(frozen=True)
class Rule:
    """A wrong rule in place of an operation's own."""

    rule: Callable[..., Any]


def ruled(work: Callable[..., Any], *arguments: Node) -> Node:
    """A wrong rule over expressions."""
    return Ruled(Rule(work), arguments)


def softmax_of_base(base: int) -> Wrong:
    """Powers of another base, over their sums."""
    log = arb(base).log()
    return lambda x: _shares((x * log).exp())


def powers_of(base: int) -> Wrong:
    """Powers of another base."""
    log = arb(base).log()
    return lambda x: (x * log).exp()


def _shares(x: Enclosures) -> Enclosures:
    return x.divide_rows(x.row_sums())


def masked_where(is_hidden: Callable[[int, int], bool], value: arb) -> Wrong:
    """A value where row and column say so."""
    return lambda x: matrix_of(
        [[value if is_hidden(i, j) else y for j, y in enumerate(r)] for i, r in enumerate(x.rows)]
    )


def strict_softmax(x: Enclosures) -> Enclosures:
    """The diagonal masked too; the first row, of which nothing is left, is 0."""
    powers = [
        [y.exp() if j < i else arb(0) for j, y in enumerate(row)] for i, row in enumerate(x.rows)
    ]
    sums = [sum(row, arb(0)) if i else arb(1) for i, row in enumerate(powers)]
    return matrix_of([[y / s for y in row] for row, s in zip(powers, sums, strict=True)])


OTHER_TRIANGLE = masked_where(lambda i, j: j < i, arb.neg_inf())
NOUGHTS = masked_where(lambda i, j: j > i, arb(0))


def over_columns(work: Wrong) -> Wrong:
    """Along the columns; a column of results where rows would give as many."""
    return lambda x: work(x.T)


def means(x: Enclosures) -> Enclosures:
    """The mean of each row."""
    return Enclosures.of(x.row_sums() / x.shape[1])


def centred(x: Enclosures) -> Enclosures:
    """Less the mean of its row."""
    return Enclosures.of(x - means(x))


def variances(x: Enclosures, correction: int = 0) -> Enclosures:
    """The variance of each row."""
    return Enclosures.of((centred(x) ** 2).row_sums() / (x.shape[1] - correction))


def _over(x: Enclosures, column: Enclosures) -> Enclosures:
    return x.divide_rows(column)


def normalised(
    *, eps: arb | int = 0, outside: bool = False, sample: bool = False, root: bool = True
) -> Wrong:
    """LayerNorm by another convention."""

    def work(x: Enclosures) -> Enclosures:
        spread = variances(x, int(sample))
        if root:
            spread = spread.map(
                (lambda v: v.sqrt() + eps) if outside else (lambda v: (v + eps).sqrt())
            )
        return _over(centred(x), spread)

    return work


def uncentred(x: Enclosures) -> Enclosures:
    """Divided by the deviation, with the mean left in."""
    return _over(x, variances(x).map(lambda v: v.sqrt()))


def root_of_sum(x: Enclosures) -> Enclosures:
    """The root of the sum of squares, not of their mean."""
    return (x**2).row_sums().map(lambda v: v.sqrt())


def mean_squares(x: Enclosures) -> Enclosures:
    """The mean of the squares, without a root."""
    return means(x**2)


def root_sum(x: Enclosures) -> Enclosures:
    """Divided by the root of the sum of squares, not of their mean."""
    return _over(x, root_of_sum(x))


def norm_of_columns(x: Enclosures) -> Enclosures:
    """LayerNorm along the columns."""
    return normalised()(x.T).T


def logarithms(base: int) -> Wrong:
    """Logarithms to another base."""
    unit = arb(base).log()
    return lambda x: x.map(lambda y: y.log() / unit)


def rounded(places: int) -> Wrong:
    """Every entry rounded to so many places."""
    scale = arb(10) ** places

    def nearest(x: arb) -> arb:
        if not x.is_finite():
            return x
        whole = (x * scale + arb("0.5")).floor().unique_fmpz()
        return arb("nan") if whole is None else arb(whole) / scale

    return lambda x: x.map(nearest)
