"""What a page means without saying it in a formula of its own: each truth worked out in floats."""

from math import cos, exp, log, sin

import pytest

from derive import verify


def verdicts(text, name="a.md"):
    """(printed, verdict) of every number but the inputs, in order."""
    claims = verify(text, name).claims
    return [(c.printed, c.verdict) for c in claims if c.verdict not in ("assumed", "unchecked")]


def table(head, rows):
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


LOGITS = (3.1, 2.2, 1.5, 0.5)
POWERS = [exp(z) for z in LOGITS]
SHARES = [p / sum(POWERS) for p in POWERS]
WORDS = (["词", "猫", "狗", "鱼", "鸟"], ["mot", "chat", "chien", "poisson", "oiseau"])


@pytest.mark.parametrize("head", WORDS, ids=["zh", "fr"])
@pytest.mark.parametrize("spoilt", [False, True])
def test_a_row_may_be_a_formula_of_the_rows_above(head, spoilt):
    powers = [f"{p:.2f}" for p in POWERS]
    assert powers[0] == "22.20"
    powers[0] = "22.02" if spoilt else powers[0]
    rows = [["logit", *map(str, LOGITS)], ["exp(logit)", *powers]]
    truth = "wrong" if spoilt else "correct"
    expected = [(powers[0], truth), *((p, "correct") for p in powers[1:])]
    assert verdicts(f"# Softmax\n\n{table(head, rows)}") == expected


@pytest.mark.parametrize("spoilt", [False, True])
def test_a_letter_behind_a_word_is_that_of_the_row(spoilt):
    p, y = SHARES, (0.925, 0.025, 0.025, 0.025)
    terms = [f"{-a * log(b):.4f}" for a, b in zip(y, p, strict=True)]
    terms[3] = terms[3][:-2] + terms[3][:-3:-1] if spoilt else terms[3]
    rows = [
        ["logit", *map(str, LOGITS)],
        ["probability p", *(f"{x:.4f}" for x in p)],
        ["ln p", *(f"{log(x):.4f}" for x in p)],
        ["target y", *map(str, y)],
        ["−y ln p", *terms],
    ]
    found = verdicts(f"# Smoothing\n\n{table(['', 'a', 'b', 'c', 'd'], rows)}")
    assert [v for _, v in found[:-1]] == ["correct"] * 11
    assert found[-1] == (terms[3], "wrong" if spoilt else "correct")


def encodings(base, rows, width):
    """Sinusoidal encodings, three places."""
    angles = [[p / base ** (2 * (j // 2) / width) for j in range(width)] for p in range(rows)]
    return [[f"{(cos if j % 2 else sin)(a):.3f}" for j, a in enumerate(row)] for row in angles]


@pytest.mark.parametrize("letter", ["P", "PE", "Z"])
@pytest.mark.parametrize("spoilt", [False, True])
def test_encodings_are_known_under_any_letter(letter, spoilt):
    rows = encodings(100, 4, 4)
    assert rows[3][3] == "0.955"
    rows[3][3] = "0.595" if spoilt else "0.955"
    body = r" \\ ".join(" & ".join(row) for row in rows)
    text = f"# Positions\n\nWith $n=100$ and $d=4$:\n\n$${letter} \\approx "
    found = verdicts(f"{text}\\begin{{bmatrix}} {body} \\end{{bmatrix}}$$\n")
    assert [v for _, v in found] == ["correct"] * 15 + ["wrong" if spoilt else "correct"]


SAID = [
    r"The embeddings are multiplied by $\sqrt{d_{model}} = \sqrt{4} = 2$.",
    r"論文と同じく $\sqrt{4}=2$ を掛ける。",
    "Wir multiplizieren mit 2:",
    "Nous multiplions le tout par $2$.",
]


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("spoilt", [False, True])
def test_a_table_that_is_one_before_times_a_number(said, spoilt):
    first = [["a", "0.21", "-0.40", "0.35"], ["b", "0.05", "0.33", "-0.27"]]
    second = [[row[0], *(f"{2 * float(x):.2f}" for x in row[1:])] for row in first]
    assert second[1][3] == "-0.54"
    second[1][3] = "-0.45" if spoilt else "-0.54"
    head = ["token", "d0", "d1", "d2"]
    text = f"# Embeddings\n\n{table(head, first)}\n{said}\n\n{table(head, second)}"
    found = [v for p, v in verdicts(text) if p != "2"]
    assert found == ["correct"] * 5 + ["wrong" if spoilt else "correct"]


def test_equations_side_by_side_in_a_line_of_text():
    rows = [("0.42", "0.868"), ("0.15", "0.824"), ("0.68", "0.386")]
    assert [f"{-log(float(p)):.3f}" for p, _ in rows] == ["0.868", "1.897", "0.386"]
    text = "".join(f"  w{k}  P = {p}   -ln({p}) = {x}\n" for k, (p, x) in enumerate(rows))
    expected = [("0.868", "correct"), ("0.824", "wrong"), ("0.386", "correct")]
    assert verdicts(f"Losses\n\n{text}", "a.txt") == expected


def test_a_prime_is_one_in_both_copies_of_a_formula():
    text = "S′=[1.4142.828]S' = \\begin{bmatrix} 1.414 & 2.828 \\end{bmatrix}\n"
    assert [c.printed for c in verify(text, "a.txt").claims] == ["1.414", "2.828"]


X = ((5 / 6, 3 / 20), (22 / 23, 52 / 45))
W = ((31 / 26, 75 / 34), (65 / 24, 37 / 24))
"""What is drawn; only four places of it are printed."""


def times(a, b):
    """The product of two matrices."""
    return [[sum(x * b[k][j] for k, x in enumerate(row)) for j in range(len(b[0]))] for row in a]


def tensor(rows):
    """A matrix as PyTorch prints it."""
    return "tensor([" + ", ".join("[" + ", ".join(row) + "]" for row in rows) + "])\n"


def placed(rows):
    """The entries with four places."""
    return [[f"{x:.4f}" for x in row] for row in rows]


def notebook(scores):
    """A program that draws X and W, and what it prints."""
    lines = ["import torch", "X = torch.rand(2, 2)", "W = torch.rand(2, 2)", "print(X)", "print(W)"]
    lines += ["Q = X @ W", "print(Q)", "print(Q @ Q.T)"]
    printed = map(tensor, (placed(X), placed(W), placed(times(X, W)), scores))
    return "```python\n" + "\n".join(lines) + "\n```\n\n```\n" + "".join(printed) + "```\n"


def test_draws_stand_for_the_interval_of_their_digits():
    q = times(X, W)
    scores = placed(times(q, list(zip(*q, strict=True))))
    by_digits = [[float(x) for x in row] for row in placed(q)]
    by_digits = placed(times(by_digits, list(zip(*by_digits, strict=True))))
    assert scores[1][1] == "33.3772" and by_digits[1][1] == "33.3775"
    found = [v for _, v in verdicts(notebook(scores))]
    assert len(found) == 8 and set(found) <= {"correct", "propagated"}
    scores[1][1] = "33.7372"
    assert [p for p, v in verdicts(notebook(scores)) if v == "wrong"] == ["33.7372"]


ROWS = ((2.2, 0.4, 1.9, 0.9), (0.35, 1.9, 2.3, -0.7))
HEADS = {
    "pt": ("palavra", "média", "variância", "desvio padrão"),
    "tr": ("kelime", "ortalama", "varyans", "standart sapma"),
    "el": ("λέξη", "μέσος", "διακύμανση", "τυπική απόκλιση"),
}


def measured(row, less=0):
    """The mean, the variance (of a sample where less is 1) and its root, three places."""
    mean = sum(row) / len(row)
    variance = sum((x - mean) ** 2 for x in row) / (len(row) - less)
    return [f"{x:.3f}" for x in (mean, variance, variance**0.5)]


@pytest.mark.parametrize("heads", HEADS.values(), ids=list(HEADS))
def test_one_of_two_variances_may_be_wrong(heads):
    body = r" \\ ".join(" & ".join(map(str, row)) for row in ROWS)
    text = f"# LayerNorm\n\n$$X = \\begin{{bmatrix}} {body} \\end{{bmatrix}}$$\n\n"
    right = [["a", *measured(ROWS[0])], ["b", *measured(ROWS[1])]]
    assert [v for _, v in verdicts(text + table(heads, right))] == ["correct"] * 6
    spoilt = [right[0], ["b", *measured(ROWS[1], 1)]]
    assert spoilt[1][2:] == ["1.936", "1.391"]
    found = dict(verdicts(text + table(heads, spoilt)))
    assert (found["1.936"], found["1.391"]) == ("wrong", "consequence")
    assert all(found[x] == "correct" for x in right[0][1:])


SCORES = ((0.7071, 2.1213, 2.8284), (0.0, 0.7071, 1.4142), (1.4142, 2.1213, 1.4142))


@pytest.mark.parametrize("mask", ["M", "B", r"\text{mask}"])
def test_a_mask_of_any_name_comes_before_the_softmax(mask):
    free = [[exp(x) / sum(map(exp, row)) for x in row] for row in SCORES]
    late = [
        [f"{x:.3f}" if j <= i else "0" for j, x in enumerate(row)] for i, row in enumerate(free)
    ]
    given = r"Q = \begin{pmatrix} 1 & 2 \\ 0 & 1 \\ 2 & 1 \end{pmatrix}, \quad"
    given += r" K = \begin{pmatrix} 1 & 0 \\ 1 & 1 \\ 0 & 2 \end{pmatrix}"
    scores = r"\begin{pmatrix} 1 & 3 & 4 \\ 0 & 1 & 2 \\ 2 & 3 & 2 \end{pmatrix}"
    body = r" \\ ".join(" & ".join(row) for row in late)
    text = f"$${given}$$\n\n$$Q K^T = {scores}$$\n\n$$A = \\mathrm{{softmax}}("
    text += (
        f"\\frac{{QK^T}}{{\\sqrt{{2}}}} + {mask}) = \\begin{{pmatrix}} {body} \\end{{pmatrix}}$$"
    )
    claims = [c for c in verify(text, "a.md").claims if c.quantity.startswith("A[")]
    wrong = [(c.quantity, c.cause[0]) for c in claims if c.verdict == "wrong"]
    assert wrong == [(f"A[{i}][{j}]", "mask after softmax") for i, j in ((1, 1), (2, 1), (2, 2))]


SESSION = """Appendix: tokens are the columns.

>> Q

Q =

     1     0     2
     1     1     0

>> K

K =

     0     1     1
     2     0     1

>> S = K'*Q

S =

     2     2     0
     1     0     2
     2     1     2

>> A = softmaxcols(S)

A =

{weights}

>> O = V*A
"""


@pytest.mark.parametrize("spoilt", [False, True])
def test_a_session_of_matlab_in_a_text(spoilt):
    scores = ((2, 2, 0), (1, 0, 2), (2, 1, 2))
    powers = [[exp(x) for x in row] for row in scores]
    sums = [sum(column) for column in zip(*powers, strict=True)]
    rows = [[f"{p / z:.4f}" for p, z in zip(row, sums, strict=True)] for row in powers]
    assert rows[0][1] == "0.6652"
    rows[0][1] = "0.6562" if spoilt else "0.6652"
    text = SESSION.format(weights="\n".join("   " + "    ".join(row) for row in rows))
    found = verdicts(text, "a.txt")
    assert [v for _, v in found].count("correct") == 18 - spoilt
    assert [p for p, v in found if v != "correct"] == ["0.6562"] * spoilt


@pytest.mark.parametrize("arrow", [r"\rightarrow", r"\;\to\;", r"\longrightarrow"])
@pytest.mark.parametrize("spoilt", [False, True])
def test_an_arrow_leads_to_the_name_of_a_function(arrow, spoilt):
    right = [f"{exp(x) / (exp(0.707) + 1):.3f}" for x in (0.707, 0)]
    assert right == ["0.670", "0.330"]
    first = "0.760" if spoilt else "0.670"
    given = r"\begin{bmatrix} 0.707 & 0 \\ 1.414 & 1.414 \end{bmatrix}"
    made = rf"\begin{{bmatrix}} {first} & 0.330 \\ 0.500 & 0.500 \end{{bmatrix}}"
    found = verdicts(rf"$${given} {arrow} \text{{softmax}} = {made}$$")
    expected = [(first, "wrong" if spoilt else "correct"), ("0.330", "correct")]
    assert found == [*expected, ("0.500", "correct"), ("0.500", "correct")]


LITERAL = """Projections
===========

Word vectors are rows, with

::

    X   = [[1, 2], [3, 0]]
    W_Q = [[1, 0], [1, 1]]
    W_K = [[0, 1], [2, 1]]

Then

::

    Q = X @ W_Q = [[3, 2], [3, 0]]
    K = X @ W_K = {keys}
"""


def test_indented_blocks_are_no_bodies_of_loops():
    """X W_K is [[4, 3], [0, 3]] by hand, and X W_K^T is [[2, 4], [0, 6]]."""
    right = verdicts(LITERAL.format(keys="[[4, 3], [0, 3]]"), "a.rst")
    assert [v for _, v in right] == ["correct"] * 8
    claims = verify(LITERAL.format(keys="[[2, 4], [0, 6]]"), "a.rst").claims
    wrong = [(c.quantity, c.cause[0]) for c in claims if c.verdict == "wrong"]
    assert wrong == [(f"K[{i}][{j}]", "weights transposed") for i, j in ((1, 1), (1, 2), (2, 2))]


def test_a_spread_printed_with_its_epsilon_divides_what_follows():
    """-0.6 / 0.3742 is -1.60342, and 0.4 / 0.3742 is 1.06895."""
    text = r"""$r = [1.0, 0.2, 0.8, 1.2]$, $\mu = 0.8$, $\sigma^2 = 0.14$, $\epsilon = 0.00001$, and
$\sqrt{\sigma^2+\epsilon} \approx 0.3742$.

$$\hat{r} = [0.5345, -1.6034, 0.0000, 1.0689]$$
"""
    assert [p for p, v in verdicts(text) if v == "wrong"] == []
    assert "-1.6043" in [p for p, v in verdicts(text.replace("1.6034", "1.6043")) if v == "wrong"]


def test_what_is_masked_is_divided_by_the_printed_root():
    """4 / 1.414 is 2.82885, though 2 sqrt(2) is 2.82843."""
    scores = r"\begin{bmatrix} 5 & 2 & 2 \\ 2 & 1 & 0 \\ 2 & 0 & 4 \end{bmatrix}"
    rows = r"3.536 & -\infty & -\infty \\ 1.414 & 0.707 & -\infty \\ 1.414 & 0.000 & {last}"
    given = r"X = \begin{bmatrix} 1 & 2 \\ 0 & 1 \\ 2 & 0 \end{bmatrix}"
    said = r"We divide by $\sqrt{2} \approx 1.414$ and hide the future:"
    text = f"$${given}$$\n\n$$X X^\\top = {scores}$$\n\n{said}\n\n$$\\begin{{bmatrix}} "
    for last, expected in (("2.828", "correct"), ("2.829", "propagated"), ("2.892", "wrong")):
        found = verdicts(f"{text}{rows.replace('{last}', last)} \\end{{bmatrix}}$$\n")
        assert found[-1] == (last, expected)


FORMULAS = {
    "a letter and its formula": (
        ["n", "a = n^2", "b = 2n + 1", "c = e^{-n}"],
        lambda n: (f"{n**2}", f"{2 * n + 1}", f"{exp(-n):.3f}"),
    ),
    "an index behind a word": (
        ["Index k", "P(k,0)=sin(k/1)", "P(k,1)=cos(k/1)", "P(k,2)=sin(k/10)"],
        lambda k: (f"{sin(k):.2f}", f"{cos(k):.2f}", f"{sin(k / 10):.2f}"),
    ),
}


@pytest.mark.parametrize("heads, row", FORMULAS.values(), ids=list(FORMULAS))
@pytest.mark.parametrize("column", [None, 1, 2, 3])
def test_a_head_may_hold_an_equation(heads, row, column):
    rows = [[str(n), *row(n)] for n in range(1, 5)]
    text = rows[2][column] if column else ""
    spoilt = f"{text[:-1]}{(int(text[-1]) + 5) % 10}" if column else ""
    if column:
        rows[2][column] = spoilt
    claims = verify(f"# Table\n\n{table(heads, rows)}", "a.md").claims
    assert [c.printed for c in claims if c.verdict == "wrong"] == [spoilt] * bool(column)
    assert sum(c.verdict == "correct" for c in claims) == 12 - bool(column)


@pytest.mark.parametrize("joined", ["MultiHead = Concat\\, W^O", "M = C ~ W_O"])
def test_a_name_for_a_product_of_words_is_that_product(joined):
    """C W is [[0.6, 0.8], [0.2, -0.4]] by hand, and X + C W is [[1.6, 0.8], [1.2, 0.6]]."""
    name, first, weights = joined.replace("\\,", " ").replace("~", " ").replace("=", " ").split()
    text = rf"""$$\text{{{first}}} = \begin{{bmatrix}} 0.6 & 0.4 \\ 0.2 & 0.8 \end{{bmatrix}},
{weights} = \begin{{bmatrix}} 1 & 2 \\ 0 & -1 \end{{bmatrix}},
X = \begin{{bmatrix}} 1 & 0 \\ 1 & 1 \end{{bmatrix}}$$

$$\text{{{name}}} = \text{{{first}}}\, {weights} =
\begin{{bmatrix}} 0.6 & 0.8 \\ 0.2 & -0.4 \end{{bmatrix}}$$

$$X + \text{{{name}}} = \begin{{bmatrix}} 1.6 & 0.8 \\ 1.2 & 0.6 \end{{bmatrix}}$$
"""
    assert [v for _, v in verdicts(text)] == ["correct"] * 8
    assert ("0.9", "wrong") in verdicts(text.replace("1.6 & 0.8", "1.6 & 0.9"))
