"""The value of an unevaluated SymPy object. Sums over an index and derivatives stay as they are."""

from __future__ import annotations

from functools import reduce
from typing import Any

import sympy

_UNDEFINED = (sympy.zoo, sympy.nan)


def evaluated(tree: Any) -> Any:
    """The tree built again, every part evaluated; relations stay, true or false."""
    return _Evaluation().value(tree)


def is_undefined(value: Any) -> bool:
    """Whether a value holds a division by zero or something as undefined."""
    return bool(value.has(*_UNDEFINED))


class _Evaluation:
    """One evaluation, in which equal parts are worked out once."""

    def __init__(self) -> None:
        self.done: dict[Any, Any] = {}

    def value(self, tree: Any) -> Any:
        if not tree.args or isinstance(tree, (sympy.MatrixSymbol, sympy.Indexed)):
            return tree
        if tree not in self.done:
            self.done[tree] = self.fresh(tree)
        return self.done[tree]

    def fresh(self, tree: Any) -> Any:
        if isinstance(tree, sympy.MatrixBase):
            return sympy.ImmutableDenseMatrix(*tree.shape, [self.value(x) for x in tree.flat()])
        parts = [self.value(x) for x in tree.args]
        if isinstance(tree, sympy.core.relational.Relational):
            return tree.func(*parts, evaluate=False)
        if isinstance(tree, (sympy.Max, sympy.Min)) and any(map(is_undefined, parts)):
            return sympy.nan  # SymPy does not compare it
        if isinstance(tree, sympy.Determinant):
            return _determinant(parts[0])
        if isinstance(tree, sympy.MatrixExpr):
            return _matrix(tree, parts)
        return tree.func(*parts)


def _matrix(tree: Any, parts: list[Any]) -> Any:
    explicit = [x for x in parts if isinstance(x, sympy.MatrixBase)]
    if isinstance(tree, sympy.MatMul) and explicit and not _symbolic(parts):
        scalar = sympy.Mul(*(x for x in parts if not isinstance(x, sympy.MatrixBase)))
        return reduce(lambda a, b: a * b, explicit) * scalar
    return tree.func(*parts).doit(deep=False)


def _symbolic(parts: list[Any]) -> bool:
    matrices = [x for x in parts if isinstance(x, sympy.MatrixExpr)]
    return not all(isinstance(x, sympy.MatrixBase) for x in matrices)


def _determinant(matrix: Any) -> Any:
    return matrix.det() if isinstance(matrix, sympy.MatrixBase) else sympy.Determinant(matrix)
