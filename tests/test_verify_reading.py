"""Articles as they are stored: each kind of document, each notation, and files that do harm."""

import io
import json
import time
import unicodedata
import zipfile
from fractions import Fraction

import pytest
from articles.generator import article
from articles.notes import notes
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.errors import InputError
from derive.verify import verify, verify_file
from derive.verify.documents.copies import masked
from derive.verify.documents.document import opened
from derive.verify.report import verified
from derive.verify.tables.tables import tables

BOUND = 12
"""Seconds of work that no file may take."""


def verdicts(text, printed, name="a.md"):
    return [c.verdict for c in verify(text, name).claims if c.printed == printed]


def stored(data, name):
    return verified(opened(data, name))


def plain(printed):
    digits = "".join(str(unicodedata.decimal(x, x)) for x in printed).replace("−", "-")
    return Fraction(digits) if digits.strip("-").replace(".", "").isdigit() else None


# --- LaTeX: e = 2.718, softmax(1, 2) = (0.269, 0.731)


def test_macros_keep_the_place_of_each_number():
    text = (
        "\\newcommand{\\half}{0.51}\n\\newcommand{\\row}[2][9]{\\left[#1, #2\\right]}\n"
        "\\DeclareMathOperator{\\sm}{softmax}\\def\\same#1{#1}\n"
        "$1/2 = \\half$ and $\\sm\\row[1]{2} = \\same{\\row[0.269]{0.741}}$"
    )
    wrong = [(c.line, c.column, c.printed) for c in verify(text, "a.tex").claims if c.right]
    first, last = text.splitlines()[0], text.splitlines()[3]
    assert wrong == [(1, first.index("0.51") + 1, "0.51"), (4, last.index("0.741") + 1, "0.741")]


BOMB = "".join(
    f"\\def\\{b}{{" + f"\\{a}" * 10 + "}" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    "text",
    [
        r"\def\a{\a}\a",
        r"\def\a{\b}\def\b{\a}\b",
        r"\newcommand{\x}[1]{\x{#1}}\x{1}",
        r"\def\a{1234567890}" + BOMB + r"\i",
    ],
    ids=["itself", "each other", "argument", "bomb"],
)  # fmt: skip
def test_macros_that_do_not_end_are_refused(text):
    with pytest.raises(InputError, match="macro"):
        verify(text, "a.tex")


@pytest.mark.parametrize(
    "kind", "bmatrix smallmatrix pmatrix* bmatrix* Bmatrix Vmatrix psmallmatrix NiceMatrix".split()
)
def test_each_matrix(kind):
    made = f"softmax(\\begin{{{kind}}} 1 & 2 \\end{{{kind}}})"
    text = f"$ {made} = \\begin{{{kind}}} 0.269 & 0.741 \\end{{{kind}}} $"
    assert verdicts(text, "0.741") == ["wrong"]
    assert verdicts(text, "0.269") == ["correct"]


def test_what_is_no_number_of_a_page():
    text = r"$1/4 = 0.26 \tag{1.5}\label{eq:2.5}$ \cite{a2.5} \vspace{3.5cm} % 1/8 = 7.5"
    assert [c.printed for c in verify(text, "a.tex").claims if c.verdict != "unchecked"] == ["0.26"]


@pytest.mark.parametrize(
    "dress", ["\\boxed{%s}", "\\textbf{%s}", "\\mathbf{%s}", "\\num{%s}", "{%s}"]
)
def test_a_number_in_dress(dress):
    assert verdicts("$1/4 = " + dress % "0.26" + "$", "0.26") == ["wrong"]


# --- HTML


PAGES = {
    "MathML": "<math><mfrac><mn>1</mn><msqrt><mn>2</mn></msqrt></mfrac><mo>&#x2248;</mo>"
    "<mn>0.717</mn></math>",
    "MathJax 2": '<span class="MathJax"><span>1</span>0.717</span>'
    '<script type="math/tex">1/\\sqrt{2} = 0.717</script>',
    "MathJax 2 without sources": '<span class="MathJax"><nobr>0.717</nobr>'
    '<span class="MJX_Assistive_MathML"><math><mn>1</mn><mo>/</mo><msqrt><mn>2</mn></msqrt>'
    "<mo>=</mo><mn>0.717</mn></math></span></span>",
    "MathJax 3": '<mjx-container><mjx-math><mjx-c class="c31"></mjx-c></mjx-math>'
    "<mjx-assistive-mml><math><mfrac><mn>1</mn><msqrt><mn>2</mn></msqrt></mfrac><mo>=</mo>"
    "<mn>0.717</mn></math></mjx-assistive-mml></mjx-container>",
    "scripts": "<p>e<sup>0.5</sup> = 0.717</p>",
    "entities": "<p>1/&radic;2 &asymp; 0&#46;717</p>",
    "TeX in text": "<p>\\(1/\\sqrt{2} = 0.717\\)</p>",
}


@pytest.mark.parametrize("kind", PAGES)
def test_each_markup_of_a_formula(kind):
    printed = [c for c in verify(PAGES[kind], "a.html").claims if c.verdict == "wrong"]
    assert len(printed) == 1
    assert printed[0].printed == "0.717"


def test_lines_of_mathml_that_are_aligned_are_no_matrix():
    made = "<mo>=</mo><mn>1.5</mn><mo>&#x2062;</mo><mn>2</mn>"
    rows = f"<mtr><mtd><mi>s</mi></mtd><mtd>{made}</mtd></mtr>"
    text = f"<math><mtable>{rows}<mtr><mtd/><mtd><mo>=</mo><mn>3.1</mn></mtd></mtr></mtable></math>"
    assert verdicts(text, "3.1", "a.html") == ["wrong"]


@pytest.mark.parametrize("hidden", ["<script>%s</script>", "<!-- %s -->", "<style>%s</style>"])
def test_what_a_page_does_not_show_is_not_read(hidden):
    assert verify(hidden % "1/4 = 0.26", "a.html").claims == ()


# --- notebooks


def notebook(**output):
    cell = {"cell_type": "code", "source": ["x"], "outputs": [output]}
    return json.dumps({"cells": [cell], "nbformat": 4})


OUTPUTS = {
    "stream": {"output_type": "stream", "text": ["1/4 = 0.26\n"]},
    "result": {"output_type": "execute_result", "data": {"text/plain": "1/4 = 0.26"}},
    "LaTeX": {"data": {"text/latex": ["$1/4 = 0.26$"], "text/plain": ["<Math>"]}},
    "Markdown": {"data": {"text/markdown": "1/4 = 0.26", "text/plain": "<Markdown>"}},
    "HTML": {"data": {"text/html": "<p>1/4 &#61; 0.26</p>", "text/plain": "<HTML object>"}},
}


@pytest.mark.parametrize("kind", OUTPUTS)
def test_each_output_of_a_notebook(kind):
    assert verdicts(notebook(**OUTPUTS[kind]), "0.26", "a.ipynb") == ["wrong"]


def test_half_a_character_in_a_notebook_does_no_harm():
    text = notebook(output_type="stream", text=["\ud83d 1/4 = 0.26 \ude00"])
    assert verdicts(text, "0.26", "a.ipynb") == ["wrong"]


# --- reStructuredText, Org, R, MATLAB, Julia, pandas


def test_restructured_text():
    text = """
.. 1/4 = 0.1 is a comment

The value :math:`1/4 = 0.21` and then

.. math:: 1/4 = 0.31

.. math::
   :label: one

   1/4 &= 0.41

.. code-block:: python

   x = 1/4  # = 0.51

As here::

   1/4 = 0.61
"""
    wrong = {c.printed: (c.line, c.column) for c in verify(text, "a.rst").claims if c.right}
    assert wrong == {
        "0.21": (4, 24), "0.31": (6, 17), "0.41": (11, 11), "0.51": (15, 17), "0.61": (19, 10),
    }  # fmt: skip


def test_org():
    text = "A note\n#+BEGIN_SRC python\nx = 1/4 # = 0.26\n#+END_SRC\n: 1/4 = 0.27\n"
    assert verdicts(text, "0.26", "a.org") == verdicts(text, "0.27", "a.org") == ["wrong"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("x <- c(1, 2, 3)\nsoftmax(x)\n[1] 0.09003057 0.24472847\n[3] 0.66534096\n", "a.R"),
        ("x = [1, 2, 3]\n\nsoftmax(x)\n\nans =\n\n    0.0900    0.2447    0.6654\n", "a.m"),
        ("x = [1, 2, 3]\ny = softmax(x)\n3-element Vector{Float64}:\n 0.0900\n 0.2447\n 0.6654\n",
         "a.jl"),
        ("softmax([1, 2, 3]):\n```\n0    0.0900\n1    0.2447\n2    0.6654\ndtype: float64\n```\n",
         "a.md"),
    ],
    ids=["R", "MATLAB", "Julia", "pandas"],
)  # fmt: skip
def test_printouts(text, name):
    found = {c.printed: c.verdict for c in verify(text, name).claims}
    assert {v for k, v in found.items() if k.startswith("0.665")} == {"wrong"}


def test_the_factor_of_a_whole_matrix():
    (table,) = tables("y =\n\n   1.0e+03 *\n\n    3.0000    0.6614\n", "code")
    assert [entry.figure.value for entry in table.rows[0]] == [3000, Fraction("661.4")]


# --- Word, spreadsheets, PDF


def test_equations_of_word(tmp_path):
    docx = pytest.importorskip("docx")
    from docx.oxml import parse_xml

    space = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    two = "<m:rad><m:deg/><m:e><m:r><m:t>2</m:t></m:r></m:e></m:rad>"
    half = f"<m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den>{two}</m:den></m:f>"
    document = docx.Document()
    document.add_paragraph("e").add_run("0.5").font.superscript = True
    document.paragraphs[0].add_run(" = 1.659")
    document.add_paragraph()._p.append(
        parse_xml(f"<m:oMath {space}>{half}<m:r><m:t>≈0.717</m:t></m:r></m:oMath>")
    )
    document.save(tmp_path / "a.docx")
    wrong = [(c.line, c.printed) for c in verify_file(tmp_path / "a.docx").claims if c.right]
    assert wrong == [(1, "1.659"), (2, "0.717")]


def book(cells, formulas):
    """A spreadsheet of openpyxl, with the values that a program would have stored."""
    openpyxl = pytest.importorskip("openpyxl")
    made = openpyxl.Workbook()
    made.active.title = "My sheet"
    for place, value in (cells | {k: v for k, (v, _) in formulas.items()}).items():
        made.active[place] = value
    raw, out = io.BytesIO(), io.BytesIO()
    made.save(raw)
    with zipfile.ZipFile(raw) as before, zipfile.ZipFile(out, "w") as after:
        for part in before.namelist():
            text = before.read(part)
            if part.endswith("sheet1.xml"):
                for place, (_, value) in formulas.items():
                    first = text.index(f'r="{place}"'.encode())
                    head, rest = text[:first], text[first:]
                    rest = rest.replace(b"<v />", b"<v/>", 1).replace(b"<v></v>", b"<v/>", 1)
                    text = head + rest.replace(b"<v/>", f"<v>{value}</v>".encode(), 1)
            after.writestr(part, text)
    return out.getvalue()


FORMULAS = {
    "=EXP(B1)": (1.6487212707001282, 1.75),
    "=SUM(B1:B3)": (4.5, 4.6),
    "=$B$2+B3*2-1/4": (6.25, 6.85),
    "=SQRT(B3)^2": (2.5, 2.6),
    "=AVERAGE(B1:B3)": (1.5, 1.6),
    "=SUMPRODUCT(B1:B3,B1:B3)": (8.75, 8.85),
    "=-B1^2": (0.25, 0.35),
    "=MAX(B1:B3)/'My sheet'!B1": (5, 6),
}


@pytest.mark.parametrize("formula", FORMULAS)
def test_each_formula_of_a_spreadsheet(formula):
    right, wrong = FORMULAS[formula]
    cells = {"A1": "x", "B1": 0.5, "B2": 1.5, "B3": 2.5}
    for value, verdict in ((right, "correct"), (wrong, "wrong")):
        claims = stored(book(cells, {"D2": (formula, value)}), "a.xlsx").claims
        assert [(c.at, c.verdict) for c in claims if c.line == 2 and c.column == 4] == [
            ("My sheet!D2", verdict)
        ]


@pytest.mark.parametrize("formula", ["=WEBSERVICE(B1)", "=B1:B2:B3", "=((((", "=" + "(" * 3000])
def test_other_formulas_are_values(formula):
    claims = stored(book({"B1": 0.5}, {"D2": (formula, 7.5)}), "a.xlsx").claims
    assert {c.verdict for c in claims if c.printed == "7.5"} <= {"assumed", "unchecked"}


def test_formulas_that_rest_on_each_other_end():
    cells = {"B1": ("=B2", 1.5), "B2": ("=B1", 1.5)}
    assert stored(book({}, cells), "a.xlsx").counts["wrong"] == 0


def test_the_page_of_a_number(tmp_path):
    canvas = pytest.importorskip("reportlab.pdfgen.canvas")
    page = canvas.Canvas(str(tmp_path / "a.pdf"))
    for text in ("1/4 = 0.25", "1/4 = 0.26"):
        page.drawString(60, 700, text)
        page.showPage()
    page.save()
    claims = verify_file(tmp_path / "a.pdf").claims
    assert [(c.at, c.verdict) for c in claims if c.printed == "0.26"] == [
        ("page 2, line 1", "wrong")
    ]


# --- notations of numbers: e^-7 = 9.1188e-4, e^10 = 22026.47

NUMBERS = {
    "exp(-7) = 9.22×10⁻⁴": "9.22×10⁻⁴",
    r"$e^{-7} = 9.22 \cdot 10^{-4}$": r"9.22 \cdot 10^{-4}",
    r"$e^{-7} = 9.22 \times 10^{-4}$": r"9.22 \times 10^{-4}",
    "exp(-7) = 9.22e-4": "9.22e-4",
    "exp(−7) = 9.22E-04": "9.22E-04",
    "exp(10) = 22\u202f126.47": "22\u202f126.47",
    "exp(10) = 22 126.47": "22 126.47",
    "exp(10) = 22'126.47": "22'126.47",
    "exp(10) = 22,126.47": "22,126.47",
    r"$e^{10} = 22\,126.47$": r"22\,126.47",
    "½ + ¼ = 0.85": "0.85",
    "1½ × 3 = 4.6": "4.6",
    "3/4 = 76%": "76%",
    "1/4 ≈ ≈ 0.26": "0.26",
    "√2 · √2 = 2.1": "2.1",
    "0.5² = 0.26": "0.26",
    "۱/۴ = ۰٫۲۶": "۰٫۲۶",
    "１/４＝０．２６": "０．２６",
    "𝟏/𝟒 = 𝟎.𝟐𝟔": "𝟎.𝟐𝟔",
    "mean([0.5 0.3 | 0.2]) = 0.343": "0.343",
    "softmax([0, -1e9]) = [1, 0.1]": "0.1",
    "softmax([0, -10^9]) = [1, 0.1]": "0.1",
    "softmax([0, float('-inf')]) = [1, 0.1]": "0.1",
    "softmax([1, 2]) = 0.269, 0.741": "0.741",
}


@pytest.mark.parametrize("text", NUMBERS)
def test_each_notation_of_a_number(text):
    assert verdicts(text, NUMBERS[text]) == ["wrong"]


@pytest.mark.parametrize(
    "text",
    [
        "On 2024-05-01 = day 5, at 12:30, version 1.2.3 → 1.2.4, since 2017",
        "GPT-3 = 175B, 128k → 1M tokens, Figure 3 = a plot, section 3.2 → 3.3",
        "call +49 151 2345 6789 = me, page 3 of 10, https://a.b/1=2?c=3.5",
        "10.1000/182 = a reference, 5/12/2023 → 6/12/2023",
    ],
)
def test_what_is_no_number_accuses_nobody(text):
    counts = verify(text).counts
    assert counts["wrong"] == counts["consequence"] == 0


def test_lists_in_the_cells_of_a_table():
    rows = "|---|---|---|\n| a | [1, 0.5] | 2 1 |\n| b | [2, 1] | 3 4 |\n"
    text = "| word | query (Q) | value |\n" + rows
    found = {(c.line, c.quantity) for c in verify(text).claims}
    assert (4, "Q[2][1]") in found and (4, "V[2][2]") in found


def test_digits_that_two_numbers_share_may_mean_either():
    """e^0.24252 = 1.27445 and e^0.24326 = 1.27540."""
    text = "1.2126/5 = 0.243 and 1.2163/5 = 0.243, so exp(0.243) = {}"
    assert verdicts(text.format("1.274"), "1.274") == ["propagated"]
    assert verdicts(text.format("1.275"), "1.275") == ["correct"]
    assert verdicts(text.format("1.276"), "1.276") == ["wrong"]


# --- text that stands twice


def test_a_copy_is_masked_at_the_same_length():
    line = "so n=3n = 3 and S=[12]S = \\begin{bmatrix} 1 \\\\ 2 \\end{bmatrix}"
    assert masked(line) == "so    n = 3 and       S = \\begin{bmatrix} 1 \\\\ 2 \\end{bmatrix}"


# --- files that do harm

N = 40_000
JUNK = {
    "nested": "[" * N + "1" + "]" * N, "open": "(1+" * N, "powers": "2^" * N, "minus": "-" * N,
    "roots": "√" * N, "relations": "=" * N, "chain": "1=" * 9_000, "marks": "a_{" * N,
    "fractions": "\\frac{1}{" * N, "matrices": "\\begin{bmatrix} 1 & 2" * 3_000, "ticks": "`" * N,
    "groups": "111," * 9_000 + "1", "copies": "n=3n = 3 " * 2_000, "ones": "1" * N,
    "transposed": "A^T" * N, "primes": "x'" * N, "sums": "1+" * 9_000, "bars": "|" * N,
    "words": "word " * N, "nul": "\0" * N, "halves": "\ud800" * N, "spaces": " " * N,
}  # fmt: skip
MARKUP = {
    "tags": "<p" * N, "scripts": "<script" * N, "math": "<math>" * N, "attributes": "<a b=\"'" * N,
    "comments": "<!--" * N, "rows": "<math>" + "<mrow>" * N, "deep": "<div>" * N,
    "copies": '<span class="katex-html">' * N + "<math>",
}  # fmt: skip
SOURCES = {
    "definitions": "\\def\\a{" * N, "uses": "\\def\\a#1{#1}" + "\\a{" * N, "verbatim":
    "\\begin{verbatim}" * N, "tables": "\\begin{tabular}{cc}" * N, "braces": "{" * N + "}" * N,
}  # fmt: skip
BAD = [
    *((name, text, "a.md") for name, text in JUNK.items()),
    *((name, text, "a.html") for name, text in MARKUP.items()),
    *((name, text, "a.tex") for name, text in SOURCES.items()),
    ("directives", ".. math::\n" * N, "a.rst"),
    ("items", ".. list-table::\n\n" + "   * - 1\n" * 9_000, "a.rst"),
    ("values", "[" + "1," * 400_000 + "1]", "a.ipynb"),
    ("objects", '{"a":' * N, "a.ipynb"),
    ("long", "x" * 10_000_001, "a.txt"),
    ("numbers", "0.5 " * 200_000, "a.txt"),
]


@pytest.mark.parametrize(
    ("text", "name"), [b[1:] for b in BAD], ids=[f"{b[2]} {b[0]}" for b in BAD]
)
def test_hostile_text_ends_soon(text, name):
    start = time.process_time()
    try:
        verify(text, name)
    except InputError as error:
        assert str(error)
    assert time.process_time() - start < BOUND


def package(**parts):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name.replace("__", "/").replace("_xml", ".xml"), data)
    return out.getvalue()


SPACE = (
    b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
)
LOL = b'<!DOCTYPE a [<!ENTITY a "1"><!ENTITY b "&a;&a;">]><a>&b;</a>'
OUTSIDE = b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'
HARM = {
    "no zip": (b"1/4 = 0.26", "not what its ending says"),
    "half": (package(word__document_xml=SPACE)[:60], "not what its ending says"),
    "empty": (package(a_xml=b"<a/>"), "lacks the part"),
    "bomb": (package(word__document_xml=b" " * 200_000_000), "unpacks to more"),
    "many": (package(**{f"p{i}_xml": b"" for i in range(6_000)}), "unpacks to more"),
    "entities": (package(word__document_xml=LOL), "document type"),
    "outside": (package(word__document_xml=OUTSIDE), "document type"),
    "wide": (package(word__document_xml=LOL.decode().encode("utf-16")), "document type"),
    "deep": (package(word__document_xml=SPACE + b"<w:p>" * 100_000), "too deeply"),
    "broken": (package(word__document_xml=SPACE + b"</w:p>"), "broken XML"),
}


@pytest.mark.parametrize("kind", HARM)
def test_a_hostile_package_is_refused(kind):
    data, said = HARM[kind]
    start = time.process_time()
    with pytest.raises(InputError, match=said):
        opened(data, "a.docx")
    assert time.process_time() - start < BOUND


@pytest.mark.parametrize("name", ["a.xlsx", "a.docx", "a.pdf"])
@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"%PDF-1.7\n1 0 obj", bytes(range(256)) * 9])
def test_what_is_no_package(name, data):
    with pytest.raises(InputError):
        opened(data, name)


@pytest.mark.parametrize("encoding", ["gb18030", "utf-16-le", "latin-1", "shift-jis"])
def test_other_encodings_are_told(encoding):
    data = "Größe" if encoding == "latin-1" else "注意力：第一行是零。"
    with pytest.raises(InputError, match=r"UTF-8|binary"):
        opened(data.encode(encoding), "a.md")


@pytest.mark.parametrize("data", [b"\xff\xfe1", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80"])
def test_broken_text_is_told(data):
    with pytest.raises(InputError, match="is not UTF"):
        opened(data, "a.md")


def test_utf_16_with_its_mark_is_read():
    assert opened("1/4 = 0.26".encode("utf-16"), "a.md").text == "1/4 = 0.26"


@pytest.mark.parametrize("name", ["a\nb.md", "\x1b[2J.md", "\udcff.md", "a\u202e.md"])
def test_the_name_of_a_file_is_shown_without_its_tricks(name):
    shown = verify("1/4 = 0.26", name).document.name
    assert shown.isprintable() and shown.encode()


def test_a_large_picture_in_a_page_does_no_harm():
    picture = "data:image/png;base64," + "iVBORw0KGgo/1/4=0.26" * 40_000
    text = f'<p>1/4 = 0.26</p><img src="{picture}"><p>1/8 = 0.125</p>'
    assert [c.printed for c in verify(text, "a.html").claims] == ["0.26", "0.125"]


# --- mutations: nothing that is written may end in a traceback

PIECES = st.sampled_from(
    "[ ] ( ) { } \\ $ $$ | & \\\\ = ≈ - + e^{ \\frac{ \\begin{bmatrix} \\end{bmatrix} 0 1e9 inf ∞ "
    "</td> <td> <math> <mtable> ½ ² → 1/0 % '' ^T softmax( exp( log(0) sqrt(-1) \\def\\x{ \\y ; ` "
    "0.5 -0.25 1 2 3 , Q K = A softmax [[1,2],[3,4]] :: [1] [,1] # \ud800 \0".split(" ")
) | st.sampled_from([" ", "\n", "\n\n", "  ", "\t", "| ", "|---|---|\n", "```\n"])


@settings(max_examples=120, deadline=None)
@given(
    st.lists(PIECES, max_size=60).map("".join),
    st.sampled_from("md txt tex html ipynb py R rst org m".split()),
)
def test_pieces_of_articles(text, ending):
    try:
        verify(text, f"a.{ending}").as_json()
    except InputError as error:
        assert str(error)


@pytest.mark.parametrize(
    "text",
    [
        "[||0",
        "1e400 6 4",
        "g|-\n0,6|0,1|\n0,3|1,2-0.2|\n0.5",
        "T=0]2,2,1 [1,3,1][1,1,4]",
        "=1\n1e9*1=2 2=3softmax[0,.245,6",
        "2i+1{10^i$d=1/0$i=0$分母 1",
        "0,5`Z[n.]=-1e9",
    ],
)
def test_scraps(text):
    """Broken pieces, each of which something once stumbled over."""
    verify(text, "a.md").as_json()


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 3),
    st.sampled_from(["bmatrices", "html", "notebook", "tables", "copied", "document"]),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 40), PIECES), min_size=1, max_size=6),
)
def test_mutated_articles(seed, notation, changes):
    made = article(seed, notation, "head")
    text, name = made.text, made.name
    for place, length, piece in changes:
        at = int(place * len(text))
        text = text[:at] + piece + text[at + length :]
    try:
        verify(text, name).as_json()
    except InputError as error:
        assert str(error)


# --- speed


def test_long_notes_are_right_and_take_time_in_proportion():
    costs = []
    for formulas in (100, 400):
        text = notes(formulas)
        start = time.process_time()
        report = verify(text)
        costs.append((time.process_time() - start) / len(report.claims))
        assert report.counts["wrong"] == report.counts["consequence"] == 0
    assert costs[1] < 3 * costs[0]
