"""What is too much, too deep or of no kind is told; and what is worked out is counted."""

from __future__ import annotations

import io
import sys
import zipfile
import zlib
from itertools import pairwise

import pytest

from derive.cli.main import run
from derive.errors import InputError
from derive.processes import Lost, spread
from derive.verify import verify
from derive.verify.announced import ANNOUNCED, hushed
from derive.verify.documents import papers
from derive.verify.documents.document import ENDINGS, opened
from derive.verify.known.steps import made
from derive.verify.report import verified
from derive.verify.values import work


def book(rows: str) -> bytes:
    """A workbook of one sheet."""
    space = (
        'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
        ' xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    )
    sheet = '<sheet name="S" r:id="a"/>'
    parts = {
        "xl/workbook.xml": f"<workbook {space}><sheets>{sheet}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": '<R><R Id="a" Target="worksheets/s.xml"/></R>',
        "xl/worksheets/s.xml": f"<worksheet {space}><sheetData>{rows}</sheetData></worksheet>",
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return out.getvalue()


def pdf(stream: bytes) -> bytes:
    """A PDF file of one page with what is drawn on it, packed."""
    head = b"<</Length %d/Filter/FlateDecode>>stream\n" % len(stream)
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>",
        head + stream + b"\nendstream",
    ]
    data, places = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(data)
    data += b"xref\n0 5\n0000000000 65535 f \n" + table
    return data + b"trailer<</Size 5/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % start


def test_as_many_cells_as_numbers_in_text():
    cells = "".join(f"<row>{'<c><v>0.5</v></c>' * 100}</row>" for _ in range(101))
    with pytest.raises(InputError, match="too many numbers") as told:
        opened(book(cells), "a.xlsx")
    assert told.value.expected == "at most 10,000" and told.value.hint


def test_relations_without_numbers_are_counted_too():
    with pytest.raises(InputError, match="too many formulas") as told:
        verify("x = y\n" * 20_001)
    assert told.value.expected and told.value.hint


def test_formulas_in_a_circle_end():
    rows = "".join(
        f'<row r="{i}"><c r="A{i}"><f>A{i % 600 + 1}+1</f><v>{i}</v></c></row>'
        for i in range(1, 601)
    )
    report = verified(opened(book(rows), "a.xlsx"))
    assert len(report.claims) == 600 and report.counts["wrong"] > 0


def test_functions_that_call_themselves_end():
    text = "def f(n):\n    return f(n - 1) * 2\n\n" * 700 + "print(f(5))  # 3.0\n"
    assert verify(text, "a.py").counts["wrong"] == 0


def test_a_packed_page_is_told_as_too_large():
    with pytest.raises(InputError, match="unpack to more") as told:
        opened(pdf(zlib.compress(b" " * 200_000_000, 9)), "a.pdf")
    assert told.value.expected


@pytest.mark.parametrize(("last", "said"), [("x", "too deep inside"), (r"\a", "refers to itself")])
def test_macros_that_grow_are_not_told_to_recur(last, said):
    letters = "abcdefghijklmnopqrstuvwxyz"
    text = "".join(rf"\newcommand{{\{a}}}{{\{b} }}" for a, b in pairwise(letters))
    with pytest.raises(InputError, match=said) as told:
        verify(rf"{text}\newcommand{{\z}}{{{last}}} $\a = 1.5$", "a.tex")
    assert told.value.expected


@pytest.mark.parametrize("text", ["", "\n\n", "Only words stand here.\n"])
def test_without_a_number_nothing_could_be_checked(text):
    assert verify(text).code() == 3


@pytest.mark.parametrize("encoding", ["utf-32", "utf-16"])
def test_wide_text_with_its_mark_is_read(encoding, tmp_path, capsys):
    data = "1/4 = 0.26\n".encode(encoding)
    assert opened(data, "a.md").text == "1/4 = 0.26\n"
    (tmp_path / "a.md").write_bytes(data)
    assert run(["verify", "--patch", str(tmp_path / "a.md")]) == 2
    assert encoding.upper() in capsys.readouterr().err


def test_utf_32_of_the_other_order_is_read():
    data = b"\0\0\xfe\xff" + "1/4 = 0.26".encode("utf-32-be")
    assert opened(data, "a.md").text == "1/4 = 0.26"


@pytest.mark.parametrize("ending", ["exe", "", "md.exe", "\x1b[2J"])
def test_an_ending_that_is_none_is_refused(ending, tmp_path, capsys):
    (tmp_path / "a.md").write_text("1/4 = 0.25\n")
    assert run(["verify", f"--as={ending}", str(tmp_path / "a.md")]) == 2
    told = capsys.readouterr().err
    assert all(f" {name}" in told for name in ENDINGS) and "\x1b" not in told


def test_no_problem_is_no_name_of_one(tmp_path, capsys):
    (tmp_path / "a.md").write_text("1/4 = 0.25\n")
    assert run(["verify", "--problem=", str(tmp_path / "a.md")]) == 2
    assert "expected: " in capsys.readouterr().err


def test_a_folder_without_articles_tells_every_ending(tmp_path, capsys):
    assert run(["verify", str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert all(f" .{name}" in told for name in ("jl", "m", "wl", "py", "xlsm"))


@pytest.mark.parametrize("count", [1, 2])
def test_names_are_no_commands_of_a_terminal(count, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = [f"\x1b[2J\n{k}.md" for k in range(count)]
    for name in names:
        (tmp_path / name).write_text("1/4 = 0.26\n")
    for option in ("--all", "--patch", "--json", "--markdown", "--github"):
        run(["verify", option, *names])
        told = capsys.readouterr()
        assert "\x1b" not in told.out + told.err


# --- work, counted


def steps_of(text: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many steps are worked out for an article."""
    found: list[str] = []
    worked = made._grid

    def counted(name, node):
        found.append(name)
        return worked(name, node)

    monkeypatch.setattr(made, "_grid", counted)
    assert verify(text).counts["wrong"] == 0
    return len(found)


HEAD = """X = [[1, 0], [0, 1]]
W_Q = [[1, 2], [0, 1]]
W_K = [[1, 0], [1, 1]]
Q = X W_Q = [[1, 2], [0, 1]]
K = X W_K = [[1, 0], [1, 1]]
"""


def test_steps_are_worked_out_as_far_as_they_are_looked_through(monkeypatch):
    """Scores that bear their name are met long before every step is worked out."""
    alone = steps_of(HEAD, monkeypatch)
    scores = steps_of(HEAD + "\nS =\n[[1, 3],\n [0, 1]]\n", monkeypatch)
    assert scores - alone < 150


def test_words_far_from_numbers_are_not_read():
    words = "attention is a weighted mean of values. " * 1_000
    kept = hushed(words + "\n2/3 = 0.67")
    assert len(kept) == len(words) + 11 and kept.endswith("\n2/3 = 0.67")
    assert len(kept.split()) < 2 * ANNOUNCED // 5 < len(words.split())
    assert hushed("x = 1.5 " + "y" * 200) == "x = 1.5 " + "y" * 200
    signs = "a = b, " * 1_000
    assert hushed(signs) == signs


def matrices(count: int) -> str:
    """So many matrices of which none is made of others."""
    rows = (f"[[{k}.{k % 7}1, 0.{k}7], [{k % 5}.37, -{k}.9{k % 3}]]" for k in range(1, count + 1))
    return "\n\n".join(f"M_{k} = {row}" for k, row in enumerate(rows, 1))


def test_the_more_was_worked_out_the_fewer_of_the_last_are_tried(monkeypatch):
    """Six matrices more cost less than half of what they cost while work is free."""
    more = []
    for free in (10**9, 1_000):
        monkeypatch.setattr(work, "FREE", free)
        few, many = (steps_of(matrices(count), monkeypatch) for count in (12, 18))
        more.append(many - few)
    assert more[1] < more[0] / 2


def test_as_many_are_tried_as_the_work_leaves():
    done = work.Work()
    assert done.narrowed(8) == 8
    done.spend(2 * work.FREE)
    assert done.narrowed(8) == 4
    done.spend(work.FREE)
    assert (done.narrowed(600), done.narrowed(1)) == (200, 1)


@pytest.mark.parametrize("deep", [100, 3_000])
@pytest.mark.parametrize(
    ("opened", "closed"), [("\\sqrt{", "}"), ("sqrt(", ")"), ("√", ""), ("\\frac{1}{", "}")]
)
def test_what_follows_from_what_is_too_deep_is_not_checked(opened, closed, deep):
    """A root within a root ...: the number behind is neither judged nor taken as given."""
    report = verify(f"$x = {opened * deep}2{closed * deep} = 1.5$")
    last = report.claims[-1]
    assert (last.printed, last.verdict, last.why) == ("1.5", "unchecked", "too much")
    assert all(claim.verdict == "unchecked" for claim in report.claims)


def test_what_is_deep_but_read_is_judged():
    """The eighth root of 2, three roots deep, is 1.0905."""
    report = verify(
        "$x = \\sqrt{\\sqrt{\\sqrt{2}}} = 1.09$, $y = \\sqrt{\\sqrt{\\sqrt{2}}} = 1.19$"
    )
    assert [claim.verdict for claim in report.claims] == ["correct", "wrong"]


def test_what_is_told_of_a_pdf_is_what_is_wrong_with_it(monkeypatch):
    """Too many pages are not a broken file; what does not say that it is a PDF is none."""
    data = pdf(zlib.compress(b"BT ET"))
    assert len(papers.drawn(data, "a.pdf")) == 1
    monkeypatch.setattr(papers, "MOST_PAGES", 0)
    with pytest.raises(InputError, match="too long"):
        papers.drawn(data, "a.pdf")
    monkeypatch.setattr(papers, "LARGEST", 4)
    with pytest.raises(InputError, match="unpack to more"):
        papers.drawn(data, "a.pdf")
    with pytest.raises(InputError, match="not a PDF file"):
        opened(b"0.5 " * 1_000, "a.pdf")


def test_processes_that_cannot_be_started_cost_their_tasks_and_no_more(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "none"))
    found = dict(spread(len, ["a", "bc", "def"], 2))
    assert sorted(found) == [0, 1, 2]
    assert all(isinstance(one, Lost) and "no process" in one.why for one in found.values())


def test_a_folder_that_cannot_be_looked_through_is_told(monkeypatch, tmp_path, capsys):
    """It is not said to hold no article."""

    def closed(_):
        raise PermissionError(13, "Permission denied", str(tmp_path))

    monkeypatch.setattr("os.scandir", closed)
    assert run(["verify", str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert f"{tmp_path} cannot be read: permission denied" in told and "no article" not in told


@pytest.mark.parametrize(
    ("data", "encoding"),
    [("Größe ist klein".encode("latin-1"), "LATIN1"), ("你好 1+1=2".encode("gb18030"), "GB18030")],
)
def test_what_is_no_utf8_is_told_with_a_likely_encoding(data, encoding):
    with pytest.raises(InputError) as told:
        opened(data, "a.md")
    assert f"-f {encoding}" in told.value.hint


def test_a_broken_cell_of_a_notebook_is_told_by_its_number():
    text = '{"cells": [{"cell_type": "markdown", "source": "1"}, null]}'
    with pytest.raises(InputError, match="cell 2"):
        opened(text.encode(), "a.ipynb")


def test_a_file_that_is_read_as_another_keeps_its_name(tmp_path, capsys):
    (tmp_path / "a.md").write_text("1 + 1 = 2")
    assert run(["verify", str(tmp_path / "a.md"), "--as", "pdf"]) == 2
    assert "a.md is not a PDF file" in capsys.readouterr().err
