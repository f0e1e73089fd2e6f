"""Norms, bars, factorials, temperatures, and functions in words; what is not read is unchecked."""

import pytest

from derive.verify import verify


def wrong(text):
    return {c.printed: c.right for c in verify(text, "a.md").claims if c.verdict == "wrong"}


@pytest.mark.parametrize(
    ("formula", "right", "mistake"),
    [
        ("$5! = {}$", "120", "121"),
        (r"$\frac{{4!}}{{2!}} = {}$", "12", "14"),
        (r"$\min(0.3, 0.2) = {}$", "0.2", "0.3"),
        (r"$|{{-3}}| = {}$", "3", "4"),
        ("The distance is $|2 - 7| = {}$.", "5", "4"),
        (r"$\lVert (3, 4) \rVert_2 = {}$", "5", "6"),
        (r"$x = (3, 4)$ and $\|x\| = {}$", "5", "7"),
        (r"$x = (1, 2)$, $y = (2, 3)$, $\langle x, y \rangle = {}$", "8", "6"),
        # e/(e + e²) after the halved scores: 1/(1 + √e) = 0.3775...
        ("`softmax([1, 2], T=2) = [{}, 0.622]`", "0.378", "0.269"),
        ("`softmax([1, 2], temperature=0.5) = [{}, 0.881]`", "0.119", "0.219"),
        ("softmax of [8, 4] = [{}, 0.018]", "0.982", "0.882"),  # 1/(1 + e⁻⁴)
        ("The softmax of [1, 2, 3] is [0.090, {}, 0.665].", "0.245", "0.254"),
        ("The mean of 5, 6 and 7 is {}.", "6", "8"),
        ("Die Summe von 0,5 und 0,25 ist {}.", "0,75", "0,85"),
    ],
)
def test_what_is_read(formula, right, mistake):
    assert wrong(formula.format(right)) == {}
    assert wrong(formula.format(mistake)) == {mistake: right}


@pytest.mark.parametrize(
    "formula",
    [
        r"$\arg\max(1, 5, 3) = 2$",
        r"$p = (0.1, 0.7, 0.2)$, $\arg\max_i p_i = 2$",
        r"$\operatorname{argmax}(1, 5, 3) = 1$",
        r"$A = \begin{bmatrix}1&2\\3&4\end{bmatrix}$, $\det A = 2$",
        "$LeakyReLU_{0.01}(-2) = -0.2$",
        "$f'(3) = 7$",
        "$" + " + ".join(rf"\sqrt{{{k}}}" for k in range(2, 400)) + " = 1$",
        "$" + "(" * 20_000 + "1" + ")" * 20_000 + " = 3$",
    ],
)
def test_what_is_not_read_is_not_checked(formula):
    last = verify(formula, "a.md").claims[-1]
    assert last.verdict == "unchecked" and last.why in ("formula not read", "too much")


@pytest.mark.parametrize(
    "text", ["| 1 | 2 |\n| 3 | 4 |", "|1|2|\n|3|4|", "p(2|1) = 0.5, p(1|2) = 0.4", "Stop! = 3"]
)
def test_bars_that_enclose_nothing(text):
    assert wrong(text) == {}


def test_a_bracket_at_the_end_of_a_line_is_no_factor():
    assert wrong("PE(pos) = sin( pos / 10000^(2 )\nand 1 + 1 = 2") == {}
    assert wrong("1 + 1 = 2 )\n2 + 2 = 4 ]\n") == {}
