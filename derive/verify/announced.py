"""Words that stand too far before a number to announce it are passed over, before and after."""

from __future__ import annotations

import re

from derive.verify.grammar.nodes import Chain, Name

ANNOUNCED = 1000
"""Words announce numbers that stand no further behind them, in characters."""
_LETTER = r"[^\W\d_²³¹¼-¾\u2070-\u209f\u2150-\u218f\u2460-\u249b]"
_FAR = re.compile(rf"(?:{_LETTER}|[\s.,;!?'’\"“”。，、；！？]){{{ANNOUNCED // 4},}}+", re.U)
_SHOWN = re.compile(r"[^\n]")


def hushed(text: str) -> str:
    """The text with the words blanked behind which no number and no sign stands for long."""
    if len(text) < ANNOUNCED:
        return text
    pieces, last = [], 0
    for found in _FAR.finditer(text):
        start, end = found.start() + ANNOUNCED // 8, found.end() - ANNOUNCED
        if start < end:
            pieces += [text[last:start], _SHOWN.sub(" ", text[start:end])]
            last = end
    return "".join([*pieces, text[last:]]) if pieces else text


def near_numbers(chains: list[Chain], end: int) -> list[Chain]:
    """The chains without words that stand far before the next number, which announce nothing."""
    kept: list[Chain] = []
    for chain in reversed(chains):
        is_word = len(chain.sides) == 1 and isinstance(chain.sides[0], Name)
        if is_word and end - chain.start > ANNOUNCED:
            continue
        end = end if is_word else chain.start
        kept.append(chain)
    return kept[::-1]
