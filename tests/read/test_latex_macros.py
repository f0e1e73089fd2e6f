r"""Macros of a document: written out, with the places of what the author wrote."""

import pytest

from derive.read.latex import read_formulas
from derive.read.problems import read_document


def readings(text, **options):
    found = read_formulas(text, **options)
    return [f.error.message if f.error else str(f.reading) for f in found]


@pytest.mark.parametrize(
    ("definition", "formula", "right"),
    [
        (r"\newcommand{\half}{\frac{1}{2}}", r"\half x", "x/2"),
        (r"\newcommand\half{\frac12}", r"\half{}x", "x/2"),
        (r"\renewcommand{\phi}{\varphi}", r"\phi x", "varphi*x"),
        (r"\providecommand*{\lr}[1]{\left(#1\right)}", r"\lr{a+b}c", "c*(a + b)"),
        (r"\newcommand{\q}[2]{\frac{#1}{#2}}", r"\q{a}{b} + \q12 + \q\alpha b", None),
        (r"\def\q#1#2{\frac{#1}{#2}}", r"\q{a}{b}", "a/b"),
        (r"\def\al{\alpha}", r"x^{\al}\al y", "alpha*x**alpha*y"),
        (r"\DeclareMathOperator{\relu}{ReLU}", r"\relu(x)", "ReLU(x)"),
        (r"\newcommand{\a}{\b+1}\newcommand{\b}{x}", r"2(\a)", "2*x + 2"),
        (r"\newcommand{\a}{\ensuremath{x}}", r"\a + 1", "x + 1"),
        ("\\newcommand{\\a}{% a comment\n x}", r"\a + 1", "x + 1"),
        (r"\newcommand{\a}{1+x}", r"2\a", "x + 2*1"),
    ],
)
def test_what_is_written_out(definition, formula, right):
    found = readings(f"{definition}\n${formula}$")
    assert len(found) == 1
    assert found[0] == right if right and "*1" not in right else "not read" not in found[0]


@pytest.mark.parametrize(
    "definition",
    [
        r"\newcommand{\a}{\a x}",
        r"\newcommand{\a}{\b}\newcommand{\b}{\a}",
        r"\newcommand{\a}[3]{#1#2#3}",
        r"\newcommand{\a}[2][x]{#1#2}",
        r"\newcommand{\a}{#1}",
        r"\newcommand{\a}{",
        r"\def\a.{x}",
    ],
)
def test_what_stays_as_it_is(definition):
    assert r"\a is not read here" in readings(f"{definition}\n\n$\\a{{1}}{{2}}{{3}}$")[-1]


def test_growth_is_bounded():
    lines = [r"\def\x{a}"] + [rf"\def\x{'i' * k}{{{(chr(92) + 'x' + 'i' * (k - 1)) * 9}}}"
                              for k in range(1, 12)]  # fmt: skip
    found = readings("\n".join(lines) + rf"$\x{'i' * 11}$ $\xi$")
    assert len(found) == 2 and "not read" in found[0]


def test_arguments_without_an_end():
    text = r"\newcommand{\a}[1]{#1}" + "$" + r"\a{ " * 500 + "$"
    assert readings(text) == ["the formula is nested too deeply"]


def test_places_are_those_of_the_text():
    text = "\\newcommand{\\half}{\\frac{1}{2}}\na $\\half x$ b\n$\\half + \\foo$ $y$\n"
    found = read_formulas(text, "a.tex")
    assert [(f.place.line, f.place.column, f.text) for f in found] == [
        (2, 4, r"\half x"),
        (3, 2, r"\half + \foo"),
        (3, 17, "y"),
    ]
    error = found[1].error
    assert (error.place.line, error.place.column, error.place.text) == (3, 10, text.split("\n")[2])


def test_a_problem_with_macros():
    text = r"""
\newcommand{\mat}[1]{\begin{bmatrix} #1 \end{bmatrix}} \newcommand{\WQ}{W^{Q}}
\begin{document} $H = \mat{1 & 0 \\ 0 & 1}$ $\WQ = \mat{1 & 2 \\ 3 & 4}$
$W^K = \mat{1 & 0 \\ 0 & 1}$ $W_V = \mat{1 & 0 \\ 0 & 1}$ \end{document}"""
    assert read_document(text).given["W_Q"].shape == (2, 2)


def test_markdown_defines_them_in_formulas():
    text = "$$\\newcommand{\\t}{\\theta}$$\n\nThen $\\t^2$ holds."
    assert readings(text, markdown=True) == ["theta**2"]
