"""What a head, a label or a sentence means is meant, however much of it is wrong."""

import pytest

from derive import verify


def wrong(text):
    """What is wrong, and what it should be."""
    return [(c.printed, c.right) for c in verify(text).claims if c.verdict == "wrong"]


def test_weights_beside_powers_are_made_from_these():
    """z/Σz = 1/3, 2/3, 0; e^z/Σe^z = 0.245, 0.665, 0.090."""
    rows = "| 1 | 2.718 | 0.333 |\n| 2 | 7.389 | 0.667 |\n| 0 | 1.000 | 0.000 |\n"
    for head in ("p", "weight", "softmax"):
        text = f"| z | $e^z$ | {head} |\n|---|---|---|\n{rows}"
        assert wrong(text) == [("0.333", "0.245"), ("0.667", "0.665"), ("0.000", "0.090")]
        causes = {c.cause for c in verify(text).claims if c.verdict == "wrong"}
        assert causes == {("not exponentiated", ())}
    assert wrong("| z | share |\n|---|---|\n| 1 | 0.333 |\n| 2 | 0.667 |\n| 0 | 0.000 |\n") == []


@pytest.mark.parametrize(
    "label, last", [("sum", "1.000"), ("**total**", "1.000"), ("Summe", "1.0")]
)
def test_a_row_of_sums_may_have_one_wrong(label, last):
    """2.718 + 1.649 + 1.961 = 6.328."""
    rows = (
        "| a | 1 | 2.718 | 0.4295 |\n| b | 0.5 | 1.649 | 0.2605 |\n| c | 0.6733 | 1.961 | 0.3099 |"
    )
    text = (
        f"| token | s | $e^s$ | weight |\n|---|---|---|---|\n{rows}\n| {label} | | %s | {last} |\n"
    )
    assert wrong(text % "6.829") == [("6.829", "6.328")] * (last == "1.000")
    assert wrong(text % "6.328") == []


@pytest.mark.parametrize(
    "sentence",
    [
        "The numbers are 2, 4 and 9. Their mean is {}.",
        "We have the scores 2, 4 and 9; their mean is {}.",
        "Die Zahlen sind 2, 4 und 9. Ihr Mittelwert ist {}.",
        "Les nombres sont 2, 4 et 9. Leur moyenne est {}.",
        "Los números son 2, 4 y 9. Su media es {}.",
        "Os valores são 2, 4 e 9. A sua média é {}.",
        "Числа: 2, 4 и 9. Их среднее равно {}.",
        "这些数是 2、4 和 9。它们的平均值是 {}。",
        "De getallen zijn 2, 4 en 9. Hun gemiddelde is {}.",
    ],
)
def test_their_mean(sentence):
    """(2 + 4 + 9)/3 = 5."""
    assert wrong(sentence.format(6)) == [("6", "5")]
    assert wrong(sentence.format(5)) == []


def test_a_mean_of_something_else():
    assert wrong("The scores are 2, 4 and 9. The mean of all 10 scores is 6.") == []
    assert wrong("The table has 2, 4 and 9 rows. Their mean is 6.") == []


@pytest.mark.parametrize("name", [r"\mathrm{log\_softmax}", r"\text{log\_softmax}", "log_softmax"])
def test_a_name_with_an_escaped_underscore(name):
    """ln(e/(e + e² + e³)) = -2.4076, and so on."""
    text = f"${name}([1, 2, 3]) = [-2.4076, -1.4706, -0.4076]$"
    assert wrong(text if "\\" in text else text.strip("$")) == [("-1.4706", "-1.4076")]


@pytest.mark.parametrize(
    "text, found",
    [
        (r"$0.001 \cdot 40 = 0.05$", [("0.05", "0.04")]),
        (r"$0.001 \cdot 2^2 = 0.002$", [("0.002", "0.004")]),
        (r"$0.0005 \cdot 3 = 0.0016$", [("0.0016", "0.0015")]),
        (r"$0.001 \cdot 40 = 0.04$", []),
        (r"$0.215 \cdot 2 = 0.431$", []),  # 0.2154 · 2 = 0.4308
    ],
)
def test_a_single_digit_is_no_rounded_operand(text, found):
    assert wrong(text) == found


def test_digits_of_a_fraction_without_an_end_stand_for_it():
    """-ln(1/3) = 1.0986, -ln(0.3333) = 1.0987; -ln(2/7) = 1.2528 and -ln(0.2857) = 1.2528."""
    rows = "| 1 | 0.5 | 0.6931 |\n| 2 | 0.25 | 1.3863 |\n| 3 | 0.3333 | {} |\n"
    head = "| example | p | -ln p |\n|---|---|---|\n"
    for right in ("1.0986", "1.0987"):
        assert wrong(head + rows.format(right)) == []
    assert wrong(head + rows.format("1.0968")) != []
