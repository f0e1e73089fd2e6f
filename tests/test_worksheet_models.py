"""Worksheets of every model: what is built in, files of one's own, and parts of what is long."""

import json
import math

import pytest
from by_hand import rounded

from derive import InputError, builtin, read_toml
from derive.cli.main import run
from derive.problems import ALSO, ORDER
from derive.worksheet.plan import Plan
from derive.worksheet.search import variants
from derive.worksheet.stress import stress

LETTERS = {"symbolic", "mixed", "temperature"}
"""What is given in letters has no digits to be marked."""
PARTS = [
    ("positions", ()),
    ("decoder", ()),
    ("decoder", ("self.A", "R1", "N1")),
    ("decoder", ("R2", "U", "G", "F", "xhat3")),
    ("language-model", ()),
    ("language-model", ("H", "L1.S", "L1.A", "L1.xhat1")),
    ("language-model", ("L2.G", "L2.F")),
    ("seq2seq", ("dec.L1.cross.A", "enc.L1.U")),
]


@pytest.mark.parametrize("name", [*ORDER, *ALSO])
def test_every_built_in_problem_has_a_sheet_or_says_why_not(name, capsys):
    code = run(["worksheet", name, "--format", "jsonl"])
    out, error = capsys.readouterr()
    if name in LETTERS:
        assert code == 2 and "in letters" in error and "Traceback" not in error
    else:
        assert code == 0 and json.loads(out)["blanks"]


@pytest.mark.parametrize(("name", "blank"), PARTS)
def test_parts_of_long_models_by_the_second_route(name, blank):
    report = stress(Plan(builtin(name), seed=4, blank=blank), 6)
    assert report.failures == () and not report.duplicates and report.keys


FILES = {
    "rmsnorm": 'model = "layernorm"\n[conventions]\nnormalization = "rmsnorm"\n[given]\n'
    "H = [[1, 0, 0, 0], [1, 2, 3, 4]]\ngamma = [[1, 2, 1, -1]]\n",
    "mask": '[conventions]\nmask = [[0, "-oo", 0], [0, 0, 0], ["-oo", 0, 0]]\n'
    'temperature = "1/2"\n[given]\n'
    "H = [[1, 0], [0, 1], [1, 1]]\nW_Q = [[1, 0], [0, 1]]\n"
    "W_K = [[1, 1], [0, 1]]\nW_V = [[1, 0], [1, 1]]\n",
    "learned": 'model = "positions"\n[conventions]\npositions = "learned"\n[given]\n'
    "H_E = [[1, 0], [0, 1]]\nPE = [[1, 1], [2, 0]]\n",
}


@pytest.mark.parametrize("name", FILES)
def test_files_of_ones_own(name, tmp_path):
    path, out = tmp_path / "mine.toml", tmp_path / "sheet.md"
    path.write_text(FILES[name], "utf-8")
    for kind in ("compute", "explain", "shapes", "find-mistake"):
        assert run(["worksheet", str(path), "--kind", kind, "-o", str(out)]) == 0
        assert (tmp_path / "sheet-key.md").exists()


def test_a_given_mask_is_kept():
    """Weight where the mask forbids is 0, and the others are those of exp at twice the score."""
    plan = Plan(read_toml(FILES["mask"]), seed=3, blank=("A",))
    for v in variants(plan, range(1, 4)):
        steps = v.candidate.derivation
        scores = [list(map(float, row)) for row in steps.places("S", 12)]
        keys = {a.blank: float(a.key) for a in v.key.answers}
        assert keys.get("A[1][2]", 0) == keys.get("A[3][1]", 0) == 0
        powers = [math.exp(2 * s / math.sqrt(2)) for s in scores[1]]
        assert abs(keys["A[2][1]"] - powers[0] / sum(powers)) < 0.0005 + 1e-9


# --- a part is worked out from what is printed


@pytest.mark.parametrize("places", [3, 4, 5])
def test_who_goes_on_from_printed_logits_is_right(places):
    """P, L and the loss, rounded after every step to some places or to more."""
    r = lambda x: rounded(x, places)  # noqa: E731
    plan = Plan(builtin("language-model"), seed=6)
    for v in variants(plan, range(1, 25)):
        words = plan.problem.vocabulary
        right = [words.index(word) for word in plan.problem.targets]
        logits = [list(map(float, row)) for row in v.candidate.derivation.places("logits", 3)]
        powers = [[r(math.exp(x)) for x in row] for row in logits]
        chances = [[r(p / r(sum(row))) for p in row] for row in powers]
        losses = [[r(-math.log(row[y]))] for row, y in zip(chances, right, strict=True)]
        found = {"P": chances, "L": losses}
        found["loss"] = [[r(r(sum(x for (x,) in losses)) / len(losses))]]
        for a in v.key.answers:
            x = round(rounded(found[a.step][a.row - 1][a.column - 1], 3) * 1000)
            assert a.low <= x <= a.high, (v.id, a, x)


def test_a_part_shows_what_it_rests_on_and_nothing_before(capsys):
    assert run(["worksheet", "language-model", "--seed", "2", "--blank", "P"]) == 0
    sheet = capsys.readouterr().out
    assert "ℓ = " in sheet and "W_Q" not in sheet and "cat" in sheet
    assert run(["worksheet", "decoder", "--blank", "cross.O"]) == 0
    sheet = capsys.readouterr().out
    assert "cross.A = " in sheet and "self" not in sheet


def test_scores_that_are_printed_are_no_larger_than_asked():
    for v in variants(Plan(builtin("decoder"), seed=8), range(1, 8)):
        for row in v.candidate.derivation.places("cross.scaled", 3):
            scores = list(map(float, row))
            assert max(scores) - min(scores) <= 10


def test_the_work_is_the_same_for_all():
    for name in ("language-model", "decoder", "positions"):
        steps = [
            v.candidate.difficulty.steps for v in variants(Plan(builtin(name), seed=1), range(1, 9))
        ]
        assert max(steps) - min(steps) <= max(4, 0.25 * max(steps)), name


def test_letters_are_named():
    text = "[given]\nH = [[1, 'a']]\nW_Q = [[1], [0]]\nW_K = [[1], [0]]\nW_V = [[1], [1]]\n"
    with pytest.raises(InputError, match=r"letters \(a\)"):
        Plan(read_toml(text))
