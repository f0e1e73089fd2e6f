"""Tables of a softmax that goes on from score to score: a running maximum, sum and output."""

from __future__ import annotations

import re
from collections.abc import Sequence

_LARGEST = re.compile(
    r"(?i)m|m_?\{?(?:new|neu|i|t|j|k)\}?|(?:running |new )?(?:max|maks|máx|макс|最大)\w*|최댓?값"
)
_SUM = re.compile(
    r"(?i)l|ℓ|\\?ell|d|z|[ldzℓ]_?\{?(?:new|neu|i|t|j|k)\}?|(?:running )?(?:sum|denom|норм)\w*"
    r"|summe|somme|suma|soma|somma|сумма|jumlah|toplam|总?和|分母|合計|합계?"
)
_BLANK = re.compile(r"(?<=[|│┃║])(\s*)(?:[–—−-]+|/|n/a)(?=\s*[|│┃║])")
_DRESS = re.compile(r"[*$`]|\(.*?\)")


def heads_of(line: str) -> list[str]:
    """The heads in a line, without what dresses them."""
    return [_DRESS.sub("", cell).strip() for cell in re.split(r"[|│┃║]", line.strip(" |│┃║\r\n"))]


def is_scan(heads: list[str]) -> bool:
    """Whether a running maximum and a running sum stand over columns."""
    return len(heads) > 2 and are_scan(heads)


def are_scan(names: Sequence[str]) -> bool:
    """Whether a running maximum and a running sum are among some names."""
    return any(map(_LARGEST.fullmatch, names)) and any(map(_SUM.fullmatch, names))


def is_largest(head: str) -> bool:
    """Whether a head is that of a running maximum."""
    return bool(_LARGEST.fullmatch(_DRESS.sub("", head).strip()))


def filled(line: str) -> tuple[str, list[int]]:
    """A row with 0 in place of its blanks, at the same length, and where these stand."""
    places = [m.end(1) for m in _BLANK.finditer(line)]
    letters = list(_BLANK.sub(lambda m: " " * len(m[0]), line))
    for place in places:
        letters[place] = "0"
    return "".join(letters), places
