"""Functions of the layers of a model on matrices of balls, some of several arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import accumulate
from math import prod

from flint import arb

from derive.exact.enclosure import Enclosures
from derive.verify.grammar.grids import matrix_of


def _whole(x: Enclosures) -> int:
    return int(x.rows[0][0].unique_fmpz())


def _beside(*parts: Enclosures) -> Enclosures:
    """Matrices side by side."""
    return parts[0].beside(*parts[1:])


def _rows(x: Enclosures, first: Enclosures, count: Enclosures) -> Enclosures:
    start = _whole(first)
    return matrix_of(x.rows[start : start + _whole(count)])


def _average(*parts: Enclosures) -> Enclosures:
    count = len(parts)
    columns = zip(*(part.rows for part in parts), strict=True)
    return matrix_of(
        [[sum(xs, arb(0)) / count for xs in zip(*rows, strict=True)] for rows in columns]
    )


def _masked(x: Enclosures, mask: Enclosures) -> Enclosures:
    """-oo where the mask is 0; a mask of one row holds for all."""
    rows = mask.rows if mask.shape[0] == x.shape[0] else mask.rows * x.shape[0]
    pairs = zip(x.rows, rows, strict=True)
    return matrix_of(
        [[arb.neg_inf() if m == 0 else y for y, m in zip(r, s, strict=True)] for r, s in pairs]
    )


def _filled(x: Enclosures) -> Enclosures:
    """-10^9 above the diagonal."""
    low = arb(-(10**9))
    return matrix_of(
        [[low if j > i else y for j, y in enumerate(row)] for i, row in enumerate(x.rows)]
    )


def _normal(x: Enclosures, eps: arb) -> Enclosures:
    rows = []
    for row in x.rows:
        mean = sum(row, arb(0)) / len(row)
        spread = (sum(((y - mean) ** 2 for y in row), arb(0)) / len(row) + eps).sqrt()
        rows.append([(y - mean) / spread for y in row])
    return matrix_of(rows)


def _root_mean(x: Enclosures, eps: arb) -> Enclosures:
    rows = []
    for row in x.rows:
        size = (sum((y * y for y in row), arb(0)) / len(row) + eps).sqrt()
        rows.append([y / size for y in row])
    return matrix_of(rows)


def _gelu(x: arb) -> arb:
    return x * (1 + (x / arb(2).sqrt()).erf()) / 2


def _gelu_tanh(x: arb) -> arb:
    inner = (2 / arb.pi()).sqrt() * (x + arb(44715) / 1_000_000 * x**3)
    return x * (1 + inner.tanh()) / 2


def _gelu_sigmoid(x: arb) -> arb:
    return x / (1 + (-arb(1702) / 1000 * x).exp())


def _normal_cdf(x: arb) -> arb:
    return (1 + (x / arb(2).sqrt()).erf()) / 2


def _plogp(x: arb) -> arb:
    return arb(0) if x == 0 else -x * x.log()


def _product(x: Enclosures) -> Enclosures:
    return matrix_of([[prod(row, start=arb(1))] for row in x.rows])


def _silu(x: arb) -> arb:
    return x / (1 + (-x).exp())


def _log_softmax(x: Enclosures) -> Enclosures:
    return matrix_of(
        [[y - sum((z.exp() for z in row), arb(0)).log() for y in row] for row in x.rows]
    )


def _entropy(x: Enclosures, base: int) -> Enclosures:
    """- sum p ln p along each row, in nats or bits."""
    unit = arb(1) if base == 0 else arb(base).log()
    return matrix_of(
        [[-sum((y * y.log() for y in row if y != 0), arb(0)) / unit] for row in x.rows]
    )


def _column_sums(x: Enclosures) -> Enclosures:
    return x.T.row_sums().T


def _sinusoids(
    halves: bool, n: Enclosures, d: Enclosures, base: Enclosures, first: Enclosures
) -> Enclosures:
    """sin and cos of the position times base^(-2i/d), interleaved or in halves."""
    width, start = _whole(d), _whole(first)
    pairs = (width + 1) // 2
    made = []
    for position in range(start, start + _whole(n)):
        angles = [position * _frequency(base.rows[0][0], i, width) for i in range(pairs)]
        sines, cosines = [a.sin() for a in angles], [a.cos() for a in angles]
        both = (
            [*sines, *cosines]
            if halves
            else [x for pair in zip(sines, cosines, strict=True) for x in pair]
        )
        made.append(both[:width])
    return matrix_of(made)


def _angles(n: Enclosures, k: Enclosures, base: Enclosures, first: Enclosures) -> Enclosures:
    """The angles of n positions from the first, one for each of k pairs."""
    count, start = _whole(k), _whole(first)
    own = [_frequency(base.rows[0][0], i, 2 * count) for i in range(count)]
    return matrix_of([[p * x for x in own] for p in range(start, start + _whole(n))])


def _frequency(base: arb, i: int, width: int) -> arb:
    return (-arb(2 * i) / width * base.log()).exp() if i else arb(1)


def _rotary(halves: bool, x: Enclosures, base: Enclosures, first: Enclosures) -> Enclosures:
    """Each pair of a row turned by its position times its frequency."""
    if x.shape[1] == 1:
        return _rotary(halves, x.T, base, first).T
    start, width = _whole(first), x.shape[1]
    made = []
    for position, row in enumerate(x.rows, start):
        out = list(row)
        for i in range(width // 2):
            a, b = (i, i + width // 2) if halves else (2 * i, 2 * i + 1)
            angle = position * _frequency(base.rows[0][0], i, width)
            c, s = angle.cos(), angle.sin()
            out[a], out[b] = row[a] * c - row[b] * s, row[a] * s + row[b] * c
        made.append(out)
    return matrix_of(made)


def _softmax_back(p: Enclosures, d: Enclosures) -> Enclosures:
    """p * (d - the sum of p * d along the row)."""
    made = []
    for r, s in zip(p.rows, d.rows, strict=True):
        total = sum((x * y for x, y in zip(r, s, strict=True)), arb(0))
        made.append([x * (y - total) for x, y in zip(r, s, strict=True)])
    return matrix_of(made)


def _jacobian(x: Enclosures) -> Enclosures:
    """diag(p) - p p^T of a row or column."""
    p = [y for row in x.rows for y in row]
    return matrix_of(
        [[(y if i == j else arb(0)) - y * z for j, z in enumerate(p)] for i, y in enumerate(p)]
    )


def _cosines(x: Enclosures, *others: Enclosures) -> Enclosures:
    """Each row with each row, over the lengths of both."""
    first, second = _directions(x), _directions(*(others or (x,)))
    return first @ second.T


def _directions(x: Enclosures) -> Enclosures:
    lengths = [sum((y**2 for y in row), arb(0)).sqrt() for row in x.rows]
    return matrix_of([[y / n for y in row] for row, n in zip(x.rows, lengths, strict=True)])


def _tiny(power: int) -> arb:
    return 1 / arb(10) ** power


LAYER_FUNCTIONS: Mapping[str, Callable[..., Enclosures]] = {
    "beside": _beside,
    "rows": _rows,
    "average": _average,
    "masked": _masked,
    "causal filled": _filled,
    "layernorm eps 6": lambda x: _normal(x, _tiny(6)),
    "layernorm eps 12": lambda x: _normal(x, _tiny(12)),
    "layernorm given": lambda x, eps: _normal(x, eps.rows[0][0]),
    "rmsnorm": lambda x: _root_mean(x, arb(0)),
    "rmsnorm eps": lambda x: _root_mean(x, _tiny(6)),
    "gelu": lambda x: x.map(_gelu),
    "gelu tanh": lambda x: x.map(_gelu_tanh),
    "gelu sigmoid": lambda x: x.map(_gelu_sigmoid),
    "silu": lambda x: x.map(_silu),
    "normal cdf": lambda x: x.map(_normal_cdf),
    "cumulative": lambda x: matrix_of([list(accumulate(row)) for row in x.rows]),
    "plogp": lambda x: x.map(_plogp),
    "norm": lambda x: (x**2).row_sums().apply("sqrt"),
    "rms": lambda x: (x**2).row_sums().map(lambda y: y / x.shape[1]).apply("sqrt"),
    "cosines": _cosines,
    "sum squares": lambda x: (x**2).row_sums(),
    "product of all": _product,
    "over ln 2": lambda x: x.map(lambda y: y / arb(2).log()),
    "one less": lambda x: x.map(lambda y: 1 - y),
    "perplexity": lambda x: _entropy(x, 0).map(lambda y: y.exp()),
    "minus log": lambda x: x.apply("log").map(lambda y: -y),
    "log softmax": _log_softmax,
    "entropy": lambda x: _entropy(x, 0),
    "entropy bits": lambda x: _entropy(x, 2),
    "column sums": _column_sums,
    "column means": lambda x: _column_sums(x).map(lambda y: y / x.shape[0]),
    "angles": _angles,
    "sinusoids interleaved": partial(_sinusoids, False),
    "sinusoids halves": partial(_sinusoids, True),
    "rotary interleaved": partial(_rotary, False),
    "rotary halves": partial(_rotary, True),
    "softmax back": _softmax_back,
    "jacobian": _jacobian,
}
