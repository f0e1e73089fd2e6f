"""The outside witnesses: each operation once more, in SymPy's own matrices and in floating point.

Nothing here speaks the vocabulary of rules: matrices are built entry by entry from the definition.
"""

import math

import numpy as np
import sympy
from spelled import as_sympy

from derive import ops
from derive.exact.bridge import to_sympy

# --- in SymPy


def by_hand(op, xs):
    """The result of an operation on SymPy matrices."""
    return BY_HAND[type(op)](op, *xs)


def over_places(f, rows, columns):
    return sympy.Matrix(rows, columns, lambda i, j: f(i, j))


def mask_by_hand(op, s):
    blocked, to = as_sympy(op.forbidden), to_sympy(op.value)

    def entry(i, j):
        if blocked[i, j] == 0:
            return s[i, j]
        return to if op.mode == "replace" else s[i, j] + to

    return over_places(entry, *blocked.shape)


def contributions_by_hand(op, a, v):
    if op.along == "columns":
        places = [(i, j) for j in range(a.cols) for i in range(a.rows)]
        return sympy.Matrix.hstack(*(a[i, j] * v[:, i] for i, j in places))
    places = [(i, j) for i in range(a.rows) for j in range(a.cols)]
    return sympy.Matrix.vstack(*(a[i, j] * v[j, :] for i, j in places))


def softmax_by_hand(op, s):
    e = s.applyfunc(sympy.exp)
    if op.along == "columns":
        return over_places(lambda i, j: e[i, j] / sympy.Add(*e[:, j]), *e.shape)
    return over_places(lambda i, j: e[i, j] / sympy.Add(*e[i, :]), *e.shape)


def mean_of(xs):
    return sympy.Add(*xs) / len(list(xs))


def each_row(f, x):
    return sympy.Matrix([f(list(x[i, :])) for i in range(x.rows)])


def variance_by_hand(op, x, mu):
    squares = lambda i: sympy.Add(*((y - mu[i]) ** 2 for y in x[i, :]))  # noqa: E731
    return sympy.Matrix([squares(i) / (x.cols - op.correction) for i in range(x.rows)])


def deviation_by_hand(op, var):
    eps = to_sympy(op.eps)
    if op.place == "outside":
        return var.applyfunc(lambda v: sympy.sqrt(v) + eps)
    return var.applyfunc(lambda v: sympy.sqrt(v + eps))


def relu_by_hand(op, x):
    slope = to_sympy(op.slope)
    return x.applyfunc(lambda y: sympy.Max(0, y) + slope * sympy.Min(0, y))


def gelu_by_hand(op, x):
    if op.form == "erf":
        return x.applyfunc(lambda y: y * (1 + sympy.erf(y / sympy.sqrt(2))) / 2)
    c = sympy.Rational(44715, 10**6)
    inner = lambda y: sympy.sqrt(2 / sympy.pi) * (y + c * y**3)  # noqa: E731
    return x.applyfunc(lambda y: y / 2 * (1 + sympy.tanh(inner(y))))


def frequency(op, d, i):
    return sympy.Integer(op.base) ** sympy.Rational(-2 * i, d)


def sinusoid_by_hand(op):
    """Column by column: the sines and cosines of each pair put where the layout has them."""
    d, positions = op.d, range(op.start, op.start + op.n)
    waves = [
        [f(p * frequency(op, d, i)) for p in positions]
        for i in range((d + 1) // 2)
        for f in (sympy.sin, sympy.cos)
    ][:d]
    if op.layout == "halves":
        waves = waves[0::2] + waves[1::2]
    return sympy.Matrix(waves).T


def rotate_by_hand(op, x):
    """Every row times a matrix of plane rotations."""
    n, d = x.shape
    lines = []
    for row in range(n):
        turn = sympy.eye(d)
        for i in range(d // 2):
            a, b = (2 * i, 2 * i + 1) if op.layout == "adjacent" else (i, i + d // 2)
            angle = (op.start + row) * frequency(op, d, i)
            turn[a, a] = turn[b, b] = sympy.cos(angle)
            turn[a, b], turn[b, a] = sympy.sin(angle), -sympy.sin(angle)
        lines.append(x[row, :] * turn)
    return sympy.Matrix.vstack(*lines)


BY_HAND = {
    ops.Affine: lambda op, x, w, b: x * w + sympy.Matrix.vstack(*[b] * x.rows),
    ops.Alibi: lambda op, s: over_places(
        lambda i, j: s[i, j] - to_sympy(op.slope) * max(i - j, j - i), *s.shape
    ),
    ops.ColumnSums: lambda op, x: sympy.Matrix([sympy.Add(*x[:, j]) for j in range(x.cols)]),
    ops.Columns: lambda op, x: x[:, op.first - 1 : op.last],
    ops.Concat: lambda op, *xs: sympy.Matrix.hstack(*xs),
    ops.Contributions: contributions_by_hand,
    ops.CrossEntropy: lambda op, p: sympy.Matrix(
        [sympy.log(1 / p[i, y - 1]) for i, y in enumerate(op.targets)]
    ),
    ops.Deviation: deviation_by_hand,
    ops.DivideRows: lambda op, x, z: over_places(lambda i, j: x[i, j] / z[i], *x.shape),
    ops.Embed: lambda op, w: sympy.Matrix.vstack(*(w[t - 1, :] for t in op.tokens)),
    ops.Exponential: lambda op, s: s.applyfunc(sympy.exp),
    ops.Gain: lambda op, x, g, b: over_places(lambda i, j: g[j] * x[i, j] + b[j], *x.shape),
    ops.Gate: lambda op, g, u: g.multiply_elementwise(u),
    ops.Gelu: gelu_by_hand,
    ops.LiftedDeviation: lambda op, var, eps: var.applyfunc(
        lambda v: sympy.sqrt(v + eps[0]) if op.place == "inside" else sympy.sqrt(v) + eps[0]
    ),
    ops.Linear: lambda op, x, w: x * w,
    ops.Mask: mask_by_hand,
    ops.Mean: lambda op, x: sympy.Matrix([mean_of(x)]),
    ops.MeanSquares: lambda op, x: each_row(lambda row: mean_of([y**2 for y in row]), x),
    ops.Mix: lambda op, a, v: a * v,
    ops.Normalize: lambda op, x, mu, sigma: over_places(
        lambda i, j: (x[i, j] - mu[i]) / sigma[i], *x.shape
    ),
    ops.Relu: relu_by_hand,
    ops.Residual: lambda op, x, f: over_places(lambda i, j: x[i, j] + f[i, j], *x.shape),
    ops.Rotate: rotate_by_hand,
    ops.RowMeans: lambda op, x: each_row(mean_of, x),
    ops.RowSums: lambda op, x: each_row(lambda row: sympy.Add(*row), x),
    ops.Rows: lambda op, x: x[op.first - 1 : op.last, :],
    ops.Scale: lambda op, s: s / to_sympy(op.divisor),
    ops.ScaleColumns: lambda op, x, g: x * sympy.diag(*g),
    ops.Scores: lambda op, q, k: k.T * q if op.along == "columns" else q * k.T,
    ops.Silu: lambda op, x: x.applyfunc(lambda y: y * sympy.exp(y) / (sympy.exp(y) + 1)),
    ops.Sinusoid: sinusoid_by_hand,
    ops.Softmax: softmax_by_hand,
    ops.SquaredError: lambda op, x, t: each_row(mean_of, (x - t).applyfunc(lambda y: y**2)),
    ops.Temper: lambda op, s, tau: s / tau[0],
    ops.Transpose: lambda op, x: x.T,
    ops.Variance: variance_by_hand,
}


# --- in floating point


def in_numpy(op, xs, tau):
    """The result of an operation on arrays, with tau put in for that symbol."""
    return IN_NUMPY[type(op)](op, *xs, tau=tau) if type(op) is ops.Scale else floats(op, xs)


def floats(op, xs):
    return IN_NUMPY[type(op)](op, *xs)


def exact_float(x):
    return float(to_sympy(x))


def mask_in_numpy(op, s):
    blocked = np.isneginf(np.array(as_sympy(op.forbidden).tolist(), dtype=float))
    to = exact_float(op.value)
    return np.where(blocked, to if op.mode == "replace" else s + to, s)


def softmax_in_numpy(op, s):
    axis = 0 if op.along == "columns" else 1
    e = np.exp(s - s.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def contributions_in_numpy(op, a, v):
    if op.along == "columns":
        return np.einsum("ij,ki->kji", a, v).reshape(v.shape[0], -1)
    return (a[:, :, None] * v[None]).reshape(-1, v.shape[1])


def deviation_in_numpy(op, var):
    eps = exact_float(op.eps)
    return np.sqrt(var + eps) if op.place == "inside" else np.sqrt(var) + eps


def gelu_in_numpy(op, x):
    if op.form == "erf":
        return x * 0.5 * np.vectorize(math.erfc)(-x / math.sqrt(2))
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def angles_in_numpy(op, n, d):
    return np.outer(op.start + np.arange(n), op.base ** (-np.arange(0, d, 2) / d))


def sinusoid_in_numpy(op):
    angles = angles_in_numpy(op, op.n, op.d)
    if op.layout == "halves":
        return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(op.n, -1)[:, : op.d]


def rotate_in_numpy(op, x):
    """Each pair a complex number, times e to i times its angle."""
    n, d = x.shape
    adjacent = op.layout == "adjacent"
    first, second = (x[:, ::2], x[:, 1::2]) if adjacent else (x[:, : d // 2], x[:, d // 2 :])
    turned = (first + 1j * second) * np.exp(1j * angles_in_numpy(op, n, d))
    if adjacent:
        return np.stack([turned.real, turned.imag], axis=2).reshape(n, d)
    return np.concatenate([turned.real, turned.imag], axis=1)


IN_NUMPY = {
    ops.Affine: lambda op, x, w, b: x @ w + b,
    ops.Alibi: lambda op, s: (
        s - exact_float(op.slope) * abs(np.subtract.outer(*map(np.arange, s.shape)))
    ),
    ops.ColumnSums: lambda op, x: x.sum(axis=0)[:, None],
    ops.Columns: lambda op, x: x[:, op.first - 1 : op.last],
    ops.Concat: lambda op, *xs: np.concatenate(xs, axis=1),
    ops.Contributions: contributions_in_numpy,
    ops.CrossEntropy: lambda op, p: (
        -np.log(np.take_along_axis(p, np.array(op.targets)[:, None] - 1, axis=1))
    ),
    ops.Deviation: deviation_in_numpy,
    ops.DivideRows: lambda op, x, z: x / z,
    ops.Embed: lambda op, w: w[np.array(op.tokens) - 1],
    ops.Exponential: lambda op, s: np.exp(s),
    ops.Gain: lambda op, x, g, b: g * x + b,
    ops.Gate: lambda op, g, u: g * u,
    ops.Gelu: gelu_in_numpy,
    ops.LiftedDeviation: lambda op, var, eps: (
        np.sqrt(var + eps) if op.place == "inside" else np.sqrt(var) + eps
    ),
    ops.Linear: lambda op, x, w: x @ w,
    ops.Mask: mask_in_numpy,
    ops.Mean: lambda op, x: x.mean(keepdims=True),
    ops.MeanSquares: lambda op, x: (x**2).mean(axis=1, keepdims=True),
    ops.Mix: lambda op, a, v: a @ v,
    ops.Normalize: lambda op, x, mu, sigma: (x - mu) / sigma,
    ops.Relu: lambda op, x: np.where(x > 0, x, exact_float(op.slope) * x),
    ops.Residual: lambda op, x, f: x + f,
    ops.Rotate: rotate_in_numpy,
    ops.RowMeans: lambda op, x: x.mean(axis=1, keepdims=True),
    ops.RowSums: lambda op, x: x.sum(axis=1, keepdims=True),
    ops.Rows: lambda op, x: x[op.first - 1 : op.last],
    ops.Scale: lambda op, s, tau: s / float(to_sympy(op.divisor).subs("tau", tau)),
    ops.ScaleColumns: lambda op, x, g: x * g,
    ops.Scores: lambda op, q, k: (
        np.einsum("cj,ci->ij", q, k) if op.along == "columns" else np.einsum("ic,jc->ij", q, k)
    ),
    ops.Silu: lambda op, x: x / (1 + np.exp(-x)),
    ops.Sinusoid: sinusoid_in_numpy,
    ops.Softmax: softmax_in_numpy,
    ops.SquaredError: lambda op, x, t: np.square(x - t).mean(axis=1, keepdims=True),
    ops.Temper: lambda op, s, tau: s / tau,
    ops.Transpose: lambda op, x: x.T,
    # NumPy's own variance, which takes the mean itself.
    ops.Variance: lambda op, x, mu: x.var(axis=1, ddof=op.correction, keepdims=True),
}
