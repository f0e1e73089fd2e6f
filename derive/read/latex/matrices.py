"""Matrices in SymPy: written out, by name, and what is done with them. Nothing is evaluated."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import sympy
from sympy.matrices.exceptions import NonSquareMatrixError, ShapeError

from derive.read.latex.kinds import is_matrix
from derive.read.latex.nodes import (
    Grid,
    MatrixName,
    Negative,
    Node,
    Number,
    Power,
    Product,
    Quotient,
    Softmax,
    Sum,
    Transpose,
)

if TYPE_CHECKING:
    from derive.read.latex.build import Builder

MAX_WORK = 300_000  # products of entries
_STANDARD = {
    **dict.fromkeys("QKVXH", ("n", "d")),
    **dict.fromkeys("AB", ("n", "n")),
}


class RowSoftmax(sympy.MatrixExpr):
    """The softmax of each row of a matrix, which stays as it is."""

    @property
    def shape(self) -> Any:
        """That of the matrix."""
        return self.args[0].shape

    def _sympystr(self, printer: Any) -> str:
        return f"softmax({printer.doprint(self.args[0])})"


def matrix(builder: Builder, node: Node) -> Any:
    """The SymPy matrix expression of a node that is a matrix."""
    match node:
        case Grid(rows=rows):
            return sympy.ImmutableDenseMatrix([[builder.build(x) for x in row] for row in rows])
        case MatrixName(name=name):
            return symbol(name, builder.shapes.get(name))
        case Negative(inner=inner):
            return sympy.MatMul(sympy.S.NegativeOne, builder.build(inner), evaluate=False)
        case Transpose(inner=inner):
            return sympy.Transpose(builder.build(inner))
        case Softmax(inner=inner):
            return RowSoftmax(builder.build(inner))
        case Sum(terms=terms):
            return _sum(builder, node, terms)
        case Product(factors=factors):
            return _product(builder, node, factors)
        case Quotient(top=top, bottom=bottom):
            return _quotient(builder, node, top, bottom)
        case Power():
            return _power(builder, node)
    raise TypeError(f"matrix: no rule for {type(node).__name__}")


def symbol(name: str, shape: Any = None) -> Any:
    """A MatrixSymbol of a shape, or of free sizes."""
    if name == "ones":
        shape = ("m", 1)
    rows, columns = shape or _STANDARD.get(name) or (("d", "d") if name[0] == "W" else ("n", "n"))
    return sympy.MatrixSymbol(name, *(_side(x) for x in (rows, columns)))


def _side(size: Any) -> Any:
    if isinstance(size, str):
        return sympy.Integer(int(size)) if size.isdigit() else sympy.Symbol(size)
    return size


def _sum(builder: Builder, node: Sum, terms: tuple[Node, ...]) -> Any:
    for term in terms:
        if not is_matrix(term):
            hint = "write the number as a matrix of the same shape"
            raise builder.source.error("a number is added to a matrix", term.span, hint)
    parts = [builder.build(term) for term in terms]
    for part, term in zip(parts, terms, strict=True):
        if _differ(part.shape, parts[0].shape):
            said = f"{_shown(part.shape)} is added to one of {_shown(parts[0].shape)}"
            hint = "only matrices of one shape are added"
            raise builder.source.error(f"a matrix of {said}", term.span, hint)
    return sympy.MatAdd(*parts, evaluate=False)


def _product(builder: Builder, node: Product, factors: tuple[Node, ...]) -> Any:
    numbers = tuple(x for x in factors if not is_matrix(x))
    parts = [builder.build(x) for x in factors if is_matrix(x)]
    matrices = [x for x in factors if is_matrix(x)]
    for (a, b), at in zip(pairwise(parts), matrices[1:], strict=True):
        if _differ((a.shape[1],), (b.shape[0],)):
            said = f"{_shown(a.shape)} cannot be multiplied by one of {_shown(b.shape)}"
            hint = "the columns of the first must be as many as the rows of the second"
            raise builder.source.error(f"a matrix of {said}", at.span, hint)
    _check_work(builder, node, parts)
    if not numbers:
        return sympy.MatMul(*parts, evaluate=False)
    scalar = builder.build(numbers[0] if len(numbers) == 1 else Product(node.span, numbers))
    return sympy.MatMul(scalar, *parts, evaluate=False)


def _quotient(builder: Builder, node: Quotient, top: Node, bottom: Node) -> Any:
    if is_matrix(bottom):
        hint = "write a product with the inverse: A B^{-1}"
        raise builder.source.error("a matrix is divided by", bottom.span, hint)
    inverse = Power(bottom.span, bottom, Number(bottom.span, Fraction(-1), "-1"))
    matrices = top.factors if isinstance(top, Product) else (top,)
    return builder.build(Product(node.span, (inverse, *matrices)))


def _power(builder: Builder, node: Power) -> Any:
    base, exponent = builder.build(node.base), builder.build(node.exponent)
    exponent = exponent.doit()
    try:
        if exponent == -1:
            return _inverse(builder, node, base)
        if exponent < 0:
            hint = r"write \left(A^{-1}\right)^{2}"
            raise builder.source.error("this power of a matrix is not read", node.span, hint)
        if isinstance(base, sympy.MatrixBase):
            _check_work(builder, node, [base] * min(int(exponent), MAX_WORK))
        return sympy.MatPow(base, exponent)
    except (NonSquareMatrixError, ShapeError):
        hint = "only matrices with as many rows as columns have powers"
        message = f"a matrix of {_shown(base.shape)} has no power"
        raise builder.source.error(message, node.span, hint) from None


def _inverse(builder: Builder, node: Power, base: Any) -> Any:
    if not isinstance(base, sympy.MatrixBase):
        return sympy.Inverse(base)
    if base.rows > 4:
        hint = "write the inverse out"
        raise builder.source.error("this inverse is too large to work out", node.span, hint)
    if base.rows == base.cols and base.doit().det() == 0:
        raise builder.source.error("this matrix has no inverse", node.span, "check its entries")
    return sympy.MatPow(base, -1)


def _check_work(builder: Builder, node: Node, parts: list[Any]) -> None:
    """InputError where there are too many products of entries."""
    explicit = [x for x in parts if isinstance(x, sympy.MatrixBase)]
    work = sum(a.rows * a.cols * b.cols for a, b in pairwise(explicit))
    if work > MAX_WORK:
        hint = "write a letter for one of the matrices"
        raise builder.source.error("this product is too large to work out", node.span, hint)


def _differ(a: Any, b: Any) -> bool:
    """Whether two sizes are numbers and not the same."""
    numbers = zip(a, b, strict=True)
    return any(x != y and _is_number(x) and _is_number(y) for x, y in numbers)


def _is_number(size: Any) -> bool:
    return isinstance(size, int) or bool(size.is_Integer)


def _shown(shape: Any) -> str:
    return f"{shape[0]} x {shape[1]}"
