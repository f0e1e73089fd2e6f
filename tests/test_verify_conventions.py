"""What an article declares, or already keeps to, binds all of it.

The figures are worked out by hand or with floats: √2 = 1.41421, e^√2 = 4.11325.
"""

import pytest

from derive.verify import verify

ERRORS = ("wrong", "consequence")
INPUTS = (
    "X = [[1, 2], [0, 1], [2, 1]], W_Q = [[1, 3], [0, 1]], W_K = [[2, 1], [0, 1]],"
    " W_V = [[1, 0], [4, 1]].\n\n"
)
TIMES = {
    "Q": [[1, 5], [0, 1], [2, 7]],
    "K": [[2, 3], [0, 1], [4, 3]],
    "V": [[9, 2], [4, 1], [6, 1]],
}
TURNED = {
    "Q": [[7, 2], [3, 1], [5, 1]],
    "K": [[4, 2], [1, 1], [5, 1]],
    "V": [[1, 6], [0, 1], [2, 9]],
}
"""X W and X W^T."""


def errors(text, name="a.md"):
    """The numbers that are called wrong, or consequences, each with its quantity."""
    return [(c.quantity, c.printed) for c in verify(text, name).claims if c.verdict in ERRORS]


def causes(text, name="a.md"):
    """The kinds of causes that are found."""
    return {c.cause[0] for c in verify(text, name).claims if c.cause}


def projected(odd=""):
    """Queries, keys and values, all X W but for one."""
    made = {**TIMES, **({odd: TURNED[odd]} if odd else {})}
    return INPUTS + "\n\n".join(f"{kind} = {rows}" for kind, rows in made.items())


@pytest.mark.parametrize("odd", "QKV")
def test_one_projection_that_is_turned_is_wrong(odd):
    """Two keep to X W; where the third is X W^T each number that differs is wrong."""
    rows = zip(TIMES[odd], TURNED[odd], strict=True)
    differing = sum(a != b for row, other in rows for a, b in zip(row, other, strict=True))
    found = errors(projected(odd))
    assert {quantity[0] for quantity, _ in found} == {odd}
    assert len(found) == differing
    assert causes(projected(odd)) == {"weights transposed"}


@pytest.mark.parametrize("made", [TIMES, TURNED])
def test_all_projections_in_one_layout_are_right(made):
    text = INPUTS + "\n\n".join(f"{kind} = {rows}" for kind, rows in made.items())
    assert errors(text) == []


def test_a_formula_of_its_own_is_no_mistake():
    text = projected("K").replace("K = [[4", "K = X W_K^T = [[4")
    assert errors(text) == []


HEADS = (
    "Q1 = [[1, 0], [1, 1]], K1 = [[0, 1], [2, 0]]; Q2 = [[2, 0], [0, 1]], K2 = [[1, 1], [0, 1]].\n"
    "The weights are softmax(QK^T / √2).\n\nHead 1\n\nQ1K1^T = [[0, 2], [1, 2]]\n\n"
    "Divided by √2: [[0.000, 1.414], [0.707, 1.414]]\n\nHead 2\n\nQ2K2^T = [[2, 0], [1, 1]]\n\n"
    "Divided by √2: "
)


def test_a_head_that_is_not_divided_is_wrong():
    text = HEADS + "[[2.000, 0.000], [1.000, 1.000]]"
    assert [printed for _, printed in errors(text)] == ["2.000", "1.000", "1.000"]
    assert causes(text) == {"not scaled"}
    assert errors(HEADS + "[[1.414, 0.000], [0.707, 0.707]]") == []


VARIANCE = (
    "x = [1.0, 3.0, 8.0], with $\\sigma^2 = \\frac{1}{3}\\sum_i (x_i - \\mu)^2$.\n\n"
    "$$\\mu = \\frac{1+3+8}{3} = 4$$\n\n$$\\sigma^2 = VALUE$$\n"
)


def test_a_formula_says_which_variance_is_meant():
    """(9 + 1 + 16)/3 = 8.667; divided by 2 it is 13."""
    assert errors(VARIANCE.replace("VALUE", "8.667")) == []
    assert errors(VARIANCE.replace("VALUE", "13.0")) == [("var", "13.0")]
    assert causes(VARIANCE.replace("VALUE", "13.0")) == {"the other divisor"}
    assert errors(VARIANCE.replace("VALUE", "8.676")) == [("var", "8.676")]


PROGRAM = (
    "```python\nimport numpy as np\nX = np.array([[1, 2], [0, 3]])\n"
    "W_Q = np.array([[1, 1], [0, 2]])\nW_K = np.array([[2, 0], [1, 1]])\n"
    "Q, K = X @ W_Q, X @ W_K\nprint(Q)\nprint(K)\n```\n\n"
    "```\n[[1 5]\n [0 6]]\n[[4 2]\n [3 3]]\n```\n"
)


def test_several_names_at_once_are_several_results():
    report = verify(PROGRAM, "a.md")
    printed = {c.quantity: c.printed for c in report.claims if c.verdict == "correct"}
    assert printed["Q[1][2]"] == "5" and printed["K[2][1]"] == "3"
    assert errors(PROGRAM) == []
    assert errors(PROGRAM.replace("[3 3]", "[3 5]")) == [("K[2][2]", "5")]


SCORES = (
    "Q = [[1, 0], [0, 1]], K = [[1, 0], [2, 1], [3, 1]], d_k = 2.\n\n## Scores\n\n"
    "|  | k1 | k2 | k3 |\n|---|---|---|---|\n| q1 | 1 | 2 | 3 |\n| q2 | 0 | 1 | 1 |\n\n"
    "## Divided by √2\n\n|  | k1 | k2 | k3 |\n|---|---|---|---|\n"
    "| q1 | 0.707 | 1.414 | 2.121 |\n| q2 | 0.000 | 0.707 | 0.707 |\n"
)


def test_keys_over_the_columns_of_a_table_are_no_vectors():
    """A first row 1, 2, 3 is no head, either."""
    claims = verify(SCORES, "a.md").claims
    assert [c.verdict for c in claims if c.line in (7, 8, 14, 15)] == ["correct"] * 12
    assert errors(SCORES.replace("2.121", "2.112")) == [("scaled[1][3]", "2.112")]


EXPONENTIALS = (
    "q1 = (1; 1), k1 = (1; 1), k2 = (2; 1)\n\n"
    "- q1·k1 = 1·1 + 1·1 = 2, divided by √2: 1.41\n- q1·k2 = 1·2 + 1·1 = 3, divided by √2: 2.12\n\n"
)


def test_a_slip_in_a_quotient_is_wrong():
    """2/√2 = 1.414 and 3/√2 = 2.121."""
    assert errors(EXPONENTIALS) == []
    assert [printed for _, printed in errors(EXPONENTIALS.replace("2.12", "2.21"))] == ["2.21"]


def test_the_same_formula_twice_in_a_line_is_two_claims():
    """Only the copy of a rendered page is one claim."""
    text = "For it, $\\exp(1.5) = 4.482$, $\\exp(1.5) = 4.482$, $\\exp(0) = 1.000$."
    assert [c.printed for c in verify(text, "a.md").claims].count("4.482") == 2


def test_masked_scores_may_bear_the_name_of_scores():
    """1/√2 = 0.7071, 2/√2 = 1.4142."""
    text = (
        "Q = [[1, 0], [1, 1]], K = [[1, 1], [1, 0]], d_k = 2.\n\n"
        "$$S = QK^T = \\begin{bmatrix} 1 & 1 \\\\ 2 & 1 \\end{bmatrix}$$\n\n"
        "$$S = \\frac{QK^T}{\\sqrt{d_k}} + M = \\begin{bmatrix} 0.7071 & -\\infty \\\\"
        " 1.4142 & 0.7071 \\end{bmatrix}$$\n"
    )
    found = [c.verdict for c in verify(text, "a.md").claims if "." in c.printed]
    assert found == ["correct"] * 3
