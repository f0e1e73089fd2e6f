"""An interpretation of trace terms of the tests' own: each in SymPy, at a place.

A number for an entry, a matrix for notation.  A matrix meets a column, a row or a number entry by
entry, as in the written formula.
"""

import re
from dataclasses import dataclass, field, replace
from typing import Any

import sympy
from mathematics import by_hand
from spelled import as_sympy, spelled

from derive import ops
from derive.exact import trace

FUNCTIONS = {
    "sqrt": sympy.sqrt,
    "log": sympy.log,
    "sin": sympy.sin,
    "cos": sympy.cos,
    "tanh": sympy.tanh,
    "erf": sympy.erf,
    "relu": lambda x: sympy.Max(0, x),
    "step": lambda x: sympy.Integer(bool(x > 0)),
}
NAMED = {"GELU", "LeakyReLU", "ReLU", "RoPE", "SiLU", "softmax"}
"""Functions of a matrix that an operation is itself the meaning of."""


@dataclass(frozen=True)
class Place:
    """Where a term is evaluated: matrices by letter, numbers for index letters and for sizes."""

    steps: dict
    indices: dict = field(default_factory=dict)
    sizes: dict = field(default_factory=dict)
    lists: dict = field(default_factory=dict)
    """t and y: a number for each row, from 1."""
    op: Any = None
    is_open: bool = False
    """Whether an index outside of a matrix stands for 0."""

    def at(self, index):
        """The number of an index: 3, i, 2i+1, t_i."""
        if isinstance(index, int):
            return index
        if "_" in index:
            name, inner = index.split("_")
            return self.lists[name][self.at(inner) - 1]
        # A position is counted from the first one, which is row 1.
        return self.number(index) - (self.op.start - 1 if index == "p" else 0)

    def number(self, text):
        """What is written of letters and sizes: 2i/d."""
        sums = sympy.sympify(re.sub(r"(\d)([a-z])", r"\1*\2", text))
        return sums.subs({**self.sizes, **self.indices})

    def entry(self, step, indices):
        """A number, or the part of the matrix that `:`, `2:3`, t and y mark out."""
        m = as_sympy(self.steps[step])
        if not indices:
            (only,) = m
            return only
        if len(indices) == 1:
            assert 1 in m.shape
            return m[self.at(indices[0]) - 1]
        if indices == (":", "y"):
            return sympy.Matrix([m[i, y - 1] for i, y in enumerate(self.lists["y"])])
        rows, columns = (self.span(x, size) for x, size in zip(indices, m.shape, strict=True))
        if self.is_open and any(
            isinstance(k, (int, sympy.Integer)) and not 1 <= k <= size
            for k, size in zip((rows, columns), m.shape, strict=True)
        ):
            return sympy.Integer(0)
        if isinstance(rows, list) or isinstance(columns, list):
            listed = lambda x: x if isinstance(x, list) else [x]  # noqa: E731
            return m.extract(*([k - 1 for k in listed(x)] for x in (rows, columns)))
        return m[rows - 1, columns - 1]

    def span(self, index, size):
        """A number, or a list of them."""
        if index == ":":
            return list(range(1, size + 1))
        if index in self.lists:
            return list(self.lists[index])
        if isinstance(index, str) and re.fullmatch(r"\d+(:\d+)?", index):
            first, *last = map(int, index.split(":"))
            return list(range(first, (last or [first])[0] + 1))
        return self.at(index)

    def extent(self, term, index):
        """How far an index without an upper end runs: along the first matrix that it stands in."""
        for entry in entries_of(term):
            if index in entry.indices:
                m = self.steps[entry.step]
                two = len(entry.indices) == 2
                return m.shape[entry.indices.index(index)] if two else max(m.shape)
        raise KeyError(index)

    def with_index(self, letter, k):
        """The same place, with a number for one more letter."""
        indices = {**self.indices, letter: k}
        return replace(self, indices=indices)


def evaluate(term, place):  # noqa: C901
    """A term in SymPy."""
    again = lambda t: evaluate(t, place)  # noqa: E731
    match term:
        case trace.Value(value):
            return spelled(value).subs("d_k", 2)
        case trace.Entry(step, indices):
            return place.entry(step, indices)
        case trace.Row(step, index):
            m, k = as_sympy(place.steps[step]), place.at(index) - 1
            return m[:, k] if getattr(place.op, "along", "rows") == "columns" else m[k, :]
        case trace.Name("1"):
            return sympy.ones(place.sizes["1"], 1)
        case trace.Name(step):
            return as_sympy(place.steps[step]) if step in place.steps else place.number(step)
        case trace.Symbol("|i-j|"):
            return abs(place.number("i-j"))
        case trace.Delta(left, right):
            return sympy.Integer(place.at(left) == place.at(right))
        case trace.Symbol("[M=0]"):
            return as_sympy(place.steps["mask"]).applyfunc(lambda x: sympy.Integer(x == 0))
        case trace.Symbol("[j=y]"):
            width = next(m.shape[1] for n, m in place.steps.items() if n == "P")
            return sympy.Matrix(
                [[int(j == y) for j in range(1, width + 1)] for y in place.lists["y"]]
            )
        case trace.Symbol("[w=t]"):
            height = next(m.shape[0] for n, m in place.steps.items() if n in ("W", "W_E"))
            return sympy.Matrix(
                [[int(w == t) for t in place.lists["t"]] for w in range(1, height + 1)]
            )
        case trace.Grid(rows):
            return sympy.Matrix([[spelled(x) for x in row] for row in rows])
        case trace.Symbol("p"):
            return place.number("p")
        case trace.Sum(terms):
            return folded(lambda x, y: x + y, map(again, terms))
        case trace.Product(factors) | trace.Hadamard(factors):
            return folded(lambda x, y: x * y, map(again, factors))
        case trace.MatrixProduct(factors):
            if place.is_open:
                return with_ones(factors, again)
            first, *others = map(again, factors)
            for x in others:
                first = first * x
            return first
        case trace.Quotient(top, bottom):
            return entrywise(lambda x, y: x / y, again(top), again(bottom))
        case trace.Negative(inner):
            return -again(inner)
        case trace.Exponential(inner):
            return sympy.exp(again(inner))
        case trace.Power(inner, power):
            exponent = place.number(power) if isinstance(power, str) else sympy.Integer(power)
            return mapped(lambda x: x**exponent, again(inner))
        case trace.Function(name, inner):
            return mapped(FUNCTIONS[name], again(inner))
        case trace.Transpose(inner):
            return again(inner).T
        case trace.Beside(parts) if place.is_open:
            return among_zeros(parts, again, place)
        case trace.Beside(parts):
            return sympy.Matrix.hstack(*map(again, parts))
        case trace.Apply(name, inner):
            return applied(name, again(inner), place.op)
        case trace.BigSum(body, index, upper):
            ks = range(1, (place.sizes[upper] if upper else place.extent(body, index)) + 1)
            return sympy.Add(*(evaluate(body, place.with_index(index, k)) for k in ks))
        case trace.Cases(rows):
            return first_case([tuple(map(again, row)) for row in rows])
    raise TypeError(f"no meaning for {type(term).__name__}")


def with_ones(factors, again):
    """A product in which a column of ones adds up rows, or lets a column or a row stand for all."""
    ones, turned = trace.Name("1"), trace.Transpose(trace.Name("1"))
    result = before = None
    for factor in factors:
        if factor in (ones, turned) and result is None:
            before = factor
        elif factor == ones:
            result = by_hand(ops.RowSums(), [result])
        elif factor != turned:
            found = again(factor)
            if before == turned:
                found = by_hand(ops.RowSums(), [found.T]).T
            result, before = (found if result is None else result * found), None
    return result


def among_zeros(parts, again, place):
    """Columns of a wider matrix, with as many zeros beside them as there is room for."""
    zero = trace.Value(trace.term(0).value)
    whole = as_sympy(place.steps["X"])
    turned = isinstance(place.op, ops.Rows)
    height, width = reversed(whole.shape) if turned else whole.shape
    room = [place.op.first - 1, width - place.op.last]
    blank = [part in (zero, trace.Transpose(zero)) for part in parts]
    (middle,) = (again(part) for part, is_blank in zip(parts, blank, strict=True) if not is_blank)
    assert blank == [True] * bool(room[0]) + [False] + [True] * bool(room[1])
    return sympy.Matrix.hstack(sympy.zeros(height, room[0]), middle, sympy.zeros(height, room[1]))


def sloped(x, op):
    """The derivative of an activation, entry by entry."""
    y = sympy.Symbol("y", real=True)
    if isinstance(op, ops.Relu):
        return x.applyfunc(lambda v: sympy.Integer(1) if v > 0 else spelled(op.slope))
    slope = sympy.diff(by_hand(op, [sympy.Matrix([[y]])])[0], y)
    return x.applyfunc(lambda v: slope.subs(y, v))


def turned_back(x, op):
    """The rotation undone: by the transposed matrix of what it does to each row."""
    rows = []
    for i in range(x.rows):
        units = [sympy.zeros(*x.shape) for _ in range(x.cols)]
        for j, unit in enumerate(units):
            unit[i, j] = 1
        rotation = sympy.Matrix.vstack(*(by_hand(op, [unit])[i, :] for unit in units))
        rows.append(x[i, :] * rotation.T)
    return sympy.Matrix.vstack(*rows)


def entries_of(x):
    """The entries that a term speaks of."""
    if isinstance(x, trace.Entry):
        yield x
    elif isinstance(x, (trace.Term, tuple)):
        for part in vars(x).values() if isinstance(x, trace.Term) else x:
            yield from entries_of(part)


def applied(name, x, op):
    """A named function of a whole matrix."""
    if name in NAMED:
        meant = ops.Softmax() if name == "softmax" and type(op) is not ops.Softmax else op
        return by_hand(meant, [x])
    if name.endswith("'"):
        return sloped(x, op)
    if name == "RoPE inverse":
        return turned_back(x, op)
    if name == "mean":
        return by_hand(op if isinstance(op, ops.Mean) else ops.RowMeans(), [x])
    if name == "var":
        return by_hand(op, [x, by_hand(ops.RowMeans(), [x])])
    return mapped({**FUNCTIONS, "exp": sympy.exp}[name], x)


def first_case(rows):
    """The first of each row where the other two are equal; of matrices, entry by entry."""
    shapes = {x.shape for row in rows for x in row if isinstance(x, sympy.MatrixBase)}
    if not shapes:
        return next(then for then, left, right in rows if left == right)
    (shape,) = shapes
    at = lambda x, i, j: x[i, j] if isinstance(x, sympy.MatrixBase) else x  # noqa: E731
    return sympy.Matrix(
        *shape, lambda i, j: first_case([tuple(at(x, i, j) for x in row) for row in rows])
    )


def mapped(function, x):
    """A function of a number, or of each entry."""
    return x.applyfunc(function) if isinstance(x, sympy.MatrixBase) else function(x)


def folded(operation, xs):
    """x_1 with x_2, and that with x_3 ..."""
    first, *rest = xs
    for x in rest:
        first = entrywise(operation, first, x)
    return first


def entrywise(operation, x, y):
    """Two numbers or matrices; a single row, column or number goes with every one."""
    if not any(isinstance(z, sympy.MatrixBase) for z in (x, y)):
        return operation(x, y)
    x, y = (z if isinstance(z, sympy.MatrixBase) else sympy.Matrix([z]) for z in (x, y))
    rows, columns = max(x.rows, y.rows), max(x.cols, y.cols)
    assert {x.rows, y.rows} <= {1, rows} and {x.cols, y.cols} <= {1, columns}
    at = lambda z, i, j: z[i % z.rows, j % z.cols]  # noqa: E731
    return sympy.Matrix(rows, columns, lambda i, j: operation(at(x, i, j), at(y, i, j)))
