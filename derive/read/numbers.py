"""One exact value from one Python object: a number, text, or a SymPy expression."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from itertools import islice
from math import inf
from numbers import Rational
from typing import Any

from derive.errors import InputError, nearest, quoted
from derive.exact import NEG_INF, NegativeInfinity, Scalar, number
from derive.read.bounded import MAX_BITS, MAX_EXPONENT, decimal
from derive.read.literals import CONSTANTS, NO_NAMES, Written, read_scalar

FLOATS = ("exact", "decimal")
EXPECTED = 'an exact number such as 2, "1/3" or "sqrt(2)/2"'
MAX_NODES = 20_000  # of a SymPy expression


def exact_value(
    value: object, floats: str | None = None, names: Mapping[str, Scalar] = NO_NAMES
) -> Scalar | NegativeInfinity:
    """The Scalar, or NEG_INF for -oo, that a number, text or SymPy expression says."""
    if type(value) is int:
        return _fraction(value, 1)
    if isinstance(value, Written):
        value = value.text.replace("_", "")
    if isinstance(value, str):
        short = not names and len(value) <= 64
        return _read_short(value) if short else read_scalar(value, names=names)
    if isinstance(value, (Scalar, NegativeInfinity)):
        return value
    if isinstance(value, Rational) and not isinstance(value, bool):
        return _fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, Decimal):
        return _from_decimal(value)
    if isinstance(value, float) or _is_numpy_float(value):
        return _from_float(value, floats)
    if family(value) == "sympy":
        return _from_sympy(value, floats)
    raise InputError(f"{kind(value)} is not an exact number", expected=EXPECTED)


@lru_cache(4096)
def _read_short(text: str) -> Scalar | NegativeInfinity:
    """Matrices repeat their entries, and values never change."""
    return read_scalar(text)


def family(value: object) -> str:
    """The library a value belongs to, told without importing it."""
    return type(value).__module__.partition(".")[0]


def kind(value: object) -> str:
    """What a message calls a value that is of no use."""
    if isinstance(value, bool):
        return "true or false" if family(value) == "builtins" else "a truth value"
    if isinstance(value, (list, tuple)):
        return "a list"
    names = {"dict": "a table", "NoneType": "None", "str": "text", "Written": "a number"}
    names |= {"int": "a number", "float": "a number", "date": "a date", "datetime": "a date"}
    return names.get(type(value).__name__, f"a value of type {type(value).__name__}")


def _fraction(p: int, q: int) -> Scalar:
    if max(p.bit_length(), q.bit_length()) > MAX_BITS:
        expected = f"at most about {MAX_BITS * 3 // 10:,} digits"
        raise InputError("the number is too long", expected=expected)
    return number(p, q)


def _from_decimal(value: Decimal) -> Scalar | NegativeInfinity:
    if not value.is_finite():
        return _not_finite(value)
    if abs(value.adjusted()) > MAX_EXPONENT:
        expected = f"an exponent between -{MAX_EXPONENT} and {MAX_EXPONENT}"
        raise InputError("the exponent is too large", expected=expected)
    return _fraction(*value.as_integer_ratio())


def _from_float(value: Any, floats: str | None) -> Scalar | NegativeInfinity:
    """A float of Python or NumPy, of any width."""
    if value != value or abs(value) == inf:
        return _not_finite(value)
    _check_floats(floats)
    if floats == "exact":
        return _fraction(*map(int, value.as_integer_ratio()))
    shortest = decimal(str(value))
    if floats == "decimal":
        return number(shortest.numerator, shortest.denominator)
    p, q = value.as_integer_ratio()
    hint = (
        f'floats="decimal" reads it as {_ratio(shortest.numerator, shortest.denominator)}, '
        f'floats="exact" as its binary value {_ratio(p, q)}'
    )
    raise InputError(f"{value!s} is a float, which is not exact", expected=EXPECTED, hint=hint)


def _not_finite(value: Any) -> NegativeInfinity:
    """-oo, which only a mask may hold; no other such value has a meaning."""
    if value == value and value < 0:
        return NEG_INF
    name = "nan" if value != value else "infinity"
    raise InputError(f"{name} is not a number", expected=EXPECTED)


def _check_floats(floats: str | None) -> None:
    if floats is not None and floats not in FLOATS:
        near = nearest(str(floats), FLOATS) or "decimal"
        message = f"floats={str(floats)!r} is not a way to read floats"
        raise InputError(message, expected='"exact" or "decimal"', hint=f'write floats="{near}"')


def _is_numpy_float(value: object) -> bool:
    return family(value) == "numpy" and getattr(getattr(value, "dtype", None), "kind", "") == "f"


def _ratio(p: int, q: int) -> str:
    if max(abs(p), q).bit_length() > 2000:
        return "(a long fraction)"
    text = str(p) if q == 1 else f"{p}/{q}"
    return text if len(text) <= 60 else text[:50] + "…"


def _from_sympy(expr: Any, floats: str | None) -> Scalar | NegativeInfinity:
    """SymPy prints an expression in our grammar, whose bounds then hold for it too."""
    import sympy

    if expr is sympy.S.NegativeInfinity:
        return NEG_INF
    if not isinstance(expr, sympy.Expr) or getattr(expr, "is_Matrix", False):
        raise InputError(f"{kind(expr)} of SymPy is not a number", expected=EXPECTED)
    nodes = list(islice(sympy.preorder_traversal(expr), MAX_NODES + 1))
    if len(nodes) > MAX_NODES:
        raise InputError("the expression is too large", expected=f"at most {MAX_NODES:,} nodes")
    for node in nodes:
        _check_node(node)
    exact = {node: _from_sympy_float(node, floats) for node in nodes if node.is_Float}
    return read_scalar(sympy.sstr(expr.xreplace(exact)))


def _check_node(node: Any) -> None:
    if node.is_Symbol and node.name in CONSTANTS:
        message = f"a symbol named {node.name} would be read as a constant"
        raise InputError(message, hint="give the symbol another name")
    if node.is_Rational and max(abs(node.p), node.q).bit_length() > MAX_BITS // 20:
        raise InputError("the number is too long", expected="at most 300 digits")
    if node.is_infinite and node.is_number:
        raise InputError(f"{quoted(str(node))} is not a number", expected=EXPECTED)


def _from_sympy_float(value: Any, floats: str | None) -> Any:
    import sympy

    binary = sympy.Rational(value)
    _check_floats(floats)
    if floats is None:
        _from_float(float(value), None)
    if floats == "exact":
        return binary
    return sympy.Rational(str(float(value)) if value._prec == 53 else str(value))
