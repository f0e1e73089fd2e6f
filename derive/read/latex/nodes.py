"""What a formula says, as written: the tree between LaTeX and SymPy."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

from derive.read.latex.source import Span


@dataclass(frozen=True)
class Node:
    """Anything that has a value; equality looks past where it stands."""

    span: Span = field(compare=False)

    parts: ClassVar[tuple[str, ...]] = ()

    @property
    def children(self) -> tuple[Node, ...]:
        """The nodes in `parts`, in order."""
        found: list[Node] = []
        for name in self.parts:
            _gather(getattr(self, name), found)
        return tuple(found)


@dataclass(frozen=True)
class Number(Node):
    """An exact numeral."""

    value: Fraction
    text: str = field(compare=False)

    def __hash__(self) -> int:
        return hash((self.value.numerator, self.value.denominator))


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

    parts: ClassVar[tuple[str, ...]] = ("terms",)
    terms: tuple[Node, ...]


@dataclass(frozen=True)
class Negative(Node):
    """-inner."""

    parts: ClassVar[tuple[str, ...]] = ("inner",)
    inner: Node


@dataclass(frozen=True)
class Product(Node):
    """factors[0] * factors[1] * ... in this order."""

    parts: ClassVar[tuple[str, ...]] = ("factors",)
    factors: tuple[Node, ...]


@dataclass(frozen=True)
class Quotient(Node):
    """top / bottom."""

    parts: ClassVar[tuple[str, ...]] = ("top", "bottom")
    top: Node
    bottom: Node


@dataclass(frozen=True)
class Power(Node):
    """base ^ exponent."""

    parts: ClassVar[tuple[str, ...]] = ("base", "exponent")
    base: Node
    exponent: Node


@dataclass(frozen=True)
class Root(Node):
    """The root of a degree, 2 where there is none."""

    parts: ClassVar[tuple[str, ...]] = ("radicand", "degree")
    radicand: Node
    degree: Node | None = None


@dataclass(frozen=True)
class Call(Node):
    """A function's value; `is_known` where SymPy has the function."""

    parts: ClassVar[tuple[str, ...]] = ("arguments",)
    function: str
    arguments: tuple[Node, ...]
    is_known: bool = True


@dataclass(frozen=True)
class BigOperator(Node):
    """The sum or product of body over index = lower ... upper."""

    parts: ClassVar[tuple[str, ...]] = ("lower", "upper", "body")
    kind: str
    index: str
    lower: Node
    upper: Node
    body: Node


@dataclass(frozen=True)
class Derivative(Node):
    """d body / d variable."""

    parts: ClassVar[tuple[str, ...]] = ("body", "variable")
    body: Node
    variable: Node


@dataclass(frozen=True)
class Grid(Node):
    """A matrix written out."""

    parts: ClassVar[tuple[str, ...]] = ("rows",)
    rows: tuple[tuple[Node, ...], ...]

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return len(self.rows), len(self.rows[0])


@dataclass(frozen=True)
class Transpose(Node):
    """A matrix turned over."""

    parts: ClassVar[tuple[str, ...]] = ("inner",)
    inner: Node


@dataclass(frozen=True)
class Softmax(Node):
    """The softmax of each row of a matrix, in an equation that says what it is."""

    parts: ClassVar[tuple[str, ...]] = ("inner",)
    inner: Node


@dataclass(frozen=True)
class Relation(Node):
    """left, one sign, right."""

    parts: ClassVar[tuple[str, ...]] = ("left", "right")
    sign: str
    left: Node
    right: Node


@dataclass(frozen=True)
class Every(Node):
    """Comparisons that hold together: 0 < x < 1."""

    parts: ClassVar[tuple[str, ...]] = ("relations",)
    relations: tuple[Relation, ...]


@dataclass(frozen=True)
class Cases(Node):
    """The first value whose condition holds; None holds always."""

    parts: ClassVar[tuple[str, ...]] = ("rows",)
    rows: tuple[tuple[Node, Relation | Every | None], ...]


def _gather(value: Any, found: list[Node]) -> None:
    if isinstance(value, Node):
        found.append(value)
    elif isinstance(value, tuple):
        for part in value:
            _gather(part, found)
