"""Operations on matrices of balls: signs between two, and functions by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flint import arb

from derive.errors import InputError
from derive.exact.enclosure import Enclosures
from derive.ops.softmax import Softmax
from derive.verify.grammar.grids import matrix_of
from derive.verify.program.functions import PROGRAM_FUNCTIONS
from derive.verify.values.layer_functions import LAYER_FUNCTIONS

MOST_EXPONENT = 100_000
LARGEST = 512
"""Rows and columns of a matrix at most."""


class Unknown(Exception):
    """The value is not determined by what is printed."""


def is_scalar(x: Enclosures) -> bool:
    """Whether a matrix is a number."""
    return x.shape == (1, 1)


def binary(sign: str, a: Enclosures, b: Enclosures) -> Enclosures:
    """Two values under a sign, as the shapes decide."""
    if sign in ("+", "-"):
        return _entrywise(a, b, (lambda x, y: x + y) if sign == "+" else (lambda x, y: x - y))
    if sign == "/":
        return _entrywise(a, b, lambda x, y: x / y)
    if sign == "^":
        return _raised(a, b)
    if is_scalar(a) or is_scalar(b):
        return _entrywise(a, b, lambda x, y: x * y)
    if sign == "⊙":
        return _times(a, b)
    if sign == "*" and (a.shape == b.shape or _is_gain(a, b) or _is_gain(b, a)):
        return _entrywise(a, b, lambda x, y: x * y)
    if a.shape[1] == b.shape[0]:
        return a @ b
    if 1 in (a.shape[0], b.shape[0]) and a.shape[1] == b.shape[1]:
        return a @ b.T  # a row stands for a column: W x
    if a.shape[0] == b.shape[0] and a.shape[1] == 1:
        return a.T @ b  # a column stands for a row: w V
    raise Unknown


def _is_gain(a: Enclosures, b: Enclosures) -> bool:
    """Whether one row multiplies every row of a matrix, entry by entry."""
    return min(a.shape) > 1 and b.shape == (1, a.shape[1])


def _raised(a: Enclosures, b: Enclosures) -> Enclosures:
    if not is_scalar(b):
        raise Unknown
    power = b.rows[0][0]
    whole = power.unique_fmpz()
    if whole is not None and abs(int(whole)) <= 64 and power.is_exact():
        return a ** int(whole)
    return _exp(a.map(lambda x: _finite(x.log() * power)))


def _finite(x: arb) -> arb:
    if not x.is_finite():
        raise Unknown
    return x


def _entrywise(a: Enclosures, b: Enclosures, work: Callable[[arb, arb], arb]) -> Enclosures:
    if is_scalar(a) and not is_scalar(b):
        x = a.rows[0][0]
        return b.map(lambda y: work(x, y))
    if is_scalar(b):
        y = b.rows[0][0]
        return a.map(lambda x: work(x, y))
    if a.shape == b.shape[::-1] and 1 in a.shape:
        b = b.T
    if a.shape == b.shape:
        pairs = zip(a.rows, b.rows, strict=True)
        return matrix_of([[work(x, y) for x, y in zip(r, s, strict=True)] for r, s in pairs])
    if a.shape[0] == b.shape[0] and b.shape[1] == 1:
        pairs = zip(a.rows, b.rows, strict=True)
        return matrix_of([[work(x, s[0]) for x in r] for r, s in pairs])
    if a.shape[1] == b.shape[1] and b.shape[0] == 1:
        return matrix_of([[work(x, y) for x, y in zip(r, b.rows[0], strict=True)] for r in a.rows])
    if a.shape[1] == b.shape[1] and a.shape[0] == 1:
        return matrix_of([[work(x, y) for x, y in zip(a.rows[0], r, strict=True)] for r in b.rows])
    raise Unknown


VECTORS = frozenset(
    (
        "softmax", "log softmax", "shares", "exp less max", "less mean", "sum", "mean", "max",
        "min", "var", "std", "sample var", "sample std", "norm", "rms", "entropy", "entropy bits",
        "sum squares",
    )
)  # fmt: skip
"""Functions of a vector, which may stand as a column; so are the normalisations."""


def function(name: str, arguments: list[Enclosures]) -> Enclosures:
    """A named function: of a vector along rows, or along the column where that is one."""
    first = arguments[0] if arguments else None
    is_vector = name in VECTORS or name.startswith(("layernorm", "rmsnorm"))
    if is_vector and first is not None and first.shape[1] == 1 < first.shape[0]:
        return function(name, [first.T, *arguments[1:]]).T
    if len(arguments) == 1 and name in FUNCTIONS:
        made: Callable[..., Enclosures] | None = FUNCTIONS[name]
    else:
        made = LAYER_FUNCTIONS.get(name) or PROGRAM_FUNCTIONS.get(name) or PAIRS.get(name)
    if made is None:
        raise Unknown
    try:
        return made(*arguments)
    except (InputError, TypeError):
        raise Unknown from None


def causal(x: Enclosures) -> Enclosures:
    """-oo above the diagonal."""
    return matrix_of(
        [[arb.neg_inf() if j > i else y for j, y in enumerate(row)] for i, row in enumerate(x.rows)]
    )


def _lower(x: Enclosures) -> Enclosures:
    if x.shape[0] != x.shape[1]:
        raise Unknown
    return matrix_of(
        [[arb(0) if j > i else y for j, y in enumerate(row)] for i, row in enumerate(x.rows)]
    )


def _inverse(x: Enclosures) -> Enclosures:
    """The inverse of a square matrix.  Unknown where it is not proved to have one."""
    try:
        return Enclosures(x.balls.inv())
    except (ValueError, ZeroDivisionError) as error:
        raise Unknown from error


def _eye(x: Enclosures) -> Enclosures:
    n = x.rows[0][0].unique_fmpz()
    if n is None or not 0 < int(n) <= LARGEST:
        raise Unknown
    return matrix_of([[arb(int(i == j)) for j in range(int(n))] for i in range(int(n))])


def _exp(x: Enclosures) -> Enclosures:
    """e to each entry; Unknown where one is too large to be meant."""
    if any(y > MOST_EXPONENT for row in x.rows for y in row):
        raise Unknown
    return x.exp()


def _exp_of(x: arb) -> arb:
    if x > MOST_EXPONENT:
        raise Unknown
    return x.exp()


def ruled(op: Any, *arguments: Enclosures) -> Enclosures:
    """An operation's own rule, run on balls."""
    try:
        return Enclosures.of(op.rule(*arguments))
    except (InputError, ArithmeticError):
        raise Unknown from None


def _ruled(op: Any, x: Enclosures) -> Enclosures:
    _exp(x)
    return Enclosures.of(op.rule(x))


def _total(x: Enclosures) -> Enclosures:
    """The sum of all entries of a vector."""
    if 1 not in x.shape or is_scalar(x):
        raise Unknown
    return (x if x.shape[0] == 1 else x.T).row_sums()


def _means(x: Enclosures) -> Enclosures:
    return x.row_sums().map(lambda y: y / x.shape[1])


def _less_means(x: Enclosures) -> Enclosures:
    return _entrywise(x, _means(x), lambda y, m: y - m)


def _variances(x: Enclosures) -> Enclosures:
    return _means(_less_means(x) ** 2)


def _samples(x: Enclosures) -> Enclosures:
    if x.shape[1] < 2:
        raise Unknown
    return (_less_means(x) ** 2).row_sums().map(lambda y: y / (x.shape[1] - 1))


def _normalised(x: Enclosures, eps: arb | int = 0, sample: bool = False) -> Enclosures:
    spread = (_samples(x) if sample else _variances(x)).map(lambda v: (v + eps).sqrt())
    return _entrywise(_less_means(x), spread, lambda y, s: y / s)


def _shares(x: Enclosures) -> Enclosures:
    return x.divide_rows(x.row_sums())


def _factorial(x: arb) -> arb:
    count = x.unique_fmpz()
    if count is None or not x.is_exact() or not 0 <= int(count) <= LARGEST:
        raise Unknown
    return arb.fac_ui(int(count))


def _largest(x: Enclosures) -> Enclosures:
    return matrix_of([[_maximum(row)] for row in x.rows])


def _maximum(row: Any) -> arb:
    found = row[0]
    for y in row[1:]:
        found = found.max(y)
    return found


FUNCTIONS: Mapping[str, Callable[[Enclosures], Enclosures]] = {
    "T": lambda x: x.T,
    "softmax": lambda x: _ruled(Softmax(), x),
    "axis 0 softmax": lambda x: _ruled(Softmax() if x.shape[0] == 1 else Softmax("columns"), x),
    "softmax columns": lambda x: _ruled(Softmax("columns"), x),
    "exp": lambda x: _exp(x),
    "log": lambda x: x.apply("log"),
    "ln": lambda x: x.apply("log"),
    "log10": lambda x: x.apply("log").map(lambda y: y / arb(10).log()),
    "log2": lambda x: x.apply("log").map(lambda y: y / arb(2).log()),
    "sin degrees": lambda x: x.map(lambda y: y * arb.pi() / 180).apply("sin"),
    "cos degrees": lambda x: x.map(lambda y: y * arb.pi() / 180).apply("cos"),
    "sqrt": lambda x: x.apply("sqrt"),
    "sin": lambda x: x.apply("sin"),
    "cos": lambda x: x.apply("cos"),
    "tanh": lambda x: x.apply("tanh"),
    "erf": lambda x: x.apply("erf"),
    "relu": lambda x: x.apply("relu"),
    "abs": lambda x: x.map(abs),
    "sigmoid": lambda x: x.map(lambda y: 1 / (1 + (-y).exp())),
    "eye": _eye,
    "inverse": _inverse,
    "causal": causal,
    "sum": lambda x: x.row_sums(),
    "sum over": lambda x: _total(x),
    "upright": lambda x: x.T if x.shape[0] == 1 else x,
    "max": _largest,
    "min": lambda x: _largest(x.map(lambda y: -y)).map(lambda y: -y),
    "factorial": lambda x: x.map(_factorial),
    "mean": _means,
    "less mean": _less_means,
    "squares": lambda x: x**2,
    "var": _variances,
    "sample var": _samples,
    "std": lambda x: _variances(x).apply("sqrt"),
    "sample std": lambda x: _samples(x).apply("sqrt"),
    "layernorm": _normalised,
    "layernorm eps": lambda x: _normalised(x, arb(1) / 100000),
    "layernorm sample": lambda x: _normalised(x, sample=True),
    "shares": _shares,
    "exp less max": lambda x: _entrywise(x, _largest(x), lambda y, m: _exp_of(y - m)),
    "lower": lambda x: _lower(x),
    "causal shares": lambda x: _shares(_lower(x)),
}
PAIRS: Mapping[str, Callable[..., Enclosures]] = {
    "times": lambda a, b: _times(a, b),
}


def _times(a: Enclosures, b: Enclosures) -> Enclosures:
    """Entry by entry; one row or column goes with all."""
    if a.shape[0] * a.shape[1] < b.shape[0] * b.shape[1]:
        a, b = b, a
    return _entrywise(a, b, lambda x, y: x * y)
