"""Worksheets for learning systems: what they accept is what a pupil who works by hand comes to."""

import json
import re
import zipfile
from fractions import Fraction
from html import unescape
from io import BytesIO
from itertools import pairwise

import nbformat
import pytest
from by_hand import Pupil, floats, rounded
from lxml import etree
from qti import marked

from derive import InputError, builtin
from derive.cli.main import run
from derive.handout import BANKS, Looks, data_printed, keys_printed, sheets_printed
from derive.worksheet.choices import check_offered, offered
from derive.worksheet.plan import Plan
from derive.worksheet.search import variant, variants

LANGUAGES = ("en", "zh")
IMS = {
    "q": "http://www.imsglobal.org/xsd/imsqti_v2p1",
    "p": "http://www.imsglobal.org/xsd/imscp_v1p1",
    "a": "http://www.imsglobal.org/xsd/ims_qtiasiv1p2",
    "c": "http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1",
}
BLANK = ("A", "O")
each_bank = pytest.mark.parametrize("format", BANKS)


@pytest.fixture(scope="module")
def made():
    """Three variants of one head, and what a pupil comes to who rounds after every step."""
    found = list(variants(Plan(builtin("head"), seed=7, blank=BLANK), (1, 2, 3)))
    return [(v, worked(v)) for v in found]


def worked(v, *mistakes):
    """A pupil's A and O, by blank."""
    pupil = Pupil(v.plan.form.places, rounded, lowers=True)
    pupil.mistakes = frozenset(mistakes)
    out = pupil.attention(floats(v.candidate.problem))
    rows = {"A": pupil.weights, "O": out}
    return {a.blank: Fraction(repr(rows[a.step][a.row - 1][a.column - 1])) for a in v.key.answers}


def quiz(made, format, **options):
    return data_printed([v for v, _ in made], format, Looks("en", **options))


def opened(content):
    with zipfile.ZipFile(BytesIO(content)) as found:
        assert {info.date_time for info in found.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        return {name: found.read(name) for name in found.namelist()}


# --- multiple choice


def test_what_is_offered_is_what_real_mistakes_come_to(made):
    """Those mistakes that the pupil can make are made without rounding on the way."""
    names = ("not scaled", "divided by the square", "softmax along the other side",
             "not normalised", "weights transposed", "input in place of values")  # fmt: skip
    seen = set()
    for v, _ in made:
        assert offered(v)
        for one in offered(v):
            digits = [d for d, _ in one.options]
            assert len(set(digits)) == len(digits) >= 3
            assert [d for d, told in one.options if told is None] == [one.answer.key]
            for text, told in one.options:
                if told is not None and told.name in names:
                    exactly = pupil_of(v, told.name)[one.answer.blank]
                    assert abs(exactly - Fraction(text)) <= Fraction(1, 1999), (text, told)
                    seen.add(told.name)
    assert len(seen) > 3


def pupil_of(v, mistake):
    pupil = Pupil(3, lambda x, _: x)
    pupil.mistakes = frozenset({mistake})
    out = pupil.attention(floats(v.candidate.problem))
    rows = {"A": pupil.weights, "O": out}
    return {a.blank: Fraction(rows[a.step][a.row - 1][a.column - 1]) for a in v.key.answers}


def test_answers_are_told_apart_whatever_way_they_are_rounded(made):
    for v, _ in made:
        for one in offered(v):
            spans = [(one.answer.low, one.answer.high)]
            for _, told in one.options:
                if told:
                    spans += [(w.low, w.high) for w in told.wrong if w.blank == one.answer.blank]
            assert all(low[1] < high[0] for low, high in pairwise(sorted(spans)))


def test_the_right_answer_stands_anywhere_and_stays_there():
    plan = Plan(builtin("head"), seed=7)
    places = []
    for index in range(1, 61):
        v = variant(plan, index)
        here = [[told is None for _, told in one.options].index(True) for one in offered(v)]
        again = variant(plan, index)
        assert here == [[t is None for _, t in o.options].index(True) for o in offered(again)]
        places += here
    shares = [places.count(k) / len(places) for k in range(5)]
    assert all(0.1 < share < 0.35 for share in shares), shares


def test_nothing_to_choose_is_said():
    v = variant(Plan(builtin("head"), seed=7, blank=("Z[1]",)), 1)
    with pytest.raises(InputError, match="told apart"):
        check_offered(v)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("format", ["markdown", "html", "latex", "terminal"])
def test_sheets_to_choose_from_hold_every_number(format, lang, made):
    v = made[0][0]
    sheet = sheets_printed([v], format, Looks(lang, choices=True))
    key = keys_printed([v], format, Looks(lang, choices=True, partial=50))
    numerals = [d for one in offered(v) for d, _ in one.options]
    for text in (sheet, key):
        plain = unescape(text).replace("−", "-").replace("\\", "")
        assert all(numeral in plain for numeral in numerals)
    assert "□" in sheet or "☐" in sheet or "framebox" in sheet
    wrong = sum(told is not None for one in offered(v) for _, told in one.options)
    assert keys_printed([v], "terminal", Looks(lang, choices=True, partial=50)).count("0.5\n") == (
        wrong
    )


def test_letters_are_marked(tmp_path):
    """A pupil who chooses what is right by letter, and one who chooses the others."""
    args = ["worksheet", "--seed", "7", "--choices", "-o", str(tmp_path / "s.md")]
    assert run(args) == 0
    sheet = json.loads((tmp_path / "s.jsonl").read_text())
    text = (tmp_path / "s.md").read_text()
    rows = ["student,id,blank,answer"]
    for blank in sheet["blanks"]:
        options = blank["options"]
        line = " \u2003 ".join(f"☐ {x}. {o}" for x, o in zip("ABCDE", options, strict=False))
        assert line.replace("-", "−") in text.replace(". -", ". −")
        right = options.index(blank["key"])
        answers = {"Ada": "abcde"[right], "Bob": "ABCDE"[(right + 1) % len(options)],
                   "Eve": blank["key"], "Zoe": "Z"}  # fmt: skip
        rows += [f"{name},{sheet['id']},{blank['id']},{x}" for name, x in answers.items()]
    (tmp_path / "a.csv").write_text("\n".join(rows))
    most = len(sheet["blanks"])
    for more, bob in (([], 0), (["--partial", "1/2"], Fraction(most, 2))):
        out = tmp_path / f"marks{len(more)}"
        grade = ["grade", str(tmp_path / "s.jsonl"), str(tmp_path / "a.csv"), "-o", str(out)]
        assert run([*grade, *more]) == 0
        marks = [x.split(",") for x in (out / "class.csv").read_text().splitlines()[1:]]
        points = {row[0]: Fraction(row[2]) for row in marks}
        assert points == {"Ada": most, "Bob": bob, "Eve": most, "Zoe": 0}


# --- Moodle


def test_moodle_has_three_kinds_of_question(made):
    root = etree.fromstring(quiz(made, "moodle").encode())
    kinds = [question.get("type") for question in root]
    assert kinds.count("category") == 3
    assert kinds.count("cloze") == kinds.count("stack") == 3
    assert kinds.count("multichoice") == sum(len(offered(v)) for v, _ in made)
    names = [x.text for x in root.iterfind("question/idnumber")]
    assert len(set(names)) == len(names)


def test_moodles_choices_have_one_right_answer_and_say_what_is_wrong(made):
    root = etree.fromstring(quiz(made, "moodle", partial=25).encode())
    every = [one for v, _ in made for one in offered(v)]
    for question, one in zip(root.iterfind("question[@type='multichoice']"), every, strict=True):
        assert question.findtext("single") == "true"
        assert question.findtext("shuffleanswers") == "false"
        answers = question.findall("answer")
        texts = [a.findtext("text").replace("−", "-") for a in answers]
        assert texts == [digits for digits, _ in one.options]
        assert sorted(int(a.get("fraction")) for a in answers) == [25] * (len(answers) - 1) + [100]
        (right,) = (a for a in answers if a.get("fraction") == "100")
        assert right.findtext("text").replace("−", "-") == one.answer.key
        for answer, text in zip(answers, texts, strict=True):
            said = answer.findtext("feedback/text")
            assert said == "Right." or f"{text}\\) is what you get when" in said


def test_what_stands_in_a_matrix_already_is_in_its_box():
    v = variant(Plan(builtin("head"), seed=7, blank=("A[2]",)), 1)
    root = etree.fromstring(data_printed([v], "moodle", Looks("en")).encode())
    hint = root.findtext("question[@type='stack']/input/syntaxhint")
    first, asked, last = re.findall(r"\[([^\]]*)\]", hint)
    own = Pupil(3, rounded, lowers=True)
    own.attention(floats(v.candidate.problem))
    assert asked == "?,?,?"
    for row, mine in ((first, own.weights[0]), (last, own.weights[2])):
        assert all(abs(float(x) - y) < 0.002 for x, y in zip(row.split(","), mine, strict=True))
    assert root.findtext("question[@type='stack']/input/syntaxattribute") == "1"


# --- QTI 2.1


def items_of(files):
    for name, content in files.items():
        if name.startswith("items/"):
            yield name, etree.fromstring(content)


def test_the_package_lists_what_it_holds(made):
    files = opened(quiz(made, "qti"))
    manifest = etree.fromstring(files["imsmanifest.xml"])
    listed = {x.get("href") for x in manifest.iterfind(".//p:file", IMS)}
    assert listed == files.keys() - {"imsmanifest.xml"}
    names = [x.get("identifier") for x in manifest.iterfind(".//p:resource", IMS)]
    assert len(set(names)) == len(names)
    needed = {x.get("identifierref") for x in manifest.iterfind(".//p:dependency", IMS)}
    assert needed <= set(names)
    for name in ("test-numbers.xml", "test-choices.xml"):
        test = etree.fromstring(files[name])
        assert {x.get("href") for x in test.iterfind(".//q:assessmentItemRef", IMS)} <= listed


ORDER = ("responseDeclaration", "outcomeDeclaration", "itemBody", "responseProcessing",
         "modalFeedback")  # fmt: skip


def test_items_have_the_form_of_the_specification(made):
    """Parts in order, every reference declared, identifiers that are NCNames, and MathML."""
    for name, item in items_of(opened(quiz(made, "qti"))):
        assert item.get("identifier") == name.removeprefix("items/").removesuffix(".xml")
        parts = [etree.QName(x).localname for x in item]
        assert parts == sorted(parts, key=ORDER.index)
        declared = {x.get("identifier") for x in item.iterfind("q:responseDeclaration", IMS)}
        asked = [x.get("responseIdentifier") for x in item.iter() if x.get("responseIdentifier")]
        assert sorted(asked) == sorted(declared)
        outcomes = {x.get("identifier") for x in item.iterfind("q:outcomeDeclaration", IMS)}
        assert outcomes == {"SCORE", "MAXSCORE", "FEEDBACK"}
        every = [x.get("identifier") for x in item.iter() if x.get("identifier")]
        assert all(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.-]*", x) for x in every)
        spaces = {etree.QName(x).namespace for x in item.iter()}
        assert spaces == {IMS["q"], "http://www.w3.org/1998/Math/MathML"}


def test_a_pupil_has_all_points_of_an_item(made):
    files = opened(quiz(made, "qti"))
    for v, own in made:
        item = etree.fromstring(files[f"items/q-{v.id}.xml"])
        answers = {f"R{k}": x for k, x in enumerate(own.values(), 1)}
        assert marked(item, answers) == (len(own), [])
        most = item.findtext("q:outcomeDeclaration[@identifier='MAXSCORE']//q:value", None, IMS)
        assert most == str(len(own))
        assert marked(item, dict.fromkeys(answers)) == (0, [])
        assert marked(item, dict.fromkeys(answers, Fraction(99))) == (0, [])


def test_a_known_mistake_has_its_share_and_its_name(made):
    files = opened(quiz(made, "qti"))
    v, right = made[0]
    item = etree.fromstring(files[f"items/q-{v.id}.xml"])
    wrong = worked(v, "softmax along the other side")
    answers = {f"R{k}": x for k, x in enumerate(wrong.values(), 1)}
    score, feedback = marked(item, answers)
    same = sum(abs(right[name] - wrong[name]) < Fraction(1, 1000) for name in right)
    assert feedback and score == same + Fraction(len(feedback), 2)
    said = {x.get("identifier"): "".join(x.itertext())
            for x in item.iterfind("q:modalFeedback", IMS)}  # fmt: skip
    assert any("the softmax runs along the other side" in said[name] for name in feedback)


def test_a_choice_is_marked_by_its_table(made):
    files = opened(quiz(made, "qti", partial=25))
    v = made[0][0]
    for k, one in enumerate(offered(v), 1):
        item = etree.fromstring(files[f"items/q-{v.id}-choice-{k}.xml"])
        letters = [x.get("identifier") for x in item.iterfind(".//q:simpleChoice", IMS)]
        for letter, (_, told) in zip(letters, one.options, strict=True):
            share = Fraction(1, 4) if told else 1
            assert marked(item, {"RESPONSE": letter}) == (share, [letter])
        assert marked(item, {"RESPONSE": None})[0] == 0


# --- QTI 1.2


def canvas_items(files, key):
    return list(etree.fromstring(files[f"{key}/{key}.xml"]).iterfind(".//a:item", IMS))


def fields(item):
    found = item.iterfind(".//a:qtimetadatafield", IMS)
    return {x.findtext("a:fieldlabel", None, IMS): x.findtext("a:fieldentry", None, IMS)
            for x in found}  # fmt: skip


def test_the_canvas_package_lists_what_it_holds(made):
    files = opened(quiz(made, "canvas"))
    manifest = etree.fromstring(files["imsmanifest.xml"])
    listed = {x.get("href") for x in manifest.iterfind(".//c:file", IMS)}
    assert listed == files.keys() - {"imsmanifest.xml"}
    assert {etree.fromstring(files[x]).tag.split("}")[1] for x in listed} == {
        "questestinterop",
        "quiz",
    }


def test_numbers_of_canvas_lie_between_the_ends(made):
    files = opened(quiz(made, "canvas"))
    own = [x for _, found in made for x in found.values()]
    every = [a for v, _ in made for a in v.key.answers]
    for item, x, answer in zip(canvas_items(files, "numbers"), own, every, strict=True):
        assert fields(item) == {"question_type": "numerical_question", "points_possible": "1"}
        low, high = (
            Fraction(item.findtext(f".//a:{end}", None, IMS)) for end in ("vargte", "varlte")
        )
        assert low <= x <= high and high - low < Fraction(1, 10)
        assert low < Fraction(answer.key) < high
        assert item.findtext(".//a:varequal", None, IMS) == answer.key


def test_blanks_of_canvas_accept_what_a_pupil_writes(made):
    files = opened(quiz(made, "canvas"))
    for item, (_, own) in zip(canvas_items(files, "blanks"), made, strict=True):
        text = item.findtext("a:presentation/a:material/a:mattext", None, IMS)
        lists = item.findall("a:presentation/a:response_lid", IMS)
        assert len(lists) == len(own)
        shares = Fraction(0)
        for k, (one, x) in enumerate(zip(lists, own.values(), strict=True), 1):
            assert f"[b{k}]" in text and one.get("ident") == f"response_b{k}"
            labels = {x.findtext(".//a:mattext", None, IMS): x.get("ident")
                      for x in one.iterfind(".//a:response_label", IMS)}  # fmt: skip
            assert f"{float(x):.3f}" in labels and f"{float(x):g}" in labels
            judged = item.xpath(f".//a:varequal[@respident='response_b{k}']", namespaces=IMS)
            assert [x.text for x in judged] == list(labels.values())
            for condition in (x.getparent().getparent() for x in judged):
                assert condition.get("continue") == "Yes"  # the other blanks are still to come
                assert condition.find("a:setvar", IMS).get("action") == "Add"
            shares += Fraction(condition.findtext("a:setvar", None, IMS))
        assert abs(shares - 100) < Fraction(1, 4)


def test_choices_of_canvas_have_one_right_answer(made):
    files = opened(quiz(made, "canvas"))
    every = [one for v, _ in made for one in offered(v)]
    for item, one in zip(canvas_items(files, "choices"), every, strict=True):
        labels = {x.get("ident"): x.findtext(".//a:mattext", None, IMS).replace("−", "-")
                  for x in item.iterfind(".//a:response_label", IMS)}  # fmt: skip
        conditions = item.findall(".//a:respcondition", IMS)
        right = [c for c in conditions if c.find("a:setvar", IMS) is not None]
        assert [labels[c.findtext(".//a:varequal", None, IMS)] for c in right] == [one.answer.key]
        shown = {x.get("linkrefid") for x in item.iterfind(".//a:displayfeedback", IMS)}
        assert shown == {x.get("ident") for x in item.iterfind("a:itemfeedback", IMS)}


# --- PreTeXt


def test_pretext_judges_what_a_pupil_types(made):
    root = etree.fromstring(quiz(made, "pretext").encode())
    assert root.tag == "exercises"
    for v, own in made:
        exercise = root.find(f"exercise[title='{v.id}']")
        blanks = exercise.findall(".//fillin")
        judged = exercise.findall("evaluation/evaluate")
        for blank, one, x in zip(blanks, judged, own.values(), strict=True):
            (right,) = one.xpath("test[@correct='yes']/numcmp")
            low, high = Fraction(right.get("min")), Fraction(right.get("max"))
            assert low <= x <= high and low < Fraction(blank.get("answer")) < high
            for test in one.xpath("test[not(@correct)]"):
                ends = Fraction(test[0].get("min")), Fraction(test[0].get("max"))
                assert ends[1] <= low or high <= ends[0]
                assert "is what you get when" in "".join(test.find("feedback").itertext())
        texts = [m.text for m in exercise.iter("m", "md")]
        assert not any("&" in text or "<" in text for text in texts)
        assert any(r"\amp" in text for text in texts)


# --- notebooks


def cells_of(text):
    book = nbformat.reads(text, as_version=4)
    nbformat.validate(book)
    return book.cells


def about(cell):
    return cell.metadata.get("nbgrader", {})


@pytest.mark.parametrize("lang", LANGUAGES)
def test_cells_are_what_nbgrader_asks_for(lang, made):
    """Every cell of Python has a number of its own; tests are locked and have points."""
    key = cells_of(keys_printed([v for v, _ in made], "notebook", Looks(lang)))
    numbers = [about(cell)["grade_id"] for cell in key if about(cell)]
    assert len(set(numbers)) == len(numbers)
    assert all(re.fullmatch(r"[A-Za-z0-9_-]+", number) for number in numbers)
    for cell in key:
        found = about(cell)
        assert bool(found) == (cell.cell_type == "code")
        if found:
            assert found["schema_version"] == 3 and found["task"] is False
            assert found["locked"] != found["solution"]
            assert ("points" in found) == found["grade"]
    points = sum(about(cell).get("points", 0) for cell in key)
    assert points == sum(len(own) for _, own in made)


def test_the_sheet_is_the_key_without_what_is_between_the_marks(made):
    every = [v for v, _ in made]
    key = cells_of(keys_printed(every, "notebook", Looks("en")))
    sheet = cells_of(sheets_printed(every, "notebook", Looks("en")))
    stub = "# YOUR CODE HERE\nraise NotImplementedError()"
    for mine, whole in zip(sheet, key, strict=True):
        text = re.sub(r"### BEGIN SOLUTION\n.*?### END SOLUTION", stub, whole.source, flags=re.S)
        text = re.sub(r"\n### BEGIN HIDDEN TESTS\n.*?### END HIDDEN TESTS", "", text, flags=re.S)
        assert mine.source == text and about(mine) == about(whole)
    assert "NotImplementedError" in "".join(cell.source for cell in sheet)


def graded(cells, answers):
    """Run a notebook in which a pupil has typed matrices: the points, and what is printed."""
    import subprocess
    import sys

    lines = ["points = {}"]
    for cell in cells:
        found = about(cell)
        if found.get("solution"):
            name = found["grade_id"].rsplit("-", 1)[1]
            lines.append(f"{name} = {answers[name]!r}")
        elif found.get("grade"):
            body = cell.source.removesuffix("\n### END HIDDEN TESTS")
            *rest, last = body.splitlines()
            rest = "\n".join("    " + line for line in rest)
            number = found["grade_id"]
            lines.append(f"try:\n{rest}\n    graded = {last}\nexcept AssertionError:\n"
                         f"    graded = 0\nprint('graded', {number!r}, graded)")  # fmt: skip
        elif found:
            lines.append(cell.source)
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    marks = re.findall(r"^graded \S+ (\S+)$", done.stdout, re.M)
    return sum(map(Fraction, marks)), done.stdout


def matrices(v, own):
    found = {}
    for a in v.key.answers:
        rows = found.setdefault(a.step, [])
        if a.column == 1:
            rows.append([])
        rows[-1].append(float(own[a.blank]))
    return found


def test_a_notebook_marks_a_pupil(made):
    for v, own in made:
        key = cells_of(keys_printed([v], "notebook", Looks("en")))
        assert graded(key, matrices(v, own))[0] == len(own)
        wrong = worked(v, "softmax along the other side")
        points, said = graded(key, matrices(v, wrong))
        assert 0 < points < len(own) and "the softmax runs along the other side" in said
        assert graded(key, matrices(v, dict.fromkeys(own, 99)))[0] == 0


# --- files


SUFFIXES = {"docx": "docx", "ipynb": "notebook", "xml": "moodle", "zip": "qti", "ptx": "pretext"}
ARGS = ["worksheet", "--seed", "7", "--blank", "O"]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_suffix_is_the_format(suffix, tmp_path):
    path = tmp_path / f"sheet.{suffix}"
    assert run([*ARGS, "-o", str(path)]) == 0
    names = {path.name, "sheet.jsonl"}
    if SUFFIXES[suffix] not in BANKS:
        names |= {f"sheet-key.{suffix}"}
    assert {x.name for x in tmp_path.iterdir()} == names
    assert run([*ARGS, "--format", SUFFIXES[suffix], "-o", str(tmp_path / "named") + "/"]) == 0
    same = [x for x in (tmp_path / "named").iterdir() if "-key" not in x.name]
    assert path.read_bytes() in [x.read_bytes() for x in same]


@pytest.mark.parametrize("format", ["docx", "notebook", *BANKS, "csv", "markdown"])
def test_a_folder_has_a_file_for_every_variant(format, tmp_path):
    folder = tmp_path / "class"
    assert run([*ARGS, "--variants", "2", "--format", format, "-o", f"{folder}/"]) == 0
    ids = [json.loads(x)["id"] for x in (folder / "manifest.jsonl").read_text().splitlines()]
    names = {x.stem for x in folder.iterdir()} - {"manifest"}
    has_keys = format not in (*BANKS, "csv")
    assert names == {*ids, *(f"{x}-key" for x in ids if has_keys)}


@each_bank
def test_the_same_bytes_every_time(format, made):
    assert quiz(made, format) == quiz(made, format)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--format", "canvas", "-o", "{}/a.xml"], "its suffix stands for moodle"),
        (["--format", "docx", "-o", "{}/a.zip"], "its suffix stands for qti"),
        (["-o", "{}"], "is a folder"),
        (["--format", "qti", "--key", "-o", "{}/a.zip"], "holds its keys"),
        (["--format", "csv", "--choices"], "--choices is for pages"),
        (["--kind", "find-mistake", "--choices"], "--kind compute"),
        (["--format", "docx", "-o", "{}/missing/a.docx"], "cannot write"),
        (["--format", "docx", "-o", "{}/full/"], "is there already"),
        (["--format", "docx", "-o", "{}/full/kept/x/"], "cannot write"),
        (["--partial", "1/3"], "is not one of"),
    ],
)
def test_bad_input_is_told_and_writes_nothing(more, said, tmp_path, capsys):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "kept").write_text("kept")
    assert run([*ARGS, *(x.format(tmp_path) for x in more)]) == 2
    assert said in capsys.readouterr().err
    assert [x.name for x in tmp_path.rglob("*")] == ["full", "kept"]


def test_a_disk_that_fills_up_leaves_nothing_half_written(tmp_path, capsys, monkeypatch):
    from derive.cli import output

    calls = []

    def full(path, data, written=output.temporary_beside):
        calls.append(path)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        return written(path, data)

    monkeypatch.setattr("derive.cli.folder.temporary_beside", full)
    (tmp_path / "sheet.md").write_text("of yesterday")
    assert run([*ARGS, "-o", str(tmp_path / "sheet.md")]) == 2
    assert "no space left" in capsys.readouterr().err
    assert [x.name for x in tmp_path.iterdir()] == ["sheet.md"]
    assert (tmp_path / "sheet.md").read_text() == "of yesterday"
