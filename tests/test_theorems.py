"""Theorems: every claim against a second reading in floating point, and against figures."""

import json
import re
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random

import mpmath
import pytest
import sympy
from witness import CLOSE, DIGITS, Floats, flat, places

import derive.theorems as theorems
from derive import Format, InputError
from derive.certify import Certifier
from derive.cli.main import run
from derive.errors import Unproved
from derive.exact import call, cos, matrix, number, sin, symbol
from derive.exact.addition import added
from derive.exact.angles import angle
from derive.exact.bridge import from_sympy, to_sympy, to_sympy_matrix
from derive.exact.trace import Digits, Grid, Name, Sum, Value
from derive.ops import Softmax
from derive.pages import theorem_printed
from derive.theorems import ORDER, theorem
from derive.theorems.expectation import enumerated, independent, vectors
from derive.theorems.letters import GIVEN, head
from derive.theorems.limits import toward_infinity, toward_zero
from derive.theorems.theorem import PARTS, Said, Tabled, claims_of
from derive.theorems.value import Setting, value
from derive.words import LANGUAGES, words

FIGURES = json.loads((Path(__file__).parent / "figures" / "theorems.json").read_text("utf-8"))
PROVED = {name: theorem(name) for name in ORDER}
CLAIMS = [(name, k) for name, t in PROVED.items() for k, _ in enumerate(t.claims)]
FORMATS = ("terminal", "latex", "markdown", "html", "json")
PARTS_OF_THE_FOLDER = {"__init__", "claim", "value", "theorem", "letters", "limits", "expectation"}
each = pytest.mark.parametrize("name", ORDER)
each_claim = pytest.mark.parametrize(("name", "k"), CLAIMS)
each_language = pytest.mark.parametrize("lang", LANGUAGES)


def claim_of(name, k):
    return list(PROVED[name].claims)[k]


# --- the table


def test_every_file_is_a_theorem_and_every_theorem_has_a_row():
    folder = Path(theorems.__file__).parent
    files = {path.stem for path in folder.glob("*.py")} - PARTS_OF_THE_FOLDER
    assert {name.replace("_", "-") for name in files} == set(ORDER)
    assert len(set(ORDER)) == len(ORDER) == 20


def keys_of(found):
    """Every sentence that a theorem asks for."""
    for item in found.items:
        if isinstance(item, Said):
            yield item.key
        elif isinstance(item, Tabled):
            yield from item.header
            yield from (x for row in item.rows for x in row if isinstance(x, str))


@each_language
def test_every_theorem_has_its_words_and_no_others(lang):
    tables = words(lang)["theorems"]
    assert set(tables) == set(ORDER)
    for name, found in PROVED.items():
        assert set(tables[name]) == {"title", "line", *keys_of(found)}, name


@each
def test_a_theorem_has_every_part(name):
    found = PROVED[name]
    assert found.name == name
    assert all(getattr(found, part) for part in PARTS)
    assert any(c.is_shown for c in claims_of(found.proof))
    assert any(claims_of(found.example))


@each
@each_language
def test_every_brace_in_a_sentence_stands_for_something(name, lang):
    for key, text in words(lang)["theorems"][name].items():
        used = set(re.findall("[{](.+?)[}]", text))
        odd = {x for x in used if not re.fullmatch("[A-Za-z_^()0-9]+", x)}
        assert odd <= set(PROVED[name].letters), (key, odd)


# --- every claim, by a witness


def agree(relation, left, right, side):
    """Whether numbers stand in a relation, at a precision far from any of their gaps."""
    pairs = list(zip(left, right, strict=True))
    match relation:
        case "=":
            return all(abs(a - b) <= CLOSE * (1 + abs(b)) for a, b in pairs)
        case "!=":
            return any(abs(a - b) > CLOSE for a, b in pairs)
        case "<":
            return all(a < b for a, b in pairs)
        case ">":
            return all(a > b for a, b in pairs)
        case "<=":
            return all(a <= b for a, b in pairs)
        case "~":
            numerals = [x for row in side.rows for x in row] if isinstance(side, Grid) else [side]
            return all(rounds_to(a, x.text) for (a, _), x in zip(pairs, numerals, strict=True))
    raise AssertionError(relation)


def rounds_to(x, numeral):
    exact = Decimal(mpmath.nstr(x, DIGITS - 5, strip_zeros=False))
    unit = Decimal((0, (1,), Decimal(numeral).as_tuple().exponent))
    return exact.quantize(unit, ROUND_HALF_UP) == Decimal(numeral)


@each_claim
def test_a_claim_holds_in_floating_point_at_random_values(name, k):
    claim = claim_of(name, k)
    with mpmath.workdps(DIGITS):
        for number_of, setting in enumerate(claim.settings):
            floats = Floats(setting, number_of)
            for indices in places(claim, setting):
                sides = (("=", claim.first), *claim.rest)
                for (_, left), (relation, right) in pairwise(sides):
                    known = flat(floats.value(right, indices))
                    if relation == "->":
                        assert tends(floats, left, known, setting), claim
                    else:
                        found = flat(floats.value(left, indices))
                        assert agree(relation, found, known, right), claim


def tends(floats, left, limit, setting):
    """The weights at a temperature close to the end are close to the limit."""
    to_zero = setting.limit.__qualname__.startswith("toward_zero")
    floats.known["tau"] = mpmath.mpf(10) ** (-3 if to_zero else 6)
    found = flat(floats.value(left, {}))
    return all(abs(a - b) < 1e-5 for a, b in zip(found, limit, strict=True))


# --- what is false is not printed


def falsified(claim):
    """The same claim with its last side, or its last relation, made false."""
    *before, (relation, last) = claim.rest
    match relation:
        case "~":
            rows = last.rows if isinstance(last, Grid) else ((last,),)
            wrong = Grid((*rows[:-1], (*rows[-1][:-1], nudged(rows[-1][-1]))))
            side = (relation, wrong if isinstance(last, Grid) else wrong.rows[0][0])
        case "!=":
            side = (relation, before[-1][1] if before else claim.first)
        case "<" | "<=":
            side = (">", last)
        case ">":
            side = ("<", last)
        case _:
            side = (relation, Sum((last, Value(number(1)))))
    return replace(claim, rest=(*before, side))


def nudged(numeral):
    """The next numeral of as many digits."""
    mantissa, e, power = numeral.text.partition("e")
    unit = Decimal((0, (1,), Decimal(mantissa).as_tuple().exponent))
    return Digits(f"{Decimal(mantissa) + unit}{e}{power}")


@each_claim
def test_a_claim_made_false_is_not_proved(name, k):
    claim = claim_of(name, k)
    claim.check()
    with pytest.raises(Unproved):
        falsified(claim).check()


@each
def test_no_page_is_printed_with_a_false_claim(name):
    found = PROVED[name]
    at = next(i for i, x in enumerate(found.proof) if hasattr(x, "check"))
    wrong = (*found.proof[:at], falsified(found.proof[at]), *found.proof[at + 1 :])
    for format in ("terminal", "json"):
        with pytest.raises(Unproved, match=name):
            theorem_printed(replace(found, proof=wrong), format, lang="en")


def test_what_is_not_known_is_not_proved():
    with pytest.raises(Unproved, match="stands for"):
        value(Name("unknown"), Setting())
    with pytest.raises(Unproved, match="limit"):
        toward_zero("tau")(from_sympy(sympy.Symbol("tau")))
    with pytest.raises(Unproved, match="limit"):
        toward_zero("tau")(from_sympy(sympy.exp(1 / sympy.Symbol("tau"))))


# --- pages


@each
@each_language
@pytest.mark.parametrize("format", [*FORMATS, "pdf"])
def test_a_page(name, lang, format):
    made = theorem_printed(PROVED[name], format, lang=lang)
    if format == "pdf":
        assert made.startswith(b"%PDF-") and len(made) > 5000
        return
    title = words(lang)["theorems"][name]["title"]
    assert title in made
    headings = [words(lang)["theorem"][part] for part in PARTS if part != "statement"]
    if format != "json":
        at = [made.index(heading) for heading in headings]
        assert at == sorted(at)
    assert not re.search("[{][A-Za-z_]+[}]", made) or format in (
        "latex",
        "markdown",
        "html",
        "json",
    )


@each
def test_the_terminal_keeps_to_its_columns(name):
    for line in theorem_printed(PROVED[name], "terminal", lang="en").splitlines():
        assert len(line) <= 80, line


def test_the_list_says_every_theorem_in_one_line(capsys):
    assert run(["theorem"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert [line.split()[0] for line in lines] == list(ORDER)
    assert all(line.endswith(".") for line in lines)


def test_the_command_line(capsys, tmp_path):
    path = tmp_path / "bias.md"
    assert run(["theorem", "key-bias", "--lang", "zh", "-o", str(path)]) == 0
    assert "键的偏置" in path.read_text("utf-8")
    assert run(["theorem", "keybias"]) == 2
    assert 'did you mean "key-bias"?' in capsys.readouterr().err
    assert run(["theorem", "--latex"]) == 2
    with pytest.raises(InputError):
        theorem("no such thing")


# --- the figures


def agrees(ours, figure):
    """The exact form by algebra, and thirty digits."""
    given = sympy.sympify(figure["exact"])
    assert sympy.cancel((to_sympy(ours) - given).rewrite(sympy.exp).expand()) == 0
    if "digits" in figure:
        form = Format(digits=30, rounding="half-even")
        assert Certifier().certify(ours, form).digits == figure["digits"]


def matrices_agree(ours, figures):
    assert ours.shape == (len(figures), len(figures[0]))
    for x, figure in zip(ours, (f for row in figures for f in row), strict=True):
        agrees(x, figure)


def test_the_moments():
    """Each step of the proof at d = 3, against the formulas in d_k."""
    from derive.theorems import variance as v

    setting = v.GENERAL[2].at({"i": 1})
    terms = {
        "E_term": v._mean(v.q["i"] * v.k["i"]),
        "E_term_sq": v._mean(v.q["i"] ** 2 * v.k["i"] ** 2),
        "Var_term": v._variance(v.q["i"] * v.k["i"]),
        "E_dot": v._mean(v.DOT),
        "Var_dot": v._variance(v.DOT),
        "Var_scaled": v._variance(v._scaled(v.DOT)),
    }
    for name, what in terms.items():
        given = sympy.sympify(FIGURES["moments"][name]).subs("d_k", 3)
        ours = sympy.sympify(str(to_sympy(value(what, setting))))
        assert sympy.expand(ours - given) == 0, name
    centred = FIGURES["moments"]["Var_dot_zero_mean"]
    ours = str(to_sympy(value(terms["Var_dot"], setting)))
    assert sympy.expand(sympy.sympify(ours).subs({"mu_q": 0, "mu_k": 0})) == sympy.expand(
        sympy.sympify(centred).subs("d_k", 3)
    )
    assert value(terms["Var_dot"], v.STANDARD[2]) == 3
    assert FIGURES["moments"]["Var_dot_unit"] == "d_k"


def test_the_enumeration():
    from derive.theorems import variance as v

    laws = {"rademacher": "signs", "three_point": "three", "skewed": "skew"}
    assert len(FIGURES["enumeration"]) == 9
    for row in FIGURES["enumeration"]:
        d, over_all = row["d_k"], enumerated(v.LAWS[laws[row["law"]]], row["d_k"])
        found = {power: over_all(lambda s, power=power: s**power) for power in (1, 2, 4)}
        ours = (found[1], found[2], found[2] / d, found[4], v._moment(v.LAWS[laws[row["law"]]], 2))
        keys = ("mean", "var", "var_scaled", "fourth_moment", "var_entry")
        for x, key in zip(ours, keys, strict=True):
            assert Fraction(*x.fraction) == Fraction(row[key]), (row, key)


def test_widths_of_64_and_512():
    """Deviations, and two weights whose scores are one deviation of a gap apart."""
    figures = FIGURES["wide"]
    for d in (64, 512):
        agrees(number(d).sqrt(), figures[f"std_dot_{d}"])
        agrees(number(2 * d).sqrt(), figures[f"std_gap_{d}"])
        two = Softmax().rule(matrix([[number(2 * d).sqrt(), number(0)]]))
        matrices_agree(two, figures[f"two_way_softmax_unscaled_{d}"])
        agrees(two[0, 0] * two[0, 1], figures[f"two_way_jac_unscaled_{d}"])
    two = Softmax().rule(matrix([[number(2).sqrt(), number(0)]]))
    matrices_agree(two, figures["two_way_softmax_scaled"])
    agrees(two[0, 0] * two[0, 1], figures["two_way_jac_scaled"])


def test_the_dice():
    from derive.theorems import dice

    one, two = dice._die(512), dice._die(2)
    ours = {
        "var_die_512": one,
        "var_die_2": two,
        "ratio": one / two,
        "std_die_512": one.sqrt(),
        "sum_512_coins": number(512),
        "sum_512_d6": 512 * dice._die(6),
        "sum_2_d6": 2 * dice._die(6),
        "std_ratio_512_vs_2_dice": (512 * dice._die(6)).sqrt() / (2 * dice._die(6)).sqrt(),
    }
    assert ours.keys() == FIGURES["dice"].keys()
    for name, x in ours.items():
        agrees(x, FIGURES["dice"][name])


@pytest.mark.parametrize("row", FIGURES["temperature"], ids=lambda row: "_".join(row["scores"]))
def test_the_limits_of_temperature(row):
    tau = from_sympy(sympy.Symbol("tau"))
    weights = Softmax().rule(matrix([[int(x) for x in row["scores"]]]) / tau)
    for limit, key in ((toward_zero, "tau_to_0"), (toward_infinity, "tau_to_inf")):
        found = [Fraction(*limit("tau")(x).fraction) for x in weights]
        assert found == [Fraction(x) for x in row[key]]


def test_the_permuted_head():
    from derive.theorems.permutation import SWAP

    swapped, figures = SWAP @ GIVEN["H"], FIGURES["permutation"]
    matrices_agree(head(H=swapped).step("O").value, figures["O_PH"])
    matrices_agree(head("causal", H=swapped).step("O").value, figures["O_causal_PH"])
    matrices_agree(SWAP @ head("causal").step("O").value, figures["P_O_causal"])


def test_the_shared_projection():
    from derive.theorems.shared_qk import DERIVED

    weights = DERIVED.step("A").value
    matrices_agree(weights, FIGURES["shared"]["A"])
    found = next(c for c in PROVED["shared-qk"].claims if c.first == Name("p"))
    matrices_agree(found.settings[0].values["p"], FIGURES["shared"]["pi"])


def test_the_variance_that_a_norm_keeps():
    v, epsilon = sympy.symbols("v epsilon", positive=True)
    assert sympy.solve(sympy.Eq(v / (v + epsilon), v), v) == [1 - epsilon]
    assert FIGURES["fixed_variance"] == "1 - epsilon"


# --- facts in sentences that no claim states


def test_softmax_of_two_layers_without_a_mask_by_numpy():
    """The last rows of the second layer that the page on masks prints."""
    import numpy

    def layer(x, q, k, v, masked):
        s = (x @ q) @ (x @ k).T / numpy.sqrt(2)
        s = numpy.where(numpy.tril(numpy.ones((3, 3))) > 0, s, -numpy.inf) if masked else s
        e = numpy.exp(s)
        return e / e.sum(axis=1, keepdims=True) @ (x @ v)

    given = [
        numpy.array(to_sympy_matrix(GIVEN[n]).tolist(), float) for n in ("H", "W_Q", "W_K", "W_V")
    ]
    unit = numpy.eye(2)
    page = theorem_printed(PROVED["mask-at-inference"], "terminal", lang="en")
    for masked in (True, False):
        last = layer(layer(*given, masked), unit, unit, unit, masked)[2]
        assert f"[{last[0]:.3f}, {last[1]:.3f}]" in page


def test_a_difference_of_weights_is_below_half_the_gap():
    for gap in (mpmath.mpf(k) / 50 for k in range(1, 500)):
        a = 1 / (1 + mpmath.exp(-gap))
        assert a - (1 - a) < gap / 2


# --- what proofs rest on


@pytest.mark.parametrize("seed", range(6))
def test_sines_of_sums_keep_their_value(seed):
    """sin and cos of integer combinations of two angles, multiplied, at random places."""
    random = Random(seed)
    a, b = symbol("a"), symbol("b")
    factors = [
        call(
            random.choice(("sin", "cos")), a * random.randint(-3, 3) + b * random.randint(1, 4) / 7
        )
        for _ in range(3)
    ]
    x = factors[0] * factors[1] * factors[1] + factors[2]
    at = {"a": random.uniform(-2, 2), "b": random.uniform(-2, 2)}
    before, after = (to_sympy(y).evalf(30, subs=at) for y in (x, added(x)))
    assert abs(before - after) < 1e-20
    assert not (added(x) - added(added(x))).num


def test_sines_of_one_angle_have_one_form():
    a, b = symbol("a"), symbol("b")
    assert added(sin(a) ** 2 + cos(a) ** 2 - 1).is_zero
    assert added(sin(a - b) ** 4 - (1 - cos(a - b) ** 2) ** 2).is_zero
    assert added(sin(a + b) - sin(a) - sin(b)).num
    far = sin(a * 100)
    assert added(far) == far, "a large multiple stays as it is"


def test_an_angle_at_a_letter():
    assert to_sympy(angle(symbol("p"), 1, 10000, 4)) == sympy.Symbol("p") / 100


def test_moments_that_are_not_assumed_are_not_used():
    q, k = symbol("q_1"), symbol("k_1")
    law = independent({"q_1": (number(1), number(0), number(1))})
    assert law.mean(3 * q * q + q * k + 5) == 8
    for x in (q**3, 1 / q, q.exp()):
        with pytest.raises(Unproved):
            law.mean(x)
    joint = vectors({"q_1": number(2), "k_1": number(3)}, lambda a, b: number(1))
    assert joint.mean(q * k) == 6 and joint.variance(q) == 1
    with pytest.raises(Unproved):
        joint.mean(q**3)
