"""Tables with a row for each pair of tokens: where in a matrix each of their rows stands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate
from math import isqrt

_WORD = re.compile(r"\d|[^\W\d_]+|[^\w\s]")
"""The parts of a label; digits stand one by one, so that s12 is a pair."""
LEAST = 4
"""A table of pairs has so many rows at least."""
Place = tuple[int, int]
Words = tuple[str, ...]


def pairs(labels: Sequence[str]) -> list[Place]:
    """The place of each label in a matrix, where they are all the pairs of two lists; else none."""
    words = [tuple(_WORD.findall(label)) for label in labels]
    count = len(words)
    if count < LEAST or len(set(words)) < count:
        return []
    shapes = [[w] * (count // w) for w in range(count // 2, 1, -1) if count % w == 0]
    if (rows := _triangular(count)) > LEAST // 2:
        shapes.append(list(range(1, rows + 1)))
    for widths in shapes:
        starts = [*accumulate(widths, initial=0)]
        if _are_pairs([words[k : k + w] for k, w in zip(starts, widths, strict=False)]):
            return [(i, j) for i, w in enumerate(widths) for j in range(w)]
    return []


def _triangular(count: int) -> int:
    """How many rows hold so many pairs of a token with those up to itself; 0 where none do."""
    rows = (isqrt(8 * count + 1) - 1) // 2
    return rows if rows * (rows + 1) == 2 * count else 0


def _are_pairs(rows: list[list[Words]]) -> bool:
    """Whether the labels of each row begin alike, and those of each column end alike."""
    columns = [[row[j] for row in rows if j < len(row)] for j in range(len(rows[-1]))]
    begin, end = [_begun(row) for row in rows], [_ended(column) for column in columns]
    if len(set(begin)) < len(begin) or len(set(end)) < len(end):
        return False
    return all(
        len(begin[i]) + len(end[j]) >= len(label)
        for i, row in enumerate(rows)
        for j, label in enumerate(row)
    )


def _begun(labels: list[Words]) -> Words:
    """What all of some labels begin with."""
    first, last = min(labels), max(labels)
    same = next((k for k, (a, b) in enumerate(zip(first, last)) if a != b), len(first))  # noqa: B905
    return first[:same]


def _ended(labels: list[Words]) -> Words:
    return _begun([label[::-1] for label in labels])[::-1]
