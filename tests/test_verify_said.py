"""What few words, or none, say of lists: ReLU, angles, blocks, divisors, rows that are added up."""

from math import cos, exp, hypot, log, sin

import pytest

from derive.verify import verify

Z = (0.4, -1.2, 0.3, -2.1)


def listed(numbers, places=1):
    return "[" + ", ".join(f"{x:.{places}f}" for x in numbers) + "]"


def told(text, name="a.md"):
    return [(c.printed, c.verdict) for c in verify(text, name).claims]


def wrong(text, name="a.md"):
    return [printed for printed, verdict in told(text, name) if verdict == "wrong"]


@pytest.mark.parametrize("left", [(), (1,), (1, 3)])
@pytest.mark.parametrize(
    "said",
    [
        "After ReLU: $h = {}$",
        "ReLU обнуляет всё отрицательное: h = {}",
        "**2단계** ReLU (음수는 0)\n\n`{}`",
        "Aplicamos ReLU (los negativos pasan a cero): a = {}",
        "激活函数 ReLU 之后：\n\n{}",
        "### ReLU\n\n{}",
    ],
)
def test_relu_that_leaves_negative_numbers_is_wrong(said, left):
    shown = [x if x > 0 or i in left else 0.0 for i, x in enumerate(Z)]
    text = f"z = {listed(Z)}\n\n{said.format(listed(shown))}\n"
    assert wrong(text) == [f"{Z[i]:.1f}" for i in left]
    assert told(text)[-1][1] != "assumed"


@pytest.mark.parametrize("said", ["Before ReLU: {}", "Vor ReLU stand da {}", "ReLU 之前是 {}"])
def test_what_stands_before_relu_is_not_wrong(said):
    assert wrong(f"z = {listed(Z)}\n\n{said.format(listed(Z))}\n") == []


def test_the_layer_of_what_relu_left():
    W, x = ((1, 0), (2, 1), (0, 1), (1, 1)), (1.0, 1.0)
    left = [max(z, 0) for z in Z]
    right = [sum(a * w[j] for a, w in zip(left, W, strict=True)) for j in range(2)]
    printed = [sum(a * w[j] for a, w in zip(Z, W, strict=True)) for j in range(2)]
    total = [a + b for a, b in zip(x, printed, strict=True)]
    text = (
        f"x = {listed(x)}, W2 = {list(map(list, W))}, z = {listed(Z)}\n\nReLU: h = {listed(Z)}\n\n"
        f"h W2 = {listed(printed)}\n\nx + FFN(x) = {listed(total)}\n"
    )
    assert right != printed
    assert [v for _, v in told(text)[-4:]] == ["consequence"] * 4


@pytest.mark.parametrize("theta", [0.5, 0.3])
@pytest.mark.parametrize("is_table", [False, True])
@pytest.mark.parametrize("slip", [0, 0.04])
def test_pairs_are_turned_by_the_angles_of_the_article(theta, is_table, slip):
    rows = "".join(
        f"| {m} | {m * theta:.1f} | {cos(m * theta):.4f} | {sin(m * theta):.4f} |\n" for m in (1, 2)
    )
    table = f"| m | angle | cos | sin |\n|---|---|---|---|\n{rows}\n" if is_table else ""
    known = "" if is_table else f"θ = {theta}\n\n"
    a, b = 1.0, 2.0
    turned = a * cos(2 * theta) - b * sin(2 * theta), a * sin(2 * theta) + b * cos(2 * theta)
    shown = f"{turned[1] + slip:.4f}"
    text = (
        f"# RoPE\n\n{known}{table}The query q = [1.0, 2.0] stands at position 2.\n\n"
        f"q_rot = [{turned[0]:.4f}, {shown}]\n"
    )
    assert wrong(text) == [shown] * bool(slip)
    assert told(text)[-1][1] == ("wrong" if slip else "correct")


@pytest.mark.parametrize(
    "blocks", [((1.0, 3.0), (4.0, 2.0)), ((1.0, 3.0, 0.5), (2.0,), (4.0, 1.5))]
)
@pytest.mark.parametrize("slip", [0, 0.02])
def test_blocks_are_taken_together(blocks, slip):
    scores = [s for block in blocks for s in block]
    shown = [exp(s - 4) for s in scores]
    shown[1] += slip
    given = "\n".join(f"- block {i}: {listed(b)}" for i, b in enumerate(blocks) if len(b) > 1)
    if any(len(b) == 1 for b in blocks):
        given = f"s = {listed(scores)}"
    text = f"{given}\n\nThe numerators are {listed(shown, 4)}.\n"
    assert wrong(text) == [f"{shown[1]:.4f}"] * bool(slip)
    assert told(text)[-1][1] == "correct"


@pytest.mark.parametrize("other", ["11", "11.5"])
def test_what_divided_a_list_divides_the_next(other):
    text = (
        "| Input | a | b | c |\n|---|---|---|---|\n| Score | 104 | 88 | 72 |\n"
        "| Divide by 8 | 13 | 11 | 9 |\n\nThe other word, with the scores 80, 96 and 88, gets "
        f"10, 12, {other} after the division.\n"
    )
    last = [v for p, v in told(text) if p == other][-1]
    assert last == ("correct" if other == "11" else "wrong")


def test_the_list_of_a_softmax_is_divided_in_words():
    text = "softmax([3.0, 2.2, 1.0]) = [0.637, 0.286, 0.086]\n\nDividir por 0.5: [6.0, 4.4, 2.0].\n"
    assert ("4.4", "correct") in told(text)


def test_a_point_ends_the_sentence_in_brackets():
    bits = f"{-log(0.7) / log(2):.4f}"
    text = f"L = -ln(0.7) = {-log(0.7):.4f} (in bits the loss would be {bits}.)\n"
    assert told(text)[-1] == (bits, "correct")


SESSION = """Bir deneme

> z <- matrix(c(2.0, 0.5,
+               0.1, 1.2), nrow = 2, byrow = TRUE)
> e <- exp(z)
> round(e, 4)
       [,1]   [,2]
[1,] 7.3891 1.6487
[2,] 1.1052 {}

> round(rowSums(e), 3)
[1] 9.038 4.425
"""


@pytest.mark.parametrize("shown", ["3.3201", "3.3210"])
def test_a_session_of_r_in_a_text(shown):
    assert f"{exp(1.2):.4f}" == "3.3201"
    assert wrong(SESSION.format(shown), "a.txt") == [shown] * (shown != "3.3201")


@pytest.mark.parametrize("head", ["ความยาว", "", "length", "‖v‖"])
@pytest.mark.parametrize("slip", [0, 0.1])
def test_lengths_beside_the_rows_need_no_word(head, slip):
    rows = ((3, 1), (2, 2), (0.5, 4))
    shown = [f"{hypot(*row) + slip * (i == 1):.3f}" for i, row in enumerate(rows)]
    lines = [f"| w{'abc'[i]} | {a} | {b} | {shown[i]} |" for i, (a, b) in enumerate(rows)]
    table = "\n".join([f"| word | x | y | {head} |", "|---|---|---|---|", *lines])
    assert wrong(f"{table}\n") == [shown[1]] * bool(slip)


PROGRAM = """```python
import torch
x = torch.tensor([[[1.0, 2.0, 3.0], [2.0, 2.0, 5.0]]])
B, S, E = x.size()
h = x.reshape(S, B, E)
axes = [-1]
s = h.std(dim=axes, unbiased={}, keepdim=True)
print(s)
print(h.reshape(3, 2))
```

```
tensor([[[0.8165]],

        [[1.4142]]])
tensor([[1., 2.],
        [3., 2.],
        [2., 5.]])
```
"""


@pytest.mark.parametrize(("unbiased", "expected"), [("False", []), ("True", ["0.8165", "1.4142"])])
def test_axes_have_names_and_matrices_are_shaped_anew(unbiased, expected):
    """The roots of 2/3 and of 2; of a sample they are 1 and the root of 3."""
    assert wrong(PROGRAM.format(unbiased)) == expected


@pytest.mark.parametrize("rule", ["----------", "──────────"])
def test_weights_of_one_place_and_lists_above_a_line(rule):
    """The first list is 0.8438 times (5, 4, 1): what 0.8 gives stands for it."""
    text = (
        "softmax([4, 5, 7]) = [0.0, 0.1, 0.8]\n\nV = [[1, 3, 1], [2, 2, 3], [5, 4, 1]]\n\n```\n"
        "0.0 * [1, 3, 1] = [0.0, 0.0, 0.0]\n0.1 * [2, 2, 3] = [0.2, 0.2, 0.3]\n"
        "0.8 * [5, 4, 1] = [4.0, 3.2, 0.8]\n```\n\n```\n  [0.0, 0.0, 0.0]\n+ [0.2, 0.2, 0.3]\n"
        f"+ [4.0, 3.2, 0.8]\n{rule}\n= [4.2, 3.5, 1.1]\n```\n"
    )
    assert [v for p, v in told(text) if p == "0.8"][:3] == ["correct"] * 3
    assert ("4.0", "propagated") in told(text)
    assert wrong(text) == ["3.5"]


def test_the_last_cosines_of_a_table_are_no_lengths():
    """Of slow pairs they are nearly 1, as the lengths of the other columns are."""
    rows = [(sin(p), cos(p), sin(p / 100), cos(p / 100)) for p in range(4)]
    lines = [f"  pos={p}:  " + " ".join(f"{x:.4f}" for x in row) for p, row in enumerate(rows)]
    assert wrong("\n".join(lines) + "\n", "a.txt") == []


@pytest.mark.parametrize("slip", [0, 0.02])
def test_cosines_stand_behind_the_lengths(slip):
    rows = ((3, 4), (1, 2), (-1, 1))
    lines = []
    for place, (x, y) in enumerate(rows):
        near = (3 * x + 4 * y) / (5 * hypot(x, y)) + slip * (place == 1)
        lines.append(f"| {'abc'[place]} | {x} | {y} | {hypot(x, y):.3f} | {near:.3f} |")
    head = "| token | dim 1 | dim 2 | norm | cos(·, a) |\n|---|---|---|---|---|\n"
    shown = f"{11 / (5 * hypot(1, 2)) + slip:.3f}"
    found = told(head + "\n".join(lines) + "\n")
    assert (shown, "wrong" if slip else "correct") in found
    assert ("2.236", "correct") in found and ("0.141", "correct") in found


@pytest.mark.parametrize(
    "said",
    [
        "The gradient g = {} flows through the ReLU to the inputs: {}.",
        "h = {}\n\nThe residual stream after the block with ReLU neurons is\n\nr = {}",
        "h = {}\n\nNothing of it is cut by a ReLU that comes much later in the network: {}",
    ],
)
def test_a_list_that_is_told_again_beside_the_word_is_not_wrong(said):
    assert wrong(said.format(listed(Z), listed(Z)) + "\n") == []


def test_leaky_units_leave_some():
    leaky = [x if x > 0 else x / 10 for x in Z]
    assert wrong(f"z = {listed(Z)}\n\nLeaky ReLU: h = {listed(leaky, 2)}\n") == []
