"""How the columns of a LaTeX table stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from derive.render.wrap import columns

WIDEST = 90
"""A table with more columns of a terminal in a line is wider than a page."""
GAP = 0.04
"""What stands beside a column, in parts of a line."""


def table_columns(rows: Sequence[Sequence[Any]], numbers: Sequence[int]) -> Iterator[str]:
    """How each column of a table stands; of a wide table those of long sentences are broken."""
    longest = [
        max(columns(x) if isinstance(x, str) else 0 for x in column)
        for column in zip(*rows, strict=True)
    ]
    broken = [
        length if sum(longest) > WIDEST and length > WIDEST / (2 * len(longest)) else 0
        for length in longest
    ]
    left = 1.0 - sum(_wide(x, len(longest)) for x in longest if x not in broken)
    for k, length in enumerate(broken):
        share = f"p{{{left * length / (sum(broken) or 1) - GAP:.2f}\\linewidth}}"
        yield "r" if k in numbers else share if length else "l"


def _wide(length: int, count: int) -> float:
    """The part of a line that a column takes; of one that holds mathematics alone, its share."""
    return length / WIDEST + GAP if length else 1 / count
