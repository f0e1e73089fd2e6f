"""The value of a term: every letter replaced by what it stands for, every sum carried out.

It is the counterpart of `derive.exact.write_terms`, which spells the same terms: a claim that is
printed in index notation is decided by running through its indices.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from operator import add, matmul, mul
from typing import Any

from derive.errors import Unproved
from derive.exact import Matrix, Scalar, exp, matrix, number
from derive.exact import trace as t
from derive.exact.matrix import apply
from derive.op import Op
from derive.ops import Softmax

SOFTMAX: Op = Softmax()


def _same(x: Scalar) -> Scalar:
    return x


@dataclass(frozen=True)
class Setting:
    """What letters stand for.

    values: matrices by name; sizes: how far indices run, by letter, and numbers in formulas;
    functions: of matrices or numbers, by the name on the page; indices: letters that are fixed;
    places: the rows and columns that other labels stand for, such as positions p and p+k;
    reduced: brings a difference to a form whose zero the kernel decides; limit: of an entry.
    """

    values: Mapping[str, Matrix] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    functions: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    indices: Mapping[str, int] = field(default_factory=dict)
    places: Mapping[str, int] = field(default_factory=dict)
    reduced: Callable[[Scalar], Scalar] = _same
    limit: Callable[[Scalar], Scalar] | None = None

    def at(self, indices: Mapping[str, int]) -> Setting:
        """The same with these indices fixed as well."""
        return replace(self, indices={**self.indices, **indices}) if indices else self

    def index(self, i: int | str) -> int:
        """The number of an index: itself, or what the letter is fixed at."""
        for known in (self.places, self.indices):
            if i in known:
                return known[str(i)]
        if isinstance(i, int) or i.isdigit():
            return int(i)
        raise Unproved(f"nothing says which number {i} is")

    def upper(self, name: str) -> int:
        """Up to where a sum runs: a size, or an index."""
        return self.sizes[name] if name in self.sizes else self.index(name)

    def matrix(self, name: str) -> Matrix:
        """The matrix of a letter."""
        if name not in self.values:
            raise Unproved(f"nothing says what {name} stands for")
        return self.values[name]


def value(x: t.Term, s: Setting) -> Any:
    """The Scalar or the Matrix that a term is in a setting."""
    if type(x) not in VALUES:
        raise Unproved(f"{type(x).__name__} has no value")
    return VALUES[type(x)](x, s)


def _value(x: t.Value, s: Setting) -> Any:
    if not isinstance(x.value, Scalar):
        return x.value
    known = {**s.sizes, **s.indices}
    return x.value.substitute({name: number(k) for name, k in known.items()})


def _entry(x: t.Entry, s: Setting) -> Any:
    found = s.matrix(x.step)
    places = [s.index(i) - 1 for i in x.indices]
    if len(places) == 1:
        places = [places[0], 0] if found.shape[1] == 1 else [0, places[0]]
    return found[places[0], places[1]]


def _row(x: t.Row, s: Setting) -> Matrix:
    return s.matrix(x.step).pick((s.index(x.index),))


def _big_sum(x: t.BigSum, s: Setting) -> Any:
    every = range(1, s.upper(x.upper) + 1)
    return reduce(add, (value(x.body, s.at({x.index: k})) for k in every))


def _product(x: t.Product, s: Setting) -> Any:
    """A number times a matrix has the matrix first, which knows how."""
    factors = [value(f, s) for f in x.factors]
    return reduce(mul, sorted(factors, key=lambda f: not isinstance(f, Matrix)))


def _sum(x: t.Sum, s: Setting) -> Any:
    """A matrix of one entry counts as that entry beside numbers."""
    summands = [value(y, s) for y in x.terms]
    if any(isinstance(y, Scalar) for y in summands):
        summands = [_single(y) for y in summands]
    return reduce(add, summands)


def _single(x: Any) -> Any:
    return x[0, 0] if isinstance(x, Matrix) and x.shape == (1, 1) else x


def _apply(x: t.Apply, s: Setting) -> Any:
    functions = {"softmax": SOFTMAX.rule, **s.functions}
    if x.function not in functions:
        raise Unproved(f"nothing says what {x.function} is")
    return functions[x.function](value(x.argument, s))


def _grid(x: t.Grid, s: Setting) -> Matrix:
    return matrix([[value(t.term(entry), s) for entry in row] for row in x.rows])


def _digits(x: t.Digits, _s: Setting) -> Scalar:
    """The numeral as it stands, an exact decimal."""
    return number(*Fraction(x.text).as_integer_ratio())


def _letter(x: t.Symbol, s: Setting) -> Scalar:
    return number(s.index(x.name))


VALUES: Mapping[type[t.Term], Callable[[Any, Setting], Any]] = {
    t.Apply: _apply,
    t.Beside: lambda x, s: value(x.parts[0], s).beside(*(value(p, s) for p in x.parts[1:])),
    t.BigSum: _big_sum,
    t.Digits: _digits,
    t.Entry: _entry,
    t.Exponential: lambda x, s: exp(value(x.term, s)),
    t.Function: lambda x, s: apply(x.function, value(x.term, s)),
    t.Grid: _grid,
    t.Hadamard: lambda x, s: reduce(mul, (value(f, s) for f in x.factors)),
    t.MatrixProduct: lambda x, s: reduce(matmul, (value(f, s) for f in x.factors)),
    t.Name: lambda x, s: s.matrix(x.step),
    t.Negative: lambda x, s: -value(x.term, s),
    t.Power: lambda x, s: value(x.term, s) ** int(x.power),
    t.Product: _product,
    t.Quotient: lambda x, s: value(x.top, s) / value(x.bottom, s),
    t.Row: _row,
    t.Sum: _sum,
    t.Symbol: _letter,
    t.Transpose: lambda x, s: value(x.matrix, s).T,
    t.Value: _value,
}
