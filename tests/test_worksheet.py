"""Worksheets: what is drawn, from what, and what stands on the page."""

import json
import os
import re
import subprocess
import sys
import time
from dataclasses import replace
from fractions import Fraction
from hashlib import blake2b
from itertools import count, islice
from pathlib import Path

import pytest

from derive import InputError, builtin, derive, read_toml
from derive.cli.main import run
from derive.worksheet.blanks import asked
from derive.worksheet.drawing import drawn
from derive.worksheet.draws import words_of
from derive.worksheet.identity import identity, remade
from derive.worksheet.plan import Constraints, Plan
from derive.worksheet.search import variant, variants
from derive.worksheet.widened import widened

ROOT = Path(__file__).parents[1]
PROBLEMS = ("head", "causal", "multihead", "layernorm", "block")
each_problem = pytest.mark.parametrize("name", PROBLEMS)


def plan(name="head", **changes):
    return Plan(builtin(name), **{"seed": 7, **changes})


def numbers(problem):
    return {k: [[int(str(x)) for x in row] for row in m.rows] for k, m in problem.given.items()}


# --- the generator, written out again from its definition


def stream(*name):
    """BLAKE2b of the name's parts, each with 0x1f after it, and a counter of eight bytes."""
    start = "".join(f"{part}\x1f" for part in name).encode()
    for k in count():
        block = blake2b(start + k.to_bytes(8, "big")).digest()
        for at in range(0, 64, 8):
            yield int.from_bytes(block[at : at + 8], "big")


def draw(words, values, rows, columns):
    limit = 2**64 // len(values) * len(values)
    kept = (word for word in words if word < limit)
    return [[values[next(kept) % len(values)] for _ in range(columns)] for _ in range(rows)]


def weight(words):
    """Two by two: drawn again while a row or column is 0, rows are alike, or it is symmetric."""
    while True:
        (a, b), (c, d) = found = draw(words, [-1, 0, 1, 2], 2, 2)
        if (a or c) and (b or d) and (a or b) and (c or d) and (a, b) != (c, d) and b != c:
            return found


def test_words_are_those_of_blake2():
    assert list(islice(words_of("a", 1), 20)) == list(islice(stream("a", 1), 20))
    # RFC 7693, appendix A: the first eight bytes of BLAKE2b("abc").
    assert blake2b(b"abc").hexdigest().startswith("ba80a53f981c4d0d")


@pytest.mark.parametrize("seed", [0, 7, 2**63 - 1])
def test_a_problem_is_drawn_as_the_definition_says(seed):
    ours = plan(seed=seed)
    for index, attempt, number, rest in ((1, 1, 0, 1), (2, 16, 0, 16), (10_000, 35, 2, 3)):
        words = stream("3", ours.mark, "practice", seed, index, number)
        wanted = {"H": draw(words, [0, 1, 2], 3, 2)}
        for letter in "QK":
            wanted[f"W_{letter}"] = weight(words)
        words = stream("3", ours.mark, "practice", seed, index, number, rest)
        wanted["W_V"] = weight(words)
        assert drawn(ours, index, attempt) == wanted


def test_other_names_draw_other_problems():
    problems = [
        drawn(plan(), 1, 1),
        drawn(plan(), 1, 2),
        drawn(plan(), 2, 1),
        drawn(plan(seed=8), 1, 1),
        drawn(plan(pool="secret"), 1, 1),
        drawn(plan(level=2), 1, 1),
        drawn(plan("causal"), 1, 1),
    ]
    assert len(set(map(str, problems))) == len(problems)


def test_the_same_bytes_in_any_process(tmp_path):
    made = []
    for hash_seed in ("0", "1"):
        out = tmp_path / f"{hash_seed}.jsonl"
        command = [sys.executable, "-m", "derive", "worksheet", "causal", "--variants", "3"]
        subprocess.run(
            [*command, "--seed", "5", "-o", str(out)],
            check=True,
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
        )
        made.append(out.read_bytes())
    assert made[0] == made[1]


def test_a_variant_is_the_same_alone_and_in_any_order():
    set_of = {v.index: v.id for v in variants(plan(), range(1, 6))}
    assert {k: variant(plan(), k).id for k in (5, 3, 1, 2, 4)} == set_of


# --- what a drawn problem is like


@each_problem
def test_conditions_hold(name):
    ours = plan(name)
    every = list(variants(ours, range(1, 16)))
    contents = [str(numbers(v.candidate.problem)) for v in every]
    assert len(set(contents)) == len(contents)
    steps = [v.candidate.difficulty.steps for v in every]
    assert max(steps) - min(steps) <= max(4, 0.25 * max(steps))
    for v in every:
        given = numbers(v.candidate.problem)
        rows = [tuple(row) for row in given["H"]]
        assert len(set(rows)) == len(rows)
        for key, matrix in given.items():
            if key.startswith("W"):
                assert all(-1 <= x <= 2 for row in matrix for x in row), key
            if key.startswith("gamma"):
                assert all(row.count(0) == 0 for row in matrix)


def product(x, y):
    return [
        [sum(a * b for a, b in zip(r, c, strict=True)) for c in zip(*y, strict=True)] for r in x
    ]


@pytest.mark.parametrize("name", ["head", "causal", "block"])
def test_scores_are_small_and_few(name):
    for v in variants(plan(name), range(1, 16)):
        given = numbers(v.candidate.problem)
        queries, keys = (product(given["H"], given[f"W_{x}"]) for x in "QK")
        scores = product(queries, list(zip(*keys, strict=True)))
        assert all(max(row) - min(row) <= 5 for row in scores)
        seen = [x for i, row in enumerate(scores) for j, x in enumerate(row)
                if name != "causal" or j <= i]  # fmt: skip
        assert len(set(seen)) <= 5
        assert len(set(map(tuple, scores))) == len(scores)


def test_rational_deviations():
    from math import isqrt

    wanted = Constraints(rational=True)
    for v in variants(plan("layernorm", constraints=wanted), range(1, 6)):
        for row in numbers(v.candidate.problem)["H"]:
            square = len(row) * sum(x * x for x in row) - sum(row) ** 2
            assert square and isqrt(square) ** 2 == square
        assert all("sqrt" not in a.exact for a in v.key.answers)


def test_the_pools_share_no_problem():
    pools = [
        {str(numbers(v.candidate.problem)) for v in variants(plan(pool=pool), range(1, 40))}
        for pool in ("practice", "secret")
    ]
    assert not pools[0] & pools[1]


# --- blanks


def test_blanks_by_level():
    d = derive(builtin("head"))
    assert [a.step.name for a in asked(d, (), 1)] == ["O"]
    assert [a.step.name for a in asked(d, (), 2)] == "Q K V S scaled exp Z A O".split()
    names = [n for a in asked(d, ("A[2]", "O[3][1]", "Z"), 1) for n in a.names()]
    assert names == ["Z[1]", "Z[2]", "Z[3]", "A[2][1]", "A[2][2]", "A[2][3]", "O[3][1]"]


def test_what_is_masked_is_not_asked():
    d = derive(builtin("causal"))
    names = [n for a in asked(d, ("masked",), 1) for n in a.names()]
    assert names == [f"masked[{i}][{j}]" for i in (1, 2, 3) for j in range(1, i + 1)]


@pytest.mark.parametrize("text", ["X", "H", "A[4]", "A[1][9]", "A[[1]]", "A[1][2][3]"])
def test_no_such_blank(text):
    with pytest.raises(InputError):
        asked(derive(builtin("head")), (text,), 1)


# --- identity


def test_an_identifier_remakes_its_sheet():
    for v in variants(plan(blank=("A", "O"), pool="secret"), range(1, 4)):
        again = remade(plan(blank=("A", "O"), seed=1), identity(v.id))
        assert again.id == v.id
        assert numbers(again.candidate.problem) == numbers(v.candidate.problem)


def test_an_identifier_of_other_options_is_refused():
    made = variant(plan(), 1)
    with pytest.raises(InputError, match="mark"):
        remade(plan(level=2), identity(made.id))
    with pytest.raises(InputError, match="mark"):
        remade(plan("causal"), identity(made.id))


def test_an_identifier_that_was_never_given_is_refused():
    found = variant(plan(), 1)
    wrong = next(
        one
        for attempt in range(1, 99)
        if (one := replace(identity(found.id), attempt=attempt)).attempt < found.attempt
    )
    with pytest.raises(InputError, match="no sheet"):
        remade(plan(), wrong)


@pytest.mark.parametrize("text", ["", "head", "head-1-1-1", "head-1x-1-1-00000000", "-" * 500])
def test_no_identifier(text):
    with pytest.raises(InputError):
        identity(text)


# --- bad wishes


@pytest.mark.parametrize(
    ("wanted", "culprit"),
    [
        (Constraints(spread=0), "spread"),
        (Constraints(exponentials=1), "exponentials"),
        (Constraints(difficulty=500), "difficulty"),
        (
            Constraints(unique_key=True, width=0, exponentials=2, difficulty=90),
            "exponentials|difficulty",
        ),
    ],
)
def test_what_nothing_meets_names_its_culprit(wanted, culprit):
    with pytest.raises(InputError, match=rf"came as far as ({culprit}), and none"):
        variant(plan(constraints=wanted), 1)


def test_a_culprit_is_told_in_words_with_the_option_that_helps():
    with pytest.raises(InputError) as found:
        variant(plan(constraints=Constraints(width=0)), 1)
    said = str(found.value)
    assert "a larger --width" in said
    for name, words in (("pool", "of the other pool"), ("uneven", "rows of scores all alike")):
        assert re.search(rf"{name} [\d,]+, {words}", said)


def test_no_two_rows_from_one_number():
    with pytest.raises(InputError, match="came as far as tokens"):
        text = "[given]\nH = [[1], [2], [3]]\nW_Q = [[1]]\nW_K = [[1]]\nW_V = [[1]]"
        variant(Plan(read_toml(text), constraints=Constraints(inputs=(0, 1))), 1)


@pytest.mark.parametrize(
    "changes",
    [{"seed": -1}, {"seed": 2**63}, {"level": 4}, {"pool": "mine"}],
)
def test_no_such_plan(changes):
    with pytest.raises(InputError):
        plan(**changes)


def test_no_worksheets_of_letters():
    with pytest.raises(InputError, match="H_11"):
        plan("symbolic")
    text = '[conventions]\ntemperature = "tau"\n[given]\nH = [[1]]\nW_Q = [[1]]\nW_K = [[1]]\n'
    with pytest.raises(InputError, match="tau"):
        Plan(read_toml(text + "W_V = [[1]]"))


# --- the command


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--variants", "0"], "0 variants"),
        (["--variants", "1000000000"], "1,000,000,000 variants"),
        (["--level", "9"], "level 9"),
        (["--entries", "2..1"], "from 2 to 1"),
        (["--entries", "many"], "no range"),
        (["--points", "O=much"], "no points"),
        (["--points", "X=2"], "no blank is of that step"),
        (["--points", "A=2"], "no blank is of that step"),
        (["--points", ""], "--points names nothing"),
        (["--blank", ""], "--blank names nothing"),
        (["--blank", " , "], "--blank names nothing"),
        (["--blank", "Q9"], "no step"),
        (["--from", "me"], "no identifier"),
        (["--format", "pdf"], None),
        (["-o", "sheet.odt"], "names no format"),
        (["-o", "no/such/folder/sheet.md"], "cannot write"),
        (["nothing"], "no command"),
    ],
)
def test_bad_use(arguments, said, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    code = run(["worksheet", *arguments])
    error = capsys.readouterr().err
    assert code == 2 and error.startswith("error:") and "Traceback" not in error
    assert said is None or said in error
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("n", "width"), [(24, 24), (60, 60), (2, 300), (30, 1)])
@pytest.mark.parametrize("kind", ["compute", "gradient", "find-mistake"])
def test_a_problem_that_no_hand_would_finish_is_refused_at_once(n, width, kind, tmp_path, capsys):
    rows = {"H": (n, width), "W_Q": (width, 2), "W_K": (width, 2), "W_V": (width, 2)}
    given = [f"{name} = {[[1] * b] * a}" for name, (a, b) in rows.items()]
    path = tmp_path / "large.toml"
    path.write_text("\n".join(["[given]", *given]), "utf-8")
    start = time.perf_counter()
    assert run(["worksheet", str(path), "--kind", kind, "--format", "jsonl"]) == 2
    error = capsys.readouterr().err
    assert "too large for a worksheet" in error and "at most 2,000 numbers" in error
    assert time.perf_counter() - start < 5


def test_a_tolerance_that_no_draw_narrows_is_given_up_soon():
    start = time.perf_counter()
    with pytest.raises(InputError, match="came as far as width"):
        variant(Plan(builtin("language-model"), blank=("L1.A", "P")), 1)
    assert time.perf_counter() - start < 30


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_part_that_the_manual_names_is_drawn(seed):
    found = variant(Plan(builtin("language-model"), seed=seed, blank=("L1.A", "L1.O")), 1)
    assert {answer.step for answer in found.key.answers} == {"L1.A", "L1.O"}


@pytest.mark.parametrize(("level", "count"), [(1, 20), (2, 2)])
def test_no_key_is_nearly_nothing(level, count):
    """But for weights and powers of e, which may be as small as any."""
    for v in variants(Plan(widened(builtin("block")), seed=1, level=level), range(1, 1 + count)):
        for answer in v.key.answers:
            if answer.step not in ("A", "exp"):
                assert not 0 < abs(Fraction(answer.key)) < Fraction(1, 100), answer


def test_where_hardly_anything_else_is_met_a_small_key_is_taken_and_remade():
    """Of two features LayerNorm leaves 1 and -1 but for eps, and a bias takes them to nearly 0."""
    found = variant(Plan(builtin("block"), seed=1, level=2), 1)
    assert found.attempt > 5_000
    assert remade(found.plan, identity(found.id)).candidate.content == found.candidate.content


def test_key_and_manifest_stand_beside_the_sheet(tmp_path):
    assert run(["worksheet", "--variants", "2", "-o", str(tmp_path / "sheet.md")]) == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == ["sheet-key.md", "sheet.jsonl", "sheet.md"]
    rows = [json.loads(line) for line in (tmp_path / "sheet.jsonl").read_text("utf-8").splitlines()]
    sheet, key = ((tmp_path / f"sheet{x}.md").read_text("utf-8") for x in ("", "-key"))
    for row in rows:
        assert row["id"] in sheet.replace("\\", "") and row["id"] in key.replace("\\", "")
        assert derive(read_toml(row["toml"])).places("O", 3)
        for blank in row["blanks"]:
            assert f"{blank['key']}" in key
    assert sheet.count(r"\boxed") == 12


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("name", PROBLEMS)
def test_a_sheet_shows_no_answer_that_it_asks_for(name, level):
    from derive.handout import Looks, sheets_printed

    v = variant(plan(name, level=level, form=replace(plan().form, places=6)), 1)
    text = sheets_printed([v], "terminal", Looks("en"))
    given = set(re.findall(r"[−-]?\d+(?:\.\d+)?", text.split("Given")[1]))
    secret = {a.key.replace("-", "−") for a in v.key.answers if re.search(r"\.\d*[1-9]", a.key)}
    d = v.candidate.derivation
    open_to_all = set(d.steps) - {d.step(a.step) for a in v.key.answers}
    for step in d.derived:  # what rests on a blank would give it away
        if not open_to_all.issuperset(step.inputs):
            open_to_all.discard(step)
    known = {x.replace("-", "−") for s in open_to_all for row in d.places(s.name, 6) for x in row}
    assert not (secret - known) & given


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("kind", ["latex", "markdown", "html", "terminal", "pdf"])
def test_every_format_in_every_language(kind, lang):
    from derive.handout import Looks, keys_printed, sheets_printed

    made = [variant(plan(level=2), 1), variant(plan(level=2), 2)]
    for content in (
        sheets_printed(made, kind, Looks(lang, hints=True)),
        keys_printed(made, kind, Looks(lang)),
    ):
        assert content[:5] == b"%PDF-" if kind == "pdf" else made[1].id in content.replace("\\", "")


def test_moodle_accepts_what_the_key_accepts(tmp_path):
    from fractions import Fraction
    from xml.etree import ElementTree

    path = tmp_path / "quiz.xml"
    assert run(["worksheet", "--variants", "2", "--blank", "A,O", "-o", str(path)]) == 0
    quiz = ElementTree.parse(path).getroot()
    assert quiz.tag == "quiz"
    questions = quiz.findall("question[@type='cloze']")
    made = variants(Plan(builtin("head"), blank=("A", "O")), (1, 2))
    for question, v in zip(questions, made, strict=True):
        text = question.findtext("questiontext/text")
        cloze = re.findall(r"\{(\d+):NUMERICAL:=(-?[\d.]+):([\d.]+)", text)
        for (points, middle, off), answer in zip(cloze, v.key.answers, strict=True):
            low, high = Fraction(middle) - Fraction(off), Fraction(middle) + Fraction(off)
            assert int(points) == answer.points
            assert (low, high) == (
                Fraction(2 * answer.low - 1, 2000),
                Fraction(2 * answer.high + 1, 2000),
            )


# --- true or false


def test_statements_are_theorems_or_refuted_by_them():
    from derive.theorems import ORDER
    from derive.views.worksheet_truth import COUNT, truths
    from derive.words import words

    assert set(words("en")["false"]) <= set(ORDER)
    sheets = truths(3, range(1, 60))
    assert len({s.statements for s in sheets}) == len(sheets)
    every = [s for sheet in sheets for s in sheet.statements]
    assert all(len({s.theorem for s in sheet.statements}) == COUNT for sheet in sheets)
    assert 0.4 < sum(s.is_true for s in every) / len(every) < 0.6


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_sheet_of_statements_and_its_key(lang, tmp_path):
    from derive.views.worksheet_truth import truths
    from derive.words import words

    path = tmp_path / "truth.md"
    arguments = ["--kind", "true-false", "--seed", "3", "--lang", lang, "-o", str(path)]
    assert run(["worksheet", *arguments]) == 0
    pages = ((tmp_path / name).read_text("utf-8") for name in ("truth.md", "truth-key.md"))
    letters = re.compile(r"\$`(?:W\^|d_)\{([QKVk])\}`\$")
    pages = (letters.sub(lambda x: f"{x[0][2]}_{x[1]}", page) for page in pages)
    sheet, key = (page.replace("\\", "") for page in pages)
    tables = words(lang)
    for one in truths(3, [1])[0].statements:
        said = tables["false"][one.theorem]
        if one.is_true:
            said = tables["true"].get(one.theorem, tables["theorems"][one.theorem]["line"])
        assert said in sheet
        verdict = tables["worksheet"]["true" if one.is_true else "not true"]
        assert f"{said} | {verdict} | " in key


def test_statements_take_no_problem(capsys):
    assert run(["worksheet", "head", "--kind", "true-false"]) == 2
    assert "true-false" in capsys.readouterr().err
