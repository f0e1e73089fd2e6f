"""Articles about positions (RoPE, ALiBi, encodings) and lists that words or formulas announce.

The figures are worked out here, in floats; some are spoilt on purpose.
"""

from math import cos, exp, sin

import pytest

from derive.verify import verify


def verdicts(text, name="a.md"):
    """The verdicts on each printed number, in the order of the text."""
    return [(c.printed, c.verdict) for c in verify(text, name).claims]


def turned(x, position, *, halves=False):
    """The pairs of a vector turned by position / 10000^(2i/d)."""
    out, width = list(x), len(x)
    for i in range(width // 2):
        a, b = (i, i + width // 2) if halves else (2 * i, 2 * i + 1)
        angle = position * 10_000 ** (-2 * i / width)
        out[a] = x[a] * cos(angle) - x[b] * sin(angle)
        out[b] = x[a] * sin(angle) + x[b] * cos(angle)
    return out


def softmax(row):
    """The shares of the exponentials."""
    powers = [exp(x) for x in row]
    return [x / sum(powers) for x in powers]


def listed(row, places=4):
    """A list as an article prints it."""
    return "[" + ", ".join(f"{x:.{places}f}" for x in row) + "]"


# --- rotations

Q, K = [0.5, -1.0, 2.0, 1.5], [1.0, 0.5, -0.5, 2.0]


@pytest.mark.parametrize("halves", [False, True])
def test_vectors_turned_to_the_positions_that_are_named(halves):
    q, k = turned(Q, 5, halves=halves), turned(K, 2, halves=halves)
    score = sum(x * y for x, y in zip(q, k, strict=True))
    text = (
        f"Rotary Embeddings: die Anfrage $q = {Q}$ steht an Position 5, $k = {K}$ an Position 2."
        "\n\n"
        f"$$R_5 q = {listed(q)}$$\n\n$$R_2 k = {listed(k)}$$\n\n"
        f"Das Produkt $(R_5 q)^\\top (R_2 k)$ ist {score:.4f}.\n"
    )
    told = verdicts(text)
    results = [*listed(q)[1:-1].split(", "), *listed(k)[1:-1].split(", "), f"{score:.4f}"]
    assert [v for p, v in told if p in results] == ["correct"] * 9
    wrong = text.replace(f"{score:.4f}", f"{score + 0.3:.4f}")
    assert (f"{score + 0.3:.4f}", "wrong") in verdicts(wrong)


def test_one_entry_of_a_turned_vector_is_wrong():
    q = turned(Q, 3)
    q[1] = -q[1]
    text = f"RoPE: konum 3 için sorgu q = {Q} döndürülür.\n\nDöndürülmüş sorgu: {listed(q)}\n"
    assert [v for _, v in verdicts(text)[-4:]] == ["correct", "wrong", "correct", "correct"]


@pytest.mark.parametrize("name", ["q'", "q_rot"])
def test_what_is_turned_by_printed_sines(name):
    """Three places of the sines make two entries differ from what is exact; one has a lost sign."""
    pairs = [(round(cos(2 * t), 3), round(sin(2 * t), 3)) for t in (1, 0.01)]
    cosines, sines = (" | ".join(f"{x:.3f}" for x in row) for row in zip(*pairs, strict=True))
    q = [
        f(x, y)
        for (c, s), x, y in zip(pairs, Q[::2], Q[1::2], strict=True)
        for f in (lambda x, y, c=c, s=s: x * c - y * s, lambda x, y, c=c, s=s: x * s + y * c)
    ]
    text = (
        f"RoPE，$d=4$，查询 q = {Q} 在位置 $m=2$，键 k = {K} 在位置 $n=1$。\n\n"
        f"| | 第 0 组 | 第 1 组 |\n|---|---|---|\n| cos(mθ) | {cosines} |\n| sin(mθ) | {sines} |"
        f"\n\n{name} = "
    )
    right = [v for _, v in verdicts(text + listed(q))[-4:]]
    assert set(right) <= {"correct", "propagated"} and "propagated" in right
    q[3] = Q[2] * pairs[1][1] - Q[3] * pairs[1][0]
    assert [v for _, v in verdicts(text + listed(q))[-4:]] == [*right[:3], "wrong"]


def test_a_table_of_sines_and_cosines():
    text = (
        f"RoPE: at position 3 the query is q = {Q}.\n\n| | pair 1 | pair 2 |\n|---|---|---|\n"
        f"| cos | {cos(3):.4f} | {cos(0.03):.4f} |\n| sin | {sin(3):.4f} | 0.0400 |\n"
    )
    assert [v for _, v in verdicts(text)[-4:]] == ["correct"] * 3 + ["wrong"]


def test_the_encoding_of_one_position():
    right = [sin(3), cos(3), sin(0.03), cos(0.03)]
    text = "With $10000^{2i/d}$ and $d = 4$: $PE_3 = (0.1411, -0.9900, 0.0300, 0.9553)$"
    assert [f"{x:.4f}" for x in right[:3]] == ["0.1411", "-0.9900", "0.0300"]
    assert [v for _, v in verdicts(text)[-4:]] == ["correct"] * 3 + ["wrong"]


# --- biases by the distance


@pytest.mark.parametrize("farthest", [1, 2])
def test_scores_less_a_slope_times_the_distance(farthest):
    S = [[2, 1, 0], [1, 3, 1], [0, 2, 4]]
    rows = [[2.0], [1 - 0.5, 3.0], [0 - 0.5 * farthest, 2 - 0.5, 4.0]]
    A = [softmax(row) for row in rows]
    table = "\n".join(f"{i} & {' & '.join(map(str, row))} \\\\" for i, row in enumerate(S, 1))
    masked = " \\\\ ".join(
        " & ".join([*(f"{x:.1f}" for x in row), *["-\\infty"] * (3 - len(row))]) for row in rows
    )
    weights = " \\\\ ".join(
        " & ".join([*(f"{x:.3f}" for x in row), *["0"] * (3 - len(row))]) for row in A
    )
    text = (
        "ALiBi with slope $m = 1/2$ and a causal mask.\n\n"
        f"\\begin{{tabular}}{{c|ccc}}\n$S$ & 1 & 2 & 3 \\\\ \\hline\n{table}\n\\end{{tabular}}\n\n"
        f"\\[ S' = \\begin{{pmatrix}} {masked} \\end{{pmatrix}} \\]\n\n"
        f"\\[ A = \\begin{{pmatrix}} {weights} \\end{{pmatrix}} \\]\n"
    )
    told = verdicts(text, "a.tex")
    results = [v for p, v in told if "." in p]
    assert results[:3] == ["correct"] * 3
    assert results[3] == ("correct" if farthest == 2 else "wrong")
    assert results[-3] == ("correct" if farthest == 2 else "consequence")


# --- lists in running text


def test_numbers_one_by_one_under_a_formula():
    p = softmax([1.5, -0.5, 0.8])
    text = (
        f"The weights: $p = ({p[0]:.3f}, {p[1]:.3f}, {p[2]:.3f})$, so the gradient is $p - y$ with "
        f"$y = (0, 0, 1)$:\n\n- first: {p[0]:.3f}\n- second: {p[1]:.3f}\n- third: {1 - p[2]:.3f}\n"
    )
    assert [v for _, v in verdicts(text)[-3:]][-1] == "wrong"
    right = text.replace(f"third: {1 - p[2]:.3f}", f"third: {p[2] - 1:.3f}")
    assert "wrong" not in dict(verdicts(right)).values()


def test_new_numbers_are_old_ones_less_a_rate_times_the_gradient():
    z = [0.4, -0.3, 0.9]
    p = softmax(z)
    g = [p[0] - 1, p[1], p[2]]
    new = [a - 0.5 * b for a, b in zip(z, g, strict=True)]
    new[2] += 0.1
    text = (
        f"Logits: {z}. softmax gives {listed(p, 3)}. The gradient is p - y = {listed(g, 3)}.\n\n"
        f"With learning rate 0.5 the new logits are {listed(new, 3)}.\n"
    )
    assert [v for _, v in verdicts(text)[-3:]] == ["correct", "correct", "wrong"]


def test_deviations_of_which_one_is_wrong():
    x, mean = [3.0, -1.0, 2.0, 0.5], 1.125
    d = [a - mean for a in x]
    text = (
        f"Der Vektor ist x = {x}. Der Mittelwert ist {mean}.\n\nDie Abweichungen vom Mittelwert "
        f"sind {d[0]:.3f}, {d[1]:.3f}, 0.785 und {d[3]:.3f}.\n"
    )
    assert [v for _, v in verdicts(text)[-4:]] == ["correct", "correct", "wrong", "correct"]


def test_both_numbers_beside_each_other_are_seen():
    assert [p for p, _ in verdicts("It gives $4.113,\\quad 1$ with sum $5.113$.", "a.tex")] == [
        "4.113", "1", "5.113",
    ]  # fmt: skip


def test_what_stands_under_a_brace():
    text = "$$\\underbrace{0.5 \\cdot 1.2}_{0.7} + \\underbrace{0.3\\cdot 2.1}_{2} = 1.23$$"
    assert ("0.7", "wrong") in verdicts(text) and ("1.23", "correct") in verdicts(text)
    assert ("2", "wrong") not in verdicts(text)


def test_the_weights_that_are_named_before_a_verb_make_the_output():
    text = (
        "Q = [[1, 0], [1, 1]], K = [[1, 1], [0, 1]], V = [[1, 0], [0, 1]].\n\nA token must not "
        "look to its right (causal attention). The weights A are\n\n"
        "    |  0.731  0.000 |\n    |  0.731  0.269 |\n\nOutput A V:\n\n"
        "    |  0.731  0.000 |\n    |  0.731  0.269 |\n"
    )
    told = [v for p, v in verdicts(text) if "." in p]
    assert told[4] in ("consequence", "correct")
    assert told[5:] == ["correct"] * 3


def test_a_list_is_judged_by_the_formula_before_its_name():
    text = (
        "z = [2, 1, -1], y = [0, 1, 0].\n\np = softmax(z) = [0.705, 0.259, 0.035]\n\n"
        "The gradient is p − y:\n\ndz = [0.705, 0.741, 0.035]\n\n"
        "Learning rate 0.5, updated z − 0.5·dz:\n\nz' = [1.648, 1.371, -1.018]\n"
    )
    assert [round(x, 3) for x in softmax([2, 1, -1])] == [0.705, 0.259, 0.035]
    told = verdicts(text)
    assert ("0.741", "wrong") in told
    assert ("1.371", "propagated") in told  # 1 + 0.5 * 0.741: the right sign was at hand
