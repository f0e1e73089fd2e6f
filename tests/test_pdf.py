"""PDF by both engines: what its pages say, the same bytes each time, never a box for a letter."""

import json
import os
import re
import shutil
import subprocess
import sys
import unicodedata
from functools import cache
from pathlib import Path

import fonts
import pytest

from derive import InputError, attention, builtin, derive
from derive.cli.main import run
from derive.exact import number, symbol
from derive.exact.ink import LATEX
from derive.exact.letters import STEPS
from derive.exact.names import GREEK, GREEK_LETTERS
from derive.exact.trace import Digits, Entry, Grid, Name, Value
from derive.exact.typst_ink import STEPS as TYPST_STEPS
from derive.exact.typst_ink import TYPST
from derive.exact.write import Writer
from derive.pages import pdf
from derive.problems import ORDER
from derive.render import beamer, latex, tex, typst
from derive.render.blocks import (
    Chain,
    Equations,
    Formulas,
    Heading,
    Heatmap,
    Note,
    Page,
    Table,
    Text,
)
from derive.render.pdf import ENGINES
from derive.render.pdf import pdf as printed
from derive.render.typst_tables import GAP, HIGH, sizes
from derive.words import LANGUAGES
from derive.words import words as table_of

MARGIN = 62  # points; punctuation hangs a little over the margin of 25 mm
one = [[1]]
engines = pytest.mark.parametrize(
    "engine", ["typst", pytest.param("tex", marks=pytest.mark.tex)]
)  # fmt: skip
each_language = pytest.mark.parametrize("lang", LANGUAGES)


def text_of(content, *options):
    """The text on the pages, as pdftotext reads it."""
    if shutil.which("pdftotext") is None:
        pytest.skip("needs pdftotext")
    command = ["pdftotext", *options, "-", "-"]
    found = subprocess.run(command, input=content, check=True, capture_output=True).stdout
    return found.decode().replace("\N{NO-BREAK SPACE}", " ")


def beyond_margins(content):
    """The words that stand in the margins of a page of A4."""
    box = r'xMin="([\d.-]+)" yMin="[\d.-]+" xMax="([\d.-]+)" yMax="[\d.-]+">(.*?)</word>'
    found = re.findall(box, text_of(content, "-bbox"))
    return [
        word
        for left, right, word in found
        if not MARGIN < float(left) < float(right) < 595 - MARGIN
    ]


@cache
def head(lang="en", engine="typst", slides=False):
    return pdf(derive(builtin("head")), lang=lang, engine=engine, slides=slides)[0]


def page(*blocks, title="T", lang="en"):
    return Page(title, lang, (Heading(title, 1), *blocks))


# --- what pages say


@engines
def test_a_page_in_english(engine):
    text = text_of(head(engine=engine))
    for words in ("One attention head by hand", "Queries", "Attention weights", "Output", "0.401"):
        assert words in text
    assert text.index("Conventions") < text.index("Given") < text.index("Scores")


@engines
def test_a_page_in_chinese(engine):
    text = text_of(head("zh", engine))
    for words in ("手算一个注意力头", "约定", "注意力权重", "输出", "0.401"):
        assert words in text


@pytest.mark.parametrize("name", ORDER)
@each_language
def test_every_built_in_problem_fits_its_pages(name, lang):
    content, undecided = pdf(derive(builtin(name)), lang=lang)
    assert content.startswith(b"%PDF-") and not undecided
    assert beyond_margins(content) == []


def square(n, k):
    return [[(i * j + k) % 5 - 2 for j in range(n)] for i in range(n)]


SIZES = {
    "1 x 1": lambda: attention(one, one, one, one),
    "n = 12": lambda: attention(*(square(12, k) for k in range(4))),
    "n = 8, symbols": lambda: attention(*({"shape": (8, 8)} for _ in range(4))),
    "odd numbers": lambda: attention(
        [["355/113", "1/1000000000"], ["sqrt(2) + sqrt(3)", 0]], [[1, 0], [0, 1]], [[1, 2], [0, 1]],
        [["-355/113", 1], ["x", "foo_bar"]],
    ),
}  # fmt: skip


@pytest.mark.parametrize("size", SIZES)
def test_no_line_leaves_the_page(size):
    assert beyond_margins(pdf(SIZES[size]())[0]) == []


def test_the_same_page_is_the_same_bytes():
    assert pdf(derive(builtin("head")))[0] == head()


def test_bytes_depend_on_nothing_outside(tmp_path):
    program = "import sys, derive, derive.pages as p; d = derive.derive(derive.builtin('head'))"
    command = f"{program}; sys.stdout.buffer.write(p.pdf(d, lang='en')[0])"
    root = str(Path(fonts.ROOT))
    elsewhere = {**os.environ, "TZ": "Asia/Shanghai", "PYTHONPATH": root, "LC_ALL": "C"}
    child = [sys.executable, "-c", command]
    found = subprocess.run(child, cwd=tmp_path, env=elsewhere, check=True, capture_output=True)
    assert found.stdout == head()


@engines
def test_text_from_outside_is_printed_as_it_is(engine):
    title = r'T # $ * _ \ ] [ " <l> @x `y` ~ ^ // /* {} & 注意 #panic("x")'
    tokens = ["a_b", r'50% & <up> $x$ \ "q" @r #let']
    problem = attention([[1], [2]], one, one, one, title=title, tokens=tokens)
    text = " ".join(text_of(pdf(problem, engine=engine)[0]).split())
    for piece in (title, *tokens):
        assert piece.replace(" ", "") in text.replace("”", '"').replace(" ", "")


TABLE = Table(
    ("name", (Name("Q"), " long")),
    (("first", "12.5"), ("50 % & more", ("is ", Value(symbol("x"))))),
    numbers=(1,),
)
HEATMAP = Heatmap(
    "how much",
    ("猫", "b_1"),
    ("[x]", "y"),
    ((("0.25", 0.25), ("1.000", 1.0)), (("1.00e-7", 0.0), ("0.5", 0.5))),
)


@engines
def test_tables_and_heatmaps(engine):
    before = Text(("Before ", Value(number(1, 2)), " and after:"))
    content = printed(page(before, TABLE, HEATMAP, Note("The end.")), engine)
    text = text_of(content)
    for words in ("Before", "first", "12.5", "50 % & more", "猫", "b_1", "[x]", "0.25", "1.000"):
        assert words in text
    assert beyond_margins(content) == []


def test_wide_tables_and_heatmaps_shrink():
    row = tuple((f"{k}.00e-12", 0.5) for k in range(1, 10))
    names = tuple(f"token {k}" for k in range(1, 10))
    assert beyond_margins(printed(page(Heatmap("wide", names, names, (row,) * 9)))) == []


@pytest.mark.parametrize("slides", [False, True])
def test_an_unknown_block_raises(slides):
    with pytest.raises(TypeError, match="no rule for int"):
        printed(Page("T", "en", (Heading("T", 1), 7)), slides=slides)


# --- typesetting, as source


def source(*blocks):
    return typst.document(page(*blocks))


def test_chains_are_aligned_at_the_first_relation():
    chain = Chain(Entry("S", (1, 2)), (("=", Value(number(1, 2))), ("~", Digits("0.5"))))
    assert '$ S_"12" &= frac(1, 2) ≈ 0.5 $' in source(Equations((chain,)))
    assert source(Equations((chain,) * 4, 2)).count("& wide quad") == 2


def test_formulas_stand_side_by_side_while_they_fit():
    chain = Chain(Name("Q"), (("=", Grid(((symbol("a"), symbol("b")),))),))
    text = source(Formulas((chain,) * 9)).split("#show: paper.with")[1]
    assert text.count(" wide ") + text.count(" \\\n") == 8


def test_what_speaks_of_mathematics_stays_with_it():
    chain = Chain(Name("Q"), (("=", Name("K")),))
    assert '#lead[#"So:"]' in source(Text("So:"), Equations((chain,)))
    assert "#lead" not in source(Text("So:"), Text("on"), Equations((chain,))).split("So:")[0][-8:]


def test_decimals_stand_point_under_point():
    grid = Grid(((Digits("14.484"),), (Digits("-5.056"),)))
    assert "align: #right" in TYPST.matrix([["14.484"], ["−5.056"]], is_decimal=True)
    assert "mat(align: #right, 14.484; −5.056;)" in source(Text(("", grid)))


@pytest.mark.parametrize("step", STEPS)
def test_every_letter_is_written_in_typst(step):
    """A step with a letter of its own in LaTeX has one in Typst."""
    assert step in TYPST_STEPS or STEPS[step][0] == step


NAMES = (
    *GREEK,
    *"tau a_1 x12 W_Q_11 W_Q_1_12 d_model foo foo_bar alpha_1_12 a_i_j W_Q beta_foo".split(),
    *"x_1_beta é 权重 sum frac_1 dot".split(),
)


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_set_as_letters(name):
    """None is read as a word of Typst's: the page has the letters of the name, and they alone."""
    words = unicodedata.normalize("NFKC", text_of(printed(page(Text((Value(symbol(name)),))))))
    title_and_number = "T1"
    assert sorted(re.sub(r"\W", "", words)) == sorted(title_and_number + spelled(name))


def spelled(name):
    """The name with the letters that stand for Greek words."""
    parts = [GREEK_LETTERS.get(part, part) for part in re.split("_", name)]
    return unicodedata.normalize("NFKC", "".join(parts))


# --- slides


@each_language
def test_slides_have_a_step_each(lang):
    pages = text_of(head(lang, slides=True)).split("\f")
    assert len(pages) > 14
    queries = "Queries" if lang == "en" else "查询 Q"
    assert sum(queries in text for text in pages) == 1


@pytest.mark.tex
@each_language
def test_slides_by_beamer(lang):
    pages = text_of(head(lang, "tex", slides=True)).split("\f")
    assert len(pages) > 14


def test_a_long_table_is_several_in_beamer():
    rows = tuple((str(k), "x") for k in range(25))
    made = beamer.document(page(Heading("Long"), Table(("k", "x"), rows)))
    assert made.count(r"\begin{tabular}") == 3 and made.count(r"\hline") == 3
    assert made.count(r"\begin{frame}") == 2


# --- characters without a glyph


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_missing_glyph_is_an_error_with_its_place(lang):
    problem = attention([[1], [2]], one, one, one, tokens=["猫", "龘😀"])
    with pytest.raises(InputError) as caught:
        pdf(problem, lang=lang)
    error = caught.value
    assert "龘 (U+9F98), 😀 (U+1F600)" in error.message
    assert error.place.text[error.place.column - 1] == "龘"


@engines
def test_a_missing_glyph_in_the_title(engine):
    with pytest.raises(InputError, match=r"☃ \(U\+2603\)") as caught:
        pdf(attention(one, one, one, one, title="Head ☃"), engine=engine)
    assert caught.value.place.column == 6


def test_a_missing_glyph_in_a_table_and_a_heatmap():
    for block in (Table(("a", "b☃"), ()), Heatmap("", ("☃",), ("x",), ((("1", 1.0),),))):
        with pytest.raises(InputError, match="☃") as caught:
            printed(page(block))
        assert caught.value.place.text in ("b☃", "☃")


def test_a_control_character_is_an_error():
    with pytest.raises(InputError, match=r"U\+0000"):
        pdf(attention(one, one, one, one, title="a\0b"))


def test_the_font_has_what_our_sentences_need():
    lines = [Text(fonts.sentences()[k : k + 40]) for k in range(0, len(fonts.sentences()), 40)]
    assert printed(page(*lines, lang="zh"))


def test_the_font_has_the_commonest_hanzi():
    every = fonts.gb2312().replace("\u3000", "")
    lines = [Text(every[k : k + 40]) for k in range(0, len(every), 40)]
    assert len(every) > 3755 and printed(page(*lines, lang="zh"))


def test_the_font_has_its_licence_beside_it():
    licence = (fonts.FONT.parent / "OFL.txt").read_text("utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence and fonts.FONT.name in licence
    assert fonts.FONT.stat().st_size < 1.5e6


# --- engines


def test_an_unknown_engine():
    with pytest.raises(InputError, match="no PDF engine") as caught:
        printed(page(), "tpyst")
    assert caught.value.hint == "did you mean typst?"
    assert ENGINES == ("typst", "tex")


def test_a_missing_tex(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InputError, match="latexmk and xelatex cannot be found") as caught:
        printed(page(), "tex")
    assert "--engine typst" in caught.value.hint


def test_a_missing_typst(monkeypatch):
    from derive.render import pdf as module

    monkeypatch.setitem(sys.modules, "typst", None)
    module._compiler.cache_clear()
    with pytest.raises(InputError, match="built-in PDF engine is not installed"):
        printed(page())
    module._compiler.cache_clear()


def test_what_typst_refuses_is_said(monkeypatch):
    monkeypatch.setattr(typst, "document", lambda *_: "#nothing")
    with pytest.raises(InputError, match="the typst engine refuses: unknown variable: nothing"):
        printed(page())


def test_what_typst_warns_of_is_an_error(monkeypatch):
    monkeypatch.setattr(typst, "document", lambda *_: '#set text(font: "Nowhere")\na')
    with pytest.raises(InputError, match="the typst engine warns: unknown font family"):
        printed(page())


@pytest.mark.tex
def test_a_failing_tex_shows_the_first_error(monkeypatch):
    made = "\\documentclass{article}\n\\begin{document}\n\\nosuch \\another\n\\end{document}\n"
    monkeypatch.setattr(latex, "document", lambda _: made)
    with pytest.raises(InputError, match=r"TeX failed: Undefined control sequence at \\nosuch"):
        printed(page(), "tex")


@pytest.mark.tex
def test_tex_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert tex.compiled(latex.document(page(Text("a"))))[0].startswith(b"%PDF-")
    assert list(tmp_path.iterdir()) == []


def test_a_tex_that_takes_too_long_is_ended(tmp_path, monkeypatch):
    for program in tex.PROGRAMS:
        file = tmp_path / program
        file.write_text("#!/bin/sh\nsleep 60\n", encoding="utf-8")
        file.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(tex, "SECONDS", 0.2)
    with pytest.raises(InputError, match="took longer"):
        printed(page(), "tex")


# --- the command line


def test_pdf_by_suffix_is_the_pages(tmp_path):
    file = tmp_path / "head.pdf"
    assert run(["head", "-o", str(file)]) == 0
    assert file.read_bytes() == head()
    assert [path.name for path in tmp_path.iterdir()] == ["head.pdf"]


def test_pdf_into_a_pipe(capfdbinary):
    assert run(["head", "--pdf"]) == 0
    assert capfdbinary.readouterr().out == head()


def test_slides_by_the_command_line(tmp_path, capsys):
    file = tmp_path / "head.pdf"
    assert run(["head", "--slides", "-o", str(file)]) == 0
    assert file.read_bytes() == head(slides=True)
    assert run(["head", "--latex", "--slides"]) == 0
    assert "{beamer}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--engine", "tex"], "--engine is for PDF"),
        (["--slides", "--json"], "--slides is for PDF and LaTeX"),
        (["--pdf", "--latex"], "two formats"),
        (["--pdf", "-o", "x.tex"], "contradict each other"),
    ],
)
def test_what_does_not_go_together(arguments, message, capsys):
    assert run(arguments) == 2
    assert message in capsys.readouterr().err


def test_no_pdf_on_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr("derive.cli.output.is_terminal", lambda: True)
    assert run(["head", "--pdf"]) == 2
    assert "add -o FILE.pdf" in capsys.readouterr().err


def test_latex_and_typst_have_the_same_pieces():
    """Whatever LaTeX's ink can write, Typst's can."""
    own = {name for name in dir(LATEX) if not name.startswith("_")}
    assert all(
        type(getattr(TYPST, name)) is type(getattr(LATEX, name)) or name == "inline" for name in own
    )


SOURCE = """#context {
  set text(top-edge: "ascender", bottom-edge: "descender")
  set par(leading: 0.2em, justify: false)
  let em = 1em.to-absolute()
  for body in (%s,) {
    let found = measure({
      set text(top-edge: "ascender", bottom-edge: "descender")
      body
    })
    [#metadata((found.width / em, found.height / em)) <size>]
  }
}"""


def measured(tmp_path, texts):
    """(width, height) of each in em, as Typst sets it in a cell of a table."""
    from importlib.resources import as_file, files

    from typst import Compiler, Fonts

    path = tmp_path / "a.typ"
    path.write_text(typst.wrapped("en", "x", SOURCE % ", ".join(f"[{x}]" for x in texts)), "utf-8")
    with as_file(files("derive.render") / "fonts") as folder:
        fonts = Fonts(include_system_fonts=False, font_paths=[str(folder)])
        found = Compiler(root=str(tmp_path), font_paths=fonts, input=str(path))
        return json.loads(found.query("<size>", field="value"))


def test_no_cell_of_a_table_is_wider_or_higher_than_is_reckoned(tmp_path):
    """Every mistake that a key may name, numerals, and blanks by their letters."""
    said = [x for x in table_of("en")["mistakes"].values() if not set(x) & set("`ε")]
    terms = [Name(x) for x in ("O", "scaled", "xhat", "W1", "sigma1", "dS", "mu")]
    terms += [Entry(x, (1, 12)) for x in ("O", "scaled", "xhat", "W_1", "dS", "logits", "exp")]
    numerals = ["-12.345", "0.000", "1234567890", "-0.5"]
    texts = [f"#{json.dumps(x, ensure_ascii=False)}" for x in said]
    texts += [f"${Writer(TYPST).text(x)}$" for x in terms]
    texts += [f'#"{TYPST.numeral(x)}"' for x in numerals]
    cells = [*said, *((x,) for x in terms), *((Digits(x),) for x in numerals)]
    for cell, (wide, high) in zip(cells, measured(tmp_path, texts), strict=True):
        found = sizes(("i",), [(cell,)], (), 1000.0)
        assert found.rows == (HIGH, HIGH), cell
        reckoned = float(found.columns[0].removesuffix("em")) - GAP
        assert wide - 0.001 <= reckoned <= 1.25 * wide + 1.0, (cell, wide, reckoned)
        assert high + 0.44 <= float(HIGH.removesuffix("em")) + 0.001, (cell, high)
