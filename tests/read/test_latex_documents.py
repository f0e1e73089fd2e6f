"""Documents: where mathematics stands in them, and problems written as LaTeX or Markdown."""

import pytest
from click.testing import CliRunner

from derive.cli.read import command
from derive.errors import InputError
from derive.exact import NEG_INF, E, call, number, symbol
from derive.read import load, read_toml
from derive.read.latex.document import read_formulas
from derive.read.problems import read_document

TEX = r"""\documentclass{article}
\newcommand{\x}{$not here$}
\title{A small head}
\begin{document}
Prices of 5\$ and 6\$; % $a comment$
let $X = \begin{pmatrix} 1 & 0 \\ 0 & 1 \\ 1 & 1 \end{pmatrix}$ and
\verb|$code$|
\[ W^Q = \begin{bmatrix} 1 & 0 \\ 0 & 1 \end{bmatrix},\quad W_K = [[1, 1], [0, 1]] \]
\begin{align}
  W_{V} &= \begin{bmatrix} 1 & \frac12 \\ 1 & x_{1} \end{bmatrix} \\
  S &= Q K^\top
\end{align}
\begin{verbatim} $verbatim$ \end{verbatim}
\end{document}
$after$
"""
MARKDOWN = """# A head

Costs $5 and $6, `$code$`, \\$7; inline $`x^2`$ and $y+1$.

```math
H = \\begin{bmatrix} 1 & 0 \\\\ 0 & 1 \\end{bmatrix}
```

```python
x = "$no$"
```

$$
W_Q = W
$$

$$W^{(Q)} = [[1, 0], [0, 1]]$$ then $W^K = [[1,1],[0,1]]$, \\(W^V = [[1,2],[0,1]]\\).
"""


def texts(document, **options):
    return [formula.text for formula in read_formulas(document, **options)]


def test_formulas_of_latex():
    assert [t[:6] for t in texts(TEX)] == ["X = \\b", "W^Q = ", "W_K = ", "W_{V} ", "S &= Q"]
    assert all(formula.error is None for formula in read_formulas(TEX)[:4])


def test_formulas_of_markdown():
    assert [t[:5] for t in texts(MARKDOWN, markdown=True)] == [
        "x^2",
        "y+1",
        "H = \\",
        "W_Q =",
        "W^{(Q",
        "W^K =",
        "W^V =",
    ]


def test_places_are_those_of_the_document():
    place = read_formulas(TEX, "head.tex")[4].place
    assert (place.source, place.line, place.column) == ("head.tex", 11, 3)
    error = read_formulas("a\n\n$x + \\foo$", "a.md", markdown=True)[0].error
    assert (error.place.source, error.place.line, error.place.column) == ("a.md", 3, 6)


def test_a_problem_in_latex(tmp_path):
    path = tmp_path / "head.tex"
    path.write_text(TEX, encoding="utf-8")
    problem = load(path)
    assert (problem.name, problem.title) == ("head", "A small head")
    assert problem.given["H"].shape == (3, 2)
    assert problem.given["W_V"].rows == ((number(1), number(1, 2)), (number(1), symbol("x_1")))


def test_a_problem_in_markdown(tmp_path):
    path = tmp_path / "head.md"
    path.write_text(MARKDOWN, encoding="utf-8")
    problem = load(path)
    assert problem.title == "A head" and problem.given["W_Q"].rows == problem.given["H"].rows


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("W^Q =", "W^R ="), "W_Q is missing"),
        (("$X =", r"$H = [[1]]$ $X ="), "H is declared a second time"),
        (("[[1, 1], [0, 1]]", "[[1, 1]]"), "W_K has 1 row"),
    ],
)
def test_what_is_wrong_with_a_problem(change, message):
    with pytest.raises(InputError, match=message):
        read_document(TEX.replace(*change), "head.tex")


def test_a_document_without_matrices():
    with pytest.raises(InputError, match="declares none"):
        read_document("$x$", "a.tex")


TOML = r"""
[conventions]
scale = '\sqrt{d_k}'
mask = '\begin{bmatrix} 0 & -\infty \\ 0 & 0 \end{bmatrix}'
[given]
H = '\begin{bmatrix} 1 & \frac{\sqrt{2}}{2} \\ e^{2} & 0 \end{bmatrix}'
W_Q = [[1, '\sqrt{2}'], ['\frac12', 'x_{1}']]
W_K = '''
\left[\begin{array}{rr} 1 & \lambda \\[2pt]
 0 & 40.1\% \end{array}\right]'''
W_V = '[[1, \ln 2], [0, 1]]'
"""


def test_latex_in_toml():
    problem = read_toml(TOML)
    root = call("sqrt", number(2))
    assert problem.given["H"].rows == ((number(1), root / number(2)), (E**2, number(0)))
    assert problem.given["W_Q"].rows == ((number(1), root), (number(1, 2), symbol("x_1")))
    assert problem.given["W_K"].rows[0][1] == symbol("lamda")
    assert problem.given["W_V"].rows[0][1] == call("log", number(2))
    assert problem.conventions.mask.rows[0][1] is NEG_INF
    assert problem.conventions.scale == call("sqrt", symbol("d_k"))


@pytest.mark.parametrize(
    ("change", "line", "column", "message"),
    [
        (("e^{2}", "e^{2"), 6, 50, r"H: this brace is never closed"),
        ((r"\sqrt{2}'", r"\sqrt{2'"), 7, 18, r"W_Q\[1\]\[2\]: this brace is never closed"),
        ((r"\frac{\sqrt{2}}{2}", r"\cdots"), 6, 26, "H: dots leave out"),
        (("x_{1}", r"\mathrm{a}_{i+1}"), 7, 38, r"W_Q\[2\]\[2\]: a_i\+1 cannot name a symbol"),
        (("0 & 0 ", r"0 & \hat{"), 4, 48, "mask: this brace is never closed"),
    ],
)
def test_refusals_point_into_the_file(change, line, column, message):
    assert change[0] in TOML
    with pytest.raises(InputError, match=message) as caught:
        read_toml(TOML.replace(*change), "head.toml")
    assert (caught.value.place.line, caught.value.place.column) == (line, column)
    assert caught.value.hint


def test_the_command(tmp_path):
    path = tmp_path / "a.tex"
    path.write_text(r"$x = [[1, 2]]$ and $\foo$", encoding="utf-8")
    found = CliRunner().invoke(command, [str(path), "--all"], standalone_mode=False)
    assert found.output.splitlines() == [
        f"{path}:1:2: x = [[1, 2]]",
        "    x = [[1, 2]]",
        rf"{path}:1:21: \foo",
        r"    refused: \foo is not read here",
        "    hint: " + read_formulas(r"$\foo$")[0].error.hint,
        "1 formulas read, 1 refused",
    ]
