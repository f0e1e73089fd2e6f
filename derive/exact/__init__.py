"""The exact kernel: scalars, small matrices, and the vocabulary in which rules are written."""

from derive.errors import InputError
from derive.exact.functions import FUNCTIONS, call
from derive.exact.infinity import NEG_INF, NegativeInfinity
from derive.exact.matrix import Matrix, exp, grid, matrix
from derive.exact.scalar import (
    PI,
    ZERO,
    E,
    Scalar,
    letter,
    number,
    symbol,
)

__all__ = [
    "FUNCTIONS",
    "NEG_INF",
    "PI",
    "ZERO",
    "E",
    "InputError",
    "Matrix",
    "NegativeInfinity",
    "Scalar",
    "call",
    "exp",
    "grid",
    "letter",
    "matrix",
    "number",
    "symbol",
]
