"""Attention heads to measure with: matrices as nested lists, as every library takes them."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from derive.derivation import Derivation, Problem
from derive.exact import Matrix, Scalar, matrix, number, symbol
from derive.models import MODELS

NAMES = ("H", "W_Q", "W_K", "W_V")
Head = dict[str, list[list[Any]]]

ARTICLE: Head = {
    "H": [[1, 0], [0, 1], [1, 1]],
    "W_Q": [[1, 0], [0, 1]],
    "W_K": [[1, 1], [0, 1]],
    "W_V": [[1, 0], [1, 1]],
}


def head_of(entry: Any, n: int, d: int) -> Head:
    """The head of entry(name, i, j), i and j counted from 1, with n tokens in d dimensions."""
    columns = range(1, d + 1)
    rows = {name: range(1, (n if name == "H" else d) + 1) for name in NAMES}
    return {name: [[entry(name, i, j) for j in columns] for i in rows[name]] for name in NAMES}


def small_integers(n: int, d: int, seed: int = 1) -> Head:
    """Integers from -2 to 2."""
    random = Random(seed)
    return head_of(lambda *_: random.randint(-2, 2), n, d)


def rationals(n: int, d: int, seed: float = 1, *, numerator: int, denominator: int) -> Head:
    """Fractions with numerators and denominators up to these."""
    random = Random(seed)

    def fraction(*_: Any) -> Fraction:
        return Fraction(random.randint(-numerator, numerator), random.randint(1, denominator))

    return head_of(fraction, n, d)


def symbols(n: int, d: int) -> Head:
    """A symbol for every entry, by its name."""
    return head_of(lambda name, i, j: f"{name.replace('_', '')}_{i}{j}", n, d)


def derivation(head: Head) -> Derivation:
    """Ours, from the nested lists on: nothing of it has been worked out yet."""
    given = {name: exact(rows) for name, rows in head.items()}
    return MODELS["attention"].derive(Problem("benchmark", given))


def exact(rows: list[list[Any]]) -> Matrix:
    """A matrix of the kernel."""
    return matrix([[_scalar(x) for x in row] for row in rows])


def _scalar(x: Any) -> Scalar | int:
    if isinstance(x, str):
        return symbol(x)
    return number(x.numerator, x.denominator) if isinstance(x, Fraction) else x
