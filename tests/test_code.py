"""The programs that are printed compute what is proved."""

import keyword
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec

import numpy
import pytest

from derive import InputError, attention, builtin, derive, ops
from derive.derivation import Derivation, Problem
from derive.exact import number
from derive.exact.names import identifier_step
from derive.problems import ORDER
from derive.read.objects import as_given, as_mask
from derive.views.code import LIBRARIES, needed, program
from derive.views.code_lines import EXPRESSIONS

SYMBOLIC = ("temperature", "mixed", "symbolic")
INSTALLED = [library for library in LIBRARIES if find_spec(library)]
NUMERIC = [name for name in ORDER if name not in SYMBOLIC]
HEADS = {name: derive(builtin(name)) for name in NUMERIC} | {
    "exact numbers": attention(
        [["sqrt(2)/2", "1/3"], ["pi", "exp(1)"]],
        [["log(2)", 1], [0, "erf(1)"]],
        [[1, 0], ["sin(1)", 1]],
        [[1, "exp(1/2)"], [0, "-2*pi"]],
    ),
    "given mask": attention(
        [[1, 2], [0, 1]], *[[[1, 0], [0, 1]]] * 3, mask=[[0, "-oo"], ["-oo", 0]]
    ),
}


def computed(text):
    """The names that a program leaves behind, as arrays."""
    found = {}
    exec(text.replace("print(", "(lambda _: None)("), found)  # noqa: S102
    return found


def check(d, library):
    found = computed(program(d, library))
    steps = [step.name for step in needed(d)]
    assert d.steps[-1].name in steps
    for step in steps:
        value = numpy.asarray(found[identifier_step(step)])
        assert value.shape in (d.step(step).shape, ())
        # A norm divides by a deviation that may be small, and rounding grows with it.
        least = 1e-14 if d.problem.model == "attention" else 1e-12
        numpy.testing.assert_allclose(value, d.to_numpy(step), rtol=1e-12, atol=least)


@pytest.mark.parametrize("library", INSTALLED)
@pytest.mark.parametrize("name", HEADS)
def test_the_program_gives_the_proved_numbers(name, library):
    check(HEADS[name], library)


@pytest.mark.parametrize("library", INSTALLED)
@pytest.mark.parametrize(
    ("name", "choices"),
    [
        ("block", {"normalization": "rmsnorm", "activation": "silu"}),
        ("block", {"norm": "pre", "activation": "gelu"}),
        ("block", {"positions": "alibi", "activation": "gelu_tanh"}),
        ("language-model", {"positions": "rope"}),
        ("language-model", {"positions": "alibi", "heads": 2}),
        ("seq2seq", {"positions": "rope", "layout": "halves", "activation": "leaky_relu"}),
    ],
    ids=str,
)
def test_the_program_follows_the_conventions(name, choices, library):
    problem = builtin(name)
    conventions = replace(problem.conventions, **choices)
    given = {k: m for k, m in problem.given.items() if not k.startswith("beta")}
    kept = given if choices.get("normalization") == "rmsnorm" else problem.given
    check(derive(replace(problem, conventions=conventions, given=kept)), library)


def test_every_operation_can_be_said():
    assert set(EXPRESSIONS) == {getattr(ops, name) for name in ops.__all__}


X = [["1/2", -1, 2, 3], [0, "sqrt(2)", "-1/3", 1], [2, 1, -4, "1/5"]]
COLUMN, ROW, SQUARE = (
    [[1], ["1/2"], [3]],
    [[1, -2, "1/3", 2]],
    [[1, 2, -1], [0, "1/2", 3], [1, 1, 1]],
)
WEIGHTS = [["1/2", "1/2"], ["1/4", "3/4"], ["1/3", "2/3"]]
SCATTERED = as_mask([[0, 0, "-oo"], [0, "-oo", 0], ["-oo", 0, 0]], "mask")
TALL = [[1, 2], [0, -1], ["1/2", 3]]
ALONE = [
    (ops.Affine(), SQUARE, TALL, [[1, "-1/2"]]),
    (ops.Alibi(number(1, 4)), SQUARE),
    (ops.Alibi(number(3) / number(2).sqrt()), X),
    (ops.Columns(2, 3), X),
    (ops.Concat(), X, COLUMN, SQUARE),
    (ops.Contributions(), SQUARE, TALL),
    (ops.CrossEntropy((2, 1, 1)), WEIGHTS),
    (ops.Deviation(), COLUMN),
    (ops.Deviation(number(1, 1000)), COLUMN),
    (ops.Deviation(number(1, 1000), "outside"), COLUMN),
    (ops.DivideRows(), X, COLUMN),
    (ops.Embed((3, 1, 3, 2)), X),
    (ops.Exponential(), X),
    (ops.Gain(), X, ROW, ROW),
    (ops.Gate(), X, X),
    (ops.Gelu(), X),
    (ops.Gelu("tanh"), X),
    (ops.LiftedDeviation(), COLUMN, [["1/3"]]),
    (ops.LiftedDeviation("outside"), COLUMN, [["1/3"]]),
    (ops.Mask(SCATTERED, number(-7)), SQUARE),
    (ops.Mask(SCATTERED, number(-7), "replace"), SQUARE),
    (ops.Mean(), COLUMN),
    (ops.MeanSquares(), X),
    (ops.Normalize(), X, COLUMN, COLUMN),
    (ops.Relu(), X),
    (ops.Relu(number(1, 100)), X),
    (ops.Residual(), X, X),
    *((ops.Rotate(5, 100, layout), X) for layout in ("adjacent", "halves")),
    (ops.RowMeans(), X),
    (ops.RowSums(), X),
    (ops.Rows(2, 3), X),
    (ops.Scale(number(2).sqrt() / 3), X),
    (ops.ScaleColumns(), X, ROW),
    (ops.Silu(), X),
    *((ops.Sinusoid(3, 6, 7, 100, layout),) for layout in ("adjacent", "halves")),
    (ops.Sinusoid(4, 5, 2),),
    (ops.Softmax(), SQUARE),
    (ops.SquaredError(), X, X),
    (ops.Temper(), SQUARE, [["1/3"]]),
    (ops.Transpose(), X),
    *((ops.Variance(correction), X, COLUMN) for correction in (0, 1)),
]


@pytest.mark.parametrize("library", INSTALLED)
@pytest.mark.parametrize("case", ALONE, ids=lambda case: str(case[0])[:60])
def test_an_operation_by_itself(case, library):
    op, *inputs = case
    names = ("H", "W_1", "b_1", "C")[: len(inputs)]
    given = {name: as_given(x, name) for name, x in zip(names, inputs, strict=True)}
    d = Derivation.of(Problem("alone", given))
    check(d.then("Y", op, *names), library)


@pytest.mark.parametrize("name", HEADS)
def test_every_step_has_a_name_of_its_own_that_python_can_spell(name):
    names = [identifier_step(step.name) for step in HEADS[name]]
    assert len(set(names)) == len(names)
    assert all(n.isidentifier() and not keyword.iskeyword(n) for n in names)
    assert not {"E", "x", "y", "allowed", "angles", "distances", "sines", "cosines"} & set(names)


def test_one_head_is_a_dozen_lines():
    text = program(HEADS["head"], "numpy")
    assert "S = Q @ K.T" in text and "KT" not in text and "exp = " not in text


def test_it_runs_as_it_is_printed():
    result = subprocess.run(
        [sys.executable, "-c", program(HEADS["head"], "numpy")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "1.50348984" in result.stdout and result.stderr == ""


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", HEADS)
def test_every_library_says_the_same_steps(library, name):
    text = program(HEADS[name], library)
    compile(text, library, "exec")
    steps = [line.split(" = ")[0] for line in text.splitlines() if " = " in line]
    assert steps[-1] == identifier_step(HEADS[name].steps[-1].name)
    if HEADS[name].problem.model == "attention":
        assert steps[-3:] == ["E", "A", "O"] and "Q" in steps


@pytest.mark.parametrize("name", ["temperature", "symbolic", "mixed"])
def test_symbols_are_refused(name):
    with pytest.raises(InputError, match="free symbol"):
        program(derive(builtin(name)), "numpy")


def test_a_title_cannot_end_its_string():
    d = attention([[1]], [[1]], [[1]], [[1]], title='"""; import os #\\')
    compile(program(d, "numpy"), "title", "exec")
