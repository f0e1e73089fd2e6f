"""The lines of a program: one expression for each operation, and what must be said before it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from derive import ops
from derive.exact import Matrix, NegativeInfinity
from derive.exact.ink import POWER, SUM
from derive.exact.names import identifier_step
from derive.exact.write import Writer
from derive.step import Step
from derive.views.code_library import Library


@dataclass(frozen=True)
class Line:
    """A step to be written: its operation, its size, and who spells it."""

    step: Step
    library: Library
    writer: Writer

    @property
    def op(self) -> Any:
        """The operation."""
        return self.step.op

    @property
    def name(self) -> str:
        """The step's name in the program."""
        return identifier_step(self.step.name)

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of what it is made from."""
        return tuple(identifier_step(step.name) for step in self.step.inputs)

    def number(self, x: Any, level: int = SUM) -> str:
        """A number, in brackets where it binds less than `level`."""
        if isinstance(x, NegativeInfinity):
            return f"-{self.library.name}.inf"
        return self.writer.bracketed(self.writer.piece(x), level)

    def array(self, matrix: Matrix) -> str:
        """A matrix of numbers."""
        return self.library.array.format(_listed([map(self.number, row) for row in matrix.rows]))

    def call(self, function: str, argument: str) -> str:
        """A function of the library."""
        return self.library.call(function, argument)

    def lines(self) -> Iterator[str]:
        """The step, after what it rests on."""
        if self.op is None:
            yield f"{self.name} = {self.array(self.step.value)}"
            return
        if type(self.op) in BEFORE:
            yield from BEFORE[type(self.op)](self, *self.inputs)
        yield f"{self.name} = {EXPRESSIONS[type(self.op)](self, *self.inputs)}"


Said = Callable[..., str]


def _listed(rows: Sequence[Any]) -> str:
    return "[" + ", ".join("[" + ", ".join(row) + "]" for row in rows) + "]"


def _scale(s: Line, S: str) -> str:
    return f"{S} / {s.number(s.op.divisor, POWER)}"


def _exponentials(s: Line, S: str) -> Iterator[str]:
    shift = s.library.row_max.format(S) if s.op.along == "rows" else s.library.column_max.format(S)
    yield f"E = {s.call('exp', f'{S} - {shift}')}  # the shift cancels in {s.name}"


def _softmax(s: Line, S: str) -> str:
    return f"E / {s.library.row_sums('E') if s.op.along == 'rows' else s.library.column_sums('E')}"


def _contributions(s: Line, A: str, V: str) -> str:
    rows, columns = s.step.shape
    if s.op.along == "rows":
        return f"({A}[:, :, None] * {V}).reshape(-1, {columns})"
    return f"({V}[:, None, :] * {A}.T).reshape({rows}, -1)"


def _allowed(s: Line, S: str) -> Iterator[str]:
    rows = [[isinstance(x, NegativeInfinity) for x in row] for row in s.op.forbidden.rows]
    if all(x == (j > i) for i, row in enumerate(rows) for j, x in enumerate(row)):
        yield f"allowed = {s.call('tril', s.call('ones', f'{S}.shape'))} == 1"
    else:
        table = _listed([[str(not x) for x in row] for row in rows])
        yield f"allowed = {s.library.array.format(table)} == 1"


def _mask(s: Line, S: str) -> str:
    value = s.number(s.op.value)
    is_put = s.op.mode == "replace" or isinstance(s.op.value, NegativeInfinity)
    return s.call("where", f"allowed, {S}, {value if is_put else f'{S} + {value}'}")


def _distances(s: Line, S: str) -> Iterator[str]:
    n, m = s.step.shape
    yield f"distances = abs({s.library.count.format(n)}[:, None] - {s.library.count.format(m)})"


def _angles(s: Line, *_: str) -> Iterator[str]:
    """A row for each position, a column for each pair of features."""
    (n, d), op = s.step.shape, s.op
    positions = s.library.count.format(f"{op.start}, {op.start + n}")
    pairs = s.library.count.format(f"0, {d}, 2")
    yield f"angles = {positions}[:, None] / {op.base} ** ({pairs} / {d})"


def _paired(s: Line, first: str, second: str) -> str:
    """First and second features of each pair, in turns or in halves; an odd one stays alone."""
    n, d = s.step.shape
    if s.op.layout == "halves":
        return s.call("hstack", f"[{first}, {second}]")
    both = s.library.layers.format(f"{first}, {second}") + f".reshape({n}, {d + d % 2})"
    return both + f"[:, :{d}]" * (d % 2)


def _sinusoid(s: Line) -> str:
    return _paired(s, s.call("sin", "angles"), s.call("cos", "angles"))


def _turned(s: Line, X: str) -> Iterator[str]:
    half = s.step.shape[1] // 2
    first, second = (f":{half}", f"{half}:") if s.op.layout == "halves" else ("0::2", "1::2")
    yield from _angles(s)
    yield f"x, y = {X}[:, {first}], {X}[:, {second}]"
    yield f"sines, cosines = {s.call('sin', 'angles')}, {s.call('cos', 'angles')}"


def _variance(s: Line, X: str, mu: str) -> str:
    squares, d = f"(({X} - {mu}) ** 2)", s.step.inputs[0].shape[1]
    if not s.op.correction:
        return s.library.row_means(squares)
    return f"{s.library.row_sums(squares)} / {d - s.op.correction}"


def _deviation(s: Line, var: str) -> str:
    eps = "" if s.op.eps.is_zero else f" + {s.number(s.op.eps)}"
    return s.call("sqrt", var + eps) if s.op.place == "inside" else s.call("sqrt", var) + eps


def _lifted(s: Line, var: str, eps: str) -> str:
    inside = s.op.place == "inside"
    return s.call("sqrt", f"{var} + {eps}") if inside else f"{s.call('sqrt', var)} + {eps}"


def _gelu(s: Line, X: str) -> str:
    if s.op.form == "erf":
        return f"{X} * (1 + {s.library.erf.format(f'{X} / math.sqrt(2)')}) / 2"
    inner = s.call("tanh", f"math.sqrt(2 / math.pi) * ({X} + 0.044715 * {X} ** 3)")
    return f"{X} * (1 + {inner}) / 2"


def _relu(s: Line, X: str) -> str:
    if s.op.slope.is_zero:
        return s.library.relu.format(X)
    return s.call("where", f"{X} > 0, {X}, {s.number(s.op.slope, POWER)} * {X}")


def _part(first: int, last: int) -> str:
    """Places first ... last, counted from 1, as a slice."""
    return f"{first - 1 or ''}:{last}"


def _numbers(places: Sequence[int]) -> str:
    return str([k - 1 for k in places])


def _cross_entropy(s: Line, P: str) -> str:
    chosen = f"{P}[range({s.step.shape[0]}), {_numbers(s.op.targets)}]"
    return f"-{s.call('log', chosen)}[:, None]"


EXPRESSIONS: Mapping[type, Said] = {
    ops.Affine: lambda s, X, W, b: f"{X} @ {W} + {b}",
    ops.Alibi: lambda s, S: f"{S} - {s.number(s.op.slope, POWER)} * distances",
    ops.Columns: lambda s, X: f"{X}[:, {_part(s.op.first, s.op.last)}]",
    ops.ColumnSums: lambda s, E: s.library.row_sums(f"{E}.T"),
    ops.Concat: lambda s, *X: s.call("hstack", f"[{', '.join(X)}]"),
    ops.Contributions: _contributions,
    ops.CrossEntropy: _cross_entropy,
    ops.Deviation: _deviation,
    ops.DivideRows: lambda s, X, z: f"{X} / {z}",
    ops.Embed: lambda s, W: f"{W}[{_numbers(s.op.tokens)}]",
    ops.Exponential: lambda s, S: s.call("exp", S),
    ops.Gain: lambda s, X, gamma, beta: f"{X} * {gamma} + {beta}",
    ops.Gate: lambda s, G, U: f"{G} * {U}",
    ops.Gelu: _gelu,
    ops.LiftedDeviation: _lifted,
    ops.Linear: lambda s, X, W: f"{X} @ {W}",
    ops.Mask: _mask,
    ops.Mean: lambda s, L: f"{L}.mean()",
    ops.MeanSquares: lambda s, X: s.library.row_means(f"({X} ** 2)"),
    ops.Mix: lambda s, A, V: f"{A} @ {V}",
    ops.Normalize: lambda s, X, mu, sigma: f"({X} - {mu}) / {sigma}",
    ops.Relu: _relu,
    ops.Residual: lambda s, X, F: f"{X} + {F}",
    ops.Rotate: lambda s, X: _paired(s, "x * cosines - y * sines", "x * sines + y * cosines"),
    ops.RowMeans: lambda s, X: s.library.row_means(X),
    ops.RowSums: lambda s, E: s.library.row_sums(E),
    ops.Rows: lambda s, X: f"{X}[{_part(s.op.first, s.op.last)}]",
    ops.Scale: _scale,
    ops.ScaleColumns: lambda s, X, gamma: f"{X} * {gamma}",
    ops.Scores: lambda s, Q, K: f"{Q} @ {K}.T" if s.op.along == "rows" else f"{K}.T @ {Q}",
    ops.Silu: lambda s, X: f"{X} / (1 + {s.call('exp', f'-{X}')})",
    ops.Sinusoid: _sinusoid,
    ops.Softmax: _softmax,
    ops.SquaredError: lambda s, X, T: s.library.row_means(f"(({X} - {T}) ** 2)"),
    ops.Temper: lambda s, S, tau: f"{S} / {tau}",
    ops.Transpose: lambda s, X: f"{X}.T",
    ops.Variance: _variance,
}
BEFORE: Mapping[type, Callable[..., Iterator[str]]] = {
    ops.Alibi: _distances,
    ops.Mask: _allowed,
    ops.Rotate: _turned,
    ops.Sinusoid: _angles,
    ops.Softmax: _exponentials,
}
