"""Gradients and steps of training are those of figures made by differences alone.

tests/gradient_figures.py made them.
"""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from derive import InputError, builtin, derive
from derive.certify import Format, certified, doubles
from derive.conventions import Conventions
from derive.derivation import Problem
from derive.exact import number, symbol
from derive.gradients import differentiate
from derive.gradients.train import MOST_STEPS, train
from derive.pages import FORMATS, training_printed
from derive.read.objects import as_given, as_scalar

FIGURES = json.loads((Path(__file__).parent / "figures" / "training.json").read_text())
MODELS = ("block", "language-model")
TENTH = number(1, 10)


def given(case):
    return {n: as_given(m, n) for n, m in case["given"].items()}


def derivation(case):
    matrices = given(case)
    target = matrices.pop("T", None)
    words = {k: tuple(case[k]) for k in ("tokens", "vocabulary") if k in case}
    choices = Conventions(**case["conventions"])
    problem = Problem("figures", matrices, choices, model=case["model"], **words)
    return derive(problem), {} if target is None else {"of": "mse(N2)", "seed": target}


def check(step, figures, tolerance=Fraction(1, 10**15)):
    """Proved digits beside figures of as many: what they differ by is rounding."""
    found = certified(step, Format(digits=20))
    for row, texts in zip(found, figures, strict=True):
        for x, text in zip(row, texts, strict=True):
            wanted = Fraction(text)
            assert abs(Fraction(x.digits) - wanted) <= tolerance * max(abs(wanted), tolerance)


@pytest.mark.parametrize("name", MODELS)
def test_gradients_are_the_differences(name):
    d, asked = derivation(FIGURES[name])
    sweep = differentiate(d, **asked)
    assert set(sweep.wrt) == set(FIGURES[name]["gradients"])
    for wrt, figures in FIGURES[name]["gradients"].items():
        check(sweep.step(wrt), figures)


@pytest.mark.parametrize("way", ["descent", "adam"])
@pytest.mark.parametrize("name", MODELS)
def test_two_steps(name, way):
    case = FIGURES[name]
    d, asked = derivation(case)
    eta = as_scalar(FIGURES["eta"], "eta")
    training = train(d, eta, 2, is_adam=way == "adam", **asked)
    first, second = training.rounds
    for step, text in zip(
        (first.before, first.after, second.after), case[way]["losses"], strict=False
    ):
        check(step, [[text]])
    for wrt, figures in case[way]["after"].items():
        check(training.derivation.step(f"t2.{wrt}"), figures)
    fell = Fraction(case[way]["losses"][0]) - Fraction(case[way]["losses"][1])
    check(first.decrease, [[str(fell)]], Fraction(1, 10**12))


@pytest.mark.parametrize("name", MODELS)
def test_the_first_order_is_eta_times_the_squares(name):
    d, asked = derivation(FIGURES[name])
    (only,) = train(d, TENTH, **asked).rounds
    entries = [x for m in FIGURES[name]["gradients"].values() for row in m for x in row]
    squares = sum(Fraction(x) ** 2 for x in entries) / 10
    check(only.foreseen, [[str(squares)]])


def test_a_step_by_hand():
    """O = A V with all weights 1/2: each row of V' weighs 1/2, W_V = I and H = I."""
    problem = builtin("head")
    ones = as_given([[1, 0], [0, 1]], "H")
    zeros = as_given([[0, 0], [0, 0]], "W_Q")
    made = {"H": ones, "W_Q": zeros, "W_K": zeros, "W_V": ones}
    d = derive(Problem("hand", made, problem.conventions))
    (only,) = train(d, TENTH, of="O[1][1]", wrt=["W_V"]).rounds
    assert only.before.value[0, 0] == number(1, 2)
    assert list(map(list, only.updated[0].value.rows)) == [
        [number(19, 20), number(0)], [number(-1, 20), number(1)]
    ]  # fmt: skip
    assert doubles(only.after) == [[0.45]]
    assert doubles(only.decrease) == doubles(only.foreseen) == [[0.05]]


def test_what_has_no_gradient_stays():
    """W_Q alone, of scores that W_K = 0 keeps at 0."""
    d = derive(builtin("head"))
    changed = dict(d.problem.given) | {"W_K": as_given([[0, 0], [0, 0]], "W_K")}
    d = derive(Problem("still", changed, d.problem.conventions))
    (only,) = train(d, TENTH, wrt=["W_Q"]).rounds
    assert only.updated == () and doubles(only.decrease) == [[0.0]]


@pytest.mark.parametrize("is_adam", [False, True])
@pytest.mark.parametrize("name", ["head", "block", "decoder", "language-model", "seq2seq"])
def test_every_digit_is_proved(name, is_adam):
    training = train(derive(builtin(name)), TENTH, 2, is_adam=is_adam)
    for lang in ("en", "zh"):
        assert training_printed(training, "terminal", lang=lang)[1] == ()


@pytest.mark.parametrize("format", [*(f for f in FORMATS if f != "notebook"), "pdf"])
def test_every_format(format):
    training = train(derive(builtin("head")), TENTH)
    content, undecided = training_printed(training, format)
    assert content and undecided == ()


def test_the_page_says_the_numbers():
    text = training_printed(train(derive(builtin("head")), TENTH, 2), "terminal")[0]
    assert "t1.W_V = W_V − dW_V/10" in text and "O₁₁" in text
    # e^(sqrt 2 / 2) = 2.0281149816 gives (1 + t) / (1 + 2 t) + t / (1 + 2 t) = 1.401 for 3 tokens
    assert "1.401" in text


@pytest.mark.parametrize(
    ("eta", "steps", "message"),
    [
        (number(0), 1, "eta"),
        (number(-1), 1, "eta"),
        (symbol("eta"), 1, "eta"),
        (TENTH, 0, "0 steps"),
        (TENTH, MOST_STEPS + 1, "steps"),
    ],
)
def test_bad_rates_and_numbers_of_steps(eta, steps, message):
    with pytest.raises(InputError, match=message):
        train(derive(builtin("head")), eta, steps)


def test_symbols_are_not_trained():
    with pytest.raises(InputError, match="free symbol"):
        train(derive(builtin("symbolic")), TENTH)
    with pytest.raises(InputError, match="free symbol g_11"):
        train(derive(builtin("head")), TENTH, of="<G,O>")
