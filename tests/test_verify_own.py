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
