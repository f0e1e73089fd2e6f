"""Matrices from Python: lists, fractions, SymPy, NumPy; and the shapes of a problem."""

from decimal import Decimal
from fractions import Fraction

import pytest

from derive.conventions import Conventions
from derive.errors import InputError
from derive.exact import NEG_INF, PI, Matrix, call, number, symbol
from derive.read.conventions import read_conventions
from derive.read.objects import as_given, as_mask, as_matrix, as_scalar
from derive.read.shapes import complete
from derive.read.symbols import Symbols, symbol_matrix

np = pytest.importorskip("numpy")
sympy = pytest.importorskip("sympy")

a = symbol("a")
root2 = call("sqrt", number(2))


def refused(read, *args, **kwargs):
    with pytest.raises(InputError) as caught:
        read(*args, **kwargs)
    return str(caught.value)


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        (3, number(3)),
        (Fraction(1, 3), number(1, 3)),
        (Decimal("0.1"), number(1, 10)),
        ("sqrt(2)/2", root2 / number(2)),
        (a, a),
        (np.int64(-2), number(-2)),
        (np.uint8(2), number(2)),
        (np.str_("1/3"), number(1, 3)),
        (sympy.Integer(4), number(4)),
        (sympy.Rational(1, 3), number(1, 3)),
        (sympy.sqrt(2) * sympy.Symbol("a") / 2, root2 * a / number(2)),
        (sympy.pi - 1, PI - number(1)),
        (sympy.exp(sympy.Symbol("a")), call("exp", a)),
        (sympy.E**2, call("exp", number(2))),
        (1 / (1 + sympy.sqrt(2)), root2 - number(1)),
    ],
    ids=str,
)
def test_what_an_entry_means(entry, value):
    assert as_matrix([[entry, 1]], "H")[0, 0] == value
    assert as_scalar(entry, "temperature") == value


@pytest.mark.parametrize(
    ("value", "exact", "decimal"),
    [
        (0.1, Fraction(0.1), Fraction(1, 10)),
        (-2.5e-7, Fraction(-2.5e-7), Fraction(-25, 10**8)),
        (1e22, Fraction(10**22), Fraction(10**22)),
        (np.float64(0.1), Fraction(0.1), Fraction(1, 10)),
        (np.float32(0.1), Fraction(*np.float32(0.1).as_integer_ratio()), Fraction(1, 10)),
        (np.float16(0.1), Fraction(*np.float16(0.1).as_integer_ratio()), Fraction(1, 10)),
        (sympy.Float(0.1), Fraction(0.1), Fraction(1, 10)),
    ],
    ids=repr,
)
def test_floats_are_read_as_the_caller_says(value, exact, decimal):
    read = {way: as_scalar(value, "x", way) for way in ("exact", "decimal")}
    assert read["exact"] == number(exact.numerator, exact.denominator)
    assert read["decimal"] == number(decimal.numerator, decimal.denominator)
    message = refused(as_matrix, [[value]], "H")
    assert "H[1][1]" in message and 'floats="exact"' in message and 'floats="decimal"' in message


def test_float_arrays_and_expressions_follow_the_same_rule():
    array = np.array([[0.5, 0.1]])
    assert as_matrix(array, "H", floats="decimal").rows == ((number(1, 2), number(1, 10)),)
    assert as_matrix(array.astype(np.float32), "H", floats="decimal")[0, 1] == number(1, 10)
    assert as_matrix(array, "H", floats="exact")[0, 1] == number(*(0.1).as_integer_ratio())
    assert "H[1][1]: 0.5 is a float" in refused(as_matrix, array, "H")
    assert as_scalar(0.5 * sympy.Symbol("a"), "x", "exact") == a / number(2)
    assert "write floats=" in refused(as_matrix, array, "H", floats="decimals")


ROWS = ((number(1), number(2)), (number(3), number(4)), (number(5), number(6)))


@pytest.mark.parametrize(
    "value",
    [
        [[1, 2], [3, 4], [5, 6]],
        ((1, 2), (3, 4), (5, 6)),
        [np.array([1, 2]), [3, 4], (5, 6)],
        np.array([[1, 2], [3, 4], [5, 6]]),
        np.array([[1, 2], [3, 4], [5, 6]], dtype=np.int8),
        np.array([[1, 2], [3, 4], [5, 6]], dtype=object),
        np.array([["1", "2"], ["3", "4"], ["5", "6"]]),
        sympy.Matrix([[1, 2], [3, 4], [5, 6]]),
        sympy.ImmutableMatrix([[1, 2], [3, 4], [5, 6]]),
        sympy.SparseMatrix([[1, 2], [3, 4], [5, 6]]),
        Matrix(ROWS),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_a_matrix_is_made_of(value):
    assert as_matrix(value, "H").rows == ROWS


def test_matrices_of_symbols():
    names = [[x.free_symbols for x in row] for row in as_matrix({"shape": (1, 2)}, "W_Q").rows]
    assert names == [[{"W_Q_11"}, {"W_Q_12"}]]
    assert as_matrix(sympy.MatrixSymbol("X", 2, 2), "H")[1, 0] == symbol("X_21")
    assert symbol_matrix("H", 1, 12)[0, 10] == symbol("H_1_11")
    assert as_given("symbols", "H") == Symbols()
    assert as_given({"shape": [2, 3]}, "H") == Symbols(2, 3)


@pytest.mark.parametrize(
    ("value", "parts"),
    [
        ([1, 2], ["H is a flat list", "[[1, 2]]"]),
        ([[1, 2], [3]], ["row 2 of H has 1 entry, row 1 has 2"]),
        ([[1, 2], [3, 4], [5, 6, 7]], ["row 3 of H has 3 entries, row 1 has 2"]),
        ([[1, 2], 3], ["row 2 of H is a number"]),
        ([], ["H is empty"]),
        ([[]], ["H is empty"]),
        (np.zeros((0, 2), int), ["H is empty"]),
        ([[1] * 513], ["too large: 1 x 513", "512"]),
        (np.ones((600, 600), int), ["too large: 600 x 600"]),
        ([[[1]]], ["H[1][1]: a list is not"]),
        ([[True]], ["H[1][1]: true or false"]),
        ([[None]], ["H[1][1]: None is not"]),
        ([[1j]], ["type complex"]),
        ([[object()]], ["type object"]),
        ([[b"1"]], ["type bytes"]),
        ([["2a"]], ["H[1][1]: two values", "write 2*a", "| 2a"]),
        ([[1, 2], [3, "x$"]], ["H[2][2]", "'$'"]),
        ([[float("nan")]], ["H[1][1]: nan is not a number"]),
        ([[float("inf")]], ["infinity"]),
        ([[float("-inf")]], ["-oo", "mask"]),
        ([[Decimal("NaN")]], ["nan is not a number"]),
        ([[Decimal("1e999999")]], ["exponent is too large"]),
        ([["-oo"]], ["-oo is not a number", "only a mask"]),
        ([[10**7000]], ["number is too long"]),
        ([[np.bool_(True)]], ["is not an exact number"]),
        (np.array([[True]]), ["truth values", "-oo"]),
        (np.array([[1j]]), ["complex128"]),
        (np.array([1, 2]), ["1 dimensions", "H[None, :]"]),
        (np.ones((1, 1, 1)), ["3 dimensions"]),
        (np.ma.masked_array([[1]], mask=[[True]]), ["masked"]),
        (np.array([["2020-01-01"]], dtype="datetime64[D]"), ["datetime64"]),
        (sympy.Matrix([[sympy.I]]), ["H[1][1]", "imaginary"]),
        (sympy.Matrix([[sympy.nan]]), ["nan"]),
        (sympy.Matrix([[sympy.zoo]]), ["zoo"]),
        (sympy.Matrix([[sympy.oo]]), ["oo"]),
        (sympy.Matrix([[sympy.Symbol("e")]]), ["named e", "another name"]),
        (sympy.Matrix([[sympy.Symbol("A_11")]]), ["entry of step A"]),
        (sympy.Matrix([[sympy.Symbol("x y")]]), ["side by side"]),
        (sympy.Matrix([[sympy.cbrt(2)]]), ["no exact form"]),
        (sympy.Matrix([[sympy.gamma(sympy.Symbol("a"))]]), ["no function 'gamma'"]),
        (sympy.Matrix([[sympy.Integer(9) ** 9999]]), ["too long"]),
        (sympy.MatrixSymbol("X", sympy.Symbol("n"), 2), ["no definite shape"]),
        (sympy.MatrixSymbol("X", 2, 2) * 2, ["as_explicit"]),
        ("symbol", ["the text 'symbol'", "symbols"]),
        ({"shape": (0, 2)}, ["'0' rows", "512"]),
        ({"shape": (2, True)}, ["not an integer"]),
        ({"shape": 2}, ["not two numbers"]),
        ({"shapes": (2, 2)}, ["no key 'shapes'"]),
        ({}, ["has no shape"]),
        (3, ["H is a number"]),
        (None, ["H is None"]),
        ({1, 2}, ["type set"]),
    ],
)
def test_what_is_refused(value, parts):
    message = refused(as_matrix, value, "H")
    assert all(part in message for part in parts), message


def test_a_list_that_holds_itself():
    rows = []
    rows.append(rows)
    assert "H[1][1]: a list" in refused(as_matrix, rows, "H")


def test_a_mask_holds_zeros_and_minus_infinity():
    wanted = ((number(0), NEG_INF), (number(0), number(0)))
    for mask in (
        [[0, "-oo"], [0, 0]],
        [[0.0, float("-inf")], [0, 0.0]],
        np.array([[0, -np.inf], [0, 0]]),
        sympy.Matrix([[0, -sympy.oo], [0, 0]]),
    ):
        assert as_mask(mask).rows == wanted


# Shapes


def sizes(**shapes):
    return {
        name: Symbols(*shape) if None in shape else symbol_matrix(name, *shape)
        for name, shape in shapes.items()
    }


SQUARE = {"H": (3, 2), "W_Q": (2, 2), "W_K": (2, 2), "W_V": (2, 2)}
FREE = (None, None)


@pytest.mark.parametrize(
    ("changed", "wanted"),
    [
        ({}, {"W_V": (2, 2)}),
        ({"W_Q": FREE}, {"W_Q": (2, 2)}),
        ({"W_Q": FREE, "W_K": (2, 5), "W_V": FREE}, {"W_Q": (2, 5), "W_V": (2, 5)}),
        ({"W_Q": (2, 4), "W_K": FREE}, {"W_K": (2, 4)}),
        ({"W_Q": FREE, "W_K": FREE, "W_V": FREE}, {"W_Q": (2, 2), "W_K": (2, 2), "W_V": (2, 2)}),
        ({"W_V": (None, 7)}, {"W_V": (2, 7)}),
        ({"H": FREE}, {"H": (3, 2)}),
        ({"context": (5, 4), "W_K": FREE, "W_V": FREE}, {"W_K": (4, 2), "W_V": (4, 2)}),
        ({"context": (5, None), "W_K": (4, 2), "W_V": FREE}, {"context": (5, 4), "W_V": (4, 2)}),
    ],
)
def test_shapes_of_symbols_follow(changed, wanted):
    given = sizes(**(SQUARE | changed))
    found = complete(given, Conventions(), ("A", "B", "C"))
    assert {name: found[name].shape for name in wanted} == wanted
    assert list(found) == [name for name in (*SQUARE, "context") if name in found]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"W_V": (3, 2)}, "W_V has 3 rows but H has 2 columns"),
        ({"W_K": (2, 3)}, "W_K has 3 columns but W_Q has 2 columns"),
        ({"W_Q": (1, 2)}, "W_Q has 1 row but H has 2 columns"),
        ({"context": (4, 3)}, "W_K has 2 rows but context has 3 columns"),
        ({"H": (2, 2)}, "there are 3 tokens but H has 2 rows"),
        ({"context": FREE}, "the shape of context does not follow"),
    ],
)
def test_shapes_that_disagree(changed, message):
    given = sizes(**(SQUARE | changed))
    assert message in refused(complete, given, Conventions(), ("A", "B", "C"))


def test_a_shape_that_does_not_follow_says_what_is_known():
    given = sizes(**(SQUARE | {"H": FREE}))
    assert "H = {shape = [r, 2]}" in refused(complete, given, Conventions())


def test_missing_and_unknown_matrices():
    given = sizes(**SQUARE)
    few = {name: given[name] for name in ("H", "W_Q", "W_K")}
    assert "W_V is missing" in refused(complete, few, Conventions())
    message = refused(complete, given | {"W_q": given["H"]}, Conventions())
    assert "'W_q'" in message and "did you mean W_Q?" in message


def mask(*rows):
    return Conventions(mask=as_mask(rows))


@pytest.mark.parametrize(
    ("conventions", "message"),
    [
        (mask([0, 0], [0, 0]), "mask has 2 rows but H has 3 rows"),
        (mask([0], [0], [0]), "mask has 1 column but H has 3 rows"),
        (mask([0, 0, 0], ["-oo"] * 3, [0, 0, 0]), "row 2 of the mask forbids every key"),
        (mask([0, 0, 0], [0, 1, 0], [0, 0, 0]), "mask[2][2] is neither 0 nor -oo"),
    ],
)
def test_masks_that_do_not_fit(conventions, message):
    assert message in refused(complete, sizes(**SQUARE), conventions)


def test_masks_and_a_context():
    given = sizes(**SQUARE, context=(2, 2))
    complete(given, mask([0, 0], [0, "-oo"], [0, 0]))
    message = refused(complete, given, Conventions(mask="causal"))
    assert "context has 2 rows and H has 3 rows" in message
    complete(sizes(**SQUARE, context=(3, 2)), Conventions(mask="causal"))


def test_a_fully_masked_row_is_allowed_under_a_finite_value():
    table = {"mask": [["-oo"] * 3] * 3, "mask_value": -(10**9)}
    complete(sizes(**SQUARE), read_conventions(table))


def test_conventions_from_words():
    found = read_conventions({"preset": "gpt-2", "scale": "d_k", "temperature": "τ"})
    assert (found.mask, found.scale, found.temperature) == ("causal", symbol("d_k"), symbol("tau"))
    assert read_conventions({"preset": "gpt-2", "mask": None}).mask is None
    assert read_conventions({"mask_value": "-1e9"}).mask_value == number(-(10**9))
    assert read_conventions({}) == Conventions()


@pytest.mark.parametrize(
    ("table", "parts"),
    [
        ({"scale": 0}, ["scale is 0"]),
        ({"temperature": "1-1"}, ["temperature is 0"]),
        ({"temperature": 0.5}, ["temperature: 0.5 is a float"]),
        ({"temperature": "d_k"}, ["temperature: d_k is the number of columns"]),
        ({"scale": "none"}, ["the text 'none'", "scale = 1"]),
        ({"scale": [1]}, ["scale: a list"]),
        ({"scale": "-oo"}, ["scale: -oo"]),
        ({"mask": "casual"}, ["'casual'", "did you mean causal?"]),
        ({"mask": True}, ["mask is true or false"]),
        ({"mask": 3}, ["mask is a number"]),
        ({"mask_mode": "ad"}, ["'ad'", "add or replace"]),
        ({"preset": "gtp2"}, ["did you mean gpt-2?"]),
        ({"preset": 3}, ["preset cannot be a number"]),
        ({"sclae": 1}, ["'sclae'", "did you mean scale?"]),
    ],
)
def test_conventions_that_are_refused(table, parts):
    message = refused(read_conventions, table)
    assert all(part in message for part in parts), message
