"""Functions of matrices that programs call: reductions, along columns too, and indices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from flint import arb

from derive.exact.enclosure import Enclosures
from derive.verify.grammar.grids import matrix_of
from derive.verify.program.conditions import CONDITIONS, put_where
from derive.verify.program.losses import LOSSES
from derive.verify.program.sizes import SIZES

MOST = 1_000_000
LARGEST = 512
"""Rows and columns of a matrix at most."""


def _row(x: Enclosures) -> Enclosures:
    """All entries as one row."""
    return matrix_of([[y for row in x.rows for y in row]])


def _mean(x: Enclosures) -> arb:
    return sum((y for row in x.rows for y in row), arb(0)) / (x.shape[0] * x.shape[1])


def _variance(x: Enclosures, less: int = 0) -> arb:
    mean, count = _mean(x), x.shape[0] * x.shape[1]
    return sum(((y - mean) ** 2 for row in x.rows for y in row), arb(0)) / (count - less)


def _number(x: arb) -> Enclosures:
    return matrix_of([[x]])


def _most(values: list[arb], sign: int = 1) -> arb:
    found = values[0] * sign
    for y in values[1:]:
        found = found.max(y * sign)
    return found * sign


def _by_columns(work: Callable[[Enclosures], arb]) -> Callable[[Enclosures], Enclosures]:
    """A reduction along each column; of one row, of the row itself."""

    def made(x: Enclosures) -> Enclosures:
        if x.shape[0] == 1:
            return _number(work(x))
        return matrix_of([[work(matrix_of([row])) for row in x.T.rows]])

    return made


def _place(x: Enclosures, count: int) -> int:
    found = x.rows[0][0].unique_fmpz() if x.shape == (1, 1) else None
    place = int(found) if found is not None else count
    if not -count <= place < count:
        raise TypeError
    return place % count


def _at(x: Enclosures, at: Enclosures) -> Enclosures:
    """x[i]: an entry of a vector or a row of a matrix; x[ids]: several."""
    flat = x.rows[0] if x.shape[0] == 1 else None
    places = [_place(matrix_of([[i]]), len(flat or x.rows)) for row in at.rows for i in row]
    if flat is not None:
        return matrix_of([[flat[i] for i in places]])
    return matrix_of([x.rows[i] for i in places])


def _whole(x: Enclosures) -> int:
    found = x.rows[0][0].unique_fmpz()
    if found is None or abs(int(found)) > MOST:
        raise TypeError
    return int(found)


def _rows_from(x: Enclosures, limits: Sequence[Enclosures], is_flat: bool = False) -> Enclosures:
    """Some of the rows, or of the entries of a vector."""
    if is_flat:
        return _rows_from(x.T, limits).T
    low, high, step = map(_whole, limits)
    rows = x.rows[slice(low, high, step)] if step else ()
    if not rows:
        raise TypeError
    return matrix_of(rows)


def _below(*parts: Enclosures) -> Enclosures:
    if len({part.shape[1] for part in parts}) > 1:
        raise TypeError
    return matrix_of([row for part in parts for row in part.rows])


def _joined(*parts: Enclosures) -> Enclosures:
    """Along the first axis: rows below each other, or vectors end to end."""
    is_flat = all(part.shape[0] == 1 for part in parts)
    return parts[0].beside(*parts[1:]) if is_flat else _below(*parts)


def _filled(x: Enclosures, rows: Enclosures, columns: Enclosures) -> Enclosures:
    count, width = _whole(rows), _whole(columns)
    if not (0 < count <= LARGEST and 0 < width <= LARGEST):
        raise TypeError
    return matrix_of([[x.rows[0][0]] * width] * count)


def _ordered(x: Enclosures, sign: int, count: int | None) -> Enclosures:
    """Each row in order; the first so many of it."""
    made = [sorted(row, key=lambda y: sign * float(y.mid()))[:count] for row in x.rows]
    return matrix_of(made)


def _placed(x: Enclosures, y: Enclosures, *places: Enclosures) -> Enclosures:
    """A matrix with one entry, or one row, put in; or with values where another is not 0."""
    if places[0].shape == x.shape and x.shape[0] > 1:
        return put_where(x, places[0], y)
    rows = [list(row) for row in x.rows]
    if len(places) == 2:
        rows[_place(places[0], len(rows))][_place(places[1], len(rows[0]))] = y.rows[0][0]
    elif len(rows) == 1 and y.shape == (1, 1):
        rows[0][_place(places[0], len(rows[0]))] = y.rows[0][0]
    elif y.shape == (1, len(rows[0])):
        rows[_place(places[0], len(rows))] = list(y.rows[0])
    else:
        raise TypeError
    return matrix_of(rows)


def _outer(a: Enclosures, b: Enclosures) -> Enclosures:
    return matrix_of([[x * y for y in _row(b).rows[0]] for x in _row(a).rows[0]])


def _all(x: Enclosures) -> list[arb]:
    return [y for row in x.rows for y in row]


def _sum(x: Enclosures) -> arb:
    return sum(_all(x), arb(0))


PROGRAM_FUNCTIONS: Mapping[str, Callable[..., Enclosures]] = {
    "total": lambda x: _number(_sum(x)),
    "mean of all": lambda x: _number(_mean(x)),
    "var of all": lambda x: _number(_variance(x)),
    "sample var of all": lambda x: _number(_variance(x, 1)),
    "std of all": lambda x: _number(_variance(x).sqrt()),
    "sample std of all": lambda x: _number(_variance(x, 1).sqrt()),
    "max of all": lambda x: _number(_most(_all(x))),
    "min of all": lambda x: _number(_most(_all(x), -1)),
    "min of rows": lambda x: matrix_of([[_most(list(row), -1)] for row in x.rows]),
    "norm of all": lambda x: _number(sum((y * y for y in _all(x)), arb(0)).sqrt()),
    "axis 0 sum": _by_columns(_sum),
    "axis 0 mean": _by_columns(_mean),
    "axis 0 var": _by_columns(_variance),
    "axis 0 std": _by_columns(lambda x: _variance(x).sqrt()),
    "axis 0 max": _by_columns(lambda x: _most(_all(x))),
    "axis 0 amax": _by_columns(lambda x: _most(_all(x))),
    "axis 0 min": _by_columns(lambda x: _most(_all(x), -1)),
    "axis 0 sample var": _by_columns(lambda x: _variance(x, 1)),
    "axis 0 sample std": _by_columns(lambda x: _variance(x, 1).sqrt()),
    "length": lambda x: _number(arb(max(x.shape))),
    "length of axis 0": lambda x: _number(arb(max(x.shape) if x.shape[0] == 1 else x.shape[0])),
    "count of rows": lambda x: _number(arb(x.shape[0])),
    "count of columns": lambda x: _number(arb(x.shape[1])),
    "filled": lambda x, rows, columns: _filled(x, rows, columns),
    "root below": lambda x: x.map(lambda y: 1 / y.sqrt()),
    "below": _below,
    "joined": _joined,
    "rows from": lambda x, *limits: _rows_from(x, limits, x.shape[0] == 1),
    "matrix rows from": lambda x, *limits: _rows_from(x, limits),
    "columns from": lambda x, *limits: _rows_from(x.T, limits).T,
    "turn": _at,
    "largest": lambda x, count: _ordered(x, -1, _whole(count)),
    "sorted": lambda x: _ordered(x, 1, None),
    "placed": _placed,
    "outer": _outer,
    "dot": lambda x, y: x @ (y.T if y.shape[0] == 1 else y),
    "each dot": lambda x, y: x @ y.T if x.shape[0] == 1 else y @ x,
    "each product": lambda x, y: x @ y.T if x.shape[0] == 1 else y @ x.T,
    **LOSSES,
    **CONDITIONS,
    **SIZES,
    "at": _at,
    "rows at": lambda x, *places: _at(x, matrix_of([[p.rows[0][0] for p in places]])),
    "entry at": lambda x, i, j: _number(x.rows[_place(i, x.shape[0])][_place(j, x.shape[1])]),
    "row at": lambda x, i: matrix_of([x.rows[_place(i, x.shape[0])]]),
    "column at": lambda x, j: matrix_of([[row[_place(j, x.shape[1])] for row in x.rows]]),
}
