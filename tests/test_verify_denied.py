"""What an article itself calls wrong is no claim of it; e² = 7.389..., √2 = 1.414..."""

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
]


@pytest.mark.parametrize("text", DENIED)
def test_what_is_called_wrong_is_not_checked(text):
    found = claims(text)
    assert found and {(c.verdict, c.why) for c in found} == {("unchecked", "denied")}


STILL = [
    "Nothing is wrong: e² = 7.5.",
    "It is not true that e² = 7.6; rather e² ≈ 7.5.",
    "**Wrong:** √2 = 1.6. **Right:** e² = 7.5.",
    "The wrong answer was corrected: e² = 7.5",
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
