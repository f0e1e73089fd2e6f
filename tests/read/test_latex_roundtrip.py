"""What is printed as LaTeX reads back to the same object."""

from pathlib import Path

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from derive import attention, builtin
from derive import derive as derivation_of
from derive.errors import InputError
from derive.exact import E, call, number, symbol
from derive.exact.bridge import from_sympy, to_sympy
from derive.exact.ink import LATEX
from derive.exact.write import write
from derive.problems import ORDER
from derive.read.latex import Chain, read_latex
from derive.read.latex.document import read_formulas

OUTPUTS = Path(__file__).parents[2] / "outputs"
HEADS = [name for name in ORDER if builtin(name).model == "attention"]
FILES = sorted(
    path
    for suffix in ("tex", "md")
    for path in OUTPUTS.glob(f"*.{suffix}")
    if path.name.split(".")[0] in HEADS
)
"""The pages of heads; those of the other models, of proofs and gradients, say more than is read."""


def understood(text, **options):
    """Every formula of a page, none refused."""
    found = read_formulas(text, **options)
    assert [f"{f.text}: {f.error.message}" for f in found if f.error] == []
    return found


def letters_of(readings):
    """t = e^(...): what the page writes powers of e with."""
    return {
        r.members[0]: r.values[1]
        for r in readings
        if isinstance(r, Chain) and len(r.members) == 2 and str(r.members[0]) in ("t", "u", "w")
    }


def numbers(value, letters):
    """The entries of a value without letters, in the kernel; None where symbols remain."""
    entries = value.flat() if isinstance(value, sympy.MatrixBase) else [value]
    entries = [sympy.sympify(x).xreplace(letters) for x in entries]
    if any(x.free_symbols or x.has(sympy.Sum, sympy.oo) for x in entries):
        return None
    return list(map(from_sympy, entries))


def agree(readings):
    """Whether all sides that = joins are equal; how many were compared."""
    letters, compared = letters_of(readings), 0
    for chain in readings:
        if not isinstance(chain, Chain):
            continue
        exact = chain.values[: (*chain.relations, r"\approx").index(r"\approx") + 1]
        found = [x for x in (numbers(v, letters) for v in exact) if x is not None]
        assert all(x == found[0] for x in found), chain
        compared += max(len(found) - 1, 0)
    return compared


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_output_is_read_whole(path):
    found = understood(path.read_text("utf-8"), markdown=path.suffix == ".md")
    assert len(found) > 50


def is_value_of(step, reading):
    """Whether a reading says what the matrix of a step is."""
    is_its = isinstance(reading, Chain) and getattr(reading.members[0], "name", "") == step
    return is_its and isinstance(reading.values[-1], sympy.MatrixBase)


@pytest.mark.parametrize("name", HEADS)
def test_every_builtin_problem_is_read_whole(name):
    derivation = derivation_of(builtin(name))
    found = understood(derivation.latex())
    readings = [f.reading for f in found]
    agree(readings)
    letters = letters_of(readings)
    for step in ("Q", "K", "V", "S", "A", "O"):
        chain = next((r for r in readings if is_value_of(step, r)), None)
        if chain is None:
            continue  # too wide for its page
        exact = chain.values[: (*chain.relations, r"\approx").index(r"\approx") + 1]
        back = exact[-1].xreplace(letters)
        assert back.shape == derivation.step(step).shape
        if not derivation[step].free_symbols and not back.free_symbols:
            assert list(map(from_sympy, back)) == list(map(from_sympy, derivation[step]))


ATOMS = st.sampled_from(
    [number(2), number(1, 3), number(-5, 7), number(0), E, call("sqrt", number(2))]
    + [symbol(x) for x in ("a", "b_1", "H_11", "W_Q_12", "tau", "x_max")]
)


def sums(x):
    return st.tuples(x, x).map(lambda p: p[0] + p[1])


def products(x):
    return st.tuples(x, x).map(lambda p: p[0] * p[1])


def quotients(x):
    return st.tuples(x, x).filter(lambda p: p[1] != number(0)).map(lambda p: p[0] / p[1])


def exponentials(x):
    return x.filter(lambda v: v.size < 4).map(lambda v: call("exp", v))


VALUES = st.recursive(
    ATOMS, lambda x: st.one_of(sums(x), products(x), quotients(x), exponentials(x)), max_leaves=6
)


@given(VALUES)
@settings(max_examples=150)
def test_values(value):
    text = write(value, LATEX)
    assert from_sympy(read_latex(text)) == value, text


@given(st.lists(st.lists(VALUES, min_size=2, max_size=2), min_size=1, max_size=3))
@settings(max_examples=30)
def test_matrices(rows):
    text = LATEX.matrix([[write(x, LATEX) for x in row] for row in rows])
    back = read_latex(text)
    assert [list(map(from_sympy, back.row(i))) for i in range(back.rows)] == rows


ENTRIES = st.sampled_from([0, 1, 2, -1, "1/2", "sqrt(2)", "-3/4", "0.1", "sqrt(3)/2", "1+sqrt(2)"])


@given(st.data(), st.integers(1, 3), st.integers(1, 2), st.sampled_from([None, "causal"]))
@settings(max_examples=25)
def test_derivations(data, n, d, mask):
    def matrix(rows):
        row = st.lists(ENTRIES, min_size=d, max_size=d)
        return data.draw(st.lists(row, min_size=rows, max_size=rows))

    try:
        derivation = attention(matrix(n), matrix(d), matrix(d), matrix(d), mask=mask)
    except InputError:
        return
    found = understood(derivation.latex())
    assert agree([f.reading for f in found]) >= n * d


def test_a_product_of_two_brackets_has_one_dot():
    """The scores 1, 2, -3/4 times each other: denominators in two factors, values of 0."""
    derivation = attention([[1], [2], ["-3/4"]], [[1]], [[1]], [[0]])
    text = derivation.latex()
    assert r"\right) \cdot \left(" in text and r"\cdot \cdot" not in text
    understood(text)


def test_products_in_an_exponent_read_back():
    a, b = symbol("a"), symbol("b_1")
    for value in (2 / (a * (b + 2)), (b + 2) / (a * (b - 2) * (b - 1))):
        power = call("exp", value)
        assert from_sympy(read_latex(write(power, LATEX))) == power


def test_printing_of_sympy_reads_back():
    x = symbol("x")
    value = to_sympy(x * x / number(2) + call("sqrt", number(2)) * x)
    assert read_latex(sympy.latex(value)) == value
