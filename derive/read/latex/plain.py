"""SymPy objects on one line, matrices as rows."""

from __future__ import annotations

from typing import Any

from sympy.printing.str import StrPrinter


def plain(x: Any) -> str:
    """The object as text: x**2, [[1, 2], [3, 4]]."""
    return str(_Printer().doprint(x))


class _Printer(StrPrinter):
    def _print_MutableDenseMatrix(self, matrix: Any) -> str:
        rows = (", ".join(map(self._print, row)) for row in matrix.tolist())
        return "[" + ", ".join(f"[{row}]" for row in rows) + "]"

    _print_ImmutableDenseMatrix = _print_MutableDenseMatrix
