"""A formula that is understood binds: nothing is right because another formula would give it.

The figures are worked out here, in floats and fractions, apart from the program.
"""

import math
import statistics
from itertools import chain

import pytest

from derive.verify import verify

A, B = [[1, 2], [3, 4]], [[2, 0], [1, -1]]
ROWS = [[1.0, 2.0, 4.0], [2.0, 4.0, 4.0, 6.0], [1.0, -2.0, 3.0, 0.0]]


def found(text, name="a.md"):
    """The verdicts on each printed number, in the order of the text."""
    return [(c.printed, c.verdict) for c in verify(text, name).claims]


def verdicts(text, count, name="a.md"):
    """Those of the last numbers."""
    return [v for _, v in found(text, name)[-count:]]


def matrix(rows, form=str):
    """A matrix as an article prints it."""
    lines = r"\\".join("&".join(map(form, row)) for row in rows)
    return rf"\begin{{bmatrix}}{lines}\end{{bmatrix}}"


def product(a, b):
    """a b."""
    columns = list(zip(*b, strict=True))
    return [[sum(x * y for x, y in zip(r, c, strict=True)) for c in columns] for r in a]


def entrywise(a, b):
    """a and b entry by entry."""
    return [[x * y for x, y in zip(r, s, strict=True)] for r, s in zip(a, b, strict=True)]


def softmax(row):
    """The shares of the exponentials."""
    powers = [math.exp(x) for x in row]
    return [x / sum(powers) for x in powers]


def spread(row, of_sample=False):
    """The standard deviation."""
    return statistics.stdev(row) if of_sample else statistics.pstdev(row)


def listed(row, places=4):
    """A list as an article prints it."""
    return ", ".join(f"{x:.{places}f}" for x in row)


# --- products of matrices, and entry by entry


@pytest.mark.parametrize(
    ("sign", "work", "other"),
    [
        (r" \odot ", entrywise, product),
        (r" \circ ", entrywise, product),
        ("⊙", entrywise, product),
        (" ", product, entrywise),
        (r" \, ", product, entrywise),
    ],
)
@pytest.mark.parametrize(("a", "b"), [(A, B), (B, A), ([[2, 1], [-1, 3]], [[4, 5], [1, 2]])])
def test_a_sign_says_which_product_is_meant(sign, work, other, a, b):
    text = f"$A = {matrix(a)}$, $B = {matrix(b)}$, $A{sign}B = "
    assert verdicts(f"{text}{matrix(work(a, b))}$\n", 4) == ["correct"] * 4
    pairs = zip(chain(*work(a, b)), chain(*other(a, b)), strict=True)
    wrong = sum(x != y for x, y in pairs)
    assert verdicts(f"{text}{matrix(other(a, b))}$\n", 4).count("wrong") == wrong


@pytest.mark.parametrize("names", ["AB", "PM", "UG"])
@pytest.mark.parametrize("is_turned", [False, True])
def test_two_letters_that_are_known_are_a_product_inside_of_a_function(names, is_turned):
    a, b = [[1, 0], [2, 1]], [[0, 1], [1, -1]]
    right = [list(c) for c in zip(*b, strict=True)] if is_turned else b
    weights = [softmax(row) for row in product(a, right)]
    inner = names + "^T" * is_turned
    head = f"$${names[0]} = {matrix(a)}, \\quad {names[1]} = {matrix(b)}$$\n\n"
    text = head + rf"$$R = \mathrm{{softmax}}({inner}) = {{}}$$" + "\n"
    shown = matrix(weights, lambda x: f"{x:.3f}")
    assert verdicts(text.replace("{}", shown), 4) == ["correct"] * 4
    (first, second), rest = weights[0], weights[1]
    slip = matrix([[first + 0.01, second], rest], lambda x: f"{x:.3f}")
    assert verdicts(text.replace("{}", slip), 4) == ["wrong"] + ["correct"] * 3


# --- spreads and normalisations


@pytest.mark.parametrize("call", ["x.std()", "np.std(x)", "x.std(axis=0)"])
@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("form", ["# {}", ">>> {}"])
def test_numpy_takes_the_deviation_of_all(call, row, form):
    text = f"```python\nimport numpy as np\nx = np.array({row})\nprint({call})\n# {{}}\n```\n"
    assert verdicts(text.replace("{}", f"{spread(row):.6f}"), 1) == ["correct"]
    assert verdicts(text.replace("{}", f"{spread(row, True):.6f}"), 1) == ["wrong"]


@pytest.mark.parametrize("row", ROWS)
def test_numpy_takes_that_of_a_sample_where_it_is_told_and_torch_does_always(row):
    text = (
        f"```python\nimport numpy as np\nx = np.array({row})\nprint(x.std(ddof=1))\n# {{}}\n```\n"
    )
    assert verdicts(text.replace("{}", f"{spread(row, True):.6f}"), 1) == ["correct"]
    text = (
        f"```python\nimport torch\nx = torch.tensor({row})\nprint(x.std())\n# tensor({{}})\n```\n"
    )
    assert verdicts(text.replace("{}", f"{spread(row, True):.4f}"), 1) == ["correct"]


def layernorm(row, of_sample=False):
    """Less the mean, by the deviation."""
    mean = statistics.fmean(row)
    return [(x - mean) / spread(row, of_sample) for x in row]


def rmsnorm(row):
    """By the root of the mean square."""
    return [x / math.sqrt(sum(y * y for y in row) / len(row)) for x in row]


@pytest.mark.parametrize("row", [ROWS[0], ROWS[2]])
def test_each_normalisation_is_its_own(row):
    for name, work, other in [
        ("RMSNorm", rmsnorm, layernorm),
        ("LayerNorm", layernorm, rmsnorm),
    ]:
        text = rf"$x = ({listed(row, 1)})$, $\mathrm{{{name}}}(x) = ({{}})$" + "\n"
        right = text.replace("({})", f"({listed(work(row))})")
        assert verdicts(right, len(row)) == ["correct"] * len(row)
        shown = text.replace("({})", f"({listed(other(row))})")
        assert set(verdicts(shown, len(row))) == {"wrong"}


def test_rmsnorm_beside_its_own_formula_is_judged_by_that():
    row = ROWS[2]
    text = r"$x = (1, -2, 3, 0)$, $\mathrm{RMSNorm}(x) = x/\sqrt{\frac{14}{4}} = "
    assert verdicts(f"{text}({listed(rmsnorm(row))})$", 4) == ["correct"] * 4
    assert verdicts(f"{text}({listed(layernorm(row))})$", 4) == ["wrong"] * 4


@pytest.mark.parametrize("row", [ROWS[0], ROWS[1]])
def test_layer_norm_of_a_program_divides_by_the_deviation_of_all(row):
    text = (
        f"```python\nimport torch\nx = torch.tensor({row})\n"
        f"print(F.layer_norm(x, ({len(row)},)))\n# tensor([{{}}])\n```\n"
    )
    assert verdicts(text.replace("{}", listed(layernorm(row))), len(row)) == ["correct"] * len(row)
    told = verdicts(text.replace("{}", listed(layernorm(row, True))), len(row))
    assert told == ["wrong" if abs(x) > 0.01 else "correct" for x in layernorm(row)]


@pytest.mark.parametrize("name", [r"\log\mathrm{softmax}", r"\ln\mathrm{softmax}"])
def test_the_logarithm_of_a_softmax_is_no_softmax(name):
    row = [1.0, 2.0, 3.5]
    text = f"$z = (1, 2, 3.5)$, ${name}(z) = ({{}})$\n"
    logs = [math.log(x) for x in softmax(row)]
    assert verdicts(text.replace("{}", listed(logs)), 3) == ["correct"] * 3
    assert verdicts(text.replace("{}", listed(softmax(row))), 3) == ["wrong"] * 3


# --- heads with weights of their own


@pytest.mark.parametrize("title", ["# Two heads", "# Zwei Köpfe", "# Multi-head attention"])
def test_heads_with_weights_of_their_own_share_no_columns(title):
    x, q, k, v = [[1, 0], [0, 1]], [[2, 0], [0, 1]], [[2, 2], [2, 0]], [[2, 3], [0, 3]]
    turned = [list(c) for c in zip(*k, strict=True)]
    scores = [[s / math.sqrt(2) for s in row] for row in product(q, turned)]
    output = product([softmax(row) for row in scores], v)
    given = ", ".join(f"W_{n}^{{(1)}} = {matrix(m)}" for n, m in (("Q", q), ("K", k), ("V", v)))
    made = ", ".join(f"{n}^{{(1)}} = X W_{n}^{{(1)}}" for n in "QKV")
    shown = matrix(output, lambda y: f"{y:.4f}")
    text = f"{title}\n\n$$X = {matrix(x)}$$\n\n$${given}$$\n\n$${made}$$\n\n"
    text += rf"$$\text{{head}}_1 = A^{{(1)}} V^{{(1)}} = {shown}$$" + "\n"
    assert "wrong" not in verdicts(text, 4)


# --- formulas that are not understood, and names with marks


@pytest.mark.parametrize("names", [("Z", "P", "Y"), ("S", "R", "T"), ("U", "B", "G")])
@pytest.mark.parametrize("place", ["before", "behind"])
def test_a_formula_with_a_name_that_means_nothing_yet_is_judged_by_nothing_else(names, place):
    scores = [[2.0, 0.5, -1.0], [0.0, 1.0, 3.0], [1.0, 1.0, 1.0]]
    weights, targets = [softmax(row) for row in scores], [[1, 0, 0], [0, 0, 1], [0, 1, 0]]
    pairs = zip(weights, targets, strict=True)
    slopes = [[(p - y) / 3 for p, y in zip(r, s, strict=True)] for r, s in pairs]
    z, p, y = names
    fine, told = (lambda x: f"{x:.4f}"), f"{y} = {matrix(targets)}"
    text = f"$${z} = {matrix(scores)}$$\n\n$${p} = \\mathrm{{softmax}}({z}) = "
    text += f"{matrix(weights, fine)}$$\n\n" + f"$${told}$$\n\n" * (place == "before")
    text += rf"$$\frac{{\partial L}}{{\partial {z}}} = \frac{{{p} - {y}}}{{3}} = "
    text += matrix(slopes, fine) + rf", \quad {told}" * (place == "behind") + "$$\n"
    assert "wrong" not in [v for _, v in found(text)]


@pytest.mark.parametrize(
    "name",
    [
        r"\tilde{\mathbf{S}}",
        r"\hat{\boldsymbol S}",
        r"\mathbf{\tilde S}",
        r"\bar{\mathbf S}",
        r"\widehat{\mathrm{S}}",
    ],
)
def test_a_mark_over_a_bold_letter_leaves_the_formula_readable(name):
    weights = [softmax(row) for row in [[1, 0], [0, 2]]]
    text = f"$${name} = {matrix([[1, 0], [0, 2]])}$$\n\n"
    text += f"$$\\mathbf{{A}} = \\mathrm{{softmax}}({name}) = "
    assert verdicts(f"{text}{matrix(weights, lambda x: f'{x:.3f}')}$$\n", 4) == ["correct"] * 4
    assert verdicts(f"{text}{matrix([[0.95, 0.05], [0.25, 0.75]])}$$\n", 4) == ["wrong"] * 4
