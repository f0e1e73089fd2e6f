"""Labels that only words tell, and lists that only a word of some language introduces."""

import mpmath
import pytest

from derive.verify import verify

Z = (1.2, -0.3, 0.8, 2.1)
TOLD = [
    ("The correct class is the {}.", ("first", "second", "third", "fourth")),
    ("La bonne classe est la {}.", ("première", "deuxième", "troisième", "quatrième")),
    ("Правильный ответ - {} токен.", ("первый", "второй", "третий", "четвёртый")),
    ("正确的是{}个词。", ("第一", "第二", "第三", "第四")),
    ("המחלקה הנכונה היא ה{}.", ("ראשונה", "שנייה", "שלישית", "רביעית")),
]


def found(text):
    """The verdicts on each printed number, in the order of the text."""
    return [(c.printed, c.verdict) for c in verify(text, "a.md").claims]


def softmax(row):
    """The shares of the exponentials."""
    powers = [mpmath.e ** mpmath.mpf(x) for x in row]
    return [x / sum(powers) for x in powers]


def shown(row, places=4):
    """A list as an article prints it."""
    return f"[{', '.join(f'{float(x):.{places}f}' for x in row)}]"


@pytest.mark.parametrize(("sentence", "numerals"), TOLD)
@pytest.mark.parametrize("right", [0, 3])
def test_the_gradient_where_words_tell_the_right_class(sentence, numerals, right):
    p = softmax(Z)
    gradient = [x - (k == right) for k, x in enumerate(p)]
    text = (
        f"z = [1.2, -0.3, 0.8, 2.1]. {sentence.format(numerals[right])}\n\np = {shown(p)}\n\n"
        f"$$\\frac{{\\partial L}}{{\\partial z_i}} = p_i - y_i$$\n\ndL/dz = "
    )
    assert {v for _, v in found(text + shown(gradient) + "\n")[8:]} == {"correct"}
    spoilt = [v for _, v in found(text + shown(p) + "\n")[8:]]  # y was forgotten
    assert [v == "wrong" for v in spoilt] == [k == right for k in range(4)]


def test_a_class_counted_from_0_or_1_is_left_open():
    p = softmax(Z)
    text = (
        f"The correct class is 2. z = [1.2, -0.3, 0.8, 2.1], p = {shown(p)} and "
        f"p - y = {shown([x - (k == 2) for k, x in enumerate(p)])}.\n"
    )
    assert not [v for _, v in found(text) if v in ("wrong", "consequence")]


def test_smoothed_labels_that_words_tell():
    p, q = softmax(Z), (0.025, 0.925, 0.025, 0.025)
    terms = [-a * mpmath.log(b) for a, b in zip(q, p, strict=True)]
    text = (
        "Suavizado de etiquetas con ε = 0.1; la clase correcta es la segunda. "
        f"z = [1.2, -0.3, 0.8, 2.1]\n\np = {shown(p)}\n\n"
        f"$-q_1 \\ln p_1 = {float(terms[0]):.4f}$, $-q_3 \\ln p_3 = {float(terms[2]) + 0.02:.4f}$\n"
    )
    assert [v for _, v in found(text)][-2:] == ["correct", "wrong"]


@pytest.mark.parametrize("word", ["น้ำหนัก", "משקלים", "βάρη", "wights", "ponderile"])
def test_weights_of_two_digits_under_any_word(word):
    scores = (1.1, 0.4, -0.6)
    e, w = [mpmath.exp(x) for x in scores], softmax(scores)
    head = f"s = [1.1, 0.4, -0.6]\n\n- exp: {shown(e, 3)}\n- {word}: "
    assert {v for _, v in found(head + shown(w, 2) + "\n")[6:]} == {"correct"}
    spoilt = [v for _, v in found(head + shown([w[0] + 0.01, *w[1:]], 2) + "\n")[6:]]
    assert spoilt == ["wrong", "correct", "correct"]


def test_the_largest_entry_without_brackets():
    for largest in (r"$c = \max x = {}$", r"$m = \max_j x_j = {}$", "c = max x = {}"):
        for number, verdict in (("1003", "correct"), ("1002", "wrong")):
            text = f"x = [1000, 1001, 1003]\n\n{largest.format(number)}\n"
            assert found(text)[3:] == [(number, verdict)]


@pytest.mark.parametrize(
    "sentence", ["Kvadratsumman är {}.", "Сума квадратів {}.", "La somme des carrés est {}."]
)
def test_a_whole_sum_of_squares_in_words(sentence):
    head = "x = [2, 4, 7, 3] and d = [-2, 0, 3, -1]. "
    assert found(head + sentence.format(14) + "\n")[-1] == ("14", "correct")


@pytest.mark.parametrize("label", ["pos={}:", "PE({}):", "row {}:", "- पंक्ति {}:", "位置 {}："])
def test_rows_behind_a_word_and_a_number(label):
    table = [(f(k / 100**e)) for k in range(4) for e in (0, 1) for f in (mpmath.sin, mpmath.cos)]
    rows = [[f"{float(x):.4f}" for x in table[4 * k : 4 * k + 4]] for k in range(4)]
    rows[2][2] = "0.0002"
    lines = [f"  {label.format(k)}  {' '.join(row)}" for k, row in enumerate(rows)]
    text = "Positional encoding with 10000^(2i/d), d = 4\n\n" + "\n".join(lines) + "\n"
    verdicts = [v for _, v in found(text)][-16:]
    assert [k for k, v in enumerate(verdicts) if v != "correct"] == [10]
    assert verdicts[10] == "wrong"


@pytest.mark.parametrize("sign", [r"-\log_2 p_3", r"-\log_{{2}} p_3", "-log2(p_3)", "-log_2(p_3)"])
def test_logarithms_to_base_2(sign):
    bits = -mpmath.log(mpmath.mpf("0.15"), 2)
    head = f"p = [0.25, 0.05, 0.15, 0.55]\n\n${sign.format()} = "
    assert found(f"{head}{float(bits):.4f}$\n")[-1][1] == "correct"
    assert found(f"{head}{float(bits) + 0.3:.4f}$\n")[-1][1] == "wrong"


def test_degrees_are_none_where_radians_agreed():
    text = "sin(1) = 0.841\n\ncos(1) = 0.540\n\ncos(3/10) = 1.000\n"
    assert [v for _, v in found(text) if v == "wrong"] == ["wrong"]


@pytest.mark.parametrize(
    "words",
    [
        "pesi in percentuale: 59.5, 29.6, {}",
        "Prozent: [59.5, 29.6, {}]",
        "百分比：[59.5, 29.6, {}]",
    ],
)
def test_percentages_without_a_sign(words):
    head = "s = [1.1, 0.4, -0.6]\n\nweights: [0.595, 0.296, 0.109]\n\n"
    for last, verdict in (("10.9", "correct"), ("11.9", "wrong")):
        assert [v for _, v in found(head + words.format(last) + "\n")][6:] == [
            "correct",
            "correct",
            verdict,
        ]


def test_numbers_that_add_up_to_no_hundred_are_no_percentages():
    text = "weights: [0.595, 0.296, 0.109]\n\nages: [59.5, 29.6, 17.0]\n"
    assert "wrong" not in {v for _, v in found(text)}


def test_smoothed_labels_as_a_list():
    head = (
        "Label smoothing, ε = 0.1; the correct class is the second.\n\np = [0.2, 0.1, 0.1, 0.6]\n\n"
    )
    spoilt = [v for _, v in found(head + "q = [0.025, 0.925, 0.025, 0.035]\n")][-4:]
    assert spoilt == ["correct", "correct", "correct", "wrong"]
