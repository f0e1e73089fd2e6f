"""Entries as text: what they mean, and what is refused at which character."""

from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.errors import InputError, Place
from derive.exact import NEG_INF, PI, E, NegativeInfinity, Scalar, call, number, symbol
from derive.read.literals import read_scalar

a, b, tau = symbol("a"), symbol("b"), symbol("tau")
root2 = call("sqrt", number(2))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1/3", number(1, 3)),
        ("0.1", number(1, 10)),
        (".5", number(1, 2)),
        ("5.", number(5)),
        ("-0.25", number(-1, 4)),
        ("007", number(7)),
        ("1e-5", number(1, 100_000)),
        ("2.5E3", number(2500)),
        ("  3 ", number(3)),
        ("+5", number(5)),
        ("--3", number(3)),
        ("2*-3", number(-6)),
        ("-2^2", number(-4)),
        ("2^-1", number(1, 2)),
        ("2^3^2", number(512)),
        ("2**3", number(8)),
        ("2^1/2", number(1)),
        ("1/2/2", number(1, 4)),
        ("1-2-3", number(-4)),
        ("2*(3+4)", number(14)),
        ("sqrt(4)", number(2)),
        ("4^(1/2)", number(2)),
        ("4^(3/2)", number(8)),
        ("4^(-1/2)", number(1, 2)),
        ("2^(1/2)", root2),
        ("sqrt(2)/2", root2 / number(2)),
        ("sqrt(8)", root2 * number(2)),
        ("-2*pi", number(-2) * PI),
        ("e", E),
        ("E", E),
        ("exp(1)", E),
        ("e^(1/3)", call("exp", number(1, 3))),
        ("e^-a", call("exp", -a)),
        ("ln(2)", call("log", number(2))),
        ("a", a),
        ("a^0", number(1)),
        ("(a+b)^2", a * a + number(2) * a * b + b * b),
        ("a/b", a / b),
        ("H_11", symbol("H_11")),
        ("W_Q_11", symbol("W_Q_11")),
        ("τ", tau),
        ("τ_1", symbol("tau_1")),
        ("π", PI),
        ("−１／３", number(-1, 3)),
        ("（1＋2）×3", number(9)),
        ("6÷3", number(2)),
        ("2·a⋅b", number(2) * a * b),
        ("√2", root2),
        ("√(2)", root2),
        ("√2/2", root2 / number(2)),
        ("a²", a * a),
        ("2⁻¹", number(1, 2)),
        ("-oo", NEG_INF),
        (" -∞ ", NEG_INF),
        ("-inf", NEG_INF),
    ],
)
def test_what_an_entry_means(text, value):
    assert read_scalar(text) == value or read_scalar(text) is value


def test_given_names_win_over_constants_and_symbols():
    names = {"d_k": number(4), "e": number(7)}
    assert read_scalar("sqrt(d_k)", names=names) == number(2)
    assert read_scalar("e + 1", names=names) == number(8)


@pytest.mark.parametrize(
    ("text", "column", "message", "rest"),
    [
        ("", 1, "empty", ""),
        ("   ", 4, "empty", ""),
        ("2a", 2, "side by side", "write 2*a"),
        ("2(3)", 2, "side by side", "write 2*(...)"),
        ("2 3", 3, "side by side", "write 2*3"),
        ("(1+a)b", 6, "side by side", ""),
        ("2e", 2, "side by side", "write 2*e"),
        ("πa", 2, "side by side", ""),
        ("1.2.3", 4, "side by side", ""),
        ("2√2", 2, "side by side", ""),
        ("foo(2)", 1, "no function 'foo'", "sqrt, exp"),
        ("1+sqr(2)", 3, "no function 'sqr'", "did you mean sqrt?"),
        ("sin", 1, "sin is a function", "sin(2)"),
        ("I", 1, "imaginary", ""),
        ("nan", 1, "nan is not a number", ""),
        ("_a", 1, "underscore", ""),
        ("__import__('os')", 1, "underscore", ""),
        ("os.system", 3, "'.' has no meaning", "inside a number"),
        ("lambda", 1, "word of Python", "lamda"),
        ("None", 1, "word of Python", ""),
        ("[1]", 1, "'[' has no meaning", "round brackets"),
        ("'a'", 1, "no meaning", "quotes"),
        ("5%", 2, "'%' has no meaning", "5/100"),
        ("0,5", 2, "',' has no meaning", "0.5"),
        ("0，5", 2, "'，' has no meaning", "0.5"),
        ("a\u200b", 2, "ZERO WIDTH SPACE", ""),
        ("a=1", 2, "'=' has no meaning", "equation"),
        ("1/0", 2, "division by zero", ""),
        ("1/(a-a)", 2, "division by zero", ""),
        ("0^-1", 2, "division by zero", ""),
        ("0^0", 2, "0^0", ""),
        ("sqrt(-1)", 1, "not real", ""),
        ("log(0)", 1, "not defined", ""),
        ("2^(1/3)", 2, "no exact form", "a half"),
        ("2^a", 2, "no exact form", "exp"),
        ("√x²", 3, "what the root covers", "(√x)^2"),
        ("oo", 1, "infinity", "-oo"),
        ("+oo", 2, "infinity", "-oo"),
        ("1-oo", 3, "infinity", "-oo"),
        ("A_11", 1, "entry of step A", "another name"),
        ("1+Z_1", 3, "entry of step Z", ""),
        ("exp_1_12", 1, "entry of step exp", ""),
        ("d_k", 1, "columns of W_K", ""),
        ("(1", 1, "never closed", "')'"),
        ("1)", 2, "never opened", ""),
        ("()", 2, "stands where a value should", ""),
        ("1+", 3, "ends too early", ""),
        ("*2", 1, "stands where a value should", ""),
        ("9^9^9^9", 4, "exponent is too large", "400"),
        ("1e500", 1, "exponent is too large", ""),
        ("1e" + "9" * 5000, 1, "exponent is too large", ""),
        ("1" * 401, 1, "number is too long", "400"),
        ("(" * 60 + "1" + ")" * 60, 51, "nested too deeply", "50"),
        ("(a+b+c+d+f)^50", 12, "too large to write out", "500"),
        ("((2^400)^400)^400", 9, "too large", ""),
        ("x" * 100, 1, "is too long", ""),
    ],
)
def test_what_is_refused(text, column, message, rest):
    with pytest.raises(InputError) as caught:
        read_scalar(text)
    error = caught.value
    assert message in error.message
    assert rest in f"{error.expected} {error.hint}"
    assert (error.place.column, error.place.text) == (column, text)


def test_the_error_points_into_the_line_where_the_text_was_found():
    place = Place("f.toml", 4, 7, 'H = [["2a"]]', width=4)
    with pytest.raises(InputError) as caught:
        read_scalar("2a", place=place)
    assert (caught.value.place.line, caught.value.place.column) == (4, 9)


BOMBS = {
    "9^9^9^9": "9^9^9^9",
    "brackets": "(" * 20_000,
    "roots": "√" * 19_999 + "2",
    "powers": "2^" * 9_999 + "2",
    "signs": "-" * 19_999 + "1",
    "too long": "1+" * 10_000 + "1",
    "letters": "*".join(f"a{i}" for i in range(3000)),
    "sums": "+".join(f"a{i}" for i in range(3000)),
    "product of sums": "*".join(f"(1+a{i})" for i in range(300)),
    "fractions": "+".join(f"1/(a{i}+1)" for i in range(30)),
    "radical": f"sqrt({'7' * 400})",
    "radicals": "+".join(f"√{p}" for p in range(2, 1500)),
    "power": "(a+1)^400",
    "exps": "exp(" * 49 + "a" + ")" * 49,
    "digits": "9" * 19_999,
}


@pytest.mark.parametrize("text", BOMBS.values(), ids=BOMBS.keys())
def test_what_would_take_long_is_refused(text):
    with suppress(InputError):
        assert read_scalar(text).size <= 2000


WORDS = st.sampled_from(
    [
        "0",
        "1",
        "2",
        "0.5",
        "1e3",
        "a",
        "b",
        "pi",
        "e",
        "I",
        "oo",
        "nan",
        "sqrt(",
        "exp(",
        "log(",
        "sin(",
        "√",
        "²",
        "τ",
        "－",
        "½",
        *"+-*/^().,_",
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=12).map("".join)))
def test_any_text_is_a_value_or_one_error(text):
    try:
        assert isinstance(read_scalar(text), (Scalar, NegativeInfinity))
    except InputError as error:
        assert error.message and str(error).startswith("error: ")


NUMBERS = st.integers(0, 50).map(str) | st.sampled_from(["0.5", "1e-2", "2.25"])
SUMS = st.recursive(
    NUMBERS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*/"), inner).map("({0[0]}){0[1]}({0[2]})".format),
        st.tuples(inner, st.sampled_from("+-*"), inner).map(" ".join),
        inner.map("-({})".format),
        st.tuples(inner, st.integers(1, 3)).map("({0[0]})^{0[1]}".format),
    ),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None)
@given(SUMS)
def test_rational_arithmetic_agrees_with_python(text):
    code = "".join(f"F('{word}')" if word[0].isdigit() else word for word in _words(text))
    try:
        value = eval(code.replace("^F", "**F"), {"F": Fraction})  # noqa: S307  (the arithmetic this test made itself)
    except ZeroDivisionError:
        with pytest.raises(InputError):
            read_scalar(text)
        return
    try:
        assert read_scalar(text) == number(value.numerator, value.denominator)
    except InputError as error:
        assert "too large" in error.message


def _words(text):
    import re

    return re.findall(r"\d[\d.]*(?:e-\d+)?|.", text)


@pytest.mark.parametrize(
    "text",
    [
        "sqrt(2)/2 + 1/3", "(1+sqrt(2))^5", "1/(1+sqrt(3))", "exp(1/2)*exp(-1)", "2*pi/(1+pi)",
        "sqrt(12)-2^(3/2)", "(a+1)^3/(a-1)", "exp(a)*(1+exp(-a))", "log(2)+sin(1)*cos(1)",
        "-2^2*3/7-(1-2)^3", "tanh(1/2)+erf(1)", "e^2/(e+1)",
    ],
)  # fmt: skip
def test_values_agree_with_sympy(text):
    sympy = pytest.importorskip("sympy")
    from derive.exact.bridge import to_sympy

    point = {sympy.Symbol(s): sympy.Rational(7, 5) for s in ("a",)}
    wanted = sympy.parse_expr(text.replace("^", "**"), {"e": sympy.E})
    ours = to_sympy(read_scalar(text))
    ours = ours.subs({s: point[sympy.Symbol(s.name)] for s in ours.free_symbols})
    assert abs((ours - wanted.subs(point)).evalf(50)) < sympy.Float("1e-40", 50)
