"""Minus infinity, the score of a forbidden position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from derive.errors import InputError

if TYPE_CHECKING:
    from derive.exact.scalar import Scalar


class NegativeInfinity:
    """-oo, the score of a forbidden position: adding to it changes nothing, exp(-oo) = 0."""

    free_symbols: frozenset[str] = frozenset()
    traits = 0
    size = 1
    bits = 1
    is_zero = False
    is_number = True
    is_rational = False

    def __add__(self, other: Any) -> NegativeInfinity:
        return self

    __radd__ = __add__

    def __mul__(self, other: Any) -> NegativeInfinity:
        if _is_positive(other):
            return self
        raise InputError("-oo is only added to, or multiplied by a positive number")

    __rmul__ = __truediv__ = __mul__

    def __sub__(self, other: Any) -> NegativeInfinity:
        if isinstance(other, NegativeInfinity):
            raise InputError("-oo minus -oo is not defined")
        return self

    def exp(self) -> Scalar:
        """The limit 0."""
        from derive.exact.scalar import ZERO

        return ZERO

    def substitute(self, values: Mapping[str, Scalar]) -> NegativeInfinity:
        """Itself."""
        return self

    def __repr__(self) -> str:
        return "-oo"

    def __reduce__(self) -> str:
        return "NEG_INF"


NEG_INF = NegativeInfinity()


def _is_positive(x: Any) -> bool:
    from derive.exact.ball import sign
    from derive.exact.scalar import Scalar, as_scalar

    factor = as_scalar(x)
    return isinstance(factor, Scalar) and factor.is_number and sign(factor) == 1
