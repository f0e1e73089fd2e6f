"""Softmaxes that go on from score to score, and heads that share one matrix by its columns.

The figures are worked out here, in floats; some are spoilt on purpose.
"""

from math import exp, sqrt

import pytest

from derive.verify import verify


def verdicts(text):
    """The verdicts on each printed number, in the order of the text."""
    return [(c.printed, c.verdict) for c in verify(text, "a.md").claims]


def wrong(text):
    """What is not right."""
    return [(p, v) for p, v in verdicts(text) if v in ("wrong", "consequence")]


def scan(scores, values, spoilt=None, by=0.0):
    """m, alpha, p, l and o of each score; l of one row is spoilt, and goes on so."""
    m, total, out, rows = -1e9, 0.0, 0.0, []
    for i, (x, v) in enumerate(zip(scores, values, strict=True)):
        largest = max(m, x)
        alpha, p = (exp(m - largest) if i else 0.0), exp(x - largest)
        total, out, m = (
            total * alpha + p + (by if i == spoilt else 0.0),
            out * alpha + p * v,
            largest,
        )
        rows.append((x, m, alpha, p, total, out))
    return rows


def table(rows, heads, blank):
    """The rows as Markdown; what is not there yet is a dash."""
    lines = [f"| {heads} |", "|---" * 7 + "|"]
    for i, (x, m, alpha, p, total, out) in enumerate(rows):
        shown = blank if i == 0 else f"{alpha:.4f}"
        lines.append(f"| {i + 1} | {x} | {m} | {shown} | {p:.4f} | {total:.4f} | {out:.3f} |")
    return "\n".join(lines)


SCORES, VALUES = [0.5, 2.2, 1.1, 2.9, 0.3], [4, 8, -2, 6, 1]
TEXT = "The values are v = [4, 8, -2, 6, 1].\n\n"


@pytest.mark.parametrize(
    ("heads", "blank"),
    [
        ("i | x_i | m | alpha | p | l | o", "–"),
        ("Schritt | s_i | m_neu | α | p | Summe | o", "—"),
        ("$j$ | score | $m$ | $c$ | $p$ | $\\ell$ | $o$", "0.0000"),
    ],
)
def test_a_running_softmax(heads, blank):
    """Every column follows from the scores, whatever the heads are called."""
    assert not wrong(TEXT + table(scan(SCORES, VALUES), heads, blank))
    found = wrong(TEXT + table(scan(SCORES, VALUES, 2, 0.3), heads, blank))
    sums = [f"{row[4]:.4f}" for row in scan(SCORES, VALUES, 2, 0.3)]
    assert found == [(sums[2], "wrong"), (sums[3], "consequence"), (sums[4], "consequence")]


LINES = [
    "- Schritt {i}: $x_{i} = {x}$, $m_{i} = {m}$, $\\ell_{i} = {l:.4f}$",
    "Step {i}   x = {x}   m = {m}   d = {l:.4f}",
    "第 {i} 步：m = {m}，l = {l:.4f}\n",
    "{i}. x = {x}: running max m = {m}, running sum d = {l:.4f}",
]


@pytest.mark.parametrize("line", LINES)
def test_a_running_softmax_line_by_line(line):
    """A sum that is not multiplied where the maximum grows is wrong, and what goes on with it."""
    given = "Scores x = [0.5, 2.2, 1.1, 2.9]\n\n"
    for forgets in (False, True):
        rows, total, m = [], 0.0, 0.5
        for i, x in enumerate(SCORES[:4], 1):
            largest = max(m, x)
            total = total * (1 if forgets and i == 4 else exp(m - largest)) + exp(x - largest)
            m = largest
            rows.append(line.format(i=i, x=x, m=m, l=total))
        shares = ", ".join(f"{exp(x - m) / total:.4f}" for x in SCORES[:4])
        found = wrong(given + "\n".join(rows) + f"\n\nsoftmax(x) = [{shares}]\n")
        follow = [(share, "consequence") for share in shares.split(", ")]
        assert found == ([(f"{total:.4f}", "wrong"), *follow] if forgets else [])


def test_the_rows_of_weights_are_no_running_softmax():
    """The largest score and the sum of each row, of rows that stand for themselves."""
    text = "".join(
        f"Row {i}: max = {max(z)}, sum = {sum(exp(x - max(z)) for x in z):.3f}\n\n"
        for i, z in enumerate(([1, 2], [4, 3], [5, 0]), 1)
    )
    assert not wrong("S = [[1, 2], [4, 3], [5, 0]]\n\n" + text)


def test_a_table_that_is_none():
    """Columns m and l of something else are no running softmax."""
    text = "| i | m | l | d |\n|---|---|---|---|\n| 1 | 1.5 | 2.0 | 3.1 |\n| 2 | 2.5 | 1.0 | 2.6 |"
    assert not wrong(text)


Q = [[1, 2, 0, 1], [0, 1, 2, 1], [2, 0, 1, 1]]
K = [[1, 0, 1, 0], [0, 1, 1, 2], [1, 1, 0, 1]]
V = [[1, 0, 2, 1], [3, 1, 0, 2], [0, 2, 1, 1]]


def softmax(row):
    """The shares of the exponentials."""
    powers = [exp(x) for x in row]
    return [x / sum(powers) for x in powers]


def head(place, divisor):
    """The scores, weights and outputs of the columns of one head."""
    q, k, v = ([row[2 * place : 2 * place + 2] for row in M] for M in (Q, K, V))
    S = [[sum(a * b for a, b in zip(x, y, strict=True)) for y in k] for x in q]
    A = [softmax([s / divisor for s in row]) for row in S]
    return S, A, [[sum(a * y[c] for a, y in zip(row, v, strict=True)) for c in (0, 1)] for row in A]


def shown(M, places):
    """A matrix as a program prints it."""
    return "[" + ",\n ".join("[" + ", ".join(f"{x:.{places}f}" for x in r) + "]" for r in M) + "]"


def heads(divisors, first, said):
    """An article on two heads, with a sentence before the weights of each."""
    text = f"{first}\n\n```\nQ = {shown(Q, 0)}\nK = {shown(K, 0)}\nV = {shown(V, 0)}\n```\n"
    for place, divisor in enumerate(divisors):
        S, A, O = head(place, divisor)
        n = place + 1
        text += f"\n```\nQ{n} K{n}^T = {shown(S, 0)}\n```\n\n{said}:\n\n```\nA{n} = {shown(A, 4)}\n"
        text += f"O{n} = {shown(O, 4)}\n```\n"
    return text


@pytest.mark.parametrize(
    ("first", "said"),
    [
        ("Two heads, multi-head attention.", "Divide by √2, then softmax"),
        ("แต่ละหัวมี d_k = 2", "softmax"),
        ("两个头（多头注意力）。", "除以 √2，再做 softmax"),
    ],
)
def test_a_division_forgotten_in_one_head(first, said):
    """What one head does binds the other."""
    assert not wrong(heads([sqrt(2), sqrt(2)], first, said))
    found = wrong(heads([sqrt(2), 1.0], first, said))
    assert [v for _, v in found] == ["wrong"] * 9 + ["consequence"] * 6


def test_both_ways_beside_each_other():
    """An article that shows a softmax with and without the division compares the two."""
    S, plain, _ = head(0, 1.0)
    _, divided, _ = head(0, sqrt(2))
    text = f"Two heads.\n\n```\nQ = {shown(Q, 0)}\nK = {shown(K, 0)}\nV = {shown(V, 0)}\n"
    text += f"S1 = {shown(S, 0)}\n```\n\nThe softmax as it is:\n\n```\n{shown(plain, 4)}\n```\n\n"
    text += f"After dividing by sqrt(2) it is softer:\n\n```\n{shown(divided, 4)}\n```\n"
    assert not wrong(text)


def test_the_cosine_of_two_words():
    """cos(king, queen) is that of the vectors of these names, with its sign."""
    text = "king = (2.1, 0.4, -0.5)\n\napple = (-0.6, 1.5, 2.0)\n\ncos(king, apple) = "
    a, b = (2.1, 0.4, -0.5), (-0.6, 1.5, 2.0)
    dot = sum(x * y for x, y in zip(a, b, strict=True))
    exact = dot / sqrt(sum(x * x for x in a) * sum(y * y for y in b))
    assert verdicts(f"{text}{exact:.3f}")[-1][1] == "correct"
    assert verdicts(f"{text}{-exact:.3f}")[-1][1] == "wrong"
