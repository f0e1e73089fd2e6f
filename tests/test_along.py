"""A number along one symbol, against SymPy's derivatives and limits, mpmath's roots, figures."""

import json
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
import sympy
from spelled import spelled

from derive import InputError, builtin, derive
from derive.certify import Certifier, Format
from derive.cli.main import run
from derive.exact import number, symbol
from derive.exact.growth import limit_at_infinity, limit_at_zero
from derive.exact.range import peak, zeros
from derive.gradients.along import along
from derive.gradients.saturation import DELTA, saturation
from derive.pages import paged, rendered
from derive.read.ranges import read_range
from derive.render.blocks import Plot
from derive.render.plot import Layout, axis, dashes
from derive.views.along import AlongOptions, along_page
from derive.views.exploration_data import along_data, jacobian_data
from derive.views.saturation import saturation_page

FIGURES = json.loads(Path(__file__).with_name("figures").joinpath("saturation.json").read_text())
X = symbol("x")
QUANTITIES = ["temperature", "W_K[2][1]", "H[3][1]", "c*H"]


def by_hand(quantity, place):
    """O of the head of the examples, with SymPy alone, as a function of x."""
    d = derive(builtin("head"))
    x = sympy.Symbol("x")
    m = {k: sympy.Matrix(d[k]) for k in ("H", "W_Q", "W_K", "W_V")}
    scale = sympy.sqrt(2)
    if quantity == "temperature":
        scale *= x
    elif "*" in quantity:
        m[quantity[2:]] *= x
    else:
        name, i, j = quantity[:-1].replace("][", "[").split("[")
        m[name][int(i) - 1, int(j) - 1] = x
    scores = m["H"] * m["W_Q"] * (m["H"] * m["W_K"]).T / scale
    powers = scores.applyfunc(sympy.exp)
    weights = sympy.Matrix(3, 3, lambda i, j: powers[i, j] / sum(powers[i, :]))
    return (weights * m["H"] * m["W_V"])[place], x


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_the_function_and_its_derivatives_are_sympys(quantity):
    found = derive(builtin("head")).along(quantity, "O[2][1]")
    f, x = by_hand(quantity, (1, 0))
    own = sympy.Symbol(found.symbol)
    for place in (sympy.Rational(1, 3), sympy.Rational(7, 5)):
        for order, ours in enumerate((found.f, found.df, spelled(found.curvature))):
            theirs = f.diff(x, order).subs(x, place)
            assert abs((theirs - ours.subs(own, place)).evalf(40)) < sympy.Float("1e-30")


def test_the_derivative_of_a_deep_number_is_that_of_its_function():
    """At two places beside each other, the digits of f give f'."""
    found = derive(builtin("block")).along("c*W_V", "N2[1][1]")
    h = number(1, 10**15)
    places = [found.at(number(1) + h * k, Format(places=45)) for k in (1, -1, 0)]
    with mpmath.workdps(50):
        (above, _), (below, _), (_, slope) = places
        quotient = (mpmath.mpf(above.digits) - mpmath.mpf(below.digits)) / 2 * 10**15
        assert abs(quotient - mpmath.mpf(slope.digits)) < mpmath.mpf(10) ** -20


@pytest.mark.parametrize("quantity", ["temperature", "W_Q[1][1]", "c*W_Q"])
def test_limits_are_sympys(quantity):
    found = derive(builtin("head")).along(quantity, "O[1][1]")
    f, x = by_hand(quantity, (0, 0))
    positive = sympy.Symbol("p", positive=True)
    f = f.subs(x, positive)
    for key, at in (("zero", 0), ("infinity", sympy.oo)):
        for limit, g in zip(found.limits[key], (f, f.diff(positive)), strict=True):
            expected = sympy.limit(g, positive, at)
            assert sympy.simplify(expected - spelled(limit.value)) == 0


LIMITS = [
    ((X * 2 + 1) / (X - 1), 2),
    (X * ((1 / X).exp() - 1), 1),
    (X * X * ((1 / X).exp() - 1 - 1 / X), sympy.Rational(1, 2)),
    (X.exp() / (X * X).exp(), 0),
    (-(X.exp()) / X, -sympy.oo),
    ((X + 1) * (X + 1) / X, sympy.oo),
    ((X.exp() + 1) / (X.exp() * 3 - X), sympy.Rational(1, 3)),
    (((1 / X) + 2).exp(), sympy.exp(2)),
]


@pytest.mark.parametrize(("f", "expected"), LIMITS)
def test_limits_at_infinity(f, expected):
    found = limit_at_infinity(f, "x")
    value = sympy.oo * found.side if found.value is None else spelled(found.value)
    assert value == expected == sympy.limit(spelled(f), sympy.Symbol("x"), sympy.oo)
    mirrored = limit_at_zero(f.substitute({"x": 1 / X}), "x")
    assert mirrored == found or mirrored.value == found.value


def test_a_limit_that_is_not_decided_is_none():
    """x stands inside a quotient in an exponent, or the series ends before anything is left."""
    assert limit_at_infinity((1 / (X + 1)).exp(), "x") is None
    series = sum((X**-k / k_factorial for k, k_factorial in enumerate((1, 1, 2, 6, 24, 120, 720))),
                 number(0))  # fmt: skip
    assert limit_at_infinity(X**6 * ((1 / X).exp() - series), "x") is None


def test_zeros_are_isolated():
    found = zeros(X * X - 2, X * 2, "x", Fraction(-3), Fraction(3))
    assert not found.open and len(found.found) == 2
    for zero, side in zip(found.found, (-1, 1), strict=True):
        low, high = sorted(map(abs, (zero.low, zero.high)))
        assert low**2 < 2 < high**2 and (zero.low > 0) == (side > 0)


def test_a_zero_that_is_rational_is_exact_and_one_that_touches_is_undecided():
    found = zeros(X * X - 1, X * 2, "x", Fraction(-2), Fraction(2))
    assert [(z.low, z.high) for z in found.found] == [(-1, -1), (1, 1)]
    assert zeros(X * X + 1, X * 2, "x", Fraction(-2), Fraction(2)).found == ()
    assert zeros(X * X, X * 2, "x", Fraction(-2), Fraction(3)).open


def test_a_zero_at_the_end_of_a_range_counts():
    assert len(zeros(X, number(1) + X * 0, "x", Fraction(0), Fraction(1)).found) == 1
    assert len(zeros(X - 1, number(1) + X * 0, "x", Fraction(0), Fraction(1)).found) == 1


def test_the_peak_is_where_the_derivative_vanishes():
    """x e^{-x} is largest at 1, where it is 1/e; on a range beyond, at its lower end."""
    f, slope = X * (-X).exp(), (1 - X) * (-X).exp()
    found = peak(f, slope, "x", Fraction(0), Fraction(5))
    assert found.low <= 1 <= found.high and found.high - found.low < Fraction(1, 2**40)
    assert abs(float(found.value) - 1 / float(sympy.E)) < 1e-15
    assert peak(f, slope, "x", Fraction(2), Fraction(5)).low == 2


def test_two_peaks_as_high_are_undecided():
    assert peak(X, number(1) + X * 0, "x", Fraction(-1), Fraction(1)) is None


def test_where_the_slope_of_the_head_peaks_is_what_mpmath_finds():
    f, x = by_hand("temperature", (0, 0))
    found = derive(builtin("head")).along("temperature", "O[1][1]")
    top = peak(found.slope, found.curvature, "tau", Fraction(1, 4), Fraction(4))
    root = mpmath.findroot(
        sympy.lambdify(x, f.diff(x, 2), "mpmath"), (0.30, 0.34), solver="anderson"
    )
    assert abs(float(top.low) - float(root)) < 1e-12


# --- saturation


@pytest.mark.parametrize("d_k", list(map(int, FIGURES["crossover"])))
def test_ratios_and_crossovers_are_the_figures(d_k):
    found, form = saturation(d_k), Format(digits=20)
    for place, key in ((number(1), "ratio at 1"), (number(2).sqrt(), "ratio at sqrt(2)")):
        digits = Certifier().certify(found.ratio.substitute({DELTA: place}), form).digits
        assert abs(mpmath.mpf(digits) / mpmath.mpf(FIGURES[key][str(d_k)]) - 1) < 1e-14
        with mpmath.workdps(30):
            ratio = mpmath.mpf(digits) / mpmath.mpf(FIGURES[key][str(d_k)])
            assert abs(ratio - 1) < mpmath.mpf(10) ** -19
    with mpmath.workdps(30):
        delta = mpmath.mpf(found.crossover.low.numerator) / found.crossover.low.denominator
        expected, raw = map(mpmath.mpf, FIGURES["crossover"][str(d_k)])
        assert abs(delta - expected) < mpmath.mpf(10) ** -20
        assert abs(delta * mpmath.sqrt(d_k) - raw) < mpmath.mpf(10) ** -20


def test_the_saturation_page_has_the_figures():
    page = rendered(saturation_page(2, Format(), "en"), "terminal")
    for text in ("1.289", "1.823", "0.884", "1.061", "2.123"):
        assert text in page


# --- pages, plots, messages


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("kind", ["terminal", "latex", "html", "markdown", "pdf"])
def test_the_page_in_every_format(lang, kind):
    found = derive(builtin("head")).along("temperature", "O[1][1]")
    page = paged(along_page(found, AlongOptions(lang=lang)), kind)
    if kind == "pdf":
        assert page.startswith(b"%PDF")
        return
    # f(1) and f'(1): 0.40111 1 + 0.19778 0 + 0.40111 ... worked by SymPy in the test above.
    f, x = by_hand("temperature", (0, 0))
    assert f"{float(f.subs(x, 1)):.3f}" in page
    assert f"{abs(float(f.diff(x).subs(x, 1))):.3f}" in page


def test_a_plot_has_two_curves_told_apart_by_dashes():
    found = derive(builtin("head")).along("temperature", "O[1][1]")
    page = along_page(found, AlongOptions())
    assert sum(isinstance(block, Plot) for block in page.blocks) == 1
    html, latex = rendered(page, "html"), rendered(page, "latex")
    assert html.count("<polyline") == 2 and html.count("stroke-dasharray") >= 2
    assert latex.count(r"\begin{picture}") == 1 and r"\qbezier" in latex


def test_axes_have_round_ticks():
    found = axis([0.13, 0.99])
    assert [text for _, text in found.ticks] == ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
    assert [text for _, text in axis([-3, 12]).ticks] == ["-5", "0", "5", "10", "15"]
    assert axis([2.0, 2.0]).ticks


def test_a_curve_has_a_gap_where_it_is_not_finite():
    points = ((0.0, 1.0), (1.0, 2.0), (2.0, float("nan")), (3.0, 1.0), (4.0, 0.0))
    assert len(Layout(Plot("", "x", (("f", points),))).paths(0)) == 2


def test_dashes_cover_their_share_of_a_line():
    parts = list(dashes(((0.0, 0.0), (10.0, 0.0)), 3, 2))
    assert [(p[0][0], p[-1][0]) for p in parts] == [(0, 3), (5, 8)]


WRONG = {
    "W_Q": "W_Q is a matrix, and what varies is one number",
    "nothing": "is nothing that can vary",
    "W_Q[3][1]": "outside W_Q",
    "c*S": "S is worked out",
    "H*W_Q": "the symbol H is taken",
    "W_V*W_Q": "the symbol W_V is taken",
    "eps": "no step of this derivation has an eps",
    "c*W_X": 'no step "W_X"',
}


@pytest.mark.parametrize("quantity", WRONG)
def test_what_cannot_vary_is_told(quantity):
    with pytest.raises(InputError) as error:
        derive(builtin("head")).along(quantity)
    assert WRONG[quantity] in str(error.value)


def test_other_symbols_are_told():
    with pytest.raises(InputError, match="still has the symbols tau"):
        derive(builtin("temperature")).along("W_Q[1][1]", "O[1][1]")
    with pytest.raises(InputError, match="the symbol tau is taken"):
        derive(builtin("temperature")).along("tau*W_Q", "O[1][1]")


@pytest.mark.parametrize(
    "text", ["", "1", "1..", "3..1", "1..1", "1/0..2", "a..b", "0..1e9", "1..2..3"]
)
def test_what_is_no_range_is_told(text):
    with pytest.raises(InputError, match="is no range"):
        read_range(text)


def test_a_range():
    assert read_range("-1/2 .. 2.5") == (Fraction(-1, 2), Fraction(5, 2))


@pytest.mark.parametrize(
    "options",
    [
        ["--along", "temperature", "--range", "0..4"],
        ["--along", "temperature", "--jacobian", "A,S"],
        ["--jacobian", "A"],
        ["--range", "1..2"],
        ["--saturation", "--of", "O[1][1]"],
        ["--sensitivity", "O,H", "--json"],
    ],
)
def test_wrong_options_end_in_one_message(options, capsys):
    assert run(["grad", "head", *options]) == 2
    assert capsys.readouterr().err.startswith("error: ")


def test_the_command_prints_the_pages(capsys):
    assert run(["grad", "head", "--along", "c*W_Q", "--range", "0..8"]) == 0
    assert run(["grad", "head", "--saturation"]) == 0
    assert "1.289" in capsys.readouterr().out


def test_the_json_says_what_sympy_differentiates():
    d = derive(builtin("head"))
    found = along_data(along(d, "temperature", "O[1][1]"), AlongOptions(Format(places=4)))
    assert json.loads(json.dumps(found)) == found
    tau = sympy.Symbol("tau", real=True)
    f, df, ddf = (sympy.sympify(found[k], locals={"tau": tau}) for k in ("f", "df", "ddf"))
    for x in (sympy.Rational(1, 3), sympy.Integer(2)):
        for lower, upper in ((f, df), (df, ddf)):
            assert abs((sympy.diff(lower, tau) - upper).subs(tau, x).evalf(30)) < 1e-20
    for row in found["values"]:
        at = sympy.Rational(row["at"])
        assert abs(f.subs(tau, at).evalf(30) - sympy.Float(row["f"])) <= sympy.Rational(1, 20000)
    jacobian = jacobian_data(d, "A", "S", Format(places=3))
    a = [sympy.sympify(str(x)) for x in d["A"].row(0)]
    first = sympy.sympify(jacobian["exact"][0][1])
    assert abs((first + a[0] * a[1] / sympy.sqrt(2)).evalf(30)) < 1e-20
