"""How the columns of a LaTeX table stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from derive.render.wrap import columns

WIDEST = 90
"""A table with more columns of a terminal in a line is wider than a page."""


def table_columns(rows: Sequence[Sequence[Any]], numbers: Sequence[int]) -> Iterator[str]:
    """How each column of a table stands; of a wide table those of long sentences are broken."""
    longest = [
        max(columns(x) if isinstance(x, str) else 0 for x in column)
        for column in zip(*rows, strict=True)
    ]
    share = f"p{{{1 / len(longest) - 0.04:.2f}\\linewidth}}"
    for k, length in enumerate(longest):
        is_broken = sum(longest) > WIDEST and length > WIDEST / (2 * len(longest))
        yield "r" if k in numbers else share if is_broken else "l"
