"""Entries and matrices of any reading in SymPy, and when two of them are the same."""

import sympy

from derive.exact import NegativeInfinity, Scalar
from derive.exact.bridge import to_sympy


def spelled(x):
    """An entry of any reading as a SymPy expression."""
    return to_sympy(x) if isinstance(x, (Scalar, NegativeInfinity)) else sympy.sympify(x)


def as_sympy(m):
    """A matrix of any reading as SymPy's."""
    return sympy.Matrix([[spelled(x) for x in row] for row in m.rows])


def same(a, b):
    """Whether two SymPy matrices are the same."""
    return a.shape == b.shape and all(map(same_entry, a, b))


def same_entry(a, b):
    """Whether two SymPy expressions are: as written, or by algebra."""
    if a == b:
        return True
    return not a.has(sympy.oo) and not b.has(sympy.oo) and vanishes(a - b)


def vanishes(x):
    """Whether an expression is 0.  Where it has no letters a number decides first."""
    if not x.free_symbols and abs(x.evalf(30, maxn=200)) > sympy.Float("1e-20"):
        return False
    return sympy.simplify(x) == 0
