"""`derive shapes`: its pages in each language and format, and its command line."""

import json
import re
import subprocess

import pytest
import tex

from derive import architectures, problems, shapes
from derive.cli.main import run
from derive.counts.letters import LETTERS
from derive.pages import FORMATS, shapes_printed
from derive.render import typst
from derive.render.blocks import Heading, Table
from derive.views.shapes import shapes_page
from derive.words import words

each_model = pytest.mark.parametrize("name", architectures.ORDER)
each_language = pytest.mark.parametrize("lang", ["en", "zh"])
each_format = pytest.mark.parametrize("format", FORMATS)


@pytest.fixture
def done(capsys):
    """The output of a command that succeeds."""

    def ran(*arguments):
        code = run([*map(str, arguments)])
        captured = capsys.readouterr()
        assert (code, captured.err) == (0, "")
        return captured.out

    return ran


@pytest.fixture
def refused(capsys):
    """The message of a command that fails."""

    def ran(*arguments):
        code = run([*map(str, arguments)])
        captured = capsys.readouterr()
        assert (code, captured.out) == (2, "") and "Traceback" not in captured.err
        return captured.err

    return ran


# --- pages


def rows(text):
    """The rows of the tables of a terminal page, cells stripped."""
    return [re.split(r"  +", line.strip()) for line in text.splitlines() if line.startswith("  ")]


def test_the_page_of_the_article_s_sizes(done):
    """32 texts of 10 words, 512 wide, 8 heads of 64."""
    text = done("shapes", "transformer-base", "--batch", 32, "--length", 10)
    found = rows(text)
    assert ["embedding", "(32, 10, 512)", "18,944,000", "0"] in found
    assert ["sinusoids added", "(32, 10, 512)", "0", "0"] in found
    assert ["widened", "(32, 10, 2048)", "1,050,624", "335,544,320"] in found
    assert ["Q by heads", "(32, 8, 10, 64)", "0", "0"] in found
    assert ["heads side by side", "(32, 10, 512)", "0", "0"] in found
    assert ["scores S", "(B, h, n, m)", "0", "B·h·n·m·d_k"] in found
    assert ["together", "63,045,632", "20,213,923,840"] in found
    assert "d_k = d_model/h = 512/8 = 64" in text and "h·d_k = 8·64 = 512" in text
    assert "65,000,000" in text and "39,841 to 41,793" in text


def test_the_same_in_chinese(done):
    text = done("shapes", "transformer-base", "--lang", "zh")
    found = rows(text)
    assert ["词嵌入", "(32, 10, 512)", "18,944,000", "0"] in found
    assert ["缩回 F", "(32, 10, 512)", "1,049,088", "335,544,320"] in found
    assert ["总计", "63,045,632", "20,213,923,840"] in found
    assert "39,841 到 41,793" in text


@each_model
@each_language
@each_format
def test_every_format_shows_the_count(name, lang, format):
    table = shapes(name)
    text = shapes_printed(table, format, lang=lang)
    if format == "json":
        assert json.loads(text)["parameters"] == table.parameters
    else:
        assert str(table.parameters) in text and f"{table.parameters:,}" in text


@each_model
def test_a_chinese_page_has_no_english_left(name):
    """Apart from names, and the words that Chinese texts leave as they are."""
    kept = {"token", "softmax", "logits", "pooler", "tanh", "Transformer", "base", "big", "BERT",
            "GPT", "small", "Llama", "Vaswani", "et", "al", "table"}  # fmt: skip
    page = shapes_page(shapes(name), "zh")
    for text in strings(page.blocks):
        assert set(re.findall(r"[A-Za-z]{2,}", text)) <= kept, text


def strings(x):
    """Every text in the blocks."""
    if isinstance(x, str):
        yield x
    elif isinstance(x, tuple):
        for inner in x:
            yield from strings(inner)
    elif isinstance(x, (Heading, Table)) or type(x).__module__.endswith("render.blocks"):
        for inner in vars(x).values():
            yield from strings(inner)


def test_every_size_has_its_meaning():
    assert set(LETTERS) <= set(words("en")["shapes"]["sizes"])


@each_model
def test_every_part_has_its_words(name):
    assert {part.name for _, part in shapes(name)} <= set(words("en")["shapes"]["parts"])


@pytest.mark.parametrize("name", problems.ORDER)
def test_built_in_problems_have_pages(name, done):
    text = done("shapes", name)
    found = rows(text)
    assert [row[0] for row in found if row[0] == "together"] == ["together"]


def test_with_letters_alone_there_are_no_numbers(done):
    text = done("shapes", "bert-base", "--symbolic")
    assert "in letters" in text and "in numbers" not in text
    assert max(map(len, text.splitlines())) <= 90
    assert "+ V·d_model + P·d_model + T·d_model + d_model² + 3·d_model" in text


def test_letters_among_numbers(done):
    text = done("shapes", "gpt-2", "--batch", "b", "--length", "n")
    assert ["logits", "(b, n, 50257)", "0", "38597376·n·b"] in rows(text)
    assert ["together", "124,439,808"] in rows(text)


def test_a_count_that_agrees_says_so(tmp_path, done):
    path = tmp_path / "mine.toml"
    published = "[published]\nparameters = 124_000_000\nrounded_to = 1_000_000\n"
    path.write_text(architectures.source("gpt-2") + published, "utf-8")
    assert "rounds to that" in done("shapes", path)


def test_what_is_changed_is_not_compared(done):
    assert "65,000,000" in done("shapes", "transformer-base", "--set", "vocabulary=32000")
    assert "65,000,000" not in done("shapes", "transformer-base", "--set", "layers=2")


# --- on paper


@each_language
def test_typst_is_given_every_block(lang):
    for name in architectures.ORDER:
        assert "#listing" in typst.document(shapes_page(shapes(name), lang))


@each_language
def test_pdf(lang, tmp_path, done):
    path = tmp_path / "base.pdf"
    assert done("shapes", "transformer-base", "--lang", lang, "-o", path) == ""
    assert path.read_bytes().startswith(b"%PDF")


@pytest.mark.tex
@each_language
@pytest.mark.parametrize("name", ["transformer-base", "llama-2-7b", "cross"])
def test_latex_compiles_without_overfull_lines(name, lang):
    if missing := tex.missing_programs():
        pytest.skip(f"needs {missing}")
    assert tex.compile_source(shapes_printed(shapes(name), "latex", lang=lang)) == []


# --- the command line


def test_json_holds_formulas_that_give_the_numbers(done):
    import sympy

    found = json.loads(done("shapes", "llama-2-7b", "--json"))
    names = {letter: sympy.Symbol(letter) for letter in found["sizes"]}
    for group in found["groups"]:
        for part in group["parts"]:
            for key in ("parameters", "multiply_adds"):
                formula = sympy.parsing.sympy_parser.parse_expr(part[f"{key}_formula"], names)
                sizes = {names[letter]: size for letter, size in found["sizes"].items()}
                assert formula.subs(sizes) == part[key]
    assert found["parameters"] == 6_738_415_616


def test_the_suffix_says_the_format(tmp_path, done):
    for suffix, begins in (
        (".tex", "\\documentclass"),
        (".md", "# "),
        (".html", "<!"),
        (".json", "{"),
    ):
        path = tmp_path / f"x{suffix}"
        assert done("shapes", "head", "-o", path) == ""
        assert path.read_text("utf-8").startswith(begins)


def test_sizes_are_set(done):
    text = done("shapes", "gpt-2", "--set", "layers=24", "--set", "d_model=1,024", "--set",
                "heads=16", "--set", "d_ff=4096", "--set", "final_norm=true", "--json")  # fmt: skip
    assert json.loads(text)["parameters"] == 354_823_168


def test_without_a_name_it_is_the_first(done):
    assert done("shapes", "--json") == done("shapes", architectures.ORDER[0], "--json")


def test_list_and_new_know_architectures(done, tmp_path):
    listed = done("list")
    assert all(name in listed.split() for name in architectures.ORDER)
    assert done("new", "gpt-2", "-o", tmp_path / "mine.toml") == ""
    text = done("shapes", tmp_path / "mine.toml", "--set", "layers=1", "--json")
    assert json.loads(text)["parameters"] == 39_383_808 + 7_087_872 + 1_536


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gpt-2", "--set", "heads=7"), "does not divide"),
        (("gpt-2", "--set", "heads"), "KEY=VALUE"),
        (("gpt-2", "--batch", "2", "--set", "batch=3"), "set twice"),
        (("gpt-2", "--batch", "-2"), "batch is -2"),
        (("gpt-2", "--set", "d_model=10000000"), "d_model is 10,000,000"),
        (("gpt-2", "--batch", "9" * 5000), "batch is '999"),
        (("gpt2",), "did you mean gpt-2"),
        (("no.toml",), "no file"),
        (("head", "--batch", "3"), "cannot be changed"),
        (("gpt-2", "--fragment"), "--fragment is for LaTeX"),
        (("gpt-2", "--json", "--latex"), "two formats"),
    ],
)
def test_what_is_refused(arguments, message, refused):
    assert message in refused("shapes", *arguments)


def test_nothing_is_derived_from_sizes(refused):
    assert "derive shapes gpt-2" in refused("gpt-2")


def test_an_architecture_is_no_problem(refused, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(architectures.source("gpt-2"), "utf-8")
    assert "derive shapes" in refused(path)


def test_counting_loads_no_sympy(tmp_path):
    import os
    import sys
    from pathlib import Path

    import derive

    code = (
        "import sys; from derive.cli.main import run; run(['shapes', 'gpt-2']); "
        "print([m for m in ('sympy', 'numpy', 'mpmath') if m in sys.modules], file=sys.stderr)"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(derive.__file__).parents[1])},
    )  # fmt: skip
    assert found.stderr.strip() == "[]"
