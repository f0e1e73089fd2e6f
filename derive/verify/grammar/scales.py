"""By what numbers were divided for the words behind them: 18.75M, 2 GiB, 1.2万."""

from __future__ import annotations

import re

from derive.verify.grammar.units import SCALE

_SCALES = (
    (r"[kK]$|[kK]B|thousand|tausend|тыс|tys", 10**3),
    (r"M$|MB|mill(?!iar)|milh|миллион|млн|mio|mln|百万", 10**6),
    (r"[GB]$|G[BF]|billion|milliard|млрд|mrd|mld", 10**9),
    (r"T$|T[BF]|trillion", 10**12),
    (r"万|만", 10**4),
    (r"亿|억", 10**8),
)
_BYTES = "KMGT"
LETTERS = frozenset("kKMBGT")
"""What stands right behind a number for thousands, millions and so on."""


def unit(text: str, end: int) -> str:
    """The unit or the word of scale that follows; "" if none does."""
    found = SCALE.match(text, end)
    return found["scale"] if found else ""


def scales(unit: str) -> tuple[int, ...]:
    """By what a number may have been divided for a unit: not at all, 10^6, 2^20."""
    flags = re.I if len(unit) > 2 else 0
    found = [scale for words, scale in _SCALES if re.match(words, unit, flags)]
    if unit[1:] in ("B", "iB"):
        found.append(1024 ** (_BYTES.index(unit[0].upper()) + 1))
    return (*dict.fromkeys(found), 1)
