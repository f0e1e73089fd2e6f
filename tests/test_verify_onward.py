"""Results that an article can work out from what it declared, however it spells them.

The figures are worked out here, by fractions and mpmath; some are spoilt on purpose.
"""

from fractions import Fraction

import mpmath
import pytest

from derive.verify import verify

X, W, U = [[1, 2], [3, -1]], [[0.5, 1.5], [1.0, -0.5]], [[2.0, 0.5], [-1.0, 1.5]]


def found(text, name="a.md"):
    """The verdicts on each printed number, in the order of the text."""
    return [(c.printed, c.verdict) for c in verify(text, name).claims]


def verdict(text, printed, name="a.md"):
    """The verdict on the last number that is printed so."""
    return [v for p, v in found(text, name) if p == printed][-1]


def product(a, b):
    """a b, in floats."""
    return [
        [sum(x * y for x, y in zip(r, c, strict=True)) for c in zip(*b, strict=True)] for r in a
    ]


def softmax(row):
    """The shares of the exponentials."""
    powers = [mpmath.e ** mpmath.mpf(x) for x in row]
    return [x / sum(powers) for x in powers]


def listed(row, places=2):
    """A list as an article prints it."""
    return "[" + ", ".join(f"{float(x):.{places}f}" for x in row) + "]"


# --- a quotient by the root as it was printed


@pytest.mark.parametrize("root", ["1.73", "1.732"])
def test_a_quotient_by_the_printed_root_is_propagated(root):
    scores = [[7, 4], [9, 5]]
    by_root = [[Fraction(x) / Fraction(root) for x in row] for row in scores]
    exact = [[x / mpmath.sqrt(3) for x in row] for row in scores]
    text = f"Scores S = {scores}.\n\nWith $\\sqrt{{3}} \\approx {root}$ the scaled scores are\n\n"
    told = dict(found(f"{text}[{', '.join(listed(row, 4) for row in by_root)}]\n"))
    for row, right in zip(by_root, exact, strict=True):
        for x, y in zip(row, right, strict=True):
            shown = f"{float(x):.4f}"
            is_same = shown == f"{float(y):.4f}"
            assert told[shown] == ("correct" if is_same else "propagated"), shown


# --- products of vectors


HEAD = f"x1 = {listed(X[0])}\nx2 = {listed(X[1])}\n\nWq = {W}\nWk = {U}\n\n"
Q, K = product(X, W), product(X, U)
S = product(Q, [list(c) for c in zip(*K, strict=True)])
VECTORS = "".join(f"q{i + 1} = {listed(Q[i], 3)}   k{i + 1} = {listed(K[i], 3)}\n" for i in (0, 1))


def test_a_full_stop_between_vectors_is_a_dot_product():
    text = f"{HEAD}{VECTORS}\nq1.k1 = {S[0][0]:.4f}, q2.k1 = {S[1][0]:.4f}\n"
    assert verdict(text, f"{S[0][0]:.4f}", "a.txt") == "correct"
    assert verdict(text, f"{S[1][0]:.4f}", "a.txt") == "correct"
    assert verdict(text.replace(f"{S[1][0]:.4f}", "8.1357"), "8.1357", "a.txt") == "wrong"


# --- matrices abreast


@pytest.mark.parametrize("gap", ["   ", "        "])
def test_matrices_that_stand_abreast_are_read_each_by_itself(gap):
    text = (
        f"x1 = {listed(X[0])}\nx2 = {listed(X[1])}\n\n"
        f"W_Q = {listed(W[0])}{gap}W_K = {listed(U[0])}\n"
        f"      {listed(W[1])}{gap}      {listed(U[1])}\n\n"
        f"Q = [{listed(Q[0], 3)}, {listed(Q[1], 3)}]\n"
    )
    told = found(text, "a.txt")
    assert [v for _, v in told[-4:]] == ["correct"] * 4
    bad = text.replace(f"{Q[1][1]:.3f}", "5.123")
    assert verdict(bad, "5.123", "a.txt") == "wrong"


def test_a_matrix_below_a_list_keeps_its_rows():
    text = f"b = [0.5, 2.5]\nW = {listed(W[0])}\n    {listed(W[1])}\n"
    names = [c.quantity for c in verify(text, "a.txt").claims]
    assert names == ["b[1][1]", "b[1][2]", *(f"W[{i}][{j}]" for i in (1, 2) for j in (1, 2))]


# --- lists of one letter, each with a number


def test_a_list_with_a_letter_and_a_number_is_the_next_row():
    rows = [softmax(row) for row in ([0.5, 1.5, -1], [2, 0.25, 1], [0, 1, 0.75])]
    shown = [[f"{float(x):.4f}" for x in row] for row in rows]
    text = "S = [[0.5, 1.5, -1], [2, 0.25, 1], [0, 1, 0.75]]\n\nsoftmax of the scores\n\n"
    lines = [f"w{i + 1} = [{', '.join(row)}]" for i, row in enumerate(shown)]
    wrong = lines[1].replace(shown[1][0], "0.6123")
    told = dict(found(text + "\n".join((lines[0], wrong, lines[2])), "a.txt"))
    assert told["0.6123"] == "wrong"
    assert [told[x] for x in (*shown[0], *shown[1][1:], *shown[2])] == ["correct"] * 8


def test_a_number_in_a_sentence_goes_on_with_the_scores_before_it():
    text = (
        "Q = K = [[1.5, 0.5], [0.5, -2.0]]\n\nThe dot products: a with a is "
        "1.5·1.5 + 0.5·0.5 = 2.50, a with b 1.5·0.5 + 0.5·(-2.0) = -0.25, b with b gives 4.25."
    )
    assert verdict(text, "4.25") == "correct"


# --- rows with an infinity behind one number


def test_one_number_before_infinities_is_an_entry():
    e = mpmath.sqrt(2)
    a, b, c = (f"{float(x / e):.4f}" for x in (3, 1, 5))
    text = (
        "q1 = [1, 1]\nq2 = [1, -1]\nk1 = [2, 1]\nk2 = [3, -2]\n\nDivided by √2, causal mask:\n\n"
        f"[ {a}   -inf ]\n[ {b}   {c} ]\n"
    )
    assert [v for _, v in found(text, "a.txt")[-3:]] == ["correct"] * 3


# --- what a program gave to a name


def test_a_printed_value_of_an_assigned_name_is_a_result():
    text = "z = np.array([4.5, 1.25, 3.0])\nd = z - z.max()\n# d = [0.0, -3.25, -1.5]\n"
    assert [v for _, v in found(text, "a.py")[-3:]] == ["correct"] * 3
    assert verdict(text.replace("-3.25", "-3.75"), "-3.75", "a.py") == "wrong"


# --- measures of rows


def test_the_means_and_deviations_of_rows_in_a_table():
    rows = [[1.5, 2.25, 4.5], [0.25, -1.75, 3.0]]
    mean = [sum(row) / 3 for row in rows]
    std = [mpmath.sqrt(sum((x - m) ** 2 for x in r) / 3) for r, m in zip(rows, mean, strict=True)]
    table = "".join(f"| {i + 1} | {mean[i]:.4f} | {float(std[i]):.4f} |\n" for i in (0, 1))
    text = f"X = {rows}\n\n| row | mean | standard deviation |\n|---|---|---|\n{table}"
    told = dict(found(text))
    assert {told[f"{x:.4f}"] for x in mean} == {"correct"}
    assert {told[f"{float(x):.4f}"] for x in std} == {"correct"}


def test_the_variance_of_a_sample_is_wrong_where_that_of_all_was_taken_before():
    first, second = [2.0, 4.0, 1.0, 5.0], [0.5, -1.5, 2.5, 0.5]
    whole = sum((x - 3) ** 2 for x in first) / 4
    squares = sum((x - Fraction(1, 2)) ** 2 for x in map(Fraction, second))
    text = (
        f"x_1 = {first}, x_2 = {second}\n\n"
        f"\\sigma_1^2 = (1.0 + 1.0 + 4.0 + 4.0) / 4 = {whole:.4f}\n\n\\sigma_2^2 = {{}}\n"
    )
    of_all, of_sample = f"{float(squares / 4):.4f}", f"{float(squares / 3):.4f}"
    assert verdict(text.format(of_all), of_all) == "correct"
    assert verdict(text.format(of_sample), of_sample) == "wrong"


# --- tables of tokens


def table(matrix):
    """A table of the tokens a and b."""
    rows = (f"| {t} | {x:.3f} | {y:.3f} |\n" for t, (x, y) in zip("ab", matrix, strict=True))
    return f"| | a | b |\n|---|---|---|\n{''.join(rows)}"


def test_a_table_of_tokens_is_a_matrix_even_where_their_words_are_letters():
    by_width = [[x / 2 for x in row] for row in S]
    text = (
        f"softmax(Q K^T / sqrt(d_k)), d_k = 2\n\nQ = {Q}\n\nK = {K}\n\nscores\n\n{table(S)}\n"
        f"divided by $\\sqrt{{d_k}}$\n\n{table(by_width)}"
    )
    told = found(text)
    assert [v for _, v in told[-8:-4]] == ["correct"] * 4
    assert [v for _, v in told[-4:]] == ["wrong"] * 4


@pytest.mark.parametrize("letter", ["i", "k", "j"])
def test_a_formula_with_an_index_gives_each_number(letter):
    """100^(-2k/8) for k = 0 ... 3 is 10^(-k/2)."""
    values = [f"{10 ** (-k / 2):.4f}" for k in range(4)]
    text = f"Mit $d = 8$ und $\\omega_{letter} = 100^{{-2{letter}/d}}$ wird " + ", ".join(
        f"$\\omega_{k} = {x}$" for k, x in enumerate(values)
    )
    assert [v for _, v in found(text)[-4:]] == ["correct"] * 4


def test_a_wrong_number_goes_on_through_what_is_not_printed():
    """cos 2 without its sign, and the sum of an embedding and a position that is made with it."""
    waves = [[f(p / by) for by in (1, 100) for f in (mpmath.sin, mpmath.cos)] for p in (0, 1, 2)]
    waves[2][1] = -waves[2][1]
    given = [[0.2, -0.1, 0.5, 0.3], [0.7, 0.4, -0.2, 0.1], [-0.3, 0.6, 0.8, -0.5]]
    sums = [[x + y for x, y in zip(r, w, strict=True)] for r, w in zip(given, waves, strict=True)]
    heads = "| word | x0 | x1 | x2 | x3 |\n|---|---|---|---|---|\n"
    lines = ["With $10000^{2i/d}$ and $d = 4$, the embeddings are\n\n", heads]
    lines += [f"| w | {' | '.join(f'{x:.2f}' for x in row)} |\n" for row in given]
    for p, row in enumerate(waves):
        s, c, s_, c_ = (f"{float(x):.4f}" for x in row)
        lines.append(f"\n- $\\sin({p}) = {s}$, $\\cos({p}) = {c}$, ")
        lines.append(f"$\\sin({p}/100) = {s_}$, $\\cos({p}/100) = {c_}$")
    lines += ["\n\nThe sums of embedding and position:\n\n", heads]
    lines += [f"| w | {' | '.join(f'{float(x):.4f}' for x in row)} |\n" for row in sums]
    assert [v for _, v in found("".join(lines))[-3:]] == ["consequence", "correct", "correct"]


def test_whole_numbers_that_are_a_row_of_scores():
    """(1, 1)(0, 1) = 1, by hand; in words first, and then over the root of the width."""
    text = (
        "Q = [[1, 0], [2, 1]], K = [[0, 1], [2, 0], [1, 3]].\n\n"
        "The dot products of $q_2$ with the keys are $1$, $4$ and $5$. "
        "Divided by the root of $d_k = 2$:\n\n$$\\frac{1}{\\sqrt{2}} \\approx 0.71,"
        " \\quad \\frac{4}{\\sqrt{2}} \\approx 2.83, \\quad \\frac{5}{\\sqrt{2}} \\approx 3.54$$\n"
    )
    told = found(text)
    assert [v for p, v in told if p in ("4", "5")] == ["correct"] * 4
