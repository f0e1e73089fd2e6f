"""Numbers that are right by chance, or right but for what the article forgets, are not certified."""

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


LAYER = r"""$x = (1, -0.5)$, $W_1 = \begin{bmatrix} 0.2 & -0.4 \\ 0.1 & 0.3 \end{bmatrix}$, $b_1 = (0.1, 0)$,
$W_2 = \begin{bmatrix} 1 & 0 \\ 0.5 & -0.5 \end{bmatrix}$, $b_2 = (0.2, 0.1)$

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
