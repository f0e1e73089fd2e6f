"""What is done with a list, told by a name beside the next one; and points in thousands.

Every value that must be right is worked out here in floats or by hand; one entry is spoilt.
"""

import math

import pytest

from derive.verify import verify

LAYER = """x = [1.0, -2.0]

W1 = [[0.5, -1.0, 2.0], [0.3, 0.4, 0.1]], b1 = [0.1, 0.0, -0.2]

W2 = [[1.0, 0.0], [2.0, 1.0], [-0.5, 0.6]], b2 = 0

x·W1 + b1 = [0.0, -1.8, 1.6]

ReLU → [0.0, 0.0, 1.6]

{product} [{first}, 0.96]

{residual} [0.20, -1.04]
"""


def verdicts(text, name="a.md"):
    """The verdict on each printed number, the last of those that are printed alike."""
    return {claim.printed: claim.verdict for claim in verify(text, name).claims}


def wrong(text, name="a.md"):
    """The numbers that are said to be wrong."""
    return [claim.printed for claim in verify(text, name).claims if claim.verdict == "wrong"]


@pytest.mark.parametrize(
    ("product", "residual"),
    [
        ("times W2 →", "plus the residual x →"),
        ("· W2 =", "+ x ="),
        ("Multiply by $W_2$:", "Add $x$:"),
        ("乘以 W2：", "加上 x："),
        ("dikali W2 →", "ditambah residual x →"),
    ],
)
@pytest.mark.parametrize("first", ["-0.80", "-0.83"])
def test_a_list_times_a_matrix_and_the_residual(product, residual, first):
    """(0, 0, 1.6) W2 = (1.6 · -0.5, 1.6 · 0.6) = (-0.8, 0.96); with x that is (0.2, -1.04)."""
    told = verdicts(LAYER.format(product=product, residual=residual, first=first))
    assert told[first] == ("correct" if first == "-0.80" else "wrong")
    assert told["0.96"] == told["0.20"] == told["-1.04"] == "correct"


def test_a_name_may_be_given_another_value():
    text = "k = [1.0, 0.3]\n\nq = [0.5, 2.0]\n\nk = [0.2, 0.9]\n"
    assert set(verdicts(text).values()) == {"assumed"}


@pytest.mark.parametrize("last", ["1.38", "1.83"])
def test_a_sum_of_lists_line_below_line(last):
    text = f"```\n[0.20, 0.40]\n+ [0.91, 0.98]\n= [1.11, {last}]\n```\n"
    assert wrong(text) == [last] * (last != "1.38")


def test_points_that_group_thousands_beside_decimal_points():
    """512 · 512 = 262144; 4 times that is 1048576; 2048 + 512 is 2560, and no 2561."""
    text = (
        "Setiap proyeksi: 512 × 512 = 262.144, empat: 4 × 262.144 = 1.048.576.\n\n"
        "Bias: 2048 + 512 = 2.561. Skor: 3.1 * 2 = 6.200 dan e^2 = 7.389.\n"
    )
    assert wrong(text) == ["2.561"]
    (claim,) = (claim for claim in verify(text, "a.md").claims if claim.verdict == "wrong")
    assert (claim.exact, claim.right) == ("2560", "2.560")
    assert verdicts(text)["1.048.576"] == verdicts(text)["7.389"] == "correct"


def test_a_mask_in_a_session_of_R():
    """Rows of exp(s) up to the diagonal over their sums, in floats."""
    scores = [[1.0, 0.5], [0.25, 2.0]]
    second = [math.exp(x) for x in scores[1]]
    shares = [x / sum(second) for x in second]
    text = (
        "# base R\ns <- matrix(c(1.0, 0.5, 0.25, 2.0), nrow = 2, byrow = TRUE)\n\n"
        "> round(s, 2)\n     [,1] [,2]\n[1,] 1.00  0.5\n[2,] 0.25  2.0\n\n"
        "> s[upper.tri(s)] <- -Inf\n"
        "> a <- t(apply(s, 1, function(v) exp(v) / sum(exp(v))))\n> round(a, 4)\n"
        "       [,1]   [,2]\n[1,] 1.0000 0.0000\n"
        f"[2,] {shares[0]:.4f} {shares[1]:.4f}\n"
    )
    told = verdicts(text, "a.txt")
    assert told["1.0000"] == told["0.0000"] == told[f"{shares[0]:.4f}"] == "correct"


@pytest.mark.parametrize("call", ["RoPE(k, 3)", "rot(3, k)", "R(k, 3)"])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_rotation_that_is_called(call, sign):
    """(x, y) by the angle t is (x cos t - y sin t, x sin t + y cos t): by 3, and by 3/100."""
    pairs = []
    for x, y, t, way in ((0.4, 1.2, 3.0, sign), (-0.6, 0.7, 0.03, 1)):
        c, s = math.cos(t), way * math.sin(t)
        pairs += [f"{x * c - y * s:.4f}", f"{x * s + y * c:.4f}"]
    text = f"# RoPE\n\nk = [0.4, 1.2, -0.6, 0.7]\n\n{call} = [{', '.join(pairs)}]\n"
    assert wrong(text) == (pairs[:2] if sign < 0 else [])


@pytest.mark.parametrize("entry", ["2.0", "3.0"])
def test_scores_and_biases_in_tables_of_their_own(entry):
    """Each score less half its distance: the entry of the third row is 2.5 - 0.5 = 2."""
    table = "| | | |\n|---|---|---|\n"
    text = (
        f"# ALiBi\n\nThe scores:\n\n{table}| 2.0 | 1.0 | 0.5 |\n| 1.0 | 1.5 | 2.0 |\n"
        "| 0.5 | 2.5 | 1.0 |\n\nThe slope is m = 0.5; the future is masked. The biases:\n\n"
        f"{table}| 0.0 | −∞ | −∞ |\n| -0.5 | 0.0 | −∞ |\n| -1.0 | -0.5 | 0.0 |\n\nThe sum:\n\n"
        f"{table}| 2.0 | −∞ | −∞ |\n| 0.5 | 1.5 | −∞ |\n| -0.5 | {entry} | 1.0 |\n"
    )
    assert wrong(text) == [entry] * (entry == "3.0")


@pytest.mark.parametrize(("formula", "right"), [(r"\frac{\varepsilon}{K}", 0), ("ε/(K-1)", 1)])
def test_smoothed_labels_are_those_of_the_formula(formula, right):
    """(1 - 0.1) + 0.1/3 = 0.933 and 0.033, or 0.900 and 0.1/2 = 0.050."""
    lists = (("0.933", "0.033"), ("0.900", "0.050"))
    for place, (hot, rest) in enumerate(lists):
        text = (
            f"# Label smoothing\n\nK = 3, ε = 0.1, $q_k = (1-ε)\\, y_k + {formula}$.\n\n"
            f"$q = [{hot}, {rest}, {rest}]$\n"
        )
        assert bool(wrong(text)) == (place != right), (place, formula)


@pytest.mark.parametrize("half", ["3√2/2", "(3√2)/2", "3/√2"])
def test_a_number_right_before_a_root(half):
    """3/√2 = 3√2/2 = 2.1213..."""
    told = verdicts(f"x = 3/√2 = {half} ≈ 2.121\n\ny = 1 − {half} ≈ {1 - 3 / math.sqrt(2):.3f}\n")
    assert {told["2.121"], told["-1.121"]} == {"correct"}
    assert not wrong(f"z = 3/√2 = {half}    w = 2/√2 = √2\n")


@pytest.mark.parametrize("shown", ["-0.832", "-0.823"])
def test_a_number_right_before_a_cosine(shown):
    """2 cos 2 = -0.8323 in floats; 3 (cos² 2 + sin² 2) = 3."""
    text = f"S = 2cos(2) ≈ {shown}\n\nT = 3cos(2)² + 3sin(2)² ≈ 3.000\n"
    assert f"{2 * math.cos(2):.3f}" == "-0.832"
    assert wrong(text) == [shown] * (shown != "-0.832")


@pytest.mark.parametrize("last", ["4", "5"])
def test_an_equation_over_several_lines(last):
    """With t = 2: ((-1/4 - 7/4)² + (15/4 - 7/4)²)/2 = (4 + 4)/2 = 4."""
    text = (
        "t = 2\n\n  v = ((−1/(t + 2) − (2t + 3)/(t + 2))² + ((4t + 7)/(t + 2) − (2t + 3)/(t\n"
        f"           + 2))²)/2\n        = {last}\n\n  y = 2·t\n         + 3·t\n      = 10\n"
    )
    assert wrong(text) == [last] * (last == "5")


def test_items_of_a_list_are_no_terms():
    text = "Scores: q·k = 3\n  - scaled: 1.5\n  - other: 0.5\n\n- s = 3\n    + t = 4\n"
    assert not wrong(text)


@pytest.mark.parametrize("corner", ["2", "3"])
def test_a_product_of_drawn_matrices_of_unlike_heights(corner):
    """(1, 1) times ((1, 1), (0, 1)) is (1, 2)."""
    text = (
        "      ⎡1  0⎤          ⎡1  1⎤\n  K = ⎢0  1⎥ ⎡1  1⎤ = ⎢0  1⎥\n"
        f"      ⎣1  1⎦ ⎣0  1⎦   ⎣1  {corner}⎦\n"
    )
    assert wrong(text) == [corner] * (corner == "3")


def test_equations_side_by_side_that_end_with_a_letter():
    """Each of them is e or e² in the matrix too."""
    text = (
        "$$\\begin{aligned} E_{11} &= e & E_{12} &= e^{0} = 1 \\\\ E_{21} &= e & E_{22} &= e^{2}"
        "\\end{aligned}$$\n\n$$E = \\begin{bmatrix} e & 1 \\\\ e & e^{2} \\end{bmatrix} \\approx "
        "\\begin{bmatrix} 2.71828 & 1.00000 \\\\ 2.71828 & 7.38906 \\end{bmatrix}$$\n"
    )
    told = verdicts(text)
    assert told["2.71828"] == told["7.38906"] == "correct"


@pytest.mark.parametrize("name", ["T", "K", "B"])
def test_a_letter_on_the_next_line_is_no_unit(name):
    text = f"a = cos(2) ≈ -0.832\n\n{name} = 3\n\nb = cos(2) ≈ -0.823\n\n{name} = 4\n"
    assert wrong(text) == ["-0.832", "-0.823"]


def test_an_output_under_the_name_of_the_one_before_it():
    """The shares of e^1.414 and e^0.707, about (0.670, 0.330), times V: worked out in floats."""
    shares = [math.exp(x) for x in (1.414, 0.707)]
    first, second = (x / sum(shares) for x in shares)
    text = (
        "x = [0, 1]\n\nout = [2.5, 1.0]\n\nV = [[2.5, 1.0], [1.0, 0.0]]\n\n"
        f"softmax([1.414, 0.707]) = [{first:.3f}, {second:.3f}]\n\n"
        f"out = [{first * 2.5 + second:.3f}, {first:.3f}]\n"
    )
    assert not wrong(text)


@pytest.mark.parametrize("corner", ["-0.5", "-0.75"])
def test_biases_with_noughts_where_the_future_is_hidden(corner):
    """-0.25 (i - j) below the diagonal: the third row begins with -0.5."""
    text = (
        "# ALiBi\n\nThe slope is m = 0.25, the future is masked.\n\n"
        "$$QK^T = \\begin{pmatrix} 2 & 1 & 0 \\\\ 1 & 3 & 1 \\\\ 0 & 2 & 2 \\end{pmatrix}$$\n\n"
        "The biases are\n\n$$\\begin{pmatrix} 0 & 0 & 0 \\\\ -0.25 & 0 & 0 \\\\ "
        f"{corner} & -0.25 & 0 \\end{{pmatrix}}$$\n"
    )
    assert wrong(text) == [corner] * (corner == "-0.75")


def test_weights_that_a_program_writes_down_are_given():
    text = (
        "WK1 = np.array([[1, 0, 1],\n                [0, 1, 0],\n                [1, 0, 1]])\n"
        "WV1 = np.array([[0, 1, 1],\n                [1, 0, 0],\n                [1, 0, 1]])\n"
    )
    assert set(verdicts(text, "a.py").values()) == {"assumed"}


def test_the_same_weights_for_the_other_inputs():
    """(0, 2, 1, 0) W = (2, 1, 0) and (1, 1, 0, 1) W = (2, 1, 2), by hand."""
    text = (
        "Input 1: [1, 0, 0, 1]\nInput 2: [0, 2, 1, 0]\nInput 3: [1, 1, 0, 1]\n\n```\n"
        "               [0, 1, 1]\n[1, 0, 0, 1] x [1, 0, 0] = [1, 1, 2]\n"
        "               [0, 1, 0]\n               [1, 0, 1]\n```\n\n"
        "The same weights for the others give [2, 1, 0] and [2, 1, 2].\n"
    )
    last = [c.verdict for c in verify(text, "a.md").claims if c.line == 12]
    assert last == ["correct"] * 6


@pytest.mark.parametrize("entropy", ["1.014", "1.041"])
def test_the_entropy_of_shares_before_the_last(entropy):
    """-Σ p ln p of softmax(2, 1, 0.5, -1) is 1.0144 in floats; of those at T = 2 it is 1.24."""
    z = [2.0, 1.0, 0.5, -1.0]
    lists = []
    for heat in (1, 2):
        powers = [math.exp(x / heat) for x in z]
        lists.append([x / sum(powers) for x in powers])
    assert f"{-sum(p * math.log(p) for p in lists[0]):.3f}" == "1.014"
    first, second = (", ".join(f"{p:.3f}" for p in row) for row in lists)
    text = (
        f"z = [2.0, 1.0, 0.5, -1.0]\n\np = softmax(z) = [{first}]\n\nAt T = 2: "
        f"p = softmax(z/2) = [{second}]\n\nAt T = 1 the entropy is H = -Σ p ln p = {entropy}.\n"
    )
    assert wrong(text) == [entropy] * (entropy == "1.041")


def test_a_function_of_a_program_is_its_own():
    """With the base 100 the second pair is turned by 2/10, in floats."""
    q, pairs = [1.0, 0.5, -0.5, 2.0], []
    for x, y, angle in ((*q[:2], 2.0), (*q[2:], 0.2)):
        c, s = math.cos(angle), math.sin(angle)
        pairs += [f"{x * c - y * s:.4f}", f"{x * s + y * c:.4f}"]
    text = (
        "# RoPE\n\n```python\nimport numpy as np\nq = np.array([1.0, 0.5, -0.5, 2.0])\n"
        "theta = 100.0 ** (-np.arange(0, 4, 2) / 4)\ndef rope(x, m):\n"
        "    c, s = np.cos(m * theta), np.sin(m * theta)\n    out = np.empty_like(x)\n"
        "    out[0::2] = x[0::2] * c - x[1::2] * s\n    out[1::2] = x[0::2] * s + x[1::2] * c\n"
        f"    return out\nprint(rope(q, 2))\n```\n\n```\n[{' '.join(pairs)}]\n```\n"
    )
    assert not wrong(text)
