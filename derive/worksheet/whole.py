"""The scores of a drawn problem in whole numbers, without a derivation: thousands are looked at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import mul

from derive.derivation import Problem

Rows = Sequence[Sequence[int]]
Given = Mapping[str, Rows]


def whole_scores(problem: Problem, given: Given) -> Iterator[Rows]:
    """Q K^T of each head of the first layer, a row for each query.

    problem: whose conventions hold; none where the scores are not whole: after a normalisation, or
    with turned queries and keys.
    """
    choices = problem.conventions
    if "W_Q" not in given or choices.positions == "rope" or _is_normalised(problem):
        return
    is_turned = choices.vectors == "columns"
    queries, keys = (projected(given, letter, is_turned) for letter in "QK")
    groups = choices.kv_heads or choices.heads
    width = len(queries[0]) // choices.heads
    for head in range(choices.heads):
        group = head // (choices.heads // groups)
        own = [row[group * width : (group + 1) * width] for row in keys]
        yield [
            [sum(map(mul, row[head * width : (head + 1) * width], key)) for key in own]
            for row in queries
        ]


def _is_normalised(problem: Problem) -> bool:
    return problem.model == "block" and problem.conventions.norm == "pre"


def projected(given: Given, letter: str, is_turned: bool) -> Rows:
    """X W + b: a row for each query, or key."""
    source = "context" if letter == "K" and "context" in given else "H"
    x, w = given[source], given[f"W_{letter}"]
    rows, columns = (turned(x), w) if is_turned else (x, turned(w))
    product = [[sum(map(mul, row, column)) for column in columns] for row in rows]
    bias = given.get(f"b_{letter}")
    if bias is None:
        return product
    return [[a + b for a, b in zip(row, bias[0], strict=True)] for row in product]


def turned(rows: Rows) -> Rows:
    """Columns as rows."""
    return list(zip(*rows, strict=True))
