"""Losses, gradients, activations and log-probabilities, worked out here by mpmath.

Some figures are spoilt on purpose; what goes on from them is a consequence.
"""

import mpmath
import pytest

from derive.verify import verify

Z, RATE, RIGHT = (1.2, -0.3, 0.8, 2.0), 0.5, 2
LOGITS, IDS = ((1.5, 0.2, -0.8, 0.4), (-0.5, 2.1, 0.3, 0.0)), (0, 1)


def found(text, name="a.md"):
    """The verdicts on each printed number, in the order of the text."""
    return [(c.printed, c.verdict) for c in verify(text, name).claims]


def told(text, printed, name="a.md"):
    """The verdict on the last number that is printed so."""
    return [v for p, v in found(text, name) if p == printed][-1]


def softmax(row):
    """The shares of the exponentials."""
    powers = [mpmath.e ** mpmath.mpf(x) for x in row]
    return [x / sum(powers) for x in powers]


def printed(row, places=3):
    """Numbers as an article prints them."""
    return [f"{float(x):.{places}f}" for x in row]


@pytest.mark.parametrize(
    "step", [r"z - \eta \, (p - y)", r"z - \eta (p - y)", r"z - \eta\,\nabla_z L", "z - η(p - y)"]
)
def test_a_step_along_the_gradient(step):
    p = softmax(Z)
    gradient = [x - (k == RIGHT) for k, x in enumerate(p)]
    new = [z - RATE * g for z, g in zip(Z, gradient, strict=True)]
    shown = printed(new)
    text = (
        f"$z = [{', '.join(map(str, Z))}]$ and $y = [0, 0, 1, 0]$, so the softmax is\n\n"
        f"$$p = [{', '.join(printed(p))}]$$\n\nThe gradient is\n\n"
        f"$$\\nabla_z L = p - y = [{', '.join(printed(gradient))}]$$\n\n"
        f"With $\\eta = {RATE}$ or $η = {RATE}$ a step gives\n\n"
        f"$$z' = {step} = [{', '.join((*shown[:3], '1.370'))}]$$\n"
    )
    verdicts = dict(found(text))
    assert all(verdicts[x] in ("correct", "propagated") for x in shown[:3])
    assert verdicts["1.370"] == "wrong"


@pytest.mark.parametrize("shape", ["row", "column"])
def test_the_gradient_where_the_right_word_is_only_told(shape):
    p = softmax(Z[:3])
    shown = printed([p[0], p[1] - 1, p[2]])
    sign = ", " if shape == "row" else r" \\ "
    text = (
        f"$z = ({', '.join(map(str, Z[:3]))})$\n\n"
        f"$$p = \\begin{{pmatrix}} {sign.replace(', ', ' & ').join(printed(p))} \\end{{pmatrix}}$$"
        "\n\nLa bonne classe est la deuxième, donc\n\n"
        f"$$\\frac{{\\partial L}}{{\\partial z}} = p - y = \\begin{{pmatrix}}"
        f" {sign.replace(', ', ' & ').join(shown)} \\end{{pmatrix}}$$\n"
    )
    assert told(text, shown[1]) == "correct"


def test_a_jacobian_without_a_formula_of_matrices():
    p = softmax((1, 2, 0.5))
    rows = [printed([x * (i == j) - x * y for j, y in enumerate(p)]) for i, x in enumerate(p)]
    rows[1][2] = rows[1][2].lstrip("-")
    body = r" \\ ".join(" & ".join(row) for row in rows)
    text = (
        f"$z = [1, 2, 0.5]$, $p = [{', '.join(printed(p))}]$.\n\n"
        f"$$J = \\begin{{pmatrix}} {body} \\end{{pmatrix}}$$\n"
    )
    verdicts = [v for _, v in found(text)][-9:]
    assert verdicts[5] == "wrong"
    assert not {"wrong", "assumed"} & {*verdicts[:5], *verdicts[6:]}


def test_gelu_from_a_rounded_table():
    xs = (-2.0, -1.5, -1.0, 0.5, 1.0, 2.0)
    phi = [f"{float(mpmath.ncdf(x)):.4f}" for x in xs]
    by_table = [f"{x * float(f):.4f}" for x, f in zip(xs, phi, strict=True)]
    inner = [mpmath.sqrt(2 / mpmath.pi) * (x + 0.044715 * x**3) for x in xs]
    tanh = printed([x / 2 * (1 + mpmath.tanh(t)) for x, t in zip(xs, inner, strict=True)], 4)
    tanh[2] = tanh[1]
    lines = "\n".join(
        f"| {x} | {f} | {g} | {t} |" for x, f, g, t in zip(xs, phi, by_table, tanh, strict=True)
    )
    text = f"# GELU\n\n| x | Φ(x) | GELU(x) | approx. |\n|---|---|---|---|\n{lines}\n"
    verdicts = [v for _, v in found(text)][-4 * len(xs) :]
    assert set(verdicts[2::4]) <= {"correct", "propagated"}
    assert "propagated" in verdicts[2::4]
    assert [v == "wrong" for v in verdicts[3::4]] == [k == 2 for k in range(len(xs))]


@pytest.mark.parametrize("call", ["F.cross_entropy(logits, ids, label_smoothing=0.1)", "mean"])
def test_losses_of_torch(call):
    logs = [[mpmath.log(x) for x in softmax(row)] for row in LOGITS]
    plain = [-row[k] for row, k in zip(logs, IDS, strict=True)]
    e = mpmath.mpf("0.1")
    smooth = [(1 - e) * x - e * sum(r) / 4 for x, r in zip(plain, logs, strict=True)]
    right = sum(smooth if "smooth" in call else plain) / 2
    call = call if "smooth" in call else "F.cross_entropy(logits, ids)"
    rows = ", ".join(str(list(row)) for row in LOGITS)
    begin = (
        "```python\nimport torch\nimport torch.nn.functional as F\n"
        f"logits = torch.tensor([{rows}])\nids = torch.tensor({list(IDS)})\n```\n\n"
        f"```python\n>>> {call}\ntensor("
    )
    assert told(f"{begin}{float(right):.4f})\n```\n", f"{float(right):.4f}") == "correct"
    assert (
        told(f"{begin}{float(right + 0.03):.4f})\n```\n", f"{float(right + 0.03):.4f}") == "wrong"
    )


def test_entries_that_a_program_changes_in_each_row():
    text = (
        "```python\nimport torch\nids = torch.tensor([0, 1])\nq = torch.full((2, 4), 0.1 / 4)\n"
        "q[range(2), ids] += 0.9\nprint(q)\n```\n\n```\n"
        "tensor([[0.9250, 0.0250, 0.0250, 0.0250],\n"
        "        [0.0250, 0.9350, 0.0250, 0.0250]])\n```\n"
    )
    verdicts = [v for _, v in found(text)][-8:]
    assert [v == "wrong" for v in verdicts] == [k == 5 for k in range(8)]


def test_torch_takes_the_variance_of_a_sample():
    x = (2.0, 4.0, 4.0, 6.0)
    sample = mpmath.sqrt(mpmath.mpf(8) / 3)
    text = (
        f"LayerNorm\n\n```python\n>>> import torch\n>>> x = torch.tensor({list(x)})\n"
        f">>> x.std(-1, keepdim=True)\ntensor([{float(sample):.4f}])\n"
        ">>> x.var(unbiased=False)\ntensor(2.)\n```\n"
    )
    assert [v for _, v in found(text)][-2:] == ["correct", "correct"]


def test_the_variance_of_a_sample_is_none_of_a_layer():
    text = (
        "Layer normalization of x = [3.0, -1.0, 4.0, 2.0].\n\nmean = 2.0\n\nvar = 4.6667\n\n"
        "std = sqrt(var) = 2.1602\n\nx_hat = [0.4629, -1.3887, 0.9258, 0.0000]\n"
    )
    verdicts = dict(found(text))
    assert verdicts["4.6667"] == "wrong"
    assert {verdicts[x] for x in ("2.1602", "0.4629", "-1.3887", "0.9258")} == {"consequence"}


def test_bare_words_of_functions_bind_once_they_are_right():
    lines = [f"P = {x}, ln = {float(mpmath.log(x)):.3f}" for x in (0.5, 0.2, 0.7)]
    text = "\n".join((*lines, "P = 0.4, ln = -0.961")) + "\n"
    verdicts = [v for _, v in found(text)]
    assert verdicts[1::2] == ["correct", "correct", "correct", "wrong"]


def test_sums_in_cells_with_their_values_beside():
    sums = [(-0.598, -0.916), (-0.598, -1.050), (-1.204, -2.303)]
    rows = [
        f"| {k} | {a} + ({b}) | {a + b:.3f} | {float(mpmath.exp(a + b)):.3f} |"
        for k, (a, b) in zip("abc", sums, strict=True)
    ]
    rows.append(f"| d | -1.204 + (-0.357) | -0.955 | {float(mpmath.exp(-0.955)):.3f} |")
    text = "\n".join(("# Beam", "", "| | sum | score | P |", "|---|---|---|---|", *rows)) + "\n"
    verdicts = [v for _, v in found(text)]
    assert [verdicts[k : k + 2] for k in (2, 6, 10)] == [["correct", "correct"]] * 3
    assert verdicts[14:] == ["wrong", "consequence"]


@pytest.mark.parametrize(
    ("rate", "count", "place", "all_"),
    [("0.1", 3, 0, True), ("0.2", 4, 1, True), ("0.1", 5, 4, False), ("0.05", 2, 0, True)],
)
def test_smoothed_targets(rate, count, place, all_):
    e = mpmath.mpf(rate)
    rest = e / count if all_ else e / (count - 1)
    row = [(1 - e) + rest * all_ if j == place else rest for j in range(count)]
    text = f"With ε = {rate} and {count} classes the target is y = ({', '.join(printed(row, 4))})."
    assert [v for _, v in found(text)][-count:] == ["correct"] * count


def test_one_smoothed_target_is_wrong():
    text = "Mit $\\alpha = 0.1$ wird daraus q = (0.02, 0.92, 0.02, 0.03, 0.02)."
    assert told(text, "0.03") == "wrong"
    assert told(text, "0.92") == "correct"


def test_a_smoothed_loss_from_rounded_targets():
    p = softmax((2, 1, 0))
    logs = [-mpmath.log(x) for x in p]
    e = mpmath.mpf("0.1")
    loss = sum(((1 - e) * (j == 0) + e / 3) * x for j, x in enumerate(logs))
    terms = " + ".join(
        f"{y} \\cdot {x}" for y, x in zip(("0.933", "0.033", "0.033"), printed(logs), strict=True)
    )
    text = (
        f"$z = (2, 1, 0)$, $p = ({', '.join(printed(p))})$.\n\nWith $\\varepsilon = 0.1$ we have"
        f" $y = (0.933, 0.033, 0.033)$ and $L = {terms} = {float(loss):.3f}$."
    )
    assert {v for _, v in found(text)} <= {"assumed", "correct"}
    assert told(text, f"{float(loss):.3f}") == "correct"


LOGS = printed([-mpmath.log(x) for x in (0.7, 0.2, 0.1)])


@pytest.mark.parametrize("name", [("−ln\u2061p", r"-\ln p"), ("−log\u2061p", r"-\log p"),
                                  ("−ln\u2061θ^", r"-\ln \hat\theta")])  # fmt: skip
@pytest.mark.parametrize("slip", [LOGS[1], "1.906"])
def test_formulas_that_stand_twice(name, slip):
    values = [LOGS[0], slip, LOGS[2]]
    sign = name[1].split()[-1]
    plain = name[0].removeprefix("−ln\u2061").removeprefix("−log\u2061")
    text = (
        f"{plain}=[0.7,0.2,0.1]{sign} = [0.7, 0.2, 0.1]\n\n"
        f"{name[0]}=[{','.join(values)}]{name[1]} = [{', '.join(values)}]\n"
    )
    assert [v for _, v in found(text, "a.txt")] == ["assumed"] * 3 + [
        "correct", "correct" if slip == LOGS[1] else "wrong", "correct",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("said", "base"),
    [
        ("Die mittlere negative Log-Likelihood beträgt {m}, die Perplexität exp({m}) = {e}.", 10),
        ("平均负对数似然为 {m}，困惑度为 $e^{{{m}}} = {e}$。", 2),
        ("The mean negative log-likelihood is ${m}$, so $e^{{{m}}} \\approx {e}$.", 10),
    ],
)
def test_the_mean_of_negative_logarithms(said, base):
    """One logarithm has another base, and so have the mean and the perplexity that follow."""
    shares = (0.3, 0.25, 0.6)
    for other in (mpmath.e, base):
        logs = [round(float(mpmath.log(x, other if x == 0.25 else mpmath.e)), 3) for x in shares]
        mean = f"{-sum(logs) / 3:.3f}"
        lines = [f"- $\\ln {x} = {y:.3f}$\n" for x, y in zip(shares, logs, strict=True)]
        end = said.format(m=mean, e=f"{float(mpmath.exp(mean)):.2f}")
        verdicts = [v for _, v in found("".join(lines) + f"\n{end}\n")]
        right, last = verdicts[3], verdicts[-3:]
        assert right == ("correct" if other == mpmath.e else "wrong")
        assert set(last) <= ({"consequence"} if right == "wrong" else {"correct", "propagated"})
