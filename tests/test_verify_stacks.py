"""Matrices three deep, side by side and below each other, sizes beside names, sums by their sign.

The figures are worked out here, in floats; some are spoilt on purpose.
"""

from math import exp, log, sqrt

import pytest

from derive.verify import verify

X = [[2.0, -1.0, 0.0, 1.0], [0.0, 1.0, 1.0, -1.0], [1.0, 0.0, -2.0, 0.5]]
HEADS = [[row[:2] for row in X], [row[2:] for row in X]]


def product(a, b):
    """a b."""
    return [
        [sum(x * y for x, y in zip(row, c, strict=True)) for c in zip(*b, strict=True)] for row in a
    ]


def turned(a):
    """a with rows and columns changed round."""
    return [list(column) for column in zip(*a, strict=True)]


def softmax(rows):
    """The softmax of each row."""
    return [[exp(x) / sum(map(exp, row)) for x in row] for row in rows]


def tensor(stack):
    """A stack as torch prints it."""
    rows = [["[" + ", ".join(f"{x:7.4f}" for x in row) + "]" for row in one] for one in stack]
    return (
        "tensor([" + ",\n\n        ".join("[" + ",\n         ".join(r) + "]" for r in rows) + "])"
    )


def wrong(text, name="article.md"):
    """What is wrong, or follows from what is."""
    return [c.printed for c in verify(text, name).claims if c.verdict in ("wrong", "consequence")]


def right(text, name="article.md"):
    """How many numbers are right."""
    return sum(c.verdict in ("correct", "propagated") for c in verify(text, name).claims)


SCORES = [[[x / sqrt(2) for x in row] for row in product(h, turned(h))] for h in HEADS]
WEIGHTS = [softmax(scores) for scores in SCORES]
OUTPUTS = [product(a, h) for a, h in zip(WEIGHTS, HEADS, strict=True)]
PROGRAM = """```python
import torch
x = torch.tensor({x})
h = x.view(3, 2, 2).transpose(0, 1)
print(h)
weights = torch.softmax(h @ h.transpose(-2, -1) / 2 ** 0.5, dim=-1)
print(weights)
out = weights @ h
print(out)
out = out.transpose(0, 1).reshape(3, 4)
print(out)
```

```
{heads}
{weights}
{out}
{whole}
```
"""


def torch_article(weights=WEIGHTS, outputs=OUTPUTS):
    """Two heads in torch, as a program and what it prints."""
    whole = [a + b for a, b in zip(*OUTPUTS, strict=True)]
    printed = ",\n        ".join("[" + ", ".join(f"{x:7.4f}" for x in r) + "]" for r in whole)
    return PROGRAM.format(
        x=X, heads=tensor(HEADS), weights=tensor(weights), out=tensor(outputs),
        whole=f"tensor([{printed}])",
    )  # fmt: skip


def test_a_program_that_splits_off_heads_is_followed_head_by_head():
    """The heads, their weights, their outputs, and these side by side: 12 + 18 + 12 + 12."""
    assert wrong(torch_article()) == []
    assert right(torch_article()) == 54


def test_an_entry_of_the_second_head_is_wrong():
    """What follows is printed as it should be, and right."""
    spoilt = [WEIGHTS[0], [list(row) for row in WEIGHTS[1]]]
    spoilt[1][2][0] += 0.03
    assert wrong(torch_article(weights=spoilt)) == [f"{spoilt[1][2][0]:.4f}"]


def test_rows_of_one_head_that_changed_places_are_wrong():
    """The first and the last row of the second head."""
    spoilt = [OUTPUTS[0], OUTPUTS[1][::-1]]
    assert len(wrong(torch_article(outputs=spoilt))) == 4


@pytest.mark.parametrize("slip", [0, 0.02])
def test_a_stack_is_told_of_by_the_line_above(slip):
    """No program: the weights of each head, under the words that speak of them."""
    weights = [WEIGHTS[0], [list(row) for row in WEIGHTS[1]]]
    weights[1][0][1] += slip
    text = f"Two heads.\n\nQ:\n\n```\n{tensor(HEADS)}\n```"
    text += f"\n\nK:\n\n```\n{tensor(HEADS)}\n```"
    text += f"\n\nThe weights, softmax(QKᵀ/√2):\n\n```\n{tensor(weights)}\n```\n"
    assert wrong(text) == ([f"{weights[1][0][1]:.4f}"] if slip else [])


@pytest.mark.parametrize(
    "size", ["(2 × 3)", "(2x3)", "$\\in R^{2\\times 3}$", ": 2 x 3", "[2×3]", "(2, 3)", "is 2×3:"]
)
def test_a_size_between_a_name_and_its_matrix_is_no_value(size):
    """W_Q X = [[1, 0, 2], [1, 2, 1]], by hand; the last 1 is printed as 7."""
    x = size.replace("2", "3")
    text = f"X {x}\n\n```\n1 0 2\n0 1 1\n1 1 0\n```\n\nW_Q {size}\n\n```\n1 0 0\n0 1 1\n```\n\n"
    assert wrong(text + "Q = W_Q X\n\n```\n1 0 2\n1 2 7\n```\n") == ["7"]


@pytest.mark.parametrize(
    "head", ["keys        values\n", "Keys K:     Values V:\n----        ----\n"]
)
def test_lists_side_by_side_under_heads_are_two_matrices(head):
    """x W_K = (1, 1), (2, 1) and x W_V = (3, 1), (1, 2), by hand; the last 2 is printed as 3."""
    text = (
        "x1 = [1, 0, 1]\n\nx2 = [0, 1, 1]\n\nW_K = [[0,1],[1,1],[1,0]], W_V = [[2,0],[0,1],[1,1]]"
        f"\n\n```\n{head}[1, 1]      [3, 1]\n[2, 1]      [1, 3]\n```\n"
    )
    assert wrong(text) == ["3"]
    assert right(text) == 7


LOSS = -sum(y * log(p) for y, p in zip((0.9, 0.1), (0.625, 0.375), strict=True))


@pytest.mark.parametrize(
    "formula",
    ["-Σ y ln p", "-∑ y·ln p", "-sum_i y_i ln p_i", "-Σᵢ yᵢ log pᵢ", "-Σ_{i=1}^{2} y_i ln(p_i)",
     "-soma(y * ln p)"],
)  # fmt: skip
@pytest.mark.parametrize("slip", [False, True])
def test_sums_by_their_sign(formula, slip):
    """The cross-entropy of smoothed labels."""
    printed = f"{LOSS + 0.1 * slip:.4f}"
    text = f"p = (0.625; 0.375)\n\ny = (0.9; 0.1)\n\n    L = {formula} = {printed}\n"
    assert wrong(text) == ([printed] if slip else [])
    assert right(text) == (not slip)


def test_a_cache_with_its_new_row_below():
    """k = x W_K = (1, -1), by hand; in the whole it is printed as (1, 1)."""
    text = (
        "The KV cache holds K_cache = [[1, 0], [0.5, 1]].\n\nThe next token is x = [1, 2],"
        " W_K = [[0, 1], [0.5, -1]], so k = x W_K = [1, -1].\n\n"
        "```\nK = [[1, 0], [0.5, 1], [1, {}]]\n```\n"
    )
    assert wrong(text.format("-1")) == []
    assert wrong(text.format("1")) == ["1"]


@pytest.mark.parametrize("fence", ["", "csv"])
def test_a_column_of_single_numbers_is_one_matrix(fence):
    """The losses of three rows; a digit of the second is another."""
    p = (0.078, 0.171, 0.039)
    losses = [f"{-log(x):.3f}" for x in p]
    spoilt = [losses[0], losses[1].replace("7", "9"), losses[2]]
    text = "p_y\n```{0}\n" + "\n".join(map(str, p)) + "\n```\n\nlosses\n```{0}\n{1}\n```\n"
    assert wrong(text.format(fence, "\n".join(losses))) == []
    assert wrong(text.format(fence, "\n".join(spoilt))) == [spoilt[1]]


def test_headings_with_numbers_part_the_matrices_of_heads():
    """Q1 = X W_Q1, by hand: (1, 2), (1, 1); W_K1 makes (0, 1), (2, 1), of which one is spoilt."""

    def matrix(name, rows):
        lines = "".join(f"- row {k}: {row}\n" for k, row in enumerate(rows, 1))
        return f"**{name}**\n\n{lines}\n"

    text = (
        matrix("X", [[1.0, 0.5], [0.0, 1.0]]) + matrix("W_Q1", [[0.5, 1.5], [1.0, 1.0]])
        + matrix("W_K1", [[-1.0, 0.5], [2.0, 1.0]]) + matrix("Q1", [[1.0, 2.0], [1.0, 1.0]])
        + matrix("K1", [[0.0, 1.0], [2.0, 1.5]])
    )  # fmt: skip
    assert wrong(text) == ["1.5"]
    assert right(text) == 7


def test_heads_that_nothing_tells_of_are_taken_as_they_are_printed():
    """The heads are given; what is worked out from them is checked."""
    text = torch_article().replace("h = x.view(3, 2, 2).transpose(0, 1)", "h = heads(x)")
    assert wrong(text) == []
    assert right(text) > 30


def test_names_that_are_assigned_at_once():
    """q = k = v: the same article, with three names for the heads."""
    text = (
        torch_article()
        .replace("h = x.view", "q = k = v = x.view").replace("print(h)", "print(q)")
        .replace("h @ h.transpose", "q @ k.transpose").replace("weights @ h", "weights @ v")
    )  # fmt: skip
    assert wrong(text) == []
    assert right(text) == 54


@pytest.mark.parametrize("words", ["If the model predicts", "while the network itself says"])
def test_a_sentence_parts_two_lists(words):
    """Smoothed labels, 1 - 0.1 + 0.1/3 and 0.1/3, and what is predicted: no rows of one matrix."""
    text = (
        "Label smoothing. Three classes, eps = 0.1, the first one is right. The target becomes\n\n"
        f"   [0.9333, 0.0333, 0.0333]\n\n   {words} [0.7, 0.2, 0.1], that is fine.\n"
    )
    assert right(text) == 3
