"""Every number of the reference figures: closed form, digits, nearest double; the article's own."""

import json
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
import sympy

from derive import InputError, Problem, attention, derive
from derive.certify import Certifier, Format
from derive.exact import Scalar, number
from derive.exact.bridge import from_sympy
from derive.read.conventions import read_conventions

REFERENCE = json.loads((Path(__file__).parent / "figures" / "attention.json").read_text("utf-8"))
SYSTEMS, FIGURES, COLUMNS = (REFERENCE[k] for k in ("systems", "figures", "columns"))
FORMATS = {
    "dp3": Format(places=3, rounding="half-even"),
    "dp4": Format(places=4, rounding="half-even"),
    "dp6": Format(places=6, rounding="half-even"),
    "sd3": Format(digits=3, rounding="half-even"),
    "sd4": Format(digits=4, rounding="half-even"),
    "sd6": Format(digits=6, rounding="half-even"),
    "dec30": Format(digits=30, rounding="half-even"),
}
x = sympy.Symbol("x", positive=True)
tau = sympy.Symbol("tau")

H, W_Q = [[1, 0], [0, 1], [1, 1]], [[1, 0], [0, 1]]
W_K, W_V = [[1, 1], [0, 1]], [[1, 0], [1, 1]]


def derived(system, **changed):
    """Our derivation of a system of the figures."""
    options = {
        "scale": system["scale"],
        "temperature": system["temperature"],
        "mask": "causal" if system["causal"] else None,
    }
    given = system["given"]
    return attention(*(given[k] for k in ("H", "W_Q", "W_K", "W_V")), **(options | changed))


def head(**options):
    return attention(H, W_Q, W_K, W_V, **options)


DERIVED = {name: derived(system) for name, system in SYSTEMS.items()}
STEPS = [
    (name, step)
    for name, system in SYSTEMS.items()
    for step in system["steps"]
    if step not in ("sqrt_dk", "dA_dtau")
]
NUMERIC = [(n, s) for n, s in STEPS if not (s in ("A", "O") and SYSTEMS[n]["temperature"] == "tau")]
ENTRIES = 1116
each = pytest.mark.parametrize(("name", "step"), STEPS)
each_numeric = pytest.mark.parametrize(("name", "step"), NUMERIC)


def places(name, step):
    """(our exact scalar, the closed form of the figures) at every entry."""
    rows, value = SYSTEMS[name]["steps"][step], DERIVED[name].step(step).value
    assert value.shape == (len(rows), len(rows[0]))
    for i, row in enumerate(rows):
        for j, form in enumerate(row):
            yield value[i, j], form


def closed(form):
    """The reference's closed form as a SymPy expression in x, the letter of its system."""
    return sympy.sympify(form, {"t": x, "u": x})


def in_x(expr, letter):
    """A SymPy expression with every exponential written as a power of the letter's x."""
    exponent = sympy.log(sympy.sympify(letter))
    if not exponent.is_number:
        exponent = sympy.sqrt(2) / (2 * tau)

    def power(argument):
        k = sympy.nsimplify(sympy.cancel(argument / exponent))
        assert k.is_Rational, (argument, exponent)
        return x**k

    powers = expr.replace(sympy.exp, power)
    return powers.xreplace({sympy.E: power(sympy.S.One)}) if powers.has(sympy.E) else powers


def test_the_figures_are_all_there():
    assert len(SYSTEMS) == 24 and len(STEPS) == 152
    assert sum(len(row) for n, s in STEPS for row in SYSTEMS[n]["steps"][s]) == ENTRIES


@each
def test_closed_forms(name, step):
    letter = SYSTEMS[name]["letter"]
    matrix = DERIVED[name][step]
    for ours, form in zip(matrix, (f for _, f in places(name, step)), strict=True):
        if form == "-oo":
            assert ours == -sympy.oo
        else:
            assert sympy.cancel(in_x(ours, letter) - closed(form)) == 0, (ours, form)


@pytest.mark.parametrize("name", SYSTEMS)
def test_weights_and_outputs_are_in_lowest_terms(name):
    """Numerator and denominator are the reference's: nothing is left to cancel."""
    letter = SYSTEMS[name]["letter"]
    for step in ("A", "O"):
        for ours, form in places(name, step):
            top, bottom = (Scalar(part) for part in (ours.num, ours.den))
            p, q = (sympy.Poly(in_x(sympy.sympify(s), letter), x) for s in (top, bottom))
            p0, q0 = (sympy.Poly(s, x) for s in sympy.fraction(sympy.cancel(closed(form))))
            assert (p, q) in ((p0, q0), (-p0, -q0)), (form, ours)


@each_numeric
def test_digits(name, step):
    certifier, table = Certifier(), FIGURES[SYSTEMS[name]["letter"]]
    for ours, form in places(name, step):
        if form == "-oo":
            assert certifier.certify(ours, Format()).digits == "-oo"
            continue
        figures = dict(zip(COLUMNS, table[form], strict=True))
        for column, rounding in FORMATS.items():
            digits = certifier.certify(ours, rounding).digits
            assert same_numeral(digits, figures[column], figures["dec30"]), (form, column, digits)
        assert certifier.double(ours) == float(figures["float"])


def same_numeral(ours, theirs, precise):
    """The same digits; where theirs is cut to zeros, ours is the value to significant digits."""
    if ours == theirs:
        return True
    if set(theirs) <= set("-0.") and Fraction(precise) != 0:
        digits, _, power = ours.partition("e")
        count = len(digits.lstrip("-0.").replace(".", ""))
        unit = Fraction(10) ** (int(power or 0) - len(digits.partition(".")[2]))
        near = abs(Fraction(ours) - Fraction(precise)) <= unit / 2
        return near and count == max(len(theirs.partition(".")[2]), 1)
    # 30 significant digits: theirs pads integers with zeros and writes small numbers with e.
    return Fraction(ours) == Fraction(theirs) and significant(ours) == significant(theirs)


def significant(numeral):
    return len(numeral.partition("e")[0].replace(".", "").lstrip("-0"))


def test_the_figures_agree_with_mpmath():
    """The figures themselves, worked out once more from their closed forms."""
    mpmath_x = {"exp": mpmath.exp, "sqrt": mpmath.sqrt, "E": mpmath.e}
    with mpmath.workdps(60):
        for letter, table in FIGURES.items():
            if "tau" in letter:
                continue
            value = sympy.lambdify((), sympy.sympify(letter), [mpmath_x, "mpmath"])()
            for form, figures in table.items():
                exact = sympy.lambdify(x, closed(form), "mpmath")(value)
                assert abs(exact - mpmath.mpf(figures[6])) <= abs(exact) * mpmath.mpf(10) ** -29
                assert float(figures[7]) == float(exact)


@each_numeric
def test_doubles_through_numpy(name, step):
    array = DERIVED[name].to_numpy(step)
    for value, (_, form) in zip(array.flat, places(name, step), strict=True):
        expected = "-inf" if form == "-oo" else FIGURES[SYSTEMS[name]["letter"]][form][7]
        assert value == float(expected)


@pytest.mark.parametrize("name", [n for n, s in SYSTEMS.items() if "sqrt_dk" in s["steps"]])
def test_the_default_scale_is_the_root_of_d_k(name):
    system = SYSTEMS[name]
    assert system["steps"]["sqrt_dk"] == [["sqrt(2)"]]
    changed = {"scale": "sqrt(d_k)"} if system["scale"] != "1" else {}
    assert derived(system, **changed)["scaled"] == DERIVED[name]["scaled"]
    assert (DERIVED[name].step("scaled").op.divisor == number(2).sqrt()) == (system["scale"] != "1")


# --- temperature


TEMPERATURE = [n for n, s in SYSTEMS.items() if s["temperature"] == "tau"]


@pytest.mark.parametrize("name", TEMPERATURE)
@pytest.mark.parametrize("end", ["0", "oo"])
@pytest.mark.parametrize("step", ["A", "O"])
def test_limits_in_the_temperature(name, end, step):
    positive = sympy.Symbol("tau", positive=True)
    ours = DERIVED[name][step].xreplace({tau: positive})
    expected = sympy.Matrix(SYSTEMS[name]["limits"][end][step]).applyfunc(sympy.Rational)
    to = sympy.oo if end == "oo" else 0
    assert ours.applyfunc(lambda e: sympy.limit(e, positive, to, "+")) == expected


@pytest.mark.parametrize("name", TEMPERATURE)
def test_the_derivative_by_the_temperature(name):
    system = SYSTEMS[name]
    ours = DERIVED[name]["A"].diff(tau)
    forms = [form for row in system["steps"]["dA_dtau"] for form in row]
    for derivative, form in zip(ours, forms, strict=True):
        expected = closed(form)
        assert sympy.cancel(in_x(derivative, system["letter"]) - expected) == 0, form


@pytest.mark.parametrize("name", TEMPERATURE)
@pytest.mark.parametrize("value", ["1/10", "1/2", "1", "2", "10"])
def test_a_temperature_put_in_is_the_derivation_at_that_temperature(name, value):
    at = SYSTEMS[f"{name}_tau_{value.replace('/', 'over')}"]
    assert at["temperature"] == value and at["steps"]["A"] == SYSTEMS[name]["steps"]["A"]
    p, q = map(int, (value + "/1").split("/")[:2])
    tempered, substituted = derived(at), {"tau": number(p, q)}
    for step in ("A", "O"):
        letters = DERIVED[name].step(step).value.map(lambda e: e.substitute(substituted))
        assert letters == tempered.step(step).value


# --- the mask


MASK = {
    "replace_after_scaling": ("-10^9", "replace"),
    "replace_before_scaling": ("-10^9/sqrt(2)", "replace"),
    "add_after_scaling": ("-10^9", "add"),
    "add_before_scaling": ("-10^9/sqrt(2)", "add"),
}


def masked_with(value, mode, mask="causal"):
    """The article's head with a number in place of -oo, through a problem file's conventions."""
    choices = read_conventions({"mask": mask, "mask_value": value, "mask_mode": mode})
    return derive(Problem("head", {k: head().step(k).value for k in GIVEN}, choices))


GIVEN = ("H", "W_Q", "W_K", "W_V")


@pytest.mark.parametrize("variant", REFERENCE["minus_1e9"])
def test_minus_a_billion_beside_minus_infinity(variant):
    d, exact = masked_with(*MASK[variant]), head(mask="causal")
    difference = {}
    for row in REFERENCE["minus_1e9"][variant]:
        i = row["row"]
        scores = [sympy.sympify(s) for s in row["logits"]]
        assert [d["masked"][i - 1, j] for j in range(3)] == scores
        for j, value in row["masked"]:
            assert thirty(d.exact(f"A[{i}][{j}]")) == padded(value)
        for j, value in row["allowed_difference"]:
            difference[i, j] = d.exact(f"A[{i}][{j}]") - exact.exact(f"A[{i}][{j}]")
            assert thirty(difference[i, j]) == padded(value)
    assert len(difference) == 3
    assert d["A"][2, :] == exact["A"][2, :]
    assert (d.to_numpy("A") == exact.to_numpy("A")).all()


def thirty(value):
    return Certifier().certify(value, FORMATS["dec30"]).digits


def padded(numeral):
    """The reference leaves out trailing zeros."""
    digits, _, power = numeral.partition("e")
    return f"{digits.ljust(31 + digits.startswith('-'), '0')}e{power}"


FIRST_ROW_MASKED = [["-oo", "-oo", "-oo"], [0, "-oo", 0], [0, 0, 0]]


def test_a_row_masked_throughout_is_an_error_under_minus_infinity():
    with pytest.raises(InputError, match="row 1 "):
        head(mask=FIRST_ROW_MASKED)["A"]


@pytest.mark.parametrize("mode", ["add", "replace"])
def test_a_row_masked_throughout_under_minus_a_billion(mode):
    d = masked_with("-10^9", mode, FIRST_ROW_MASKED)
    figures = REFERENCE["masked_throughout"][mode]
    for ours, (form, *_) in zip(d["A"][0, :], figures, strict=True):
        assert sympy.cancel(in_x(ours, "exp(sqrt(2)/2)") - closed(form)) == 0
    certified = [d.certified("A", f)[0] for f in FORMATS.values()]
    assert [[c.digits for c in row] for row in certified] == list(
        map(list, zip(*(row[1:8] for row in figures), strict=True))
    )
    assert list(d.to_numpy("A")[0]) == [float(row[8]) for row in figures]
    assert (d["A"][0, :] == head()["A"][0, :]) == (mode == "add")


# --- the article


def test_the_articles_numbers():
    d = head()
    assert d.places("A", 3) == [
        ["0.401", "0.198", "0.401"],
        ["0.248", "0.248", "0.503"],
        ["0.284", "0.140", "0.576"],
    ]
    assert d.places("O", 3) == [["1.401", "0.599"], ["1.503", "0.752"], ["1.576", "0.716"]]
    assert d.places("exp", 3)[2] == ["4.113", "2.028", "8.342"]
    assert d.places("Z", 3) == [["5.056"], ["8.169"], ["14.484"]]


def test_every_number_printed_in_the_article():
    """Each against the exact value it stands for, with the places it is printed with."""
    wrong = []
    for quantity, form, printed, correct, is_right in REFERENCE["printed_in_article"]:
        value = closed(form).subs(x, sympy.exp(sympy.sqrt(2) / 2))
        ours = Certifier().certify(from_sympy(value), Format()).digits
        assert ours == correct, quantity
        assert (ours == printed) == is_right
        wrong += [printed] * (ours != printed)
    assert wrong == ["8.339", "14.480", "0.504", "1.008", "1.504"]


def test_identities_of_the_article():
    d = head()
    assert d.exact("O[2][1]") == 2 * d.exact("O[2][2]")
    assert d.exact("O[1][1]") + d.exact("O[1][2]") == 2


def test_the_second_article_prints_values_of_another_matrix():
    printed = [[1, 1], [1, 2], [2, 3]]
    assert attention(H, W_Q, W_Q, [[1, 1], [1, 2]])["V"].tolist() == printed
    assert attention(H, W_Q, W_Q, [[1, 1], [0, 1]])["V"].tolist() == [[1, 1], [0, 1], [1, 2]]
    assert attention(H, W_Q, W_Q, [[1, 1], [1, 2]]).exact("O[1][2]") == 2
