"""Every operation obeys the same laws; a row below puts an operation, with its options, under all.

A rule is read on kernel numbers, on SymPy's expressions and on unevaluated terms; the readings are
held against each other, against its formula and its notation (interpreted here, by code of the
tests' own), against floating point, and its pullback against SymPy's derivative.
"""

from dataclasses import dataclass, fields
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import numpy as np
import pytest
import sympy

from derive import InputError, ops
from derive.exact import NEG_INF, Matrix, NegativeInfinity, Scalar, matrix, number, symbol
from derive.exact.bridge import to_sympy
from derive.exact.ink import INLINE_LATEX, LATEX, PLAIN, RULER, UNICODE
from derive.exact.trace import (
    Apply,
    BigSum,
    Cases,
    Entry,
    Exponential,
    Indexed,
    MatrixProduct,
    Name,
    Negative,
    Product,
    Quotient,
    Row,
    Sum,
    Term,
    Transpose,
    Value,
    entries,
)
from derive.exact.write import write

half = number(1, 2)
root = number(2).sqrt()
BLOCKED = Matrix([[number(0), NEG_INF, number(0)], [NEG_INF, number(0), number(0)]])
WIDE = (matrix([[1, half, -2], [0, root, 3]]),)


@dataclass(frozen=True)
class Law:
    """An operation under the laws: more examples, its letters, and the upper ends of its sums."""

    op: Any
    letters: tuple[str, ...]
    result: str = "Y"
    bounds: tuple[tuple[str, int], ...] = ()
    """(letter of an upper end, column count of which input)."""
    more: tuple[tuple[Matrix, ...], ...] = ()

    @property
    def examples(self):
        return (*self.op.examples, *self.more)


ROWS = [
    Law(ops.Contributions(), ("A", "V"), "C"),
    Law(ops.Exponential(), ("S",), more=((Matrix([[NEG_INF, number(1)], [root, NEG_INF]]),),)),
    Law(ops.Linear(), ("X", "W"), bounds=(("d_model", 0),),
        more=((matrix([[root, half]]), matrix([[1], [root]])),)),
    Law(ops.Mask(), ("S",)),
    Law(ops.Mask(forbidden=BLOCKED), ("S",), more=(WIDE,)),
    Law(ops.Mask(forbidden=BLOCKED, value=number(-(10**9))), ("S",), more=(WIDE,)),
    Law(ops.Mask(forbidden=BLOCKED, value=number(-7), mode="replace"), ("S",), more=(WIDE,)),
    Law(ops.Mask(forbidden=BLOCKED, mode="replace"), ("S",), more=(WIDE,)),
    Law(ops.Mix(), ("A", "V"), "O", bounds=(("m", 0),)),
    Law(ops.RowSums(), ("E",), "Z", bounds=(("m", 0),)),
    Law(ops.Scale(), ("S",)),
    Law(ops.Scale(divisor=number(3)), ("S",)),
    Law(ops.Scale(divisor=symbol("tau"), spelled=None), ("S",)),
    Law(ops.Scale(root * symbol("tau"), spelled=symbol("d_k").sqrt() * symbol("tau")), ("S",)),
    Law(ops.Scores(), ("Q", "K"), "S", bounds=(("d_k", 0),)),
    Law(ops.Softmax(), ("S",), "A", bounds=(("m", 0),),
        more=((Matrix([[number(1), NEG_INF], [NEG_INF, root]]),), (matrix([[root, 0, -root]]),))),
    Law(ops.Transpose(), ("X",)),
]  # fmt: skip
# A mask of two rows and three columns does not fit the square example of its class.
CASES = [
    (row, example)
    for row in ROWS
    for example in row.examples
    if not (isinstance(row.op, ops.Mask) and row.op.forbidden.shape != example[0].shape)
]


def ids(case):
    row, example = case
    shown = {
        f.name: getattr(row.op, f.name)
        for f in fields(row.op)
        if isinstance(getattr(row.op, f.name), (str, Scalar))
    }
    options = ",".join(f"{k}={v}" for k, v in shown.items())
    sizes = "-".join("x".join(map(str, m.shape)) for m in example)
    return f"{type(row.op).__name__}({options})-{sizes}"


law = pytest.mark.parametrize("case", CASES, ids=ids)
option = pytest.mark.parametrize("row", ROWS, ids=lambda row: ids((row, ())))


# --- the table is whole


def test_every_operation_has_a_row():
    assert {type(row.op).__name__ for row in ROWS} == set(ops.__all__)


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
    assert all(any(case[0] is row for case in CASES) for row in ROWS)


# --- three readings of one rule


@law
def test_the_rule_on_numbers_is_what_the_mathematics_says(case):
    row, example = case
    value = row.op.rule(*example)
    expected = by_hand(row.op, [as_sympy(m) for m in example])
    assert value.shape == expected.shape
    assert as_sympy(value).equals(expected) or same(as_sympy(value), expected)


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
        evaluated = evaluate(term, Place(steps)) if isinstance(term, Term) else spelled(term)
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
    for i, line in enumerate(worked.rows, 1):
        for j, term in enumerate(line, 1):
            pairs = [
                (Entry(left, (i, k)), Entry(right, (j, k) if is_scores else (k, j)))
                for k in range(1, inner + 1)
            ]
            summands = term.terms if isinstance(term, Sum) else (term,)
            assert [s.factors for s in summands] == pairs


@law
def test_a_rowwise_rule_needs_one_row_of_the_first_input(case):
    row, (first, *others) = case
    if row.op.rowwise:
        value = row.op.rule(first, *others)
        for i, line in enumerate(first.rows):
            assert row.op.rule(Matrix([line]), *others).rows == value.rows[i : i + 1]


# --- gradients


@law
def test_the_pullback_is_the_derivative_of_the_rule(case):
    row, example = case
    letters, _ = sympy_letters(row, example)
    result = row.op.rule(*letters)
    seed = symbols("G", result.shape)
    finite = [g * y for g, y in zip(seed, as_sympy(result), strict=True) if y not in (-sympy.oo, 0)]
    gradients = row.op.pullback(seed, result, *letters)
    assert len(gradients) == len(letters)
    total = sympy.Add(*finite)
    for inputs, gradient in zip(letters, gradients, strict=True):
        assert gradient.shape == inputs.shape
        for x, g in zip(inputs, gradient, strict=True):
            if isinstance(x, sympy.Symbol):
                assert sympy.cancel(total.diff(x) - sympy.sympify(g)) == 0, (x, g)
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
def test_the_formula_at_every_entry_is_the_rule(case):
    row, example = case
    steps = dict(zip(row.letters, example, strict=True)) | mask_of(row)
    value = row.op.rule(*example)
    left, right = row.op.formula(Indexed(row.result), *map(Indexed, row.letters))
    assert isinstance(left, Entry) and left.step == row.result
    bounds = {letter: example[which].shape[1] for letter, which in row.bounds}
    for indices, exact in numbered(row, example, value):
        place = Place(steps, dict(zip(left.indices, indices, strict=True)), bounds)
        assert same_entry(evaluate(right, place), spelled(exact)), indices


@law
def test_the_notation_is_the_rule(case):
    row, example = case
    steps = dict(zip(row.letters, example, strict=True)) | mask_of(row)
    notation = row.op.notation(*map(Name, row.letters))
    value = as_sympy(row.op.rule(*example))
    if isinstance(row.op, ops.Contributions):
        n, m = example[0].shape
        lines = [
            evaluate(notation, Place(steps, {"i": i, "j": j}))
            for i in range(1, n + 1)
            for j in range(1, m + 1)
        ]
        assert sympy.Matrix.vstack(*lines) == value
    else:
        assert same(evaluate(notation, Place(steps)), value)


@option
@pytest.mark.parametrize("ink", [LATEX, INLINE_LATEX, UNICODE, PLAIN, RULER], ids=lambda i: i.name)
def test_formula_and_notation_are_terms_that_every_ink_writes(row, ink):
    notation = row.op.notation(*map(Name, row.letters))
    left, right = row.op.formula(Indexed(row.result), *map(Indexed, row.letters))
    for term in (notation, left, right):
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
            assert row.op.matrix() == mask_of(row)["mask"]


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


def in_numpy(op, xs, tau):
    match op:
        case ops.Contributions():
            a, v = xs
            return (a[:, :, None] * v[None, :, :]).reshape(-1, v.shape[1])
        case ops.Exponential():
            return np.exp(xs[0])
        case ops.Linear() | ops.Mix():
            return xs[0] @ xs[1]
        case ops.Mask(value=value, mode=mode):
            blocked = np.isneginf(np.array(as_sympy(op.forbidden).tolist(), dtype=float))
            to = float(to_sympy(value))
            return np.where(blocked, to if mode == "replace" else xs[0] + to, xs[0])
        case ops.RowSums():
            return xs[0].sum(axis=1, keepdims=True)
        case ops.Scale(divisor=divisor):
            return xs[0] / float(to_sympy(divisor).subs("tau", tau))
        case ops.Scores():
            return np.einsum("ic,jc->ij", xs[0], xs[1])
        case ops.Softmax():
            e = np.exp(xs[0] - xs[0].max(axis=1, keepdims=True))
            return e / e.sum(axis=1, keepdims=True)
        case ops.Transpose():
            return xs[0].T
    raise TypeError(op)


# --- the outside witness: the mathematics once more, in SymPy's own matrices


def by_hand(op, xs):
    match op:
        case ops.Contributions():
            a, v = xs
            places = [(i, j) for i in range(a.rows) for j in range(a.cols)]
            return sympy.Matrix.vstack(*(a[i, j] * v[j, :] for i, j in places))
        case ops.Exponential():
            return xs[0].applyfunc(sympy.exp)
        case ops.Linear() | ops.Mix():
            return xs[0] * xs[1]
        case ops.Mask(forbidden=forbidden, value=value, mode=mode):
            blocked, to = as_sympy(forbidden), to_sympy(value)
            return sympy.Matrix(
                *blocked.shape,
                lambda i, j: (
                    xs[0][i, j]
                    if blocked[i, j] == 0
                    else to
                    if mode == "replace"
                    else xs[0][i, j] + to
                ),
            )
        case ops.RowSums():
            return sympy.Matrix([sympy.Add(*xs[0][i, :]) for i in range(xs[0].rows)])
        case ops.Scale(divisor=divisor):
            return xs[0] / to_sympy(divisor)
        case ops.Scores():
            return xs[0] * xs[1].T
        case ops.Softmax():
            e = xs[0].applyfunc(sympy.exp)
            return sympy.Matrix(*e.shape, lambda i, j: e[i, j] / sympy.Add(*e[i, :]))
        case ops.Transpose():
            return xs[0].T
    raise TypeError(op)


# --- an interpretation of terms of the tests' own


@dataclass(frozen=True)
class Place:
    """Where a term is evaluated: matrices by letter, numbers for index letters and upper ends."""

    steps: dict
    indices: Any = None
    bounds: Any = None

    def at(self, index):
        return index if isinstance(index, int) else self.indices[index]

    def with_index(self, letter, k):
        return Place(self.steps, {**(self.indices or {}), letter: k}, self.bounds)


def evaluate(term, place):  # noqa: C901
    """A term in SymPy: a number for an entry, a matrix for notation."""
    again = lambda t: evaluate(t, place)  # noqa: E731
    match term:
        case Value(value):
            return spelled(value).subs("d_k", 2)
        case Entry(step, indices):
            i, j = (*map(place.at, indices), 1)[:2]
            return spelled(place.steps[step][i - 1, j - 1])
        case Row(step, index):
            return as_sympy(place.steps[step])[place.at(index) - 1, :]
        case Name("1"):
            (one,) = {m.shape[1] for m in place.steps.values()}
            return sympy.ones(one, 1)
        case Name(step):
            return as_sympy(place.steps[step])
        case Sum(terms):
            return plus(list(map(again, terms)))
        case Product(factors) | MatrixProduct(factors):
            return times(list(map(again, factors)))
        case Quotient(top, bottom):
            return again(top) / again(bottom)
        case Negative(inner):
            return -again(inner)
        case Exponential(inner):
            return sympy.exp(again(inner))
        case Transpose(inner):
            return again(inner).T
        case Apply("exp", inner):
            return again(inner).applyfunc(sympy.exp)
        case Apply("softmax", inner):
            return by_hand(ops.Softmax(), [again(inner)])
        case BigSum(body, index, upper):
            ks = range(1, place.bounds[upper] + 1)
            return plus([evaluate(body, place.with_index(index, k)) for k in ks])
        case Cases(rows):
            return first_case([tuple(map(again, row)) for row in rows])
    raise TypeError(f"no meaning for {type(term).__name__}")


def first_case(rows):
    """The first of each row where the other two are equal; of matrices, entry by entry."""
    shapes = {x.shape for row in rows for x in row if isinstance(x, sympy.MatrixBase)}
    if not shapes:
        return next(then for then, left, right in rows if left == right)
    (shape,) = shapes
    at = lambda x, i, j: x[i, j] if isinstance(x, sympy.MatrixBase) else x  # noqa: E731
    return sympy.Matrix(
        *shape, lambda i, j: first_case([tuple(at(x, i, j) for x in row) for row in rows])
    )


def plus(xs):
    first, *rest = xs
    for x in rest:
        first = first + x
    return first


def times(xs):
    first, *rest = xs
    for x in rest:
        first = first * x
    return first


# --- small things


def spelled(x):
    """An entry of any reading as a SymPy expression."""
    return to_sympy(x) if isinstance(x, (Scalar, NegativeInfinity)) else sympy.sympify(x)


def as_sympy(m):
    return sympy.Matrix([[spelled(x) for x in row] for row in m.rows])


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


def mask_of(row):
    """The matrix that a mask's formula calls M: what is added, or 0 and -oo where it replaces."""
    if not isinstance(row.op, ops.Mask):
        return {}
    forbidden, value, zero = row.op.forbidden, row.op.value, number(0)
    put = lambda m: value if isinstance(m, NegativeInfinity) else zero  # noqa: E731
    return {"mask": forbidden.map(put) if row.op.mode == "add" else forbidden}


def numbered(row, example, value):
    """(indices, entry) of a result, with the indices its formula counts by."""
    m = example[0].shape[1]
    for i, line in enumerate(value.rows, 1):
        for j, x in enumerate(line, 1):
            if isinstance(row.op, ops.RowSums):
                yield (i,), x
            elif isinstance(row.op, ops.Contributions):
                yield ((i - 1) // m + 1, (i - 1) % m + 1, j), x
            else:
                yield (i, j), x


def same(a, b):
    return a.shape == b.shape and all(map(same_entry, a, b))


def same_entry(a, b):
    return a == b or (not a.has(sympy.oo) and not b.has(sympy.oo) and sympy.simplify(a - b) == 0)
