"""What is worked out for one article is bounded, and what goes beyond is told as not checked."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import derive
from derive.cli.main import run
from derive.errors import InputError
from derive.verify.documents.sources import Source, stored
from derive.verify.values.work import TooMuch, Work
from derive.views.verdicts import verdicts_page
from derive.words import LANGUAGES, words

SOURCE = Path(derive.__file__).parent / "verify"


def reasons() -> set[str]:
    """Every text that the source sets as `why`, or gives to what sets it."""
    found = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            for value in given(node):
                found |= {
                    c.value
                    for c in ast.walk(value)
                    if isinstance(c, ast.Constant) and isinstance(c.value, str)
                }
    return found - {""}


def given(node):
    """The expressions that a part of a program gives to `why`."""
    match node:
        case ast.Assign(targets, value):
            for target in targets:
                names = target.elts if isinstance(target, ast.Tuple) else [target]
                values = value.elts if isinstance(value, ast.Tuple) else [value]
                if len(names) == len(values):
                    pairs = zip(names, values, strict=True)
                    yield from (v for name, v in pairs if is_why(name))
        case ast.FunctionDef(args=ast.arguments(args=names, defaults=defaults)) if defaults:
            pairs = zip(names[-len(defaults) :], defaults, strict=True)
            yield from (value for name, value in pairs if name.arg == "why")
        case ast.Call(func=ast.Attribute(attr="unread"), args=[_, *rest]):
            yield from rest


def is_why(name):
    return getattr(name, "attr", getattr(name, "id", "")) == "why"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_reason_has_words(lang):
    every = {"prose", "a counting number", "too much", "formula not read", "come apart"}
    assert every <= reasons()
    assert reasons() <= set(words(lang)["verify"])


def page(report, lang="en") -> str:
    return str(verdicts_page(report, lang))


def test_work_ends():
    work = Work(3)
    work.spend(3)
    assert not work.is_over
    with pytest.raises(TooMuch):
        work.spend(1)
    assert work.is_over


def test_what_is_too_much_is_told(monkeypatch):
    monkeypatch.setattr("derive.verify.article.Work", lambda: Work(0))
    report = derive.verify("x = [1.5, 2.5]\n\n2/3 = 0.61\n")
    assert {(c.verdict, c.why) for c in report.claims} == {("unchecked", "too much")}
    assert report.counts["wrong"] == 0 and report.code() == 3
    assert "too much to work out" in page(report) and "要算的太多" in page(report, "zh")


ARTICLES = {
    "a sum that goes on": "x_0 = 0\n"
    + "".join(f"x_{{{i}}} = x_{{{i - 1}}} + 1 = {i}\n" for i in range(1, 101)),
    "squares": "x_0 = 1.5\n"
    + "".join(f"x_{{{i}}} = x_{{{i - 1}}}^2 = 2.5\n" for i in range(1, 120)),
    "vectors": "".join(
        f"x = [{', '.join(f'0.{(37 * i + 101 * j) % 900 + 100}' for j in range(10))}]\n"
        for i in range(60)
    ),
    "prose": "attention without any number at all goes on. " * 20_000,
}


CHILD = """
import json, sys
import derive
report = derive.verify(sys.stdin.read())
accused = report.counts["wrong"] + report.counts["consequence"]
status = open("/proc/self/status").read()
print(json.dumps([accused, len(report.claims), int(status.split("VmHWM:")[1].split()[0])]))
"""


@pytest.mark.parametrize("name", ARTICLES)
def test_no_article_takes_much_memory(name):
    """At most 500 MB in a process of its own, libraries included."""
    command = [sys.executable, "-c", CHILD]
    found = subprocess.run(command, input=ARTICLES[name], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    accused, claims, kilobytes = json.loads(found.stdout)
    assert kilobytes < 500_000
    assert (claims > 0) == (name != "prose")
    if name == "a sum that goes on":
        assert accused == 0


def test_the_same_article_ends_the_same_way():
    article = ARTICLES["a sum that goes on"]
    first, second = derive.verify(article), derive.verify(article)
    assert first.as_json() == second.as_json()


def test_a_long_number_has_no_closed_form():
    assert [c.closed_form for c in derive.verify("9^(9^4) = 2\n").claims] == [None]
    text = "a = 1.5\n" + "".join(f"a{i + 1} = a{i}^2 = 2.5\n" for i in range(1, 30))
    forms = [claim.closed_form for claim in derive.verify(text).claims]
    short = [form for form in forms if form is not None]
    assert short == [str(Fraction(3, 2) ** 2**k) for k in range(len(short))]
    assert len(short) > 5 and set(forms[len(short) :]) == {None}


def test_nothing_checked_is_said(tmp_path):
    assert "no number" in page(derive.verify("Only words stand here.\n"))
    assert "没有印出" in page(derive.verify("Only words stand here.\n"), "zh")
    report = derive.verify("The shape is (3, 4).\n")
    assert report.checked == 0 and len(report.claims) == 2
    assert "Nothing could be checked." in page(report)
    assert "Nothing printed is wrong." not in page(report)


def test_a_pipe_without_a_writer_is_refused(tmp_path):
    pipe = tmp_path / "pipe.md"
    os.mkfifo(pipe)
    with pytest.raises(InputError, match="no regular file"):
        stored(Source(str(pipe)))


def test_what_a_shell_hands_on_is_read():
    read, write = os.pipe()
    os.write(write, b"2/3 = 0.67\n")
    os.close(write)
    assert stored(Source(f"/dev/fd/{read}")) == b"2/3 = 0.67\n"
    os.close(read)


def test_pages_show_numbers_as_a_reader_sees_them():
    from derive.render.latex import document, escaped
    from derive.render.terminal import terminal

    report = derive.verify("$1/3 + 1 = 1{,}471$ und $0{,}5 + 0{,}25 = 0{,}75$\n", "a.tex")
    assert report.counts["wrong"] == 1
    lines = terminal(verdicts_page(report, "en")).splitlines()
    shown = [line for line in lines if "Printed" in line]
    assert shown and "1,471" in shown[0] and "{,}" not in shown[0]
    assert "…" not in escaped("0.5…") and escaped("……") == "……"
    assert r"\hspace{0pt}" in document(verdicts_page(report, "en"))


def test_a_long_closed_form_is_no_column():
    from derive.render.terminal import terminal

    roots = " + ".join(f"sqrt({n})" for n in (2, 3, 5, 7, 11, 13))
    powers = "exp(1/2) + exp(1/3) + exp(1/5) + exp(1/7) + exp(2)"
    report = derive.verify(f"({roots})/({powers}) = 3.31\n")
    lines = terminal(verdicts_page(report, "en")).splitlines()
    assert max(len(line) - len(line.lstrip()) for line in lines if "…" in line or "+" in line) < 40


def test_formulas_without_values_are_told():
    from dataclasses import replace

    report = derive.verify("The input is x = [1, 2].\n")
    blank = replace(report, document=replace(report.document, blank=7))
    assert "Nothing could be checked." in page(blank) and "not checked: 7" in page(blank)
    assert blank.code() == 3 and "Checked" not in page(blank)


def test_too_large_standard_input_has_one_ending():
    from derive.verify.checked import Task, checked

    found = checked(Task(Source("-", b"x" * 50_000_001), "md"))
    assert found.error is not None and "stdin.md is" in str(found.error)
    assert "md.md" not in str(found.error)


def test_what_cannot_be_worked_out_is_not_called_checked():
    claims = derive.verify("$9^{9^{9^{9}}} = 1.5$").claims
    assert [(c.verdict, c.why) for c in claims] == [("unchecked", "not worked out")]


def test_what_is_not_proved_to_be_nought_has_no_digits():
    """ln(1 + 10^-100000) is about 10^-100000; ln 1 is 0."""
    (tiny,) = derive.verify(r"$\ln(1+10^{-100000}) = 0.5$").claims
    (nought,) = derive.verify(r"$\ln(1) = 0.5$").claims
    assert (tiny.verdict, tiny.exact) == ("wrong", None)
    assert (nought.verdict, nought.exact) == ("wrong", "0")


def test_a_report_is_not_written_over_its_article(tmp_path, capsys):
    path = tmp_path / "mine.md"
    path.write_text("2/3 = 0.5\n")
    assert run(["verify", "-o", str(path), str(path)]) == 2
    assert path.read_text() == "2/3 = 0.5\n"
    assert "name another file" in capsys.readouterr().err
