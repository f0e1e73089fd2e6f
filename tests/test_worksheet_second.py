"""The second route: curves and rotations against mpmath, and the keys of every kind of problem."""

import mpmath
import pytest
from by_hand import Pupil, floats, worked
from mpmath import iv

from derive import builtin, read_toml
from derive.read.conventions import under
from derive.worksheet.plan import Plan
from derive.worksheet.search import variants
from derive.worksheet.second_curves import CURVES, erf, rotated, tanh
from derive.worksheet.stress import stress
from derive.worksheet.widened import widened

POINTS = ["-30", "-9.9", "-6.5", "-1", "-0.001", "0", "0.3", "2.75", "9.9", "12"]
OF_MPMATH = {
    "gelu": lambda x: x * mpmath.ncdf(x),
    "gelu_tanh": lambda x: (
        x * (1 + mpmath.tanh(mpmath.sqrt(2 / mpmath.pi) * (x + mpmath.mpf("0.044715") * x**3))) / 2
    ),
    "silu": lambda x: x / (1 + mpmath.exp(-x)),
}
MASKED = """
[conventions]
mask = [["0", "-oo", "-oo"], ["-oo", "0", "0"], ["0", "-oo", "0"]]
[given]
H = [[1, 0], [0, 1], [1, 1]]
W_Q = [[1, 0], [0, 1]]
W_K = [[1, 0], [1, 1]]
W_V = [[1, 1], [0, 1]]
"""
PROBLEMS = {
    "columns": lambda: builtin("columns"),
    "rope": lambda: builtin("rope"),
    "rope under a mask": lambda: under(builtin("rope"), {"mask": "causal"}),
    "halves": lambda: under(builtin("rope"), {"layout": "halves"}),
    "a given mask": lambda: read_toml(MASKED),
    "gelu": lambda: under(builtin("block"), {"activation": "gelu"}),
    "gelu_tanh": lambda: under(builtin("block"), {"activation": "gelu_tanh"}),
    "silu": lambda: under(builtin("block"), {"activation": "silu"}),
    "cross": lambda: builtin("cross"),
    "shared": lambda: builtin("shared"),
}


@pytest.fixture(autouse=True)
def precise():
    before, iv.dps = iv.dps, 30
    with mpmath.workdps(130):
        yield
    iv.dps = before


@pytest.mark.parametrize("text", POINTS)
def test_curves_enclose_what_mpmath_comes_to(text):
    x, ball = mpmath.mpf(text), iv.mpf(text)
    for value, found in (
        (mpmath.erf(x), erf(iv, ball)),
        (mpmath.tanh(x), tanh(iv, ball)),
        *((function(x), CURVES[name](iv, ball)) for name, function in OF_MPMATH.items()),
    ):
        assert found.a <= value <= found.b
        assert found.delta < mpmath.mpf(10) ** -25 * max(1, abs(x))


def test_rotations_are_complex_multiplications():
    rows = [[iv.mpf(k + 4 * p) for k in range(4)] for p in range(3)]
    for is_adjacent, pairs in ((True, [(0, 1), (2, 3)]), (False, [(0, 2), (1, 3)])):
        found = rotated(iv, rows, 100, 5, is_adjacent)
        for p, row in enumerate(rows):
            for i, (j, k) in enumerate(pairs):
                turn = mpmath.exp(1j * (5 + p) * mpmath.mpf(100) ** (-2 * mpmath.mpf(i) / 4))
                z = mpmath.mpc(row[j].mid.a, row[k].mid.a) * turn
                assert abs(z.real - found[p][j].mid.a) < 1e-25
                assert abs(z.imag - found[p][k].mid.a) < 1e-25


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("name", PROBLEMS)
def test_every_kind_of_problem_is_proved(name, level):
    report = stress(Plan(widened(PROBLEMS[name]()), seed=5, level=level), 2)
    assert report.is_sound and report.keys >= 4


@pytest.mark.parametrize("name", ["head", "causal", "multihead", "layernorm", "block"])
def test_a_hand_that_rounds_after_every_step_is_right(name):
    """To three places, in each of a hundred variants."""
    for v in variants(
        Plan(widened(builtin(name)), seed=31), range(1, 101 if name != "block" else 31)
    ):
        rows = worked(Pupil(3), name, floats(v.candidate.problem))
        for a in v.key.answers:
            assert a.low <= round(rows[a.row - 1][a.column - 1] * 1000) <= a.high, (v.id, a)
        told = {(t.name, t.letter) for t in v.key.told}
        right = {a.blank: a for a in v.key.answers}
        for t in v.key.told:  # by at least one blank, however it is rounded
            assert any(w.high < right[w.blank].low or w.low > right[w.blank].high for w in t.wrong)
        assert not told & set(v.key.unseen)
