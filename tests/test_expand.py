"""Letters put back: zeros that only algebra sees, and questions that stay open because of size."""

from dataclasses import replace

import pytest

from derive import InputError, builtin, derive
from derive.conventions import CHOICES, Conventions
from derive.exact import Matrix, call, letter, matrix, number, symbol
from derive.exact.ball import sign
from derive.exact.expand import resolved
from derive.ops import Residual, RowMeans
from derive.step import Step

T = (number(2).sqrt() / 2).exp()


def lettered(name, values, depth=1):
    """Letters of a step with these numbers, at the end of so many steps."""
    step = Step.given(name, Matrix([values]))
    for k in range(depth):
        step = Step(f"{name}{k}", Residual(), (step, Step.given("0", matrix([[0] * len(values)]))))
    row = step.value.rows[0]
    return [letter(step.name, 1, j, x, step) for j, x in enumerate(row, 1)]


def test_a_sum_that_vanishes():
    (a, b) = lettered("a", [T, 1 - T])
    assert resolved(a + b) == number(1) and resolved(a + b - 1) == number(0)
    assert sign(a + b - 1) == 0 and sign(a + b) == 1
    assert resolved(a - b) is None and sign(a - b) == 1


def test_the_latest_letters_go_first():
    """The mean of two entries is half their sum, whatever they are."""
    (a, b) = lettered("a", [T.sqrt() + 1, T * 3])
    mean = Step("mu", RowMeans(), (Step.given("x", Matrix([[a, b]])),))
    (m,) = (letter("mu", 1, 1, mean.value[0, 0], mean),)
    assert resolved(m * 2 - a - b) == number(0)


def test_a_rational_inside_a_function():
    (a, b) = lettered("a", [T, -T])
    assert resolved(call("cos", a + b)) == number(1)
    assert resolved(call("erf", a + b)) == number(0)


def test_what_would_be_too_large_stays_open():
    """Each letter has a denominator of its own: the product of ten has 3^10 terms."""
    values = [number(1) / (T**k + T + number(k)) for k in range(2, 12)]
    letters = lettered("a", values)
    total = sum(letters, number(0))
    assert resolved(total) is None
    assert resolved(call("tanh", total)) is None
    assert resolved((total * total + 1).sqrt()) is None


def test_letters_of_symbols_are_left_alone():
    assert resolved(letter("S", 1, 1, symbol("a")) - symbol("a")) is None


@pytest.mark.parametrize("choices", [{"positions": "rope"}, {"positions": "alibi"}], ids=str)
def test_a_deep_model_is_told_or_left_open(choices):
    """Two layers behind rotated queries: nothing here may be multiplied out without a bound."""
    problem = builtin("language-model")
    d = derive(replace(problem, conventions=replace(problem.conventions, **choices)))
    for row in d.digits("P", 12):
        assert all(text != "undecided" for text in row)


@pytest.mark.parametrize("name", CHOICES)
def test_a_convention_of_words_knows_its_words(name):
    for word in CHOICES[name]:
        assert getattr(Conventions(**{name: word}), name) == word
    with pytest.raises(InputError, match=f"{name} cannot be 'gelu-tanh'"):
        Conventions(**{name: "gelu-tanh"})
