"""Matrices and numbers from Python objects: lists, fractions, SymPy, NumPy. All exact.

Floats are read only where the caller says how: floats="exact" takes the binary value that is
stored, floats="decimal" the shortest decimal that prints it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from derive.errors import InputError, Place, nearest, quoted
from derive.exact import Matrix, NegativeInfinity, Scalar
from derive.read.literals import NO_NAMES, is_latex
from derive.read.numbers import exact_value, family, kind
from derive.read.symbols import MAX_SIDE, Symbols, check_side, symbol_matrix

PlaceOf = Callable[[tuple[str | int, ...]], Place | None]
"""Where the part of an input at a path such as ("H", 1, 0), counted from 0, was written."""

ROWS = "rows of equal length, such as [[1, 0], [0, 1]]"
SHAPE = "{shape = [2, 3]}"
MAX_TERMS = 1_000_000  # of all entries of a matrix


def nowhere(path: tuple[str | int, ...]) -> None:
    """Objects of a program have no place in a document."""


def as_matrix(value: object, name: str, *, floats: str | None = None) -> Matrix:
    """An exact matrix, at most 512 x 512, from rows of numbers, SymPy, NumPy or {"shape": (r, c)}.

    InputError names the entry at fault, counted from 1: `H[2][1]`.
    """
    found = as_given(value, name, floats=floats)
    if isinstance(found, Matrix):
        return found
    if found.rows is None or found.columns is None:
        raise InputError(f"the shape of {name} is not known", hint=f"give {SHAPE}")
    return symbol_matrix(name, found.rows, found.columns)


def as_given(
    value: object, name: str, *, floats: str | None = None, place_of: PlaceOf = nowhere
) -> Matrix | Symbols:
    """The matrix; or, for "symbols" and {"shape": (r, c)}, what is known of its shape."""
    try:
        if isinstance(value, Symbols):
            return value
        if isinstance(value, str) and not is_latex(value):
            return _word(value, name)
        if isinstance(value, Mapping):
            return _shaped(value, name)
        if family(value) == "sympy" and hasattr(value, "name") and hasattr(value, "shape"):
            return _matrix_symbol(value, name)
    except InputError as error:
        raise error.at(place_of((name,))) from None
    return _matrix(value, name, floats, place_of, forbidden=False)


def as_mask(
    value: object, name: str = "mask", *, floats: str | None = None, place_of: PlaceOf = nowhere
) -> Matrix:
    """A matrix whose entries may be -oo; the floats 0.0 and -inf are read as they are."""
    return _matrix(value, name, floats or "exact", place_of, forbidden=True)


def as_scalar(
    value: object,
    name: str,
    floats: str | None = None,
    *,
    names: Mapping[str, Scalar] = NO_NAMES,
    place_of: PlaceOf = nowhere,
    forbidden: bool = False,
) -> Any:
    """One exact number or expression; -oo (NEG_INF) only where `forbidden` allows it."""
    try:
        return _allowed(exact_value(value, floats, names), forbidden)
    except InputError as error:
        raise error.about(name).at(place_of((name,))) from None


def _matrix(
    value: object, name: str, floats: str | None, place_of: PlaceOf, *, forbidden: bool
) -> Matrix:
    if isinstance(value, Matrix):
        _check_sides(name, *value.shape)
        return value

    try:
        table = _table(value, name)
        _check_sides(name, len(table), max(map(_length, table), default=0))
    except InputError as error:
        raise error.at(place_of((name,))) from None
    for i, row in enumerate(table):
        _check_row(row, i, table, name, place_of)
    found = [_read_row(row, (name, i), floats, place_of, forbidden) for i, row in enumerate(table)]
    if sum(x.size for row in found for x in row) > MAX_TERMS:
        raise InputError(f"the entries of {name} are too large").at(place_of((name,)))
    return Matrix(found)


def _read_row(
    row: Sequence[Any],
    path: tuple[str, int],
    floats: str | None,
    place_of: PlaceOf,
    forbidden: bool,
) -> list[Any]:
    found: list[Any] = []
    try:
        for x in row:
            found.append(_allowed(exact_value(x, floats), forbidden))
    except InputError as error:
        (name, i), j = path, len(found)
        raise error.about(f"{name}[{i + 1}][{j + 1}]").at(place_of((name, i, j))) from None
    return found


def _allowed(found: Any, forbidden: bool) -> Any:
    if isinstance(found, NegativeInfinity) and not forbidden:
        raise InputError("-oo is not a number", hint="only a mask holds -oo")
    return found


def _table(value: Any, name: str) -> Sequence[Any]:
    """The rows of a list, an array or a SymPy matrix, entries as they came."""
    if isinstance(value, (list, tuple)):
        return value
    if isinstance(value, str) and is_latex(value):
        return _latex_rows(value, name)
    if family(value) == "sympy" and hasattr(value, "tolist") and len(value.shape) == 2:
        _check_sides(name, *value.shape)
        return value.tolist()
    if family(value) == "numpy" and hasattr(value, "ndim"):
        return _array(value, name)
    raise InputError(f"{name} is {kind(value)}", expected=ROWS, hint=_way_out(value, name))


def _latex_rows(value: str, name: str) -> Sequence[Any]:
    from derive.read.latex.entries import read_rows

    try:
        return read_rows(value)
    except InputError as error:
        raise error.about(name) from None


def _array(value: Any, name: str) -> Sequence[Any]:
    if value.ndim != 2:
        hint = f"a flat array becomes one row: {name}[None, :]" if value.ndim == 1 else ""
        message = f"{name} is an array of {value.ndim} dimensions"
        raise InputError(message, expected="2 dimensions", hint=hint)
    if hasattr(value, "mask"):
        raise InputError(f"{name} is a masked array", hint="give its values, and the mask apart")
    if value.dtype.kind == "b":
        hint = "a mask holds 0 where a key is allowed and -oo where it is forbidden"
        raise InputError(f"{name} holds truth values", expected="numbers", hint=hint)
    _check_sides(name, *value.shape)
    if value.dtype.kind in "iuOU":
        return value.tolist()
    return [[value[i, j] for j in range(value.shape[1])] for i in range(value.shape[0])]


def _length(row: Any) -> int:
    return len(row) if _is_row(row) else 1


def _is_row(row: Any) -> bool:
    if family(row) == "numpy":
        return getattr(row, "ndim", 0) == 1
    return isinstance(row, (list, tuple))


def _check_row(row: Any, i: int, table: Sequence[Any], name: str, place_of: PlaceOf) -> None:
    """InputError unless the row is one, as long as the first."""
    if not _is_row(row):
        flat = not any(map(_is_row, table))
        what = f"{name} is a flat list" if flat else f"row {i + 1} of {name} is {kind(row)}"
        hint = f"one row is written {_sample(table)}" if flat else ""
        place = place_of((name,) if flat else (name, i))
        raise InputError(what, expected=ROWS, hint=hint).at(place)
    if len(row) != _length(table[0]):
        lengths = f"{_entries(row)}, row 1 has {_length(table[0])}"
        message = f"row {i + 1} of {name} has {lengths}"
        raise InputError(message, expected=ROWS).at(place_of((name, i)))


def _entries(row: Sequence[Any]) -> str:
    return "1 entry" if len(row) == 1 else f"{len(row)} entries"


def _sample(flat: Sequence[Any]) -> str:
    """The flat list as one row, where it is short."""
    short = len(flat) <= 4 and all(type(x) is int and abs(x) < 10**6 for x in flat)
    return f"[{list(flat)}]" if short else "[[1, 2]]"


def _check_sides(name: str, rows: int, columns: int) -> None:
    if rows == 0 or columns == 0:
        raise InputError(f"{name} is empty", expected=ROWS)
    if max(rows, columns) > MAX_SIDE:
        expected = f"at most {MAX_SIDE} rows and {MAX_SIDE} columns"
        raise InputError(f"{name} is too large: {rows} x {columns}", expected=expected)


def _way_out(value: object, name: str) -> str:
    """How objects of other libraries become rows."""
    ways = {"torch": "tolist()", "tensorflow": "numpy()", "pandas": "to_numpy()"}
    ways |= {"jax": "tolist()", "jaxlib": "tolist()", "sympy": "as_explicit()"}
    found = ways.get(family(value), "")
    return f"write {name}.{found}" if found else ""


def _word(value: str, name: str) -> Symbols:
    if value == "symbols":
        return Symbols()
    near = ' (did you mean "symbols"?)' if nearest(value, ["symbols"]) else ""
    hint = f'{name} = "symbols" names every entry{near}'
    raise InputError(f"{name} is the text {quoted(value)}", expected=ROWS, hint=hint)


def _shaped(value: Mapping[Any, Any], name: str) -> Symbols:
    unknown = [str(key) for key in value if key != "shape"]
    if unknown or "shape" not in value:
        what = f"key {quoted(unknown[0])}" if unknown else "shape"
        raise InputError(f"{name} has no {what}", expected=SHAPE)
    shape = value["shape"]
    if not isinstance(shape, (list, tuple)) or len(shape) != 2:
        raise InputError(f"the shape of {name} is not two numbers", expected=SHAPE)
    try:
        return Symbols(check_side(shape[0], "rows"), check_side(shape[1], "columns"))
    except InputError as error:
        raise error.about(name) from None


def _matrix_symbol(value: Any, name: str) -> Matrix:
    rows, columns = value.shape
    if not (rows.is_Integer and columns.is_Integer):
        raise InputError(f"{name} has no definite shape", expected="a MatrixSymbol of numbers")
    _check_sides(name, int(rows), int(columns))
    return symbol_matrix(value.name, int(rows), int(columns))
