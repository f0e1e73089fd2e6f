"""What an article itself calls wrong is no claim of it; e² = 7.389..., √2 = 1.414..."""

import json

import pytest

from derive.verify.documents.document import opened
from derive.verify.report import verified


def claims(text, name="a.md"):
    return verified(opened(text.encode(), name)).claims


def verdicts(text, name="a.md"):
    return [(c.printed, c.verdict) for c in claims(text, name)]


DENIED = [
    "Note that softmax([1, 2]) ≠ [0.333, 0.667].",
    r"Beachte $\mathrm{softmax}([1, 2]) \neq [0.333, 0.667]$.",
    "It is not true that e² = 7.5.",
    "**Wrong:** softmax([1, 2]) = [0.333, 0.667]",
    "**Wrong result:** √2 = 1.5",
    "❌ √2 = 1.5",
    "ChatGPT falsely claimed that √2 = 1.424.",
    "A common mistake is to forget the exponential: softmax([1, 2]) = [0.333, 0.667].",
    "Ein Schüler rechnet fälschlich: e² ≈ 7.5.",
    "Falsch ist $e^2 = 7.5$.",
    "错误：softmax([1, 2]) = [0.333, 0.667]。",
    "Неверно, что e² = 7.5.",
    "Faux : e² = 7.5.",
    "Incorrecto: e² = 7.5.",
    r"$\mathrm{softmax}([1, 2]) \neq \begin{bmatrix} 0.333 & 0.667 \end{bmatrix}$",
    "So √2 = 1.424 would be incorrect.",
    "√2 = 1.424 ist falsch.",
    "√3 = 1.723 est faux.",
    "√3 = 1.723 是错误的。",
    "√3 = 1.723 (wrong)",
    "A student writes: √3 = 1.723. What went wrong?",
    "Without the exponential softmax([1, 2]) = [0.333, 0.667], which is not what we want.",
]


AMENDED = [
    "p. 47: for e² ≈ 7.398 read e² ≈ 7.389.",
    '"e² ≈ 7.398" should be "e² ≈ 7.389"',
    "replace e² ≈ 7.398 by e² ≈ 7.389",
    "Statt e² ≈ 7.398 lies e² ≈ 7.389.",
    "Au lieu de e² ≈ 7.398, lire e² ≈ 7.389.",
    "Donde dice e² ≈ 7.398, debe decir e² ≈ 7.389.",
    "Вместо e² ≈ 7.398 следует читать e² ≈ 7.389.",
    "“e² ≈ 7.398”应为“e² ≈ 7.389”。",
]


@pytest.mark.parametrize("text", AMENDED)
def test_only_what_replaces_the_wrong_is_claimed(text):
    found = [(c.printed, c.verdict) for c in claims(text) if c.printed[0] == "7"]
    assert found == [("7.398", "unchecked"), ("7.389", "correct")]
    spoilt = text.replace("7.389", "7.839")
    assert [c.printed for c in claims(spoilt) if c.verdict == "wrong"] == ["7.839"]


ASKED = [
    "3. True or false: softmax([1, 1, 1]) = [1, 1, 1].",
    "True or False?\n\n1. √2 = 1.424.\n2. √4 = 2.\n",
    "Vrai ou faux : √2 = 1.424.",
    "判断正误：√2 = 1.424。",
]


@pytest.mark.parametrize("text", ASKED)
def test_what_is_asked_is_not_checked(text):
    assert {c.why for c in claims(text)} == {"asked"}
    assert verdicts(f"{text}\n\n# Next\n\ne² = 7.5")[-1] == ("7.5", "wrong")


IGNORED = [
    ("√2 = 1.424 <!-- derive: ignore -->\n\ne² = 7.5", "a.md"),
    ("<!-- derive: ignore -->\n√2 = 1.424\n<!-- derive: end -->\ne² = 7.5", "a.md"),
    ("$\\sqrt2 = 1.424$ % derive: ignore\n\n$e^2 = 7.5$", "a.tex"),
    ("% derive: ignore\n$$\\sqrt2 = 1.424$$\n% derive: end\n$e^2 = 7.5$", "a.tex"),
    ("print(2 ** 0.5)  # derive: ignore 1.424\nprint(3 + 4)  # 7.5", "a.py"),
]


@pytest.mark.parametrize(("text", "name"), IGNORED)
def test_a_comment_says_what_to_ignore(text, name):
    found = claims(text, name)
    assert {c.why for c in found if c.line < found[-1].line} == {"ignored"}
    assert [c.printed for c in found if c.verdict == "wrong"] == ["7.5"]


@pytest.mark.parametrize("text", DENIED)
def test_what_is_called_wrong_is_not_checked(text):
    found = claims(text)
    assert found and {(c.verdict, c.why) for c in found} == {("unchecked", "denied")}


STILL = [
    "Nothing is wrong: e² = 7.5.",
    "It is not true that e² = 7.6; rather e² ≈ 7.5.",
    "**Wrong:** √2 = 1.6. **Right:** e² = 7.5.",
    "The wrong answer was corrected: e² = 7.5",
    "e² = 7.5 is not wrong.",
    "e² = 7.5. A wrong root would spoil all.",
    "Since e² ≠ 0, we get e² = 7.5.",
    "~~√2 = 1.424~~ e² = 7.5",
]


@pytest.mark.parametrize("text", STILL)
def test_what_stands_beside_is_checked(text):
    assert [c.printed for c in claims(text) if c.verdict == "wrong"] == ["7.5"]


STRUCK = [
    ("~~√2 = 1.424~~ e² = 7.389", "a.md"),
    ("<del>√2 = 1.424</del> e² = 7.389", "a.md"),
    ("<p><s>√2 = 1.424</s> e² = 7.389 <del class='x'>√2 =\n 1.5</del></p>", "a.html"),
    (r"\sout{$\sqrt{2} = 1.424$} $e^2 = 7.389$", "a.tex"),
]


@pytest.mark.parametrize(("text", "name"), STRUCK)
def test_what_is_struck_out_is_no_claim(text, name):
    assert verdicts(text, name) == [("7.389", "correct")]


def test_blanks_of_tex_strike_nothing_out():
    assert verdicts("$e^2 = 7.5,~~x = 2,~~y = 3$")[0] == ("7.5", "wrong")


@pytest.mark.parametrize("indent", [None, 1])
def test_comments_in_a_notebook_are_of_its_lines(indent):
    lines = ["<!-- derive: ignore -->\n", "√2 = 1.424\n", "<!-- derive: end -->\n", "e² = 7.5"]
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": lines},
        {"cell_type": "markdown", "metadata": {}, "source": "√3 = 1.723 <!-- derive: ignore -->"},
    ]
    book = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    found = claims(json.dumps(book, indent=indent, ensure_ascii=False), "a.ipynb")
    assert [c.printed for c in found if c.verdict == "wrong"] == ["7.5"]
    assert {c.printed for c in found if c.why == "ignored"} == {"2", "1.424", "3", "1.723"}
