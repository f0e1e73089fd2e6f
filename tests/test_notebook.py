"""Notebooks: the file is valid, its code derives what it shows, and objects show themselves."""

import ast
import json
import re
from pathlib import Path

import gallery
import mpmath
import pytest

from derive import Format, attention, builtin, derive, read_toml
from derive.cli.main import run
from derive.exact import number
from derive.ops import Linear, Softmax
from derive.pages import page
from derive.problems import ORDER
from derive.views.one_step import around
from derive.views.problem import problem_toml

BOOKS = {name: json.loads(page(derive(builtin(name)), "notebook")) for name in ORDER}
HEAD = derive(builtin("head"))
each_book = pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
each_problem = pytest.mark.parametrize("name", ORDER)


def cells(book, kind):
    return [cell for cell in book["cells"] if cell["cell_type"] == kind]


def text(lines):
    return "".join(lines)


def shown(code, names):
    """What a notebook would show for a cell: the last expression's formats, None for nothing."""
    *body, last = ast.parse(code).body
    if not isinstance(last, ast.Expr):
        exec(code, names)  # noqa: S102
        return None
    exec(compile(ast.Module(body, []), "cell", "exec"), names)  # noqa: S102
    value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)  # noqa: S307
    return bundle(value)


def bundle(value):
    """What an object shows: as IPython asks for it."""
    printed = Printed()
    if hasattr(value, "_repr_pretty_"):
        value._repr_pretty_(printed, False)
    else:
        printed.text(repr(value))
    return {"text/plain": printed.said, "text/latex": value._repr_latex_()}


class Printed:
    """IPython's printer, as far as it is used."""

    said = ""

    def text(self, text):
        self.said += text


def check_by_running(book):
    """Every code cell, run in turn, shows what the notebook says."""
    names = {}
    for cell in cells(book, "code"):
        found = shown(text(cell["source"]), names)
        outputs = [{kind: text(x) for kind, x in o["data"].items()} for o in cell["outputs"]]
        assert outputs == ([] if found is None else [found]), text(cell["source"])


# --- the file


@each_book
def test_it_is_valid(book):
    nbformat = pytest.importorskip("nbformat")
    nbformat.validate(book)
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)


@each_book
def test_its_ids_are_its_own(book):
    ids = [cell["id"] for cell in book["cells"]]
    assert len(set(ids)) == len(ids) and all(re.fullmatch(r"[\w-]{1,64}", i) for i in ids)


@each_book
def test_it_reads_as_text_and_code_in_turn(book):
    kinds = [cell["cell_type"] for cell in book["cells"]]
    assert kinds[0] == "markdown" and text(book["cells"][0]["source"]).startswith("# ")
    counts = [cell["execution_count"] for cell in cells(book, "code")]
    assert counts == list(range(1, len(counts) + 1))
    assert "read_toml" in text(cells(book, "code")[0]["source"])


@each_book
def test_no_mathematics_that_only_print_knows(book):
    """KaTeX, which some notebooks use, has no @{} and no numbered environments inside $$."""
    for cell in book["cells"]:
        whole = text(cell["source"]) + "".join(
            text(o["data"]["text/latex"]) for o in cell.get("outputs", ())
        )
        assert "@{}" not in whole and "{align*}" not in whole and "{gather*}" not in whole
        assert whole.count("$$") % 2 == 0


EXAMPLES = sorted(
    path for path in gallery.FOLDER.glob("*.ipynb") if not path.name.startswith("worksheet-")
)
"""The derivations; a worksheet is run by the test of its export, with and without answers."""


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.name)
def test_the_examples_run(path):
    book = json.loads(path.read_text(encoding="utf-8"))
    assert len(cells(book, "code")) >= 6
    check_by_running(book)


@pytest.mark.parametrize("name", ["cross", "mixed", "temperature", "multihead", "layernorm"])
def test_others_run(name):
    check_by_running(BOOKS[name])


def test_every_result_of_the_head_is_code():
    sources = [text(cell["source"]) for cell in cells(BOOKS["head"], "code")]
    names = "Q K V K^T S scaled exp Z A O".split()
    assert sources[1:] == [f'd.step("{name}")' for name in names]


def test_other_digits_are_asked_for_in_the_code():
    form = Format(digits=6, rounding="truncate")
    book = json.loads(page(HEAD, "notebook", form=form, steps=("A",)))
    setup, step = (text(cell["source"]) for cell in cells(book, "code"))
    assert "read_toml" in setup
    assert step == "d.show(\"A\", digits=6, rounding='truncate')"
    assert "0.401112" in text(cells(book, "code")[1]["outputs"][0]["data"]["text/plain"])
    check_by_running(book)


def test_a_notebook_in_chinese():
    book = json.loads(page(HEAD, "notebook", lang="zh"))
    assert text(book["cells"][0]["source"]).startswith("# 手算一个注意力头")
    check_by_running(book)


def test_what_fits_nowhere_still_has_its_problem():
    d = attention("symbols", {"shape": (30, 20)}, {"shape": (30, 20)}, {"shape": (30, 20)},
                  tokens=["a"] * 25)  # fmt: skip
    book = json.loads(page(d, "notebook", steps=("Q",)))
    assert "read_toml" in text(cells(book, "code")[0]["source"])


def test_titles_and_tokens_cannot_break_out_of_the_code():
    evil = '"""; import os; \\" {0} {} \u2028 \\'
    problem = attention([[1, 2]], *[[[1], [2]]] * 3, title=evil, tokens=['"""']).problem
    book = json.loads(page(derive(problem), "notebook"))
    names = {}
    shown(text(cells(book, "code")[0]["source"]), names)
    assert names["problem"].title == problem.title and "os" not in names


# --- the command line


@pytest.mark.parametrize("arguments", [["--notebook"], ["-o", "x.ipynb"]])
def test_the_command_line(arguments, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["causal", *arguments]) == 0
    out = capsys.readouterr().out
    written = Path("x.ipynb").read_text(encoding="utf-8") if "-o" in arguments else out
    assert json.loads(written) == BOOKS["causal"]


# --- the problem in it


@each_problem
def test_a_problem_reads_back(name):
    problem = builtin(name)
    again = read_toml(problem_toml(problem))
    assert again.given == problem.given and again.conventions == problem.conventions
    for field in ("title", "lang", "model", "tokens", "vocabulary", "targets"):
        assert getattr(again, field) == getattr(problem, field)


def test_a_mask_and_a_temperature_read_back():
    rows = [[0, "-oo"], [0, 0]]
    problem = attention(
        [["sqrt(2)", "1/3"], ["-2*pi", "a"]], *[[[1, 0], [0, "0.1"]]] * 3,
        mask=rows, temperature="tau", scale="2*d_k",
    ).problem  # fmt: skip
    again = read_toml(problem_toml(problem))
    assert again.conventions == problem.conventions and again.given == problem.given


def test_symbols_are_written_as_a_shape_and_wide_rows_on_lines_of_their_own():
    text = problem_toml(builtin("symbolic"))
    assert "H = {shape = [3, 2]}" in text
    text = problem_toml(builtin("eight"))
    assert "\n    [0, 2, 1, 0],\n" in text


# --- what shows itself


def test_a_step_by_itself():
    found = bundle(HEAD.step("A"))
    assert found["text/plain"].splitlines()[0].strip() == (
        "A = softmax(S̃)    A_ij = e^(S̃_ij)/(Σ_k e^(S̃_ik))"
    )
    for digits in ("0.401", "0.248", "0.576"):
        assert digits in found["text/plain"] and digits in found["text/latex"]
    assert r"\frac{t}{2 t + 1}" in found["text/latex"]
    assert r"t = e^{\sqrt{2}/2}" in found["text/latex"]
    assert repr(HEAD.step("A")) == "Step(A: 3 x 3)"


@each_problem
def test_a_step_is_written_as_in_its_derivation(name):
    """The letters of a step by itself are those of its page, where the page has one softmax."""
    d = derive(builtin(name))
    if sum(isinstance(step.op, Softmax) for step in d) != 1:
        return
    for step in d.derived:
        assert bundle(step)["text/plain"] == repr(d.show(step.name))


def test_what_is_given_shows_its_entries():
    plain = bundle(HEAD.step("W_K"))["text/plain"]
    assert plain.split() == "W_K = ⎡1 1⎤ ⎣0 1⎦".split()


def test_other_digits():
    exact = mpmath.exp(mpmath.sqrt(2) / 2)
    assert mpmath.nstr(exact / (2 * exact + 1), 8) in repr(HEAD.show("A", places=8))
    assert "0.4011" in HEAD.show("A", digits=4)._repr_latex_()


def test_a_derivation_shows_its_page_and_in_short_its_steps():
    whole = HEAD._repr_markdown_()
    assert whole.startswith("# One attention head by hand") and "```" not in whole
    short = HEAD._repr_latex_()
    assert short.startswith("$$") and short.endswith("$$") and r"\tilde{S} &= " in short


def test_a_step_rests_on_the_steps_before_it_each_once():
    names = [step.name for step in around(HEAD.step("A"))]
    assert names[:6] == ["H", "W_Q", "Q", "W_K", "K", "S"] or len(names) == len(set(names))
    assert set(names) == {"H", "W_Q", "W_K", "Q", "K", "S", "scaled", "exp", "Z", "A"}


def test_a_long_derivation_needs_no_recursion():
    d = attention([[1]], [[1]], [[1]], [[1]])
    last = "O"
    for k in range(2000):
        d, last = d.then(f"X_{k}", Linear(), last, "W_V"), f"X_{k}"
    assert "= [1]" in bundle(d.step(last))["text/plain"]
    assert d.step(last).value[0, 0] == number(1)
