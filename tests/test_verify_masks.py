"""Programs that mask: conditions entry by entry; the figures worked out here by floats."""

import math

import pytest

import derive

START = """```python
import numpy as np
S = np.array([[1.0, 2.0, 0.5], [0.3, 1.2, 0.7], [2.0, 1.0, 1.5]])
"""
LATER = {
    "by two conditions": "mask = np.tril(np.ones((3, 3)))\nmask[mask == 0] = -np.infty\n"
                         "mask[mask == 1] = 0\nM = S + mask\n",
    "by a matrix of truths": "mask = np.triu(np.ones((3, 3)), k=1).astype(bool)\n"
                             "M = S.copy()\nM[mask] = -np.inf\n",
    "by where": "mask = np.tril(np.ones((3, 3)))\nM = np.where(mask == 1, S, -np.inf)\n",
    "by masked_fill": "mask = torch.tril(torch.ones(3, 3))\n"
                      "M = S.masked_fill(~mask.bool(), float('-inf'))\n",
}  # fmt: skip
ROWS = [[1.0, 2.0, 0.5], [0.3, 1.2, 0.7], [2.0, 1.0, 1.5]]


def shares():
    kept = [[math.exp(s) if j <= i else 0.0 for j, s in enumerate(row)]
            for i, row in enumerate(ROWS)]  # fmt: skip
    return [[e / sum(row) for e in row] for row in kept]


def verdicts(text, line):
    return [c.verdict for c in derive.verify(text, "a.md").claims if c.line == line]


@pytest.mark.parametrize("program", LATER.values(), ids=LATER)
@pytest.mark.parametrize("slip", [0, 0.01])
def test_a_mask_of_a_program_is_followed(program, slip):
    rows = shares()
    rows[1][0] += slip
    printed = ",\n".join(str([f"{x:.4f}" for x in row]).replace("'", "") for row in rows)
    text = f"{START}{program}e = np.exp(M)\nA = e / e.sum(axis=1, keepdims=True)\nA\n```\n"
    first = text.count("\n") + 2
    text += f"```\narray([{printed}])\n```\n"
    assert verdicts(text, first) == ["correct"] * 3
    assert verdicts(text, first + 1) == ["wrong" if slip else "correct", "correct", "correct"]
    assert "wrong" not in [c.verdict for c in derive.verify(text, "a.md").claims[:9]]


def test_nothing_is_said_of_a_condition_that_cannot_be_decided():
    program = "M = np.where(np.exp(S) - np.exp(S) * (S / S) >= 0, S, -S)\nM\n```\n"
    text = START + program + "```\narray([[1., 2., 0.5], [0.3, 1.2, 0.7], [2., 1., 1.4]])\n```\n"
    assert not {"correct", "wrong"} & set(verdicts(text, text.count("\n") - 1))


def test_a_name_means_what_the_words_between_have_made_of_it():
    """Scores are divided in words; the program goes on with the same name."""
    text = """```python
import torch
scores = torch.tensor([[1.05, 1.00], [1.26, 0.09]])
```
Divided by sqrt(2):
```
tensor([[0.7425, 0.7071],
        [0.8910, 0.0636]])
```
```python
mask = torch.tril(torch.ones(2, 2))
scores = scores.masked_fill(mask == 0, -1e9)
```
```
tensor([[ 7.4246e-01, -1.0000e+09],
        [ 8.9095e-01,  6.3660e-02]])
```
"""
    assert 0.09 / math.sqrt(2) == pytest.approx(0.06364, abs=5e-6)
    assert verdicts(text, 15) == ["correct"]  # what fills is no result
    assert verdicts(text, 16) == ["correct", "wrong"]


def test_a_batch_of_one_is_the_matrix_inside():
    """A row of features in three brackets, as layers take it."""
    text = """```python
import torch
inputs = torch.Tensor([[[0.2, 0.1, 0.3], [0.5, 0.1, 0.1]]])
out = torch.nn.functional.layer_norm(inputs, (3,))
out
```
```
tensor([[[ 0.0000, -1.2238,  1.2238],
         [ 1.4140, -0.7070, -0.7080]]])
```
"""
    assert verdicts(text, 3) == ["assumed"] * 6
    spread = math.sqrt(0.02 / 3 + 1e-5)
    assert 0.1 / spread == pytest.approx(1.2238, abs=5e-5)
    assert verdicts(text, 8) == ["correct"] * 3
    assert verdicts(text, 9) == ["correct", "correct", "wrong"]


def test_the_width_of_keys_that_are_not_printed_is_that_of_the_query():
    text = """```python
query_2 = x_2 @ W_query
print(query_2)
```
tensor([0.4306, 1.4551])
```python
keys = inputs @ W_key
scores_2 = query_2 @ keys.T
print(scores_2)
```
tensor([1.2705, 1.8524, 0.5577])
```python
d_k = keys.shape[-1]
weights_2 = torch.softmax(scores_2 / d_k**0.5, dim=-1)
print(weights_2)
```
The resulting weights are as follows:

tensor([0.3223, 0.4865, 0.1902])
"""
    es = [math.exp(s / math.sqrt(2)) for s in (1.2705, 1.8524, 0.5577)]
    right = [round(e / sum(es), 4) for e in es]
    verdict = ["correct" if x == y else "wrong" for x, y in zip(right, (0.3223, 0.4865, 0.1902),
                                                              strict=True)]  # fmt: skip
    assert verdicts(text, text.count("\n")) == verdict
    assert set(verdicts(text, 5)) == set(verdicts(text, 11)) == {"unchecked"}


def test_a_triangle_of_whole_numbers_is_no_matrix_of_weights():
    """Weights beside a declared mask, with a 0 above the diagonal, stay as they are given."""
    text = (
        "A causal mask hides what comes later. X = [[1, 0, 2], [0, 1, 1]], tokens in columns.\n\n"
        "W_Q = [[1, 0.5], [0, 1]], W_K = [[1, 1], [0, 1]], W_V = [[0.5, 0], [1, 2]]\n\n"
        "V = W_V X = [[0.5, 0, 1], [1, 2, 4]]\n"
    )
    assert all(c.verdict in ("assumed", "correct") for c in derive.verify(text, "a.md").claims)
