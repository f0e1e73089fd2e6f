"""Forward mode: the rules on dual numbers, against SymPy's derivatives and against the pullbacks.

Every operation of the table of operations is here again, row by row.
"""

import mpmath
import pytest
import sympy
from spelled import as_sympy, spelled, vanishes
from test_ops import CASES, ids, sympy_letters

from derive import InputError, builtin, derive
from derive.certify import Format, certified
from derive.exact import Matrix, NegativeInfinity, grid, matrix, number, symbol
from derive.exact.dual import SLOPES, Dual
from derive.exact.functions import FUNCTIONS, KINKS
from derive.gradients import differentiate
from derive.gradients.along import replaced
from derive.gradients.tangent import pushed, tangent_name

MOVING = [case for case in CASES if case[1]]
moving = pytest.mark.parametrize("case", MOVING, ids=ids)


def direction(shape, k):
    """Small fractions without a pattern that a transpose would keep."""
    return grid(*shape, lambda i, j: number(2 * i - 3 * j + k, i + j))


def change(op, example, directions):
    return op.rule(*(Dual(x, t) for x, t in zip(example, directions, strict=True))).change


def is_finite(x):
    return not isinstance(x, NegativeInfinity)


@moving
def test_the_pushforward_is_the_transpose_of_the_pullback(case):
    """<seed, change along a direction> is <pullback of the seed, direction>."""
    row, example = case
    directions = [direction(x.shape, k) for k, x in enumerate(example)]
    value = row.op.rule(*example)
    seed = direction(value.shape, 5)
    forward = change(row.op, example, directions)
    backward = row.op.pullback(seed, value, *example)
    assert forward.shape == value.shape
    ahead = sympy.Add(*map(sympy.Mul, as_sympy(seed), as_sympy(forward)))
    back = sympy.Add(*(
        g * t
        for x, gs, ts in zip(example, backward, directions, strict=True)
        for x, g, t in zip(x, as_sympy(gs), as_sympy(ts), strict=True)
        if is_finite(x)
    ))  # fmt: skip
    assert vanishes(sympy.expand(ahead - back))


@moving
def test_the_pushforward_is_sympys_derivative_entry_by_entry(case):
    row, example = case
    letters, stand_for = sympy_letters(row, example)
    directions = [direction(x.shape, k + 1) for k, x in enumerate(example)]
    general = as_sympy(row.op.rule(*letters))
    ours = as_sympy(change(row.op, example, directions))
    moved = [
        (x, as_sympy(matrix([[t]]))[0])
        for xs, ts in zip(letters, directions, strict=True)
        for x, t in zip(xs, ts, strict=True)
        if isinstance(x, sympy.Symbol)
    ]
    for y, found in zip(general, ours, strict=True):
        if y == -sympy.oo:
            assert found == 0
            continue
        expected = sympy.Add(*(sympy.diff(y, x) * t for x, t in moved)).subs(stand_for)
        assert vanishes(sympy.expand(expected - found)), (y, found)


@moving
def test_a_pullback_on_dual_numbers_is_a_second_derivative(case):
    """The change of the gradient of <seed, Y> along a direction, as SymPy differentiates it."""
    row, example = case
    letters, stand_for = sympy_letters(row, example)
    value = row.op.rule(*example)
    seed = direction(value.shape, 2)
    directions = [direction(x.shape, k + 2) for k, x in enumerate(example)]
    duals = [Dual(x, t) for x, t in zip(example, directions, strict=True)]
    ours = row.op.pullback(Dual(seed), row.op.rule(*duals), *duals)
    general = row.op.pullback(Matrix(as_sympy(seed).tolist()), row.op.rule(*letters), *letters)
    moved = [
        (x, as_sympy(matrix([[t]]))[0])
        for xs, ts in zip(letters, directions, strict=True)
        for x, t in zip(xs, ts, strict=True)
        if isinstance(x, sympy.Symbol)
    ]
    for found, gradient, inputs in zip(ours, general, example, strict=True):
        change_of = found.change if isinstance(found, Dual) else found * number(0)
        for x, y, g in zip(inputs, as_sympy(change_of), as_sympy(gradient), strict=True):
            if is_finite(x):
                expected = sympy.Add(*(sympy.diff(g, s) * t for s, t in moved)).subs(stand_for)
                # Exact equality of both would take SymPy's simplification minutes.
                assert abs((expected - y).evalf(50)) < sympy.Float("1e-40"), (x, y)


def test_every_function_of_the_kernel_has_a_slope():
    assert set(SLOPES) == set(FUNCTIONS) | {"relu"} == (set(FUNCTIONS) | set(KINKS)) - {"step"}


@pytest.mark.parametrize("function", sorted(set(SLOPES) - {"relu"}))
def test_a_slope_is_sympys(function):
    x = sympy.Symbol("x")
    spelling = {"erf": sympy.erf}.get(function) or getattr(sympy, function)
    found = Dual(matrix([[symbol("x")]]), matrix([[1]])).apply(function).change[0, 0]
    assert sympy.simplify(spelled(found) - spelling(x).diff(x)) == 0


def test_a_kink_has_the_slope_of_step():
    found = Dual(matrix([[-2, 0, 3]]), matrix([[1, 1, 1]])).apply("relu").change
    assert found == matrix([[0, 0, 1]])


# --- a whole derivation


def test_the_tangents_of_a_head_are_sympys_derivatives():
    """O along W_Q + x T, differentiated by SymPy in x at 0."""
    d = derive(builtin("head"))
    turn = matrix([[1, -2], [number(1, 2), 3]])
    x = sympy.Symbol("x")
    given = {name: as_sympy(d.step(name).value) for name in ("H", "W_Q", "W_K", "W_V")}
    scores = given["H"] * (given["W_Q"] + x * as_sympy(turn)) * (given["H"] * given["W_K"]).T
    powers = (scores / sympy.sqrt(2)).applyfunc(sympy.exp)
    weights = sympy.Matrix(3, 3, lambda i, j: powers[i, j] / sum(powers[i, :]))
    output = weights * given["H"] * given["W_V"]
    found = pushed(d, {"W_Q": turn})
    for ours, theirs in zip(found.step("tO").value, output.diff(x).subs(x, 0), strict=True):
        assert abs((theirs - spelled(ours)).evalf(60)) < sympy.Float("1e-50")


def test_a_hessian_vector_product_is_sympys():
    """The tangent of the gradient of O_11 by W_K along a direction of W_Q."""
    d = derive(builtin("head"))
    turn = matrix([[2, 1], [0, -1]])
    back = differentiate(d, "O[1][1]", ("W_K",)).derivation
    found = pushed(back, {"W_Q": turn}).step("tdW_K").value
    x = sympy.Symbol("x")
    keys = sympy.Matrix(2, 2, sympy.symbols("k:4"))
    given = {name: as_sympy(d.step(name).value) for name in ("H", "W_Q", "W_K", "W_V")}
    at = dict(zip(keys, given["W_K"], strict=True))
    queries = given["H"] * (given["W_Q"] + x * as_sympy(turn))
    scores = queries[0, :] * (given["H"] * keys).T / sympy.sqrt(2)
    powers = [sympy.exp(s) for s in scores]
    values = given["H"] * given["W_V"]
    output = sum(p * v for p, v in zip(powers, values[:, 0], strict=True)) / sum(powers)
    for k, ours in zip(keys, found, strict=True):
        expected = output.diff(k).diff(x).subs(x, 0).subs(at)
        assert abs((expected - spelled(ours)).evalf(60)) < sympy.Float("1e-50")


def test_digits_of_deep_tangents_are_those_of_a_difference_quotient():
    """A block with norms: the change of its last step along W_V, against moved blocks."""
    d = derive(builtin("block"))
    turn, last = direction(d.step("W_V").shape, 1), d.derived[-1].name
    found = pushed(d, {"W_V": turn}).step(tangent_name(last))
    ours = [c.digits for row in certified(found, Format(places=12)) for c in row]
    with mpmath.workdps(50):
        h = mpmath.mpf(10) ** -18
        ends = [moved_block(d, turn, last, side) for side in (1, -1)]
        quotient = [(a - b) / (2 * h) for a, b in zip(*ends, strict=True)]
        for text, value in zip(ours, quotient, strict=True):
            assert abs(mpmath.mpf(text) - value) < mpmath.mpf(10) ** -10


def moved_block(d, turn, last, side):
    """The last step with W_V moved a little, in 45 places."""
    little = turn * number(side, 10**18)
    moved = replaced(d, "W_V", matrix((d.step("W_V").value + little).rows))
    rows = certified(moved.step(last), Format(places=45))
    return [mpmath.mpf(c.digits) for row in rows for c in row]


def test_a_direction_has_to_fit():
    with pytest.raises(InputError, match="the direction is 1 x 2, and W_Q is 2 x 2"):
        pushed(derive(builtin("head")), {"W_Q": matrix([[1, 2]])})
    with pytest.raises(InputError, match="there is no step"):
        pushed(derive(builtin("head")), {"W_X": matrix([[1, 2]])})
