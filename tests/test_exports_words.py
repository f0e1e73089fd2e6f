"""Shapes, matching, the wrong step, reasons and statements for learning systems."""

import csv
import io
import json
import math
import re
import subprocess
import sys
from fractions import Fraction
from html import unescape

import numpy
import pytest
from lxml import etree
from qti import marked
from test_exports import IMS, cells_of, fields, opened
from test_worksheet_kinds import made, shapes_by_numpy

from derive.cli.main import run
from derive.handout import (
    BANKS,
    Looks,
    data_printed,
    keys_printed,
    sheets_printed,
    truths_data,
    truths_printed,
)
from derive.theorems import theorem
from derive.views.worksheet_truth import truths
from derive.words import LANGUAGES, words
from derive.worksheet.kinds import KINDS, TRUTH
from derive.worksheet.shaping import shapes_of
from derive.worksheet.written import is_right, written

WORDED = ("shapes", "match", "find-mistake", "explain")
FORMULAS = {
    "Q": "H W_Q", "K": "H W_K", "V": "H W_V", "S": "Q Kᵀ", "S̃": "S / √d_k", "E": "exp(S̃)",
    "Z": "E 1", "A": "softmax(S̃)", "O": "A V",
}  # fmt: skip
"""Of a head, as a textbook has them."""


def sheets(kind, **wishes):
    return made(kind, count=2, **{"level": 3 if kind == "shapes" else 2, **wishes})


def bank(kind, format, lang="en"):
    return data_printed(sheets(kind), format, Looks(lang))


def moodle(kind, lang="en"):
    return etree.fromstring(bank(kind, "moodle", lang).encode())


def of_type(root, kind):
    return root.findall(f"question[@type='{kind}']")


def asked(question):
    return unescape(question.findtext("questiontext/text") or "")


# --- every kind, every format


@pytest.mark.parametrize("kind", [*KINDS, TRUTH])
@pytest.mark.parametrize("format", [*BANKS, "csv", "notebook", "jsonl"])
def test_every_kind_goes_everywhere(kind, format, tmp_path):
    paths = {"canvas": "zip", "qti": "zip", "moodle": "xml", "pretext": "ptx", "notebook": "ipynb"}
    path = tmp_path / f"a.{paths.get(format, format)}"
    arguments = ["--kind", kind, "--variants", "2", "--format", format, "-o", str(path)]
    assert run(["worksheet", *arguments]) == 0
    assert path.stat().st_size > 300
    names = {path.name, *(() if format == "csv" else ("a.jsonl",))}
    names |= {"a-key.ipynb"} if format == "notebook" else set()
    assert {x.name for x in tmp_path.iterdir()} == names


@pytest.mark.parametrize("kind", WORDED)
def test_the_same_bytes_and_no_name_twice(kind):
    assert bank(kind, "moodle") == bank(kind, "moodle")
    names = [x.text for x in moodle(kind).iterfind("question/idnumber")]
    assert len(set(names)) == len(names) >= 2


@pytest.mark.parametrize("kind", WORDED)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_sentence_is_left_in_braces(kind, lang):
    for question in moodle(kind, lang).iterfind("question"):
        text = asked(question)
        assert "{0}" not in text and "None" not in text


# --- Moodle


def blanks(text):
    """The accepted spellings of each short answer, as Moodle reads them."""
    for found in re.findall(r"\{1:SHORTANSWER:((?:\\.|[^}])*)\}", text):
        answers = re.split(r"(?<!\\)~", found)
        yield [re.sub(r"\\(.)", r"\1", x.removeprefix("=")) for x in answers]


def test_shapes_are_typed_as_numpy_has_them():
    questions = of_type(moodle("shapes"), "cloze")
    for question, v in zip(questions, sheets("shapes"), strict=True):
        table = shapes_of(v)
        shapes = shapes_by_numpy(table.sizes)
        found = iter(blanks(asked(question)))
        for line in table.lines:
            if "letters" in line.hidden:
                for text in next(found):
                    sides = re.fullmatch(r"\(?(.+?) ?[x×*,] ?(.+?)\)?", text).groups()
                    sizes = {k.replace("_", ""): n for k, n in table.sizes.items()} | {"1": 1}
                    assert tuple(sizes[s.replace("_", "")] for s in sides) == shapes[line.name]
            if "numbers" in line.hidden:
                for text in next(found):
                    assert tuple(map(int, re.findall(r"\d+", text))) == shapes[line.name]
            if "name" in line.hidden:
                assert line.name in next(found)
        assert next(found, None) is None


def test_what_is_accepted_in_a_bank_is_right_on_paper():
    for v in sheets("shapes"):
        root = etree.fromstring(data_printed([v], "moodle", Looks()).encode())
        (question,) = of_type(root, "cloze")
        cells = [one for one in written(v) if not one.id.endswith(".formula")]
        by_cell = {one.id: one for one in cells}
        order = [b for b in by_cell if b.rpartition(".")[2] in ("letters", "numbers")]
        shaped = [x for x in blanks(asked(question)) if re.search(r"[x×]", x[0])]
        for spellings, blank in zip(shaped, order, strict=True):
            assert all(is_right(text, by_cell[blank].accepts) for text in spellings)


def plainly(latex):
    """A formula of LaTeX in plain signs."""
    found = re.sub(r"\\operatorname\{(\w+)\}|\\(exp)", lambda m: m[1] or m[2], latex)
    for old, new in ((r"K^{\top}", "Kᵀ"), (r"\tilde{S}", "S̃"), (r"\left", ""), (r"\right", ""),
                     (r"\mathbf{1}", "1"), (r"\frac{S}{\sqrt{d_{k}}}", "S / √d_k"),
                     (r"\(", ""), (r"\)", "")):  # fmt: skip
        found = found.replace(old, new)
    return re.sub(r"\^\{(\w)\}", r"_\1", found)


def test_a_formula_is_chosen_among_others():
    seen = 0
    for question in of_type(moodle("shapes"), "multichoice"):
        name = re.search(r"formula of \\\((.*?)\\\)\?", asked(question))[1]
        options = {plainly(x.findtext("text")): x.get("fraction") for x in question.iter("answer")}
        assert len(options) == 5 and sorted(options.values()) == ["0"] * 4 + ["100"]
        assert options[FORMULAS[plainly(name)]] == "100"
        seen += 1
    assert seen > 3


def test_names_are_matched_with_formulas_and_shapes():
    found = of_type(moodle("match"), "matching")
    for v, k in zip(sheets("match"), (0, 2), strict=True):
        shapes = shapes_by_numpy(shapes_of(v).sizes)
        for question, is_shape in ((found[k], False), (found[k + 1], True)):
            pairs = [(plainly(x.findtext("text")), x.findtext("answer/text"))
                     for x in question.iter("subquestion")]  # fmt: skip
            assert len(pairs) == 8
            for name, text in pairs:
                step = {"S̃": "scaled", "E": "exp"}.get(name, name)
                rows, columns = shapes[step]
                formula = FORMULAS[name].replace("S / √d_k", "S/√(d_k)")
                assert text == (f"{rows} × {columns}" if is_shape else formula)


def matrix(latex):
    body = re.search(r"\\begin\{(?:bmatrix|array)\}(?:\{@.*?@\{\}\})?(.*?)\\end", latex)[1]
    return numpy.array([[float(x) for x in row.split("&")] for row in body.split(r"\\")])


RULES = {
    "Q": lambda m: m["H"] @ m["W_Q"],
    "K": lambda m: m["H"] @ m["W_K"],
    "V": lambda m: m["H"] @ m["W_V"],
    "S": lambda m: m["Q"] @ m["K"].T,
    "S̃": lambda m: m["S"] / math.sqrt(m["K"].shape[1]),
    "E": lambda m: numpy.exp(m["S̃"]),
    "Z": lambda m: m["E"].sum(axis=1, keepdims=True),
    "A": lambda m: numpy.exp(m["S̃"]) / numpy.exp(m["S̃"]).sum(axis=1, keepdims=True),
    "O": lambda m: m["A"] @ m["V"],
}


def test_the_one_step_that_does_not_follow_is_the_wrong_one():
    """Every printed step is worked out anew from what is printed before it."""
    root = moodle("find-mistake")
    for v, question in zip(sheets("find-mistake"), of_type(root, "multichoice")[::2], strict=True):
        chains = re.findall(r"\\\((.*?)\\\)", asked(question))
        shown = {plainly(x).partition(" = ")[0]: matrix(x) for x in chains if r"\begin" in x}
        assert set(RULES) <= shown.keys()
        wrong = []
        for name, rule in RULES.items():
            m = rule(shown)
            slack = 0.02 * (1 + abs(m))
            if m.shape != shown[name].shape or (abs(m - shown[name]) > slack).any():
                wrong.append(name)
        right = [plainly(x.findtext("text")) for x in question.iter("answer")
                 if x.get("fraction") == "100"]  # fmt: skip
        assert wrong == right, v.id
        ends = of_type(root, "cloze")
        assert [x.findtext("idnumber") for x in ends] == [v.id for v in sheets("find-mistake")]
        given = {k: shown[k] for k in ("H", "W_Q", "W_K", "W_V")}
        for name, rule in RULES.items():
            given[name] = rule(given)
        (end,) = (x for x in ends if x.findtext("idnumber") == v.id)
        spans = re.findall(r"NUMERICAL:=(-?[\d.]+):([\d.]+)", asked(end))
        for (middle, half), x in zip(spans, given["O"].flat, strict=True):
            assert abs(float(middle) - x) <= float(half)


def test_what_is_wrong_is_chosen_among_what_is_not():
    """The right one is named by the manifest; no other is called the same."""
    root = moodle("find-mistake")
    for v, question in zip(sheets("find-mistake"), of_type(root, "multichoice")[1::2], strict=True):
        (name,) = next(one.accepts for one in written(v) if one.id == "mistake")
        options = {x.findtext("text"): x.get("fraction") for x in question.iter("answer")}
        assert len(options) == 5
        assert [text for text, share in options.items() if share == "100"] == [
            words("en")["mistakes"][name]
        ]


def test_the_planted_numbers_have_no_points():
    """Whoever copies the end that stands on the sheet is wrong."""
    root = moodle("find-mistake")
    for question, end in zip(
        of_type(root, "multichoice")[::2], of_type(root, "cloze"), strict=True
    ):
        chains = re.findall(r"\\\((.*?)\\\)", asked(question))
        printed = next(matrix(x) for x in chains if x.startswith("O = ") and "begin" in x)
        right = 0
        for text, x in zip(re.findall(r"NUMERICAL:(.*?)\}", asked(end)), printed.flat, strict=True):
            middle, half = re.match(r"=(-?[\d.]+):([\d.]+)", text).groups()
            right += abs(float(middle) - x) <= float(half)
        assert right < printed.size


def test_a_person_is_told_what_an_essay_should_hold():
    root = moodle("explain")
    essays = of_type(root, "essay")
    assert len(essays) == 18
    for question in essays:
        notes, text = question.findtext("graderinfo/text"), asked(question)
        name = question.findtext("idnumber").rpartition("-")[2]
        sentence = words("en")["steps"][name]["sentence"]
        assert sentence.replace("'", "&#x27;") in notes or sentence in notes
        assert sentence not in text and question.findtext("defaultgrade") == "2"


LETTER = re.compile(r"\\\((W|d)[_^]\{([QKVk])\}\\\)")
"""A weight or a size as mathematics."""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_statements_are_judged(lang):
    root = etree.fromstring(truths_data(5, 3, "moodle", lang).encode())
    every = [one for sheet in truths(5, (1, 2, 3)) for one in sheet.statements]
    for question, one in zip(of_type(root, "truefalse"), every, strict=True):
        theorem(one.theorem).check()
        known = words(lang)
        line = known["true"].get(one.theorem, known["theorems"][one.theorem]["line"])
        verdicts = {x.findtext("text"): x.get("fraction") for x in question.iter("answer")}
        is_line = line in LETTER.sub(r"\1_\2", asked(question))
        assert verdicts == {"true": str(100 * is_line), "false": str(100 * (not is_line))}


# --- QTI 2.1


def items(kind, lang="en"):
    content = truths_data(5, 2, "qti", lang) if kind == TRUTH else bank(kind, "qti", lang)
    for name, text in opened(content).items():
        if name.startswith("items/"):
            yield etree.fromstring(text)


def right_answers(item):
    """Of each response what is declared right: a text, or a list of pairs."""
    for one in item.iterfind("q:responseDeclaration", IMS):
        values = [x.text for x in one.iterfind("q:correctResponse/q:value", IMS)]
        is_list = one.get("cardinality") == "multiple"
        yield one.get("identifier"), values if is_list else values[0] if values else None


@pytest.mark.parametrize("kind", ["shapes", "match", TRUTH])
def test_what_is_declared_right_has_all_points(kind):
    for item in items(kind):
        most = item.findtext("q:outcomeDeclaration[@identifier='MAXSCORE']//q:value", None, IMS)
        answers = dict(right_answers(item))
        assert marked(item, answers)[0] == Fraction(most) > 0
        assert marked(item, dict.fromkeys(answers))[0] == 0
        wrong = {k: ["S1 T99"] if isinstance(x, list) else "nonsense" for k, x in answers.items()}
        assert marked(item, wrong)[0] == 0


def test_capitals_make_no_difference():
    item = next(x for x in items("shapes") if x.find(".//q:textEntryInteraction", IMS) is not None)
    answers = {k: x.upper() for k, x in right_answers(item)}
    most = item.findtext("q:outcomeDeclaration[@identifier='MAXSCORE']//q:value", None, IMS)
    assert marked(item, answers)[0] == Fraction(most)


def test_half_of_the_pairs_is_half_of_the_points():
    for item in items("match"):
        ((_, pairs),) = right_answers(item)
        assert marked(item, {"RESPONSE": pairs[:4]})[0] == 4
        sets = item.findall(".//q:simpleMatchSet", IMS)
        names = [{x.get("identifier") for x in s} for s in sets]
        assert all(a in names[0] and b in names[1] for a, b in map(str.split, pairs))


def test_only_scorers_see_the_notes():
    for item in items("explain"):
        assert item.find(".//q:extendedTextInteraction", IMS) is not None
        assert item.find("q:responseProcessing", IMS) is None
        assert "student" not in item.find(".//q:rubricBlock", IMS).get("view")
        assert item.findtext(".//q:rubricBlock/q:p", None, IMS)


# --- QTI 1.2


def canvas_items(kind):
    content = truths_data(5, 2, "canvas") if kind == TRUTH else bank(kind, "canvas")
    for name, text in opened(content).items():
        root = etree.fromstring(text)
        if root.tag.endswith("questestinterop"):
            yield from ((name, item) for item in root.iterfind(".//a:item", IMS))


TYPES = {
    "shapes": {"fill_in_multiple_blanks_question", "multiple_choice_question"},
    "match": {"matching_question"},
    "find-mistake": {"multiple_choice_question", "numerical_question",
                     "fill_in_multiple_blanks_question"},
    "explain": {"essay_question"},
    TRUTH: {"true_false_question"},
}  # fmt: skip


@pytest.mark.parametrize("kind", TYPES)
def test_canvas_has_its_own_name_for_each(kind):
    found = [item for _, item in canvas_items(kind)]
    assert {fields(item)["question_type"] for item in found} == TYPES[kind]
    for item in found:
        held = {x.get("ident") for x in item.iter("{*}response_lid", "{*}response_str")}
        asked = [x.get("respident") for x in item.iter("{*}varequal")]
        assert set(asked) <= held
        labels = {x.get("ident") for x in item.iter("{*}response_label")}
        if fields(item)["question_type"] != "numerical_question":
            assert {x.text for x in item.iter("{*}varequal")} <= labels


@pytest.mark.parametrize("kind", ["shapes", "match"])
def test_shares_of_canvas_add_up(kind):
    for _, item in canvas_items(kind):
        shares = {}
        for condition in item.iter("{*}respcondition"):
            test, share = condition.find(".//{*}varequal"), condition.find("{*}setvar")
            if share.get("action") == "Add":
                shares[test.get("respident")] = float(share.text)
        assert not shares or abs(sum(shares.values()) - 100) < 0.1


# --- notebooks and tables


@pytest.mark.parametrize("kind", WORDED)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_key_of_a_notebook_passes_its_tests(kind, lang):
    tests = check(keys_printed(sheets(kind), "notebook", Looks(lang)))
    assert tests == (0 if kind == "explain" else {"shapes": 54, "match": 32}.get(kind, 16))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_key_of_statements_passes_its_tests(lang):
    sheet, key = truths_printed(5, 2, "notebook", Looks(lang))
    assert check(key) == 16
    assert "YOUR CODE HERE" in sheet and "YOUR CODE HERE" not in key


def tried(cells, answer=None):
    """How many tests of a notebook pass, and how many fail; answer: what stands for every one."""
    lines = []
    for cell in cells:
        found = cell.metadata.get("nbgrader", {})
        body = cell.source
        if cell.cell_type != "code":
            continue
        if found.get("solution") and answer is not None:
            body = re.sub(r"(?m)^(\w+) = .*", rf"\1 = {answer}", body)
        if found.get("grade"):
            inner = "\n".join("    " + line for line in body.splitlines())
            body = (
                f"try:\n{inner}\n    print('passed')\nexcept AssertionError:\n    print('failed')"
            )
        lines.append(body)
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [done.stdout.split().count(word) for word in ("passed", "failed")]


def check(book):
    """What stands in the key passes, and what stands in none does not."""
    cells = cells_of(book)
    tests = sum(bool(c.metadata.get("nbgrader", {}).get("grade")) and c.cell_type == "code"
                for c in cells)  # fmt: skip
    assert tried(cells) == [tests, 0] and tried(cells, "99") == [0, tests]
    return tests


def test_a_reason_is_marked_by_a_person():
    """A cell of text for every step, which is empty on the sheet."""
    made = (printed(sheets("explain"), "notebook", Looks()) for printed in
            (sheets_printed, keys_printed))  # fmt: skip
    sheet, key = ([c for c in cells_of(book) if c.metadata.get("nbgrader", {}).get("grade")]
                  for book in made)  # fmt: skip
    assert len(sheet) == len(key) == 18
    for mine, theirs in zip(sheet, key, strict=True):
        assert mine.cell_type == "markdown" and mine.source == "YOUR ANSWER HERE"
        assert mine.metadata == theirs.metadata and len(theirs.source) > 60
        assert mine.metadata["nbgrader"]["points"] == 2


@pytest.mark.parametrize("kind", WORDED)
def test_the_table_of_keys_names_the_blanks_of_the_manifest(kind):
    rows = list(csv.DictReader(io.StringIO(bank(kind, "csv"))))
    listed = [(x["id"], b["id"]) for x in map(json.loads, bank(kind, "jsonl").splitlines())
              for b in x["blanks"]]  # fmt: skip
    assert [(row["id"], row["blank"]) for row in rows] == listed
