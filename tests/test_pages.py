"""Pages: what they say in each language, what each format may hold, and JSON by its schema."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from unicodedata import combining, east_asian_width

import mpmath
import numpy
import pytest
import sympy
from algebra import is_zero
from gallery import PAGES
from tex import compile_source

import derive as derive_package
from derive import InputError, Problem, attention, builtin, derive, read_toml
from derive.certify import Format
from derive.conventions import Conventions
from derive.exact import number
from derive.exact.ink import LATEX, UNICODE
from derive.exact.names import label
from derive.exact.write import write
from derive.gradients import differentiate
from derive.pages import FORMATS, gradients_printed, page
from derive.problems import ORDER
from derive.read.objects import as_given
from derive.render import latex, markdown, terminal
from derive.render.blocks import Equations, Heading, Note, Page, Text
from derive.render.boxes import box_width, parted
from derive.render.wrap import wrapped
from derive.views.walkthrough import Options, walkthrough
from derive.views.words import step_words
from derive.words import LANGUAGES, words

ROOT = Path(__file__).parents[1]
BUILT_IN = {name: derive(builtin(name)) for name in ORDER}
each_problem = pytest.mark.parametrize("name", ORDER)
HEADS = [name for name in ORDER if builtin(name).model == "attention"]
each_head = pytest.mark.parametrize("name", HEADS)
"""Problems of one head, whose entries are all closed forms."""
each_language = pytest.mark.parametrize("lang", LANGUAGES)
one = [[1]]


def masked(mode, value):
    unit = "[[1, 0], [0, 1]]"
    given = f"H = {unit}\nW_Q = {unit}\nW_K = {unit}\nW_V = [[1], [2]]\n"
    choices = f'mask = [[0, "-oo"], [0, 0]]\nmask_mode = "{mode}"\nmask_value = "{value}"\n'
    return derive(read_toml(f"[conventions]\n{choices}[given]\n{given}"))


OTHERS = {
    "masked by hand": masked("add", "-oo"),
    "a number added": masked("add", "-10^9"),
    "a number put in": masked("replace", "-7"),
    "undecided": attention([["sin(pi/6) - 1/2"]], one, one, one),
    "wide": attention({"shape": (9, 4)}, *({"shape": (4, 4)} for _ in range(3))),
    "tokens": attention([[1], [2]], one, one, one, tokens=["a_b", "50% & <up> $x$"]),
    "negative": attention([[-1, "-1/2"], ["-sqrt(2)", 0]], [[-1, 2], [3, -4]], [[1, 0], [0, -1]],
                          [["-a", -1], [0, "1/3"]]),
    "pi": attention([["pi", 1], [1, "-2*pi"]], *[[[1, 0], [0, 1]]] * 2, [[1], ["log(2)"]]),
    "one by one": attention(one, one, one, one),
}  # fmt: skip
ALL = BUILT_IN | OTHERS


# --- JSON

TOP = {"problem", "lang", "conventions", "names", "steps", "undecided"}
ALSO = {"title", "tokens"}
"""What the output may say beyond its schema."""


@pytest.mark.parametrize("name", ALL)
def test_json_has_its_schema(name):
    data = json.loads(page(ALL[name], "json"))
    assert set(data) - ALSO == TOP
    assert isinstance(data["problem"], str) and data["lang"] in LANGUAGES
    assert isinstance(data["conventions"], dict) and isinstance(data["undecided"], list)
    assert all(isinstance(v, str) and k.isidentifier() for k, v in data["names"].items())
    assert [s["name"] for s in data["steps"]] == [s.name for s in ALL[name].steps]
    for step in data["steps"]:
        assert set(step) == {"name", "shape", "rule", "formula", "entries"}
        rows, columns = step["shape"]
        assert [len(row) for row in step["entries"]] == [columns] * rows
        is_given = ALL[name].step(step["name"]).op is None
        assert (step["rule"] is None) == (step["formula"] is None) == is_given
        for entry in (e for row in step["entries"] for e in row):
            assert set(entry) == {"exact", "latex", "worked", "decimal", "float"}
            assert isinstance(entry["exact"], str) and isinstance(entry["latex"], str)
            assert (entry["worked"] is None) == is_given
            assert isinstance(entry["decimal"], str | None)
            assert isinstance(entry["float"], float | None)


MEANT = {"exp", "sqrt", "log", "sin", "cos", "pi", "E", "oo"}


def evaluated(text, names, depth=0):
    """A JSON `exact` string as a SymPy expression, its names put in until none is left."""
    assert depth < 50, text
    found = set(re.findall(r"[A-Za-z_]\w*", text)) - MEANT
    expr = sympy.sympify(text, {word: sympy.Symbol(word) for word in found})
    named = [s for s in expr.free_symbols if s.name in names]
    return expr.xreplace({s: evaluated(names[s.name], names, depth + 1) for s in named})


def evaluates_to_the_entries(d):
    data = json.loads(page(d, "json"))
    for step in data["steps"]:
        matrix = d[step["name"]]
        for i, row in enumerate(step["entries"]):
            for j, entry in enumerate(row):
                value, known = evaluated(entry["exact"], data["names"]), matrix[i, j]
                same = value == known or (not value.has(sympy.oo) and is_zero(value - known))
                assert same, (step["name"], i + 1, j + 1, entry["exact"])


@each_head
def test_exact_strings_are_the_entries(name):
    evaluates_to_the_entries(BUILT_IN[name])


NUMERIC = [name for name in ORDER if name not in ("temperature", "mixed", "symbolic")]
REAL = {
    **{name: getattr(mpmath, name) for name in ("exp", "sqrt", "log", "sin", "cos", "pi")},
    "E": mpmath.e, "oo": mpmath.inf, "mpf": mpmath.mpf,
}  # fmt: skip


def computed(text, names):
    """A string of JSON or of a worked form as a number, whole numbers as they are meant."""
    spelled = re.sub(r"(?<![\w.])(\d+)", r"mpf(\1)", text)
    return mpmath.mpf(eval(spelled, {"__builtins__": {}} | REAL | names))  # noqa: S307


@pytest.mark.parametrize("name", NUMERIC)
def test_exact_strings_have_the_values_of_the_entries(name):
    """With each name in them computed from those before it, in 50 digits."""
    d = BUILT_IN[name]
    data = json.loads(page(d, "json"))
    names = {}
    with mpmath.workdps(50):
        for word, text in data["names"].items():
            names[word] = computed(text, names)
        for step in data["steps"]:
            found = [[float(computed(e["exact"], names)) for e in r] for r in step["entries"]]
            known = d.to_numpy(step["name"])
            numpy.testing.assert_allclose(found, known, rtol=1e-15, atol=1e-40)


@pytest.mark.parametrize(
    "name", ["masked by hand", "a number added", "a number put in", "negative"]
)
def test_exact_strings_are_the_entries_of_other_problems(name):
    evaluates_to_the_entries(OTHERS[name])


def test_a_symbol_named_as_a_letter():
    """A letter of a step may not read as a symbol of the problem."""
    unit = [[1, 0], [0, 1]]
    H, W_Q = [["a + b + p + q", "c"], ["d", "W_Q_11"]], [["x + y + z + w", 1], [2, 3]]
    with pytest.raises(InputError, match="W_Q_11"):
        attention(H, W_Q, unit, unit)
    # where it is that very entry, or where no letter is needed, there is nothing to confuse
    evaluates_to_the_entries(attention(H, [["W_Q_11", 1], [2, 3]], unit, unit))


@pytest.mark.parametrize("name", ["t", "Z", "S", "exp_", "N", "Q", "O", "beta", "gamma", "lamda"])
def test_symbols_with_names_that_mean_something_elsewhere(name):
    evaluates_to_the_entries(attention([[name, 1], [0, 1]], *[[[1, 0], [0, 1]]] * 3))


@each_head
@pytest.mark.parametrize("form", [Format(), Format(digits=7, rounding="truncate")], ids=str)
def test_decimals_and_floats_are_those_of_the_derivation(name, form):
    d = BUILT_IN[name]
    data = json.loads(page(d, "json", form=form))
    assert data["undecided"] == []
    for step in data["steps"]:
        certified = d.certified(step["name"], form)
        for row, expected in zip(step["entries"], certified, strict=True):
            assert [e["decimal"] for e in row] == [c.digits for c in expected]
            for entry, known in zip(row, expected, strict=True):
                has_number = known.value.is_number
                if entry["decimal"] == "-oo":
                    assert entry["float"] is None  # JSON has no infinities
                else:
                    assert (entry["float"] is not None) == has_number
                    assert not has_number or entry["float"] == pytest.approx(
                        float(sympy.N(evaluated(entry["exact"], data["names"]), 30)), rel=1e-15
                    )


@pytest.mark.parametrize("name", ALL)
def test_a_name_is_defined_after_what_it_is_defined_by(name):
    names = json.loads(page(ALL[name], "json"))["names"]
    defined = set()
    for word, text in names.items():
        assert not (set(re.findall(r"[A-Za-z_]\w*", text)) & names.keys()) - defined, word
        defined.add(word)


def test_json_says_its_conventions():
    data = json.loads(page(OTHERS["a number put in"], "json", form=Format(digits=4)))
    choices = data["conventions"]
    assert choices["mask"] == [["0", "-oo"], ["0", "0"]] and choices["mask_mode"] == "replace"
    assert choices["mask_value"] == "-7" and choices["rounding"] == "half-up"
    assert (choices["places"], choices["digits"]) == (None, 4)
    assert choices["scale"] == "sqrt(d_k)" and choices["temperature"] == "1"
    assert json.loads(page(BUILT_IN["temperature"], "json"))["conventions"]["temperature"] == "tau"


def test_json_lists_what_is_undecided():
    data = json.loads(page(OTHERS["undecided"], "json"))
    assert {"H[1][1]", "Q[1][1]"} <= set(data["undecided"])
    (entry,) = next(s for s in data["steps"] if s["name"] == "Q")["entries"][0]
    assert entry["decimal"] is None and entry["float"] == 0.0  # the nearest double is proved


def test_worked_forms_in_json_put_numbers_in():
    data = json.loads(page(BUILT_IN["head"], "json"))
    steps = {s["name"]: s["entries"] for s in data["steps"]}
    assert steps["Q"][0][0]["worked"] == r"1 \cdot 1 + 0 \cdot 0"
    assert steps["scaled"][2][2]["worked"] == r"\frac{3}{\sqrt{2}}"
    assert steps["O"][1][0]["worked"].startswith(r"\frac{1}{t + 2} \cdot 1 + ")


# --- the terminal


def columns(line):
    """How wide a line is on a terminal."""
    wide = [2 if east_asian_width(c) in "WF" else 1 for c in line if not combining(c)]
    return sum(wide)


@pytest.mark.parametrize("name", ALL)
@each_language
@pytest.mark.parametrize(
    "form", [Format(), Format(places=8), Format(digits=15)], ids=["3", "8", "15"]
)
def test_eighty_columns(name, lang, form):
    text = page(ALL[name], "terminal", lang=lang, form=form)
    too_long = [line for line in text.splitlines() if columns(line) > 80]
    assert too_long == []
    assert "\\" not in text and "\x1b" not in text and "\t" not in text


def test_colour_changes_nothing_but_colour():
    d = BUILT_IN["head"]
    coloured = page(d, "terminal", colour=True)
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == page(d, "terminal")


def test_matrices_stand_in_columns():
    lines = page(BUILT_IN["head"], "terminal", steps=("A",)).splitlines()
    at = next(i for i, line in enumerate(lines) if "≈" in line)
    top, middle, bottom = (lines[at + k].split("≈")[-1].strip(" ") for k in (-1, 0, 1))
    assert top.endswith("⎡0.401  0.198  0.401⎤")
    assert middle == "⎢0.248  0.248  0.503⎥" and bottom.endswith("⎣0.284  0.140  0.576⎦")


# --- Markdown


@pytest.mark.parametrize("name", ALL)
@each_language
def test_markdown_keeps_to_what_github_reads(name, lang):
    text = page(ALL[name], "markdown", lang=lang)
    outside = []
    for k, part in enumerate(re.split(r"^```(?:math)?\n", text, flags=re.M)):
        if k % 2:
            body = part
            assert not re.search(r"align\*|gather\*|(?<!\\)\\[\[(]|\$", body)
            begun, ended = (re.findall(rf"\\{w}{{(\w+)}}", body) for w in ("begin", "end"))
            assert sorted(begun) == sorted(ended)
            assert set(begun) <= {"aligned", "gathered", "array", "bmatrix", "cases"}
        else:
            outside.append(part)
    assert text.count("```") == 2 * text.count("```math")
    prose = re.sub(r"\$`[^`]*`\$|`[^`]*`", "", "".join(outside))
    assert not re.search(r"(?<!\\)[$`_*]", prose), prose
    assert text.startswith("# ") and text.endswith("\n")


# --- LaTeX


@pytest.mark.tex
@pytest.mark.parametrize("name", [n for n in ORDER if n not in dict(PAGES)])
def test_documents_compile(name):
    """Those of the gallery are compiled in test_tex.py."""
    assert compile_source(page(BUILT_IN[name], "latex")) == []


PRINTED = [n for n in HEADS if not n.startswith("three-words")] + ["multihead", "layernorm"]
"""Short problems whose words any font of TeX has."""


def fragments(lang):
    """Every page as a file to be read in, and the lines that read them."""
    parts = {f"part{k}.tex": page(d, "latex", fragment=True, lang=lang)
             for k, (name, d) in enumerate(ALL.items())
             if name in PRINTED or name not in ORDER}  # fmt: skip
    return parts, "\n".join(rf"\input{{{part.removesuffix('.tex')}}}" for part in parts)


@pytest.mark.tex
def test_fragments_compile_in_another_document():
    parts, body = fragments("en")
    head = r"\documentclass[11pt,a4paper]{article}\usepackage{amsmath}"
    more = r"\usepackage[margin=25mm]{geometry}\setcounter{MaxMatrixCols}{64}"
    source = rf"{head}{more}\begin{{document}}{body}\end{{document}}"
    assert compile_source(source, beside=parts) == []


@pytest.mark.tex
def test_chinese_documents_compile():
    """The article's page, and all others read into it."""
    parts, body = fragments("zh")
    whole = page(BUILT_IN["head"], "latex", lang="zh")
    end = r"\end{document}"
    assert compile_source(whole.replace(end, body + end), beside=parts) == []


@pytest.mark.tex
def test_more_digits_compile():
    assert compile_source(page(BUILT_IN["head"], "latex", form=Format(digits=15))) == []


@pytest.mark.parametrize("name", ALL)
def test_the_fragment_is_the_body_of_the_document(name):
    whole, part = (page(ALL[name], "latex", fragment=f) for f in (False, True))
    blocks = part.strip().split("\n\n")
    assert all(block in whole for block in blocks[1:])
    assert "documentclass" not in part and "usepackage" not in part


def test_titles_and_tokens_are_text_not_commands():
    text = page(OTHERS["tokens"], "latex")
    assert r"a\_b" in text and r"50\% \& $<$up$>$ \$x\$" in text
    assert r"a\_b" in page(OTHERS["tokens"], "markdown")


# --- words


@each_language
def test_every_word_is_said_somewhere(lang):
    """All phrases and all steps appear on some page: a table holds nothing that is never read."""
    forms = [Format(rounding=r) for r in ("half-up", "half-even", "truncate")] + [Format(digits=5)]
    pages = [page(d, "terminal", lang=lang) for d in ALL.values()]
    pages += [page(BUILT_IN["head"], "terminal", lang=lang, form=f) for f in forms]
    pages.append(page(BUILT_IN["head"], "terminal", lang=lang, expand=("O[1][1]",)))
    untitled = attention([[1, 0], [1, 1]], *[[[1, 0], [0, 1]]] * 3)
    pages.append(page(untitled, "terminal", lang=lang))
    pages += [page(d, "terminal", lang=lang) for d in variants()]
    pages += [gradients_printed(s, "terminal", lang=lang)[0] for s in sweeps()]
    said = squeezed("\n".join(pages))
    elsewhere = {"in layer", "in head", "place", "own step"}
    texts = {("phrase", k): v for k, v in words(lang)["phrases"].items() if k not in elsewhere}
    taken = {s.name for d in ALL.values() for s in d.derived}
    texts |= {("step", k): v["sentence"] for k, v in words(lang)["steps"].items() if k in taken}
    missing = [k for k, text in texts.items()
               if not all(squeezed(part) in said for part in text.split("{}"))
               and f'"{k[1]}"' not in VIEWS
               and f'f"{k[1].split()[0]} {{' not in VIEWS]  # fmt: skip
    assert missing == []


VIEWS = "".join(
    path.read_text(encoding="utf-8")
    for path in sorted((Path(derive_package.__file__).parent / "views").glob("*.py"))
)
"""What pages that are tried elsewhere say, they ask for by its key."""


def sweeps():
    """Gradients about which everything is said that can be."""
    seed = as_given([[1, 0], [0, 1], [1, 1]], "G")
    yield differentiate(BUILT_IN["causal"], "<G,O>", ["W_Q", "H"], seed)
    yield differentiate(BUILT_IN["head"], "O[1][1]", ["W_V", "Q"])
    yield differentiate(BUILT_IN["head"], "S[1][1]", ["W_V"])
    yield differentiate(BUILT_IN["language-model"], "loss", ["logits"])
    layernorm = BUILT_IN["layernorm"].problem
    exact = replace(layernorm, conventions=replace(layernorm.conventions, eps=number(0)))
    yield differentiate(derive(exact), "", ["H"])
    yield differentiate(derive(exact), "mu[1]", ["gamma", "H"])
    biased = {**BUILT_IN["head"].problem.given, "b_K": as_given([[1, 2]], "b_K")}
    bias = derive(Problem("bias", biased, Conventions(), model="multihead"))
    yield differentiate(bias, "O[2][1]", ["b_K"])


def variants():
    """Every model without a title, and conventions that no built-in problem has."""
    for name in (
        "multihead",
        "positions",
        "layernorm",
        "block",
        "decoder",
        "language-model",
        "seq2seq",
    ):
        yield derive(replace(builtin(name), title=""))
    for name, choices in (
        ("multihead", {"kv_heads": 1}),
        ("rope", {"positions": "alibi"}),
        ("rope", {"layout": "halves"}),
        ("positions", {"layout": "halves"}),
        ("block", {"norm": "pre"}),
        ("layernorm", {"correction": 1, "eps": number(1, 100), "eps_place": "outside"}),
        ("layernorm", {"normalization": "rmsnorm"}),
    ):
        problem = builtin(name)
        given = {k: m for k, m in problem.given.items() if name != "layernorm" or k != "beta"}
        if name == "multihead":
            given |= {k: given[k].columns((1, 2)) for k in ("W_K", "W_V")}
        conventions = replace(problem.conventions, **choices)
        yield derive(replace(problem, given=given, conventions=conventions))
    learned = builtin("positions")
    given = {**learned.given, "PE": learned.given["H_E"]}
    conventions = replace(learned.conventions, positions="learned")
    yield derive(replace(learned, given=given, conventions=conventions))


def squeezed(text):
    return re.sub(r"[\s`]+", "", text)


@each_problem
@each_language
def test_a_page_has_every_step_under_its_heading(name, lang):
    d = BUILT_IN[name]
    blocks = walkthrough(d, Options(lang=lang, detail="every-entry")).blocks
    headings = [b.text for b in blocks if isinstance(b, Heading)]
    vectors = d.problem.conventions.vectors
    steps = [step_words(s.name, type(s.op).__name__, lang, vectors)[0] for s in d.derived]
    end = words(lang)["phrases"]["summary" if len(steps) <= 12 else "summary lines"]
    assert headings[-len(steps) - 1 :] == [*steps, end]
    own = words(lang)["steps"] | (words(lang)["columns"] if vectors == "columns" else {})
    assert all(
        own[label(s.name).base]["heading"] in h for s, h in zip(d.derived, steps, strict=True)
    )


@pytest.mark.parametrize("format", FORMATS)
def test_only_the_steps_asked_for(format):
    text = page(BUILT_IN["head"], format, steps=("S", "O"))
    if format == "json":
        assert [s["name"] for s in json.loads(text)["steps"]] == ["S", "O"]
        return
    assert words("en")["steps"]["S"]["sentence"][:30] in squeezed_lines(text)
    assert words("en")["steps"]["A"]["sentence"][:30] not in squeezed_lines(text)


def squeezed_lines(text):
    return " ".join(text.split())


# --- blocks and renderers


@dataclass(frozen=True)
class Unheard:
    """A block that no renderer knows."""


PRINTERS = {"latex": latex.fragment, "markdown": markdown.markdown, "terminal": terminal.terminal}


@pytest.mark.parametrize("name", PRINTERS)
def test_an_unknown_block_raises(name):
    content = Page("t", "en", (Heading("t", 1), Unheard()))
    with pytest.raises(TypeError, match="Unheard"):
        PRINTERS[name](content)


@pytest.mark.parametrize("ink", [LATEX, UNICODE], ids=lambda i: i.name)
@pytest.mark.parametrize("thing", [Unheard(), "text", 1.5, None])
def test_an_unknown_term_raises(ink, thing):
    with pytest.raises(TypeError):
        write(thing, ink)


@pytest.mark.parametrize("name", PRINTERS)
def test_every_kind_of_block_is_printed(name):
    blocks = walkthrough(BUILT_IN["head"], Options()).blocks
    kinds = {type(b) for b in blocks}
    assert {Heading, Text, Note, Equations} <= kinds
    for block in blocks:
        assert PRINTERS[name](Page("t", "en", (block,))).strip()


# --- the same every time

FRESH = (
    "import sys; from derive import builtin, derive; from derive.pages import page; "
    "sys.stdout.reconfigure(encoding='utf-8'); "
    "print(''.join(page(derive(builtin(n)), f) for n in {names!r} for f in {formats!r}), end='')"
)


@pytest.mark.parametrize("seed", ["0", "1"])
def test_pages_do_not_depend_on_what_came_before(seed):
    """In a fresh process, under another hash seed and in another order, every page is the same."""
    names = list(reversed(ORDER)) if seed == "1" else list(ORDER)
    formats = ["latex", "markdown", "terminal", "json"]
    fresh = subprocess.run(
        [sys.executable, "-c", FRESH.format(names=names, formats=formats)],
        capture_output=True, text=True, encoding="utf-8", check=True, timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed},
    )  # fmt: skip
    here = "".join(page(derive(builtin(n)), f) for n in names for f in formats)
    assert fresh.stdout == here


def test_a_line_begins_with_no_sign_that_closes():
    """Neither after Chinese characters nor after Latin letters, and none ends with a bracket."""
    text = "甲（N′），abc，甲乙（de）。"
    for width in range(6, 20):
        lines = wrapped(text, width)
        assert "".join(lines) == text
        assert not any(line[0] in "，。）" or line[-1] == "（" for line in lines)


@pytest.mark.parametrize("wide", [1, 2, 5, 12])
def test_a_wide_matrix_is_parted_by_columns(wide):
    """Every part fits, every entry is there once, and dots say where it goes on."""
    cells = [[f"{i}{'x' * wide}{j}" for j in range(7)] for i in range(3)]
    parts = parted(cells, right=False, room=40)
    assert all(box_width(box) <= 40 for box in parts)
    rows = [" ".join(box[0][i] for box in parts).replace("…", "") for i in range(3)]
    assert [row.strip("⎡⎤⎢⎥⎣⎦ ").split() for row in rows] == cells
    ends = [(box[0][0][0], box[0][0][-1]) for box in parts]
    assert ends[0][0] == "⎡" and ends[-1][1] == "⎤"
    assert all(a == "…" for a, _ in ends[1:]) and all(b == "…" for _, b in ends[:-1])


def test_a_column_wider_than_the_line_is_not_parted():
    assert parted([["x" * 40, "y"], ["z", "w"]], right=False, room=40) == []
