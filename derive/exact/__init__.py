"""The exact kernel: scalars, small matrices, and the vocabulary in which rules are written."""

from derive.errors import InputError, Undecided
from derive.exact.functions import FUNCTIONS, call
from derive.exact.infinity import NEG_INF, NegativeInfinity
from derive.exact.matrix import (
    Matrix,
    cos,
    erf,
    exp,
    grid,
    log,
    matrix,
    relu,
    sin,
    sqrt,
    step,
    tanh,
)
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
    "Undecided",
    "call",
    "cos",
    "erf",
    "exp",
    "grid",
    "letter",
    "log",
    "matrix",
    "number",
    "relu",
    "sin",
    "sqrt",
    "step",
    "symbol",
    "tanh",
]
