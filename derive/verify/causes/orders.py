"""The right numbers in other places: rows and columns swapped or repeated, another matrix."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from derive.verify.causes.fitting import Printed, Rows, fits
from derive.verify.causes.kinds import Cause
from derive.verify.grammar.grids import Cell
from derive.verify.known.state import State

LATEST = 400
"""So many of the last steps are compared with what is printed."""
TELLING = 2
"""Digits of numbers that are taken to be exchanged."""
Found = tuple[Cause, tuple[Cell, ...]]


def misplaced(printed: Printed, exact: Rows, name: str, state: State) -> Iterator[Found]:
    """What explains entries by the places of right numbers, with the entries that it explains."""
    if not printed.is_telling():
        return
    whole = tuple(cell for cell, _, _ in printed.entries)
    turned = tuple(zip(*exact, strict=True))
    if printed.shape[0] > 1 and printed.explained(turned):
        yield ("printed transposed", ()), whole
    for kind, rows in (("signs turned", _negative(exact)), ("signs lost", _absolute(exact))):
        if printed.explained(rows):
            yield (kind, ()), whole
    for axis, kind in ((1, "rows swapped"), (2, "columns swapped")):
        if moved := _permuted(printed, exact, axis):
            yield (kind, moved), whole
    for other, rows in _others(printed, name, state):
        if printed.explained(rows):
            yield ("values of another matrix", (other,)), whole
    yield from _repeated(printed, exact)


def exchanged(wrong: list[Cell]) -> Cause | None:
    """Two wrong numbers, each of which is right in the place of the other."""
    if len(wrong) != 2:
        return None
    a, b = wrong
    if a.figure is None or b.figure is None or a.figure.value == b.figure.value:
        return None
    is_told = min(a.figure.weight, b.figure.weight) >= TELLING
    is_moved = fits(a.figure, b.exact) and fits(b.figure, a.exact)
    if not (is_told and is_moved and a.quantity and b.quantity):
        return None
    return "entries exchanged", (a.quantity, b.quantity)


def _negative(exact: Rows) -> Rows:
    return tuple(tuple(-x for x in row) for row in exact)


def _absolute(exact: Rows) -> Rows:
    return tuple(tuple(abs(x) for x in row) for row in exact)


def _line(printed: Printed, axis: int, k: int) -> Printed:
    return printed.row(k) if axis == 1 else printed.column(k)


def _is_line(line: Printed, exact: Rows, axis: int, k: int) -> bool:
    """Whether printed entries are those of the row, or column, k."""
    return all(
        fits(cell.figure, exact[k][j] if axis == 1 else exact[i][k]) for cell, i, j in line.entries
    )


def _permuted(printed: Printed, exact: Rows, axis: int) -> tuple[str, ...]:
    """The lines that stand in each other's places, where all others are right."""
    count = printed.shape[axis - 1]
    goes: dict[int, int] = {}
    for k in range(count):
        line = _line(printed, axis, k)
        if not line.entries:
            return ()
        fitting = [m for m in range(count) if _is_line(line, exact, axis, m)]
        free = [m for m in fitting if m == k] or [m for m in fitting if m not in goes.values()]
        if not free:
            return ()
        goes[k] = free[0]
    moved = [k for k in goes if goes[k] != k]
    if len(set(goes.values())) < count or len(moved) < 2:
        return ()
    return (", ".join(str(k + 1) for k in moved),)


def _repeated(printed: Printed, exact: Rows) -> Iterator[Found]:
    """A row, or a column, that stands in the place of another."""
    for axis, kind in ((1, "row in place of another"), (2, "column in place of another")):
        for k in range(printed.shape[axis - 1]):
            line = _line(printed, axis, k)
            if len(line.entries) < 2 or not line.is_telling():
                continue
            for m in range(printed.shape[axis - 1]):
                if m != k and _is_line(line, exact, axis, m):
                    yield (kind, (str(m + 1), str(k + 1))), tuple(c for c, _, _ in line.entries)
                    break


def _others(printed: Printed, name: str, state: State) -> Iterator[tuple[str, Rows]]:
    """Known matrices of the same shape that have a name, and their values."""
    steps = islice(reversed(state.steps.known.values()), LATEST)
    for grid in (*state.pool.roles.values(), *steps):
        if grid is None or grid.name in ("", name) or grid.shape != printed.shape:
            continue
        if not any(cell.figure for cell in grid.cells()):
            continue
        rows = [[cell.exact for cell in row] for row in grid.rows]
        if all(x is not None for row in rows for x in row):
            yield grid.name, tuple(tuple(x for x in row if x is not None) for row in rows)
