"""The Jacobian of one step by another: how every entry of Y changes with every entry of X.

J has a row for each entry of Y and a column for each entry of X, both counted row by row.  A row is
a reverse sweep, a column a forward one; whichever are fewer are made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from derive.certify import Certified, certified
from derive.derivation import Derivation
from derive.exact import Matrix, matrix
from derive.exact.names import gradient_name
from derive.gradients.sweep import sweep
from derive.gradients.tangent import pushed, tangent_name
from derive.numerals import Format
from derive.step import Step

if TYPE_CHECKING:
    import sympy


@dataclass(frozen=True)
class Jacobian:
    """The derivatives of the entries of `of` by those of `by`.

    lines: the rows as gradients of `by`, or, where is_forward, the columns as tangents of `of`.

    >>> from derive import builtin, derive
    >>> jacobian(derive(builtin("head")), "S", "Q").matrix.rows[1]
    (0, 1, 0, 0, 0, 0)
    """

    of: Step
    by: Step
    lines: tuple[Step, ...]
    is_forward: bool

    @cached_property
    def matrix(self) -> Matrix:
        """The exact matrix, in letters where closed forms are too large."""
        return self._placed([tuple(line.value) for line in self.lines])

    def certified(self, form: Format) -> list[list[Certified]]:
        """The entries with their proved digits."""
        found = [[c for row in certified(line, form) for c in row] for line in self.lines]
        return [list(row) for row in zip(*found, strict=True)] if self.is_forward else found

    def to_sympy(self) -> sympy.Matrix:
        """As a SymPy matrix in the free symbols of the problem."""
        from derive.exact.bridge import to_sympy_matrix

        return to_sympy_matrix(self.matrix)

    def _placed(self, lines: Sequence[Sequence[object]]) -> Matrix:
        return Matrix(list(zip(*lines, strict=True)) if self.is_forward else lines)


def jacobian(d: Derivation, of: str, by: str) -> Jacobian:
    """The Jacobian of the step `of` by the step `by`, given or derived.

    InputError for names that are no steps.
    """
    return jacobians(d, of, (by,))[0]


def jacobians(d: Derivation, of: str, by: Sequence[str]) -> tuple[Jacobian, ...]:
    """The Jacobians of a step by several others, which share their sweeps."""
    result, others = d.step(of), [d.step(name) for name in by]
    height, width = len(list(_units(result.shape))), sum(len(list(_units(x.shape))) for x in others)
    if height <= width:
        sweeps = [sweep(d, of, unit, by).derivation for unit in _units(result.shape)]
        return tuple(
            Jacobian(result, x, tuple(s.step(gradient_name(x.name)) for s in sweeps), False)
            for x in others
        )
    return tuple(Jacobian(result, x, _tangents(d, of, x), True) for x in others)


def _tangents(d: Derivation, of: str, by: Step) -> tuple[Step, ...]:
    name = tangent_name(of)
    found = (pushed(d, {by.name: unit}) for unit in _units(by.shape))
    return tuple(p.step(name) if name in p else _unmoved(d.step(of)) for p in found)


def _unmoved(step: Step) -> Step:
    rows, columns = step.shape
    return Step.given(tangent_name(step.name), matrix([[0] * columns] * rows))


def _units(shape: tuple[int, int]) -> Iterator[Matrix]:
    """The matrices with one 1, row by row."""
    rows, columns = shape
    for k in range(rows * columns):
        yield matrix([[int(i * columns + j == k) for j in range(columns)] for i in range(rows)])
