"""Matrices of free symbols: "symbols" in a problem, once their shape is known."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from derive.errors import InputError, quoted
from derive.exact import Matrix, Scalar, symbol
from derive.exact.numbers import Numbers

MAX_SIDE = 512  # rows or columns of a matrix
MOST_SYMBOLS = 65_536
MOST_PRODUCTS = 1 << 17
"""So many products of symbols, a token times a weight each, still make a derivation."""


@dataclass(frozen=True)
class Symbols:
    """A matrix whose entries are free symbols; None where its size must follow from others."""

    rows: int | None = None
    columns: int | None = None


def symbol_matrix(name: str, rows: int, columns: int) -> Matrix:
    """NAME_11, NAME_12 ...; NAME_1_1 as soon as an index has two digits."""
    if not re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII):
        raise InputError(f"{quoted(name)} cannot name symbols", expected="letters and digits")
    if rows * columns > MOST_SYMBOLS:
        raise too_large(f"{name} has {rows} x {columns} symbols", f"at most {MOST_SYMBOLS:,}")
    between = "" if max(rows, columns) <= 9 else "_"
    return Matrix(
        [
            [symbol(f"{name}_{i}{between}{j}") for j in range(1, columns + 1)]
            for i in range(1, rows + 1)
        ]
    )


def too_large(what: str, most: str) -> InputError:
    """What to say of more symbols than can be derived with."""
    message = f"too large: {what}"
    return InputError(message, expected=most, hint="smaller shapes, or numbers instead of symbols")


def check_products(given: Mapping[str, Matrix]) -> None:
    """InputError where the vectors times all symbols are more products than values are made of.

    Shapes can be told of more: they ask for no value.
    """
    vectors = max((given[x].shape[0] for x in ("H", "context") if x in given), default=1)
    symbols = sum(map(_count, given.values()))
    if vectors * symbols > MOST_PRODUCTS:
        raise too_large(
            f"{symbols:,} symbols for {vectors} tokens make {vectors * symbols:,} products",
            f"at most {MOST_PRODUCTS:,}",
        )


def _count(matrix: Matrix) -> int:
    if isinstance(matrix, Numbers):
        return 0
    return sum(isinstance(x, Scalar) and not x.is_number for x in matrix)


def check_side(size: object, what: str) -> int:
    """A number of rows or columns; InputError unless it is from 1 to 512."""
    if isinstance(size, bool) or not isinstance(size, int):
        raise InputError(f"the number of {what} is not an integer", expected=f"1 to {MAX_SIDE}")
    if not 1 <= size <= MAX_SIDE:
        given = quoted(str(size)) if abs(size) < 10**30 else "a huge number"
        raise InputError(f"a matrix cannot have {given} {what}", expected=f"1 to {MAX_SIDE}")
    return size
