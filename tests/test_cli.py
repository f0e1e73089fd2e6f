"""The command line: commands, options, formats, files, exit codes; mostly in this process."""

import csv
import io
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import sympy
from tex import compile_source

from derive import attention, builtin, derive, read_toml
from derive.cli.main import COMMANDS, run
from derive.problems import ORDER, source

ROOT = Path(__file__).parents[1]
OWN = """[given]
H = [[1, 0], [0, 1]]
W_Q = [["a", 0], [0, 1]]
W_K = [[1, 0], [0, 1]]
W_V = [[1], [2]]
"""
UNDECIDED = '[given]\nH = [["sin(pi/6) - 1/2"]]\nW_Q = [[1]]\nW_K = [[1]]\nW_V = [[1]]\n'


@pytest.fixture
def call(capsys, monkeypatch, tmp_path):
    """Run the command line in an empty folder: (exit code, stdout, stderr)."""
    monkeypatch.chdir(tmp_path)

    def called(*arguments, stdin=None):
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        code = run([str(a) for a in arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return called


@pytest.fixture
def done(call):
    """The same where all goes well: stdout."""

    def called(*arguments, **options):
        code, out, err = call(*arguments, **options)
        assert (code, err) == (0, ""), err
        return out

    return called


@pytest.fixture
def refused(call):
    """The same where it is refused: stderr, after exit 2 and an empty stdout."""

    def called(*arguments, **options):
        code, out, err = call(*arguments, **options)
        assert code == 2 and out == "" and err.startswith("error: ") and "Traceback" not in err
        return err

    return called


@pytest.fixture
def own(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text(OWN, "utf-8")
    return path


def entries(text, step):
    """The `exact` strings of a step in JSON output, as SymPy matrices with names put in."""
    data = json.loads(text)
    (found,) = [s for s in data["steps"] if s["name"] == step]
    return [[e["exact"] for e in row] for row in found["entries"]]


# --- formats


def test_alone_it_derives_the_article_in_the_terminal(done):
    out = done()
    assert "0.401" in out and "\x1b" not in out and "\\" not in out
    assert out == done("head")
    assert out.endswith("\n") and not out.endswith("\n\n")


def test_latex(done):
    out = done("--latex")
    assert out.startswith(r"\documentclass") and r"\frac{3 t + 1}{2 t + 1}" in out
    part = done("--latex", "--fragment")
    assert r"\documentclass" not in part and part.strip() in out.replace(r"\maketitle", "") + part


def test_markdown(done):
    out = done("--markdown")
    assert out.startswith("# ") and "```math" in out and out.count("```") % 2 == 0


def test_json(done):
    data = json.loads(done("--json"))
    assert data["problem"] == "head" and data["names"] == {"t": "exp(sqrt(2)/2)"}


@pytest.mark.parametrize(
    ("suffix", "flag"),
    [(".tex", "--latex"), (".md", "--markdown"), (".markdown", "--markdown"), (".json", "--json"),
     (".txt", None), (".TEX", "--latex")],
)  # fmt: skip
def test_the_suffix_chooses_the_format(done, tmp_path, suffix, flag):
    target = tmp_path / f"page{suffix}"
    assert done("-o", target) == ""
    expected = done(*[flag] * bool(flag))
    assert target.read_text("utf-8") == expected
    assert [p.name for p in tmp_path.iterdir()] == [target.name]


def test_a_flag_and_its_own_suffix_agree(done, tmp_path):
    done("--latex", "--fragment", "-o", tmp_path / "part.tex")
    assert r"\documentclass" not in (tmp_path / "part.tex").read_text("utf-8")
    done("--json", "-o", tmp_path / "without_suffix")
    assert json.loads((tmp_path / "without_suffix").read_text("utf-8"))


def test_o_minus_is_stdout(done):
    assert done("--json", "-o", "-") == done("--json")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--latex", "--markdown"), ("--json", "--latex"), ("--json", "-o", "x.tex"),
        ("--latex", "-o", "x.md"), ("-o", "x.docx"), ("-o", "x"), ("--fragment",),
        ("--fragment", "--json"), ("--fragment", "-o", "x.md"), ("--places", "3", "--digits", "4"),
        ("--places", "-1"), ("--digits", "0"), ("--places", "x"), ("--places", "99999999999"),
        ("--rounding", "up"), ("--nonsense",), ("head", "causal"), ("--lang", "fr"), ("--scale",),
        ("eval", "--json", "--csv"), ("eval", "--macros", "-o", "x.csv"), ("eval", "-o", "x.md"),
        ("eval", "--latex"), ("list", "x"), ("new", "head", "causal"), ("--scale", "0"),
        ("--scale", "2+"), ("--scale", "import os"), ("--temperature", "0"), ("--steps", "B"),
        ("--scale", "9^9^9^9"), ("--scale", "(" * 10_000), ("--temperature", "-oo"),
        ("eval", "--steps", "A,B"),
    ],
)  # fmt: skip
def test_bad_use_is_exit_2_and_writes_nothing(refused, tmp_path, arguments):
    refused(*arguments)
    assert list(tmp_path.iterdir()) == []


# --- options


@pytest.mark.parametrize("command", [(), ("eval",)])
def test_places_digits_and_rounding(done, command):
    def numbers(*options):
        out = done(*command, "--json", "--steps", "A", *options)
        data = json.loads(out)
        rows = (
            data["A"]
            if command
            else [[e["decimal"] for e in r] for r in data["steps"][0]["entries"]]
        )
        return rows[2]

    assert numbers() == ["0.284", "0.140", "0.576"]
    assert numbers("--places", "5") == ["0.28400", "0.14003", "0.57598"]
    assert numbers("--digits", "2") == ["0.28", "0.14", "0.58"]
    assert numbers("--rounding", "truncate") == ["0.283", "0.140", "0.575"]
    assert numbers("--places", "0", "--rounding", "truncate")[2] == "5e-1"
    half = json.loads(done("eval", "causal", "--json", "--places", "0", "--rounding", "half-even"))
    assert half["Q"][0] == ["1", "0"]


def test_half_even_is_another_rounding(done):
    """1/8 to two places: up 0.13, even 0.12."""
    problem = '[given]\nH = [["1/8"]]\nW_Q = [[1]]\nW_K = [[1]]\nW_V = [[1]]\n'
    for rounding, digits in [("half-up", "0.13"), ("half-even", "0.12"), ("truncate", "0.12")]:
        out = done("eval", "-", "--places", 2, "--rounding", rounding, "--json", stdin=problem)
        assert json.loads(out)["Q"] == [[digits]]


def test_causal(done):
    assert (
        done("--causal", "--steps", "A,O").splitlines()[2:]
        == done("causal", "--steps", "A,O").splitlines()[2:]
    )
    assert json.loads(done("eval", "--causal", "--json"))["A"][0] == ["1.000", "0.000", "0.000"]


def test_scale_and_temperature(done):
    numbers = lambda *o: json.loads(done("eval", "--json", "--steps", "A", *o))["A"]  # noqa: E731
    assert numbers("--scale", "1") == numbers("unscaled") == [
        ["0.422", "0.155", "0.422"], ["0.212", "0.212", "0.576"], ["0.245", "0.090", "0.665"],
    ]  # fmt: skip
    assert numbers("--scale", "sqrt(d_k)") == numbers()
    assert numbers("--temperature", "1/2") == numbers("--scale", "sqrt(2)/2")
    assert numbers("--temperature", "2", "--scale", "d_k") == numbers("--scale", "4")
    exact = entries(done("--json", "--temperature", "tau"), "A")
    assert exact == entries(done("temperature", "--json"), "A")


def test_steps_in_any_number(done):
    data = json.loads(done("--json", "--steps", "O, S,A"))
    assert [s["name"] for s in data["steps"]] == ["S", "A", "O"]
    assert list(json.loads(done("eval", "--json", "--steps", "K^T"))) == ["K^T"]
    text = done("--steps", "O")
    assert "O₁₁" in text and "Q₁₁ =" not in text


def test_an_unknown_step_names_the_nearest(refused):
    assert '"scaled"' in refused("--steps", "scald")


def test_symbolic_keeps_the_shapes(done, own):
    data = json.loads(done(own, "--symbolic", "--json"))
    shapes = {s["name"]: s["shape"] for s in data["steps"]}
    assert shapes["W_V"] == [2, 1] and shapes["O"] == [2, 1]
    assert entries(json.dumps(data), "H") == [["H_11", "H_12"], ["H_21", "H_22"]]
    causal = json.loads(done("causal", "--symbolic", "--json"))
    assert "masked" in [s["name"] for s in causal["steps"]]


def test_the_language_of_the_page(done):
    assert "注意力" in done("--lang", "zh") and "注意力" not in done("--lang", "en")
    assert json.loads(done("--json", "--lang", "zh"))["lang"] == "zh"
    assert done("--latex", "--lang", "zh").startswith(r"\documentclass[11pt,a4paper]{ctexart}")


# --- which problem


@pytest.mark.parametrize("name", ORDER)
def test_built_in_problems_by_name(done, name):
    d = derive(builtin(name))
    last = d.steps[-1]
    data = json.loads(done(name, "--json", "--steps", last.name))
    assert data["problem"] == name
    rows, columns = last.shape
    assert [len(r) for r in data["steps"][0]["entries"]] == [columns] * rows


def test_a_file_by_its_path(done, own):
    exact = entries(done(own, "--json"), "Q")
    assert exact == [["a", "0"], ["0", "1"]]
    assert json.loads(done("own.toml", "--json"))["problem"] == "own"


def test_standard_input(done):
    assert entries(done("-", "--json", stdin=OWN), "Q") == [["a", "0"], ["0", "1"]]
    assert json.loads(done("eval", "-", "--json", stdin=OWN))["O"] == [[None], ["1.670"]]


def test_a_file_named_as_a_built_in_is_found_by_its_path(done, tmp_path):
    (tmp_path / "mine").write_text(OWN, "utf-8")
    assert entries(done("mine", "--json"), "Q") == [["a", "0"], ["0", "1"]]
    (tmp_path / "list").write_text(OWN, "utf-8")
    assert "head" in done("list")  # command names win
    assert entries(done("./list", "--json"), "Q") == [["a", "0"], ["0", "1"]]


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("evla", "eval"),
        ("lst", "list"),
        ("casual", "causal"),
        ("Head", "head"),
        ("symbolc", "symbolic"),
    ],
)
def test_an_unknown_word_names_the_nearest_command_or_problem(refused, word, near):
    error = refused(word)
    assert (
        word in error
        and f"did you mean the {'command' if near in COMMANDS else 'problem'} {near}" in (error)
    )


def test_a_word_like_nothing(refused):
    error = refused("qqqqqqqq")
    assert "derive list" in error and "eval" in error


@pytest.mark.parametrize(
    ("name", "text", "part"),
    [
        ("missing.toml", None, "missing.toml"),
        ("bad.toml", "[given\n", "bad.toml:1"),
        ("bad.toml", OWN.replace('"a"', '"a +"'), "bad.toml:3"),
        ("bad.toml", OWN.replace("W_V", "W_X"), "W_X"),
        ("bad.toml", OWN.replace("[[1], [2]]", "[[1], [2], [3]]"), "W_V has 3 rows but H has 2"),
        ("bad.toml", OWN.replace("[[1], [2]]", "[[1], [2, 3]]"), "bad.toml:5"),
        ("bad.toml", OWN + "[conventions]\nmask = [[\"-oo\", \"-oo\"], [0, 0]]\n", "row 1"),
        ("bad.toml", "\x00\x01\x02", "bad.toml"),
        ("bad.toml", "", "H, W_Q, W_K, W_V are missing"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("command", [(), ("eval",)])
def test_bad_input_is_exit_2_with_its_place(refused, tmp_path, command, name, text, part):
    if text is not None:
        (tmp_path / name).write_text(text, "utf-8")
    assert part in refused(*command, name)


def test_a_directory_is_no_problem(refused, tmp_path):
    assert "directory" in refused(tmp_path)


def test_bad_standard_input(refused):
    assert "H" in refused("-", stdin="[given]\nH = 3\n")


# --- writing files


def test_a_file_is_replaced_whole_and_keeps_its_mode(done, tmp_path):
    target = tmp_path / "page.md"
    target.write_text("old", "utf-8")
    target.chmod(0o640)
    done("-o", target)
    assert target.read_text("utf-8").startswith("# ") and target.stat().st_mode & 0o777 == 0o640


def test_a_new_file_has_the_mode_that_the_umask_leaves(done, tmp_path):
    before = os.umask(0o027)
    try:
        done("-o", tmp_path / "page.md")
    finally:
        os.umask(before)
    assert (tmp_path / "page.md").stat().st_mode & 0o777 == 0o640


def test_a_link_is_followed(done, tmp_path):
    (tmp_path / "real.md").write_text("old", "utf-8")
    (tmp_path / "link.md").symlink_to("real.md")
    done("-o", tmp_path / "link.md")
    assert (tmp_path / "link.md").is_symlink()
    assert (tmp_path / "real.md").read_text("utf-8").startswith("# ")


def test_a_failed_write_leaves_the_old_file_and_no_other(call, tmp_path, monkeypatch):
    target = tmp_path / "page.md"
    target.write_text("old", "utf-8")
    monkeypatch.setattr(
        os, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left"))
    )
    code, out, err = call("-o", target)
    assert (code, out) == (2, "") and "no space left" in err.lower()
    assert target.read_text("utf-8") == "old" and [p.name for p in tmp_path.iterdir()] == [
        "page.md"
    ]


@pytest.mark.parametrize("target", ["no/such/folder/page.md", "folder.md"])
def test_where_nothing_can_be_written(refused, tmp_path, target):
    (tmp_path / "folder.md").mkdir()
    assert "cannot write" in refused("-o", target)


def test_a_bad_problem_leaves_the_target_alone(refused, tmp_path):
    (tmp_path / "page.md").write_text("old", "utf-8")
    refused("missing.toml", "-o", tmp_path / "page.md")
    assert (tmp_path / "page.md").read_text("utf-8") == "old"


# --- eval


def test_eval_prints_every_derived_step(done):
    data = json.loads(done("eval", "--json"))
    assert list(data) == [s.name for s in derive(builtin("head")).derived]
    assert data["O"] == [["1.401", "0.599"], ["1.503", "0.752"], ["1.576", "0.716"]]


def test_eval_as_a_table(done):
    out = done("eval", "--steps", "A,O")
    lines = out.splitlines()
    assert lines[0] == "A" and lines[1].split() == ["0.401", "0.198", "0.401"]
    assert "O" in lines and "1.576  0.716" in out and "\x1b" not in out


def test_eval_as_csv(done):
    rows = list(csv.DictReader(io.StringIO(done("eval", "--csv"))))
    assert list(rows[0]) == ["step", "row", "column", "decimal", "exact"]
    d = attention([[1, 0], [0, 1], [1, 1]], [[1, 0], [0, 1]], [[1, 1], [0, 1]], [[1, 0], [1, 1]])
    seen = set()
    for row in rows:
        i, j = int(row["row"]), int(row["column"])
        assert sympy.simplify(sympy.sympify(row["exact"]) - d[row["step"]][i - 1, j - 1]) == 0
        assert row["decimal"] == d.places(row["step"], 3)[i - 1][j - 1]
        seen.add((row["step"], i, j))
    assert len(seen) == len(rows) == sum(s.shape[0] * s.shape[1] for s in d.derived)


def test_eval_as_csv_of_symbols_is_written_out(done):
    """`exact` stands for itself there: no names that nothing defines."""
    rows = list(csv.DictReader(io.StringIO(done("eval", "symbolic", "--csv", "--steps", "S,A"))))
    d = derive(builtin("symbolic"))
    given = {s.name for m in ("H", "W_Q", "W_K", "W_V") for s in d[m].free_symbols}
    for row in rows:
        assert row["decimal"] == ""
        names = {s.name for s in sympy.sympify(row["exact"]).free_symbols}
        assert names <= given, names - given


def macros(out):
    """The names that are defined, and the lines that define nothing."""
    lines = out.splitlines()
    defined = [re.fullmatch(r"\\newcommand\{(\\[A-Za-z]+)\}\{.*\}", line) for line in lines]
    names = [found[1] for found in defined if found]
    return names, [line for line, found in zip(lines, defined, strict=True) if not found]


def test_eval_as_macros(done):
    out = done("eval", "--macros")
    names, comments = macros(out)
    assert len(set(names)) == len(names)
    assert r"\newcommand{\AOneTwo}{0.198}" in out.splitlines()
    assert r"\newcommand{\ATwoThree}{0.503}" in out.splitlines()
    d = derive(builtin("head"))
    assert len(names) == sum(s.shape[0] * s.shape[1] for s in d.derived)
    # a macro that a comment names is one of them
    assert all(line.startswith("%") for line in comments)
    assert set(re.findall(r"\\[A-Za-z]+", "".join(comments))) <= {*names, r"\input"}


def test_macros_of_a_large_matrix_are_told_apart(done):
    row = "[" + ", ".join(["1"] * 12) + "]"
    square = "[" + ", ".join([row] * 12) + "]"
    text = f"[given]\nH = {square}\nW_Q = {square}\nW_K = {square}\nW_V = {square}\n"
    out = done("eval", "-", "--macros", "--steps", "Q,A", stdin=text)
    names, _ = macros(out)
    assert len(names) == len(set(names)) == 2 * 144


@pytest.mark.tex
@pytest.mark.parametrize("name", ["head", "causal"])
def test_macros_compile(done, name):
    out = done("eval", name, "--macros", "--digits", "9")
    names, _ = macros(out)
    body = "\n\n".join(f"${n}$" for n in names)
    page = rf"\documentclass{{article}}\input{{numbers}}\begin{{document}}{body}\end{{document}}"
    assert compile_source(page, beside={"numbers.tex": out}) == []


@pytest.mark.parametrize(
    ("suffix", "flag"),
    [(".json", "--json"), (".csv", "--csv"), (".tex", "--macros"), (".txt", None)],
)
def test_the_suffix_chooses_the_format_of_eval(done, tmp_path, suffix, flag):
    assert done("eval", "-o", tmp_path / f"numbers{suffix}") == ""
    assert (tmp_path / f"numbers{suffix}").read_text("utf-8") == done("eval", *[flag] * bool(flag))


def test_below_the_places_in_every_format(done):
    problem = '[given]\nH = [["0.000425"]]\nW_Q = [[1]]\nW_K = [[1]]\nW_V = [[1]]\n'
    ask = lambda *options: done("eval", "-", "--steps", "Q", *options, stdin=problem)  # noqa: E731
    assert json.loads(ask("--json"))["Q"] == [["4.25e-4"]]
    assert "4.25·10⁻⁴" in ask()
    assert r"{4.25 \cdot 10^{-4}}" in ask("--macros")
    assert ",4.25e-4," in ask("--csv")


# --- undecided


@pytest.mark.parametrize("command", ["-", "- --latex", "- --json", "eval -", "grad -", "train -"])
def test_undecided_is_exit_3_and_still_printed(call, command):
    """The only entry of H is sin(30°) - 1/2, and Q = H: one line on stderr names it."""
    code, out, err = call(*command.split(), stdin=UNDECIDED)
    assert code == 3 and out
    assert err.startswith("undecided: ") and err.count("\n") == 1
    assert "Q[1][1]" in err or "H[1][1]" in err or command == "train -"


def test_undecided_is_said(call):
    _, out, _ = call("-", "--json", stdin=UNDECIDED)
    assert "Q[1][1]" in json.loads(out)["undecided"]
    _, out, _ = call("eval", "-", stdin=UNDECIDED)
    assert "undecided" in out
    _, out, _ = call("-", stdin=UNDECIDED)
    assert "Undecided" in out and "Q[1][1]" in out
    code, out, _ = call("-", "--json", "--steps", "A", stdin=UNDECIDED)
    assert code == 0 and json.loads(out)["undecided"] == []


# --- list and new


def test_list_names_every_problem_with_its_title(done):
    out = done("list")
    for name in ORDER:
        assert name in out.split() and tomllib.loads(source(name))["title"] in out
    assert all(len(line) <= 120 for line in out.splitlines())


@pytest.mark.parametrize("name", ORDER)
def test_new_writes_a_problem_that_can_be_read(done, name, tmp_path):
    text = done("new", name)
    assert text == source(name) and text.startswith("# ")
    assert done("new", name, "-o", tmp_path / "mine.toml") == ""
    mine, built_in = (
        derive(read_toml((tmp_path / "mine.toml").read_text("utf-8"))),
        derive(builtin(name)),
    )
    last = mine.steps[-1].name
    assert mine.digits(last, 20) == built_in.digits(last, 20)
    assert entries(done("mine.toml", "--json"), last) == entries(done(name, "--json"), last)


def test_new_never_overwrites(refused, tmp_path):
    (tmp_path / "mine.toml").write_text("precious", "utf-8")
    assert "exists" in refused("new", "head", "-o", tmp_path / "mine.toml")
    assert (tmp_path / "mine.toml").read_text("utf-8") == "precious"


def test_new_names_the_nearest(refused):
    assert "causal" in refused("new", "casual")


# --- help


@pytest.mark.parametrize("command", [(), ("eval",), ("list",), ("new",)])
def test_help(done, command):
    out = done(*command, "--help")
    assert out == done(*command, "-h") and "Usage: derive" in out
    assert all(len(line) <= 80 for line in out.splitlines())


def test_help_names_every_command_and_option(done):
    out = done("--help")
    options = (
        "--latex --markdown --json -o --places --digits --rounding half-up half-even truncate "
    )
    options += "--causal --scale --temperature --steps --fragment --symbolic --lang"
    for word in (*COMMANDS, *options.split()):
        assert word in out, word
    assert all(word in done("eval", "--help") for word in ("--json", "--csv", "--macros"))


def test_version(done):
    from derive import __version__

    assert __version__ in done("--version")


# --- the real program


def program(*arguments, **options):
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "NO_COLOR": "",
        "PYTHONIOENCODING": "utf-8",
    }
    return subprocess.run(
        [sys.executable, "-m", "derive", *arguments],
        capture_output=True, text=True, encoding="utf-8", timeout=60, check=False,
        **{"env": environment, **options},
    )  # fmt: skip


def test_the_program_itself(tmp_path):
    done_ = program("eval", "--steps", "A", "--json", cwd=tmp_path)
    assert done_.returncode == 0 and json.loads(done_.stdout)["A"][1][2] == "0.503"
    bad = program("nothing.toml", cwd=tmp_path)
    assert (bad.returncode, bad.stdout) == (2, "") and bad.stderr.startswith("error: ")
    unsure = program("eval", "-", input=UNDECIDED, cwd=tmp_path)
    assert unsure.returncode == 3 and "undecided" in unsure.stdout
    assert unsure.stderr.startswith("undecided: ") and unsure.stderr.count("\n") == 1


@pytest.mark.parametrize("arguments", ["eval --digits 5000 --json", "--places 5000 --json"])
def test_a_reader_that_stops_reading_is_no_error(arguments):
    """More than a pipe holds, of which the reader takes 20 characters."""
    command = f"'{sys.executable}' -m derive {arguments} | head -c 20; echo ${{PIPESTATUS[0]}} >&2"
    shell = subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert shell.stdout.startswith("{") and shell.stderr.strip() == "0"


def test_an_ascii_terminal_still_gets_its_page(tmp_path):
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii"}
    shown = program("--steps", "A", cwd=tmp_path, env=env)
    assert shown.returncode == 0 and "0.401" in shown.stdout


LOADED = (
    "import sys; from derive.cli.main import run; code = run({arguments}); "
    "print(sorted(m for m in {names} if m in sys.modules), code, file=sys.stderr)"
)


@pytest.mark.parametrize(
    ("arguments", "forbidden"),
    [
        (["--help"], ["sympy", "numpy", "flint", "rich", "mpmath", "tree_sitter"]),
        (["eval", "--help"], ["sympy", "numpy", "flint", "rich", "mpmath"]),
        (["--version"], ["sympy", "numpy", "flint", "rich"]),
        (["list"], ["sympy", "numpy", "flint", "rich", "mpmath"]),
        (["--latex"], ["sympy", "numpy", "rich", "mpmath"]),
        (["--json"], ["sympy", "numpy", "rich", "mpmath"]),
        (["eval", "--csv"], ["sympy", "numpy", "rich", "mpmath"]),
        (["symbolic", "--markdown"], ["sympy", "numpy", "rich", "mpmath"]),
    ],
    ids=lambda v: " ".join(v) if isinstance(v, list) and "-" in v[0] else None,
)
def test_what_is_not_loaded(arguments, forbidden, tmp_path):
    code = LOADED.format(arguments=arguments, names=forbidden)
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False,
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    # --help ends through click, which also ends well
    assert found.stderr.strip().splitlines()[-1] == "[] 0", found.stderr


@pytest.mark.parametrize(
    ("module", "heavy"),
    [
        ("derive", ["sympy", "numpy", "flint", "tree_sitter", "rich"]),
        ("derive.errors", ["sympy", "numpy", "flint", "tree_sitter", "rich"]),
        ("derive.cli.main", ["sympy", "numpy", "flint", "tree_sitter", "rich"]),
        ("derive.read", ["sympy", "numpy", "mpmath", "rich"]),
        ("derive.api", ["sympy", "numpy", "mpmath", "rich"]),
        ("derive.exact", ["sympy", "numpy", "mpmath", "rich"]),
    ],
    ids=lambda v: v if isinstance(v, str) else "",
)
def test_importing_loads_nothing_heavy(module, heavy):
    code = f"import sys, {module}; print([m for m in {heavy!r} if m in sys.modules])"
    found = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=60,
        check=True,
    )
    assert found.stdout.strip() == "[]"


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no pseudo-terminals here")
@pytest.mark.parametrize(("no_colour", "coloured"), [(None, True), ("1", False)])
def test_colour_is_for_terminals(no_colour, coloured, tmp_path):
    import pty

    env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "CI", "FORCE_COLOR")}
    env |= {"PYTHONPATH": str(ROOT), "TERM": "xterm-256color", "COLUMNS": "80"}
    env |= {"NO_COLOR": no_colour} if no_colour else {}
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-m", "derive", "--steps", "A"], stdout=theirs, stdin=subprocess.DEVNULL,
        cwd=tmp_path, env=env,
    )  # fmt: skip
    os.close(theirs)
    text = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        text += piece
    os.close(ours)
    assert child.wait(60) == 0
    assert b"0.401" in text and (b"\x1b[1;36m" in text or b"\x1b[36" in text) == coloured


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        (
            'model = "multihead"\n[conventions]\nheads = 3\n[given]\nH = [[1, 0]]\n'
            "W_Q = [[1, 0], [0, 1]]\nW_K = [[1, 0], [0, 1]]\nW_V = [[1, 0], [0, 1]]\n",
            6,
            7,
        ),
        ('model = "layernorm"\n[conventions]\neps = 0\n[given]\nH = [[2, 2]]\n', 3, 7),
        (
            'model = "language-model"\nvocabulary = ["a", "b"]\ntokens = ["a", "c"]\n'
            "[conventions]\nactivation = 'relu'\n[given]\nW_E = [[1, 0], [0, 1]]\n"
            + "".join(f"L1.{w} = [[1, 0], [0, 1]]\n" for w in "W_Q W_K W_V W_1 W_2".split()),
            3,
            10,
        ),
    ],
    ids=["heads", "constant row", "unknown word"],
)
def test_what_shows_late_has_its_place_as_well(text, line, column, tmp_path, capsys):
    path = tmp_path / "own.toml"
    path.write_text(text, encoding="utf-8")
    assert run([str(path)]) == 2
    assert f"own.toml:{line}:{column}" in capsys.readouterr().err
