"""What names a matrix does not make it that; what n counts; the softmax of columns; n - 1."""

from __future__ import annotations

import pytest

import derive

HEAD = """X = [[0, 1, 1, 0], [2, 0, 0, 1], [1, 1, 0, 1]]

W_key = [[0, 1, 0], [1, 0, 1], [0, 0, 1], [1, 1, 0]]

W_query = [[1, 0, 1], [0, 1, 1], [1, 0, 0], [0, 1, 1]]

Key = [[1, 0, 2], [1, 3, 0], [2, 2, 1]]

Query = [[1, 1, 1], [2, 1, 3], [1, 2, 3]]

"""
COLUMNS = r"""Every word is a column.

$$Q = \begin{pmatrix} 1 & 0 & 1 \\ 1 & 2 & 0 \end{pmatrix},
K = \begin{pmatrix} 2 & 1 & 0 \\ 0 & 1 & 1 \end{pmatrix}$$

$$K^T Q = \begin{pmatrix} 2 & 0 & 2 \\ 2 & 2 & 1 \\ 1 & 2 & 0 \end{pmatrix}$$

$$\frac{K^T Q}{\sqrt 2} = \begin{pmatrix} 1.414 & 0.000 & 1.414 \\ 1.414 & 1.414 & 0.707 \\
0.707 & 1.414 & 0.000 \end{pmatrix}$$

$$A = \begin{pmatrix} 0.401 & 0.108 & 0.576 \\ 0.401 & 0.446 & 0.284 \\
0.198 & 0.446 & 0.140 \end{pmatrix}$$
"""
SPREAD = """We recall

$$\\sigma^2 = \\frac1n \\sum_i (x_i-\\mu)^2.$$

Take $x = (4, -2, 1, 5)$, so $n = 4$. The mean is $\\mu = 8/4 = 2$. We find

$$\\sigma^2 = {}.$$
"""


def verdicts(text: str) -> dict[str, str]:
    """The last verdict on each number."""
    return {c.printed: c.verdict for c in derive.verify(text, "a.md").claims}


@pytest.mark.parametrize("words", ["query 1 times every key", "query 1 dikali semua key"])
def test_scores_named_by_their_keys_are_no_keys(words):
    """[3, 4, 5] is none of the keys above, though the word key stands right before it."""
    found = derive.verify(f"{HEAD}The score is {words}:\n\n[3, 4, 5]\n", "a.md").claims
    assert [c.verdict for c in found[-3:]] == ["correct"] * 3


def test_the_entries_of_one_vector_are_counted_by_n():
    text = r"$x = [2, -1, 2, 4]$" + "\n\n" + r"$$\frac{1}{n}\sum_i x_i^2 = %s$$"
    assert verdicts(text % "6.25")["6.25"] == "correct"
    assert verdicts(text % "6.52")["6.52"] == "wrong"


def test_each_column_has_its_softmax_where_queries_are_columns():
    found = verdicts(COLUMNS)
    assert {found[w] for w in ("0.401", "0.108", "0.284", "0.140")} == {"correct"}
    assert verdicts(COLUMNS.replace("0.284", "0.384"))["0.384"] == "wrong"


def test_a_variance_by_n_less_one_where_the_formula_divides_by_n():
    assert verdicts(SPREAD.format("10"))["10"] == "wrong"
    assert verdicts(SPREAD.format("7.5"))["7.5"] == "correct"
    by_less = SPREAD.replace("\\frac1n", "\\frac{{1}}{{n-1}}")
    assert verdicts(by_less.format("10"))["10"] == "correct"


def test_gain_and_bias_go_entry_by_entry_also_behind_a_wrong_deviation():
    """x - 3 over sqrt(14/3) in place of sqrt(14/4): 2 * 0 + 0.1 is right, the others follow."""
    text = (
        "Layer normalisation divides by the mean of the squares.\n\n"
        "x = [1, 3, 6, 2]\n\nγ = [1, 2, 0.5, 1]\n\nβ = [0, 0.1, -0.2, 0]\n\nμ = 3\n\n"
        "σ² = 4.667\n\nσ = 2.160\n\nx̂ = [-0.926, 0.000, 1.389, -0.463]\n\n"
        "y = γ · x̂ + β = [-0.926, 0.100, 0.495, -0.463]\n"
    )
    line = [c.verdict for c in derive.verify(text).claims if c.line == 17]
    assert line == ["consequence", "correct", "consequence", "consequence"]
