"""Many articles at once: which files, in what order, one that kills its process, one document."""

import io
import json
import os
import sys

import pytest
from workers import ended, unsendable

import derive
from derive.cli.main import run
from derive.errors import InputError
from derive.processes import Lost, spread
from derive.verify import Claim, Report, verify
from derive.verify.documents.sources import Source, sources

WRONG, RIGHT, UNKNOWN = "exp(1) = 2.81\n", "exp(1) = 2.72\n", "It took 3.75 seconds.\n"


def folder(tmp_path, files):
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


# --- which files


def test_articles_of_folders_in_the_order_of_their_paths(tmp_path, monkeypatch):
    names = ("b.md", "a/z.tex", "a/b.txt", "a.png", ".hidden/c.md", "a/.d.md", "c/d/e.ipynb")
    monkeypatch.chdir(folder(tmp_path, dict.fromkeys(names, RIGHT)))
    assert [s.name for s in sources(["."])] == ["a/b.txt", "a/z.tex", "b.md", "c/d/e.ipynb"]
    assert [s.name for s in sources(["b.md", "a", "b.md"])] == ["b.md", "a/b.txt", "a/z.tex"]
    assert [s.name for s in sources(["a.png"])] == ["a.png"]  # what is named is read


def test_links_that_lead_back_end(tmp_path, monkeypatch):
    monkeypatch.chdir(folder(tmp_path, {"a/b.md": RIGHT}))
    os.symlink("..", "a/up")
    os.symlink("b.md", "a/same.md")
    assert len(sources(["."])) == 1


def test_a_folder_without_articles(tmp_path):
    with pytest.raises(InputError, match="no article"):
        sources([str(folder(tmp_path, {"a.png": ""}))])


def test_a_device_without_end_is_not_read_to_its_end():
    if os.path.exists("/dev/zero"):
        assert run(["verify", "/dev/zero"]) == 2


# --- several


CODES = [
    (("wrong", "none"), 2),
    (("wrong", "unknown"), 1),
    (("unknown", "right"), 3),
    (("right", "right2"), 0),
]


@pytest.mark.parametrize(("names", "code"), CODES)
def test_the_exit_code_of_several(tmp_path, monkeypatch, capsys, names, code):
    texts = {"wrong": WRONG, "unknown": UNKNOWN, "right": RIGHT, "right2": RIGHT}
    monkeypatch.chdir(folder(tmp_path, {f"{k}.md": v for k, v in texts.items()}))
    assert run(["verify", *(f"{name}.md" for name in names)]) == code
    told = capsys.readouterr()
    assert all(f"{name}.md" in told.out for name in names)
    assert ("there is no file none.md" in told.err) == (code == 2)


def test_json_of_several_is_one_document(tmp_path, monkeypatch, capsys):
    files = {"a.md": WRONG, "b.md": RIGHT, "c/d.md": UNKNOWN}
    monkeypatch.chdir(folder(tmp_path, files))
    assert run(["verify", ".", "none.md", "--json", "-j", "2"]) == 2
    found = json.loads(capsys.readouterr().out)
    assert [one["file"] for one in found["files"]] == ["a.md", "b.md", "c/d.md"]
    assert found["unread"] == [{"file": "none.md", "why": "there is no file none.md"}]
    assert (found["total"]["files"], found["total"]["summary"]["wrong"]) == (4, 1)
    assert found["total"]["coverage"]["numbers"] == sum(len(f["claims"]) for f in found["files"])


def test_the_same_whatever_the_processes(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(folder(tmp_path, {f"{k}.md": (WRONG, RIGHT)[k % 2] for k in range(6)}))
    told = []
    for jobs in ("1", "3"):
        run(["verify", ".", "-j", jobs])
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]


@pytest.mark.parametrize("ending", ["md", "tex", ".HTML"])
def test_standard_input(monkeypatch, capsys, ending):
    text = "<p>1/4 = 0.2&#54;</p>" if "HTML" in ending else "$1/4 = 0.26$"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert run(["verify", "-", "--as", ending, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [c["verdict"] for c in found["claims"] if c["printed"] == "0.26"] == ["wrong"]


def test_nothing_named(capsys):
    assert run(["verify"]) == 2
    assert "standard input" in capsys.readouterr().err


# --- processes


def test_a_process_that_dies_costs_its_task():
    tasks = ["a", "killed", "b", "left", "c", "wrong"]
    found = dict(spread(ended, tasks, 2))
    assert [found[k] for k in (0, 2, 4)] == ["A", "B", "C"]
    assert isinstance(found[1], Lost) and "SIGKILL" in found[1].why
    assert isinstance(found[3], Lost) and "code 7" in found[3].why
    assert isinstance(found[5], Lost) and found[5].why == "ValueError: no task"


def test_a_result_that_cannot_be_handed_on_costs_its_task(capfd):
    found = dict(spread(unsendable, ["a", "bad", "b"], 1))
    assert (found[0], found[2]) == ("a", "b")
    assert isinstance(found[1], Lost) and "handed on" in found[1].why
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_spreadsheets_among_other_articles(tmp_path, monkeypatch, capfd, jobs):
    openpyxl = pytest.importorskip("openpyxl")
    made = openpyxl.Workbook()
    for row in (["x", "y", "z"], [1.0, 2.5, 3.5], [0.5, "=A2*B2", 1.25]):
        made.active.append(row)
    made.save(folder(tmp_path, {"b.md": WRONG}) / "a.xlsx")
    monkeypatch.chdir(tmp_path)
    assert run(["verify", ".", "--json", "-j", jobs]) == 1
    told = capfd.readouterr()
    found = json.loads(told.out)
    assert [one["file"] for one in found["files"]] == ["a.xlsx", "b.md"]
    assert not found["unread"] and "Traceback" not in told.err


# --- Python


def test_the_package_is_what_verifies(tmp_path):
    path = tmp_path / "a.md"
    path.write_text(WRONG, encoding="utf-8")
    for report in (derive.verify(path), derive.verify(WRONG), verify(WRONG)):
        assert isinstance(report, Report)
        assert [(c.printed, c.right) for c in report.claims] == [("2.81", "2.72")]
    assert isinstance(report.claims[0], Claim)


def test_a_string_is_never_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(folder(tmp_path, {"a.md": WRONG, "2.81": WRONG, "a b.md": WRONG}))
    with pytest.raises(InputError, match="name of a file"):
        derive.verify("a.md")
    assert not derive.verify("a b.md").counts["wrong"]
    assert not derive.verify("2.81").counts["wrong"]
    assert source_of(derive.verify("exp(1) = 2.81", "a.tex")) == "a.tex"


def source_of(report):
    return report.document.name


def test_what_is_given_on_standard_input_has_no_path():
    assert sources(["-"], Source("-", b"x")) == [Source("-", b"x")]


# --- what is said of wrong words, and of how far it is


@pytest.mark.parametrize(
    ("options", "said", "unsaid"),
    [
        (["--problem", "casual"], '--problem "casual" is no built-in problem', "command"),
        (["-j", "abc"], "'abc' is no whole number", "range"),
        (["--bogus"], "no such option '--bogus'", "jobs"),
        (["--ptach"], "'--patch'", "range"),
    ],
)
def test_options_that_are_none(capsys, options, said, unsaid):
    assert run(["verify", *options, "a.md"]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert unsaid not in told


def test_a_line_now_and_then_where_no_terminal_is(monkeypatch, capsys):
    """Twelve seconds apart each, on a clock of our own; nothing of the last."""
    from derive.cli import verify as page

    clock = iter(range(0, 1200, 12))
    monkeypatch.setattr(page, "monotonic", lambda: next(clock))
    with page._bar(2) as tell:
        tell()
        tell()
    assert capsys.readouterr().err == "1 of 2 articles are verified\n"


def test_columns_are_counted_behind_a_mark_of_the_encoding():
    """`$1 + 1 = 3$`: the 3 is the tenth character that an editor shows."""
    (claim,) = verify("\ufeff$1 + 1 = 3$").claims
    assert (claim.line, claim.column) == (1, 10)
    assert verify("\ufeff$1 + 1 = 3$\n$1 + 1 = 3$").claims[1].column == 10
