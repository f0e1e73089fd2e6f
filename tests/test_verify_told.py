"""What words, arrows and other rows tell of a result: gradients, biases, targets, logarithms."""

import math

import pytest

from derive.verify import verify

LOGITS = ((2.0, 0.5, -1.0), (0.3, 1.7, 0.2), (-0.5, 0.4, 0.9))
SCORES = ((1.0, 0.2, 0.4), (0.3, 1.1, 0.6), (0.5, 0.2, 0.9))
BIASED = [[s - abs(i - j) / 2 for j, s in enumerate(row)] for i, row in enumerate(SCORES)]


def verdicts(text, last):
    """The verdicts on the last numbers of an article."""
    return [claim.verdict for claim in verify(text, "a.md").claims][-last:]


def softmax(row):
    """The shares of the exponentials."""
    total = sum(map(math.exp, row))
    return [math.exp(x) / total for x in row]


def shown(row, places=3):
    """A list as an article prints it."""
    return f"[{', '.join(f'{x:.{places}f}' for x in row)}]"


def grid(rows):
    """A matrix in LaTeX."""
    body = r" \\ ".join(" & ".join(f"{x:.2f}" for x in row) for row in rows)
    return rf"\begin{{bmatrix}} {body} \end{{bmatrix}}"


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("The correct class is the second one.", "The gradient with respect to the logits is "),
        ("正确答案是第二类。", "因此梯度为 "),
        ("La clase correcta es la segunda.", "El gradiente es "),
    ],
)
def test_a_gradient_is_no_list_of_probabilities(target, said):
    p = softmax((0.2, 1.7))
    text = f"logits z = [0.2, 1.7]. {target}\n\nsoftmax: {shown(p)}\n\n{said}"
    assert verdicts(text + shown(p) + "\n", 2) == ["correct", "wrong"]
    assert verdicts(text + shown((p[0], p[1] - 1)) + "\n", 2) == ["correct", "correct"]


def test_probabilities_from_which_a_gradient_is_taken_are_right():
    p = softmax((0.2, 1.7))
    text = "logits z = [0.2, 1.7]. The correct class is the second one.\n\n"
    text += f"For the gradient we start from {shown(p)} and subtract 1 at the right place.\n"
    assert "wrong" not in verdicts(text, 9)


def test_a_length_in_place_of_the_root_mean_square():
    # 9 + 16 = 25: (0.6, 0, 0.8) has length 1; over 3 entries the root is 5 / sqrt(3) = 2.887
    text = "Normalise the vector x = (3, 0, 4) with {}: (0.600, 0, 0.800).\n"
    assert verdicts(text.format("RMSNorm"), 3) == ["wrong", "correct", "wrong"]
    assert "wrong" not in verdicts(text.format("its length, to a unit vector, not RMSNorm"), 3)


def test_a_sine_that_is_added():
    c, s = math.cos(1), math.sin(1)
    text = "RoPE. The key k = (1, 1, 1, 0) stands at position 1 (base 10000).\n\nk' = "
    rest = (s + c, math.cos(0.01), math.sin(0.01))
    assert verdicts(text + shown((c + s, *rest), 4) + "\n", 4) == ["wrong", *["correct"] * 3]
    assert verdicts(text + shown((c - s, *rest), 4) + "\n", 4) == ["correct"] * 4


@pytest.mark.parametrize(("second", "expected"), [(SCORES, "wrong"), (BIASED, "correct")])
def test_a_bias_that_one_row_forgets(second, expected):
    bias = [[-abs(i - j) / 2 for j in range(3)] for i in range(3)]
    text = (
        f"# ALiBi\n\nThe slope is $m = 0.5$.\n\n$$S = {grid(SCORES)}$$\n\n$$B = {grid(bias)}$$\n\n"
    )
    text += f"$$S + B = {grid(BIASED)}$$\n\nThe weights are {shown(softmax(BIASED[0]))}, "
    text += f"{shown(softmax(second[1]))} and {shown(softmax(BIASED[2]))}.\n"
    assert verdicts(text, 9) == ["correct"] * 3 + [expected] * 3 + ["correct"] * 3


def test_weights_without_a_bias_are_right_where_words_say_so():
    bias = [[-abs(i - j) / 2 for j in range(3)] for i in range(3)]
    text = (
        f"# ALiBi\n\nThe slope is $m = 0.5$.\n\n$$S = {grid(SCORES)}$$\n\n$$B = {grid(bias)}$$\n\n"
    )
    text += f"$$S + B = {grid(BIASED)}$$\n\nRow 1: {shown(softmax(BIASED[0]))}. "
    text += f"Without the bias row 2 would be {shown(softmax(SCORES[1]))}.\n"
    assert "wrong" not in verdicts(text, 9)


@pytest.mark.parametrize(("last", "expected"), [(4, "wrong"), (3, "correct")])
def test_rows_behind_words_and_arrows_are_one_matrix(last, expected):
    text = "X = [[1, 0], [0, 2], [1, 1]]\n\nW_K = [[1, 2], [0, 1]]\n\nKeys:\n\n"
    text += f"cat → [1, 2]\ndog → [0, 2]\nbird → [1, {last}]\n"
    assert verdicts(text, 6) == ["correct"] * 5 + [expected]


@pytest.mark.parametrize(("last", "expected"), [("-1.609", "correct"), ("-1.906", "wrong")])
def test_logarithms_of_numbers_in_running_text(last, expected):
    text = "Of cat 0.5, dog 0.3 and bird 0.2 the natural logarithms: -0.693, -1.204, "
    assert verdicts(f"{text}{last}.\n", 3) == ["correct", "correct", expected]


@pytest.mark.parametrize("target", [1, 2])
def test_the_loss_of_a_row_is_of_the_word_that_its_line_aims_at(target):
    words = ("cat", "dog", "bird")
    text = "The words are [cat, dog, bird]. Logits:\n\n"
    for row, aim in zip(LOGITS, (0, 1, target), strict=True):
        text += f"{shown(row, 1)}, target: {words[aim]}\n"
    rows = [softmax(row) for row in LOGITS]
    text += "\nSoftmax:\n\n" + "".join(f"{shown(row)}\n" for row in rows)
    text += f"\nL1 = -ln({rows[0][0]:.3f}) = 0.241\n\nL2 = -ln({rows[1][1]:.3f}) = 0.386\n\n"
    assert verdicts(f"{text}L3 = {-math.log(rows[2][target]):.3f}\n", 1) == ["correct"]
    assert verdicts(f"{text}L3 = {-math.log(rows[2][3 - target]):.3f}\n", 1) == ["wrong"]


@pytest.mark.parametrize(("last", "expected"), [("1.900", "correct"), ("2.100", "wrong")])
def test_a_gain_and_a_shift_of_any_name(last, expected):
    # x2 = (2, 2, 4, 4): mean 3, deviation 1; 2 * 1 - 0.1 = 1.9
    rows = "| x1 | -1.342 | -0.447 | 0.447 | 1.342 |\n| x2 | -1.000 | -1.000 | 1.000 | 1.000 |\n"
    head = "| | f1 | f2 | f3 | f4 |\n|---|---|---|---|---|\n"
    text = f"{head}| x1 | 1 | 3 | 5 | 7 |\n| x2 | 2 | 2 | 4 | 4 |\n\nNormalised:\n\n{head}{rows}\n"
    text += "With g = (1.5, 1.0, 0.5, 2.0) and u = (0.1, 0.0, 0.0, -0.1):\n\n"
    text += f"{head}| x1 | -1.912 | -0.447 | 0.224 | 2.583 |\n"
    text += f"| x2 | -1.400 | -1.000 | 0.500 | {last} |\n"
    assert verdicts(text, 8) == ["correct"] * 7 + [expected]


def test_words_of_two_signs_are_no_letters_over_columns():
    # 0.9 * 0.8 + 0.8 * 0.1 = 0.8; the lengths are 1.2042 and 0.8062
    text = "| 词 | 甜 | 红 |\n|---|---|---|\n| 苹果 | 0.9 | 0.8 |\n| 香蕉 | 0.8 | 0.1 |\n"
    text += "| 西瓜 | 0.7 | 0.9 |\n\n余弦相似度：\n\n| | 苹果 | 香蕉 | 西瓜 |\n|---|---|---|---|\n"
    text += "| 苹果 | 1.000 | 0.824 | 0.983 |\n| 香蕉 | 0.824 | 1.000 | 0.770 |\n"
    text += "| 西瓜 | 0.983 | 0.707 | 1.000 |\n"
    assert verdicts(text, 9) == [*["correct"] * 5, "wrong", *["correct"] * 3]


def test_products_in_the_first_cells_of_a_table():
    text = "RoPE: for d = 4 the angles are θ_1 = 1 and θ_2 = 0.01, the position is 3.\n\n"
    text += "| angle | cos | sin |\n|---|---|---|\n"
    text += f"| 3θ_1 = 3 | {math.cos(3):.4f} | {math.sin(3):.4f} |\n"
    text += f"| 3θ_2 = 0.03 | {math.cos(0.03):.4f} | 0.3000 |\n"
    assert verdicts(text, 6)[1:3] == ["correct", "correct"]
    assert verdicts(text, 2) == ["correct", "wrong"]


JOINED = "拼接 = [[1, 2, 3, 0], [0, 1, 1, 1], [1, 0, 2, 1]]\n\n"
JOINED += "W_O = [[1, 0], [0, 1], [2, 1], [0, 1]]\n\n"


@pytest.mark.parametrize(
    "said", ["拼接 W_O = {}", "Multiplied by W_O:\n\n{}", "拼接 W_O = {}\n\n拼接 W_O = {}"]
)
def test_a_word_for_a_matrix_beside_weights(said):
    """(1 + 6, 2 + 3), (2, 1 + 1 + 1), (1 + 4, 2 + 1), by hand; W_O is no result."""
    assert verdicts(JOINED + said.replace("{}", "[[7, 5], [2, 3], [5, 3]]"), 6) == ["correct"] * 6
    spoilt = verdicts(JOINED + said.replace("{}", "[[7, 5], [2, 2], [5, 3]]"), 6)
    assert spoilt == ["correct"] * 3 + ["wrong"] + ["correct"] * 2


def test_a_word_beside_the_name_that_it_tells_of():
    text = "scores = [[2, 1], [0, 1]]\n\nS = [[1, 1], [0, 2]]\n\nscores S = [[0, 1], [1, 0]]\n"
    assert not {"wrong", "consequence"} & set(verdicts(text, 12))


SQUARES = [
    "Sum of squares: 9 + 1 + 4 + 16 = {}\n\nMean: {} / 4 = {:.1f}\n\n"
    "RMS(x) = sqrt({:.1f}) = {:.3f}\n\nx / RMS(x) = {}\n\nRMSNorm(x) = {}\n",
    "$9 + 1 + 4 + 16 = {}$\n\n$\\overline{{x^2}} = {} / 4 = {:.1f}$\n\n"
    "$\\mathrm{{RMS}}(x) = \\sqrt{{{:.1f}}} = {:.3f}$\n\n$x / \\mathrm{{RMS}}(x) = {}$\n\n"
    "$\\mathrm{{RMSNorm}}(x) = {}$\n",
]


@pytest.mark.parametrize("lines", SQUARES)
def test_a_wrong_sum_in_whole_numbers_goes_on(lines):
    """28 in place of 30, and what is divided by the root of its quarter."""
    x, gain = (3, -1, 2, 4), (1.0, 2.0, 0.5, 1.0)
    for total in (30, 28):
        root = round(math.sqrt(total / 4), 3)
        rows = [[a / root for a in x], [a / root * g for a, g in zip(x, gain, strict=True)]]
        text = f"x = {list(x)}, g = {list(gain)}\n\n" + lines.format(
            total, total, total / 4, total / 4, root, *map(shown, rows)
        )
        found = verdicts(text, 9)
        assert set(found) <= ({"correct", "propagated"} if total == 30 else {"consequence"})
