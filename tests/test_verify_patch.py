"""Patches: what they change, in which notation, that they apply, and that nothing is left wrong."""

import json
import re
import shutil
import subprocess
from fractions import Fraction

import pytest
from articles.generator import article
from articles.sweep import chosen

from derive.cli.main import run
from derive.verify.documents.document import document
from derive.verify.grammar.figures import figure
from derive.verify.grammar.notation import rewritten
from derive.verify.patch import patched
from derive.verify.report import verified


def corrected(text, name="a.md"):
    """The text of an article after its patch, and the patch."""
    patch = patched(verified(document(text, name)), verified)
    return patch.text, patch


# --- notation: (printed, whether decimals follow a comma, the exact value, what is right), by hand

NOTATIONS = [
    ("0.504", False, "0.50348", "0.503"),
    ("-0.504", False, "0.50348", "0.503"),
    ("−0.504", False, "-0.50348", "−0.503"),
    ("0.504", False, "-0.50348", "-0.503"),
    ("+0.5", False, "0.34", "+0.3"),
    ("0,504", True, "0.50348", "0,503"),
    ("1.234,5", True, "9876.54", "9.876,5"),
    ("1,234.50", False, "1234567.891", "1,234,567.89"),
    ("50.4%", False, "0.50348", "50.3%"),
    ("50,4\\%", True, "0.50348", "50,3\\%"),
    ("०.२६", False, "0.25", "०.२५"),
    ("0．5", False, "0.31", "0．3"),
    ("٠٫٥", False, "0.31", "٠٫٣"),
    ("2.81e+00", False, "2.71828", "2.72e+00"),
    ("9.99e-01", False, "1.0024", "1.00e+00"),
    ("1.00E-3", False, "0.00099949", "9.99E-4"),
    (".5", False, "0.25", ".3"),
    ("2.", False, "3.2", "3."),
    ("-0.001", False, "-0.0001", "0.000"),
    ("0.12", False, "1/8", "0.13"),
]


@pytest.mark.parametrize(("printed", "comma", "exact", "right"), NOTATIONS)
def test_the_notation_of_the_author_is_kept(printed, comma, exact, right):
    from derive.verify.grammar.figures import enclosed

    found = figure(printed, comma=comma)
    assert rewritten(found, enclosed(Fraction(exact))) == right


SEEDS = (0, 3, 8, 11, 18, 20, 21, 34, 38, 40)


# --- files


def test_what_is_wrong_is_corrected_with_what_follows_and_nothing_else():
    text = "exp(1) = 2.81, 2.81 + 1 = 3.81 and 1/3 = 0.33; 2.81 stands here.\n"
    right = "exp(1) = 2.72, 2.72 + 1 = 3.72 and 1/3 = 0.33; 2.72 stands here.\n"
    assert corrected(text)[0] == right


def test_both_copies_of_a_formula():
    text = (
        "A = [[0.668, 0.332]]\n\n"
        r"0.2+0.3=0.60.2+0.3=0.6" + "\n\n"
        r"P≈[0.50.6]P \approx \begin{bmatrix} 0.5 & 0.6 \end{bmatrix}" + "\n"
    )
    assert "0.2+0.3=0.50.2+0.3=0.5\n" in corrected(text)[0]


def test_a_plain_copy_of_a_matrix_whose_numbers_run_together():
    head = "X = [[1, 0], [0, 1], [1, 1]]\nW_V = [[1, 0], [1, 1]]\n"
    text = head + r"V=XWV=[101122]V = XW^V = \begin{bmatrix} 1 & 0 \\ 1 & 1 \\ 2 & 2 \end{bmatrix}"
    right = head + r"V=XWV=[101121]V = XW^V = \begin{bmatrix} 1 & 0 \\ 1 & 1 \\ 2 & 1 \end{bmatrix}"
    assert corrected(text)[0] == right


def test_a_chain_that_no_longer_adds_up_is_loosened_and_told():
    text = "exp(1) = 2.81\n\n$2.81 \\cdot 3 = 8.43$\n\nSo 2.81 + 1 = 3.81.\n"
    found, patch = corrected(text)  # e = 2.71828...: 3e = 8.15, and 3 * 2.72 = 8.16
    assert found == "exp(1) = 2.72\n\n$2.72 \\cdot 3 \\approx 8.15$\n\nSo 2.72 + 1 = 3.72.\n"
    assert [line for line, _ in patch.loosened] == [3]


def test_a_chain_of_a_program_is_told_and_left():
    found, patch = corrected("x = exp(1) = 2.81\ny = 2.81 * 3 = 8.43\n", "a.py")
    assert "y = 2.72 * 3 = 8.15" in found
    assert [line for line, _ in patch.open] == [2] and not patch.loosened


def test_a_notebook_stays_the_json_that_it_was():
    source = ["$\\frac{1}{4} = 0.26$, १/४ = ०.२६\n", "exp(1) = 2.81"]
    cells = [{"cell_type": "markdown", "source": source}]
    for ascii_only in (True, False):
        text = json.dumps({"cells": cells, "nbformat": 4}, indent=1, ensure_ascii=ascii_only)
        found, _ = corrected(text, "a.ipynb")
        now = json.loads(found)["cells"][0]["source"]
        assert now == ["$\\frac{1}{4} = 0.25$, १/४ = ०.२५\n", "exp(1) = 2.72"]
        assert len(found) == len(text)


def test_a_page_that_holds_a_formula_three_times():
    text = (
        '<span class="katex"><math><semantics><mrow><msup><mi>e</mi><mn>1</mn></msup><mo>=</mo>'
        '<mn>2.81</mn></mrow><annotation encoding="application/x-tex">e^{1} = 2.81</annotation>'
        '</semantics></math></span>\n<span class="katex-html"><span class="mord">e</span>'
        '<span class="mord">2.81</span></span>'
    )
    found, _ = corrected(text, "a.html")
    assert "2.81" not in found and found.count("2.72") == 3


def test_a_loosened_formula_of_a_page_in_each_of_its_copies():
    text = (
        "<p>exp(1) = 2.81</p>"
        "<math><mrow><mn>2.81</mn><mo>&#xb7;</mo><mn>3</mn><mo>=</mo><mn>8.43</mn></mrow>"
        '<annotation encoding="application/x-tex">2.81 \\cdot 3 = 8.43</annotation></math>'
        '<span class="katex-html"><i>2.81</i><i>·</i><i>3</i><b>=</b><i>8.43</i></span>'
    )
    found, patch = corrected(text, "a.html")
    assert "2.72 \\cdot 3 \\approx 8.15" in found
    assert "<mo>≈</mo><mn>8.15</mn>" in found and "<b>≈</b><i>8.15</i>" in found
    assert [text for _, text in patch.loosened] == ["2.72 \\cdot 3 = 8.15"]


def test_mathml_alone():
    text = "<math><mn>2</mn><mo>−</mo><mn>3.25</mn><mo>=</mo><mo>−</mo><mn>1.5</mn></math>"
    assert corrected(text, "a.html")[0] == text.replace("1.5", "1.3")


def test_entities_and_signs_of_a_page():
    found, _ = corrected("<p>exp(1) = 2.8&#49; and 1/4 = &minus;0.24</p>", "a.html")
    assert found == "<p>exp(1) = 2.72 and 1/4 = 0.25</p>"


def test_columns_of_numbers_stay_columns():
    rows = "[[1, 0], [0, 1]] * 0.25 =\n"
    text = f"H = [[1, 2], [3, 4]]\nD = {rows}[[ 0.25  -0.50],\n [ 0.00   0.25]]\n"
    found, _ = corrected(text)
    assert "[[ 0.25   0.00]," in found


@pytest.mark.parametrize("notation", ["bmatrices", "document", "lists", "tables", "copied"])
@pytest.mark.parametrize("seed", range(3))
def test_nothing_is_wrong_afterwards_and_what_was_right_is_untouched(notation, seed):
    made = article(seed, notation, "head", "", style="rounded")
    text, name = made.text, made.name
    report = verified(document(text, name))
    found, patch = corrected(text, name)
    assert found != text and not patch.left
    after = verified(document(found, name))
    assert not after.counts["wrong"] and not after.counts["consequence"]
    untouched, _ = corrected(found, name)
    assert untouched == found
    numbers = re.compile(r"-?\d+(?:\.\d+)?")
    changed = sum(
        a != b for a, b in zip(numbers.findall(text), numbers.findall(found), strict=True)
    )
    most = report.counts["wrong"] + report.counts["consequence"]
    assert 0 < changed <= 2 * most


@pytest.mark.parametrize("seed", SEEDS)
def test_articles_of_every_kind(seed):
    """Of any model, notation and language: nothing is left wrong, and only wrong digits change."""
    made = chosen(seed)
    found, patch = corrected(made.text, made.name)
    assert made.kind is not None and not patch.left
    before, after = (re.findall(r"[\d.,]*\d", text) for text in (made.text, found))
    if len(before) == len(after):
        changed = {a for a, b in zip(before, after, strict=True) if a != b}
        off = [text.strip("-−+%") for text in made.off]
        assert all(any(text in x or x in text for text in off) for x in changed), changed


def test_what_is_cut_is_corrected_where_that_counts():
    text = "2/3 = 0.66\n"
    assert corrected(text)[0] == text
    strict = patched(verified(document(text, "a.md")), verified, strict=True)
    assert strict.text == "2/3 = 0.67\n"


# --- the command

FILES = {
    "plain.md": "exp(1) = 2.81\r\nand so\r\n1/4 = 0.24",
    "with space.txt": "\n\n\n\n\n\n\n".join(["", "exp(1) = 2.81", "1/4 = 0.24\n", "1/2 = 0.6\n"]),
    'quoted "name".md': "exp(1) = 2.81\n",
    "深/層.md": "exp(1) = 2.81\n2.81 * 3 = 8.43\n",
}  # fmt: skip


@pytest.mark.parametrize("tool", ["patch", "git"])
def test_the_diff_applies(tmp_path, monkeypatch, capsys, tool):
    if shutil.which(tool) is None:
        pytest.skip(f"needs {tool}")
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(text.encode())
    monkeypatch.chdir(tmp_path)
    assert run(["verify", ".", "--patch", "-o", "a.diff"]) == 1
    assert "8.15" in capsys.readouterr().err
    command = {"patch": ["patch", "-p1", "--binary", "-s", "-i"], "git": ["git", "apply"]}[tool]
    subprocess.run([*command, "a.diff"], check=True, cwd=tmp_path)
    assert (tmp_path / "plain.md").read_bytes() == b"exp(1) = 2.72\r\nand so\r\n1/4 = 0.25"
    assert "8.15" in (tmp_path / "深/層.md").read_text("utf-8")
    assert run(["verify", ".", "--patch"]) == 0
    assert capsys.readouterr().out == ""


def test_no_patch_of_what_is_no_utf_8(tmp_path, capsys):
    path = tmp_path / "a.md"
    path.write_bytes("exp(1) = 2.81".encode("utf-16"))
    assert run(["verify", str(path), "--patch"]) == 2
    assert "UTF-16" in capsys.readouterr().err
