"""The gallery's LaTeX compiles cleanly, and a page that does not is told apart."""

import shutil
from pathlib import Path

import gallery
import pytest
from tex import compile_source, compile_to_pdf, problems

GALLERY = Path(__file__).parents[1] / "outputs"
PAGES = sorted(GALLERY.rglob("*.tex"))


def test_the_gallery_has_pages():
    assert PAGES


@pytest.mark.tex
@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(GALLERY)) for page in PAGES])
def test_gallery(page):
    """No error, nothing too wide; and the PDF beside it has the same words on the same pages."""
    found, made = compile_to_pdf(page.read_text(encoding="utf-8"))
    assert found == []
    kept = page.with_suffix(".tex.pdf")
    if kept.exists() and shutil.which("pdftotext"):
        assert gallery.words_of(kept.read_bytes()) == gallery.words_of(made)


@pytest.mark.tex
@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (r"\nosuchcommand", "! Undefined control sequence. l.3 \\nosuchcommand"),
        (r"\hbox to 1pt{wide}", r"Overfull \hbox"),
        (r"\ref{nowhere}", "LaTeX Warning: Reference `nowhere' on page 1 undefined"),
        ("字", "Missing character: There is no 字"),
        (r"\[ a", "! Missing $ inserted. l.4 \\end{document}"),
        ("", "No pages of output."),
    ],
)
def test_problem_is_found(body, problem):
    page = f"\\documentclass{{article}}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"
    assert any(found.startswith(problem) for found in compile_source(page))


@pytest.mark.tex
def test_a_clean_page_has_no_problem():
    page = r"\documentclass{article}\begin{document}\input{part}\end{document}"
    assert compile_source(page, beside={"part.tex": "$a^2$"}) == []


LOG = r"""
LaTeX Font Warning: Font shape `OMX/cmex/m/n' in size <10.53937> not available
Package fontspec Warning: Font "FandolSong-Regular" does not contain requested
LaTeX Warning: Reference `eq:O' on page 1 undefined on input line 4.
! Undefined control sequence.
<argument> \wrong
l.42 \wrong
           x
Overfull \hbox (0.57904pt too wide) in paragraph at lines 5--5
Overfull \vbox (3.0pt too high) has occurred while \output is active
LaTeX Font Warning: Font shape `T1/zzz/m/n' undefined
Missing character: There is no ☃ (U+2603) in font ec-lmr10!
Missing character: There is no ☃ (U+2603) in font ec-lmr10!
Underfull \hbox (badness 10000) in paragraph at lines 5--5
"""


def test_problems_of_a_log():
    assert list(problems(LOG)) == [
        "LaTeX Warning: Reference `eq:O' on page 1 undefined on input line 4.",
        r"! Undefined control sequence. l.42 \wrong",
        r"Overfull \hbox (0.57904pt too wide) in paragraph at lines 5--5",
        r"Overfull \vbox (3.0pt too high) has occurred while \output is active",
        "LaTeX Font Warning: Font shape `T1/zzz/m/n' undefined",
        "Missing character: There is no ☃ (U+2603) in font ec-lmr10!",
    ]
