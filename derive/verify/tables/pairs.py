"""Tables with a row for each pair of tokens: where in a matrix each of their rows stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import isqrt

_WORD = re.compile(r"\d|[^\W\d_]+|[^\w\s]")
"""The parts of a label; digits stand one by one, so that s12 is a pair."""
LEAST = 3
"""A table of pairs has so many rows at least."""
Place = tuple[int, int]
Words = tuple[str, ...]


def pairs(labels: Sequence[str]) -> list[Place]:
    """The place of each label in a matrix, where they are all the pairs of two lists; else none.

    Or all with those up to the first of the pair, as causal tables have them, or all behind it.
    """
    words = [tuple(_WORD.findall(label)) for label in _filled(labels)]
    if len(words) < LEAST or len(set(words)) < len(words):
        return []
    shapes = _shapes(len(words))
    return next((s for s in shapes if _are_pairs(dict(zip(s, words, strict=True)))), [])


def _filled(labels: Sequence[str]) -> list[str]:
    """The labels; where the first of the pair is printed once for several rows, on each of them."""
    first, made = "", []
    for label in labels:
        before, bar, last = label.rpartition(" | ")
        first = before.strip() or first
        made.append(f"{first} | {last}" if bar or first else label)
    return made


def _shapes(count: int) -> Iterator[list[Place]]:
    """The places that so many pairs, row by row, may have: all, or those of a triangle."""
    for width in range(count // 2, 1, -1):
        if count % width == 0:
            yield [divmod(k, width) for k in range(count)]
    rows = (isqrt(8 * count + 1) - 1) // 2
    if rows * (rows + 1) == 2 * count:
        if rows > 2:
            yield [(i, j) for i in range(rows) for j in range(i + 1)]
        yield [(i, j) for i in range(rows) for j in range(i + 1, rows + 1)]


def _are_pairs(words: dict[Place, Words]) -> bool:
    """Whether the labels of each row begin alike, and those of each column end alike."""
    begin = _common(words, 0, 1)
    end = _common(words, 1, -1)
    if len(set(begin.values())) < len(begin) or len(set(end.values())) < len(end):
        return False
    return all(len(begin[i]) + len(end[j]) >= len(label) for (i, j), label in words.items())


def _common(words: dict[Place, Words], side: int, step: int) -> dict[int, Words]:
    """What the labels of each row (0) begin with, or what those of each column (1) end with."""
    lines: dict[int, list[Words]] = {}
    for place, label in words.items():
        lines.setdefault(place[side], []).append(label[::step])
    return {k: _begun(labels) for k, labels in lines.items()}


def _begun(labels: list[Words]) -> Words:
    """What all of some labels begin with."""
    first, last = min(labels), max(labels)
    alike = zip(first, last, strict=False)
    return first[
        : next((k for k, (a, b) in enumerate(alike) if a != b), min(len(first), len(last)))
    ]
