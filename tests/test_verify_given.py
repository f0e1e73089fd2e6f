"""What is given is no result by chance; what was printed on the way explains the last digit."""

from __future__ import annotations

import pytest

import derive

INPUTS = """Input 1: [1, 1, 0, 0]
Input 2: [0, 2, 1, 0]
Input 3: [1, 0, 1, 1]
"""
DOTS = """q1 = (2; 1)   q2 = (1; 2)
k1 = (1; 1)   k2 = (2; 1)

q1·k1 = 3   q1·k2 = 5
q2·k1 = 3   q2·k2 = {}
"""
NAMED = """Q: cat (1, 2), sat (2, 0), mat (1, 1)
K: cat (1, 1), sat (0, 2), mat (2, 1)

Q K^T:

| | cat | sat | mat |
|---|---|---|---|
| cat | 3 | 4 | 4 |
| sat | 2 | 0 | {} |
| mat | 2 | 2 | 3 |
"""
PERPLEXITY = """The probabilities are $p = (0.5, 0.3, 0.2)$.

The loss is $L = -\\ln p_1 = 0.6931$.

The perplexity $e^{{L}}$ is {}.
"""


def wrong(text: str) -> list[str]:
    """The numbers that are said to be wrong, or to follow from wrong ones."""
    claims = derive.verify(text, "a.md").claims
    return [c.printed for c in claims if c.verdict in ("wrong", "consequence")]


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        (INPUTS, []),
        (DOTS.format("4"), []),
        (NAMED.format("4"), []),
        (NAMED.format("5"), ["5"]),
        (PERPLEXITY.format("2.0000"), []),
        (PERPLEXITY.format("1.6168"), ["1.6168"]),  # 2^0.6931
    ],
)
def test_only_what_is_wrong_is_called_so(text, figures):
    assert wrong(text) == figures
