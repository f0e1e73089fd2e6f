"""Letters that are used as matrices though nothing says that they are: refused, never guessed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from derive.read.latex.guards import walk
from derive.read.latex.kinds import is_matrix
from derive.read.latex.nodes import Call, MatrixName, Name, Negative, Node, Number, Power, Product
from derive.read.latex.source import Source

_SIGN = re.compile(r"\\cdot|\\times|[*·×]")


def check_order(member: Node, source: Source) -> None:
    """InputError where a product reads as one of matrices whose order would be lost."""
    for part in walk(member):
        if isinstance(part, Product):
            _check_inverse(part, source)
            _check_vector(part, source)


def _check_inverse(product: Product, source: Source) -> None:
    """T^{-1} A T, X' X: capitals beside their own inverse or prime are matrices."""
    plain = {x.name for x in product.factors if isinstance(x, Name)}
    for name, factor in _turned(product):
        if name in plain:
            hint = f'for matrices, read_latex(text, matrices=("{name}",)); else cancel it'
            message = f"{name} stands beside its own inverse or transpose, as matrices do"
            raise source.error(message, factor.span, hint)


def _turned(product: Product) -> Iterator[tuple[str, Node]]:
    """The capitals that a product holds inverted, primed or starred."""
    for factor in product.factors:
        if isinstance(factor, Power) and isinstance(factor.base, Name) and _is_minus_one(factor):
            name = factor.base.name
        elif isinstance(factor, Name) and factor.name.endswith(("'", "^*")):
            name = factor.name.removesuffix("^*").rstrip("'")
        else:
            continue
        if name[:1].isupper():
            yield name, factor


def _is_minus_one(power: Power) -> bool:
    exponent = power.exponent
    inner = exponent.inner if isinstance(exponent, Negative) else None
    return isinstance(inner, Number) and inner.value == 1


def _check_vector(product: Product, source: Source) -> None:
    """A x with the matrix A: x, of which nothing is known, may be a vector."""
    for before, after in pairwise(product.factors):
        between = source.text[before.span[1] : after.span[0]]
        if is_matrix(before) and isinstance(after, Name) and not _SIGN.search(between):
            hint = f'for a vector name it too: matrices=("{after.name}",); write a number first'
            message = f"{after.name} behind a matrix may be a vector or a number"
            raise source.error(message, after.span, hint)


def check_sides(members: Sequence[Node], source: Source) -> None:
    """InputError where one side of a chain is a matrix, and another cannot be one."""
    if not any(map(is_matrix, members)):
        return
    for member in members:
        if not is_matrix(member) and not _may_be_matrix(member):
            hint = 'name what are matrices: read_latex(text, matrices=("A", "B"))'
            raise source.error("a number is set equal to a matrix", member.span, hint)


def _may_be_matrix(member: Node) -> bool:
    """A name, a function's value, or a value of letters that may be vectors: A_{11} v_{1}."""
    if isinstance(member, (Name, MatrixName)):
        return True
    names = [part for part in walk(member) if isinstance(part, Name)]
    is_value = isinstance(member, Call) and not member.is_known
    return is_value or (bool(names) and not any(map(_is_capital, names)))


def _is_capital(name: Name) -> bool:
    return name.name[:1].isupper() and not name.index
