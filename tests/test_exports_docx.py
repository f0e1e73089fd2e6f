"""Worksheets as Word documents, opened again; equations read back by another program."""

import re
import sys
import zipfile
from fractions import Fraction
from io import BytesIO

import docx
import pytest
from docx.oxml.ns import qn
from lxml import etree
from test_exports import LANGUAGES, opened, worked

from derive import InputError, builtin
from derive.exact import trace
from derive.exact.ink import LATEX
from derive.exact.names import STEPS
from derive.exact.omml_ink import OMML
from derive.exact.write import Writer
from derive.exact.write_terms import SPELLINGS
from derive.handout import Looks, keys_printed, sheets_printed
from derive.render.docx.maths import equation
from derive.worksheet.plan import Plan
from derive.worksheet.search import variants

each_language = pytest.mark.parametrize("lang", LANGUAGES)


@pytest.fixture(scope="module")
def made():
    return list(variants(Plan(builtin("head"), seed=7, blank=("A[2]", "O")), (1, 2)))


def read(content):
    return docx.Document(BytesIO(content))


def maths(document):
    return list(document.element.iter(qn("m:oMath")))


def text_of(element):
    return "".join(x.text or "" for x in element.iter(qn("m:t")))


def matrices(element):
    """The numbers of every matrix that is written out."""
    for matrix in element.iter(qn("m:m")):
        yield [[text_of(x).replace("−", "-") for x in row] for row in matrix.iter(qn("m:mr"))]


@each_language
def test_a_sheet_says_what_it_should(lang, made):
    document = read(sheets_printed(made, "docx", Looks(lang, hints=True)))
    said = "\n".join(p.text for p in document.paragraphs)
    title = {"en": "One attention head by hand", "zh": "手算一个注意力头"}[lang]
    assert document.core_properties.title == title
    for v in made:
        assert v.id in said
    headings = [p.text for p in document.paragraphs if p.style.name.startswith("Heading")]
    assert headings.count(title) == 2
    points = {"en": "Output (points: 6)", "zh": "输出（6 分）"}[lang]
    assert headings.count(points) == 2
    name = {"en": "Name", "zh": "姓名"}[lang]
    (line, _) = (p for p in document.paragraphs if p.text.startswith(f"{name} \t"))
    assert len(line.paragraph_format.tab_stops) == 3


def test_what_is_given_stands_in_equations(made):
    document = read(sheets_printed(made, "docx", Looks("en")))
    shown = [m for x in maths(document) for m in matrices(x)]
    for v in made:
        for matrix in v.candidate.problem.given.values():
            assert [[str(x) for x in row] for row in matrix.rows] in shown


def test_grids_are_tables_with_empty_cells(made):
    document = read(sheets_printed(made[:1], "docx", Looks("en")))
    weights, output = document.tables
    (own,) = [worked(v) for v in made[:1]]
    for table, name, rows in ((weights, "A", 3), (output, "O", 3)):
        assert len(table.rows) == rows
        assert text_of(table.cell(0, 0)._tc) == name
    for i, row in enumerate(weights.rows, 1):
        texts = [text_of(cell._tc) for cell in row.cells[1:]]
        if i == 2:
            assert texts == ["", "", ""]  # the row that is asked
        else:
            assert all(re.fullmatch(r"\d\.\d{3}", x) for x in texts)
    assert all(not text_of(c._tc) for row in output.rows for c in row.cells[1:])
    assert len(own) == 9


@each_language
def test_a_key_has_the_digits_a_pupil_comes_to(lang, made):
    document = read(keys_printed(made, "docx", Looks(lang)))
    shown = [m for x in maths(document) for m in matrices(x)]
    for v in made:
        own = worked(v)
        rows = next(
            m for m in shown if len(m) == 3 and len(m[0]) == 2 and "." in m[0][0]
            and all(abs(Fraction(m[i][j]) - own[f"O[{i + 1}][{j + 1}]"]) < Fraction(1, 200)
                    for i in range(3) for j in range(2))
        )  # fmt: skip
        assert rows
    ends = {"en": ["blank", "key", "from", "to"], "zh": ["空格", "答案", "最小", "最大"]}[lang]
    heads = [[c.text for c in table.rows[0].cells] for table in document.tables]
    assert [*ends, "", *ends] in heads


def test_pages_have_numbers_that_begin_anew_with_each_sheet(made):
    document = read(sheets_printed(made, "docx", Looks("en")))
    assert len(document.sections) == 2
    fields = document.sections[0].footer._element.iter(qn("w:fldSimple"))
    assert [x.get(qn("w:instr")) for x in fields] == ["PAGE"]
    for section in document.sections:
        assert section._sectPr.find(qn("w:pgNumType")).get(qn("w:start")) == "1"
    assert document.sections[1].footer.is_linked_to_previous


@each_language
def test_the_file_is_whole(lang, made):
    """Every part is XML that can be read, there is no picture, and the same bytes come again."""
    content = sheets_printed(made, "docx", Looks(lang, hints=True))
    files = opened(content)
    for name, part in files.items():
        assert name.endswith((".xml", ".rels")), name
        etree.fromstring(part)
    targets = re.findall(r'Target="([^"]+)"', files["word/_rels/document.xml.rels"].decode())
    assert all(f"word/{x}" in files for x in targets)
    fonts = etree.fromstring(files["word/styles.xml"]).iter(qn("w:rFonts"))
    assert "SimSun" in {x.get(qn("w:eastAsia")) for x in fonts}
    assert content == sheets_printed(made, "docx", Looks(lang, hints=True))
    assert len(content) < 200_000


@each_language
def test_choices_have_boxes(lang, made):
    document = read(sheets_printed(made, "docx", Looks(lang, choices=True)))
    lines = [p.text for p in document.paragraphs if "☐" in p.text]
    assert lines and all(line.count("☐") in (3, 4, 5) for line in lines)
    read(keys_printed(made, "docx", Looks(lang, choices=True)))


def test_without_the_library_it_is_said(made, monkeypatch):
    monkeypatch.setitem(sys.modules, "docx", None)
    with pytest.raises(InputError, match="python-docx"):
        sheets_printed(made, "docx", Looks("en"))


# --- equations, read back as LaTeX

X = trace.Entry("A", ("i", "j"))
TERMS = (
    trace.Apply("softmax", trace.Name("scaled")),
    trace.Beside((trace.Name("O^(1)"), trace.Name("O^(2)"))),
    trace.BigSum(trace.Product((X, trace.Entry("V", ("k", "j")))), "k", "m"),
    trace.Cases(((X, trace.Symbol("i"), trace.Symbol("j")),)),
    trace.Delta("i", "j"),
    trace.Digits("-0.723"),
    trace.Digits("4.25e-7"),
    X,
    trace.Entry("W_1", ("1", "12")),
    trace.Exponential(trace.Quotient(X, trace.Symbol("d"))),
    trace.Function("sqrt", trace.Sum((X, trace.Entry("eps", ())))),
    trace.Function("relu", X),
    trace.Grid(((trace.Digits("0.1"), trace.Digits("-2")), (X, X))),
    trace.Hadamard((trace.Name("G"), trace.Name("up"))),
    trace.MatrixProduct((trace.Name("H"), trace.Name("W_Q"))),
    *(trace.Name(name) for name in STEPS),
    trace.Name("L2.N1"),
    trace.Name("L1.K^(2)"),
    trace.Negative(trace.Sum((X, X))),
    trace.Partial(trace.Name("loss"), X),
    trace.Power(trace.Sum((X, X)), 2),
    trace.Product((X, trace.Sum((X, X)))),
    trace.Quotient(trace.Sum((X, X)), trace.Function("sqrt", trace.Symbol("d"))),
    trace.Row("V", "j"),
    trace.Sum((X, trace.Negative(X))),
    trace.Symbol("p"),
    trace.Transpose(trace.Name("K")),
    trace.term(3),
)


def test_every_kind_of_term_is_tried():
    assert {type(x) for x in TERMS} == set(SPELLINGS)


PLAIN = (
    (r"\\left\\\{|\\right *\.", ""),
    (r"\\left|\\right|\\operatorname|\\mathrm|\\mathbf|\\mathit|\\text", ""),
    (r"\\lbrack", "["), (r"\\rbrack", "]"), (r"\\lbrace", ""),
    (r"\\begin\{(bmatrix)\}", "["), (r"\\end\{bmatrix\}", "]"),
    (r"\\begin\{array\}\{@\{\}r+@\{\}\}|\\(begin|end)\{(matrix|array|aligned|cases)\}", ""),
    (r"\\(over|wide)(line|tilde)", lambda m: {"line": r"\bar", "tilde": r"\tilde"}[m[2]]),
    (r"\\prime", "′"), (r"\\top", "⊤"), (r"\\cdot", "⋅"), (r"\\odot", "⊙"), (r"\\partial", "∂"),
    (r"\\(mid)", "∣"), (r"\\(ln|exp|max)", r"\1"), (r"\\sqrt\[\]", r"\\sqrt"),
    ("'", "′"), ("-", "−"),
    (r"[\s{}&@]|\\\\(\[8pt\])?|\\,|\\\.", ""),
)  # fmt: skip
NAMES = "widehat mu sigma gamma beta tau varepsilon epsilon ell delta tilde check hat bar"
WORDS = dict(zip(NAMES.split(), "^μσγβτεεℓδ˜ˇ^¯", strict=True))


def plain(latex):
    """LaTeX without what does not tell one formula from another."""
    for pattern, new in PLAIN:
        latex = re.sub(pattern, new, latex)
    latex = re.sub(r"\^(′+)", r"\1^", latex)  # a prime stands beside the letter in Word
    return re.sub(r"\\([a-z]+)", lambda m: WORDS.get(m[1], m[1]), latex)


@pytest.mark.parametrize("term", TERMS, ids=repr)
def test_equations_say_what_latex_says(term):
    reader = pytest.importorskip("officemath2latex")
    made = equation(Writer(OMML).text(term))
    found = reader.process_math_string(etree.tostring(made, encoding="unicode"))
    assert plain(found) == plain(Writer(LATEX).text(term))


def test_no_archive_is_dated(made):
    with zipfile.ZipFile(BytesIO(sheets_printed(made, "docx", Looks("en")))) as found:
        assert all(info.compress_type == zipfile.ZIP_STORED for info in found.infolist())
