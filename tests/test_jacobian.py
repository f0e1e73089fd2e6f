"""Jacobians and sensitivities, against SymPy's derivatives of closed forms written here."""

import re
from functools import cache

import mpmath
import pytest
import sympy
from spelled import as_sympy, spelled, vanishes
from test_ops import CASES, ids

from derive import InputError, attention, builtin, derive
from derive.certify import Format, certified
from derive.exact import ZERO, Matrix, Scalar, grid, matrix, number
from derive.gradients.along import replaced
from derive.gradients.jacobian import jacobian, jacobians
from derive.gradients.op import Pull
from derive.gradients.softmax import softmax_row
from derive.pages import rendered
from derive.step import Step
from derive.views.jacobian import jacobian_page
from derive.views.sensitivity import sensitivity_page

SHAPES = {"H": (3, 2), "W_Q": (2, 2), "W_K": (2, 2), "W_V": (2, 2)}
SMALL = sympy.Float("1e-40")


@cache
def symbolic_head():
    return derive(builtin("head")), {
        name: sympy.Matrix(*shape, lambda i, j, name=name: sympy.Symbol(f"{name}_{i + 1}{j + 1}"))
        for name, shape in SHAPES.items()
    }


@cache
def output():
    """O of a head in letters, as one writes it by hand."""
    _, m = symbolic_head()
    scores = m["H"] * m["W_Q"] * (m["H"] * m["W_K"]).T / sympy.sqrt(2)
    powers = scores.applyfunc(sympy.exp)
    weights = sympy.Matrix(3, 3, lambda i, j: powers[i, j] / sum(powers[i, :]))
    return weights * m["H"] * m["W_V"]


@pytest.mark.parametrize("name", SHAPES)
def test_the_jacobian_of_the_output_is_sympys(name):
    d, m = symbolic_head()
    at = {x: v for k in SHAPES for x, v in zip(m[k], as_sympy(d.step(k).value), strict=True)}
    found = d.jacobian("O", name)
    assert found.shape == (6, m[name].rows * m[name].cols)
    for i, y in enumerate(output()):
        for j, x in enumerate(m[name]):
            assert abs((y.diff(x).subs(at) - found[i, j]).evalf(50)) < SMALL


def test_the_jacobian_of_a_symbolic_head_is_sympys():
    """In 18 letters, compared at rational places."""
    _, m = symbolic_head()
    letters = {k: [[str(x) for x in row] for row in m[k].tolist()] for k in SHAPES}
    found = attention(*letters.values()).jacobian("O", "W_K")
    letters = [x for k in SHAPES for x in m[k]]
    at = {x: sympy.Rational((7 * k) % 11 - 4, 5 + k % 3) for k, x in enumerate(letters)}
    for i, y in enumerate(output()):
        for j, x in enumerate(m["W_K"]):
            assert abs((y.diff(x).subs(at) - found[i, j].subs(at)).evalf(50)) < SMALL


def test_forwards_and_backwards_are_the_same():
    """Whichever has fewer sweeps is made; H alone has as many entries as O, S has more."""
    d = derive(builtin("head"))
    forward = jacobian(d, "scaled", "Q")
    (backward,) = (j for j in jacobians(d, "scaled", ("Q", "K", "W_Q", "W_K")) if j.by.name == "Q")
    assert forward.is_forward and not backward.is_forward
    assert forward.matrix == backward.matrix


def test_what_does_not_depend_has_a_zero_jacobian():
    d = derive(builtin("head"))
    assert set(d.jacobian("V", "W_Q")) == {0} == set(d.jacobian("Q", "O"))
    assert d.jacobian("S", "S") == sympy.eye(9)


def test_digits_of_a_deep_jacobian_are_those_of_a_difference_quotient():
    """N2 of a block by W_V: two blocks with one entry moved, in 45 places."""
    d = derive(builtin("block"))
    found = jacobian(d, "N2", "W_V").certified(Format(places=12))
    change = Matrix([[number(int((i, j) == (1, 0)), 10**18) for j in (0, 1)] for i in (0, 1)])
    value, (width, _) = d.step("W_V").value, d.step("W_V").shape
    assert width == 2
    moved = [replaced(d, "W_V", matrix((value + change * k).rows)) for k in (1, -1)]
    ends = [certified(m.step("N2"), Format(places=45)) for m in moved]
    with mpmath.workdps(50):
        above, below = ([mpmath.mpf(c.digits) for row in end for c in row] for end in ends)
        for row, a, b in zip(found, above, below, strict=True):
            quotient = (a - b) / 2 * mpmath.mpf(10) ** 18
            assert abs(mpmath.mpf(row[2].digits) - quotient) < mpmath.mpf(10) ** -10


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_a_gradient_asked_for_alone_is_the_same(case):
    """What one input needs is enough for its gradient, whatever stands for the rest."""
    row, example = case
    if not example:
        return
    names = (f"x{k}" for k in range(len(example)))
    inputs = tuple(Step.given(n, x) for n, x in zip(names, example, strict=True))
    step = Step("y", row.op, inputs)
    entries = [*step.value, *(x for m in example for x in m)]
    if not all(isinstance(x, Scalar) and x.is_number for x in entries):
        return
    seed = grid(*step.shape, lambda i, j: number(2 * i - j, 3))
    every = row.op.pullback(seed, step.value, *example)
    known = {"dy": seed, "y": step.value} | {s.name: s.value for s in inputs}
    for place, expected in enumerate(every):
        assert Pull(step, "dy", (place,))(known)[place] == expected


# --- softmax


def test_a_block_of_three_weights_is_what_numpy_would_say():
    """Eigenvalues of diag(a) - a a^T by mpmath's own routine."""
    row = derive(builtin("head")).step("A").value.rows[2]
    found = softmax_row(row)
    with mpmath.workdps(40):
        a = [mpmath.mpf(str(spelled(x).evalf(40))) for x in row]
        block = mpmath.matrix(3, 3)
        for i in range(3):
            for j in range(3):
                block[i, j] = (a[i] if i == j else 0) - a[i] * a[j]
        expected = sorted(mpmath.eigsy(block, eigvals_only=True))
        ours = sorted(mpmath.mpf(str(spelled(x).evalf(40))) for x in found.eigenvalues)
        assert abs(expected[0]) < mpmath.mpf(10) ** -30
        for x, y in zip(ours, expected[1:], strict=True):
            assert abs(x - y) < mpmath.mpf(10) ** -30
    assert found.rank == 2


def test_closed_eigenvalues_by_hand():
    """Equal weights 1/3 twice 1/3; halves 1/2; 1/4 and 3/4 have 2 * 3/16."""
    third, half = number(1, 3), number(1, 2)
    assert softmax_row([third] * 3).eigenvalues == (third, third)
    assert softmax_row([half, half]).eigenvalues == (half,)
    assert softmax_row([number(1, 4), ZERO, number(3, 4)]).eigenvalues == (number(3, 8),)
    assert softmax_row([number(1), ZERO]).rank == 0


def test_four_weights_have_bounds():
    """1/10 2/10 3/10 4/10: the largest eigenvalue of SymPy's matrix lies between 3/10 and 4/10."""
    weights = [number(k, 10) for k in range(1, 5)]
    found = softmax_row(weights)
    a = sympy.Matrix([sympy.Rational(k, 10) for k in range(1, 5)])
    block = sympy.diag(*a) - a * a.T
    assert as_sympy(found.jacobian) == block and found.rank == block.rank() == 3
    largest = max(sympy.re(x) for x in sympy.Poly(block.charpoly().as_expr()).nroots())
    assert found.eigenvalues is None
    assert spelled(found.bounds[0]) <= largest <= spelled(found.bounds[1])


def test_the_jacobian_of_a_softmax_row_is_the_formula():
    d = derive(builtin("head"))
    found = d.jacobian("A", "scaled")
    weights = as_sympy(d.step("A").value)
    for i in range(3):
        a = weights[i, :].T
        block = found[3 * i : 3 * i + 3, 3 * i : 3 * i + 3]
        assert all(map(vanishes, block - (sympy.diag(*a) - a * a.T)))


# --- pages


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("kind", ["terminal", "latex", "html", "markdown"])
def test_the_pages_say_what_was_worked_out(lang, kind):
    d = derive(builtin("head"))
    page = rendered(jacobian_page(d, "A", "S", Format(), lang), kind)
    # a_1 (1 - a_1)/sqrt(2) with a_1 = 0.401, by hand.
    assert "0.170" in page
    page = rendered(sensitivity_page(d, "O", "H", Format(), lang), kind)
    assert "0.978" in page and re.search("36", page)


def test_the_largest_sensitivity_is_the_largest_of_sympys():
    d, m = symbolic_head()
    at = {x: v for k in SHAPES for x, v in zip(m[k], as_sympy(d.step(k).value), strict=True)}
    sizes = {
        (i, j): abs(y.diff(x).subs(at).evalf(20))
        for i, y in enumerate(output())
        for j, x in enumerate(m["H"])
    }
    largest = max(sizes, key=lambda place: sizes[place])
    names = [f"[{k // 2 + 1}][{k % 2 + 1}]" for k in range(6)]
    page = rendered(sensitivity_page(d, "O", "H", Format(places=6), "en"), "terminal")
    first = next(line for line in page.splitlines() if "∂" in line)
    assert f"∂O{names[largest[0]]} / ∂H{names[largest[1]]}" in first
    assert f"{sizes[largest]:.6f}" in first


def test_symbols_have_no_sensitivity():
    d = derive(builtin("temperature"))
    with pytest.raises(InputError, match="have symbols"):
        sensitivity_page(d, "O", "H", Format(), "en")
    with pytest.raises(InputError, match="there is no step"):
        jacobian_page(d, "O", "X", Format(), "en")
