"""Verdicts on articles: each verdict, each notation, each cause, and what is no article."""

import json

import pytest

from derive.cli.main import run
from derive.errors import InputError
from derive.verify import verify, verify_file
from derive.verify.report import VERDICTS

HEAD = """
X = [[1, 0], [0, 1], [1, 1]]
W_Q = [[1, 0], [0, 1]]
W_K = [[1, 1], [0, 1]]
W_V = [[1, 0], [1, 1]]
"""
SHARES = "A = [[0.401, 0.198, 0.401], [0.248, 0.248, {0}], [0.284, 0.140, 0.576]]\n"


def verdicts(text, printed, name="a.md"):
    """The verdicts on one printed string, from top to bottom."""
    return [c.verdict for c in verify(text, name).claims if c.printed == printed]


def only(text, printed, name="a.md"):
    """The one claim on a printed string."""
    (claim,) = (c for c in verify(text, name).claims if c.printed == printed)
    return claim


# --- verdicts, by hand: e = 2.71828..., 1/3 = 0.333..., 2/3 = 0.666...

ROWS = {
    "assumed": ("We assume that softmax returns [0.45, 0.10, 0.45].", "0.10"),
    "correct": ("exp(1) = 2.72", "2.72"),
    "consequence": ("exp(1) = 2.81 and 2.81 + 1 = 3.81", "3.81"),
    "propagated": ("2/3 = 0.67 and 0.67 * 3 = 2.01", "2.01"),
    "truncated": ("2/3 = 0.66", "0.66"),
    "wrong": ("exp(1) = 2.81", "2.81"),
    "unchecked": ("It took 3.75 seconds.", "3.75"),
}


@pytest.mark.parametrize("verdict", VERDICTS)
def test_each_verdict(verdict):
    text, printed = ROWS[verdict]
    assert verdicts(text, printed) == [verdict]


@pytest.mark.parametrize("printed", ["0.12", "0.13"])
def test_a_tie_goes_either_way(printed):
    assert verdicts(f"1/8 = {printed}", printed) == ["correct"]


def test_a_consequence_names_its_root():
    claim = only("s = exp(1) = 2.81 and 2.81 + 1 = 3.81", "3.81")
    assert claim.root == "s"


def test_exact_digits_are_cut_and_counted():
    assert only("exp(1) = 2.81", "2.81").exact == "2.71828182845904…"
    assert only("1/8 = 0.2", "0.2").exact == "0.125"


# --- rows and conventions


def test_a_row_made_to_sum_to_one():
    report = verify(HEAD + SHARES.format("0.504"), "a.txt")
    assert [(c.quantity, c.right) for c in report.claims if c.verdict == "wrong"] == [
        ("A[2][3]", "0.503")
    ]


@pytest.mark.parametrize(
    "printed", ["[-1.342, -0.447, 0.447, 1.342]", "[-1.162, -0.387, 0.387, 1.162]"]
)
def test_a_convention_with_which_everything_agrees_is_no_mistake(printed):
    report = verify(f"LayerNorm([2, 4, 6, 8]) = {printed}")  # deviations sqrt 5 and sqrt(20/3)
    assert report.counts["correct"] == 4


# --- places


def test_lines_and_columns_are_those_of_the_stored_file():
    claim = only("😀 a\n\nexp(1) = 2.81", "2.81")
    assert (claim.line, claim.column) == (3, 10)


def test_a_notebook_counts_the_lines_of_its_json():
    cell = {"cell_type": "markdown", "source": ["text\n", "exp(1) = 2.81"]}
    text = json.dumps({"cells": [cell], "nbformat": 4}, indent=1)
    claim = only(text, "2.81", "a.ipynb")
    line = text.splitlines()[claim.line - 1]
    assert line[claim.column - 1 :].startswith("2.81")


def test_native_digits():
    assert verdicts("१/४ = ०.२६", "०.२६") == ["wrong"]


KATEX = """<p><span class="katex"><span class="katex-mathml"><math><mn>2.81</mn>
<annotation encoding="application/x-tex">e^{1} = 2.81</annotation></math></span>
<span class="katex-html"><span>e</span>2.81</span></span></p>"""


def test_a_formula_that_is_marked_up_twice_is_read_once():
    assert verdicts(KATEX, "2.81", "a.html") == ["wrong"]


NO_STATEMENTS = (
    "token 1 = 0.5 and head 2 → 0.7",
    "(4, 3) @ (3, 2) → (4, 2)",
    "1 1/2 = 1.5 cups",
    "1/2 + 1/4 + ... + 1/8 = 1",
    "max(1, 2) = 2; log(100) = 2; sin(30) = 0.5",
    "f = 3 and f(2) = 5",
    "lr = 0.1 → 0.01 → 0.001",
    "n = 3, n = 4",
)


@pytest.mark.parametrize("text", NO_STATEMENTS)
def test_what_states_nothing_false_is_not_accused(text):
    counts = verify(text).counts
    assert counts["wrong"] == counts["consequence"] == 0


# --- what is no article, or a hostile one


def test_too_long_an_article_is_refused():
    with pytest.raises(InputError, match="too long"):
        verify("word " * 1_100_000)


@pytest.mark.parametrize(
    ("data", "said"),
    [(b"\x00\x01", "binary"), (b"\xff\xff\xff", "UTF-8")],
)
def test_what_is_no_text(tmp_path, data, said):
    path = tmp_path / "a.md"
    path.write_bytes(data)
    with pytest.raises(InputError, match=said):
        verify_file(path)


@pytest.mark.parametrize("text", ["{}", "[[[[", '{"cells": 5}', "[" * 100_000, '{"cells": [5]}'])
def test_what_is_no_notebook(text):
    with pytest.raises(InputError, match="notebook"):
        verify(text, "a.ipynb")


@pytest.mark.parametrize(
    "text",
    [
        "[" * 20_000,
        "[" * 200 + "1" + "]" * 200,
        r"\begin{bmatrix} 1 & 2" * 2000,
        "$$ 1 + " * 5000,
        "exp(exp(exp(100))) = 3.5 and 2 ** 100000000 = 4.5 and 9^9^9^9 = 1.5",
        "1" * 10_000 + " = 2.5",
    ],
    ids=["open", "deep", "matrices", "displays", "powers", "long"],
)
def test_hostile_articles_end(text):
    assert "wrong" not in verify(text).counts


def test_nothing_is_read_or_run():
    report = verify(r"\input{/etc/passwd} __import__('os').getcwd() = 3.5", "a.tex")
    assert report.counts["wrong"] == 0


# --- the command


def test_the_command(tmp_path, capsys):
    path = tmp_path / "a.md"
    path.write_text("exp(1) = 2.81\n", encoding="utf-8")
    assert run(["verify", str(path)]) == 1
    assert "2.72" in capsys.readouterr().out
    path.write_text("exp(1) = 2.72\n", encoding="utf-8")
    assert run(["verify", str(path)]) == 0
    path.write_text("It took 3.75 seconds.\n", encoding="utf-8")
    assert run(["verify", str(path)]) == 3
    assert run(["verify", str(tmp_path / "none.md")]) == 2


def test_cut_numbers_are_findings_when_asked_for(tmp_path):
    path = tmp_path / "a.md"
    path.write_text("2/3 = 0.66\n", encoding="utf-8")
    assert run(["verify", str(path)]) == 0
    assert run(["verify", str(path), "--strict"]) == 1


def test_json(tmp_path, capsys):
    path = tmp_path / "a.md"
    path.write_text("s = exp(1) = 2.81\n", encoding="utf-8")
    run(["verify", str(path), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert set(found) == {
        "file", "language", "problem", "conventions", "claims", "coverage", "summary",
    }  # fmt: skip
    (claim,) = (c for c in found["claims"] if c["printed"] == "2.81")
    assert (claim["line"], claim["column"], claim["verdict"]) == (1, 14, "wrong")
    assert found["summary"]["wrong"] == 1


def test_the_language_and_the_conventions_are_told():
    found = verify(
        HEAD + SHARES.format("0.503") + "\nEach row is the softmax of the scores."
    ).as_json()
    assert found["language"] == "en"
    assert found["conventions"] == {"scale": "sqrt(d_k)", "mask": None}
