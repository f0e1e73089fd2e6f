"""The kernel: arithmetic, canonical form, decisions, carriers, SymPy's side, writing.

The outside witness of arithmetic is mpmath at 60 digits, with numbers put in for symbols; that of
writing is SymPy's own parser.
"""

import copy
import pickle
import re
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from threading import Barrier

import mpmath
import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tex import compile_source

from derive.certify import Certifier, Format
from derive.errors import InputError
from derive.exact import (
    FUNCTIONS,
    NEG_INF,
    PI,
    ZERO,
    E,
    Matrix,
    Scalar,
    call,
    exp,
    grid,
    letter,
    matrix,
    number,
    symbol,
)
from derive.exact.ball import sign
from derive.exact.bridge import from_sympy, to_sympy, to_sympy_matrix
from derive.exact.ink import INLINE_LATEX, LATEX, PLAIN, RULER, UNICODE
from derive.exact.letters import PRIMED, STEPS
from derive.exact.names import GREEK, GREEK_LETTERS, natural
from derive.exact.trace import Row
from derive.exact.typst_ink import Typst
from derive.exact.write import write

POINT = {"a": Fraction(3, 7), "b": Fraction(-5, 4), "x_1": Fraction(2, 9)}
INKS = (LATEX, INLINE_LATEX, UNICODE, PLAIN, RULER)
DPS = 60
SMALL = mpmath.mpf(10) ** -35
"""What is smaller than this, among numbers of the size drawn here, is zero."""


# --- expressions that are worked out twice

leaves = st.one_of(
    st.tuples(st.just("number"), st.integers(-9, 9), st.integers(1, 7)),
    st.tuples(st.just("root"), st.integers(0, 30)),
    st.tuples(st.just("symbol"), st.sampled_from(sorted(POINT))),
    st.tuples(st.just("e"), st.integers(-3, 3), st.integers(1, 3), st.sampled_from([1, 2, 3, 6])),
)
numeric_leaves = leaves.filter(lambda leaf: leaf[0] != "symbol")


def nodes(children):
    return st.one_of(
        st.tuples(st.sampled_from("+-*/"), children, children),
        st.tuples(st.just("neg"), children),
        st.tuples(st.just("pow"), children, st.integers(-2, 3)),
        st.tuples(st.just("exp"), leaves),
    )


trees = st.recursive(leaves, nodes, max_leaves=7)
numeric_trees = st.recursive(
    numeric_leaves,
    lambda c: st.one_of(st.tuples(st.sampled_from("+-*/"), c, c), st.tuples(st.just("neg"), c)),
    max_leaves=6,
)
polynomials = st.recursive(leaves, lambda c: st.tuples(st.sampled_from("+-*"), c, c), max_leaves=5)


def work_out(tree, leaf):
    """A tree under the arithmetic of whatever its leaves are."""
    match tree:
        case ("+", x, y):
            return work_out(x, leaf) + work_out(y, leaf)
        case ("-", x, y):
            return work_out(x, leaf) - work_out(y, leaf)
        case ("*", x, y):
            return work_out(x, leaf) * work_out(y, leaf)
        case ("/", x, y):
            return work_out(x, leaf) / work_out(y, leaf)
        case ("neg", x):
            return -work_out(x, leaf)
        case ("pow", x, k):
            return work_out(x, leaf) ** k
    return leaf(tree)


def kernel_leaf(leaf):
    match leaf:
        case ("number", p, q):
            return number(p, q)
        case ("root", n):
            return number(n).sqrt()
        case ("symbol", name):
            return symbol(name)
        case ("e", p, q, n):
            return (number(p, q) * number(n).sqrt()).exp()
        case ("exp", inner):
            return kernel_leaf(inner).exp()
    raise TypeError(leaf)


def mpmath_leaf(leaf):
    match leaf:
        case ("number", p, q):
            return mpmath.mpf(p) / q
        case ("root", n):
            return mpmath.sqrt(n)
        case ("symbol", name):
            return mpmath.mpf(POINT[name].numerator) / POINT[name].denominator
        case ("e", p, q, n):
            return mpmath.exp(mpmath.mpf(p) / q * mpmath.sqrt(n))
        case ("exp", inner):
            return mpmath.exp(mpmath_leaf(inner))
    raise TypeError(leaf)


def exact(tree):
    """The kernel's value; the example is given up where it divides by zero."""
    try:
        return work_out(tree, kernel_leaf)
    except ZeroDivisionError:
        assume(False)
        raise


def witness(tree):
    """mpmath's value at POINT; the example is given up where it is no number or far too large."""
    with mpmath.workdps(DPS):
        try:
            value = work_out(tree, mpmath_leaf)
        except ZeroDivisionError:
            assume(False)
            raise
        assume(abs(value) < mpmath.mpf(10) ** 15)
        return value


def at_point(expr):
    """A SymPy expression evaluated by mpmath at POINT."""
    free = {sympy.Symbol(n): sympy.Rational(f.numerator, f.denominator) for n, f in POINT.items()}
    with mpmath.workdps(DPS):
        return sympy.lambdify((), sympy.sympify(expr).xreplace(free), "mpmath")()


def close(a, b):
    with mpmath.workdps(DPS):
        return abs(a - b) <= SMALL * max(1, abs(b))


# --- arithmetic


@settings(max_examples=300)
@given(trees)
def test_arithmetic_is_right(tree):
    assert close(at_point(to_sympy(exact(tree))), witness(tree))


@settings(max_examples=150)
@given(trees)
def test_numbers_put_in_for_symbols(tree):
    point = {name: number(f.numerator, f.denominator) for name, f in POINT.items()}
    x = exact(tree)
    try:
        value = x.substitute(point)
    except ZeroDivisionError:
        assume(False)
        raise
    assert not value.free_symbols and value.is_number
    assert close(at_point(to_sympy(value)), witness(tree))


@settings(max_examples=150)
@given(trees, trees, trees)
def test_the_laws_of_a_ring(s, t, u):
    x, y, z = exact(s), exact(t), exact(u)
    assume(x.size * y.size * z.size < 4000)
    assert x + y == y + x and x * y == y * x
    assert (x + y) + z == x + (y + z)
    assert (x * y) * z == x * (y * z)
    assert x * (y + z) == x * y + x * z
    assert x + 0 == x == x * 1 and x - x == 0 and x * 0 == 0
    assert -x + x == 0 and 0 - (0 - x) == x and x - y == -(y - x)


@settings(max_examples=150)
@given(trees, trees)
def test_division_undoes_multiplication(s, t):
    x, y = exact(s), exact(t)
    assume(not y.is_zero and x.size * y.size < 1000)
    assert (x * y) / y == x and (x / y) * y == x
    assert y / y == 1 and 1 / (1 / y) == y


@given(trees)
def test_division_by_what_is_identically_zero(tree):
    x = exact(tree)
    with pytest.raises(ZeroDivisionError):
        number(1) / (x - x)


@given(trees, st.integers(0, 4))
def test_powers_are_repeated_products(tree, k):
    x = exact(tree)
    assume(x.size < 12)
    product = number(1)
    for _ in range(k):
        product = product * x
    assert x**k == product
    if not x.is_zero:
        assert x**-k == 1 / product


@settings(max_examples=150)
@given(polynomials, polynomials)
def test_exponentials_turn_sums_into_products(s, t):
    x, y = exact(s), exact(t)
    assume(x.size * y.size < 60)
    assert (x + y).exp() == x.exp() * y.exp()
    assert (-x).exp() * x.exp() == 1
    assert (3 * x).exp() == x.exp() ** 3


@pytest.mark.parametrize("function", ["exp", "log", "sqrt", "sin"])
def test_a_function_does_not_see_on_which_side_the_sign_is_written(function):
    a = symbol("a")
    assert call(function, 14 / (7 * a - 5)) == call(function, -14 / (5 - 7 * a))
    assert call(function, 14 / (7 * a - 5)) != call(function, 14 / (5 - 7 * a))


@given(st.integers(0, 10**6), st.integers(1, 10**4))
def test_the_root_of_a_rational_squares_to_it(p, q):
    root = number(p, q).sqrt()
    assert root * root == number(p, q)
    with mpmath.workdps(DPS):
        assert close(at_point(to_sympy(root)), mpmath.sqrt(mpmath.mpf(p) / q))


def test_radicals_in_a_denominator_are_rationalised():
    two, three, five = (number(n).sqrt() for n in (2, 3, 5))
    assert repr(1 / two) == "sqrt(2)/2"
    assert (1 / (two + three)).is_polynomial and 1 / (two + three) == three - two
    value = 1 / (1 + two + three + five)
    assert value.is_polynomial and value * (1 + two + three + five) == 1


def test_the_square_root_of_a_sum_squares_to_the_sum():
    root = (number(1) + number(2).sqrt()).sqrt()
    assert root * root == 1 + number(2).sqrt()
    assert root**4 == (1 + number(2).sqrt()) ** 2
    assert 1 / root * root == 1
    a = symbol("a")
    assert (a + 1).sqrt() ** 2 == a + 1


def test_ints_stand_on_either_side():
    x = symbol("a")
    assert 2 + x == x + 2 and 2 - x == -(x - 2) and 2 * x == x * 2 and (2 / x) * x == 2
    for wrong in (0.5, "1", None, 1j):
        with pytest.raises(TypeError):
            x + wrong
        with pytest.raises(TypeError):
            wrong * x
        assert x != wrong


def test_what_is_not_real_or_not_defined_is_refused():
    with pytest.raises(InputError):
        number(-2).sqrt()
    with pytest.raises(InputError):
        call("log", number(0))
    with pytest.raises(InputError):
        call("log", number(-1, 3))
    with pytest.raises(ZeroDivisionError):
        number(1, 0)
    with pytest.raises(ZeroDivisionError):
        ZERO**-1


# --- one form for one value


@settings(max_examples=150)
@given(polynomials, polynomials, polynomials)
def test_equal_sums_are_the_same_terms(s, t, u):
    x, y, z = exact(s), exact(t), exact(u)
    assume(x.size * y.size * z.size < 2000)
    one, other = (x + y) * z, z * y + z * x
    assert (one.num, one.den) == (other.num, other.den)
    assert hash(one) == hash(other) and repr(one) == repr(other)


@settings(max_examples=150)
@given(numeric_trees, numeric_trees)
def test_equality_is_equality_of_value(s, t):
    x, y = exact(s), exact(t)
    a, b = witness(s), witness(t)
    assert (x == y) == close(a, b)
    if x == y:
        assert hash(x) == hash(y)
    assert (x == 0) == close(a, 0) == (x.is_zero is True)


@given(trees)
def test_a_quotient_has_no_common_content_and_a_positive_lead(tree):
    x = exact(tree)
    coefficients = [*x.num.values(), *x.den.values()]
    if x.num:
        assert sympy.igcd(*coefficients, 0) == 1
    assert next(iter(x.den.values())) > 0
    assert all(coefficients)


@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 4), st.integers(1, 4))
def test_common_factors_in_one_power_of_e_are_cancelled(m, n, k, d):
    t = (number(2).sqrt() / d).exp()
    shared = t**k + n
    x = ((t**m + 1) * shared) / ((t + n) * shared)
    y = (t**m + 1) / (t + n)
    assert (x.num, x.den) == (y.num, y.den)


def test_softmax_is_written_over_one_denominator():
    half = number(2).sqrt() / 2
    row = matrix([[2 * half, half, 3 * half]])
    weights = exp(row).divide_rows(exp(row).row_sums())
    dens = {id(w.den) for w in weights}
    assert len(dens) == 1
    t = half.exp()
    assert list(weights) == [t / (t**2 + t + 1), 1 / (t**2 + t + 1), t**2 / (t**2 + t + 1)]


# --- what is decided, and what is not


a, b = symbol("a"), symbol("b")
root2 = number(2).sqrt()
DECISIONS = {
    "0": (ZERO, True),
    "1/3": (number(1, 3), False),
    "sqrt(2)^2 - 2": (root2 * root2 - 2, True),
    "sqrt(6) - sqrt(2) sqrt(3)": (number(6).sqrt() - root2 * number(3).sqrt(), True),
    "sqrt(8) - 2 sqrt(2)": (number(8).sqrt() - 2 * root2, True),
    "e^2 - e e": (number(2).exp() - E * E, True),
    "e - 3": (E - 3, False),
    "e^sqrt(2) - e": (root2.exp() - E, False),
    "(a + b)^2 - a^2 - 2 a b - b^2": ((a + b) ** 2 - a * a - 2 * a * b - b * b, True),
    "a - b": (a - b, False),
    "e^(a + b) - e^a e^b": ((a + b).exp() - a.exp() * b.exp(), True),
    "pi - 22/7": (PI - number(22, 7), False),
    "pi^2 - pi pi": (PI**2 - PI * PI, True),
    "e^pi - 23": (PI.exp() - 23, None),
    "pi + e": (PI + E, None),
    "e^pi - e^pi": (PI.exp() - PI.exp(), True),
    "log(2) - 1/2": (call("log", number(2)) - number(1, 2), None),
    "log(2) - log(2)": (call("log", number(2)) - call("log", number(2)), True),
    "sin(1)": (call("sin", number(1)), None),
    "sin(0)": (call("sin", ZERO), True),
    "cos(0) - 1": (call("cos", ZERO) - 1, True),
    "log(e^2) - 2": (call("log", number(2).exp()) - 2, True),
    "e^log(3) - 3": (call("log", number(3)).exp() - 3, True),
    "tanh(0) + erf(0)": (call("tanh", ZERO) + call("erf", ZERO), True),
    "e^(e)": (E.exp(), None),
    "sqrt(1 + sqrt(2))": ((1 + root2).sqrt(), None),
}


@pytest.mark.parametrize("name", DECISIONS)
def test_whether_it_is_zero(name):
    value, decided = DECISIONS[name]
    assert value.is_zero is decided


@pytest.mark.parametrize("name", [n for n, (v, _) in DECISIONS.items() if v.is_number])
def test_no_decision_is_against_the_number(name):
    value, decided = DECISIONS[name]
    with mpmath.workdps(DPS):
        size = abs(at_point(to_sympy(value)))
    assert (size < SMALL) == (decided is True)
    assert sign(value) == (0 if decided else int(mpmath.sign(at_point(to_sympy(value)))))


def test_a_hidden_zero_has_no_sign():
    assert sign((3 + 2 * root2).sqrt() - root2 - 1, 512) is None


@given(trees)
def test_free_symbols_and_numbers(tree):
    x = exact(tree)
    assert x.free_symbols <= POINT.keys()
    assert x.is_number == (not x.free_symbols)
    assert {s.name for s in to_sympy(x).free_symbols} <= x.free_symbols


def test_size_and_bits():
    assert (number(5).size, number(5).bits, (a + b + 1).size) == (1, 3, 3)
    assert number(1, 1 << 80).bits == 81 and symbol("a").bits == 1
    assert (a + b).exp().size >= 2 and (1 / (a + b + 1)).size >= 4


# --- minus infinity


def test_minus_infinity():
    assert NEG_INF + a is NEG_INF and a + NEG_INF is NEG_INF and NEG_INF + 3 is NEG_INF
    assert NEG_INF.exp() == 0 and exp(NEG_INF).is_zero
    assert NEG_INF.substitute({"a": number(1)}) is NEG_INF
    assert repr(NEG_INF) == "-oo" and not NEG_INF.free_symbols
    assert NEG_INF == NEG_INF and a != NEG_INF and a != NEG_INF


# --- letters


def test_a_letter_stands_for_its_value():
    value = a * b + 1
    s = letter("S", 1, 2, value)
    assert s.free_symbols == {"a", "b"} and s.substitute({"a": ZERO}) == 1
    assert to_sympy(s.exp()) == sympy.exp(to_sympy(value))
    assert write(s, PLAIN) == "S_12" and write(s, LATEX) == "S_{12}"


# --- carriers of matrices

entry = st.one_of(
    st.integers(-9, 9).map(number),
    st.tuples(st.integers(-9, 9), st.integers(1, 6)).map(lambda f: number(*f)),
    st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.sampled_from([2, 3, 6])).map(
        lambda t: number(t[0]) + number(t[1], 2) * number(t[2]).sqrt()
    ),
)


def rows(n, m):
    return st.lists(st.lists(entry, min_size=m, max_size=m), min_size=n, max_size=n)


sizes = st.tuples(*[st.integers(1, 3)] * 3)
pairs = sizes.flatmap(lambda s: st.tuples(rows(s[0], s[1]), rows(s[1], s[2]), rows(s[0], s[1])))


@settings(max_examples=150)
@given(pairs, entry)
def test_both_carriers_say_the_same(pair, scalar):
    fast, plain = ([kind(r) for r in pair] for kind in (matrix, Matrix))
    assert type(fast[0]) is not type(plain[0])
    operations = [
        lambda x, y, z: x,
        lambda x, y, z: x @ y,
        lambda x, y, z: x + z,
        lambda x, y, z: x - z,
        lambda x, y, z: x * z,
        lambda x, y, z: x * scalar,
        lambda x, y, z: x.T,
        lambda x, y, z: -x,
        lambda x, y, z: exp(x),
        lambda x, y, z: x.row_sums(),
        lambda x, y, z: exp(x).divide_rows(exp(x).row_sums()) @ y,
        lambda x, y, z: x @ exp(y),
        lambda x, y, z: exp(x) @ y.T.T,
        lambda x, y, z: x.where(blocked(x.shape), NEG_INF),
        lambda x, y, z: x.map(lambda e: e * e),
        lambda x, y, z: x + z.row_sums(),
    ]
    if not scalar.is_zero:
        operations.append(lambda x, y, z: x / scalar)
    for operation in operations:
        one, other = operation(*fast), operation(*plain)
        assert one.shape == other.shape and one == other and repr(one) == repr(other)
        mixed = operation(fast[0], plain[1], plain[2])
        assert mixed == one == operation(plain[0], fast[1], fast[2])
    assert fast[0].zero_row() == plain[0].zero_row()
    assert hash(fast[0]) == hash(plain[0]) and fast[0] == plain[0]


def blocked(shape):
    return grid(*shape, lambda i, j: NEG_INF if (i + j) % 2 else ZERO)


@settings(max_examples=60)
@given(pairs)
def test_matrix_products_are_sympys(pair):
    x, y, _ = (matrix(r) for r in pair)
    product = to_sympy_matrix(x) * to_sympy_matrix(y)
    assert to_sympy_matrix(x @ y).expand() == product.expand()


def test_large_integers_and_many_roots():
    big = 10**30
    rows_ = [[number(big + i * j).sqrt() + number(1, big + i) for j in (1, 2)] for i in (1, 2)]
    assert matrix(rows_) @ matrix(rows_) == Matrix(rows_) @ Matrix(rows_)


def test_a_matrix_cannot_be_changed():
    m = matrix([[1, 2], [3, 4]])
    with pytest.raises(TypeError):
        m[0, 0] = number(5)
    assert list(m) == [1, 2, 3, 4] and m[1, 0] == 3 and m.shape == (2, 2)


def test_shapes_that_do_not_fit_are_refused():
    for kind in (lambda r: matrix(r), lambda r: Matrix([[number(x) for x in row] for row in r])):
        x, y = kind([[1, 2]]), kind([[1, 2, 3]])
        for operation in (lambda p, q: p @ q, lambda p, q: p + q, lambda p, q: p * q):
            with pytest.raises(ValueError, match=r".+"):
                operation(x, y)


def test_a_row_of_zeros_is_found():
    assert matrix([[0, 1], [0, 0]]).zero_row() == 2
    assert Matrix([[a, ZERO], [ZERO, ZERO]]).zero_row() == 2
    assert matrix([[1]]).zero_row() is None


# --- to SymPy and back


@settings(max_examples=200)
@given(trees)
def test_there_and_back(tree):
    x = exact(tree)
    assert from_sympy(to_sympy(x)) == x


@pytest.mark.parametrize(
    "text",
    [
        "1/3", "sqrt(2)/2", "-2*pi", "a**2 + 1", "1/(a + sqrt(3))", "exp(a*sqrt(2)) - E",
        "log(2)", "sin(a)**2", "tanh(1/2)", "erf(sqrt(2)/2)", "sqrt(1 + sqrt(2))", "exp(1/(a + 1))",
        "2**(3/2)", "5**(-1/2)", "(a + 1)**(-3)", "cos(pi/7)", "tan(1)",
    ],
)  # fmt: skip
def test_what_sympy_users_bring(text):
    expr = sympy.sympify(text)
    assert sympy.simplify(to_sympy(from_sympy(expr)) - expr) == 0


@pytest.mark.parametrize(
    "expr",
    [
        sympy.Float("0.5"), sympy.I, sympy.oo, sympy.nan, sympy.zoo, sympy.Symbol("a") ** 0.5,
        sympy.gamma(3 + sympy.Symbol("a")), 2 ** sympy.Rational(1, 3), sympy.Symbol("a") ** 5000,
        sympy.sqrt(-2), sympy.Abs(sympy.Symbol("a")), sympy.exp(sympy.I),
        sympy.Symbol("a") - sympy.oo,
    ],
)  # fmt: skip
def test_what_the_kernel_does_not_carry_is_refused(expr):
    with pytest.raises(InputError):
        from_sympy(expr)


def test_minus_infinity_crosses():
    assert from_sympy(-sympy.oo) is NEG_INF and to_sympy(NEG_INF) == -sympy.oo


def test_a_scalar_meets_sympy_expressions():
    x = sympy.Symbol("x")
    assert x + number(1, 2) == x + sympy.Rational(1, 2)
    assert x * root2 == sympy.sqrt(2) * x
    assert sympy.sympify(a / (a + 1)) == sympy.Symbol("a") / (sympy.Symbol("a") + 1)


# --- writing


def parsed(text):
    """What SymPy's own parser makes of it."""
    return sympy.sympify(text, {name: sympy.Symbol(name) for name in POINT})


@settings(max_examples=250)
@given(trees)
def test_plain_text_is_read_back_by_sympy(tree):
    assert close(at_point(parsed(write(exact(tree), PLAIN))), witness(tree))


@settings(max_examples=200)
@given(trees)
def test_unicode_says_the_same(tree):
    """The terminal's signs, put back into ASCII one for one, are read back as the same value."""
    text = write(exact(tree), UNICODE)
    assert close(at_point(parsed(ascii_of(text))), witness(tree)), text


SUPERSCRIPT = {ord(s): d for s, d in zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-", strict=True)}
TOKEN = re.compile("(?P<power>[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)|(?P<atom>[0-9]+|x₁|[abe])|(?P<sign>[-()+−/·^√ ])")
SIGNS = {"−": "-", "·": "*", "^": "**", "√": "sqrt", " ": ""}
SPELLED = {"x₁": "x_1", "e": "E"}


def ascii_of(text):
    """The line in SymPy's spelling: one sign for each, and the products that go without one."""
    out, position, before = "", 0, ""
    while position < len(text):
        found = TOKEN.match(text, position)
        assert found, f"{text[position:]!r} in {text!r}"
        token, position = found[0], found.end()
        if before and (found["atom"] or token in "(√") and (before == "atom" or before == ")"):
            out += "*"
        if found["power"]:
            out += f"**({token.translate(SUPERSCRIPT)})"
        elif before == "√" and token.isdigit():
            out += f"({token})"
        else:
            out += SIGNS.get(token) if token in SIGNS else SPELLED.get(token, token)
        before = "atom" if found["atom"] or found["power"] else token
    return out


@settings(max_examples=100)
@given(trees)
def test_latex_has_balanced_brackets(tree):
    text = write(exact(tree), LATEX)
    assert text.count("{") == text.count("}")
    assert text.count(r"\left(") == text.count(r"\right)")
    assert "**" not in text and "--" not in text and "+ -" not in text


@pytest.mark.parametrize(
    ("value", "latex", "unicode", "plain"),
    [
        (ZERO, "0", "0", "0"),
        (number(-1, 2), r"-\frac{1}{2}", "−1/2", "-1/2"),
        (root2 / 2, r"\frac{\sqrt{2}}{2}", "√2/2", "sqrt(2)/2"),
        (3 * root2 / 2, r"\frac{3 \sqrt{2}}{2}", "3√2/2", "3*sqrt(2)/2"),
        (1 + root2, r"1 + \sqrt{2}", "1 + √2", "1 + sqrt(2)"),
        ((root2 / 2).exp(), r"e^{\sqrt{2}/2}", "e^(√2/2)", "exp(sqrt(2)/2)"),
        (E, "e", "e", "E"),
        (E**2, "e^{2}", "e²", "exp(2)"),
        (a**2 * b, "a^{2} b", "a²b", "a**2*b"),
        (-(a + b), "-a - b", "−a − b", "-a - b"),
        ((a + 1) / (b - 1), r"\frac{a + 1}{b - 1}", "(a + 1)/(b − 1)", "(a + 1)/(b - 1)"),
        (2 * PI, r"2 \pi", "2π", "2*pi"),
        (call("log", number(2)), r"\ln\left(2\right)", "ln(2)", "log(2)"),
        (NEG_INF, r"-\infty", "−∞", "-oo"),
        (symbol("tau"), r"\tau", "τ", "tau"),
        (symbol("x_12"), "x_{12}", "x₁₂", "x_12"),
        (symbol("W_Q_11"), "W^{Q}_{11}", "W_Q₁₁", "W_Q_11"),
        (symbol("lamda"), r"\lambda", "λ", "lamda"),
    ],
)
def test_how_it_is_written(value, latex, unicode, plain):
    assert [write(value, ink) for ink in (LATEX, UNICODE, PLAIN)] == [latex, unicode, plain]


# --- tables, row by row


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_in_every_respect(name):
    value = call(name, number(1, 3) + a)
    of_sympy = getattr(sympy, name)(sympy.Rational(1, 3) + sympy.Symbol("a"))
    # Content stands before our roots: sqrt(9a + 3)/3 is sqrt(a + 1/3).
    assert sympy.radsimp(to_sympy(value) ** 2 - of_sympy**2) == 0
    assert to_sympy(value).subs("a", 2).evalf() == of_sympy.subs("a", 2).evalf()
    assert from_sympy(of_sympy) == value
    assert parsed(write(value, PLAIN)) == to_sympy(value)
    for ink in INKS:
        text, kept = write(value, ink), "3" if name == "sqrt" else "1"
        assert "a" in text and kept in text
    at_third = call(name, number(1, 3))
    with mpmath.workdps(DPS):
        expected = getattr(mpmath, name)(mpmath.mpf(1) / 3)
    assert close(at_point(to_sympy(at_third)), expected)
    assert value.substitute({"a": ZERO}) == at_third
    assert sign(at_third) == int(mpmath.sign(expected))


@pytest.mark.parametrize("name", STEPS)
def test_every_step_in_every_ink(name):
    stem, above, unicode, identifier = STEPS[name]
    is_below = above.startswith("_")
    latex = f"{stem}_{{{above[1:]}}}" if is_below else f"{stem}^{{{above}}}" if above else stem
    assert identifier.isidentifier() and latex.count("{") == latex.count("}")
    for ink in INKS:
        assert ink.step(name) in (latex, unicode, identifier)
        single, double = ink.entry(name, ("1", "2")), ink.entry(name, ("1", "12"))
        letter = f"({ink.step(name)})" if is_below and ink is not PLAIN else ink.step(name)
        assert single.startswith(letter) and single != double
    assert PLAIN.entry(name, ("1", "2")).isidentifier()


def test_steps_are_told_apart_in_every_ink():
    parts = ("", "^(1)", "^(2)")
    names = [
        layer + name + head for layer in ("", "L1.", "dec.") for name in STEPS for head in parts
    ]
    names += [f"{name}{k}" for name in PRIMED for k in (1, 2, 3)]
    for ink in (*INKS, Typst()):
        spelled = [ink.step(name) for name in names]
        assert len(set(spelled)) == len(spelled)


@pytest.mark.parametrize(
    ("name", "latex", "unicode", "identifier", "typst"),
    [
        ("A^(2)", "A^{(2)}", "A⁽²⁾", "A_h2", 'A^"(2)"'),
        ("K^T^(1)", r"K^{(1)\top}", "Kᵀ⁽¹⁾", "KT_h1", 'K^("(1)" ⊤)'),
        ("W_Q^(1)", "W^{Q(1)}", "W_Q⁽¹⁾", "W_Q_h1", 'W^(Q "(1)")'),
        ("L2.W_1", "W_{1}^{[2]}", "L2.W₁", "L2_W1", 'W_1^"[2]"'),
        ("L2.N1", r"N^{\prime[2]}", "L2.N′", "L2_N1", 'N\'^"[2]"'),
        ("dec.L1.A", r"A^{\mathrm{dec}[1]}", "dec.L1.A", "dec_L1_A", 'A^"dec[1]"'),
    ],
)
def test_layers_parts_and_heads(name, latex, unicode, identifier, typst):
    assert LATEX.step(name) == latex and UNICODE.step(name) == unicode
    assert PLAIN.step(name) == identifier and Typst().step(name) == typst


@pytest.mark.parametrize(
    ("ink", "expected"),
    [
        (LATEX, ["v_{2}", "v^{(1)}_{2}", "v^{[2](1)}_{2}", "(W_{1})_{12}"]),
        (UNICODE, ["v₂", "v⁽¹⁾₂", "L2.v⁽¹⁾₂", "(W₁)₁₂"]),
        (Typst(), ['v_"2"', 'v^"(1)"_"2"', 'v^"[2](1)"_"2"', '(W_1)_"12"']),
    ],
)
def test_rows_are_small_letters_and_numbered_letters_stand_in_brackets(ink, expected):
    rows = [write(Row(step, 2), ink) for step in ("V", "V^(1)", "L2.V^(1)")]
    assert [*rows, ink.entry("W_1", ("1", "2"))] == expected


def test_entries_are_told_apart():
    """S_1_12 and S_11_2 are two entries in every ink."""
    for ink in INKS:
        assert len({ink.entry("S", p) for p in [("1", "12"), ("11", "2"), ("1", "1")]}) == 3


@pytest.mark.parametrize("name", GREEK)
def test_every_greek_letter(name):
    spelled = unicodedata.name(GREEK_LETTERS[name]).lower()
    word = name.lower().replace("lambda", "lamda")
    assert spelled == f"greek {'capital' if name[0].isupper() else 'small'} letter {word}"
    command = "\\" + name.replace("lamda", "lambda")
    assert LATEX.symbol(name) == command and UNICODE.symbol(name) == GREEK_LETTERS[name]
    assert LATEX.symbol(f"{name}_1") == f"{command}_{{1}}"


@pytest.mark.tex
def test_all_that_the_tables_hold_compiles():
    values = [call(name, a) for name in FUNCTIONS]
    texts = [write(v, ink) for v in values for ink in (LATEX, INLINE_LATEX)]
    texts += [LATEX.step(n) for n in STEPS] + [LATEX.entry(n, ("1", "12")) for n in STEPS]
    texts += [LATEX.symbol(n) for n in GREEK] + [LATEX.symbol(f"{n}_max") for n in GREEK]
    body = "\n\n".join(f"${text}$" for text in texts)
    packages = r"\usepackage{amsmath}"
    page = rf"\documentclass{{article}}{packages}\begin{{document}}{body}\end{{document}}"
    assert compile_source(page) == []


def test_names_sort_by_their_numbers():
    names = ["S_10", "S_2", "A_1", "S_1"]
    assert sorted(names, key=natural) == ["A_1", "S_1", "S_2", "S_10"]


# --- copies and threads


@given(trees)
def test_a_copy_is_the_same(tree):
    x = exact(tree)
    for twin in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x)):
        assert isinstance(twin, Scalar)
        assert twin == x and repr(twin) == repr(x) and hash(twin) == hash(x)
        assert twin.num == x.num and twin.den == x.den


def test_copies_of_matrices_and_of_minus_infinity():
    for m in (matrix([[1, root2]]), Matrix([[a, NEG_INF]])):
        for twin in (pickle.loads(pickle.dumps(m)), copy.deepcopy(m)):
            assert twin == m and twin.shape == m.shape
    assert pickle.loads(pickle.dumps(NEG_INF)) is NEG_INF and copy.deepcopy(NEG_INF) is NEG_INF


def test_threads_build_the_same_values():
    """Several threads at once, over fresh monomials: equal values stay one form, and comparable."""
    count = 6
    start = Barrier(count)

    def work(_):
        start.wait()
        values = []
        for k in range(1, 60):
            t = (number(k, 97).exp() + symbol(f"thread_{k}")) * number(k).sqrt()
            values.append((t + 1) ** 2 / (t * t + k))
        return values

    with ThreadPoolExecutor(count) as pool:
        results = list(pool.map(work, range(count)))
    assert all(found == results[0] for found in results)
    assert all([repr(x) for x in found] == [repr(x) for x in results[0]] for found in results)


def test_threads_prove_the_same_digits():
    count = 4
    start = Barrier(count)
    values = [number(k, 7).exp() / (number(k).sqrt() + E) for k in range(1, 40)]

    def work(digits):
        start.wait()
        certifier = Certifier()
        return [certifier.certify(v, Format(digits=digits)).digits for v in values]

    wanted = [10, 60, 10, 200]
    with ThreadPoolExecutor(count) as pool:
        results = list(pool.map(work, wanted))
    assert results[0] == results[2]
    for found, digits in zip(results, wanted, strict=True):
        assert found == [Certifier().certify(v, Format(digits=digits)).digits for v in values]
