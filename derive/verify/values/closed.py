"""Closed forms of numbers, and formulas with the numbers put in.

The same expression whose ball judges a number gives its closed form, where everything that it is
made of is exact.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from derive.exact import Matrix, Scalar, matrix, number
from derive.exact.enclosure import Enclosures
from derive.exact.infinity import NEG_INF
from derive.exact.ink import PLAIN
from derive.exact.trace import Digits, Term, Value
from derive.exact.write import write
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Node
from derive.verify.grammar.notation import shown
from derive.verify.values.domain import Domain
from derive.verify.values.operations import Unknown

MOST_TERMS = 60
"""Sums of more terms are not multiplied out."""
MOST_BITS = 6000
"""Whole numbers of more bits are written nowhere, and not worked with exactly."""
SHORT, PLACES = 8, 6
"""Numbers of more characters are told by so many decimals where there is little room."""
LONGEST = 400
"""A closed form of more characters is not told."""
GIVEN = ("", "assumed", "unchecked")
"""The verdicts on what is exactly what it says."""


class Exact(Domain):
    """Exact numbers; what was worked out once is remembered."""

    def __init__(self) -> None:
        """Nothing worked out yet."""
        self.known: dict[int, tuple[Node, Matrix | None]] = {}

    def entry(self, cell: Cell) -> Any:
        """The exact number that is declared, or what it is made of."""
        cell = cell.origin or cell
        if cell.made is not None:
            i, j = cell.at
            return self.remembered(cell.made).rows[i][j]
        if cell.is_rough or cell.verdict not in GIVEN:
            raise Unknown
        return _rational(cell)

    def grid(self, grid: Grid) -> Matrix:
        """What the matrix is made of, where that is known."""
        if grid.made is None:
            return matrix(super().grid(grid).rows)
        made = self.remembered(grid.made)
        return made if made.shape == grid.shape else made.T

    def remembered(self, node: Node) -> Matrix:
        """The matrix of an expression, worked out once."""
        if id(node) not in self.known:
            self.known[id(node)] = (node, None)  # what rests on itself is unknown
            self.known[id(node)] = (node, self.fresh(node))
        found = self.known[id(node)][1]
        if found is None:
            raise Unknown
        return found

    def fresh(self, node: Node) -> Matrix | None:
        """The matrix of an expression, None where it has none."""
        try:
            return self.of(node)
        except Unknown:
            return None

    def checked(self, x: Matrix) -> Matrix:
        """With entries of few terms."""
        if any(getattr(y, "size", 1) > MOST_TERMS or is_long(y) for y in super().checked(x)):
            raise Unknown
        return x


class Written(Domain):
    """Terms as they are written, with the exact numbers put in."""

    def __init__(self, exact: Exact) -> None:
        """With the exact numbers of this article."""
        self.exact = exact
        self.known: dict[int, tuple[Node, Matrix]] = {}

    def remembered(self, node: Node) -> Matrix:
        """The terms of an expression, written once."""
        if id(node) not in self.known:
            self.known[id(node)] = (node, self.of(node))
        return self.known[id(node)][1]

    def entry(self, cell: Cell) -> Any:
        """The number as a term that stays as it is; -oo as itself."""
        return self.told(self.exact.entry(cell))

    def grid(self, grid: Grid) -> Matrix:
        """The exact entries of a known matrix."""
        return self.exact.grid(grid).map(self.told)

    def told(self, x: Any) -> Any:
        """An exact number as a term.  Unknown where it is too long to be written."""
        if is_long(x):
            raise Unknown
        return Value(x) if isinstance(x, Scalar) else x


class Numerals(Written):
    """The same with the first digits of what is no short number."""

    def told(self, x: Any) -> Any:
        """An exact number as a term, or its digits."""
        if is_long(x):
            raise Unknown
        if not isinstance(x, Scalar) or len(write(x, PLAIN)) <= SHORT:
            return super().told(x)
        text = shown(Enclosures.of(Matrix([[x]])).rows[0][0])
        whole, point, decimals = (text or "").partition(".")
        if not point or decimals[:PLACES] == "0" * PLACES:
            return super().told(x)
        return Digits(f"{whole}.{decimals[:PLACES]}…")


def is_long(x: Any) -> bool:
    """Whether an exact number has more digits than are written anywhere."""
    if not isinstance(x, Scalar):
        return False
    return any(c.bit_length() > MOST_BITS for c in (*x.num.values(), *x.den.values()))


def closed(exact: Exact, cell: Cell) -> Any:
    """The exact number that a printed one should be, proved to be in its ball; None if unknown."""
    try:
        x = exact.entry(cell)
        ball = Enclosures.of(Matrix([[x]])).rows[0][0]
    except (Unknown, IndexError, TypeError, ArithmeticError, RecursionError):
        return None
    if is_long(x):
        return None
    return x if cell.exact is not None and ball.overlaps(cell.exact) else None


def put_in(terms: Written, cell: Cell) -> Term | None:
    """The last step to a number with the exact numbers put in, where there is one."""
    cell = cell.origin or cell
    if cell.made is None:
        return None
    i, j = cell.at
    try:
        found = terms.remembered(cell.made).rows[i][j]
        return found if isinstance(found, Term) else None
    except (Unknown, IndexError, RecursionError):
        return None


def plain(x: Any) -> str | None:
    """A number as text: exp(sqrt(2)/2)/(2 + exp(sqrt(2)/2)); None where that would be long."""
    text = write(x, PLAIN)
    return text if len(text) <= LONGEST else None


def _rational(cell: Cell) -> Any:
    ball = cell.exact
    if cell.figure is not None:
        if ball is not None and not (ball - cell.figure.ball).contains(0):
            raise Unknown
        value = cell.figure.value
        return number(value.numerator, value.denominator)
    if ball is None or not ball.is_exact():
        raise Unknown
    if not ball.is_finite():
        if ball < 0:
            return NEG_INF
        raise Unknown
    mantissa, exponent = ball.man_exp()
    value = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    return number(value.numerator, value.denominator)
