"""Proved digits against mpmath at many digits, rounded once by Python's decimal."""

from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from random import Random

import mpmath
import pytest
from flint import ctx

from derive.certify import Certified, Certifier, Format, certified
from derive.exact import NEG_INF, PI, Matrix, call, exp, number, symbol
from derive.exact.ball import precision
from derive.step import Step

ROUNDINGS = {"half-up": ROUND_HALF_UP, "half-even": ROUND_HALF_EVEN, "truncate": ROUND_DOWN}
EVERY = pytest.mark.parametrize("rounding", ROUNDINGS)
DPS = 260
"""More than any two terms drawn below lie apart: 1 - e^-400 is not 1."""


def certify(value, **options):
    return Certifier().certify(value, Format(**options))


def digits(value, places=3, rounding="half-up"):
    return certify(value, places=places, rounding=rounding).digits


def significant(value, count, rounding="half-up"):
    return certify(value, digits=count, rounding=rounding).digits


# --- values that can be worked out twice: by the kernel, and by mpmath


class Kernel:
    """The exact side."""

    number = staticmethod(number)
    sqrt = staticmethod(lambda n: number(n).sqrt())
    exp = staticmethod(lambda x: x.exp())


class Mpmath:
    """The other side."""

    number = staticmethod(lambda p, q=1: mpmath.mpf(p) / q)
    sqrt = staticmethod(lambda n: mpmath.sqrt(n))
    exp = staticmethod(mpmath.exp)


def rational(random):
    size = random.choice([10, 1000, 10**12])
    p, q = random.randint(-size, size), random.randint(1, size)
    return lambda f: f.number(p, q)


def radical(random):
    """a + b sqrt(m) + c sqrt(n), over q."""
    a, b, c = (random.randint(-20, 20) for _ in range(3))
    m, n, q = random.randint(2, 50), random.randint(2, 50), random.randint(1, 30)
    return lambda f: (f.number(a) + f.number(b) * f.sqrt(m) + f.number(c) * f.sqrt(n)) / f.number(q)


def exponentials(random):
    """A short sum of whole multiples of e^(rational sqrt(n))."""
    terms = [
        [random.randint(low, high) for low, high in ((-9, 9), (-12, 12), (1, 6), (1, 3))]
        for _ in range(random.randint(1, 4))
    ]
    return lambda f: sum(
        (f.number(c) * f.exp(f.number(p, q) * f.sqrt(n)) for c, p, q, n in terms), f.number(0)
    )


def weight(random):
    """An entry of a softmax row; with `spread` large, tiny or nearly one."""
    n, spread = random.randint(2, 6), random.choice([2, 10, 60, 200])
    scores = [random.randint(-spread, spread) for _ in range(n)]
    d, which = random.choice([1, 2, 3, 8]), random.randrange(n)

    def value(f):
        powers = [f.exp(f.number(s) / f.sqrt(d)) for s in scores]
        return powers[which] / sum(powers[1:], powers[0])

    return value


def output(random):
    """A difference of weighted sums: of either sign, and near zero at times."""
    a, b, k = weight(random), weight(random), random.randint(-3, 3)
    return lambda f: f.number(k) * a(f) - b(f)


def scaled(random):
    """Huge or tiny: one of the above times a power of ten."""
    inner, power = random.choice([radical, exponentials, weight])(random), random.randint(-40, 40)
    factor = (10**power, 1) if power >= 0 else (1, 10**-power)
    return lambda f: inner(f) * f.number(*factor)


KINDS = [rational, radical, exponentials, weight, output, scaled]


def drawn(seed, count):
    """`count` random (exact value, Fraction within 10^-200 of it, or equal to it)."""
    random = Random(seed)
    for _ in range(count):
        recipe = random.choice(KINDS)(random)
        ours = recipe(Kernel)
        if ours.is_rational:
            yield random, ours, Fraction(*ours.fraction)
            continue
        with mpmath.workdps(DPS):
            yield random, ours, as_fraction(recipe(Mpmath))


def as_fraction(x):
    sign, man, power, _ = x._mpf_
    return Fraction((-1) ** sign * int(man)) * Fraction(2) ** power


def as_decimal(x):
    wide = Context(prec=2 * DPS)
    return wide.divide(Decimal(x.numerator), Decimal(x.denominator))


def to_places(x, places, rounding):
    """What is printed to so many places, "" where the places would not show the number."""
    wide = Context(prec=2 * DPS)
    cut = as_decimal(x).quantize(Decimal(1).scaleb(-places), ROUNDINGS[rounding], wide)
    return format(abs(cut) if cut == 0 else cut, "f") if cut or not x else ""


def to_digits(x, count, rounding):
    """(numeral as a Decimal, its count of digits)."""
    return Context(prec=count, rounding=ROUNDINGS[rounding], Emax=10**9, Emin=-(10**9)).plus(
        as_decimal(x)
    )


def counted(numeral):
    """How many significant digits a numeral shows."""
    return len(numeral.partition("e")[0].replace(".", "").lstrip("-0"))


def agrees(ours, x, places, count, rounding):
    if count is None:
        expected = to_places(x, places, rounding)
        if expected and "e" not in ours:
            return ours == expected and abs(x) < 10**25
        if expected and abs(x) < 10**20:
            return False
        count = max(places, 1)
    if not x:
        return ours == "0"
    expected = to_digits(x, count, rounding)
    return Decimal(ours) == expected and counted(ours) == count


@pytest.mark.parametrize("seed", range(4))
def test_ten_thousand_random_values(seed):
    """2,500 a seed, each to random places and to random digits, each way of rounding."""
    wrong = []
    for random, ours, x in drawn(seed, 2500):
        places, count = random.choice([0, 1, 2, 3, 3, 6, 12]), random.choice([1, 2, 3, 6, 15, 30])
        rounding = random.choice(list(ROUNDINGS))
        for form in (Format(places, None, rounding), Format(3, count, rounding)):
            got = Certifier().certify(ours, form)
            if got.undecided or not agrees(got.digits, x, places, form.digits, rounding):
                wrong.append((ours, got, float(x)))
    assert wrong == []


def test_the_draw_is_of_every_kind():
    """Otherwise the test above would say little."""
    values = [(ours, x) for _, ours, x in drawn(0, 2500)]
    assert sum(ours.is_rational for ours, _ in values) > 300
    assert sum(not ours.is_polynomial for ours, _ in values) > 600
    assert sum(x < 0 for _, x in values) > 400
    assert sum(0 < abs(x) < Fraction(1, 10**6) for _, x in values) > 50
    assert sum(abs(x) > 10**21 for _, x in values) > 50


@pytest.mark.parametrize("seed", [11, 12])
def test_doubles_are_the_nearest(seed):
    certifier = Certifier()
    for _, ours, x in drawn(seed, 1500):
        assert certifier.double(ours) == x.numerator / x.denominator


def test_a_hundred_digits():
    with mpmath.workdps(150):
        expected = as_fraction(mpmath.exp(mpmath.sqrt(2) / 2))
    t = (number(2).sqrt() / 2).exp()
    assert Decimal(significant(t, 100)) == to_digits(expected, 100, "half-up")
    assert digits(t, 100) == to_places(expected, 100, "half-up")


def test_certifying_many_values_together_changes_nothing():
    """The enclosures that values share do not leak from one precision into another."""
    shared = Certifier()
    for _, ours, _ in drawn(5, 300):
        for form in (Format(), Format(digits=40), Format(places=0), Format(digits=2)):
            assert shared.certify(ours, form) == Certifier().certify(ours, form)


# --- rationals and ties


@pytest.mark.parametrize(
    ("p", "q", "places", "up", "even", "cut"),
    [
        (1, 2, 0, "1", "0", ""),
        (3, 2, 0, "2", "2", "1"),
        (5, 2, 0, "3", "2", "2"),
        (-1, 2, 0, "-1", "0", ""),
        (-5, 2, 0, "-3", "-2", "-2"),
        (1, 8, 2, "0.13", "0.12", "0.12"),
        (3, 8, 2, "0.38", "0.38", "0.37"),
        (-1, 8, 2, "-0.13", "-0.12", "-0.12"),
        (1001, 2000, 3, "0.501", "0.500", "0.500"),
        (9995, 10000, 3, "1.000", "1.000", "0.999"),
        (-9995, 10000, 3, "-1.000", "-1.000", "-0.999"),
        (2, 3, 3, "0.667", "0.667", "0.666"),
        (7, 1, 3, "7.000", "7.000", "7.000"),
        (0, 1, 3, "0.000", "0.000", "0.000"),
    ],
)
def test_ties(p, q, places, up, even, cut):
    for rounding, expected in zip(ROUNDINGS, (up, even, cut), strict=True):
        ours = digits(number(p, q), places, rounding)
        if expected in ("", "0") and p:
            # 0 places would not show it: one significant digit instead
            assert Decimal(ours) == Decimal(p) / Decimal(q) and "e" in ours
        else:
            assert ours == expected


@EVERY
@pytest.mark.parametrize("count", [1, 3, 4])
def test_ties_at_significant_digits(count, rounding):
    for p, q in [(5, 4), (25, 200), (-12345, 10), (99995, 100), (10005, 100), (35, 10)]:
        expected = to_digits(Fraction(p, q), count, rounding)
        ours = significant(number(p, q), count, rounding)
        assert Decimal(ours) == expected and counted(ours) == count


@EVERY
@pytest.mark.parametrize("value", ["1/8192", "-1/8192", "-1/100000", "-4999/10000000", "1/3000"])
def test_there_is_no_minus_zero_and_no_zero_for_what_is_not_zero(value, rounding):
    p, q = map(int, value.split("/"))
    for places in range(6):
        ours = digits(number(p, q), places, rounding)
        assert Decimal(ours) != 0 and (Decimal(ours) < 0) == (p < 0)


@pytest.mark.parametrize(
    ("p", "q", "places", "rounding", "text"),
    [
        (425, 10**6, 3, "half-up", "4.25e-4"),
        (9, 10**4, 3, "truncate", "9.00e-4"),
        (-9, 10**4, 3, "truncate", "-9.00e-4"),
        (1, 2000, 3, "half-even", "5.00e-4"),
        (1, 2000, 3, "half-up", "0.001"),
        (1, 10**30, 3, "half-up", "1.00e-30"),
        (2, 3 * 10**7, 4, "half-up", "6.667e-8"),
        (99999, 10**9, 2, "half-up", "1.0e-4"),
        (3, 10, 0, "half-up", "3e-1"),
        (-12345678, 10**12, 3, "half-up", "-1.23e-5"),
    ],
)
def test_below_the_places_as_many_digits_as_places(p, q, places, rounding, text):
    assert digits(number(p, q), places, rounding) == text


def test_an_irrational_below_the_places():
    assert digits(number(-9).exp()) == "1.23e-4"  # e^-9 = 0.00012340980...
    assert digits(-number(-9).exp(), 3, "truncate") == "-1.23e-4"
    assert digits(-number(-9).exp(), 4, "truncate") == "-0.0001"
    assert digits((number(2).sqrt() - number(141421, 100000)), 4) == "3.562e-6"


def test_zero_is_zero_at_any_places():
    assert digits(number(0), 0) == "0" and digits(number(0), 2) == "0.00"
    assert significant(number(0), 6) == "0"
    assert digits(number(2).sqrt() * number(2).sqrt() - 2) == "0.000"


def test_the_numeral_of_a_very_long_whole_number():
    seven = number(7**6000)
    text = significant(seven, 5071)
    assert text == significant(seven * number(3) / 3, 5071) and counted(text) == 5071
    assert significant(seven, 6) == f"{Decimal(7) ** 6000:.5e}".replace("e+", "e")


# --- far from one


@pytest.mark.parametrize("power", [10**3, -(10**3), 10**5, 10**9, -(10**9), 10**12, -(10**12)])
@EVERY
def test_exponentials_of_huge_numbers(power, rounding):
    with mpmath.workdps(60):
        value = mpmath.exp(power)
        exponent = int(mpmath.floor(mpmath.log10(value)))
        mantissa = as_fraction(value / mpmath.mpf(10) ** exponent)
    for count in (1, 3, 20):
        head, _, tail = significant(number(power).exp(), count, rounding).partition("e")
        expected = to_digits(mantissa, count, rounding)
        assert Decimal(head) == expected and int(tail) == exponent
    head, _, tail = digits(number(power).exp(), 3, rounding).partition("e")
    assert Decimal(head) == to_digits(mantissa, 3, rounding) and int(tail) == exponent


@pytest.mark.parametrize(("sign", "zeros"), [(1, 200), (-1, 300), (1, 400), (-1, 800)])
def test_exponentials_of_what_no_double_holds(sign, zeros):
    """e^(10^400) has a power of ten of 400 digits; mpmath's logarithm at 900 digits tells it."""
    power = sign * 10**zeros
    with mpmath.workdps(900):
        decimal = mpmath.mpf(power) / mpmath.log(10)
        exponent = int(mpmath.floor(decimal))
        mantissa = as_fraction(mpmath.mpf(10) ** (decimal - exponent))
    head, _, tail = significant(number(power).exp(), 6).partition("e")
    assert Decimal(head) == to_digits(mantissa, 6, "half-up") and int(tail) == exponent


def test_doubles_of_huge_and_tiny_numbers():
    double = Certifier().double
    assert double(number(10**9).exp()) == float("inf")
    assert double(-number(10**9).exp()) == float("-inf")
    assert double(number(-(10**9)).exp()) == 0.0
    assert double(number(709).exp()) == pytest.approx(8.218407461554972e307, rel=1e-15)
    assert double(number(-745).exp()) == 5e-324  # the smallest double, subnormal
    assert double(number(10) ** 400) == float("inf")
    assert double(NEG_INF) == float("-inf")


def test_what_is_hidden_beside_a_huge_number():
    big = number(10**9).exp()
    assert digits((big + 1) / big) == "1.000"
    assert digits((big + 1) - big) == "1.000"
    assert digits(big / (big + number(10**9 - 1).exp()), 6) == "0.731059"  # 1/(1 + 1/e)
    assert digits(1 / (big + 1), 2).endswith("e-434294482")


def test_a_score_that_is_an_exponential_itself():
    with mpmath.workdps(80):
        value = mpmath.exp(mpmath.exp(20))
        exponent = int(mpmath.floor(mpmath.log10(value)))
        mantissa = as_fraction(value / mpmath.mpf(10) ** exponent)
    ours = significant(number(20).exp().exp(), 10)
    assert Decimal(ours.partition("e")[0]) == to_digits(mantissa, 10, "half-up")
    assert int(ours.partition("e")[2]) == exponent


# --- what is not decided


HIDDEN_ZEROS = {
    "sin(pi/6) - 1/2": call("sin", PI / 6) - number(1, 2),
    "sqrt(3 + 2 sqrt(2)) - sqrt(2) - 1": (number(3) + 2 * number(2).sqrt()).sqrt()
    - number(2).sqrt()
    - 1,
    "cos(1)^2 + sin(1)^2 - 1": call("cos", number(1)) ** 2 + call("sin", number(1)) ** 2 - 1,
}


@pytest.mark.parametrize("name", HIDDEN_ZEROS)
@EVERY
def test_a_hidden_zero_is_undecided(name, rounding):
    for form in (Format(rounding=rounding), Format(digits=6, rounding=rounding)):
        found = Certifier().certify(HIDDEN_ZEROS[name], form)
        assert found.undecided and found.digits is None and str(found) == "undecided"


@pytest.mark.parametrize("name", HIDDEN_ZEROS)
def test_beside_a_hidden_zero_everything_else_is_decided(name):
    zero = HIDDEN_ZEROS[name]
    assert digits(zero + number(1, 3)) == "0.333"
    assert Certifier().double(zero + number(1, 3)) == 1 / 3
    assert certify(zero + number(1, 2), places=0).undecided  # a hidden tie


def test_a_hidden_one():
    one = call("sin", PI / 6) * 2
    assert digits(one) == "1.000"
    assert certify(one, rounding="truncate").undecided  # 0.999 or 1.000


def test_free_symbols_have_no_digits_and_are_not_undecided():
    found = certify(symbol("a") + 1)
    assert (found.digits, found.undecided, str(found)) == (None, False, "—")
    assert Certifier().double(symbol("a")) is None


def test_minus_infinity_is_written_as_it_is():
    assert digits(NEG_INF) == significant(NEG_INF, 6) == "-oo"


def test_functions_beside_the_exponential():
    with mpmath.workdps(60):
        for name in ("log", "sin", "cos", "tan", "tanh", "erf", "sqrt", "exp"):
            for p, q in [(1, 3), (7, 2), (12, 1)]:
                expected = as_fraction(getattr(mpmath, name)(mpmath.mpf(p) / q))
                ours = significant(call(name, number(p, q)), 30)
                assert Decimal(ours) == to_digits(expected, 30, "half-up"), name


# --- the outside


def test_the_working_precision_of_flint_is_restored():
    before = ctx.prec
    ctx.prec = 77
    try:
        certify(number(2).sqrt(), digits=500)
        certify(HIDDEN_ZEROS["sin(pi/6) - 1/2"])
        Certifier().double(number(3).exp())
        with pytest.raises(RuntimeError), precision(1000):
            raise RuntimeError
        assert ctx.prec == 77
    finally:
        ctx.prec = before


def test_the_precision_in_force_does_not_change_an_answer():
    value = number(10**6).exp() / (number(10**6).exp() + number(3).sqrt().exp())
    expected = significant(1 - value, 25)
    before = ctx.prec
    try:
        for bits in (2, 30, 5000):
            ctx.prec = bits
            assert significant(1 - value, 25) == expected
    finally:
        ctx.prec = before


def test_a_matrix_of_certified_values():
    m = exp(Matrix([[number(0), NEG_INF], [number(1), symbol("a")]]))
    found = certified(Step.given("m", m), Format(places=2))
    assert [[str(c) for c in row] for row in found] == [["1.00", "0.00"], ["2.72", "—"]]
    assert isinstance(found[0][0], Certified) and found[1][0].value == number(1).exp()
    assert {c.rounding for row in found for c in row} == {"half-up"}
