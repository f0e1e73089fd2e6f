"""Tables with blanks above the diagonal, biases by the distance, and what text says once more.

The figures are worked out here, in floats; some are spoilt on purpose.
"""

from math import exp, log, sqrt

import pytest

from derive.verify import verify

SCORES = [[1.2], [0.4, 0.9], [1.0, 0.3, 1.6], [0.7, 0.2, 0.5, 1.1]]
SLOPE = 0.25
BIASES = [[SLOPE * (j - i) for j in range(i + 1)] for i in range(4)]


def shares(row):
    """softmax of one row."""
    return [exp(x) / sum(map(exp, row)) for x in row]


def added(rows, others):
    """The sum of two triangles."""
    return [[a + b for a, b in zip(r, s, strict=True)] for r, s in zip(rows, others, strict=True)]


def markdown(rows, places, blank=""):
    """A Markdown table of words with blanks above the diagonal."""
    body = [[f"{x:.{places}f}" for x in r] + [blank] * (4 - len(r)) for r in rows]
    lines = [f"| {w} | {' | '.join(r)} |" for w, r in zip("abcd", body, strict=True)]
    return "\n".join(["| | a | b | c | d |", "|---|---|---|---|---|", *lines, ""])


def html(rows, places, blank=""):
    """The same in HTML."""
    body = [[f"{x:.{places}f}" for x in r] + [blank] * (4 - len(r)) for r in rows]
    lines = [
        f"<tr><th>{w}</th>" + "".join(f"<td>{x}</td>" for x in r) + "</tr>"
        for w, r in zip("abcd", body, strict=True)
    ]
    head = "<tr><th></th><th>a</th><th>b</th><th>c</th><th>d</th></tr>"
    return "<table>\n" + "\n".join([head, *lines]) + "\n</table>\n"


def findings(text, name):
    """What is not right, and how many numbers nobody explains."""
    claims = verify(text, name).claims
    wrong = [(c.printed, c.verdict) for c in claims if c.verdict in ("wrong", "consequence")]
    return wrong, [c.printed for c in claims if c.verdict == "unchecked"]


@pytest.mark.parametrize("table", [markdown, html])
@pytest.mark.parametrize("blank", ["", "–"])
@pytest.mark.parametrize("slip", [False, True])
def test_biases_by_the_distance_leave_the_future_blank(table, blank, slip):
    """One bias is that of another distance; what follows of it is its consequence."""
    biases = [list(row) for row in BIASES]
    if slip:
        biases[3][1] = -SLOPE
    biased = added(SCORES, biases)
    heads = ("Scores", "Biases", "Toplam", "Weights")
    tables = [table(SCORES, 1, blank), table(biases, 2, blank), table(biased, 2, blank),
              table(map(shares, biased), 3, blank)]  # fmt: skip
    mark = "<h2>{}</h2>\n" if table is html else "## {}\n\n"
    text = "ALiBi: each score loses m times the distance, here m = 0.25.\n\n" + "\n".join(
        mark.format(head) + drawn for head, drawn in zip(heads, tables, strict=True)
    )
    wrong, left = findings(text, "a.html" if table is html else "a.md")
    last = [f"{x:.3f}" for x in shares(biased[3])]
    expected = [("-0.25", "wrong"), ("-0.05", "consequence"), *((x, "consequence") for x in last)]
    assert wrong == (expected if slip else [])
    assert left == []


@pytest.mark.parametrize("slip", [False, True])
def test_weights_of_scores_with_blanks_are_masked(slip):
    weights = [[f"{x:.3f}" for x in shares(row)] for row in SCORES]
    printed = [[float(x) for x in row] for row in weights]
    printed[2][1] += 0.02 * slip
    text = f"# Kausale Aufmerksamkeit\n\n{markdown(SCORES, 1)}\nSoftmax:\n\n{markdown(printed, 3)}"
    wrong, left = findings(text, "a.md")
    assert (wrong, left) == ([(f"{printed[2][1]:.3f}", "wrong")] if slip else [], [])


EXPS = [exp(x) for x in (2.2, 0.4, -1.0)]
SHARES = [f"{e / sum(EXPS):.3f}" for e in EXPS]  # 0.829, 0.137, 0.034


@pytest.mark.parametrize("word", ["Therefore", "Also", "donc", "よって"])
@pytest.mark.parametrize("slip", [False, True])
def test_shares_of_what_was_just_summed_up(word, slip):
    first = "0.289" if slip else SHARES[0]
    text = (
        "7.1  The exponentials are e^2.2 = 9.025, e^0.4 = 1.492 and e^-1.0 = 0.368;\n"
        f"     they sum to 9.025 + 1.492 + 0.368 = 10.885. {word}\n"
        f"     p = ({first}, {SHARES[1]}, {SHARES[2]}).\n"
    )
    assert findings(text, "a.txt")[0] == ([("0.289", "wrong")] if slip else [])


def test_a_number_told_again_with_fewer_places():
    """1.2445 is 1.24; 1.25 is made of the rounded 1.245, and no other number."""
    assert f"{1.76 / sqrt(2):.4f}" == "1.2445"
    for printed, verdict in (("1.24", "correct"), ("1.25", "propagated")):
        text = f"The score is 1.76/sqrt(2) = 1.245, or {printed} to two decimals.\n"
        assert verify(text, "a.txt").claims[-1].verdict == verdict


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        ("So the second word has a weight of 0.23.", "correct"),
        ("So the second word has a weight of 0.32.", "wrong"),
        ("第二个词的权重是 0.32。", "wrong"),
        ("If the weight were 0.32, all would change.", "unchecked"),
        ("In the last chapter the second weight was 0.32.", "unchecked"),
        ("Schon ab 36 ist das Gewicht nahe bei 1, mit 36.", "unchecked"),
        ("The learning rate 0.32 is chosen by hand.", "unchecked"),
    ],
)
def test_a_weight_of_two_digits_in_a_sentence(sentence, verdict):
    weights = ", ".join(f"{x:.3f}" for x in shares([2.0, 1.0, 0.5]))
    assert "0.231" in weights
    text = f"s = [2.0, 1.0, 0.5]\n\n$\\text{{softmax}}(s) = [{weights}]$\n\n{sentence}\n"
    assert verify(text, "a.md").claims[-1].verdict == verdict


@pytest.mark.parametrize("slip", [False, True])
def test_signs_escaped_in_markdown_and_a_repeated_layer(slip):
    """0.9 stands for max(0, -0.9); the layer and the sum follow from it."""
    x, W1, b1 = (0.6, -0.4), ((1.0, -0.5, 0.3), (0.5, 2.0, -1.0)), (0.1, 0.2, 0.0)
    W2, b2 = ((0.5, 1.0), (-1.0, 0.4), (2.0, 0.3)), (0.0, 0.1)
    h = [sum(x[i] * W1[i][j] for i in (0, 1)) + b1[j] for j in range(3)]
    kept = [abs(v) if slip else max(0.0, v) for v in h]
    F = [f"{sum(kept[i] * W2[i][j] for i in range(3)) + b2[j]:.3f}" for j in (0, 1)]
    total = [f"{x[j] + float(F[j]):.3f}" for j in (0, 1)]
    listed = ", ".join(f"{v:.2f}" for v in kept)
    text = (
        "$$\\text{FFN}(x) = \\max(0, xW_1 + b_1)W_2 + b_2$$\n\n"
        "$x = [0.6, -0.4]$, $W_1 = [[1.0, -0.5, 0.3], [0.5, 2.0, -1.0]]$, $b_1 = [0.1, 0.2, 0.0]$, "
        "$W_2 = [[0.5, 1.0], [-1.0, 0.4], [2.0, 0.3]]$, $b_2 = [0.0, 0.1]$\n\n"
        "1. 0.6\\*1.0 + (-0.4)\\*0.5 + 0.1 = 0.50\n"
        "2. 0.6\\*(-0.5) + (-0.4)\\*2.0 + 0.2 = -0.90\n"
        "3. 0.6\\*0.3 + (-0.4)\\*(-1.0) + 0.0 = 0.58\n\n"
        f"$$\\max(0, [0.50, -0.90, 0.58]) = [{listed}]$$\n\n"
        f"$$\\text{{FFN}}(x) = [{', '.join(F)}]$$\n\n"
        f"$$x + \\text{{FFN}}(x) = [0.6, -0.4] + [{', '.join(F)}] = [{', '.join(total)}]$$\n"
    )
    follows = [(v, "consequence") for v in (*F, *F, *total)]
    assert findings(text, "a.md")[0] == ([("0.90", "wrong"), *follows] if slip else [])


def test_whole_logits_over_a_temperature_are_no_size():
    """(6, 2) is (1.5, 0.5) / 0.25, and its weights are 1 / (1 + e^-4) and the rest."""
    first = 1 / (1 + exp(-4))
    assert abs(log(first / (1 - first)) - 4) < 1e-9
    text = (
        "Logits (1.5, 0.5) at temperature T = 0.25 become (6, 2), so the\n"
        f"     probabilities are {first:.4f} and {1 - first:.4f}.\n"
    )
    claims = {c.printed: c.verdict for c in verify(text, "a.txt").claims}
    assert [claims[x] for x in ("6", "2", "0.9820", "0.0180")] == ["correct"] * 4


@pytest.mark.parametrize("over", [3, 2])
def test_a_variance_over_one_less_where_the_others_are_over_all(over):
    """What is printed of the second row follows from a sum of squares over 2, not over 3."""
    rows = [(1.0, 3.0, 2.0), (0.5, 4.0, 2.1)]
    means = [sum(row) / 3 for row in rows]
    squares = [[(x - m) ** 2 for x in row] for row, m in zip(rows, means, strict=True)]
    spread = [sqrt(sum(squares[0]) / 3), sqrt(sum(squares[1]) / over)]
    normal = [
        [f"{(x - m) / s:.3f}" for x in row] for row, m, s in zip(rows, means, spread, strict=True)
    ]
    told = [" + ".join(f"{q:.3f}" for q in row) for row in squares]
    variances = [f"{sum(squares[0]) / 3:.3f}", f"{sum(squares[1]) / over:.3f}"]
    text = (
        "With $\\mu=\\frac13\\sum_j x_j$ and $\\sigma^2=\\frac13\\sum_j (x_j-\\mu)^2$:\n\n"
        "$X = [[1.0, 3.0, 2.0], [0.5, 4.0, 2.1]]$\n\n"
        f"$\\mu_1 = {means[0]:.3f}$, $\\mu_2 = {means[1]:.3f}$\n\n"
        f"$\\sigma_1^2 = ({told[0]})/3 = {variances[0]}$, $\\sigma_1 = {spread[0]:.3f}$\n\n"
        f"$\\sigma_2^2 = ({told[1]})/{over} = {variances[1]}$, $\\sigma_2 = {spread[1]:.3f}$\n\n"
        f"$\\text{{LN}}(X) = [[{', '.join(normal[0])}], [{', '.join(normal[1])}]]$\n"
    )
    follows = [(x, "consequence") for x in (f"{spread[1]:.3f}", *normal[1])]
    assert findings(text, "a.md")[0] == ([(variances[1], "wrong"), *follows] if over == 2 else [])


@pytest.mark.parametrize(("printed", "verdict"), [("3.606", "correct"), ("3.660", "wrong")])
def test_a_deviation_is_the_root_of_the_variance_before(printed, verdict):
    """The squares of 2, 4, 9 about 5 are 26 in all; over 2 that is 13, and its root 3.6056."""
    assert f"{sqrt((9 + 1 + 16) / 2):.3f}" == "3.606"
    text = f"x = [2, 4, 9], mean 5.\n\nvar = (9 + 1 + 16)/2 = 13\n\nstd = {printed}\n"
    assert verify(text, "a.md").claims[-1].verdict == verdict
