"""The scores of a drawn problem in whole numbers, without a derivation: thousands are looked at."""

from __future__ import annotations

from collections.abc import Iterator

from flint import fmpz_mat

from derive.derivation import Problem
from derive.exact import Matrix
from derive.exact.numbers import Numbers

Rows = list[list[int]]


def whole(matrix: Matrix) -> Rows:
    """A matrix of integers as Python's."""
    return [list(map(int, row)) for row in _integers(matrix).tolist()]


def _integers(matrix: Matrix) -> fmpz_mat:
    assert isinstance(matrix, Numbers) and matrix.den == 1 and set(matrix.parts) == {1}
    return matrix.parts[1]


def whole_scores(problem: Problem) -> Iterator[Rows]:
    """Q K^T of each head of the first layer, a row for each query.

    None where the scores are not whole: after a normalisation, or with turned queries and keys.
    """
    choices, given = problem.conventions, problem.given
    if "W_Q" not in given or choices.positions == "rope" or _is_normalised(problem):
        return
    is_turned = choices.vectors == "columns"
    queries, keys = (_projected(problem, letter, is_turned) for letter in "QK")
    groups = choices.kv_heads or choices.heads
    width = queries.ncols() // choices.heads
    for head in range(choices.heads):
        group = head // (choices.heads // groups)
        product = _columns(queries, head * width, width) * (
            _columns(keys, group * width, width).transpose()
        )
        yield [list(map(int, row)) for row in product.tolist()]


def _is_normalised(problem: Problem) -> bool:
    return problem.model == "block" and problem.conventions.norm == "pre"


def _projected(problem: Problem, letter: str, is_turned: bool) -> fmpz_mat:
    """X W + b, rows of queries or keys."""
    given = problem.given
    source = "context" if letter == "K" and "context" in given else "H"
    x, w = _integers(given[source]), _integers(given[f"W_{letter}"])
    product = (w * x).transpose() if is_turned else x * w
    bias = given.get(f"b_{letter}")
    if bias is None:
        return product
    return product + fmpz_mat(product.nrows(), 1, [1] * product.nrows()) * _integers(bias)


def _columns(matrix: fmpz_mat, first: int, width: int) -> fmpz_mat:
    rows = matrix.tolist()
    return fmpz_mat([row[first : first + width] for row in rows])
