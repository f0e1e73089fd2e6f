"""The programs that are printed compute what is proved."""

import subprocess
import sys

import numpy
import pytest

from derive import InputError, attention, builtin, derive
from derive.problems import ORDER
from derive.views.code import LIBRARIES, program

SYMBOLIC = ("temperature", "mixed", "symbolic")
ATTENTION = [name for name in ORDER if builtin(name).model == "attention"]
NUMERIC = [name for name in ATTENTION if name not in SYMBOLIC]
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


@pytest.mark.parametrize("name", HEADS)
def test_the_numpy_program_gives_the_proved_numbers(name):
    d = HEADS[name]
    found = {}
    exec(program(d, "numpy").replace("print(", "(lambda _: None)("), found)  # noqa: S102
    for step in ("Q", "K", "V", "S", "scaled", "A", "O"):
        numpy.testing.assert_allclose(found[step], d.to_numpy(step), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", [name for name in ORDER if name not in ATTENTION])
def test_other_models_are_refused(name):
    with pytest.raises(InputError, match="no program for the model"):
        program(derive(builtin(name)), "numpy")


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
    assert steps[-3:] == ["E", "A", "O"] and "Q" in steps


@pytest.mark.parametrize("name", ["temperature", "symbolic", "mixed"])
def test_symbols_are_refused(name):
    with pytest.raises(InputError, match="free symbol"):
        program(derive(builtin(name)), "numpy")


def test_a_title_cannot_end_its_string():
    d = attention([[1]], [[1]], [[1]], [[1]], title='"""; import os #\\')
    compile(program(d, "numpy"), "title", "exec")
