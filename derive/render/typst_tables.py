"""How wide the columns of a table are in Typst, so that those of numerals need not be measured."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from derive.exact.trace import Digits

_PLAIN = re.compile(r"-?[0-9]+([.][0-9]+)?")
_EM = {".": 0.28, "-": 0.78}
"""Of a numeral's characters the widths in em, where they are not those of digits."""
_LETTERS = dict.fromkeys("ijl.,:'", 0.31) | dict.fromkeys("ftrs -()", 0.4) | {"m": 0.86, "w": 0.75}
"""And of a title's."""
GAP = 1.2
"""What stands beside a cell, in em."""


def is_plain(x: Any) -> bool:
    """Whether it is a numeral without a power of ten, which is the same in text."""
    return isinstance(x, Digits) and _PLAIN.fullmatch(x.text) is not None


def widths(
    header: Sequence[Any], rows: Sequence[Sequence[Any]], numbers: Sequence[int]
) -> Iterator[str]:
    """A width for every column: in em for one of plain numerals, "auto" for the others."""
    for k, title in enumerate(header):
        said = (title,) if isinstance(title, str) else title
        cells = [row[k] for row in rows]
        plain = all(len(cell) == 1 and is_plain(cell[0]) for cell in cells)
        if k not in numbers or not plain or not all(isinstance(x, str) for x in said):
            yield "auto"
            continue
        digits = [sum(_EM.get(c, 0.5) for c in cell[0].text) for cell in cells]
        yield f"{max([_head(''.join(said)), *digits]) + GAP:.2f}em"


def _head(text: str) -> float:
    """A title is no wider than this."""
    return sum(1.0 if ord(c) > 0x2E80 else _LETTERS.get(c, 0.58) for c in text)
