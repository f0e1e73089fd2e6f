"""What a formula says, as written: the tree between LaTeX and SymPy."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from derive.read.latex.source import Span


@dataclass(frozen=True)
class Node:
    """Anything that has a value; equality looks past where it stands."""

    span: Span = field(compare=False)

    @property
    def children(self) -> tuple[Node, ...]:
        """The parts, in order."""
        return ()


@dataclass(frozen=True)
class Number(Node):
    """An exact numeral."""

    value: Fraction
    text: str = field(compare=False)


@dataclass(frozen=True)
class Constant(Node):
    """pi, e or oo."""

    name: str


@dataclass(frozen=True)
class Name(Node):
    """A symbol: `base` without its subscript, `index` the subscript's text and its parts."""

    name: str
    base: str
    index: tuple[str, ...] = ()
    label: str = ""


@dataclass(frozen=True)
class MatrixName(Node):
    """A name known to be a matrix."""

    name: str


@dataclass(frozen=True)
class Sum(Node):
    """terms[0] + terms[1] + ..."""

    terms: tuple[Node, ...]

    @property
    def children(self) -> tuple[Node, ...]:
        return self.terms


@dataclass(frozen=True)
class Negative(Node):
    """-inner."""

    inner: Node

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.inner,)


@dataclass(frozen=True)
class Product(Node):
    """factors[0] * factors[1] * ... in this order."""

    factors: tuple[Node, ...]

    @property
    def children(self) -> tuple[Node, ...]:
        return self.factors


@dataclass(frozen=True)
class Quotient(Node):
    """top / bottom."""

    top: Node
    bottom: Node

    @property
    def children(self) -> tuple[Node, ...]:
        return self.top, self.bottom


@dataclass(frozen=True)
class Power(Node):
    """base ^ exponent."""

    base: Node
    exponent: Node

    @property
    def children(self) -> tuple[Node, ...]:
        return self.base, self.exponent


@dataclass(frozen=True)
class Root(Node):
    """The root of a degree, 2 where there is none."""

    radicand: Node
    degree: Node | None = None

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.radicand, self.degree) if self.degree else (self.radicand,)


@dataclass(frozen=True)
class Call(Node):
    """A function's value; `is_known` where SymPy has the function."""

    function: str
    arguments: tuple[Node, ...]
    is_known: bool = True

    @property
    def children(self) -> tuple[Node, ...]:
        return self.arguments


@dataclass(frozen=True)
class BigOperator(Node):
    """The sum or product of body over index = lower ... upper."""

    kind: str
    index: str
    lower: Node
    upper: Node
    body: Node

    @property
    def children(self) -> tuple[Node, ...]:
        return self.lower, self.upper, self.body


@dataclass(frozen=True)
class Derivative(Node):
    """d body / d variable."""

    body: Node
    variable: Node

    @property
    def children(self) -> tuple[Node, ...]:
        return self.body, self.variable


@dataclass(frozen=True)
class Grid(Node):
    """A matrix written out."""

    rows: tuple[tuple[Node, ...], ...]

    @property
    def children(self) -> tuple[Node, ...]:
        return tuple(entry for row in self.rows for entry in row)

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return len(self.rows), len(self.rows[0])


@dataclass(frozen=True)
class Transpose(Node):
    """A matrix turned over."""

    inner: Node

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.inner,)


@dataclass(frozen=True)
class Relation(Node):
    """left, one sign, right."""

    sign: str
    left: Node
    right: Node

    @property
    def children(self) -> tuple[Node, ...]:
        return self.left, self.right


@dataclass(frozen=True)
class Cases(Node):
    """The first value whose condition holds; None holds always."""

    rows: tuple[tuple[Node, Relation | None], ...]

    @property
    def children(self) -> tuple[Node, ...]:
        conditions = tuple(c for _, c in self.rows if c)
        return tuple(value for value, _ in self.rows) + conditions
