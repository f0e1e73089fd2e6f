"""What an article declares binds, and what it repeats keeps the verdict it had.

The figures are worked out here with floats, or by hand.
"""

from __future__ import annotations

from math import cos, exp, sin, sqrt

import pytest

import derive

QUERIES, KEYS, VALUES = [[1.0, 2.0], [0.0, 1.0]], [[2.0, 1.0], [1.0, 3.0]], [[1.0, 0.0], [2.0, 5.0]]
FORMULA = "Attention(Q, K, V) = softmax(QK^T / sqrt(d_k)) V\n\n"


def softmax(row):
    powers = [exp(x) for x in row]
    return [x / sum(powers) for x in powers]


def times(a, b):
    return [
        [sum(x * y for x, y in zip(r, c, strict=True)) for c in zip(*b, strict=True)] for r in a
    ]


def scores():
    return times(QUERIES, [list(c) for c in zip(*KEYS, strict=True)])


def listed(rows, places=3):
    return "[" + ", ".join(f"[{', '.join(f'{x:.{places}f}' for x in r)}]" for r in rows) + "]"


def head(intro, weights, outputs):
    given = f"Q = {listed(QUERIES, 1)}\n\nK = {listed(KEYS, 1)}\n\nV = {listed(VALUES, 1)}\n\n"
    results = f"QK^T = {listed(scores(), 1)}\n\nA = {listed(weights)}\n\nAV = {listed(outputs)}\n"
    return intro + given + results


def verdicts(text, quantity, name="article.md"):
    """The verdicts on the entries of one quantity, in order."""
    found = derive.verify(text, name).claims
    return [c.verdict for c in found if c.quantity.startswith(quantity)]


def errors(text, name="article.md"):
    found = derive.verify(text, name).claims
    return [(c.printed, c.verdict) for c in found if c.verdict in ("wrong", "consequence")]


def divided():
    return [softmax([x / sqrt(2) for x in row]) for row in scores()]


def plain():
    return [softmax(row) for row in scores()]


def test_weights_of_scores_that_are_not_divided_are_wrong_where_the_division_is_declared():
    weights = plain()
    text = head(FORMULA, weights, times(weights, VALUES))
    assert verdicts(text, "A[") == ["wrong"] * 4
    causes = {c.cause[0] for c in derive.verify(text).claims if c.verdict == "wrong"}
    assert causes == {"not scaled"}


def test_weights_of_divided_scores_are_right_where_the_division_is_declared():
    weights = divided()
    assert errors(head(FORMULA, weights, times(weights, VALUES))) == []


@pytest.mark.parametrize(
    "intro",
    [
        "",
        FORMULA + "To keep it simple we work without scaling.\n\n",
        FORMULA + "为简单起见，这里省略缩放。\n\n",
        "Unlike the Transformer, which divides by the square root of d_k, this keeps them.\n\n",
        "We do not divide by sqrt(d_k) here.\n\n",
        FORMULA + "Wir lassen die Skalierung weg: ohne Skalierung bleibt mehr zu sehen.\n\n",
    ],
)
def test_scores_may_stay_undivided_where_nothing_is_declared_or_it_is_left_out(intro):
    weights = plain()
    assert errors(head(intro, weights, times(weights, VALUES))) == []


CAUSAL = "# Causal self-attention\n\nA token never sees the future; " + FORMULA


def causal():
    rows = [[x / sqrt(2) for x in row] for row in scores()]
    return [[*softmax(row[: i + 1]), *[0.0] * (len(row) - i - 1)] for i, row in enumerate(rows)]


def test_free_weights_are_wrong_where_a_causal_mask_is_declared_and_nothing_masked_is_printed():
    weights = divided()
    text = head(CAUSAL, weights, times(weights, VALUES))
    assert verdicts(text, "A[") == ["wrong", "wrong", "correct", "correct"]


def test_masked_weights_and_free_ones_that_are_said_to_be_free_are_right():
    assert errors(head(CAUSAL, causal(), times(causal(), VALUES))) == []
    free = "# Causal self-attention\n\nFirst we work it out without the mask. " + FORMULA
    assert errors(head(free, divided(), times(divided(), VALUES))) == []


def test_noughts_set_into_finished_weights_are_a_mask_after_the_softmax():
    queries, keys = [[1, 2], [0, 1], [2, 1]], [[2, 1], [1, 3], [1, 0]]
    products = times(queries, [list(c) for c in zip(*keys, strict=True)])
    free = [softmax([x / sqrt(2) for x in row]) for row in products]
    kept = [[x if j <= i else 0 for j, x in enumerate(r)] for i, r in enumerate(free)]
    rows = "\n".join("    " + "  ".join(f"{x:.4f}" if x else "0" for x in row) for row in kept)
    text = (
        "Causal self-attention.\n\n"
        + f"Q = {listed(queries, 1)}\n\nK = {listed(keys, 1)}\n\n"
        + f"S = QK^T = {listed(products, 1)}\n\n"
        + "S / sqrt(2):\n\n    "
        + "\n    ".join("  ".join(f"{x / sqrt(2):.4f}" for x in row) for row in products)
        + "\n\nSoftmax of each row, then what lies in the future is set to 0:\n\n"
        + rows
        + "\n"
    )
    found = [c for c in derive.verify(text, "a.txt").claims if c.quantity.startswith("A[")]
    wrong = [c.quantity for c in found if c.verdict == "wrong"]
    assert wrong == ["A[1][1]", "A[2][1]", "A[2][2]"] and len(found) == 9
    assert found[0].cause[0] == "mask after softmax"


def test_a_bare_nought_among_decimals_is_not_a_rounded_number():
    text = "softmax([1, 1, 2]) = [0.212, 0, 0.576]"
    assert errors(text) == [("0", "wrong")]


def test_a_variance_once_taken_of_all_is_not_that_of_a_sample_later():
    text = (
        "x_1 = [1.0, 2.0, 6.0], x_2 = [2.0, 4.0, 9.0].\n\n"
        "mu_1 = 3.0, so sigma_1^2 = 4.667.\n\nmu_2 = 5.0, so sigma_2^2 = 13.000.\n"
    )
    assert ("13.000", "wrong") in errors(text)
    assert errors(text.replace("13.000", "8.667")) == []


def test_the_terms_of_a_sum_are_the_results_before_it_one_by_one():
    text = (
        "exp(0.5) = 1.649\n\nexp(-0.5) = 1.649\n\n"
        "sum = 1.649 + 1.649 = 3.298\n\np_1 = 1.649 / 3.298 = 0.500\n\n"
        "p_2 = 1.649 / 3.298 = 0.500\n"
    )
    found = [(c.line, c.verdict) for c in derive.verify(text).claims if c.printed == "1.649"]
    follows = {line for line, verdict in found if verdict in ("wrong", "consequence")}
    assert follows == {3, 5, 9}
    assert [v for line, v in found if line == 5] == ["correct", "wrong"]
    assert [v for line, v in found if line == 7] == ["correct"]


def test_whole_operands_are_the_entries_that_they_repeat():
    text = (
        "X = [[1, 2], [3, 1]]\n\nW_Q = [[1, 0], [1, 1]]\n\nW_K = [[0, 1], [1, 0]]\n\n"
        "Q = X W_Q = [[3, 2], [4, 1]]\n\nK = X W_K = [[2, 1], [1, 2]]\n\n"
        "For the first row 3*2 + 2*1 = 8 and 3*1 + 2*2 = 7.\n"
    )
    found = [c for c in derive.verify(text).claims if c.line == 11]
    told = [(c.printed, c.quantity, c.verdict) for c in found]
    assert ("3", "Q[1][1]", "correct") in told and ("2", "Q[1][2]", "correct") in told
    assert ("2", "K[2][2]", "wrong") in told  # 3 by hand, and so the score is 9
    assert told[-1] == ("7", "S[1][2]", "consequence")


def test_an_operand_of_another_row_is_wrong_though_its_line_is_worked_out_right():
    text = (
        "V = [[1.25, 0.75], [-0.35, 0.55], [0.15, -0.85]]\n\n"
        "A = [[0.20, 0.30, 0.50], [0.40, 0.35, 0.25], [0.10, 0.60, 0.30]]\n\nAV follows.\n\n"
        "0.10 * [1.25, 0.75] + 0.60 * [1.25, 0.55] + 0.30 * [0.15, -0.85] = [0.92, 0.15]\n"
    )
    found = {(c.printed, c.column): c.verdict for c in derive.verify(text).claims if c.line == 7}
    wrong = [printed for (printed, _), verdict in found.items() if verdict == "wrong"]
    assert wrong == ["1.25"]
    assert [v for (p, _), v in found.items() if p == "0.92"] == ["consequence"]


def test_matrices_side_by_side_have_a_token_in_each_row():
    text = (
        "- cat: [1.0, 0.5]\n- dog: [0.2, 0.8]\n- cow: [0.4, 0.6]\n\n"
        "W_Q = [[0.4, 0.1], [0.2, 0.7]]\n\nW_K = [[0.6, 0.2], [0.1, 0.9]]\n\n"
        "| token | q1 | q2 | k1 | k2 |\n|---|---|---|---|---|\n"
        "| cat | 0.50 | 0.45 | 0.65 | 0.65 |\n| dog | 0.24 | 0.58 | 0.20 | 0.76 |\n"
        "| cow | 0.28 | 0.46 | 0.30 | 0.26 |\n"
    )
    found = [c for c in derive.verify(text).claims if c.line > 9]
    told = {c.quantity: c.verdict for c in found}
    assert len(told) == 12 and told.pop("K[3][2]") == "wrong"  # 0.08 + 0.54 = 0.62
    assert set(told.values()) == {"correct"}


def test_positions_that_are_listed_one_by_one_are_an_encoding():
    rows = [[sin(p), cos(p), sin(p / 100), cos(p / 100)] for p in range(3)]
    rows[2][2] = 0.198
    lines = "\n".join(
        f"- pos = {p}: " + "; ".join(f"{x:.3f}" for x in row) for p, row in enumerate(rows)
    )
    text = f"Positional encoding: sin(pos / 10000^(2i/4)) and the cosine.\n\n{lines}\n"
    assert errors(text) == [("0.198", "wrong")]


def test_columns_that_follow_from_each_other_are_checked_by_what_stands_over_them():
    text = (
        "0.6 + 0.4 = 1.0\n\n1.4 + (-0.4) = 1.0\n\n-0.2 + 0.2 = 0.0\n\n2.2 + 0.8 = 3.0\n\n"
        "| value | minus the mean | squared |\n|---|---|---|\n| 1.0 | -0.25 | 0.0625 |\n"
        "| 1.0 | -0.25 | 0.0625 |\n| 0.0 | -1.25 | 1.5652 |\n| 3.0 | 1.75 | 3.0625 |\n"
    )
    assert errors(text) == [("1.5652", "wrong")]  # 1.25 squared is 1.5625
    assert errors(text.replace("1.5652", "1.5625")) == []


def test_what_is_left_of_a_masked_row_is_a_list():
    text = (
        "Scores, divided and masked:\n\n[[1.5, -inf, -inf], [0.8, 0.5, -inf], [0.9, -0.2, 0.7]]\n\n"
        "Row 2: exponentials 2.226, 1.649, and their sum is 2.226 + 1.649 = 3.875.\n"
    )
    found = [c.verdict for c in derive.verify(text).claims if c.line == 5 and c.printed != "2"]
    assert found == ["correct"] * 2 + ["correct"] * 2 + ["propagated"]  # e^.8 + e^.5 = 3.8743


def test_a_number_divided_by_the_root_that_stands_between():
    text = "1. 1.01 * 0.4 + 0.96 * 1.2 = 1.556, divided by √2 that is 1.100.\n"
    assert [c.verdict for c in derive.verify(text).claims if c.printed == "1.100"] == ["correct"]


@pytest.mark.parametrize(("said", "is_slip"), [("0.417", True), ("0.352", False)])
def test_a_number_of_the_text_with_two_digits_swapped(said, is_slip):
    text = f"softmax([1, 2, 1.5]) = [0.186, 0.507, 0.307]. The last one gets {said} of it.\n"
    text = text.replace("0.417", "0.370")  # 0.307 was meant
    assert (("0.370", "wrong") in errors(text)) is is_slip


def test_the_negative_of_a_result_is_no_slip():
    text = "ln(0.5) = -0.693. The loss of that word is 0.693, a positive number.\n"
    assert errors(text) == []


def test_infinities_in_a_printout_are_part_of_it():
    cells = (
        "```python\nimport torch\nS = torch.tensor([[2.0, 1.0], [3.0, 5.0]])\n"
        "mask = torch.triu(torch.ones(2, 2), diagonal=1).bool()\n"
        "C = S.masked_fill(mask, float('-inf'))\nC\n```\n\n"
        "```\ntensor([[2.0, -inf],\n        [3.0, 5.0]])\n```\n"
    )
    assert [c.printed for c in derive.verify(cells).claims if c.line > 8] == ["2.0", "3.0", "5.0"]


def test_the_entries_of_a_row_are_no_formula_that_stands_twice():
    text = "$$\nX = \\begin{bmatrix}\n  1 & 0 & 1 & 0 \\\\\n  0 & 1 & 0 & 1\n\\end{bmatrix}\n$$\n"
    assert verdicts(text, "X[") + verdicts(text, "H[") == ["assumed"] * 8


def test_weights_are_not_looked_up_in_other_weights_by_a_list_of_noughts_and_ones():
    text = (
        "x_1 = [1, 0, 1], x_2 = [0, 1, 1].\n\nW_Q = [[1, 0], [0, 1], [1, 1]], "
        "W_K = [[0, 1], [1, 0], [1, 1]].\n\nq_1 = x_1 W_Q = [2, 1], k_1 = x_1 W_K = [1, 2].\n"
    )
    assert errors(text) == []


def test_the_weights_of_the_last_row_are_not_all_the_weights():
    text = (
        "Q = [[0.0, 0.0], [0.0, -1.0]]\n\nK = [[0.0, 0.0], [1.0, -1.0]]\n\n"
        "V = [[0.0, 0.0], [2.0, 0.0]]\n\nQK^T = [[0.0, 0.0], [0.0, 1.0]]\n\n"
        "Divided by √2: [[0.000, 0.000], [0.000, 0.707]]\n\n"
        "Row 1: exponentials 1.000, 1.000; weights 0.500, 0.500.\n\n"
        "Row 2: exponentials 1.000, 2.028; weights 0.330, 0.670.\n\n"
        "AV = [[1.000, 0.000], [1.340, 0.000]]\n"
    )
    assert errors(text) == []


def test_a_table_of_lists_may_count_its_rows():
    text = (
        "q = [0.5, 1.2]\n\n| t | k_t | v_t |\n|---|---|---|\n| 1 | (1.0, 0.2) | (0.3, 0.7) |\n"
        "| 2 | (0.4, 0.9) | (0.8, 0.1) |\n\nscores [0.74, 1.28]\n"
    )
    assert verdicts(text, "K[") == ["assumed"] * 4
    assert [c.verdict for c in derive.verify(text).claims if c.line == 8] == ["correct"] * 2
