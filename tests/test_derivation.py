"""Derivations: steps and their words, exact and symbolic values, letters, names, what is shown."""

import pickle
import re
from fractions import Fraction
from random import Random

import mpmath
import numpy as np
import pytest
import sympy
from algebra import is_zero

from derive import Conventions, Derivation, InputError, Problem, attention, builtin, derive, load
from derive.certify import Format
from derive.exact import NEG_INF, Matrix, Scalar, number, symbol
from derive.exact.bridge import to_sympy, to_sympy_matrix
from derive.exact.ink import LATEX, PLAIN
from derive.exact.write import Writer, write
from derive.ops import Linear, Softmax
from derive.pages import page
from derive.problems import ORDER
from derive.step import Step

H, W_Q = [[1, 0], [0, 1], [1, 1]], [[1, 0], [0, 1]]
W_K, W_V = [[1, 1], [0, 1]], [[1, 0], [1, 1]]
GIVEN = ("H", "W_Q", "W_K", "W_V")
DERIVED = ["Q", "K", "V", "K^T", "S", "scaled", "exp", "Z", "A", "C", "O"]
BUILT_IN = {name: derive(builtin(name)) for name in ORDER}
each_problem = pytest.mark.parametrize("name", ORDER)
each_head = pytest.mark.parametrize("name", [n for n in ORDER if builtin(n).model == "attention"])
"""Problems of one head; the figures of every other model are held by test_models.py."""


@pytest.fixture(scope="module")
def head():
    return attention(H, W_Q, W_K, W_V)


# --- steps and their words


def test_the_steps_in_order(head):
    assert [s.name for s in head.steps] == [*GIVEN, *DERIVED]
    assert [s.name for s in head.derived] == DERIVED
    causal = attention(H, W_Q, W_K, W_V, mask="causal")
    assert [s.name for s in causal.derived] == [*DERIVED[:6], "masked", *DERIVED[6:]]
    cross = BUILT_IN["cross"]
    assert "context" in cross and "context" not in head
    assert [s.name for s in cross.step("K").inputs] == ["context", "W_K"]


@each_head
def test_shapes(name):
    d = BUILT_IN[name]
    turn = -1 if d.problem.conventions.vectors == "columns" else 1
    n = d.step("H").shape[::turn][0]
    m = d.step("context").shape[::turn][0] if "context" in d else n
    d_k, d_v = (d.step(w).shape[::turn][1] for w in ("W_Q", "W_V"))
    expected = {
        "Q": (n, d_k), "K": (m, d_k), "V": (m, d_v), "K^T": (d_k, m), "S": (n, m), "scaled": (n, m),
        "masked": (n, m), "exp": (n, m), "Z": (n, 1), "A": (n, m), "C": (n * m, d_v), "O": (n, d_v),
    }  # fmt: skip
    for step in d.derived:
        shape = expected[step.name][:: 1 if step.name == "Z" else turn]
        assert step.shape == shape == d[step.name].shape


def test_values_are_sympy_matrices_counted_from_zero(head):
    A = head["A"]
    assert isinstance(A, sympy.MatrixBase)
    assert A[1, 2] == head.entry("A[2][3]") == to_sympy(head.exact("A[2][3]"))
    t = sympy.exp(sympy.sqrt(2) / 2)
    assert sympy.simplify(A[1, 2] - t / (t + 2)) == 0
    assert sympy.simplify((A * sympy.ones(3, 1))[0] - 1) == 0  # one can go on computing


@pytest.mark.parametrize("place", ["A[2][3]", " A [2][3]", "A[2] [3]"])
def test_places_count_from_one(head, place):
    assert head.exact(place) == head.step("A").value[1, 2]


def test_a_column_needs_no_second_number(head):
    assert head.exact("Z[2]") == head.exact("Z[2][1]")
    assert head.exact("K^T[1][3]") == 1


@pytest.mark.parametrize(
    "place",
    ["A[0][1]", "A[1][0]", "A[4][1]", "A[1][4]", "A[-1][1]", "A[1]", "A", "", "A[1,2]", "A[x][1]",
     "Z[4]", "A[1][2][3]", "[1][2]", "A[1][1" + "0" * 50 + "]", "A[999999][1]"],
)  # fmt: skip
def test_what_names_no_entry_is_refused(head, place):
    with pytest.raises(InputError):
        head.entry(place)


@pytest.mark.parametrize(
    ("word", "meant"),
    [("a", "A"), ("Scaled", "scaled"), ("KT", "K^T"), ("wq", "W_Q"), ("mask", None), ("z", "Z")],
)
def test_an_unknown_step_names_the_nearest(head, word, meant):
    with pytest.raises(InputError) as caught:
        head[word]
    message = str(caught.value)
    assert word in message and "A" in message
    assert meant is None or f'"{meant}"' in message
    for ask in (head.step, head.places, head.digits, head.to_numpy):
        with pytest.raises(InputError):
            ask(word)


def test_what_is_given_has_no_rule(head):
    step = head.step("H")
    assert step.op is None and step.formula is None and step.notation is None
    with pytest.raises(InputError):
        step.worked  # noqa: B018


def test_digits_and_places_are_rows_of_text(head):
    assert head.places("Q") == [["1.000", "0.000"], ["0.000", "1.000"], ["1.000", "1.000"]]
    rows = [["0.4", "0.2", "0.4"], ["0.2", "0.2", "0.5"], ["0.3", "0.1", "0.6"]]
    assert head.places("A", 1) == rows
    assert head.digits("A", 6)[0] == ["0.401112", "0.197776", "0.401112"]
    assert head.digits("Z", 4) == [["5.056"], ["8.169"], ["14.48"]]
    assert head.places("A", 3, "truncate")[2] == ["0.283", "0.140", "0.575"]
    assert head.places("A", 50)[0][0].startswith("0.40111209267978591031401044631")


def test_what_is_no_way_of_rounding_is_refused(head):
    with pytest.raises(InputError, match="half-up"):
        head.places("A", 3, "up")


def test_certified_values_carry_their_exact_value(head):
    certified = head.certified("O", Format(digits=5, rounding="half-even"))
    values = [tuple(c.value for c in row) for row in certified]
    assert values == list(head.step("O").value.rows)
    assert certified[0][0].rounding == "half-even"


def test_a_new_step_leaves_the_old_derivation_alone(head):
    more = head.then("again", Linear(), "O", "W_V")
    assert "again" not in head and "again" in more
    assert sympy.simplify(more["again"] - head["O"] * sympy.Matrix(W_V)) == sympy.zeros(3, 2)
    assert more.then("P", Softmax(), "again").places("P", 2)[0] == ["0.80", "0.20"]


def test_what_is_frozen(head):
    for thing, field in ((head, "steps"), (head.problem, "given"), (head.steps[0], "name")):
        with pytest.raises(AttributeError):
            setattr(thing, field, None)


def test_pickled_and_unpickled():
    for name in ("head", "symbolic"):
        twin = pickle.loads(pickle.dumps(derive(builtin(name))))
        assert isinstance(twin, Derivation) and twin["A"] == BUILT_IN[name]["A"]


# --- to NumPy


def test_arrays_are_the_nearest_doubles(head):
    A = head.to_numpy("A")
    assert A.dtype == np.float64 and A.shape == (3, 3)
    scores = np.array(H) @ np.array(W_Q) @ (np.array(H) @ np.array(W_K)).T / np.sqrt(2)
    e = np.exp(scores)
    np.testing.assert_allclose(A, e / e.sum(axis=1, keepdims=True), rtol=1e-15)
    everything = head.to_numpy()
    assert list(everything) == [s.name for s in head.steps]
    np.testing.assert_array_equal(everything["A"], A)


def test_symbols_have_no_arrays():
    with pytest.raises(ValueError, match="A has free symbols"):
        BUILT_IN["symbolic"].to_numpy("A")


def test_masked_scores_are_minus_infinity_in_numpy():
    scores = BUILT_IN["causal"].to_numpy("masked")
    assert np.isneginf(scores[np.triu_indices(3, 1)]).all()
    assert np.isfinite(scores[np.tril_indices(3)]).all()


# --- values against SymPy from scratch


def by_sympy(given, scale, mask=None, temperature=1):
    """Attention in SymPy's own matrices."""
    source = given.get("context", given["H"])
    Q, K, V = given["H"] * given["W_Q"], source * given["W_K"], source * given["W_V"]
    S = (Q * K.T).applyfunc(lambda s: sympy.expand(s) / (scale * temperature))
    if mask is not None:
        S = S + mask
    E = S.applyfunc(sympy.exp)
    A = sympy.Matrix(*E.shape, lambda i, j: E[i, j] / sympy.Add(*E[i, :]))
    return {"Q": Q, "K": K, "V": V, "exp": E, "A": A, "O": A * V}


def letters(stem, n, m):
    return sympy.Matrix(n, m, lambda i, j: sympy.Symbol(f"{stem}_{i + 1}{j + 1}"))


def same_matrix(ours, theirs):
    assert ours.shape == theirs.shape
    for one, other in zip(ours, theirs, strict=True):
        assert is_zero(one - other), (one, other)


def test_three_tokens_all_symbols():
    given = {"H": letters("H", 3, 2), **{w: letters(w, 2, 2) for w in GIVEN[1:]}}
    d = attention(**given)
    expected = by_sympy(given, sympy.sqrt(2))
    for step in ("Q", "K", "V", "A", "O"):
        same_matrix(d[step], expected[step])


def test_symbols_and_numbers_mixed():
    a, b = sympy.symbols("a b")
    given = {
        "H": sympy.Matrix([[1, a], [sympy.Rational(1, 2), sympy.sqrt(2)], [b, 0]]),
        "W_Q": sympy.Matrix([[1, 0, 2], [0, a, 1]]),
        "W_K": sympy.Matrix([[1, 1, 0], [b, 1, sympy.sqrt(3)]]),
        "W_V": sympy.Matrix([[a], [3]]),
    }
    d = attention(**given)
    expected = by_sympy(given, sympy.sqrt(3))
    for step in ("A", "O"):
        same_matrix(d[step], expected[step])


def test_cross_attention_with_symbols():
    given = {
        "H": letters("H", 2, 2), "context": letters("X", 3, 1), "W_Q": letters("q", 2, 2),
        "W_K": sympy.Matrix([[1, 2]]), "W_V": letters("v", 1, 2),
    }  # fmt: skip
    d = attention(**given)
    expected = by_sympy(given, sympy.sqrt(2))
    for step in ("Q", "K", "V", "A", "O"):
        same_matrix(d[step], expected[step])


def test_a_given_mask_with_symbols():
    mask = sympy.Matrix([[0, -sympy.oo, 0], [0, 0, -sympy.oo], [-sympy.oo, -sympy.oo, 0]])
    weights = {w: sympy.Matrix([[k]]) for k, w in enumerate(GIVEN[1:], 1)}
    given = {"H": letters("H", 3, 1), **weights}
    text = [["-oo" if x else 0 for x in mask[i, :]] for i in range(3)]
    d = attention(**given, mask=text, scale="d_k", temperature="tau")
    expected = by_sympy(given, 1, mask, sympy.Symbol("tau"))
    for step in ("A", "O"):
        same_matrix(d[step], expected[step])
    assert d["A"][2, 0] == d["A"][2, 1] == 0 and d["A"][2, 2] == 1


def test_four_tokens_in_three_dimensions_at_random_rationals():
    """Numbers put in for 12 + 27 symbols: the closed form agrees with SymPy to 30 digits."""
    random = Random(7)
    d = attention({"shape": (4, 3)}, *({"shape": (3, 3)} for _ in range(3)))
    names = sorted(x for s in d.steps[:4] for e in s.value for x in e.free_symbols)
    assert len(names) == 12 + 27
    values = {x: Fraction(random.randint(-9, 9), random.randint(1, 5)) for x in names}
    rational = {sympy.Symbol(x): sympy.Rational(*f.as_integer_ratio()) for x, f in values.items()}
    given = {s.name: to_sympy_matrix(s.value).xreplace(rational) for s in d.steps[:4]}
    expected = by_sympy(given, sympy.sqrt(3))
    for step in ("S", "A", "O"):
        ours = d[step].xreplace(rational)
        if step == "S":
            assert ours.expand() == given["H"] * given["W_Q"] * (given["H"] * given["W_K"]).T
            continue
        for one, other in zip(ours, expected[step], strict=True):
            assert abs(sympy.N(one - other, 30, maxn=400)) < sympy.Float(10) ** -25
    kernel = {x: number(f.numerator, f.denominator) for x, f in values.items()}
    numeric = attention(**given)
    for step in ("A", "O"):
        put_in = d.step(step).value.map(lambda e: e.substitute(kernel))
        assert put_in == numeric.step(step).value


@pytest.mark.parametrize("seed", range(3))
def test_numbers_put_into_a_symbolic_head_give_the_head_of_the_numbers(seed):
    random = Random(seed)
    d = BUILT_IN["symbolic"]
    names = sorted(x for s in d.steps[:4] for e in s.value for x in e.free_symbols)
    values = {x: number(random.randint(-5, 5), random.randint(1, 4)) for x in names}
    given = {s.name: s.value.map(lambda e: e.substitute(values)) for s in d.steps[:4]}
    numeric = derive(Problem("numbers", given))
    for step in d.derived:
        put_in = step.value.map(lambda e: e.substitute(values))
        assert put_in == numeric.step(step.name).value


def test_a_row_of_weights_sums_to_one_for_every_problem():
    weights = [s for d in BUILT_IN.values() for s in d.derived if isinstance(s.op, Softmax)]
    assert len(weights) > len(ORDER)
    for step in weights:
        by_rows = step.value if step.op.along == "rows" else step.value.T
        for (total,) in by_rows.row_sums().rows:
            assert total == 1 or (step.is_deep and near_one(total))


def near_one(total):
    return abs(sympy.N(to_sympy(total), 30) - 1) < 1e-25


# --- worked forms and letters


def put_in(step):
    """A step's worked form with the values of its operands put in, by substitution in text."""
    operands = dict(zip((s.name for s in step.inputs), step.operands, strict=True))

    def value(entry):
        row, column = (*entry.indices, 1)[:2]
        return operands[entry.step][row - 1, column - 1]

    writer = Writer(PLAIN, values=value)
    return step.worked.map(writer.text)


def test_worked_forms_show_every_factor_in_order(head):
    assert put_in(head.step("Q"))[2, 0] == "1*1 + 1*0"
    assert put_in(head.step("S"))[2, 1] == "1*0 + 1*1"
    assert put_in(head.step("scaled"))[0, 0] == "1/sqrt(2)"
    assert put_in(head.step("Z"))[1, 0] == "exp(sqrt(2)/2) + exp(sqrt(2)/2) + exp(sqrt(2))"
    causal = BUILT_IN["causal"]
    assert put_in(causal.step("masked"))[0, 0] == "sqrt(2)/2 + 0"


def test_worked_forms_put_negative_numbers_in_brackets():
    d = attention([[1, -2]], [[-3], ["-1/2"]], [[1], [1]], [[1], [1]])
    assert put_in(d.step("Q"))[0, 0] == "1*(-3) + (-2)*(-1/2)"


@each_head
def test_every_worked_form_works_out_to_the_entry(name):
    """SymPy's parser reads the numbers put in; what comes out is the entry."""
    d = BUILT_IN[name]
    for step in d.derived:
        if step.name == "masked":
            continue  # -oo beside numbers is no arithmetic of SymPy's
        texts = put_in(step)
        for text, value in zip(texts, step.value, strict=True):
            stands_for = letters_in(step)
            parsed = sympy.sympify(text, dict(stands_for) | locals_of(value))
            assert is_zero(parsed - to_sympy(value)), (step.name, text)


NUMERIC = [name for name in ORDER if name not in ("temperature", "mixed", "symbolic")]
REAL = {
    **{f: getattr(mpmath, f) for f in ("exp", "sqrt", "log", "sin", "cos")},
    "E": mpmath.e, "oo": mpmath.inf, "max": max, "mpf": mpmath.mpf,
}  # fmt: skip


@pytest.mark.parametrize("name", NUMERIC)
def test_every_worked_form_comes_to_the_number(name):
    """The doubles of the steps before put in as fractions, and computed by mpmath."""
    d = BUILT_IN[name]
    doubles = d.to_numpy()

    def value(entry):
        # One index counts along a row or a column, none says the only entry.
        numbers, place = doubles[entry.step], tuple(k - 1 for k in entry.indices)
        x = float(numbers[place] if len(place) == 2 else numbers.flat[sum(place)])
        return NEG_INF if x == -np.inf else number(*x.as_integer_ratio())

    writer = Writer(PLAIN, values=value)
    for step in d.derived:
        texts = step.worked.map(writer.text).rows
        found = [[float(real(text)) for text in row] for row in texts]
        np.testing.assert_allclose(found, doubles[step.name], rtol=1e-12, atol=1e-12)


def real(text):
    """The text as a number, whole numbers as they are meant."""
    spelled = re.sub(r"(?<![\w.])(\d+)", r"mpf(\1)", text)
    return mpmath.mpf(eval(spelled, {"__builtins__": {}} | REAL))  # noqa: S307


def letters_in(step):
    """What every letter in a step's operands stands for, by its plain name."""
    found = {}
    entries = [x for operand in step.operands for x in operand]
    todo = [m for x in entries if isinstance(x, Scalar) for m in mons(x)]
    while todo:
        m = todo.pop()
        for atom, _ in m.powers:
            if type(atom).__name__ == "Letter":
                found[f"{atom.step}_{atom.row}{atom.column}"] = to_sympy(atom.value)
                todo += mons(atom.value)
        todo += [inner for inner, _, _ in m.exponent]
    return found


def mons(x):
    return [*x.num, *x.den]


def locals_of(value):
    names = getattr(value, "free_symbols", frozenset())
    return {n: sympy.Symbol(n) for n in names}


def test_large_symbolic_values_are_written_in_letters():
    d = BUILT_IN["symbolic"]
    texts = [write(x, PLAIN) for x in d.step("S").value]
    assert texts[0] == "K_11*Q_11 + K_12*Q_12" or texts[0] == "Q_11*K_11 + Q_12*K_12"
    assert all(len(t) < 30 for t in texts)
    # and yet everything the user meets is in the symbols that were given
    allowed = {s for m in GIVEN for s in d[m].free_symbols}
    for step in d.derived:
        assert d[step.name].free_symbols <= allowed


@pytest.mark.parametrize("n", [6, 12])
def test_expressions_grow_as_the_matrices_do(n):
    """An entry of A in letters has n terms below, whatever stands behind the letters."""
    d = attention({"shape": (n, 4)}, *({"shape": (4, 4)} for _ in range(3)))
    assert max(x.size for x in d.step("S").value) <= 8
    assert max(len(x.den) for x in d.step("A").value) == n
    assert len(write(d.step("A").value[0, 0], PLAIN, d.names)) < 40


# --- names


def test_one_letter_for_the_exponential(head):
    ((letter, p, q),) = head.names.powers.values()
    assert (letter, p, q) == ("t", 1, 2)  # t = e^(sqrt(2)/2)
    texts = [write(x, PLAIN, head.names) for x in head.step("A").value]
    assert texts[:3] == ["t/(2*t + 1)", "1/(2*t + 1)", "t/(2*t + 1)"]
    assert texts[3:6] == ["1/(t + 2)", "1/(t + 2)", "t/(t + 2)"]
    assert texts[6:] == ["t/(t**2 + t + 1)", "1/(t**2 + t + 1)", "t**2/(t**2 + t + 1)"]
    outputs = [write(x, LATEX, head.names) for x in head.step("O").value]
    assert outputs == [
        r"\frac{3 t + 1}{2 t + 1}", r"\frac{t + 1}{2 t + 1}",
        r"\frac{2 t + 2}{t + 2}", r"\frac{t + 1}{t + 2}",
        r"\frac{2 t^{2} + t + 1}{t^{2} + t + 1}", r"\frac{t^{2} + 1}{t^{2} + t + 1}",
    ]  # fmt: skip


def test_a_letter_that_is_taken_is_not_used():
    d = attention([["1", "t"], [0, 1]], W_Q, W_Q, [["u"], [1]])
    taken = {letter for letter, _, _ in d.names.powers.values()}
    assert not taken & {"t", "u"}


def test_plain_powers_of_e_need_no_letter():
    assert BUILT_IN["unscaled"].names.powers == {}


def test_two_independent_exponents_have_two_letters():
    d = attention([[1, 0], [0, "sqrt(3)"]], W_Q, W_Q, W_Q, scale=2)
    d2 = attention([[1, 0], ["sqrt(3)", 1]], W_Q, W_Q, W_Q, scale=2)
    for derivation in (d, d2):
        names = [letter for letter, _, _ in derivation.names.powers.values()]
        assert len(names) == len(set(names)) == len(derivation.names.powers)


def test_denominators_of_symbols_are_named_by_row():
    d = BUILT_IN["symbolic"]
    assert sorted(d.names.denominators.values()) == [("Z", (1,)), ("Z", (2,)), ("Z", (3,))]
    text = write(d.step("A").value[1, 2], PLAIN, d.names)
    assert text == "exp(sqrt(2)*S_23/2)/Z_2"


@each_problem
def test_names_never_change_a_value(name):
    """Written with names, and the names put back by SymPy, it is the entry."""
    import json

    d = BUILT_IN[name]
    data = json.loads(page(d, "json", steps=("A", "O")))
    assert all(n.isidentifier() for n in data["names"])


# --- notes, language, notebook


def test_a_row_whose_printed_entries_do_not_add_up_is_noted(head):
    text = page(head, "terminal")
    assert text.count("0.999") == 1  # row 2: 0.248 + 0.248 + 0.503
    notes = [line for line in text.splitlines() if line.startswith("!")]
    assert len(notes) == 1 and "2" in notes[0] and "0.999" in notes[0]
    assert "0.504" not in text
    # with four places the printed rows add up as they should, or are noted each
    four = page(head, "terminal", form=Format(places=4))
    for i, row in enumerate(head.places("A", 4), 1):
        total = sum(Fraction(x) for x in row)
        assert (f"{float(total):.4f}" in four and f"! Row {i}" in four) == (total != 1)


def test_no_note_where_the_entries_add_up():
    d = attention([[1, 0], [1, 0]], W_Q, W_Q, W_Q)
    assert "!" not in page(d, "terminal")


def test_rich_display_in_a_notebook(head):
    text = head._repr_markdown_()
    assert text.startswith("# ") and "$$" in text and "```" not in text
    assert r"\frac{3 t + 1}{2 t + 1}" in text
    assert text.count("$") % 2 == 0


def test_latex_of_a_derivation(head):
    text = head.latex()
    assert text.startswith(r"\documentclass") and r"\end{document}" in text
    fragment = head.latex(fragment=True)
    assert r"\documentclass" not in fragment and r"\frac{3 t + 1}{2 t + 1}" in fragment


def test_a_page_of_no_format_is_refused(head):
    with pytest.raises(ValueError, match="terminal, latex, markdown, html, notebook, json"):
        page(head, "pdf")


# --- problems from Python


def test_the_ways_of_giving_a_matrix_are_one():
    expected = attention(H, W_Q, W_K, W_V)["O"]
    as_text = [[[str(x) for x in row] for row in m] for m in (H, W_Q, W_K, W_V)]
    as_fractions = [[[Fraction(x) for x in row] for row in m] for m in (H, W_Q, W_K, W_V)]
    as_arrays = [np.array(m) for m in (H, W_Q, W_K, W_V)]
    as_matrices = [sympy.Matrix(m) for m in (H, W_Q, W_K, W_V)]
    for given in (as_text, as_fractions, as_arrays, as_matrices):
        assert attention(*given)["O"] == expected
    floats = [np.array(m, dtype=float) for m in (H, W_Q, W_K, W_V)]
    with pytest.raises(InputError):
        attention(*floats)
    assert attention(*floats, floats="exact")["O"] == expected


def test_floats_are_read_as_the_caller_says():
    tenth = [[0.1]]
    one = [[1]]
    assert attention(tenth, one, one, one, floats="decimal")["Q"][0] == sympy.Rational(1, 10)
    binary = attention(tenth, one, one, one, floats="exact")["Q"][0]
    assert binary == sympy.Rational(*(0.1).as_integer_ratio())


def test_the_title_and_the_tokens():
    d = attention(H, W_Q, W_K, W_V, tokens=["x", "y", "z"], title="Mine & yours")
    assert d.problem.tokens == ("x", "y", "z")
    assert r"Mine \& yours" in d.latex()
    with pytest.raises(InputError):
        attention(H, W_Q, W_K, W_V, tokens=["x"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((H, W_Q, W_K, [[1, 0], [0, 1], [1, 1]]), "W_V has 3 rows but H has 2 columns"),
        (([[1, 0], [0]], W_Q, W_K, W_V), "H"),
        ((H, W_Q, [[1, 1, 1], [0, 1, 1]], W_V), "W_K"),
        (([], W_Q, W_K, W_V), "H"),
        (([["1/0"]], [[1]], [[1]], [[1]]), "H"),
        (([[float("nan")]], [[1]], [[1]], [[1]]), "H"),
    ],
)
def test_what_does_not_fit_is_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        attention(*arguments)


@pytest.mark.parametrize("scale", ["0", "-oo", "x y", "", 0, 0.5, None])
def test_what_cannot_divide_the_scores_is_refused(scale):
    with pytest.raises(InputError):
        attention(H, W_Q, W_K, W_V, scale=scale)


def test_the_scale_may_speak_of_the_shapes():
    for scale, value in [
        ("d_k", 2),
        (2, 2),
        ("n", 3),
        ("sqrt(d_k)*3", 3 * sympy.sqrt(2)),
        ("d_v/5", sympy.Rational(2, 5)),
        (Fraction(1, 3), sympy.Rational(1, 3)),
    ]:
        d = attention(H, W_Q, W_K, W_V, scale=scale)
        assert sympy.simplify(d["scaled"] * value - d["S"]) == sympy.zeros(3, 3)


def test_a_file_is_a_problem(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('[given]\nH = [[1]]\nW_Q = [["a"]]\nW_K = [[2]]\nW_V = [["1/3"]]\n', "utf-8")
    d = derive(load(path))
    assert d["S"][0] == 2 * sympy.Symbol("a") and d.places("O", 2) == [["0.33"]]


def test_an_unknown_built_in_names_the_nearest():
    with pytest.raises(InputError, match="causal"):
        builtin("casual")


def test_conventions_by_default():
    choices = Conventions()
    assert choices.scale == symbol("d_k").sqrt() and choices.temperature == 1
    assert choices.mask is None and choices.mask_value is NEG_INF and choices.mask_mode == "add"


def test_a_step_is_worked_out_once_and_only_when_asked_for():
    class Counted(Linear):
        calls = 0

        def rule(self, X, W):
            type(self).calls += 1
            return super().rule(X, W)

    d = attention(H, W_Q, W_K, W_V).then("again", Counted(), "O", "W_V")
    assert Counted.calls == 0
    assert d["again"].shape == d.step("again").shape and d.places("again")
    assert Counted.calls <= 2  # once for the value; once more to bound its size
    assert isinstance(Step.given("X", Matrix([[number(1)]])).value, Matrix)
