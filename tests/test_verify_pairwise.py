"""Parts of an article that are printed one by one: pairs of a turned vector, heads, units, columns.

The figures are worked out here, in floats, or by hand where a remark says so; some are spoilt on
purpose.
"""

import math

import pytest

from derive.verify import verify

TURNED, BASE, PLACE = (1, 0.5, -1, 2), 10_000, 2


def found(text, name="a.md"):
    """The verdicts on each printed number, in the order of the text."""
    return [(c.printed, c.verdict) for c in verify(text, name).claims]


def verdict(text, printed, name="a.md"):
    """The verdict on the last number that is printed so."""
    return [v for p, v in found(text, name) if p == printed][-1]


def pair(k, sign=1):
    """The pair k of the vector at its position, or turned the other way."""
    x, y = TURNED[2 * k : 2 * k + 2]
    angle = sign * PLACE * BASE ** (-2 * k / 4)
    c, s = math.cos(angle), math.sin(angle)
    return [f"{x * c - y * s:.3f}", f"{x * s + y * c:.3f}"]


ROPE = f"# RoPE\n\nPosition m = {PLACE}, base 10000: 10000^(-2i/d).\n\nq = {list(TURNED)}\n\n"
SPELT = {
    "by primes": "x' = {}, y' = {}\n\nThe second pair:\n\nx' = {}, y' = {}\n",
    "by places": "q'_1 = {}, q'_2 = {}, q'_3 = {}, q'_4 = {}\n",
    "as lists": "First pair: ({}, {})\n\nSecond pair: ({}, {})\n",
    "as names in brackets": "(x', y') = ({}, {})\n\nThen (x', y') = ({}, {})\n",
}


@pytest.mark.parametrize("spelt", SPELT)
def test_the_pairs_of_a_turned_vector_are_right_one_by_one(spelt):
    told = found(ROPE + SPELT[spelt].format(*pair(0), *pair(1)))
    assert [v for _, v in told[-4:]] == ["correct"] * 4


@pytest.mark.parametrize("spelt", SPELT)
def test_a_pair_that_is_turned_backwards_is_wrong(spelt):
    told = found(ROPE + SPELT[spelt].format(*pair(0), *pair(1, -1)))
    assert [v for _, v in told[-4:]] == ["correct", "correct", "wrong", "wrong"]


def test_one_wrong_entry_of_a_pair_is_found_by_the_other():
    x, y = pair(1)
    told = found(f"{ROPE}x' = {x}, y' = {float(y) - 0.1:.3f}\n")
    assert [v for _, v in told[-2:]] == ["correct", "wrong"]


# --- heads of which the weights are given: A1 V1 = [[1.2, 0.2], [1.6, 0.6]],
# A2 V2 = [[0, 2], [0.8, 1.2]]; [A1 V1, A2 V2] W_O by hand


HEADS = """# Head 1 and head 2

A1 = [[0.8, 0.2], [0.4, 0.6]]
A2 = [[0.5, 0.5], [0.1, 0.9]]
V1 = [[1, 0], [2, 1]]
V2 = [[-1, 3], [1, 1]]

Side by side:

| | 1 | 2 | 3 | 4 |
|---|---|---|---|---|
| a | 1.2 | 0.2 | 0.0 | 2.0 |
| b | 1.6 | 0.6 | {} | 1.2 |

W_O has 4 · 4 = 16 entries:

| | 1 | 2 | 3 | 4 |
|---|---|---|---|---|
| r1 | 1 | 0 | 0.5 | 0 |
| r2 | 0 | 1 | -1 | 0.5 |
| r3 | 2 | 0 | 1 | 1 |
| r4 | 0 | 0.5 | 0 | 1 |

We multiply concat · W_O:

| | 1 | 2 | 3 | 4 |
|---|---|---|---|---|
| a | {} |
| b | {} |
"""
RIGHT = "1.20 | 1.20 | 0.40 | 2.10", "3.20 | 1.20 | 1.00 | 2.30"
TRANSPOSED = "1.20 | 1.20 | 4.40 | 2.10", "2.00 | 0.40 | 5.20 | 1.50"


def test_heads_side_by_side_follow_from_their_weights():
    assert verdict(HEADS.format("0.8", *RIGHT), "0.8") == "correct"
    assert verdict(HEADS.format("0.9", *RIGHT), "0.9") == "wrong"


def test_a_product_in_words_is_not_that_with_the_weights_turned():
    assert {v for _, v in found(HEADS.format("0.8", *RIGHT))[-8:]} == {"correct"}
    wrong = [p for p, v in found(HEADS.format("0.8", *TRANSPOSED))[-8:] if v == "wrong"]
    assert wrong == ["4.40", "2.00", "0.40", "5.20", "1.50"]


# --- small letters of tokens beside the capital of all


DOTS = "q = [2, 0.7]\n\nK = [[1, 0], [0.5, 1], [2, -1]]\n\n"


def test_small_letters_with_numbers_are_the_rows_of_a_capital():
    told = found(f"{DOTS}q . k1 = 2.0\nq . k2 = 2.0\nq . k3 = 3.3\n")
    assert told[-3:] == [("2.0", "correct"), ("2.0", "wrong"), ("3.3", "correct")]


def test_rows_are_counted_from_0_where_the_article_does():
    told = found(f"{DOTS}q·k_0 = 2.0, q·k_1 = 1.7 and q·k_2 = 3.3\n")
    assert [v for _, v in told[-3:]] == ["correct"] * 3


# --- one word between two formulas


@pytest.mark.parametrize("word", ["i", "a", "y", "e", "o", "u", "и", "è"])
def test_a_word_of_one_letter_is_no_factor(word):
    text = f"{{}}: -1.309 / 2 = -0.6545 {word} -1.561 / 2 = -0.7{{}}."
    assert verdict(text.format("L", "805"), "-0.7805") == "correct"
    assert verdict(text.format("L", "905"), "-0.7905") == "wrong"


def test_a_letter_in_a_formula_is_a_factor():
    assert verdict("Let $a = 3$. Then $2 a -1 = 5$.", "5") == "correct"
    assert verdict("Let $a = 3$. Then $2 a -1 = 6$.", "6") == "wrong"


# --- columns of values, by rules and by spaces


ROWS = (("2 x 1 x 2", 4), ("2 x 12 x 64", 1536), ("2 x 24 x 64", 3072))


@pytest.mark.parametrize("gap", [" | ", "      "])
@pytest.mark.parametrize("off", [0, 100])
def test_whole_numbers_behind_their_sums_are_judged(gap, off):
    rows = [(sum_, value + off * (value == 3072)) for sum_, value in ROWS]
    edge = gap.strip()
    head = "| | sizes | floats |\n|---|---|---|\n" if edge else ""
    text = head + "".join(f"{edge} of{gap}{sum_}{gap}{value} {edge}\n" for sum_, value in rows)
    told = dict(found(f"Sizes\n\n{text}\nfloats.\n"))
    assert told["4"] == told["1536"] == "correct"
    assert told[str(3072 + off)] == ("wrong" if off else "correct")


def test_a_rank_behind_a_sum_is_no_value_of_it():
    text = "| a | 0.5 + 0.25 | 0.75 |\n| b | 0.5 + 0.5 | 1.00 |\n\nRanks:\n\n"
    assert (
        "wrong"
        not in dict(found(f"{text}| a | 0.5 + 0.25 | 2 |\n| b | 0.5 + 0.5 | 1 |\n")).values()
    )


# --- units of scale


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("37000 × 512 = 18944000, about 18.9M.", "18.9"),
        ("37000 × 512 = 18944000 ≈ 18.9M.", "18.9"),
        ("37000 · 512 = 18944000, also etwa 18.9 Mio.", "18.9"),
        ("词嵌入：37000 × 512 = 18944000，约 1894万。", "1894"),
        ("2147483648 / 1024³ = 2 GiB", "2"),
        ("2 × 1048576 × 1024 = 2 GiB", "2"),
    ],
)
def test_a_result_may_be_told_in_millions_or_gibibytes(text, printed):
    assert verdict(text, printed) == "correct"


def test_a_rounding_of_what_is_wrong_follows_from_it():
    assert verdict("37000 × 512 = 19844000, about 19.8M.", "19.8") == "consequence"


def test_a_letter_behind_a_number_may_be_a_matrix():
    text = "M = [[0, 1], [1, 0]], S = [[1, 2], [3, 4]].\n\nS + 1.5M = [[1, 3.5], [4.5, {}]]"
    assert verdict(text.format(4), "4") == "correct"
    assert verdict(text.format(5), "5") == "wrong"


# --- gradients, R, reStructuredText; by hand: A * (dA - rows of A * dA) = [[0.48, -0.48], ...]


@pytest.mark.parametrize(("entry", "told"), [("-0.48", "correct"), ("-0.43", "wrong")])
def test_a_gradient_is_one_thing_in_both_spellings(entry, told):
    text = (
        r"$A = [[0.6, 0.4], [0.3, 0.7]]$, $\frac{\partial L}{\partial A} = [[1, -1], [2, 1]]$. "
        r"$dS_{ij} = A_{ij} (dA_{ij} - \sum_k A_{ik} dA_{ik})$, so "
        rf"$\frac{{\partial L}}{{\partial S}} = [[0.48, {entry}], [0.21, -0.21]]$."
    )
    assert verdict(text, entry) == told


@pytest.mark.parametrize("made", ["2, byrow = TRUE", "2, 2, TRUE", "nrow = 2, byrow = TRUE"])
def test_a_matrix_of_R_takes_its_sizes_in_order(made):
    text = f"X <- matrix(c(1, 0, 2, 1), {made})\nY <- X %*% X\nY\n#>      [,1] [,2]\n"
    told = found(f"{text}#> [1,]    1    0\n#> [2,]    4    2\n", "a.R")
    assert [v for _, v in told[-4:]] == ["correct", "correct", "correct", "wrong"]


def test_the_line_before_a_literal_block_is_read():
    text = "The state is ``h = [1, 0.5]`` and\n``W_Q = [[1, 0.4], [2, 0.6]]``, so ::\n\n"
    assert verdict(f"{text}    q = h W_Q = [2.0, 0.8]\n", "0.8", "a.rst") == "wrong"
