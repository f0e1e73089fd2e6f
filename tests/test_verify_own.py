"""Activations as an article itself defines them, in floats."""

from math import exp, pi, sqrt, tanh

import pytest

from derive import verify


def wrong(text, name="a.md"):
    """What is called wrong."""
    return [c.printed for c in verify(text, name).claims if c.verdict in ("wrong", "consequence")]


def sigmoid(x):
    return 1 / (1 + exp(-x))


def by_tanh(x):
    return x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x**3)))


SAID = {
    r"With $\mathrm{GELU}(x) \approx x\,\sigma(1.702x)$: $\mathrm{GELU}(1) \approx {a}$, "
    r"$\mathrm{GELU}(-1) \approx {b}$.": lambda x: x * sigmoid(1.702 * x),
    "With the tanh approximation GELU(1) ≈ {a} and GELU(-1) ≈ {b}.": by_tanh,
    "Swish with β = 2: swish(x) = x·σ(2x). swish(1) = {a}, swish(-1) = {b}.": lambda x: (
        x * sigmoid(2 * x)
    ),
}


@pytest.mark.parametrize("said, function", SAID.items(), ids=["sigmoid", "tanh", "swish"])
def test_the_definition_of_the_article_binds(said, function):
    a, b = (f"{function(x):.4f}" for x in (1, -1))
    text = said.replace("{a}", a).replace("{b}", b)
    assert wrong(text) == []
    spoilt = a[:-1] + str((int(a[-1]) + 5) % 10)
    assert wrong(text.replace(a, spoilt)) == [spoilt]


FENCE = """```python
def gelu(x):
    return x / (1 + np.exp(-1.702 * x))
>>> gelu(1.0)
{a}
```
"""


def test_a_function_above_a_prompt_binds():
    own, usual = 1 * sigmoid(1.702), 0.8413447460685429
    assert wrong(FENCE.format(a=f"{own:.4f}")) == []
    assert wrong(FENCE.format(a=usual)) == [str(usual)]


def test_pi_is_known_to_programs():
    text = "import numpy as np\nprint(np.sqrt(2 / np.pi))  # {a}\n"
    assert wrong(text.format(a=f"{sqrt(2 / pi):.4f}"), "a.py") == []
    assert wrong(text.format(a="0.7997"), "a.py") == ["0.7997"]


BASES = [
    "softmax(x)_i = 2^x_i / Σ_j 2^x_j. So softmax([1, 2]) = [{a}, {b}].",
    "We define softmax(x) = 2^x/Σ2^x. So softmax(1, 2) = ({a}, {b}).",
    r"$\mathrm{softmax}(x)_i = \frac{2^{x_i}}{\sum_j 2^{x_j}}$, "
    r"$\mathrm{softmax}([1, 2]) = [{a}, {b}]$",
]


@pytest.mark.parametrize("text", BASES)
def test_a_softmax_of_powers_of_two_is_the_one_of_the_article(text):
    """2 / (2 + 4) and 4 / (2 + 4); with e they would be 0.269 and 0.731."""
    put = text.replace("{a}", "{0}").replace("{b}", "{1}")
    for a, b, found in (("0.333", "0.667", []), ("0.269", "0.731", ["0.269", "0.731"])):
        assert wrong(text.replace("{a}", a).replace("{b}", b)) == found, put


def test_a_softmax_of_either_base_is_right_where_both_are_spoken_of():
    text = "softmax([1, 2]) = [0.269, 0.731]; "
    text += "the softmax with base 2: softmax([1, 2]) = [{a}, 0.667]"
    assert wrong(text.replace("{a}", "0.333")) == []
    assert wrong(text.replace("{a}", "0.383")) == ["0.383"]


def test_one_kind_of_gelu_binds_all_of_an_article():
    exact = "GELU(1) ≈ 0.8413, GELU(2) ≈ 1.9545, GELU(-1) ≈ {a}."
    assert wrong(exact.replace("{a}", "-0.1587")) == []
    assert wrong(exact.replace("{a}", f"{by_tanh(-1):.4f}")) == ["-0.1588"]
    compared = "GELU(1) ≈ 0.8413, GELU(2) ≈ 1.9545. By tanh GELU(1) ≈ 0.8412, GELU(2) ≈ 1.9546."
    assert wrong(compared) == []


def test_a_letter_once_found_to_be_the_sigmoid_stays_it():
    text = "σ(1) = 0.7311 and σ(−1) = {}."
    assert wrong(text.format(f"{sigmoid(-1):.4f}")) == []
    assert wrong(text.format("0.7311")) == ["0.7311"]
    assert wrong("σ is the sigmoid. σ(0.5) = 0.6125") == ["0.6125"]
    assert wrong("σ is ReLU. σ(1) = 1, σ(-1) = 0.") == []
    assert wrong("The sigmoid σ: σ(1) = 0.7311. For ReLU σ(-1) = 0 and σ(2) = 2.") == []
