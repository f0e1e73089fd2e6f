"""Blanks by the names that are printed, answers as people write them, and files as they come."""

import json
import re

import pytest

from derive import InputError, builtin
from derive.cli.main import run
from derive.views.feedback import shortened
from derive.views.worksheet import worksheet_page
from derive.views.worksheet_data import manifest
from derive.views.worksheet_kinds import PAGES
from derive.views.worksheet_truth import ACCEPTED
from derive.worksheet.answers import number_of, read_answers
from derive.worksheet.called import blank_called, blanks_of, readings
from derive.worksheet.kinds import KINDS
from derive.worksheet.manifest import read_manifest
from derive.worksheet.marking import papers
from derive.worksheet.plan import Plan
from derive.worksheet.search import variants
from derive.worksheet.written import is_right

BLANKS = ["scaled[1][2]", "exp[1][1]", "Z[1]", "O[1][1]", "scaled.formula"]


@pytest.mark.parametrize(
    ("text", "blank"),
    [
        ("S̃[1][2]", "scaled[1][2]"),
        ("S~[1][2]", "scaled[1][2]"),
        ("S~12", "scaled[1][2]"),
        ("Scaledscores[1][2]", "scaled[1][2]"),
        ("scaled scores [1,2]", "scaled[1][2]"),
        ("缩放后的分数[1][2]", "scaled[1][2]"),
        ("S̃.formula", "scaled.formula"),
        ("E[1][1]", "exp[1][1]"),
        ("exp[1][1]", "exp[1][1]"),
        ("E₁₁", "exp[1][1]"),
        ("Z1", "Z[1]"),
        ("O11", "O[1][1]"),
        ("O[1,1]", "O[1][1]"),
        ("O_11", "O[1][1]"),
        ("O_{11}", "O[1][1]"),
        ("O(1,1)", "O[1][1]"),
        ("S[1][2]", None),
        ("O[2][2]", None),
        ("O" * 5000, None),
        ("", None),
    ],
)
def test_names_as_people_write_them(text, blank):
    assert blank_called(text, BLANKS) == blank


def test_the_option_takes_printed_names():
    problem = builtin("head")
    assert blanks_of("E, S~,O[1,1]，缩放后的分数", problem) == (
        "exp",
        "scaled",
        "O[1][1]",
        "scaled",
    )
    assert blanks_of("O,A[2]", problem) == ("O", "A[2]")
    assert blanks_of("Q9", problem) == ("Q9",)
    assert not list(readings("Q9", ["Q"]))


@pytest.fixture(scope="module")
def sheet():
    (found,) = variants(Plan(builtin("head"), seed=5, blank=("exp", "O")), (1,))
    return found


@pytest.fixture
def keys(sheet, tmp_path):
    path = tmp_path / "keys.jsonl"
    path.write_text(manifest([sheet]), "utf-8")
    return path


def graded(keys, tmp_path, text, encoding="utf-8"):
    path = tmp_path / "a.csv"
    path.write_bytes(("student,id,blank,answer\n" + text).encode(encoding))
    return run(["grade", str(keys), str(path), "-o", str(tmp_path / "marks")])


def test_one_unknown_blank_does_not_stop_the_class(sheet, keys, tmp_path, capsys):
    key = {b["id"]: b["key"] for b in json.loads(manifest([sheet]))["blanks"]}
    rows = [f"Ada,{sheet.id},E11,{key['exp[1][1]']}", f"Ada,{sheet.id},nonsense,1",
            f"Bob,{sheet.id},O_11,{key['O[1][1]']}", f"Bob,{sheet.id},\"O[1,1]\",7"]  # fmt: skip
    assert graded(keys, tmp_path, "\n".join(rows)) == 1
    said = capsys.readouterr().err
    assert 'no blank "nonsense"' in said and ":3" in said and "answers O[1][1] twice" in said
    table = (tmp_path / "marks" / "class.csv").read_text("utf-8")
    assert "Ada" in table and "Bob" in table
    found = papers(read_manifest(str(keys)), read_answers(str(tmp_path / "a.csv")), "a.csv", None)
    assert [paper.points for paper in found] == [1, 1]


def test_a_file_in_gbk_is_read_and_said(sheet, keys, tmp_path, capsys):
    assert graded(keys, tmp_path, f"李明,{sheet.id},O11,1\n", "gb18030") == 0
    assert "GB18030" in capsys.readouterr().err
    assert "李明" in (tmp_path / "marks" / "class.csv").read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "encoding", "said"),
    [
        ("Müller", "cp1252", "Windows-1252"),
        ("José", "latin-1", "Windows-1252"),
        ("Zoë Åström", "cp1252", "Windows-1252"),
        ("Åäö", "cp1252", "Windows-1252"),
        ("李明", "gbk", "GB18030"),
        ("朱镕基", "gbk", "GB18030"),
        ("陶喆 (Müller班)", "gb18030", "GB18030"),
    ],
)
def test_a_name_that_is_not_in_utf_8(name, encoding, said, sheet, keys, tmp_path, capsys):
    assert graded(keys, tmp_path, f"{name},{sheet.id},O11,1\n", encoding) == 0
    error = capsys.readouterr().err
    assert said in error and "--encoding" in error
    assert name in (tmp_path / "marks" / "class.csv").read_text("utf-8")


@pytest.mark.parametrize("encoding", ["big5", "mac-roman", "cp1252", "utf-16"])
def test_the_encoding_can_be_said(encoding, sheet, keys, tmp_path, capsys):
    name = "陳大文" if encoding == "big5" else "Zoë"
    path = tmp_path / "a.csv"
    path.write_bytes(f"student,id,blank,answer\n{name},{sheet.id},O11,1\n".encode(encoding))
    marks = tmp_path / "marks"
    asked = ["grade", str(keys), str(path), "--encoding", encoding, "-o", str(marks)]
    assert run(asked) == 0 and not capsys.readouterr().err
    assert name in (marks / "class.csv").read_text("utf-8")


def test_an_encoding_that_it_is_not(sheet, keys, tmp_path, capsys):
    path = tmp_path / "a.csv"
    path.write_bytes(f"student,id,blank,answer\nZoë,{sheet.id},O11,1\n".encode("latin-1"))
    marks = str(tmp_path / "marks")
    for encoding in ("utf-8", "big5"):
        assert run(["grade", str(keys), str(path), "--encoding", encoding, "-o", marks]) == 2
        assert "is not" in capsys.readouterr().err


def test_bytes_that_are_neither_are_refused(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b"student,id,blank,answer\nJos\x81,a,b,1\n")
    with pytest.raises(InputError, match="not UTF-8"):
        read_answers(str(path))


@pytest.mark.parametrize("head", ["student,id,blank,answer", "student,id,blank,answer,"])
def test_a_decimal_comma_without_quotes_is_no_other_number(head, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(head + "\nAda,x,O11,0,5\n", "utf-8")
    with pytest.raises(InputError, match="row 2 has") as caught:
        read_answers(str(path))
    assert "quotes" in str(caught.value) and "semicolons" in str(caught.value)


@pytest.mark.parametrize("text", ["≈2.675", "2.675.", "~ 2,675", "2.675。", "= 2.675"])
def test_signs_around_a_number(text):
    assert number_of(text) * 1000 == 2675


@pytest.mark.parametrize("text", ["1.2.3", "1.2.3.", "2..", ".", "≈"])
def test_what_is_still_no_number(text):
    assert number_of(text) is None


@pytest.mark.parametrize(
    ("text", "right"),
    [("f", "f"), ("(f)", "f"), ("f)", "f"), ("(1)", "1"), ("1.", "1"), ("1", "1")]
    + [(x, "3 x 6") for x in ("3 × 6", "3 by 6", "3 乘 6", "3*6", "(3, 6)", "3乘以6", "3x6")]
    + [(x, "T") for x in ("T", "t", "(T)")],
)
def test_letters_and_shapes_as_people_write_them(text, right):
    assert is_right(text, (right,)) and not is_right(text, ("g", "2", "6 x 3"))


def test_yes_and_no():
    for text in ("是", "对", "T"):
        assert is_right(text, ACCEPTED[True]) and not is_right(text, ACCEPTED[False])
    for text in ("否", "错", "F"):
        assert is_right(text, ACCEPTED[False]) and not is_right(text, ACCEPTED[True])


def test_the_wrong_step_by_any_of_its_names():
    plan = Plan(builtin("head"), seed=1, level=2, kind="find-mistake")
    accepts = {}
    for v in variants(plan, range(1, 9)):
        blanks = {b["id"]: b for b in json.loads(manifest([v]))["blanks"]}
        accepts.update({blanks["step"]["accepts"][0]: tuple(blanks["step"]["accepts"])})
    assert "scaled" in accepts
    for text in ("scaled", "S̃", "S~", "Scaled scores", "缩放后的分数", "step 5", "第 5 步"):
        assert is_right(text, accepts["scaled"]), text
    assert not is_right("step 4", accepts["scaled"]) and not is_right("A", accepts["scaled"])


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", ("softmax(Q Kᵀ/√(d_k)) V", "divided by")),
        ("zh", ("softmax(Q Kᵀ/√(d_k)) V", "分数除以")),
    ],
)
def test_every_level_says_the_conventions(lang, said):
    from derive.pages import rendered

    for level in (1, 2, 3):
        (v,) = variants(Plan(builtin("head"), level=level), (1,))
        page = rendered(worksheet_page([v], lang), "terminal")
        assert all(text in page for text in said)
        assert lang == "en" or "token" not in page


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_nothing_is_said_of_a_softmax_that_is_not_there(lang):
    from derive.pages import rendered

    (v,) = variants(Plan(builtin("layernorm")), (1,))
    assert "softmax" not in rendered(worksheet_page([v], lang), "terminal").lower()


def test_a_long_answer_is_shortened():
    assert shortened("9" * 5000) == "9" * 39 + "…" and shortened("0.5") == "0.5"


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("kind", KINDS)
def test_formulas_in_sentences_are_mathematics(kind, lang):
    """No font of TeX's text has these signs: what a sentence says in formulas is set as such."""
    from derive.pages import rendered
    from derive.worksheet.changes import changed_by

    problem = builtin("causal")
    before = problem if kind == "what-if" else None
    asked = changed_by(problem, None) if before else problem
    (v,) = variants(Plan(asked, kind=kind, level=2, before=before), (1,))
    for page in PAGES[kind]:
        text = rendered(page([v], lang), "latex")
        assert not set(text) & set("ᵀ√≈≤≥·×₁₂⁽⁾∞")
        assert "d_k" not in re.sub(r"\$[^$]*\$|\\\(.*?\\\)|\\\[.*?\\\]", "", text, flags=re.DOTALL)
