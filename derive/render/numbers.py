"""Numbers as a table, JSON, CSV or LaTeX macros."""

from __future__ import annotations

import csv as csv_module
import io
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from derive.exact.ink import LATEX, UNICODE
from derive.render.json import dumps
from derive.render.wrap import columns

if TYPE_CHECKING:
    from derive.views.numbers import Number

DIGIT_WORDS = "Zero One Two Three Four Five Six Seven Eight Nine".split()


def table(numbers: Sequence[Number], colour: bool = False) -> str:
    """A small table a step, aligned at the right."""
    out = []
    for step, rows in _by_step(numbers):
        cells = [[_spelled(n) for n in row] for row in rows]
        widths = [max(map(columns, column)) for column in zip(*cells, strict=True)]
        name = UNICODE.step(step)
        out.append(f"\x1b[1;36m{name}\x1b[0m" if colour else name)
        for row in cells:
            out.append(
                "  "
                + "  ".join(" " * (w - columns(c)) + c for c, w in zip(row, widths, strict=True))
            )
        out.append("")
    return "\n".join(out)


def json(numbers: Sequence[Number]) -> str:
    """{"A": [["0.401", ...], ...], ...}, null where an entry has no digits."""
    steps = {
        step: [[n.certified.digits for n in r] for r in rows] for step, rows in _by_step(numbers)
    }
    return dumps(steps)


def csv(numbers: Sequence[Number]) -> str:
    """Columns step,row,column,decimal,exact."""
    out = io.StringIO()
    writer = csv_module.writer(out, lineterminator="\n")
    writer.writerow(["step", "row", "column", "decimal", "exact"])
    for n in numbers:
        writer.writerow([n.step, n.row, n.column, n.certified.digits or "", n.exact])
    return out.getvalue()


def macros(numbers: Sequence[Number]) -> str:
    r"""One \newcommand an entry: \AOneTwo is A[1][2]. TeX allows no digits in names."""
    lines = ["% Proved numbers; use them in mathematics, as in $\\AOneTwo$."]
    for n in numbers:
        if n.certified.digits is not None:
            lines.append(rf"\newcommand{{\{macro(n)}}}{{{LATEX.numeral(n.certified.digits)}}}")
    return "\n".join(lines) + "\n"


def macro(n: Number) -> str:
    """The macro's name: the step's letters, row and column in words, "And" where 10 or more."""
    step = "KT" if n.step == "K^T" else n.step.replace("_", "")
    between = "And" if max(n.row, n.column) > 9 else ""
    return step + between.join(_word(k) for k in (n.row, n.column))


def _word(k: int) -> str:
    return "".join(DIGIT_WORDS[int(digit)] for digit in str(k))


def _spelled(n: Number) -> str:
    digits = n.certified.digits
    return str(n.certified) if digits is None else UNICODE.numeral(digits)


def _by_step(numbers: Sequence[Number]) -> Iterator[tuple[str, list[list[Number]]]]:
    for step, entries in groupby(numbers, key=lambda n: n.step):
        yield step, [list(row) for _, row in groupby(entries, key=lambda n: n.row)]
