"""What makes a worksheet worth solving: width, unlike rows, what is asked, which mistakes."""

import math
import re
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest
from by_hand import Pupil, floats, never

from derive import InputError, builtin
from derive.cli.main import run
from derive.read.conventions import under
from derive.worksheet.changes import changed_by
from derive.worksheet.choices import left_out, offered
from derive.worksheet.plan import GENERATOR, Constraints, Plan
from derive.worksheet.search import variants
from derive.worksheet.stress import stress
from derive.worksheet.widened import is_narrow, widened


def made(name, count=20, **wishes):
    return list(variants(Plan(widened(builtin(name)), seed=6, **wishes), range(1, count + 1)))


def rows(v, step):
    """The digits of a step of the key, row by row."""
    found = {}
    for a in v.key.answers:
        if a.step == step:
            found.setdefault(a.row, []).append(float(a.key))
    return [found[i] for i in sorted(found)]


# --- blocks


def test_two_features_are_one_and_minus_one():
    """Which is why a block of two is drawn wider: ((a - b)/2) / (|a - b|/2)."""
    pupil = Pupil(3, never)
    for a, b in ((1, 4), (-2, 7), (0, 1)):
        ((x, y),) = pupil.norm([[a, b]], [1, 1], [0, 0], 0.0)
        assert (x, y) == (-1, 1)
    assert is_narrow(builtin("block")) and not is_narrow(builtin("head"))


def test_a_wide_block_has_the_other_sizes_as_they_are():
    shapes = {name: m.shape for name, m in widened(builtin("block")).given.items()}
    assert shapes["H"] == (3, 3) and shapes["W_Q"] == (3, 2) and shapes["W_O"] == (2, 3)
    assert shapes["W_1"] == (3, 4) and shapes["W_2"] == (4, 3) and shapes["gamma1"] == (1, 3)
    assert widened(builtin("head")) == builtin("head")
    assert widened(builtin("layernorm")) == builtin("layernorm")


def test_rows_of_a_block_are_unlike_and_its_neurons_alive():
    for v in made("block"):
        given = floats(v.candidate.problem)
        for a, b in combinations(Pupil(3, never).block(given), 2):
            assert max(abs(x - y) for x, y in zip(a, b, strict=True)) > 0.02
        pupil = Pupil(3, never)
        x = pupil.added(given["H"], pupil.attention(given))
        n = pupil.norm(x, given["gamma1"][0], given["beta1"][0], 1e-5)
        inner = [u + b for row in pupil.product(n, given["W_1"])
                 for u, b in zip(row, given["b_1"][0], strict=True)]  # fmt: skip
        assert min(map(abs, inner)) > 0.0099
        assert sum(u > 0 for u in inner) >= 4 and sum(u < 0 for u in inner) >= 3


def test_answers_of_a_block_are_neither_tiny_nor_wide():
    for v in made("block"):
        for a in v.key.answers:
            assert Fraction(a.key) == 0 or abs(Fraction(a.key)) >= Fraction(1, 100)
            assert a.high - a.low <= 200


@pytest.mark.parametrize("name", ["block", "causal", "multihead"])
def test_no_answer_can_be_guessed(name):
    report = stress(Plan(widened(builtin(name)), seed=8), 60)
    assert report.is_sound and not report.guessable and report.count == 60


def test_weights_have_no_empty_column_and_are_not_symmetric():
    for v in [*made("multihead", 10), *made("block", 10), *made("head", 10)]:
        for name, matrix in v.candidate.given.items():
            if name.startswith("W_"):
                columns = [list(c) for c in zip(*matrix, strict=True)]
                assert all(map(any, columns)), (v.id, name)
                assert [list(r) for r in matrix] != columns, (v.id, name)
                assert name not in ("W_O", "W_2") or all(map(any, matrix))


def test_rational_deviations_of_a_block_that_normalises_before():
    """Of four features; three whole numbers have none, and what follows an attention neither."""
    assert not any(
        math.isqrt(s) ** 2 == s
        for a in range(-6, 7) for b in range(-6, 7)
        if (s := 3 * (a * a + b * b) - (a + b) ** 2)
    )  # fmt: skip
    wide = widened(under(builtin("block"), {"norm": "pre"}), is_rational=True)
    plan = Plan(wide, seed=2, constraints=Constraints(rational=True))
    for v in variants(plan, range(1, 4)):
        for row in v.candidate.given["H"]:
            assert len(row) == 4
            square = 4 * sum(x * x for x in row) - sum(row) ** 2
            assert square > 0 and math.isqrt(square) ** 2 == square
    with pytest.raises(InputError, match="powers of e"):
        Plan(widened(builtin("block")), constraints=Constraints(rational=True))


def test_the_command_draws_a_wide_block_and_a_file_as_it_is(tmp_path, capsys):
    assert run(["worksheet", "block", "--format", "jsonl"]) == 0
    assert "W_O = [[" in (text := capsys.readouterr().out)
    assert len(re.findall(r"\[?\[(-?\d+(?:, -?\d+)*)\]", text.split("H = ")[1])[0].split(",")) == 3
    path = tmp_path / "mine.toml"
    assert run(["block", "--toml"]) in (0, 2)
    from derive.views.problem import problem_toml

    capsys.readouterr()
    path.write_text(problem_toml(builtin("block")), "utf-8")
    assert run(["worksheet", str(path), "--format", "jsonl"]) == 0
    text = capsys.readouterr().out
    assert len(re.findall(r"\[?\[(-?\d+(?:, -?\d+)*)\]", text.split("H = ")[1])[0].split(",")) == 2


# --- what a mask fixes


def test_what_the_mask_fixes_is_not_asked():
    for v in made("causal", 5, level=2):
        asked = {(a.step, a.row, a.column) for a in v.key.answers}
        for step in ("exp", "A"):
            assert not {(step, i, j) for i in (1, 2, 3) for j in range(i + 1, 4)} & asked
        assert ("A", 1, 1) not in asked and ("A", 2, 1) in asked and ("exp", 1, 1) in asked
        assert not {("O", 1, 1), ("O", 1, 2)} & asked and ("O", 2, 1) in asked


def test_it_is_the_same_in_every_variant():
    """The weights of the mask are 1 and 0, and the first output is the first value."""
    for v in made("causal", 8):
        pupil = Pupil(3, never)
        given = floats(v.candidate.problem)
        out = pupil.attention(given, causal=True)
        assert pupil.weights[0] == [1, 0, 0] and pupil.weights[1][2] == 0
        assert out[0] == pytest.approx(pupil.product(given["H"], given["W_V"])[0])
        fixed = v.candidate.program.fixed
        assert fixed["A"] == {(1, 1), (1, 2), (1, 3), (2, 3)} and fixed["O"] == {(1, 1), (1, 2)}


def test_whoever_names_an_entry_is_asked_for_it():
    (v,) = made("causal", 1, blank=("A[1]", "O"))
    assert {a.blank for a in v.key.answers} == {
        "A[1][1]", "A[1][2]", "A[1][3]", "O[2][1]", "O[2][2]", "O[3][1]", "O[3][2]"
    }  # fmt: skip
    assert not stress(Plan(builtin("causal"), seed=6, blank=("A[1]", "O")), 60).guessable


def test_on_an_empty_page_the_first_output_is_asked_too():
    (v,) = made("causal", 1, level=3)
    assert {a.blank for a in v.key.answers} >= {"O[1][1]", "O[1][2]"}


def test_what_a_change_to_a_mask_is_about_is_asked():
    base = builtin("head")
    plan = Plan(changed_by(base, "causal"), seed=6, kind="what-if", before=base, blank=("A",))
    (v,) = variants(plan, [1])
    assert {a.blank for a in v.key.answers} >= {"A[1][1]", "A[1][3]"}


def test_no_gradient_goes_back_through_what_is_fixed():
    (v,) = made("causal", 1, kind="gradient", blank=("dS", "dA"))
    asked = {(a.step, a.row, a.column) for a in v.key.answers}
    assert {(i, j) for step, i, j in asked if step == "dS"} == {
        (2, 1),
        (2, 2),
        (3, 1),
        (3, 2),
        (3, 3),
    }
    zero = v.candidate.derivation.step("dS").value
    assert all(zero[i - 1, j - 1].is_zero for i, j in v.candidate.program.fixed["dS"])
    assert ("dA", 1, 2) in asked


def test_sheet_and_key_show_what_is_fixed(capsys):
    assert run(["worksheet", "causal", "--level", "2", "--seed", "3"]) == 0
    sheet = capsys.readouterr().out
    assert re.search(r"\[ *1\.000 +0\.000 +0\.000\]", sheet)
    assert run(["worksheet", "causal", "--level", "2", "--seed", "3", "--key"]) == 0
    key = " ".join(capsys.readouterr().out.split())
    assert "the mask alone says what they are, whatever the numbers: E₁₂, E₁₃" in key


# --- mistakes


def letters(v):
    return {t.letter for t in v.key.told} | {letter for _, letter in v.key.unseen}


@pytest.mark.parametrize(
    ("name", "wishes", "wanted"),
    [
        ("head", {}, {"O"}),
        ("causal", {}, {"O"}),
        ("multihead", {}, {"Y"}),
        ("layernorm", {}, {"N"}),
        ("block", {}, {"N"}),
        ("head", {"blank": ("A", "O")}, {"A", "O"}),
        ("head", {"blank": ("S", "O")}, {"S", "scaled", "A", "O"}),
        ("head", {"level": 2}, {"Q", "K", "V", "S", "scaled", "A", "O"}),
        ("head", {"level": 3}, {"Q", "K", "V", "S", "scaled", "A", "O"}),
    ],
)
def test_mistakes_are_those_of_what_is_worked_out(name, wishes, wanted):
    for v in made(name, 3, **wishes):
        assert {x.rstrip("12") for x in letters(v)} == wanted


def test_after_a_change_mistakes_are_those_of_what_it_reaches():
    base = builtin("head")
    plan = Plan(changed_by(base, "causal"), seed=6, kind="what-if", before=base)
    for v in variants(plan, [1, 2]):
        assert {t.letter for t in v.key.told} <= {"masked", "A", "O"}


def test_a_number_taken_from_beside_is_told_with_what_it_comes_to():
    """The powers of e in place of the weights, and the scores before they are divided."""
    for v in made("head", 6, blank=("A", "O")):
        given = floats(v.candidate.problem)
        pupil = Pupil(3, never)
        pupil.mistakes = frozenset({"not scaled"})
        pupil.attention(given)
        (told,) = (t for t in v.key.told if t.name == "scores before scaling")
        for wrong in told.wrong:
            step, i, j = wrong.blank[0], int(wrong.blank[2]), int(wrong.blank[5])
            if step == "A":
                assert abs(float(told.digits[wrong.blank]) - pupil.weights[i - 1][j - 1]) < 0.00051
    for v in made("head", 6):
        pupil = Pupil(3, never)
        pupil.mistakes = frozenset({"not normalised"})
        out = pupil.attention(floats(v.candidate.problem))
        (told,) = (t for t in v.key.told if t.name == "powers in place of weights")
        for wrong in told.wrong:
            _, i, j = wrong.blank[0], int(wrong.blank[2]), int(wrong.blank[5])
            assert abs(float(told.digits[wrong.blank]) - out[i - 1][j - 1]) < 0.00051


@pytest.mark.parametrize("name", ["head", "causal", "layernorm", "block"])
def test_what_is_not_asked_by_choosing_is_said_on_the_key(name, capsys):
    (v,) = made(name, 1)
    asked, out = {one.answer.blank for one in offered(v)}, {a.blank for a in left_out(v)}
    assert asked | out == {a.blank for a in v.key.answers} and not asked & out
    counts = {
        a.blank: sum(w.blank == a.blank for t in v.key.told for w in t.wrong) for a in v.key.answers
    }
    assert all(counts[blank] >= 2 for blank in asked)
    assert run(["worksheet", name, "--choices", "--key", "--seed", "6"]) == 0
    key = capsys.readouterr().out
    assert ("Not asked here" in key) is bool(out)


# --- what the pages say


def test_the_key_says_how_numbers_were_drawn(capsys):
    said = {
        "layernorm": ["gain and bias are integers from −1 to 2; no gain is 0", "3 roots"],
        "block": ["Up to the first normalisation", "weights are integers from −1 to 2"],
        "head": ["H are integers from 0 to 2; no two rows are alike, and none is 0"],
    }
    for name, wanted in said.items():
        assert run(["worksheet", name, "--key"]) == 0
        key = " ".join(capsys.readouterr().out.split())
        assert all(text in key for text in wanted)
        assert ("Entries of the weights" in key) is (name != "layernorm")
        assert not re.search(r"\b0 (products|roots|quotients|powers|negative)", key)
    assert run(["worksheet", "head", "--kind", "gradient", "--key"]) == 0
    key = " ".join(capsys.readouterr().out.split())
    assert "Entries of dO are integers from −1 to 2, and none is 0." in key
    # A is 3 x 3 and dO 3 x 2, so that dV is 3 x 2 sums of three products.
    assert "12 sums and differences, 18 products" in key and not re.search(r"\b0 roots", key)


def test_the_work_of_a_norm_is_counted():
    """Of 3 rows of 4: means 3 + 1, distances, squares, 3 + 1, 1 root, quotients, gain and bias."""
    for v in made("layernorm", 5):
        of = v.candidate.operations
        hats = [x != sum(row) / 4 for row in v.candidate.given["H"] for x in row]
        unlike = [
            x != sum(row) / 4 and g != 0
            for row in v.candidate.given["H"]
            for x, g in zip(row, v.candidate.given["gamma"][0], strict=True)
        ]
        assert of.products == sum(hats) + sum(unlike)
        assert of.quotients == 3 + 3 + 12 and of.roots == 3
        assert of.minus == sum(
            x < 0 for name in ("H", "gamma", "beta") for row in v.candidate.given[name] for x in row
        )


def test_what_has_stayed_has_a_point_of_its_own(capsys):
    assert run(["worksheet", "head", "--kind", "what-if", "--change", "causal"]) == 0
    sheet = capsys.readouterr().out
    assert "Points (of 7)" in sheet and "and why? (points: 1)" in sheet
    arguments = ["worksheet", "head", "--kind", "what-if", "--change", "causal"]
    assert run([*arguments, "--format", "jsonl"]) == 0
    line = capsys.readouterr().out
    assert '"id": "stays"' in line and line.count('"points": 1') == 7


# --- versions


@pytest.mark.parametrize("version", ["1", "2"])
def test_a_sheet_of_an_older_generator_is_told_as_such(version, capsys):
    for name in ("head", "block"):
        mark = Plan(builtin(name)).marked(version)
        assert mark != Plan(builtin(name)).mark
        assert run(["worksheet", "--from", f"{name}-7-1-12-{mark}"]) == 2
        said = capsys.readouterr().err
        assert f"version {version} of the generator" in said and f"version {GENERATOR}" in said


# --- gradients of a block


def block_loss(given, weights):
    """The sum of the entries of a block, each times a weight."""
    out = Pupil(3, never).block(given)
    return sum(a * b for x, y in zip(out, weights, strict=True) for a, b in zip(x, y, strict=True))


@pytest.mark.parametrize("name", ["W_2", "b_2", "gamma2", "W_1", "gamma1"])
def test_gradients_of_a_block_are_its_differences(name):
    for v in made("block", 3, kind="gradient", blank=(f"d{name}",)):
        given, weights, step = floats(v.candidate.problem), v.candidate.given["dN2"], 1e-5
        for a in v.key.answers:
            moved = []
            for sign in (1, -1):
                other = {key: [list(row) for row in rows] for key, rows in given.items()}
                other[name][a.row - 1][a.column - 1] += sign * step
                moved.append(block_loss(other, weights))
            wanted = (moved[0] - moved[1]) / (2 * step)
            assert abs(float(a.key) - wanted) < 0.0005 + 2e-6, (v.id, a)


@pytest.mark.parametrize(
    ("choices", "wishes"),
    [
        ({}, {}),
        ({}, {"level": 2}),
        ({}, {"blank": ("dW_1", "db_1", "dR1")}),
        ({"activation": "gelu"}, {"blank": ("dW_1",)}),
        ({"activation": "leaky_relu"}, {"blank": ("dW_1",)}),
        ({"norm": "pre"}, {"blank": ("dW_2", "dgamma2")}),
    ],
)
def test_every_gradient_of_a_block_is_proved(choices, wishes):
    problem = under(widened(builtin("block")), choices) if choices else widened(builtin("block"))
    report = stress(Plan(problem, seed=2, kind="gradient", **wishes), 3)
    assert report.failures == () and report.keys and not report.wrong_by_hand


def test_like_tokens_are_drawn_where_they_are_asked_for():
    plan = Plan(builtin("head"), seed=6, constraints=Constraints(tokens=False))
    assert plan.mark != replace(plan, constraints=Constraints()).mark


def test_what_is_asked_rests_on_the_kind_whatever_came_before():
    """A sheet to be worked out and one with a mistake in it, from the same numbers."""
    (v,) = made("causal", 1, level=2)
    (w,) = made("causal", 1, level=2, kind="find-mistake")
    assert "A[1][1]" not in {a.blank for a in v.key.answers}
    assert "A[1][1]" in {a.blank for a in w.key.answers}
