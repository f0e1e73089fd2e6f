"""Matrices in boxes, stacked tables and rows of results, and the gradient of a loss by its sign."""

from __future__ import annotations

import math

import pytest

import derive

BOXES = """Atenção, d_k = 2

  Q = | 0,5  1,0 |    K = | 1,0  0,5 |
      | 1,0  0,0 |        | 0,0  1,5 |

a) Produtos internos Q K^T

  | 1,00  1,50 |
  | 1,00  0,20 |
"""

STACKED = """$Q = [[1, 0], [0, 2]]$, $K = [[1, 1], [0, 1]]$

| | to a | to b |
|---|---|---|
| score, token 1 | 1.00 | 0.00 |
| score, token 2 | 2.00 | 2.00 |
| weight, token 1 | 0.731 | 0.269 |
| weight, token 2 | 0.500 | 0.510 |
"""

ALONE = """- x = [1.5, 0.5, 7]

- (1.5 + 0.5 + 7) / 3 = 3.00

```
1.5 - 3.00 = -1.50
0.5 - 3.00 = -2.50
7 - 3.00 = 4.00
```

| a | b | c |
|---|---|---|
| -1.50 | -2.50 | 4.00 |
"""

GRADIENT = r"""$z = [1, 0]$, $p = \mathrm{softmax}(z) = [0.731, 0.269]$ and $y = [0, 1]$.
As $\partial L/\partial z_i = p_i - y_i$,
$\nabla_z L = [0.731, 0.731]$ and with $\eta = 0.5$
$z - \eta \nabla_z L = [0.634, 0.366]$
"""


def verdicts(text, line, name="a.md"):
    claims = [c for c in derive.verify(text, name).claims if c.line == line]
    return [(c.printed, c.verdict) for c in claims]


def test_boxes_side_by_side():
    scores = [[0.5 * 1.0 + 1.0 * 0.5, 1.0 * 1.5], [1.0 * 1.0, 1.0 * 0.0]]
    assert scores == [[1.0, 1.5], [1.0, 0.0]]
    given = [("0,5", "assumed"), ("1,0", "assumed"), ("1,0", "assumed"), ("0,5", "assumed")]
    assert sorted(verdicts(BOXES, 3, "a.txt")) == sorted(given)
    assert verdicts(BOXES, 8, "a.txt") == [("1,00", "correct"), ("1,50", "correct")]
    assert verdicts(BOXES, 9, "a.txt") == [("1,00", "correct"), ("0,20", "wrong")]


@pytest.mark.parametrize("gap", ["  ", "    ", ", "])
def test_formulas_side_by_side(gap):
    assert f"{math.exp(0.5):.2f} {math.exp(1):.2f}" == "1.65 2.72"
    found = dict(verdicts(f"row 1: exp(0.5) = 1.65{gap}exp(1) = 2.81", 1))
    assert (found["1.65"], found["2.81"]) == ("correct", "wrong")


def test_matrices_below_each_other():
    weight = math.exp(1) / (math.exp(1) + 1)
    assert f"{weight:.3f} {1 - weight:.3f}" == "0.731 0.269"
    assert [v for line in (5, 6) for _, v in verdicts(STACKED, line)] == ["correct"] * 4
    assert [v for _, v in verdicts(STACKED, 7)] == ["correct"] * 2
    assert verdicts(STACKED, 8) == [("0.500", "correct"), ("0.510", "wrong")]


def test_a_row_repeats_single_results():
    assert [v for _, v in verdicts(ALONE, 13)] == ["correct"] * 3
    wrong = ALONE.replace("-2.50", "-2.40")
    assert dict(verdicts(wrong, 13))["-2.40"] in ("wrong", "consequence")


def test_gradient_of_a_loss():
    p = [math.e / (math.e + 1), 1 / (math.e + 1)]
    z = [1 - 0.5 * p[0], 0 - 0.5 * (p[1] - 1)]
    assert [f"{x:.3f}" for x in (p[1] - 1, *z)] == ["-0.731", "0.634", "0.366"]
    claims = verdicts(GRADIENT, 3)
    assert claims[:2] == [("0.731", "correct"), ("0.731", "wrong")]
    assert [v for _, v in verdicts(GRADIENT, 4)] == ["correct", "correct"]
