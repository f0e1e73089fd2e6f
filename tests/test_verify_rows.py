"""Rows worked one after the other, and results that words introduce, in many languages.

The figures are worked out here in floats; some are spoilt on purpose.
"""

import math

import pytest

from derive.verify import verify

Q, K, V = [[1, 0], [2, 1]], [[1, 1], [0, 2]], [[2, 0], [3, 5]]


def verdicts(text):
    """The verdicts on each printed number, in the order of the text."""
    return [(c.printed, c.verdict) for c in verify(text, "a.md").claims]


def product(a, b):
    """a b."""
    return [
        [sum(x * y for x, y in zip(r, c, strict=True)) for c in zip(*b, strict=True)] for r in a
    ]


def softmax(row):
    """The shares of the exponentials."""
    powers = [math.exp(x) for x in row]
    return [x / sum(powers) for x in powers]


def listed(row, mark=", "):
    """A list as an article prints it."""
    return "[" + mark.join(f"{x:.3f}" for x in row) + "]"


SCORES = product(Q, [list(c) for c in zip(*K, strict=True)])
SCALED = [[x / math.sqrt(2) for x in row] for row in SCORES]
WEIGHTS = [softmax(row) for row in SCALED]
RAW = [softmax(row) for row in SCORES]
GIVEN = f"Q = {Q}, K = {K}, V = {V}."
LANGUAGES = {
    "en": ("The dot products come out as", "and after division by √2 we have",
           "so the weights come out as", "which leaves the outputs"),
    "de": ("Die Skalarprodukte lauten", "geteilt durch √2 sind das",
           "der Softmax davon liefert die Gewichte", "und die Ausgabe ist"),
    "es": ("Los puntajes son", "divididos por √2 quedan", "entonces los pesos son",
           "y la salida es"),
    "zh": ("点积得分为", "除以 √2 后得到", "于是得到注意力权重", "输出为"),
    "ko": ("점수 행렬은", "√2로 나누면", "그래서 가중치는", "출력은"),
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("is_scaled", [True, False])
def test_words_introduce_weights_and_a_forgotten_scale_is_found(language, is_scaled):
    dots, divided, weighed, mixed = LANGUAGES[language]
    weights = WEIGHTS if is_scaled else RAW
    shown = [", ".join(map(listed, m)) for m in (SCALED, weights, product(weights, V))]
    text = f"{GIVEN}\n\n{dots} {SCORES}, {divided} [{shown[0]}].\n\n"
    text += f"{weighed} [{shown[1]}], {mixed} [{shown[2]}].\n"
    printed = [f"{x:.3f}" for row in weights for x in row]
    told = [v for p, v in verdicts(text) if p in printed]
    assert set(told) == ({"correct"} if is_scaled else {"wrong"}), told


@pytest.mark.parametrize("spoilt", [None, 1])
def test_a_row_that_leaves_out_the_scale_is_wrong(spoilt):
    weights = [WEIGHTS[0], RAW[1] if spoilt else WEIGHTS[1]]
    text = GIVEN + "\n\n"
    for scaled, row in zip(SCALED, weights, strict=True):
        text += f"除以 √2 后是 {listed(scaled)}，得到注意力权重 {listed(row)}。\n\n"
    told = verdicts(text)
    assert all(v == "correct" for p, v in told if p in ("0.670", "0.330"))
    if spoilt:
        assert [v for p, v in told if p in ("0.731", "0.269")] == ["wrong", "wrong"]
    assert not any(v in ("wrong", "consequence") for _, v in told) or spoilt


@pytest.mark.parametrize("words", [("first", "second"), ("पहला शब्द", "दूसरा शब्द")])
def test_two_digits_swapped_in_the_next_row_without_brackets(words):
    rows = [[f"{x:.3f}" for x in row] for row in SCALED]
    assert rows[1] == ["2.121", "1.414"]
    text = f"{GIVEN}\n\nQ·K gives {SCORES}. Divided by √2:\n\n"
    text += f"- {words[0]}: {', '.join(rows[0])}\n- {words[1]}: 2.121, 1.441\n"
    assert ("1.441", "wrong") in verdicts(text)
    assert ("2.121", "correct") in verdicts(text)


def measured(row):
    """Mean, deviations, variance, deviation and the normalised row."""
    mean = sum(row) / len(row)
    apart = [x - mean for x in row]
    variance = sum(x * x for x in apart) / len(row)
    return mean, apart, variance, [x / math.sqrt(variance) for x in apart]


TOLD = {
    "en": "mean {:g}, deviations {}, variance {:.2f}, standard deviation {:.2f}. Normalised: {}",
    "de": "Mittelwert {:g}; Abweichungen {}; Varianz {:.2f}; Standardabweichung {:.2f}."
    " Normiert: {}",
    "ko": "평균 {:g}, 편차 {}, 분산 {:.2f}, 표준편차 {:.2f}. 정규화한 결과는 {}",
    "pl": "średnia {:g}, odchylenia {}, wariancja {:.2f}, odchylenie standardowe {:.2f}."
    " Po normalizacji: {}",
}


@pytest.mark.parametrize("language", TOLD)
@pytest.mark.parametrize("is_spoilt", [False, True])
def test_a_normalisation_told_in_sentences(language, is_spoilt):
    text = "X = [[2, 4, 9], [1, 1, 4]]\n\n"
    for place, row in enumerate([[2, 4, 9], [1, 1, 4]]):
        mean, apart, variance, normal = measured(row)
        if is_spoilt and place == 1:
            variance = 2.60
            normal = [x / math.sqrt(variance) for x in apart]
        shown = ", ".join(f"{x:.2f}" for x in apart)
        shown = TOLD[language].format(mean, shown, variance, math.sqrt(variance), listed(normal))
        text += f"Token {place + 1}: {shown}.\n\n"
    told = verdicts(text)
    bad = [p for p, v in told if v in ("wrong", "consequence")]
    assert bad[:2] == (["2.60", "1.61"] if is_spoilt else []), told
    assert [v for p, v in told if p == "2.60"] == (["wrong"] if is_spoilt else [])


def test_inputs_and_outputs_by_turns_are_added_row_by_row():
    text = "Token A enters as [1.0, 3.0, 2.0], the sublayer gives [0.4, -0.2, 1.0].\n"
    text += "Token B enters as [0.5, -1.5, 4.0], the sublayer gives [1.5, 0.5, -2.0].\n\n"
    told = verdicts(text + "Added up: A [1.4, 2.8, 3.0], B [2.0, -1.0, 2.0].\n")
    assert ("2.8", "correct") in told
    assert ("-1.0", "correct") in told


def test_heads_that_share_the_columns_of_one_input():
    X = [[1, 2, 0, 1], [0, 1, 1, 3]]
    text = f"X = {X}. The first head takes the first two columns, the second head the rest.\n\n"
    for first in (0, 2):
        cut = [row[first : first + 2] for row in X]
        scores = product(cut, [list(c) for c in zip(*cut, strict=True)])
        weights = [softmax([x / math.sqrt(2) for x in row]) for row in scores]
        shown = [listed(row) for row in weights]
        if first:
            shown[1] = shown[0]
        text += f"Scores: {scores}. The weights are {' / '.join(shown)}.\n\n"
    text = text.replace("the second head", "the second of the two heads")
    told = verdicts(text)
    assert [v for p, v in told if p == "0.893"] == ["correct"]
    assert [v for p, v in told if p == "0.196"] == ["correct", "wrong"]


def test_what_counts_the_items_of_a_list_is_no_number():
    told = verdicts("x = (4, 7, 1, 8)\n\n1. Mean: (4 + 7 + 1 + 8) / 4 = 5.\n2. Sum: 20.\n")
    assert [p for p, _ in told].count("2") == 0


def test_a_name_that_means_another_thing_does_not_hide_a_sum():
    text = "K = [[0.2, 0.9], [1.0, -0.4]]\n\nq = [1.2, 0.6], k = [0.8, 1.1]\n\n"
    text += "q·k1 = 1.2×0.2 + 0.6×0.9 = 0.78\n\nq·k2 = 1.2×1.0 + 0.6×(-0.4) = 0.98\n"
    assert ("0.78", "correct") in verdicts(text)
    assert ("0.98", "wrong") in verdicts(text)
