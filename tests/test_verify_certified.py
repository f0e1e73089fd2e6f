"""Numbers that are right by chance, or but for what the article forgets, are not certified."""

from math import erf, exp, sqrt

import pytest

from derive import verify


def verdicts(text):
    return {c.printed: c.verdict for c in verify(text, "a.md").claims}


def wrong(text):
    return [c.printed for c in verify(text, "a.md").claims if c.verdict == "wrong"]


def test_a_percentage_speaks_of_shares_alone():
    """0.741 is exp(-0.3), which nobody speaks of; 0.731 is e / (1 + e), the softmax of 2 and 1."""
    text = "p = [0.2, 0.5, 0.3]. The second word gets {} %."
    assert exp(0.2 - 0.5) == pytest.approx(0.741, abs=5e-4)
    assert verdicts(text.format(74.1))["74.1 %"] == "unchecked"
    shares = "The scores are x = [1, 2]. The second word gets {} %, the first {} %."
    found = verdicts(shares.format("73.1", "26.9"))
    assert (found["73.1 %"], found["26.9 %"]) == ("correct", "correct")


ATTENTION = (
    r"With $Q = \begin{pmatrix} 1 & 0 \\ 1 & 1 \end{pmatrix}$, "
    r"$K = \begin{pmatrix} 1 & 1 \\ 0 & 2 \end{pmatrix}$ we get@ the weights@@ "
    r"$A = \begin{pmatrix} %.3f & %.3f \\ 0.500 & 0.500 \end{pmatrix}$."
)
SAID = [
    (r", after division by $\sqrt{2}$,", ""),
    ("", r" of scores that we divided by $\sqrt 2$"),
    ("", " (skalierte Gewichte)"),
]
UNSAID = [
    ("", ""),
    (" without scaling", ""),
    ("", r" (usually the scores are divided by $\sqrt 2$)"),
]


def weights(said, score):
    """The weights of the scores `score` and 0, and how they are announced."""
    first = exp(score) / (exp(score) + 1)
    text = ATTENTION.replace("@@", said[1]).replace("@", said[0])
    return text % (first, 1 - first)


@pytest.mark.parametrize("said", SAID)
def test_weights_are_divided_where_this_is_said(said):
    assert wrong(weights(said, 1 / sqrt(2))) == []
    assert wrong(weights(said, 1)) == ["0.731", "0.269"]


@pytest.mark.parametrize("said", UNSAID)
def test_weights_are_as_they_are_where_it_is_not(said):
    assert wrong(weights(said, 1)) == []


LAYER = r"""$x = (1, -0.5)$, $W_1 = \begin{bmatrix} 0.2 & -0.4 \\ 0.1 & 0.3 \end{bmatrix}$,
$b_1 = (0.1, 0)$, $W_2 = \begin{bmatrix} 1 & 0 \\ 0.5 & -0.5 \end{bmatrix}$, $b_2 = (0.2, 0.1)$

$h = xW_1 + b_1 = (0.25, -0.55)$

$\mathrm{GELU}(h) \approx (%.4f, %.4f)$, hence $y \approx (%.4f, %.4f)$@.
"""


def gelu(x):
    return x * (1 + erf(x / sqrt(2))) / 2


def layer(bias, behind=""):
    a, b = gelu(0.25), gelu(-0.55)
    return LAYER.replace("@", behind) % (a, b, a + b / 2 + bias[0], -b / 2 + bias[1])


def test_a_second_layer_has_its_bias():
    assert wrong(layer((0.2, 0.1))) == []
    assert len(wrong(layer((0, 0)))) == 2
    a, b = gelu(0.25), gelu(-0.55)
    later = f", and with the bias $({a + b / 2 + 0.2:.4f}, {-b / 2 + 0.1:.4f})$"
    assert wrong(layer((0, 0), later)) == []


def test_what_is_called_a_mean_is_no_sum():
    """1.2 + 0.8 + 2.1 = 4.1, and the third of it is 1.3667."""
    text = "The losses are 1.20, 0.80 and 2.10; their mean is {}."
    assert wrong(text.format("1.367")) == []
    assert wrong(text.format("4.10")) == ["4.10"]


def test_a_perplexity_is_that_of_its_distribution():
    """2^1.5 = 2.828 of (1/2, 1/4, 1/4); of the right word 1/0.5 = 2, of all three 32^(1/3)."""
    text = "p = [0.5, 0.25, 0.25]. The perplexity of p is {}."
    assert wrong(text.format("2.828")) == []
    assert wrong(text.format("2.378")) == ["2.378"]
    assert wrong(text.format("2.00")) == wrong(text.format(f"{32 ** (1 / 3):.3f}")) == []


def test_the_maximum_of_a_list():
    assert wrong("h = [0.2, 0.5, 1.34]. The maximum of h is 1.43.") == ["1.43"]


REMARK = """import numpy as np
p = np.array([0.1, 0.2, 0.7])
loss = -np.log(p[2])    # {}
"""


def test_a_remark_of_a_line_is_its_value():
    """ln 0.7 = -0.35667, and to base 10 -0.15490."""

    def found(remark):
        claims = verify(REMARK.format(remark), "a.py").claims
        return [c.printed for c in claims if c.verdict == "wrong"]

    assert found("0.3567") == found("eq. 3.25") == found("line 12") == found("12") == []
    assert found("0.1549") == ["0.1549"]


SHARES = """| token | s | weight |
|---|---|---|
| cat | 0.2 | 0.163 |
| dog | 0.8 | 0.297 |
| fish | 1.4 | 0.541 |

The token *fish* gets {} % of the attention.
"""


def test_a_percentage_is_the_share_of_the_row_that_is_named():
    """e^1.4 / (e^0.2 + e^0.8 + e^1.4) = 0.54054."""
    assert exp(1.4) / (exp(0.2) + exp(0.8) + exp(1.4)) == pytest.approx(0.54054, abs=5e-6)
    assert wrong(SHARES.format("54.1")) == []
    assert wrong(SHARES.format("54.2")) == ["54.2 %"]
    assert wrong(SHARES.format("54.2").replace("gets", "would, masked, get")) == []


def test_a_mean_of_results_is_not_their_sum():
    """-ln 0.2 = 1.609, -ln 0.5 = 0.693, -ln 0.1 = 2.303: 4.605 together, 1.535 each."""
    text = "−ln 0.2 = 1.609, −ln 0.5 = 0.693 and −ln 0.1 = 2.303; their mean is {}."
    assert wrong(text.format("1.535")) == []
    assert wrong(text.format("4.605")) == ["4.605"]


def test_the_mean_of_a_named_list_is_told_behind_others():
    text = (
        "h = [0.4, 1.2, -0.8, 2.0, 0.6]\n\n2 h = [0.8, 2.4, -1.6, 4.0, 1.2]\n\nThe mean of h is {}."
    )
    assert wrong(text.format("0.68")) == []
    assert wrong(text.format("0.86")) == ["0.86"]
