"""An interpretation of trace terms of the tests' own: each in SymPy, at a place.

A number for an entry, a matrix for notation.  A matrix meets a column, a row or a number entry by
entry, as in the written formula.
"""

import re
from dataclasses import dataclass, field
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

    def with_index(self, letter, k):
        """The same place, with a number for one more letter."""
        return Place(self.steps, {**self.indices, letter: k}, self.sizes, self.lists, self.op)


def evaluate(term, place):  # noqa: C901
    """A term in SymPy."""
    again = lambda t: evaluate(t, place)  # noqa: E731
    match term:
        case trace.Value(value):
            return spelled(value).subs("d_k", 2)
        case trace.Entry(step, indices):
            return place.entry(step, indices)
        case trace.Row(step, index):
            return as_sympy(place.steps[step])[place.at(index) - 1, :]
        case trace.Name("1"):
            return sympy.ones(place.sizes["1"], 1)
        case trace.Name(step):
            return as_sympy(place.steps[step]) if step in place.steps else place.number(step)
        case trace.Symbol("|i-j|"):
            return abs(place.number("i-j"))
        case trace.Symbol("p"):
            return place.number("p")
        case trace.Sum(terms):
            return folded(lambda x, y: x + y, map(again, terms))
        case trace.Product(factors) | trace.Hadamard(factors):
            return folded(lambda x, y: x * y, map(again, factors))
        case trace.MatrixProduct(factors):
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
        case trace.Beside(parts):
            return sympy.Matrix.hstack(*map(again, parts))
        case trace.Apply(name, inner):
            return applied(name, again(inner), place.op)
        case trace.BigSum(body, index, upper):
            ks = range(1, place.sizes[upper] + 1)
            return sympy.Add(*(evaluate(body, place.with_index(index, k)) for k in ks))
        case trace.Cases(rows):
            return first_case([tuple(map(again, row)) for row in rows])
    raise TypeError(f"no meaning for {type(term).__name__}")


def applied(name, x, op):
    """A named function of a whole matrix."""
    if name in NAMED:
        meant = ops.Softmax() if name == "softmax" else op
        return by_hand(meant, [x])
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
