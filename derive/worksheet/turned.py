"""Scores of turned queries and keys in whole numbers, as far as to tell which are alike.

At positions i and j, with q and k whole, a score is the sum over the pairs of features of
a cos((i - j) t) + b sin((i - j) t), with a = q.k and b = q x k of the pair and t its angle.
Powers of e of different algebraic numbers are independent over these (Lindemann, Weierstrass), so
two scores are alike where their a, their b and their distances are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import compress

from derive.derivation import Problem
from derive.exact.angles import pairs
from derive.worksheet.whole import Given, Rows, has_whole_scores, parts, projected

Key = tuple[int, tuple[tuple[int, int], ...]]
"""A distance that is not negative, and a and b of every pair."""
NOUGHT: Key = 0, ()
"""Of a score that is 0."""


def turned_powers(
    problem: Problem, given: Given, seen: Sequence[tuple[str, Sequence[int]]]
) -> list[set[Key]]:
    """The different scores of each head that are not masked; none where they are not told apart.

    problem: whose conventions hold; seen: by head, 1 where a score is not masked, row by row, and
    nothing where none is.
    """
    choices = problem.conventions
    if not _is_told(problem):
        return []
    groups = choices.kv_heads or choices.heads
    queries = parts(projected(problem, given, "Q"), choices.heads)
    keys = parts(projected(problem, given, "K"), groups)
    share = choices.heads // groups
    every = [list(_scores(q, keys[k // share], choices.layout)) for k, q in enumerate(queries)]
    if len(every) != len(seen):
        return []
    return [
        set(compress(scores, is_open) if is_open else scores)
        for scores, (_, is_open) in zip(every, seen, strict=True)
    ]


def _is_told(problem: Problem) -> bool:
    """Whether all distances and angles give different products: angles fall by more than n."""
    choices = problem.conventions
    if choices.positions != "rope" or not has_whole_scores(without_turns(problem)):
        return False
    across, down = (1, 0) if choices.vectors == "rows" else (0, 1)
    width = problem.given["W_Q"].shape[across] // choices.heads
    inputs = (problem.given[x] for x in ("H", "context") if x in problem.given)
    most: int = max(x.shape[down] for x in inputs)
    return width % 2 == 0 and (width == 2 or choices.base**2 > most**width)


def without_turns(problem: Problem) -> Problem:
    """The same without positions."""
    return replace(problem, conventions=replace(problem.conventions, positions="none"))


def _scores(queries: Rows, keys: Rows, layout: str) -> Iterator[Key]:
    """Row by row."""
    width = len(queries[0])
    columns = [[k for k, (at, _) in enumerate(pairs(width, layout)) if at == p]
               for p in range(width // 2)]  # fmt: skip
    for i, q in enumerate(queries):
        for j, k in enumerate(keys):
            yield _key(i - j, [_product(q, k, x, y) for x, y in columns])


def _product(q: Sequence[int], k: Sequence[int], x: int, y: int) -> tuple[int, int]:
    return q[x] * k[x] + q[y] * k[y], q[x] * k[y] - q[y] * k[x]


def _key(distance: int, products: Sequence[tuple[int, int]]) -> Key:
    """At no distance only the sum of a counts; what is 0 is so at any."""
    if distance == 0:
        products = [(sum(a for a, _ in products), 0)]
    if not any(a or b for a, b in products):
        return NOUGHT
    sign = -1 if distance < 0 else 1
    return abs(distance), tuple((a, sign * b) for a, b in products)
