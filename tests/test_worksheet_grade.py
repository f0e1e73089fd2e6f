"""Answers marked: what each verdict means, and what is said of files that cannot be marked."""

import csv
import json
from fractions import Fraction
from operator import mul

import pytest
from by_hand import Pupil, floats, rounded, worked

from derive import InputError, builtin
from derive.cli.main import run
from derive.views.worksheet_data import manifest
from derive.worksheet.answers import number_of, read_answers
from derive.worksheet.manifest import _keyed, read_manifest
from derive.worksheet.marking import marked
from derive.worksheet.plan import Plan
from derive.worksheet.search import variants

HALF = Fraction(1, 2)


@pytest.fixture(scope="module")
def made():
    """Some sheets that ask for A and O."""
    plan = Plan(builtin("head"), seed=5, blank=("A", "O"))
    return list(variants(plan, range(1, 9)))


@pytest.fixture
def keys(made, tmp_path):
    path = tmp_path / "keys.jsonl"
    path.write_text(manifest(made), "utf-8")
    return path


def texts(pupil, v):
    """What a pupil writes into every blank."""
    o = worked(pupil, "head", floats(v.candidate.problem))
    found = {}
    for name, rows in (("A", pupil.weights), ("O", o)):
        for i, row in enumerate(rows, 1):
            for j, x in enumerate(row, 1):
                found[f"{name}[{i}][{j}]"] = f"{rounded(x, 3):.3f}"
    return found


def product(x, y):
    return [[sum(map(mul, row, column)) for column in zip(*y, strict=True)] for row in x]


def read_manifest_of(v):
    return _keyed(json.loads(manifest([v])))


def verdicts(sheet, answers):
    return {cell.blank.id: cell.verdict for cell in marked(sheet, answers, HALF)}


def test_who_rounds_after_every_step_has_all_points(made, keys):
    for v in made:
        sheet = read_manifest(str(keys))[v.id]
        for pupil in (Pupil(3), Pupil(3, lowers=True), Pupil(5)):
            cells = list(marked(sheet, texts(pupil, v), HALF))
            assert {cell.verdict for cell in cells} <= {"right", "rounding"}
            assert sum(cell.points for cell in cells) == 15


@pytest.mark.parametrize(
    ("mistake", "called"),
    [
        ("not scaled", "scores before scaling"),  # the scaled scores stand on the sheet
        ("softmax along the other side", "softmax along the other side"),
    ],
)
def test_a_mistake_is_named_and_what_follows_from_it_is_not_punished(mistake, called, made, keys):
    named = 0
    for v in made:
        pupil = Pupil(3)
        pupil.mistakes = frozenset({mistake})
        cells = list(marked(read_manifest(str(keys))[v.id], texts(pupil, v), HALF))
        for cell in cells:
            assert cell.verdict in ("right", "rounding", "mistake", "carried")
            if cell.verdict == "mistake":
                assert cell.blank.place[0] == "A" and cell.points == HALF
                named += cell.wrong.mistake == called
    assert named > 20


def test_an_error_is_carried_forward(made, keys):
    """O = A V with the pupil's own A: the first row of A is nonsense, and O follows from it."""
    for v in made:
        sheet = read_manifest(str(keys))[v.id]
        answers = texts(Pupil(3), v)
        own = ["0.9", "0.7", "-0.4"]
        answers |= {f"A[1][{j}]": x for j, x in enumerate(own, 1)}
        given = floats(v.candidate.problem)
        values = Pupil(3).product(given["H"], given["W_V"])
        for j in (1, 2):
            o = sum(float(a) * row[j - 1] for a, row in zip(own, values, strict=True))
            answers[f"O[1][{j}]"] = f"{o:.3f}"
        found = verdicts(sheet, answers)
        assert {found[f"A[1][{j}]"] for j in (1, 2, 3)} <= {"wrong", "mistake", "right"}
        assert "wrong" in found.values()
        assert {found["O[1][1]"], found["O[1][2]"]} <= {"carried", "right", "rounding"}
        assert found["O[2][1]"] in ("right", "rounding")


def test_powers_are_carried_into_weights(tmp_path):
    """Weights follow from the pupil's own powers of e, though the rule takes them from scores."""
    (v,) = variants(Plan(builtin("head"), seed=5, blank=("exp", "Z", "A")), (1,))
    path = tmp_path / "keys.jsonl"
    path.write_text(manifest([v]), "utf-8")
    sheet = read_manifest(str(path))[v.id]
    answers = {b.id: b.key for b in sheet.blanks}
    powers = [2.0, 3.0, 5.0]
    answers |= {f"exp[1][{j}]": f"{x}" for j, x in enumerate(powers, 1)} | {"Z[1]": "10"}
    answers |= {f"A[1][{j}]": f"{x / 10}" for j, x in enumerate(powers, 1)}
    found = verdicts(sheet, answers)
    assert found["Z[1]"] in ("carried", "right")
    assert {found[f"A[1][{j}]"] for j in (1, 2, 3)} <= {"carried", "right"}


def test_nothing_and_nonsense(made, keys):
    sheet = read_manifest(str(keys))[made[0].id]
    cells = {c.blank.id: c for c in marked(sheet, {"A[1][1]": "a lot", "A[1][2]": "17"}, HALF)}
    assert cells["A[1][1]"].verdict == "unreadable" and cells["A[1][2]"].verdict == "wrong"
    assert cells["O[1][1]"].verdict == "missing"
    assert sum(c.points for c in cells.values()) == 0


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.401", Fraction(401, 1000)),
        ("0,401", Fraction(401, 1000)),
        (".5", HALF),
        ("40,1 %", Fraction(401, 1000)),
        ("40.1％", Fraction(401, 1000)),
        ("−0.5", -HALF),
        ("-1/3", Fraction(-1, 3)),
        ("4.25e-4", Fraction(425, 10**6)),
        ("4.25·10^-4", Fraction(425, 10**6)),
        ("4,25 x 10^(-4)", Fraction(425, 10**6)),
        ("7", Fraction(7)),
        ("1/0", None),
        ("1.2.3", None),
        ("", None),
        ("half", None),
        ("__import__('os')", None),
        ("1" * 10_000, None),
        ("1e999", Fraction(10) ** 999),
        ("０．４０１", Fraction(401, 1000)),
        ("４０，１％", Fraction(401, 1000)),
        ("1 1/2", 3 * HALF),
        ("-1 1/2", -3 * HALF),
        ("1／3", Fraction(1, 3)),
        ("− 1 ⁄ 3", Fraction(-1, 3)),
        ("4.25·10⁻⁴", Fraction(425, 10**6)),
        ("10⁴", None),
        ("12 345,6", Fraction(123456, 10)),
        ("2 3", None),
        ("0.42 1", None),
        ("½", HALF),
        ("1½", 3 * HALF),
        ("-¾", Fraction(-3, 4)),
        ("0٫5", HALF),
        ("A11 = 0.5", HALF),
        ("S~12=−1,5", -3 * HALF),
        ('"0.5"', HALF),
        ("'0.5", HALF),
        ("0.5 ?", HALF),
        ("0.5 (rounded)", HALF),
        ("0.5 (0.6)", None),
        ("1+1=2", None),
        ("1" + " " * 100_000 + "x", None),
    ],
)
def test_numbers_as_people_write_them(text, value):
    assert number_of(text) == value


def answers_csv(path, rows, head="student,id,blank,answer"):
    path.write_text("\n".join([head, *rows]) + "\n", "utf-8")
    return path


def test_the_folder(made, keys, tmp_path):
    rows = []
    for v, student in zip(made, ["Ada", "Bob", "李明", "../up"], strict=False):
        rows += [f'{student},{v.id},{b},"{x}"' for b, x in texts(Pupil(3), v).items()]
    answers = answers_csv(tmp_path / "answers.csv", rows)
    out = tmp_path / "marks"
    assert run(["grade", str(keys), str(answers), "-o", str(out)]) == 0
    names = sorted(p.relative_to(out).as_posix() for p in out.rglob("*") if p.is_file())
    assert names == [
        "class.csv",
        "class.html",
        "feedback/001-Ada.html",
        "feedback/002-Bob.html",
        "feedback/003-李明.html",
        "feedback/004-up.html",
        "marks.csv",
    ]
    table = list(csv.DictReader((out / "class.csv").read_text("utf-8").splitlines()))
    assert [(r["student"], r["points"], r["of"]) for r in table] == [
        (s, "15", "15") for s in ("Ada", "Bob", "李明", "../up")
    ]
    # a second time it is refused, and what is there stays
    assert run(["grade", str(keys), str(answers), "-o", str(out)]) == 2
    assert len(names) == sum(p.is_file() for p in out.rglob("*"))


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("kind", ["markdown", "pdf", "latex", "terminal"])
def test_feedback_in_every_format(kind, lang, made, keys, tmp_path):
    v = made[0]
    answers = answers_csv(tmp_path / "a.csv", [f"Ada,{v.id},A[1][1],17", f"Ada,{v.id},A[1][2],"])
    out = tmp_path / "marks"
    arguments = [str(keys), str(answers), "-o", str(out), "--format", kind, "--lang", lang]
    assert run(["grade", *arguments]) == 0
    assert len(list((out / "feedback").iterdir())) == 1


def test_semicolons_with_decimal_commas(made, keys, tmp_path):
    v = made[0]
    path = answers_csv(tmp_path / "a.csv", [f"Ada;A[1][1];{v.id};0,5"], "student;blank;id;answer")
    (one,) = read_answers(str(path))
    assert (one.student, one.blank, one.text) == ("Ada", "A[1][1]", "0,5")


def test_a_spreadsheet_says_what_stands_between_cells(made, keys, tmp_path):
    path = tmp_path / "a.csv"
    text = f"sep=;\r\nstudent;id;blank;answer\r\nAda;{made[0].id};A[1][1];0,5\r\n"
    path.write_text(text, "utf-8-sig", newline="")
    assert [(one.text, one.line) for one in read_answers(str(path))] == [("0,5", 3)]


@pytest.mark.parametrize("head", ["notes", "seconds", ",notes"])
@pytest.mark.parametrize("cells", ["0,42", "-0,42", "−1, 5", "40,1 %", "4,25e-4", "-,42"])
def test_a_decimal_comma_is_no_end_of_a_cell(head, cells, made, keys, tmp_path, capsys):
    """Whether the column that it runs into has a name or not: nothing is marked."""
    row = f"Ada,{made[0].id},A[1][1],{cells}" + "," * (head.count(","))
    path = answers_csv(tmp_path / "a.csv", [row], f"student,id,blank,answer,{head}")
    assert run(["grade", str(keys), str(path), "-o", str(tmp_path / "marks")]) == 2
    error = capsys.readouterr().err
    assert "decimal comma" in error and "row 2" in error
    assert not (tmp_path / "marks").exists()


@pytest.mark.parametrize(
    ("head", "row", "text"),
    [
        ("student,id,blank,answer,notes", "Ada,{id},A[1][1],0.42,late", "0.42"),
        ("student,id,blank,answer,seconds", "Ada,{id},A[1][1],0.42,31", "0.42"),
        ("student,id,blank,answer,seconds", "Ada,{id},A[1][1],,31", ""),
        ("student,id,blank,answer,notes", 'Ada,{id},A[1][1],"0,42",7', "0,42"),
        ("seconds,student,id,blank,answer", "31,Ada,{id},A[1][1],1", "1"),
        ("answer,student,id,blank", "1,4711,{id},A[1][1]", "1"),
        ("student;id;blank;answer;seconds", "Ada;{id};A[1][1];0,42;31", "0,42"),
        ("student;id;blank;answer;seconds", "Ada;{id};A[1][1];1;31", "1"),
    ],
)
def test_columns_of_other_things(head, row, text, made, tmp_path):
    path = answers_csv(tmp_path / "a.csv", [row.format(id=made[0].id)], head)
    assert [one.text for one in read_answers(str(path))] == [text]


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_what_spreadsheets_write(encoding, ending, made, tmp_path):
    path = tmp_path / "a.csv"
    rows = ["student\tid\tblank\tanswer", f"Zoë\t{made[0].id}\tA[1][1]\t0,42", ""]
    path.write_bytes(ending.join(rows).encode(encoding))
    assert [(one.student, one.text, one.line) for one in read_answers(str(path))] == [
        ("Zoë", "0,42", 2)
    ]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_its_mark_is_refused(encoding, keys, tmp_path, capsys):
    path = tmp_path / "a.csv"
    path.write_text("student,id,blank,answer\nAda,x,A[1][1],1\n", encoding)
    assert run(["grade", str(keys), str(path), "-o", str(tmp_path / "marks")]) == 2
    assert "UTF-8" in capsys.readouterr().err


def test_a_column_that_stands_there_twice(keys, tmp_path, capsys):
    path = answers_csv(tmp_path / "a.csv", ["Ada,x,A[1][1],0,42"], "student,id,blank,answer,answer")
    assert run(["grade", str(keys), str(path), "-o", str(tmp_path / "m")]) == 2
    assert "two columns answer" in capsys.readouterr().err


def test_formulas_of_spreadsheets_are_kept_from_running(made, keys, tmp_path):
    v = made[0]
    answers = answers_csv(tmp_path / "a.csv", [f"=cmd|x,{v.id},A[1][1],@SUM(1)"])
    out = tmp_path / "marks"
    assert run(["grade", str(keys), str(answers), "-o", str(out)]) == 0
    for name in ("marks.csv", "class.csv"):
        for row in csv.reader((out / name).read_text("utf-8").splitlines()):
            assert not [cell for cell in row if cell[:1] in ("=", "@")]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (["Ada,{id},A[9][9],1"], "no blank"),
        (["Ada,head-0-0-0-00000000,A[1][1],1"], "no sheet"),
        (["Ada,{id},A[1][1],0,5"], "decimal comma"),
        (["Ada,{id}"], "2 has 2 cells, and the first line 4"),
        ([",{id},A[1][1],1"], "no student"),
        ([], "no answers"),
        (['Ada,{id},A[1][1],"1'], "no CSV"),
    ],
)
def test_answers_that_cannot_be_marked(rows, said, made, keys, tmp_path, capsys):
    answers = answers_csv(tmp_path / "a.csv", [row.format(id=made[0].id) for row in rows])
    out = tmp_path / "marks"
    assert run(["grade", str(keys), str(answers), "-o", str(out)]) == 2
    error = capsys.readouterr().err
    assert said in error and "Traceback" not in error
    assert not out.exists() and not list(tmp_path.glob(".derive-*"))


def test_no_mistake_is_named_that_the_student_has_not_made():
    """Who has all of Q right has not taken W_Q the other way, whatever S comes to by it."""
    met = 0
    for v in variants(Plan(builtin("head"), seed=21, level=2), range(1, 9)):
        sheet = read_manifest_of(v)
        right = {b.id: b.key for b in sheet.blanks}
        given = floats(v.candidate.problem)
        q = product(given["H"], list(zip(*given["W_Q"], strict=True)))
        k = product(given["H"], given["W_K"])
        for i, row in enumerate(product(q, list(zip(*k, strict=True))), 1):
            for j, x in enumerate(row, 1):
                answers = right | {f"S[{i}][{j}]": str(x)}
                slip = {c.blank.id: c for c in marked(sheet, answers, HALF)}[f"S[{i}][{j}]"]
                if slip.verdict not in ("right", "rounding"):
                    assert slip.wrong is None or slip.wrong.step != "Q"
                    met += 1
        for i, row in enumerate(q, 1):
            answers |= {f"Q[{i}][{j}]": str(x) for j, x in enumerate(row, 1)}
        named = {c.wrong.step for c in marked(sheet, answers, HALF) if c.wrong}
        assert "Q" in named
    assert met > 8


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("Bob,head-0-0-0-00000000,A[1][1],1", "no sheet"),
        (",{id},A[1][1],1", "no student"),
        ("Ada,{id},A[1][1],2", "answers A[1][1] twice"),
        ("Ada,{id},A11,2", "answers A[1][1] twice"),
        ("Ada,{id},A[9][9],1", "no blank"),
    ],
)
def test_one_row_that_cannot_be_marked_stops_no_other(row, said, made, keys, tmp_path, capsys):
    """Ada, before the row, and Eve, behind it, have what they would have without it."""
    v = made[0]
    key = next(a.key for a in v.key.answers if a.blank == "A[1][1]")
    rows = [f"Ada,{v.id},A[1][1],{key}", row.format(id=v.id), f"Eve,{v.id},A[1][1],{key}"]
    out = tmp_path / "marks"
    answers = answers_csv(tmp_path / "a.csv", rows)
    assert run(["grade", str(keys), str(answers), "-o", str(out)]) == 1
    error = capsys.readouterr().err
    assert error.count("not marked") == 1 and said in error and "a.csv:3" in error
    table = csv.DictReader((out / "class.csv").read_text("utf-8").splitlines())
    points = {one["student"]: one["points"] for one in table}
    assert points == {"Ada": "1", "Eve": "1"}


def test_a_column_is_missing(keys, tmp_path, capsys):
    answers = answers_csv(tmp_path / "a.csv", [], "student,id,blank,answers")
    assert run(["grade", str(keys), str(answers), "-o", str(tmp_path / "m")]) == 2
    assert "no column answer" in capsys.readouterr().err


@pytest.mark.parametrize(
    "line",
    ["[]", "{}", "nonsense", '{"id": 1}', "[" * 10_000, '{"places": 99, "blanks": []}'],
)
def test_a_manifest_that_is_none(line, tmp_path, capsys):
    path = tmp_path / "keys.jsonl"
    path.write_text(line + "\n", "utf-8")
    with pytest.raises(InputError, match="no sheet"):
        read_manifest(str(path))


def test_a_manifest_with_huge_numbers_is_refused(made, tmp_path):
    row = json.loads(manifest(made[:1]))
    row["blanks"][0]["low"] = "1e999999999"
    path = tmp_path / "keys.jsonl"
    path.write_text(json.dumps(row) + "\n", "utf-8")
    with pytest.raises(InputError, match="no decimal"):
        read_manifest(str(path))


def test_points_below_0_are_refused(made, tmp_path):
    row = json.loads(manifest(made[:1]))
    row["blanks"][0]["points"] = -5
    path = tmp_path / "keys.jsonl"
    path.write_text(json.dumps(row) + "\n", "utf-8")
    with pytest.raises(InputError, match=r"no sheet.*-5 points"):
        read_manifest(str(path))


def test_a_large_manifest_is_read_for_the_sheets_that_are_answered(
    made, tmp_path, capsys, monkeypatch
):
    """5 MB, more than any other text may have; only what is answered and the first are kept."""
    row = json.loads(manifest(made[:1]))
    copies = 5_000_000 // len(json.dumps(row)) + 50
    path = tmp_path / "keys.jsonl"
    path.write_text("".join(json.dumps(row | {"id": f"x-{k}"}) + "\n" for k in range(copies)))
    assert path.stat().st_size > 5_000_000
    last = f"x-{copies - 1}"
    found = read_manifest(str(path), {last})
    assert last in found and "x-0" in found and len(found) <= 201
    answers = answers_csv(tmp_path / "a.csv", [f"Ada,{last},A[1][1],1"])
    assert run(["grade", str(path), str(answers), "-o", str(tmp_path / "marks")]) == 0
    monkeypatch.setattr("derive.read.files.LIMIT_OF_LINES", 1_000_000)
    assert run(["grade", str(path), str(answers), "-o", str(tmp_path / "again")]) == 2
    assert "too large" in capsys.readouterr().err


def test_no_sheet_stands_twice_though_no_answer_is_to_it(made, tmp_path):
    path = tmp_path / "keys.jsonl"
    path.write_text(manifest(made[:1]) * 2, "utf-8")
    with pytest.raises(InputError, match="twice"):
        read_manifest(str(path), {"another"})


def test_a_line_without_end_is_refused(tmp_path):
    path = tmp_path / "keys.jsonl"
    path.write_text("[" * 4_000_001, "utf-8")
    with pytest.raises(InputError, match="line 1 is longer than 4 MB"):
        read_manifest(str(path))


def test_no_folder_can_be_made(made, keys, tmp_path, capsys):
    answers = answers_csv(tmp_path / "a.csv", [f"Ada,{made[0].id},A[1][1],1"])
    assert run(["grade", str(keys), str(answers), "-o", str(tmp_path / "no" / "marks")]) == 2
    assert "cannot write" in capsys.readouterr().err
