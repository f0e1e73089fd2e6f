"""LaTeX formulas: a table of what each is read as, and what refusals say."""

import json
from pathlib import Path

import pytest
import sympy
from spelling import spelled

from derive.errors import InputError
from derive.read.latex import Chain, read_latex

FIGURES = Path(__file__).parents[1] / "figures"
SHAPES = {"Q": ("n", "d"), "K": ("n", "d"), "V": ("n", "d"), "X": ("n", "d")}
SHAPES |= {"A": ("n", "n"), "B": ("n", "n")}
TABLE = json.loads((FIGURES / "latex.json").read_text("utf-8"))
"""By topic: formula, the readings that are right, the names that are matrices (* for SHAPES)."""
ROWS = [
    pytest.param(*row, id=f"{topic}-{k}")
    for topic, rows in TABLE.items()
    for k, row in enumerate(rows)
]


def said(text, matrices=()):
    """The reading on one line, or refuse."""
    try:
        found = read_latex(text, matrices)
    except InputError as error:
        assert error.hint and error.place.line and error.place.column, text
        assert error.place.text in text.split("\n")
        return "refuse"
    if isinstance(found, Chain):
        assert len(found.members) == len(found.places) == len(found.relations) + 1
        sign = "=" if set(found.relations) == {"="} else "~"
        return f"{sign} " + " , ".join(map(spelled, found.values))
    return spelled(found)


@pytest.mark.parametrize(
    ("text", "right", "matrices"), [(*p.values, "")[:3] for p in ROWS], ids=[p.id for p in ROWS]
)
def test_table(text, right, matrices):
    known = SHAPES if matrices == "*" else matrices
    found = said(text, known)
    assert found in right or (found[0] == "~" and r"\approx" in text)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        (r"x^2 + y_1", "Add('y_1', Pow('x', 2))"),
        ("x² + y₁", "Add('y_1', Pow('x', 2))"),
        ("2α", "Mul('alpha', 2)"),
        (r"W^{Q}_{11}", "'W_Q_11'"),
        (r"W_{11}^{Q}", "'W_Q_11'"),
        (r"H_{1,12}", "'H_1_12'"),
        (r"\tilde{S}_{11}", "'tildeS_11'"),
        (r"\ln\left(2\right)^{2}", "Pow(log(2), 2)"),
        (r"4.25 \cdot 10^{-4}", "17/40000"),
        (r"12.5\%", "1/8"),
        (r"[[1, 2], [3, \frac{1}{2}]]", "[[1, 2], [3, 1/2]]"),
        ("[[1, 2], [3, 4]]", "[[1, 2], [3, 4]]"),
        ("-3/4", "-3/4"),
        (r"\sum_{k=1}^{n} a_{ik} b_{kj}", None),
        (r"\left|\begin{matrix}1&2\\3&4\end{matrix}\right|", "-2"),
        (r"\begin{bmatrix}1&2\\3&4\end{bmatrix}^{-1}", "[[-2, 1], [3/2, -1/2]]"),
        (r"\begin{bmatrix} \hline 1 & 2 \\[4pt] \hline 3 & 4 \\ \end{bmatrix}", "[[1, 2], [3, 4]]"),
        (r"\left[\begin{array}{@{}r|r@{}} 1 & 2 \end{array}\right]", "[[1, 2]]"),
        (r"\sin x \cos y", "Mul(cos('y'), sin('x'))"),
        (r"|x|+|y|", "Add(Abs('x'), Abs('y'))"),
        (r"\begin{equation} x \end{equation}", "'x'"),
        (r"xyz", "Mul('x', 'y', 'z')"),
    ],
)
def test_more_readings(text, right):
    found = said(text)
    assert found == right if right else found != "refuse"


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("n(m+1)", 1, "function's value or a product"),
        ("W^Q", 1, "label or a power"),
        ("X^T Y", 1, "transpose or a power"),
        (r"\mathbf{x} + x", 14, "two styles"),
        ("a/b c", 5, "what the stroke divides by"),
        (r"\sin 2x", 7, "where the argument"),
        ("softmax + 1", 1, "one name or a product"),
        (r"PE_{1}", 1, "one name or a product"),
        (r"\Delta x", 1, "difference or a factor"),
        (r"V^\pi", 1, "label or a power"),
        (r"f^{-1}(x)", 1, "function's value or a product"),
        (r"\sum_{i=1}^{n} x_i + y_i", 24, "ends before this"),
        (r"\sum_{i=1}^{n} x^{(i)}", 16, "may depend on i"),
        (r"{a+b}c", 1, "braces do not show"),
        (r"e = 1", 1, "Euler's number"),
        (r"\pi(a)", 1, "function's value or a product"),
        (r"A = (a_{ij})", 5, "matrix of these entries"),
        (r"2\mathrm{ms}", 2, "a word follows"),
        (r"\mathbb{R}^{n}", 1, "a set or an expectation"),
        (r"\frac{1}{0}", 1, "division by zero"),
        (r"\begin{bmatrix}1&2\\2&4\end{bmatrix}^{-1}", 1, "no inverse"),
        (r"\begin{bmatrix}1 & \cdots\end{bmatrix}", 20, "dots leave out"),
        ("||x|-1|", 2, "bars within bars"),
        (r"\begin{align*} a &= b \\ c &= d \end{align*}", 26, "2 formulas"),
        (r"\fracc{1}{2}", 1, "is not read here"),
        ("", 1, "empty"),
    ],
)
def test_refusals_say_where_and_why(text, column, message):
    with pytest.raises(InputError, match=message) as caught:
        read_latex(text)
    assert (caught.value.place.line, caught.value.place.column) == (1, column)
    assert caught.value.hint


def test_lines_are_counted():
    with pytest.raises(InputError) as caught:
        read_latex("x +\n  y + \\foo")
    place = caught.value.place
    assert (place.line, place.column, place.text) == (2, 7, "  y + \\foo")


def test_a_chain_keeps_what_was_written():
    chain = read_latex(r"S_{11} = 1 \cdot 2 + \frac{0}{3} = 2 \approx 2.0")
    assert chain.relations == ("=", "=", r"\approx")
    assert chain.members[1] != 2 and chain.members[1].doit() == 2
    assert chain.values == (sympy.Symbol("S_11"), 2, 2, 2)
    assert [p.column for p in chain.places] == [1, 10, 36, 46]


def test_false_equations_stay():
    assert read_latex("2 + 2 = 5").values == (4, 5)
    assert read_latex(r"1 \le 0") == sympy.Le(1, 0, evaluate=False)


def test_lines_of_an_alignment_are_one_chain():
    text = "\\begin{align*}\na &= b + c \\\\\n &\\quad + d \\\\\n &= f\n\\end{align*}"
    chain = read_latex(text)
    assert [str(x) for x in chain.members] == ["a", "b + c + d", "f"]
    assert [p.line for p in chain.places] == [2, 2, 4]


@pytest.mark.parametrize("name", ["W_Q", "W^Q", r"W^{Q}", "W_{Q}"])
def test_declared_spellings(name):
    found = read_latex("X W^{Q}", ("X", name))
    assert isinstance(found, sympy.MatMul)
    assert [x.name for x in found.args] == ["X", name.replace("{", "").replace("}", "")]


def test_shapes_are_kept_and_checked():
    shapes = {"A": (2, 3), "B": (3, 2)}
    assert read_latex("A B", shapes).shape == (2, 2)
    with pytest.raises(InputError, match="cannot be multiplied"):
        read_latex("A A", shapes)
    with pytest.raises(InputError, match="not two sizes"):
        read_latex("A", {"A": 3})


def test_an_equation_shows_a_matrix():
    chain = read_latex(r"K^{\top} = \begin{bmatrix} 1 & 0 & 1 \\ 1 & 1 & 2 \end{bmatrix}")
    assert chain.members[0] == sympy.MatrixSymbol("K", 3, 2).T


def test_functions_of_matrices():
    S = sympy.MatrixSymbol("S", 2, 2)
    found = read_latex(r"\operatorname{softmax}(S)", {"S": (2, 2)})
    assert found == sympy.Function("softmax")(S)
    with pytest.raises(InputError, match="only by itself"):
        read_latex(r"\operatorname{softmax}(S) V", ("S", "V"))
    with pytest.raises(InputError, match="two meanings"):
        read_latex("e^{S}", ("S",))
