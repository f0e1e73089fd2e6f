"""Every operation obeys the same laws; a row below puts an operation, with its options, under all.

A rule is read on kernel numbers, on SymPy's expressions and on unevaluated terms; the readings are
held against each other, against its formula and its notation (interpreted here, by code of the
tests' own), against floating point, and its pullback against SymPy's derivative.
"""

import re
from dataclasses import dataclass, fields, replace
from importlib import import_module
from itertools import product
from pkgutil import iter_modules
from typing import Any

import numpy as np
import pytest
import sympy
from flint import arb
from interpretation import Place, evaluate
from mathematics import BY_HAND, IN_NUMPY, by_hand, in_numpy
from spelled import as_sympy, same, same_entry, spelled, vanishes

from derive import InputError, ops
from derive.errors import Undecided
from derive.exact import (
    NEG_INF,
    Matrix,
    NegativeInfinity,
    Scalar,
    cos,
    grid,
    matrix,
    number,
    sin,
    symbol,
)
from derive.exact.ball import precision
from derive.exact.blank import Blank
from derive.exact.enclosure import Enclosures
from derive.exact.ink import INLINE_LATEX, LATEX, PLAIN, RULER, UNICODE
from derive.exact.trace import Entry, Indexed, Name, Sum, Term, entries
from derive.exact.typst_ink import Typst
from derive.exact.write import write

half = number(1, 2)
root = number(2).sqrt()
BLOCKED = Matrix([[number(0), NEG_INF, number(0)], [NEG_INF, number(0), number(0)]])
WIDE = (matrix([[1, half, -2], [0, root, 3]]),)


TURNED = ((matrix([[half, 1, 0], [half, 0, root]]), matrix([[1, 3], [0, -1]])),)


@dataclass(frozen=True)
class Law:
    """An operation under the laws: its letters, its sizes in letters, and more examples.

    A size is (letter, which input, 0 for its height or 1 for its width).
    """

    op: Any
    letters: tuple[str, ...]
    result: str = "Y"
    sizes: tuple[tuple[str, int, int], ...] = ()
    more: tuple[tuple[Matrix, ...], ...] = ()

    @property
    def examples(self):
        return (*self.op.examples, *self.more)


ROWS = [
    Law(ops.Affine(), ("X", "W", "b_1"), sizes=(("d_in", 0, 1), ("1", 0, 0))),
    Law(ops.Alibi(), ("S",), more=((matrix([[root], [1], [7]]),),)),
    Law(ops.Alibi(number(1, 16)), ("S",)),
    Law(ops.Columns(), ("X",), more=((matrix([[root, half]]),),)),
    Law(ops.Columns(2, 3), ("X",)),
    Law(ops.Columns(4, 4), ("X",)),
    Law(ops.ColumnSums(), ("E",), "Z", sizes=(("m", 0, 0), ("1", 0, 0))),
    Law(ops.Concat(), ("A", "V", "K"),
        more=((matrix([[root]]), matrix([[1, 2, half]]), matrix([[0]])),)),
    Law(ops.Contributions(), ("A", "V"), "C"),
    Law(ops.Contributions("columns"), ("A", "V"), "C", more=TURNED),
    Law(ops.CrossEntropy(), ("P",), "L",
        more=((matrix([[half, root / 4], [root / 2, number(1, 3)]]),),)),
    Law(ops.CrossEntropy((2, 2)), ("P",), "L"),
    Law(ops.Deviation(), ("var",), "sigma", more=((matrix([[root]]),),)),
    Law(ops.Deviation(number(1, 100000)), ("var",), "sigma", more=((matrix([[0], [root]]),),)),
    Law(ops.Deviation(number(1, 8), "outside"), ("var",), "sigma"),
    Law(ops.Deviation(place="outside"), ("var",), "sigma"),
    Law(ops.DivideRows(), ("X", "rms")),
    Law(ops.Embed(), ("W",)),
    Law(ops.Embed((3, 1, 3)), ("W",)),
    Law(ops.Exponential(), ("S",), more=((Matrix([[NEG_INF, number(1)], [root, NEG_INF]]),),)),
    Law(ops.Gain(), ("xhat", "gamma", "beta"), "N"),
    Law(ops.Gate(), ("G", "U")),
    Law(ops.Gelu(), ("X",)),
    Law(ops.Gelu("tanh"), ("X",)),
    Law(ops.LiftedDeviation(), ("var", "eps"), "sigma"),
    Law(ops.LiftedDeviation(place="outside"), ("var", "eps"), "sigma"),
    Law(ops.Linear(), ("X", "W"), sizes=(("d_model", 0, 1),),
        more=((matrix([[root, half]]), matrix([[1], [root]])),)),
    Law(ops.Mask(), ("S",)),
    Law(ops.Mask(forbidden=BLOCKED), ("S",), more=(WIDE,)),
    Law(ops.Mask(forbidden=BLOCKED, value=number(-(10**9))), ("S",), more=(WIDE,)),
    Law(ops.Mask(forbidden=BLOCKED, value=number(-7), mode="replace"), ("S",), more=(WIDE,)),
    Law(ops.Mask(forbidden=BLOCKED, mode="replace"), ("S",), more=(WIDE,)),
    Law(ops.Mean(), ("L",), "loss", sizes=(("n", 0, 0),)),
    Law(ops.MeanSquares(), ("X",), "ms", sizes=(("d", 0, 1),)),
    Law(ops.Mix(), ("A", "V"), "O", sizes=(("m", 0, 1),)),
    Law(ops.Normalize(), ("X", "mu", "sigma"), "xhat", sizes=(("1", 0, 1),)),
    Law(ops.Relu(), ("X",)),
    Law(ops.Relu(number(1, 100)), ("X",)),
    Law(ops.Residual(), ("X", "F"), "R"),
    Law(ops.Rotate(), ("Q",), sizes=(("d", 0, 1),)),
    Law(ops.Rotate(start=1), ("Q",), sizes=(("d", 0, 1),)),
    Law(ops.Rotate(base=100), ("Q",), sizes=(("d", 0, 1),)),
    Law(ops.Rotate(layout="halves"), ("Q",), sizes=(("d", 0, 1),),
        more=((matrix([[1, 2, 3, 4, 5, root]]),), (matrix([[0, 1, 2, half], [1, 1, 1, 1]]),))),
    Law(ops.RowMeans(), ("X",), "mu", sizes=(("d", 0, 1),)),
    Law(ops.RowSums(), ("E",), "Z", sizes=(("m", 0, 1), ("1", 0, 1))),
    Law(ops.Rows(), ("X",)),
    Law(ops.Rows(2, 3), ("X",)),
    Law(ops.Rows(4, 4), ("X",)),
    Law(ops.Scale(), ("S",)),
    Law(ops.Scale(divisor=number(3)), ("S",)),
    Law(ops.Scale(divisor=symbol("tau"), spelled=None), ("S",)),
    Law(ops.Scale(root * symbol("tau"), spelled=symbol("d_k").sqrt() * symbol("tau")), ("S",)),
    Law(ops.ScaleColumns(), ("X", "gamma"), "N"),
    Law(ops.Scores(), ("Q", "K"), "S", sizes=(("d_k", 0, 1),)),
    Law(ops.Scores("columns"), ("Q", "K"), "S", sizes=(("d_k", 0, 0),),
        more=((matrix([[1, root]]), matrix([[1, half, -3]])),)),
    Law(ops.Silu(), ("X",)),
    Law(ops.Sinusoid(), (), "PE"),
    Law(ops.Sinusoid(n=1, d=6), (), "PE"),
    Law(ops.Sinusoid(n=2, d=3), (), "PE"),
    Law(ops.Sinusoid(start=1), (), "PE"),
    Law(ops.Sinusoid(n=2, base=81), (), "PE"),
    Law(ops.Sinusoid(d=6, layout="halves"), (), "PE"),
    Law(ops.Softmax(), ("S",), "A", sizes=(("m", 0, 1),),
        more=((Matrix([[number(1), NEG_INF], [NEG_INF, root]]),), (matrix([[root, 0, -root]]),))),
    Law(ops.Softmax("columns"), ("S",), "A", sizes=(("m", 0, 0),),
        more=((Matrix([[number(1), NEG_INF], [NEG_INF, root]]),), (matrix([[root], [0], [-1]]),))),
    Law(ops.SquaredError(), ("X", "target"), "L", sizes=(("d", 0, 1),)),
    Law(ops.Temper(), ("S", "temperature")),
    Law(ops.Transpose(), ("X",)),
    Law(ops.Variance(), ("X", "mu"), "var", sizes=(("d", 0, 1),)),
    Law(ops.Variance(correction=1), ("X", "mu"), "var", sizes=(("d", 0, 1),)),
]  # fmt: skip
# A mask of two rows and three columns does not fit the square example of its class, nor do the last
# columns of a wide matrix a narrow one; and vectors as columns meet otherwise than as rows.
CASES = [
    (replace(row, letters=row.letters[: len(example)]), example)
    for row in ROWS
    for example in row.examples
    if not (isinstance(row.op, ops.Mask) and row.op.forbidden.shape != example[0].shape)
    if not (isinstance(row.op, ops.Columns) and row.op.last > example[0].shape[1])
    if not (row.op == ops.Scores("columns") and example[0].shape[0] != example[1].shape[0])
    if not (row.op == ops.Contributions("columns") and example[0].shape[0] != example[1].shape[1])
]


def ids(case):
    row, example = case
    shown = {
        f.name: getattr(row.op, f.name)
        for f in fields(row.op)
        if isinstance(getattr(row.op, f.name), (str, int, tuple, Scalar))
    }
    options = ",".join(f"{k}={v}" for k, v in shown.items())
    sizes = "-".join("x".join(map(str, m.shape)) for m in example)
    return f"{type(row.op).__name__}({options})-{sizes}"


def has_letters(op):
    """Whether an option is a symbol, which has no enclosure."""
    return isinstance(op, ops.Scale) and bool(op.divisor.free_symbols)


INKS = [LATEX, INLINE_LATEX, UNICODE, PLAIN, RULER, Typst()]
law = pytest.mark.parametrize("case", CASES, ids=ids)
CLOSED = [case for case in CASES if not has_letters(case[0].op)]
closed_law = pytest.mark.parametrize("case", CLOSED, ids=ids)
option = pytest.mark.parametrize("row", ROWS, ids=lambda row: ids((row, ())))


# --- the table is whole


def test_every_operation_has_a_row():
    assert {type(row.op).__name__ for row in ROWS} == set(ops.__all__)
    assert set(BY_HAND) == set(IN_NUMPY) == {type(row.op) for row in ROWS}


def test_every_operation_is_in_the_list():
    found = set()
    for module in iter_modules(ops.__path__):
        for name, value in vars(import_module(f"derive.ops.{module.name}")).items():
            if isinstance(value, type) and hasattr(value, "pullback"):
                found.add(name)
    assert found == set(ops.__all__)


def test_every_option_has_a_row_where_it_differs_from_its_default():
    for kind in {type(row.op) for row in ROWS}:
        for f in fields(kind):
            default = getattr(kind(), f.name)
            values = [getattr(row.op, f.name) for row in ROWS if type(row.op) is kind]
            assert any(repr(v) != repr(default) for v in values), (kind, f.name)


def test_every_row_has_a_case():
    assert all(any(case[0].op == row.op for case in CASES) for row in ROWS)


# --- three readings of one rule


@law
def test_the_rule_on_numbers_is_what_the_mathematics_says(case):
    row, example = case
    value = row.op.rule(*example)
    expected = by_hand(row.op, [as_sympy(m) for m in example])
    assert value.shape == expected.shape
    assert same(as_sympy(value), expected)


@law
def test_the_rule_on_sympy_entries_is_the_rule_on_numbers(case):
    row, example = case
    letters, stand_for = sympy_letters(row, example)
    general = as_sympy(row.op.rule(*letters))
    put_in = general.subs(stand_for)
    assert same(put_in, as_sympy(row.op.rule(*example)))


@law
def test_the_rule_on_kernel_letters_is_the_rule_on_numbers(case):
    row, example = case
    letters, stand_for = kernel_letters(row, example)
    general = row.op.rule(*letters)
    assert general.map(lambda x: x.substitute(stand_for)) == row.op.rule(*example)


@law
def test_the_worked_form_works_out_to_the_value(case):
    row, example = case
    steps = dict(zip(row.letters, example, strict=True))
    worked = row.op.rule(*(entries(n, m.shape) for n, m in steps.items()))
    value = row.op.rule(*example)
    assert worked.shape == value.shape
    for term, exact in zip(worked, value, strict=True):
        # A mask's own zeros and -oo stay values; everything else is a term.
        evaluated = evaluate(term, place(row, example)) if isinstance(term, Term) else spelled(term)
        assert same_entry(evaluated, spelled(exact))


PRODUCTS = [case for case in CASES if isinstance(case[0].op, (ops.Linear, ops.Scores, ops.Mix))]


@pytest.mark.parametrize("case", PRODUCTS, ids=ids)
def test_the_worked_form_is_written_in_the_order_of_the_rule(case):
    """Every entry of a sum of products names the entries in the order of the inner index."""
    row, example = case
    steps = dict(zip(row.letters, example, strict=True))
    worked = row.op.rule(*(entries(n, m.shape) for n, m in steps.items()))
    left, right = row.letters
    inner, is_scores = example[0].shape[1], isinstance(row.op, ops.Scores)
    is_turned = is_scores and row.op.along == "columns"
    if is_turned:  # key i with query j
        left, right, inner = right, left, example[0].shape[0]
    for i, line in enumerate(worked.rows, 1):
        for j, term in enumerate(line, 1):
            pairs = [
                (Entry(left, (k, i)), Entry(right, (k, j)))
                if is_turned
                else (Entry(left, (i, k)), Entry(right, (j, k) if is_scores else (k, j)))
                for k in range(1, inner + 1)
            ]
            summands = term.terms if isinstance(term, Sum) else (term,)
            assert [s.factors for s in summands] == pairs


@law
def test_a_rowwise_rule_needs_one_row_of_each_of_its_first_inputs(case):
    row, example = case
    by_rows, others = example[: row.op.rowwise], example[int(row.op.rowwise) :]
    value = row.op.rule(*example)
    for i in range(value.shape[0] if by_rows else 0):
        one_row = [Matrix([m.rows[i]]) for m in by_rows]
        assert row.op.rule(*one_row, *others).rows == value.rows[i : i + 1]


@law
def test_the_rule_on_sizes_has_the_shape_of_the_value(case):
    row, example = case
    assert row.op.rule(*(Blank(*m.shape) for m in example)).shape == row.op.rule(*example).shape


@closed_law
@pytest.mark.parametrize("bits", [53, 150])
def test_the_rule_on_enclosures_encloses_the_value(case, bits):
    """What SymPy says in many digits lies in the balls, and the balls are small."""
    row, example = case
    expected = by_hand(row.op, [as_sympy(m) for m in example])
    with precision(bits):
        balls = Enclosures.of(row.op.rule(*map(Enclosures.of, example)))
        assert balls.shape == expected.shape
        for ball, exact in zip(balls, expected, strict=True):
            if exact == -sympy.oo:
                assert ball == arb("-inf")
            else:
                assert ball.overlaps(arb(str(exact.evalf(60)), "1e-58"))
                assert ball.rad() <= abs(ball) * arb(2) ** (10 - bits)


# --- gradients


@law
def test_the_pullback_is_the_derivative_of_the_rule(case):
    row, example = case
    letters, stand_for = sympy_letters(row, example)
    result = row.op.rule(*letters)
    seed = symbols("seed", result.shape)
    finite = [g * y for g, y in zip(seed, as_sympy(result), strict=True) if y not in (-sympy.oo, 0)]
    gradients = row.op.pullback(seed, result, *letters)
    assert len(gradients) == len(letters)
    total = sympy.Add(*finite)
    for inputs, gradient in zip(letters, gradients, strict=True):
        assert gradient.shape == inputs.shape
        for x, g in zip(inputs, gradient, strict=True):
            if isinstance(x, sympy.Symbol):
                error = total.diff(x) - sympy.sympify(g)
                # Where a function has a kink, the derivatives are compared at the example's point.
                if sympy.cancel(error) != 0:
                    assert vanishes(sympy.expand(error.subs(stand_for))), (x, g)
            else:
                assert x == -sympy.oo and spelled(g) == 0


@law
def test_the_pullback_on_numbers_is_the_pullback_on_letters(case):
    row, example = case
    value = row.op.rule(*example)
    seed = matrix(
        [[number(3 * i - 2 * j + 1, i + j) for j in range(1, value.shape[1] + 1)]
         for i in range(1, value.shape[0] + 1)]
    )  # fmt: skip
    letters, stand_for = sympy_letters(row, example)
    general = row.op.pullback(as_given(seed), row.op.rule(*letters), *letters)
    exact = row.op.pullback(seed, value, *example)
    for ours, theirs, inputs in zip(exact, general, example, strict=True):
        assert ours.shape == inputs.shape
        assert same(as_sympy(ours), as_sympy(theirs).subs(stand_for))


# --- what is written about it


@law
def test_the_formulas_at_their_entries_are_the_rule(case):
    """An operation may have a second formula; together they say every entry, each once."""
    row, example = case
    value = as_sympy(row.op.rule(*example))
    said = []
    for left, right in formulas(row):
        assert isinstance(left, Entry) and left.step == row.result
        for indices, entry in numbered(row, left, example, value.shape):
            written = evaluate(right, place(row, example, indices))
            columns = range(1, value.cols + 1) if entry[1] == ":" else [entry[1]]
            parts = written if entry[1] == ":" else [written]
            for j, part in zip(columns, parts, strict=True):
                said.append((entry[0], j))
                assert same_entry(part, value[entry[0] - 1, j - 1]), indices
    assert sorted(said) == [(i + 1, j + 1) for i in range(value.rows) for j in range(value.cols)]


@law
def test_the_notation_is_the_rule(case):
    row, example = case
    notation = row.op.notation(*map(Name, row.letters))
    value = as_sympy(row.op.rule(*example))
    if isinstance(row.op, ops.Contributions):
        n, m = example[0].shape
        places = product(range(1, n + 1), range(1, m + 1))
        if row.op.along == "columns":
            places = sorted(places, key=lambda at: at[1])
        lines = [evaluate(notation, place(row, example, {"i": i, "j": j})) for i, j in places]
        stack = sympy.Matrix.hstack if row.op.along == "columns" else sympy.Matrix.vstack
        assert stack(*lines) == value
    elif isinstance(row.op, ops.Sinusoid):
        assert notation == Name("PE")
    else:
        assert same(evaluate(notation, place(row, example)), value)


@option
@pytest.mark.parametrize("ink", INKS, ids=lambda i: i.name)
def test_formula_and_notation_are_terms_that_every_ink_writes(row, ink):
    notation = row.op.notation(*map(Name, row.letters))
    for term in (notation, *(side for formula in formulas(row) for side in formula)):
        assert isinstance(term, Term)
        text = write(term, ink)
        assert text and text == text.strip()
        assert text.count("(") == text.count(")") and text.count("{") == text.count("}")


@pytest.mark.parametrize("kind", sorted(ops.__all__))
def test_an_operation_says_where_it_comes_from(kind):
    module = import_module(getattr(ops, kind).__module__)
    first = module.__doc__.strip().splitlines()[0]
    assert ":" in first and first.endswith(".")


def test_a_mask_holds_the_matrix_its_formula_speaks_of():
    for row in ROWS:
        if isinstance(row.op, ops.Mask):
            assert row.op.matrix() == mask_of(row.op)["mask"]


def test_distances_are_what_alibi_adds():
    assert ops.Alibi(half).matrix(2, 3) == matrix([[0, -half, -1], [-half, 0, -half]])


# --- mistakes


MISTAKES = [(kind, mistake) for kind in ops.__all__ for mistake in getattr(ops, kind).mistakes]


@pytest.mark.parametrize(("kind", "mistake"), MISTAKES, ids=lambda v: getattr(v, "name", v))
def test_a_mistake_is_a_mistake(kind, mistake):
    op = getattr(ops, kind)()
    differs = []
    for example in op.examples:
        try:
            wrong = mistake.rule(*example)
        except ValueError:
            continue  # shapes for which the mistake cannot even be made
        differs.append(not same(as_sympy(wrong), as_sympy(op.rule(*example))))
    assert any(differs)


def test_mistakes_have_names_of_their_own():
    for kind in ops.__all__:
        names = [m.name for m in getattr(ops, kind).mistakes]
        assert len(names) == len(set(names)) and all(names)


def test_a_row_without_spread_is_refused_where_no_eps_is_added():
    column = matrix([[1], [0], [2]])
    with pytest.raises(InputError, match="row 2 is 0/0"):
        ops.Deviation().rule(column)
    assert ops.Deviation(number(1, 4), "outside").rule(column)[1, 0] == number(1, 4)


def test_a_variance_that_is_not_known_to_be_above_zero_is_undecided():
    one = 2 * sin(number(1)) * cos(number(1)) / sin(number(2))
    with pytest.raises(Undecided, match="row 2"):
        ops.Deviation().rule(Matrix([[number(3)], [one - 1]]))


def test_the_sample_variance_of_one_feature_is_refused():
    with pytest.raises(InputError, match="sample variance of one feature"):
        ops.Variance(correction=1).rule(matrix([[3], [4]]), matrix([[3], [4]]))


@pytest.mark.parametrize(
    "rule",
    [
        lambda: ops.Rotate().rule(matrix([[1, 2, 3]])),
        lambda: ops.Rotate(layout="halves").rule(matrix([[1]])),
        lambda: ops.Sinusoid(d=3, layout="halves").rule(),
    ],
)
def test_what_has_no_pairs_is_not_turned(rule):
    with pytest.raises(InputError, match="pairs of columns"):
        rule()


def test_a_probability_of_zero_beside_the_target_has_a_gradient():
    P = matrix([[0, 1], [1, 0]])
    op = ops.CrossEntropy((2, 1))
    seed = matrix([[1], [3]])
    assert op.pullback(seed, op.rule(P), P) == (matrix([[0, -1], [-3, 0]]),)


def test_a_row_of_softmax_that_is_masked_throughout_is_refused():
    with pytest.raises(InputError, match="row 2 is masked throughout"):
        ops.Softmax().rule(Matrix([[number(1), NEG_INF], [NEG_INF, NEG_INF]]))


# --- floating point


@law
def test_floating_point_says_the_same(case):
    row, example = case
    tau = 1.75
    floats = [np.array(as_sympy(m).subs("tau", tau).tolist(), dtype=float) for m in example]
    ours = as_sympy(row.op.rule(*example)).subs("tau", tau)
    with np.errstate(invalid="raise"):
        theirs = in_numpy(row.op, floats, tau)
    np.testing.assert_allclose(np.array(ours.tolist(), dtype=float), theirs, rtol=1e-12, atol=1e-12)


# --- small things


def as_given(m):
    """A kernel matrix as a matrix of SymPy entries in our own vocabulary."""
    return Matrix([[spelled(x) for x in row] for row in m.rows])


def symbols(stem, shape):
    rows, columns = shape
    return Matrix([[sympy.Symbol(f"{stem}{i}_{j}") for j in range(columns)] for i in range(rows)])


def sympy_letters(row, example):
    """Matrices of SymPy symbols, -oo staying what it is, and what each symbol stands for."""
    letters, stand_for = [], {}
    for name, m in zip(row.letters, example, strict=True):
        free = symbols(name, m.shape)
        stand_for |= {x: spelled(v) for x, v in zip(free, m, strict=True)}
        letters.append(keeping_infinities(free, m, -sympy.oo))
    return letters, stand_for


def kernel_letters(row, example):
    """The same with the kernel's own symbols."""
    letters, stand_for = [], {}
    for name, m in zip(row.letters, example, strict=True):
        free = symbols(name, m.shape).map(lambda x: symbol(x.name))
        pairs = zip(free, m, strict=True)
        stand_for |= {str(x): v for x, v in pairs if isinstance(v, Scalar)}
        letters.append(keeping_infinities(free, m, NEG_INF))
    return letters, stand_for


def keeping_infinities(free, m, infinity):
    return free.where(m, infinity)


def formulas(row):
    """The formula of an operation, and the second where it has one."""
    letters = [Indexed(row.result), *map(Indexed, row.letters)]
    return [f(*letters) for f in (row.op.formula, getattr(row.op, "also", None)) if f]


def place(row, example, indices=None):
    """Where the terms of an operation on an example are evaluated."""
    steps = dict(zip(row.letters, example, strict=True)) | mask_of(row.op)
    if isinstance(row.op, ops.Alibi):
        steps["D"] = grid(*example[0].shape, lambda i, j: number(abs(i - j)))
    sizes = {letter: example[which].shape[axis] for letter, which, axis in row.sizes}
    if isinstance(row.op, ops.Sinusoid):
        sizes["d"] = row.op.d
    lists = {"t": getattr(row.op, "tokens", ()), "y": getattr(row.op, "targets", ())}
    return Place(steps, indices or {}, sizes, lists, row.op)


def mask_of(op):
    """The matrix that a mask's formula calls M: what is added, or 0 and -oo where it replaces."""
    if not isinstance(op, ops.Mask):
        return {}
    put = lambda m: op.value if isinstance(m, NegativeInfinity) else number(0)  # noqa: E731
    return {"mask": op.forbidden.map(put) if op.mode == "add" else op.forbidden}


def numbered(row, left, example, shape):
    """(numbers for the index letters, entry) for all that the left side of a formula can be."""
    letters = sorted(set(re.findall("[a-z]", "".join(left.indices))) - {"d"})
    for numbers in product(*(counted(row.op, letter, shape) for letter in letters)):
        indices = dict(zip(letters, numbers, strict=True))
        entry = entry_of(row, left, example, indices)
        if entry[0] <= shape[0] and (entry[1] == ":" or entry[1] <= shape[1]):
            yield indices, entry


def counted(op, letter, shape):
    """The numbers an index letter runs through: from 1, but pairs from 0 and positions from start.

    Those beyond the edge of the matrix are left out afterwards.
    """
    if letter == "p":
        return range(op.start, op.start + shape[0])
    if isinstance(op, (ops.Rotate, ops.Sinusoid)):
        return range((shape[1] + 1) // 2)
    return range(1, max(shape) + 1)


def entry_of(row, left, example, indices):
    """(row, column) of an entry; a vector's is in its one column, a number's in its one row."""
    if isinstance(row.op, ops.Contributions):
        if row.op.along == "columns":
            m, n = example[0].shape
            inside = indices["i"] <= m and indices["j"] <= n
            return indices["k"], (indices["j"] - 1) * m + indices["i"] if inside else 10**6
        m = example[0].shape[1]
        inside = indices["j"] <= m
        return (indices["i"] - 1) * m + indices["j"] if inside else 10**6, indices["k"]
    at = place(row, example, indices).at
    return (*(x if x == ":" else at(x) for x in left.indices), 1, 1)[:2]
