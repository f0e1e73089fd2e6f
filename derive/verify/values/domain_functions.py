"""The functions of articles on matrices of exact numbers and of terms, in the words of rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from derive.exact import Matrix, Scalar, number
from derive.exact.enclosure import Enclosures
from derive.exact.infinity import NEG_INF
from derive.exact.matrix import exp
from derive.exact.trace import Term, Value, term
from derive.ops.softmax import Softmax
from derive.verify.values.operations import Unknown


def _ruled(op: Any, x: Matrix) -> Matrix:
    made: Matrix = op.rule(x)
    return made


def _applied(name: str) -> Callable[[Matrix], Matrix]:
    return lambda x: x.apply(name)


def _one(x: Any) -> Any:
    """1, of the kind of x."""
    return term(1) if isinstance(x, Term) else number(1)


def _of(x: Any) -> Any:
    """The exact number that a term is, where it is one."""
    return x.value if isinstance(x, Value) else x


def _less_means(x: Matrix) -> Matrix:
    return x - x.row_means()


def _variances(x: Matrix) -> Matrix:
    return (_less_means(x) ** 2).row_means()


def _samples(x: Matrix) -> Matrix:
    return (_less_means(x) ** 2).row_sums() / (x.shape[1] - 1)


def _cosines(x: Matrix, *others: Matrix) -> Matrix:
    first, second = map(_directions, (x, *(others or (x,))))
    return first @ second.T


def _directions(x: Matrix) -> Matrix:
    return x / (x**2).row_sums().apply("sqrt")


def _normal(x: Matrix, eps: Any = None) -> Matrix:
    found = _variances(x)
    found = found if eps is None else found.map(lambda v: v + eps)
    return _less_means(x) / found.apply("sqrt")


def _root_mean(x: Matrix, eps: Any = None) -> Matrix:
    found = (x**2).row_means()
    found = found if eps is None else found.map(lambda v: v + eps)
    return x / found.apply("sqrt")


def _tenth(power: int) -> Scalar:
    return number(1, 10**power)


def _where_later(x: Matrix, value: Any) -> Matrix:
    """With a value above the diagonal."""
    rows = enumerate(x.rows)
    return Matrix([[value if j > i else y for j, y in enumerate(row)] for i, row in rows])


def _masked(x: Matrix, mask: Matrix) -> Matrix:
    rows = mask.rows if mask.shape[0] == x.shape[0] else mask.rows * x.shape[0]
    pairs = zip(x.rows, rows, strict=True)
    return Matrix(
        [[NEG_INF if _is_zero(m) else y for y, m in zip(r, s, strict=True)] for r, s in pairs]
    )


def _is_zero(x: Any) -> bool:
    known = getattr(_of(x), "is_zero", None)
    if known is None:
        raise Unknown
    return bool(known)


def _average(*parts: Matrix) -> Matrix:
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total / len(parts)


def _largest(x: Matrix) -> Matrix:
    return Matrix([[_maximum(row)] for row in x.rows])


def _maximum(row: tuple[Any, ...]) -> Any:
    """The largest of exact numbers, where that is decided."""
    balls = Enclosures.of(Matrix([list(map(_of, row))])).rows[0]
    for x, ball in zip(row, balls, strict=True):
        if all(_of(x) == _of(y) or ball > other for y, other in zip(row, balls, strict=True)):
            return x
    raise Unknown


def _shares(x: Matrix) -> Matrix:
    return x.divide_rows(x.row_sums())


def _half_normal(x: Any) -> Any:
    """The standard normal distribution function."""
    return ((x / number(2).sqrt()).apply("erf") + 1) / 2


def _log_softmax(x: Matrix) -> Matrix:
    return x - x.exp().row_sums().apply("log")


def _entropy(x: Matrix) -> Matrix:
    return -(x * x.apply("log")).row_sums()


def _softmax_back(p: Matrix, d: Matrix) -> Matrix:
    return p * (d - (p * d).row_sums())


def _over_log(base: int) -> Callable[[Matrix], Matrix]:
    return lambda x: x / number(base).apply("log")


FUNCTIONS: Mapping[str, Callable[..., Matrix]] = {
    "T": lambda x: x.T,
    "softmax": lambda x: _ruled(Softmax(), x),
    "softmax columns": lambda x: _ruled(Softmax("columns"), x),
    "exp": lambda x: x.exp(),
    **{name: _applied(name) for name in "log sqrt sin cos tanh erf relu".split()},
    "ln": lambda x: x.apply("log"),
    "log2": lambda x: _over_log(2)(x.apply("log")),
    "log10": lambda x: _over_log(10)(x.apply("log")),
    "over ln 2": _over_log(2),
    "minus log": lambda x: -x.apply("log"),
    "sigmoid": lambda x: x.map(lambda y: _one(y) / (exp(-y) + 1)),
    "silu": lambda x: x.map(lambda y: y / (exp(-y) + 1)),
    "normal cdf": lambda x: x.map(_half_normal),
    "gelu": lambda x: x.map(lambda y: y * _half_normal(y)),
    "one less": lambda x: x.map(lambda y: _one(y) - y),
    "causal": lambda x: _where_later(x, NEG_INF),
    "causal filled": lambda x: _where_later(x, number(-(10**9))),
    "lower": lambda x: _where_later(x, number(0)),
    "masked": _masked,
    "sum": lambda x: x.row_sums(),
    "upright": lambda x: x.T if x.shape[0] == 1 else x,
    "mean": lambda x: x.row_means(),
    "max": _largest,
    "min": lambda x: -_largest(-x),
    "exp less max": lambda x: (x - _largest(x)).exp(),
    "less mean": _less_means,
    "squares": lambda x: x**2,
    "var": _variances,
    "sample var": _samples,
    "std": lambda x: _variances(x).apply("sqrt"),
    "sample std": lambda x: _samples(x).apply("sqrt"),
    "layernorm": _normal,
    "layernorm eps": lambda x: _normal(x, _tenth(5)),
    "layernorm eps 6": lambda x: _normal(x, _tenth(6)),
    "layernorm eps 12": lambda x: _normal(x, _tenth(12)),
    "layernorm given": lambda x, eps: _normal(x, eps.rows[0][0]),
    "layernorm sample": lambda x: _less_means(x) / _samples(x).apply("sqrt"),
    "rmsnorm": _root_mean,
    "rmsnorm eps": lambda x: _root_mean(x, _tenth(6)),
    "norm": lambda x: (x**2).row_sums().apply("sqrt"),
    "rms": lambda x: (x**2).row_means().apply("sqrt"),
    "cosines": _cosines,
    "sum squares": lambda x: (x**2).row_sums(),
    "shares": _shares,
    "causal shares": lambda x: _shares(_where_later(x, number(0))),
    "beside": lambda x, *others: x.beside(*others),
    "average": _average,
    "column sums": lambda x: x.column_sums(),
    "column means": lambda x: x.column_sums() / x.shape[0],
    "log softmax": _log_softmax,
    "entropy": _entropy,
    "softmax back": _softmax_back,
}
