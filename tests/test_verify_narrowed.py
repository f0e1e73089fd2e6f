"""What names a matrix does not make it that; what n counts; the softmax of columns; n - 1."""

from __future__ import annotations

import pytest

import derive
from derive.verify.documents.tongues import has_comma_language

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


@pytest.mark.parametrize(
    ("text", "right", "other"),
    [
        (r"$\tfrac14 (2 + 4 + 6 + 9) = 5.25$", "5.25", "5.52"),
        (r"$\frac12 \cdot 3 = 1.5$", "1.5", "1.05"),
        (r"$\dfrac 34 = 0.75$", "0.75", "0.57"),
        (r"$\frac1{16} = 0.0625$", "0.0625", "0.0652"),
    ],
)
def test_a_fraction_without_braces_takes_a_digit_each(text, right, other):
    assert verdicts(text)[right] == "correct"
    assert verdicts(text.replace(right, other))[other] == "wrong"


def test_what_is_divided_by_a_printed_value_may_bear_its_rounding():
    """4.5 / 2.52 is 1.786, and 4.5 by the root itself 1.782."""
    text = r"""x = (2.0, 0.5, 1.0, 4.5), $RMS(x) = \sqrt{6.375} = 2.52$.

$x / RMS(x) = (0.79, 0.20, 0.40, 1.79)$
"""
    assert verdicts(text)["1.79"] == "propagated"
    assert verdicts(text.replace("1.79", "1.97"))["1.97"] == "wrong"


def test_heads_put_side_by_side_keep_what_was_printed_of_them():
    """Two rows, of which one column is like an output: the other repeats another head."""
    text = """X = [[1, 2], [3, 1]]

A_1 = [[0.450, 0.550], [0.354, 0.646]]

0.450*1 + 0.550*3 = 2.100 and 0.354*1 + 0.646*3 = 2.292

A_2 = [[0.525, 0.475], [0.525, 0.475]]

0.525*2 + 0.475*1 = 1.525 and 0.525*2 + 0.475*1 = 1.525

concat = [[2.100, 1.525], [2.292, 1.525]]
"""
    assert "wrong" not in verdicts(text).values()


def test_a_row_with_a_label_like_the_others_is_no_head():
    """1 and 2 behind row 1 do not count the columns."""
    weights = "".join(f"| row {i} | {a} | {b} |\n" for i, a, b in ((1, 1, 2), (2, 0, 1)))
    text = f"X = [[2, 1], [3, -1]]\n\nW_Q:\n\n{weights}\nQ = [[2, 5], [3, {{}}]]\n"
    assert verdicts(text.format(5))["5"] == "correct"
    assert verdicts(text.format(7))["7"] == "wrong"


def test_probabilities_of_the_labels_are_those_of_their_rows():
    """The softmax of (1, 0.7, 1.5) begins with 0.2950."""
    text = """y_1 = 3; y_2 = 3; y_3 = 1

logits = [[0.3, -0.7, -0.6], [0.8, -0.5, 0.7], [1.0, 0.7, 1.5]]

P = softmax(logits) = [[0.56, 0.21, 0.23], [0.46, 0.13, 0.42], [0.30, 0.22, 0.49]]

p_y = [0.23, 0.42, {}]

L = -ln(p_y) = [1.47, 0.88, 1.22]
"""

    def wrong(p):
        claims = derive.verify(text.format(p), "a.md").claims
        return [c.printed for c in claims if c.verdict == "wrong"]

    assert wrong("0.30") == []
    assert wrong("0.22") == ["0.22"]


def test_the_width_of_keys_is_their_rows_where_tokens_are_columns():
    """K is 2 by 3, a column for each token: d_k is 2."""
    text = """X =
2 1 0
0 1 1
1 0 2

W_Q =
1 0 1
0 1 0

W_K =
0 1 1
1 0 0

Q = W_Q X
3 1 2
0 1 1

K = W_K X
1 1 3
2 1 0

K^T Q
3 3 4
3 2 3
9 3 6

divided by sqrt(d_k) = 1.41
2.12 2.12 2.83
2.12 1.41 2.12
6.36 2.12 4.24
"""
    claims = derive.verify(text, "a.txt").claims
    assert "wrong" not in {c.verdict for c in claims}
    spoilt = text.replace("6.36 2.12 4.24", "6.36 2.12 4.42").replace("1.41\n", "1.73\n", 1)
    assert [c.printed for c in derive.verify(spoilt, "a.txt").claims if c.verdict == "wrong"] == [
        "1.73",
        "4.42",
    ]


def test_a_table_with_which_an_article_begins_is_given():
    text = "|  | size | taste |\n|---|---|---|\n| orange | 0 | 3 |\n| apple | 3 | 4 |\n"
    assert {c.verdict for c in derive.verify(text, "a.md").claims} == {"assumed"}


@pytest.mark.parametrize("row", ["Row {}", "Riga {}", "第 {} 行"])
def test_rows_in_bullets_under_a_name_are_a_matrix_of_that_name(row):
    """-0.3 * 0.8 - 0.4 * 0.8 - 0.9 * 0.6 is -1.10."""

    def listed(name, *rows):
        items = (f"- {row.format(i)}: {r}" for i, r in enumerate(rows, 1))
        return f"**{name}**\n\n" + "\n".join(items) + "\n\n"

    text = listed("X", [-0.3, -0.4, -0.9], [-0.2, -0.5, 0.8], [0.8, -0.9, 1.0])
    text += listed("W_Q", [0.8, 0.2], [0.8, -0.4], [0.6, -0.2])
    text += listed("Q", "[-1.10, 0.28]", "[-0.08, 0.00]", "[0.52, 0.32]")
    assert verdicts(text)["-1.10"] == verdicts(text)["0.52"] == "correct"
    wrong = verdicts(text.replace("0.52", "0.62"))
    assert [p for p, v in wrong.items() if v == "wrong"] == ["0.62"]


WEIGHTS = """q = [1, 2] and K = [[1, 0], [0, 1], [1, 1]]

    q·k1 = 1*1 + 2*0 = 1
    q·k2 = 1*0 + 2*1 = 2
    q·k3 = 1*1 + 2*1 = 3

divide by sqrt(2):

    [0.707, 1.414, 2.121]

softmax:

    {}
"""


def test_weights_behind_divided_scores_are_of_these():
    """Those of 1, 2, 3 may stand there only behind the right ones, to be compared."""
    right, raw = "[0.140, 0.284, 0.576]", "[0.090, 0.245, 0.665]"
    assert verdicts(WEIGHTS.format(raw))["0.665"] == "wrong"
    compared = WEIGHTS.format(f"{right}\n\nThe softmax of the scores themselves:\n\n    {raw}")
    assert "wrong" not in verdicts(compared).values()


def test_a_nought_before_a_comma_and_three_digits_groups_no_thousands():
    text = "$S = [8, 0, -20]$\n\n$$S / \\sqrt{2} = [5,657 ; 0,000 ; -14,142]$$"
    assert verdicts(text)["5,657"] == "correct"


# --- (article, file, number, verdict): by hand, 14/3 = 4.6667, 26/3 = 8.6667, e² = 7.38906
THREE_PLACES = [
    ("e² ≈ 7,389.", "a.md", "7,389", "correct"),
    ("e² ≈ 7,398 und e³ ≈ 20,086.", "a.md", "7,398", "wrong"),
    ("e² ≈ 7,398 und e³ ≈ 20,086.", "a.md", "20,086", "correct"),
    ("De variantie is 26/3 = 8,667. De kosten: 1.250 euro.", "a.md", "8,667", "correct"),
    ("Gegeben x = 2,25. Die Varianz ist 14/3 ≈ 4,667.", "a.md", "4,667", "correct"),
    ("Falsch ist e² ≈ 7,5. Richtig ist e² ≈ 7,389.", "a.md", "7,389", "correct"),
    ("---\nlang: de\n---\nMit x = 2,718 ist x² = 7,388.", "a.md", "7,388", "correct"),
    ("---\nlang: de\n---\nEs sind 2^10 = 1,024 Zeilen.", "a.md", "1,024", "correct"),
    ('<html lang="fr"><p>On a 14/3 ≈ 4,676.</p></html>', "a.html", "4,676", "wrong"),
    ("There are 2^10 = 1,024 rows and 32 · 128 = 4,096 weights.", "a.md", "4,096", "correct"),
    ("There are 2^10 = 1,042 rows.", "a.md", "1,042", "wrong"),
    ("Here e² = 7.389 and 3 · 400 = 1,200.", "a.md", "1,200", "correct"),
]


@pytest.mark.parametrize(("text", "file", "number", "expected"), THREE_PLACES)
def test_three_places_are_decimals_or_thousands_as_the_article_holds(text, file, number, expected):
    found = derive.verify(text, file)
    assert [c.verdict for c in found.claims if c.printed == number] == [expected]


@pytest.mark.parametrize(
    ("head", "has_commas"),
    [
        ("---\ntitle: x\nlang: pl-PL\n---\n", True),
        ("---\nlang: en\n---\nlang: de\n", False),
        ("---\nlang: de-CH\n---\n", False),
        ('<!doctype html>\n<html class="a" lang="pt-BR">', True),
        ('<html lang="en">', False),
        ("#+LANGUAGE: nl\n", True),
        (r"\documentclass{article}\usepackage[english,ngerman]{babel}", True),
        (r"\documentclass{article}\usepackage[ngerman,english]{babel}", False),
        (r"\setdefaultlanguage{french}", True),
    ],
)
def test_a_language_with_decimal_commas_is_declared_at_the_head(head, has_commas):
    assert has_comma_language(head) == has_commas


MASKED = r"""$$
QK^T = \begin{bmatrix} 4 & 2 & 0 \\ 2 & 6 & 4 \\ 0 & 4 & 6 \end{bmatrix}
$$

Divided by $\sqrt{d_k} = 2$:

$$
\frac{QK^T}{2} = \begin{bmatrix} 2.0 & 1.0 & 0.0 \\ 1.0 & 3.0 & 2.0 \\ 0.0 & 2.0 & 3.0 \end{bmatrix}
$$

$$
M = \begin{bmatrix} 2.0 & -\infty & -\infty \\ 1.0 & 3.0 & -\infty \\ 0.0 & 2.0 & 3.0 \end{bmatrix}
$$

Softmax of each row:

$$
A = \begin{bmatrix} 1.000 & 0.000 & 0.000 \\ 0.090 & 0.665 & 0.245 \\
0.035 & 0.259 & 0.705 \end{bmatrix}
$$
"""


def test_a_mask_that_is_printed_binds_where_one_row_forgets_it():
    """Rows 1 and 3 of the weights agree with the masked scores; row 2 is not masked."""
    found = [c.printed for c in derive.verify(MASKED, "a.md").claims if c.verdict == "wrong"]
    assert found == ["0.090", "0.665", "0.245"]


def test_pairs_may_be_turned_by_the_printed_sine_and_cosine():
    """1 x 0.8415 + 0.5 x 0.5403 is 1.11165; by the exact sine and cosine it is 1.1116."""
    text = """x' = x·cos − y·sin, y' = x·sin + y·cos (RoPE), q at position 1, k at position 3.

q = [1.0, 0.5]
k = [0.8, -0.6]

| m | cos(m) | sin(m) |
|---|---|---|
| 1 | 0.5403 | 0.8415 |
| 3 | -0.9900 | 0.1411 |

q' = [0.1196, 1.1117]
"""
    seen = {c.printed: c.verdict for c in derive.verify(text, "a.md").claims}
    assert seen["1.1117"] == "propagated"


def test_definitions_in_each_other_are_followed_so_far_only():
    """Forty letters, each the sum of all before it, in a circle at last."""
    letters = [f"u_{{{i}}}" for i in range(10, 50)]
    lines = [
        f"${name} = {' + '.join(letters[:k] or letters[-1:])}$" for k, name in enumerate(letters)
    ]
    report = derive.verify("\n\n".join(lines) + "\n\n$1 + 1 = 3$\n", "a.md")
    assert [c.printed for c in report.claims if c.verdict == "wrong"] == ["3"]


def test_a_remark_between_a_name_and_its_numbers_leaves_the_name():
    """x1 ("The") is a row of the input; q2 = x2 W_Q is then (1, 0 + 1 x 1) and no input."""
    text = """* x1 ("The") = (0.5, 1)
* x2 ("cat") = (1, -0.5)

W_Q = [[1, 0.5], [0, 1]]

* The: q1 = (0.5, 1.25)
* cat: q2 = (1, 0)
"""
    assert [c.verdict for c in derive.verify(text, "a.md").claims if c.line > 5] == ["correct"] * 4
    spoilt = text.replace("q2 = (1, 0)", "q2 = (1, 2)")
    assert [c.printed for c in derive.verify(spoilt, "a.md").claims if c.verdict == "wrong"] == [
        "2"
    ]
