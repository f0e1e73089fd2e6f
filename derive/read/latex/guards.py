"""Bounds on a formula before anything of it is evaluated: how many bits its numbers could take."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import log2

from derive.read.latex.kinds import is_matrix
from derive.read.latex.nodes import (
    BigOperator,
    Call,
    Cases,
    Constant,
    Derivative,
    Grid,
    Name,
    Negative,
    Node,
    Number,
    Power,
    Product,
    Quotient,
    Root,
    Sum,
)
from derive.read.latex.source import Source

MAX_EXPONENT = 400
MAX_BITS = 20_000
MAX_GROWTH = 12  # log2 of the terms of an entry
_COMPARED = ("Max", "Min", "Abs", "floor", "ceiling")


def check(node: Node, source: Source) -> None:
    """InputError at the part whose value would be too large to work out."""
    _Sizes(source).of(node)
    if _growth(node, _widest(node)) > MAX_GROWTH:
        hint = "write a letter for one of the matrices"
        raise source.error("this product is too large to work out", node.span, hint)


class _Sizes:
    """Upper bounds, worked out from the leaves: (bits of the integers, log2 of the magnitude)."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def of(self, node: Node) -> tuple[float, float]:
        bits, magnitude = self.bound(node)
        if bits > MAX_BITS:
            hint = "write a letter for it, or a smaller number"
            raise self.source.error("this value is too large to work out", node.span, hint)
        return bits, magnitude

    def bound(self, node: Node) -> tuple[float, float]:
        sizes = [self.of(child) for child in node.children]
        total = sum(bits for bits, _ in sizes)
        largest = max((magnitude for _, magnitude in sizes), default=0.0)
        match node:
            case Number(value=value):
                length = value.numerator.bit_length() + value.denominator.bit_length()
                return length, max(
                    0.0, value.numerator.bit_length() - value.denominator.bit_length() + 1
                )
            case Constant(name=name):
                return 1, 2 if name != "oo" else 0
            case Power():
                return self.power(node, sizes)
            case Product():
                return total, sum(magnitude for _, magnitude in sizes)
            case Quotient():
                return total, sizes[0][1] + sizes[1][0]
            case Sum():
                return total, largest + log2(len(sizes))
            case Root(degree=degree):
                return total + self.exponent(degree, sizes[-1]) if degree else total, largest
            case Call():
                return self.call(node, sizes)
            case Cases() | Grid():
                return max(bits for bits, _ in sizes), largest
        return total, largest

    def power(self, node: Power, sizes: list[tuple[float, float]]) -> tuple[float, float]:
        (bits, magnitude), (above, size) = sizes
        if node.base == Constant(node.span, "e"):
            reach = 1.5 * 2 ** min(size, 1000)
            return bits + above, reach
        if isinstance(node.base, Constant):
            return bits + above, magnitude * 2 ** min(size, 1000)
        times = self.exponent(node.exponent, sizes[1])
        return max(bits, 1) * times + above, max(magnitude, bits) * times

    def exponent(self, node: Node, size: tuple[float, float]) -> float:
        """The largest an exponent can be; InputError above 400."""
        if _has_names(node):
            return max(1.0, size[0])
        reach = abs(value) if (value := rational(node)) is not None else 2 ** min(size[1], 1000)
        if reach > MAX_EXPONENT or (value is not None and value.denominator > MAX_EXPONENT):
            hint = f"exponents from -{MAX_EXPONENT} to {MAX_EXPONENT} are read; write a letter"
            raise self.source.error("this exponent is too large", node.span, hint)
        return max(1.0, float(reach))

    def call(self, node: Call, sizes: list[tuple[float, float]]) -> tuple[float, float]:
        total = sum(bits for bits, _ in sizes)
        largest = max((magnitude for _, magnitude in sizes), default=0.0)
        if node.function in _COMPARED and largest > MAX_BITS:
            hint = "write a letter for it"
            raise self.source.error("this value is too large to compare", node.span, hint)
        if node.function in ("factorial", "binomial"):
            self.count(node)
            return total + 4_000, 4_000
        if node.function == "exp":
            return total, 1.5 * 2 ** min(largest, 1000)
        if node.function == "det":
            return self.determinant(node, total, largest)
        return total, largest + 2

    def count(self, node: Call) -> None:
        for argument in node.arguments:
            if _has_names(argument):
                continue
            value = rational(argument)
            if value is None or abs(value) > MAX_EXPONENT or value.denominator > 2:
                hint = f"write its value, or a number up to {MAX_EXPONENT}"
                raise self.source.error("this factorial is too large", argument.span, hint)

    def determinant(self, node: Call, total: float, largest: float) -> tuple[float, float]:
        if not isinstance(node.arguments[0], Grid):
            return total, largest
        rows, columns = node.arguments[0].shape
        if rows != columns:
            message = f"a matrix of {rows} x {columns} has no determinant"
            raise self.source.error(message, node.span, "write as many rows as columns")
        if rows > 8 or (rows > 4 and any(map(_has_names, node.children))):
            message = "this determinant is too large to work out"
            raise self.source.error(message, node.span, "write its value, or a letter")
        return total, largest * rows


def _widest(node: Node) -> float:
    """log2 of the most columns of a matrix written out, where entries are no plain rationals."""
    grids = [part for part in walk(node) if isinstance(part, Grid)]
    plain = all(rational(entry) is not None for grid in grids for entry in grid.children)
    return 0.0 if plain else log2(max(grid.shape[1] for grid in grids))


def _growth(node: Node, widest: float) -> float:
    """log2 of how many terms an entry of a product of matrices may have."""
    if not widest:
        return 0.0
    parts = [_growth(child, widest) for child in node.children]
    match node:
        case Product(factors=factors):
            return sum(parts) + widest * (sum(map(is_matrix, factors)) - 1)
        case Power(base=base, exponent=exponent) if is_matrix(base):
            times = float(abs(rational(exponent) or 1))
            return parts[0] * times + widest * (times - 1)
    return max(parts, default=0.0)


def rational(node: Node) -> Fraction | None:
    """The value of a small expression of rational numbers, None for any other."""
    match node:
        case Number(value=value):
            return value
        case Negative(inner=inner):
            return None if (x := rational(inner)) is None else -x
        case Sum(terms=terms):
            parts = [x for x in map(rational, terms) if x is not None]
            return sum(parts, Fraction(0)) if len(parts) == len(terms) else None
        case Product(factors=factors):
            return _multiplied([rational(x) for x in factors])
        case Quotient(top=top, bottom=bottom):
            a, b = rational(top), rational(bottom)
            return None if a is None or not b else a / b
    return None


def _multiplied(parts: list[Fraction | None]) -> Fraction | None:
    value = Fraction(1)
    for part in parts:
        if part is None or value.numerator.bit_length() > MAX_BITS:
            return None
        value *= part
    return value


def _has_names(node: Node) -> bool:
    return any(isinstance(part, (Name, BigOperator, Derivative)) for part in walk(node)) or any(
        isinstance(part, Call) and not part.is_known for part in walk(node)
    )


def walk(node: Node) -> Iterator[Node]:
    """The node and all its parts."""
    waiting = [node]
    while waiting:
        found = waiting.pop()
        yield found
        waiting.extend(found.children)


def check_zero(node: Node, source: Source) -> None:
    """InputError at a division by a number that is 0."""
    for part in walk(node):
        zero = isinstance(part, Quotient) and rational(part.bottom) == 0
        negative = isinstance(part, Power) and rational(part.base) == 0
        if zero or (negative and (rational(part.children[1]) or 0) < 0):
            raise source.error("division by zero", part.span, "write a divisor other than 0")
