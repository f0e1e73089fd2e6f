"""Statements of many kinds: tables of quantities, programs, words, definitions, sums over an index.

The figures are worked out by mpmath or by hand: e = 2.71828, e^2 = 7.38906, ln 2 = 0.693147.
"""

import json

import mpmath
import pytest

from derive.verify import verify

RIGHT = {"correct", "propagated", "truncated"}


def verdicts(text, name="a.md"):
    """The verdict of each printed number, the last where it stands twice."""
    return {c.printed: c.verdict for c in verify(text, name).claims}


def errors(text, name="a.md"):
    """The numbers that are called wrong, or consequences."""
    return [c.printed for c in verify(text, name).claims if c.verdict in ("wrong", "consequence")]


# --- right articles: every number of the second part is a result, and right

E1, E2, E3 = (mpmath.nstr(mpmath.e**k, 4) for k in (1, 2, 3))  # 2.718 7.389 20.09
RESULTS = {
    "a table whose heads are formulas": (
        "| $s$ | $e^{s}$ | $-\\ln p$ |\n|---|---|---|\n| 1 | 2.718 | 0.5 |\n| 2 | 7.389 | 0.5 |\n",
        "2.718 7.389",
    ),
    "a column that words speak of": (
        "| word | score | exponential | probability |\n|---|---|---|---|\n"
        "| a | 1 | 2.718 | 0.2689 |\n| b | 2 | 7.389 | 0.7311 |\n",
        "2.718 7.389 0.2689 0.7311",
    ),
    "a table with the sums of its rows": (
        "S = [[1, 2], [2, 3]]\n\nexponentials:\n\n| | a | b | sum |\n|---|---|---|---|\n"
        "| a | 2.718 | 7.389 | 10.107 |\n| b | 7.389 | 20.086 | 27.475 |\n",
        "2.718 7.389 10.107 20.086 27.475",
    ),
    "a table of temperatures": (
        "Logits: [2, 1].\n\n| T | p(a) | p(b) | entropy |\n|---|---|---|---|\n"
        "| 1 | 0.7311 | 0.2689 | 0.5822 |\n| 2 | 0.6225 | 0.3775 | 0.6628 |\n",
        "0.7311 0.2689 0.5822 0.6225 0.3775 0.6628",
    ),
    "a sum in words": ("exp(1) = 2.718\n\nexp(2) = 7.389\n\nThe sum is 10.107.", "10.107"),
    "a mean in words": ("x = [1.5, 2.25, 4.5]. Its mean is 2.75.", "2.75"),
    "lengths in words": ("a = [3, 4] and b = [1, 1]. The length of b is 1.414.", "1.414"),
    "a list of what stood one by one": (
        "- q·k1 = 1·2 + 1·1 = 3\n- q·k2 = 1·1 + 1·0.5 = 1.5\n\nDivided by √2: [2.121, 1.061]",
        "2.121 1.061",
    ),
    "a list that ends with and": (
        "Scores [1, 2, 3]: the exponentials are 2.718, 7.389 and 20.086.",
        "2.718 7.389 20.086",
    ),
    "a sum over an index": (
        "$p = [0.5, 0.25, 0.25]$\n\n$$H = -\\sum_i p_i \\ln p_i = 1.040$$",  # 1.5 ln 2
        "1.040",
    ),
    "a function that is defined": (
        "$x = [3, 4]$\n\n$$\\operatorname{RMS}(x) = \\sqrt{\\frac{1}{2}\\sum_i x_i^2}$$\n\n"
        "$$\\operatorname{RMS}(x) \\approx 3.536$$",  # sqrt(12.5)
        "3.536",
    ),
    "a rotation that is defined": (
        "$$R(m) = \\begin{pmatrix} \\cos m & -\\sin m \\\\ \\sin m & \\cos m \\end{pmatrix}$$\n\n"
        "$q = (1, 0)^T$ and $R(1)q = (0.5403, 0.8415)^T$",
        "0.5403 0.8415",
    ),
    "entries of a vector": (
        "$x = [3, 4]$\n\n$x_1^2 = 9.0$ and $x_1 x_2 = 12.0$",
        "9.0 12.0",
    ),
    "rows below each other behind a name": (
        "A =\n    [ 1  2 ]\n    [ 3  4 ]\nB = A A^T =\n    [ 5.0  11.0 ]\n    [ 11.0  25.0 ]\n",
        "5.0 11.0 25.0",
    ),
    "formulas side by side in one line": (
        "\\begin{align}\ne^{1} &\\approx 2.718 & e^{2} &\\approx 7.389 \\\\\n\\end{align}",
        "2.718 7.389",
    ),
    "matrices beside each other": (
        "head1 = [[1.5], [2.5]]\n\nhead2 = [[3.5], [4.5]]\n\n"
        "[head1 | head2] = [[1.5, 3.5], [2.5, 4.5]]\n\nW_O = [[1, 0], [1, 1]]\n\n"
        "Y = concat * W_O = [[5.00, 3.50], [7.00, 4.50]]",
        "5.00 3.50 7.00 4.50",
    ),
    "columns": (
        "$q = \\begin{bmatrix} 1 \\\\ 2 "
        "\\end{bmatrix}$, $K = \\begin{bmatrix} 1 & 0 \\\\ 0 & 1 \\\\"
        " 1 & 1 \\end{bmatrix}$, $s = Kq = \\begin{bmatrix} 1.0 \\\\ 2.0 \\\\ 3.0 \\end{bmatrix}$,"
        " $\\alpha = \\operatorname{softmax}(s) = \\begin{bmatrix} 0.0900 \\\\ 0.2447 \\\\ 0.6652"
        " \\end{bmatrix}$, so $\\alpha_1 + \\alpha_2 = 0.3348$",
        "1.0 2.0 3.0 0.0900 0.2447 0.6652 0.3348",
    ),
    "totals under columns that the heads speak of": (
        "| | score | exp | weight |\n|---|---|---|---|\n| a | 1 | 2.718 | 0.090 |\n"
        "| b | 2 | 7.389 | 0.245 |\n| c | 3 | 20.086 | 0.665 |\n| sum | 6 | 30.193 | 1.000 |\n",
        "2.718 7.389 20.086 30.193 0.090 0.245 0.665 1.000",
    ),
    "a gradient in fractions": (
        "$\\frac{\\partial L}{\\partial a} = [1, 1, -3]$ and $a = [0.2, 0.5, 0.3]$\n\n"
        "$$\\frac{\\partial L}{\\partial s_i} = a_i \\left( \\frac{\\partial L}{\\partial a_i}"
        " - c \\right), \\quad c = \\sum_j a_j \\frac{\\partial L}{\\partial a_j}$$\n\n"
        "$$\\frac{\\partial L}{\\partial s} = [0.24, 0.60, -0.84]$$",
        "0.24 0.60 -0.84",
    ),
    "bits and a root": ("exp(1) = 2.718, that is 3.922 bits.", "3.922"),
}


@pytest.mark.parametrize("kind", RESULTS)
def test_what_is_a_result_is_checked(kind):
    text, printed = RESULTS[kind]
    found = verdicts(text)
    assert {p: found.get(p) in RIGHT for p in printed.split()} == dict.fromkeys(
        printed.split(), True
    )
    assert not errors(text)


# --- the same with one number changed

MISPRINTS = {
    "a column under a formula": (
        "| $s$ | $e^{s}$ |\n|---|---|\n| 1 | 2.718 |\n| 2 | 7.839 |\n| 3 | 20.086 |\n", "7.839",
    ),
    "a sum over an index": (
        "$p = [0.5, 0.25, 0.25]$\n\n$$-\\sum_i p_i \\ln p_i = 1.400$$", "1.400",
    ),
    "a row looked up": (
        "| id | token | a | b |\n|---|---|---|---|\n| 0 | the | 0.1 | 0.2 |\n"
        "| 1 | cat | 0.3 | 0.4 |\n| 2 | sat | 0.5 | 0.6 |\n| 3 | mat | 0.7 | 0.8 |\n\n"
        "The ids are [0, 1, 2].\n\n"
        "X = [[0.1, 0.2], [0.3, 0.4], [0.5, 0.9]]\n",
        "0.9",
    ),
    "a logarithm to the wrong base": ("$-\\ln 0.23 = 0.6383$", "0.6383"),
    "a divisor without its root": ("$\\frac{104}{\\sqrt{64}} = 1.625$", "1.625"),
    "the variance of a sample": ("x = [1, 2, 4]. The variance is 2.3333.", "2.3333"),
}  # fmt: skip


@pytest.mark.parametrize("kind", MISPRINTS)
def test_a_misprint_is_found(kind):
    text, printed = MISPRINTS[kind]
    assert errors(text) == [printed]


# --- programs

R = """x <- c(1, 2, 4, 9)
mu <- mean(x)
mu
## [1] 4
x - mu
## [1] -3 -2  0  5
sd(x)
## [1] 3.559026
(z <- x[2:2] * 1.5)
m <- matrix(c(1, 2, 3, 4), nrow = 2, byrow = TRUE)
m %*% m
##      [,1] [,2]
## [1,]    7   10
## [2,]   15   22
"""
PROMPTS = """>>> import numpy as np
>>> z = np.array([1., 2., 3.])
>>> p = np.exp(z) / np.exp(z).sum()
>>> p.round(4)
array([0.09  , 0.2447, 0.6652])
>>> p[1]
0.2447
>>> p.sum()
1.0
"""


def notebook(*cells):
    """A notebook of sources, each with what it prints."""
    made = [
        {
            "cell_type": "code",
            "source": source,
            "outputs": [{"output_type": "stream", "text": output}],
        }
        for source, output in cells
    ]
    return json.dumps({"cells": made, "nbformat": 4}, indent=1)


def test_a_printout_bears_on_the_line_above():
    assert not errors(R, "a.R")
    found = verdicts(R, "a.R")
    assert [found[p] for p in ("-3", "3.559026", "7", "22")] == ["correct"] * 4
    assert errors(R.replace("3.559026", "3.082207"), "a.R") == ["3.082207"]  # divided by n


def test_prompts_are_read_line_by_line():
    text = f"```python\n{PROMPTS}```\n"
    assert not errors(text)
    assert verdicts(text)["0.6652"] == "correct"
    assert errors(text.replace("0.2447\n>>>", "0.2474\n>>>")) == ["0.2474"]


def test_what_is_assigned_again_has_its_new_value():
    text = notebook(
        ("import numpy as np\nx = np.array([1.0, 2.0])", ""),
        ("x = x * 1.5\nprint(x)", "[1.5 3. ]"),
        ("x[0] = 7\nx = x + 1\nx", "[8. 4.]"),
    )
    assert not errors(text, "a.ipynb")


CHANGES = (
    "x = x + 1",
    "x += 1",
    "for i in range(1):\n    x = x + 1",
    "for i in range(1): x[i] += 1; x[1] += 1",
    "x.add_(1)",
    "x, y = x + 1, x",
    "if True:\n    x = x + 1",
    "x = f(x)",
)
"""Ways in which a program adds 1 to (1, 2)."""


@pytest.mark.parametrize("change", CHANGES)
def test_what_a_program_changes_is_not_what_it_was(change):
    text = notebook(
        ("import numpy as np\nx = np.array([1.0, 2.0])", ""), (change, ""), ("x * 1.5", "[3.  4.5]")
    )
    assert not errors(text, "a.ipynb")


INDICES = {
    "x[1:]": "[2. 4.]", "x[:2].sum()": "3.0", "x[-1]": "4.0", "x[[0, 2]]": "[1. 4.]",
    "np.outer(x, x)[1]": "[2. 4. 8.]", "x.sum(axis=0)": "7.0", "np.linalg.norm(x[:, None], axis=1)":
    "[1. 2. 4.]", "x.reshape(3, 1)": "[[1.]\n [2.]\n [4.]]", "x // 2": "[0. 1. 2.]",
}  # fmt: skip


@pytest.mark.parametrize("expression", INDICES)
def test_what_a_program_takes_from_a_vector(expression):
    text = notebook(
        ("import numpy as np\nx = np.array([1.0, 2.0, 4.0])", ""), (expression, INDICES[expression])
    )
    assert not errors(text, "a.ipynb")


def test_several_prints_are_told_apart():
    text = notebook(
        ("import numpy as np\nx = np.array([1.0, 2.0])", ""),
        ("print(x.sum())\nprint(x.mean())", "3.0\n1.5"),
    )
    assert verdicts(text, "a.ipynb")["1.5"] == "correct"
    assert errors(text.replace("1.5", "1.6"), "a.ipynb") == ["1.6"]


def test_the_mask_of_a_program():
    masked = "[[1.   -inf]\n [2.    3. ]]"
    text = notebook(
        ("import numpy as np\nS = np.array([[1.0, 5.0], [2.0, 3.0]])", ""),
        ("S[np.triu_indices(2, k=1)] = -np.inf\nprint(S)", masked),
        ("A = np.exp(S) / np.exp(S).sum(axis=1, keepdims=True)\nA", "[[1. 0.]\n [0.2689 0.7311]]"),
    )
    assert not errors(text, "a.ipynb")
    assert verdicts(text, "a.ipynb")["0.7311"] == "correct"


def test_arithmetic_in_a_code_block_is_no_program():
    text = "```\ny = 0.5*[2, 4] + 0.5*[4, 8]\n  = [1, 2] + [2, 4]\n  = [3.0, 6.0]\n```\n"
    assert verdicts(text)["6.0"] == "correct"


# --- the decimal comma

COMMAS = {
    "in calls": ("exp(0,5) = 1,649 e exp(2) = 7,389", "1,649 7,389"),
    "in lists": ("x = [1; 0,5], y = [0,25; 2]. Então 0,5 · 0,25 = 0,125", "0,125"),
    "in copied formulas": (
        "3≈1,732\\sqrt{3} \\approx 1,732\n\n1/8=0,1251/8 = 0,125",
        "1,732 0,125",
    ),
}


@pytest.mark.parametrize("kind", COMMAS)
def test_the_arithmetic_tells_what_a_comma_is(kind):
    text, printed = COMMAS[kind]
    found = verdicts(text)
    assert [found.get(p) for p in printed.split()] == ["correct"] * len(printed.split())


@pytest.mark.parametrize("text", ["x = [1,0]; y = [2,3]; x + y = [3,3]", "max(1,2) = 2; 1 + 1 = 2"])
def test_a_comma_between_entries_stays_one(text):
    assert not errors(text)


# --- what may look like a statement and is none

HARMLESS = (
    "The layer has 2 · 512 · 2048 = 2,097,152, then 1,048,576 more weights.",
    "Version 2.5 of the page gives a mean of 3.1 seconds over [1.5, 2.5] runs.",
    "| pos | d0 | d1 |\n|---|---|---|\n| 0 | 0.3 | 0.7 |\n| 1 | 0.2 | 0.9 |\n",
    "z = [0.5, 1.0]\n\ny = [1, 0]\n\nThe gradient is p - y = [-0.62, 0.62].",
    "| a | b |\n|---|---|\n| 3 | 3 |\n| 1 | 1 |\n| 2 | 2 |\n",
    "```python\nimport numpy as np\nprint(A)\n```\n\n```\n[[0.3 0.7]\n [0.6 0.4]]\n```\n",
)


@pytest.mark.parametrize("text", HARMLESS)
def test_what_states_nothing_is_not_accused(text):
    assert not errors(text)
