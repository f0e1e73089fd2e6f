"""Every model against reference figures, against PyTorch, and against inputs that do not fit."""

import json
import math
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import numpy
import pytest
import sympy

from derive import InputError, Problem, builtin, derive
from derive.certify import Format
from derive.conventions import Conventions
from derive.errors import Undecided
from derive.exact import Matrix, matrix, number, symbol
from derive.exact.bridge import from_sympy
from derive.models import MODELS
from derive.models.cache import derive_by_position, row_by_row
from derive.models.generation import generate, translate
from derive.models.sampling import largest, order, sampled
from derive.read import read_toml
from derive.read.conventions import read_conventions
from derive.read.objects import as_given
from derive.read.shapes import complete

FOLDER = Path(__file__).parent / "figures"
EXACT = Format(digits=30, rounding="half-even")


def figures(name, key):
    return json.loads((FOLDER / f"{name}.json").read_text("utf-8"))[key]


FILES = ("multihead", "positions", "norms", "block")
CASES = [case for name in FILES for case in figures(name, "cases")]
TORCH = figures("torch", "models")


def problem(case, **changed):
    """The problem of a case, its shapes agreed upon as a file's would be."""
    conventions = read_conventions(case["conventions"] | changed)
    given = {name: as_given(value, name) for name, value in case["given"].items()}
    words = {
        name: tuple(case[name]) for name in ("tokens", "vocabulary", "targets") if name in case
    }
    tokens = words.get("tokens", ())
    exact = complete(given, conventions, tokens, model=case["model"])
    return Problem("case", exact, conventions, model=case["model"], **words)


def agree(d, name, expected):
    found = [[x.digits for x in row] for row in d.certified(name, EXACT)]
    assert numbers(found) == numbers(expected), name


def numbers(texts):
    return [[Decimal(x) for x in row] for row in texts]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_every_step_has_the_digits_of_the_reference(case):
    d = derive(problem(case))
    for name, expected in case["digits"].items():
        agree(d, name, expected)


@pytest.mark.parametrize("case", [c for c in CASES if c["closed"]], ids=lambda case: case["name"])
def test_every_step_has_the_closed_form_of_the_reference(case):
    d, t = derive(problem(case)), sympy.exp(sympy.sqrt(2) / 2)
    for name, expected in case["closed"].items():
        for row, texts in zip(d.step(name).value.rows, expected, strict=True):
            for x, text in zip(row, texts, strict=True):
                if text != "-oo":
                    assert x == from_sympy(sympy.sympify(text).subs("t", t)), name


def test_positions_are_added_before_a_head():
    case = next(case for case in CASES if "attention" in case)
    H = derive(problem(case)).step("H").value
    more = case["attention"]
    given = {"H": H} | {k: as_given(v, k) for k, v in more["weights"].items()}
    d = derive(Problem("head", given))
    for name, expected in more["digits"].items():
        agree(d, name, expected)


# --- PyTorch, with weights that nobody chose for convenience


def named(case):
    choices = " ".join(f"{v}" for v in case["conventions"].values())
    return f"{case['model']} {choices}"


@pytest.mark.parametrize("case", TORCH, ids=named)
def test_doubles_agree_with_torch(case):
    d = derive(problem(case))
    for name, expected in case["values"].items():
        numpy.testing.assert_allclose(d.to_numpy(name), expected, rtol=1e-12, atol=1e-12)


# --- groups of heads, with weights shared by hand


def grouped(groups):
    case = next(c for c in CASES if c["name"] == "full")
    given = {name: as_given(x, name) for name, x in case["given"].items()}
    conventions = Conventions(heads=2, kv_heads=groups)
    width = 2 * groups
    for name in ("W_K", "W_V"):
        given[name] = given[name].columns(range(1, width + 1))
    return Problem("grouped", given, conventions, model="multihead")


def test_one_head_of_keys_for_all_is_that_head_repeated():
    shared = grouped(1)
    repeated = {
        name: x.beside(x) if name in ("W_K", "W_V") else x for name, x in shared.given.items()
    }
    wide = replace(shared, given=repeated, conventions=Conventions(heads=2))
    d, e = derive(shared), derive(wide)
    assert d.step("Y").value == e.step("Y").value
    assert [s.name for s in d.steps if s.name.startswith("K")] == ["K^(1)", "K^T^(1)"]


def test_as_many_heads_of_keys_as_heads_is_many_heads():
    full = replace(grouped(2), conventions=Conventions(heads=2))
    assert derive(grouped(2)).step("Y").value == derive(full).step("Y").value


def test_a_wide_weight_in_columns_is_a_weight_for_each_head():
    full = replace(grouped(2), conventions=Conventions(heads=2))
    d = derive(full)
    for h in (1, 2):
        own = {k: d.step(f"{k}^({h})").value for k in ("W_Q", "W_K", "W_V")}
        head = derive(Problem("head", {"H": full.given["H"], **own}))
        assert head.step("O").value == d.step(f"O^({h})").value
    total = d.step("Y^(1)").value + d.step("Y^(2)").value
    assert total == d.step("Y").value


# --- language models


@pytest.fixture
def model():
    return next(c for c in TORCH if c["model"] == "language-model")


def test_without_targets_a_position_is_compared_with_the_next_word(model):
    d = derive(problem(model))
    assert d.to_numpy("P_y").tolist() == d.to_numpy("P")[:3].tolist()
    stated = replace(problem(model), targets=("a", "c", "b", "</s>"))
    e = derive(stated)
    assert e.to_numpy("L")[:3] == pytest.approx(d.to_numpy("L"), rel=1e-12)
    assert e.step("L").shape == (4, 1)


def test_one_word_has_nothing_to_be_compared_with(model):
    d = derive(replace(problem(model | {"given": short(model, 1), "tokens": ["a"]})))
    assert "P" in d
    assert "loss" not in d


def short(model, n):
    """The same weights with learned positions for fewer words."""
    return model["given"] | {"PE": model["given"]["PE"][:n]}


def test_perplexity_is_the_exponential_of_the_mean_loss(model):
    d = derive(problem(model))
    mean = d.to_numpy("L").mean()
    assert d.to_numpy("PPL")[0, 0] == pytest.approx(numpy.exp(mean), rel=1e-12)


def test_the_small_model_as_numpy_computes_it():
    """Written here from the paper's equations, in floats; and it has learned its sentence."""
    of = builtin("language-model")
    d = derive(of)
    w = {name: d.to_numpy(name) for name in of.given}

    def normed(x):
        return (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True)

    angles = [[f(p / k) for k in (1, 100) for f in (math.sin, math.cos)] for p in range(3)]
    x = w["W_E"][:3] + angles
    for layer in ("L1.", "L2."):
        q, k, v, w_1, b_1, w_2, b_2 = (w[layer + n] for n in "W_Q W_K W_V W_1 b_1 W_2 b_2".split())
        e = numpy.tril(numpy.exp((x @ q) @ (x @ k).T / math.sqrt(2)))
        x = normed(x + e / e.sum(1, keepdims=True) @ (x @ v))
        x = normed(x + numpy.maximum(x @ w_1 + b_1, 0) @ w_2 + b_2)
    p = numpy.exp(x @ w["W_E"].T)
    p /= p.sum(1, keepdims=True)
    numpy.testing.assert_allclose(d.to_numpy("P"), p, rtol=1e-12)
    assert p.argmax(1).tolist() == [1, 2, 3] and 0.01 < p.min() < p.max() < 0.9
    said = [c.words for c in generate(of, 5)]
    assert said == [("down",), ("the",), ("cat",), ("sat",), ("down",)]


def test_greedy_generation_takes_the_largest_score_each_time():
    choices = generate(builtin("language-model"), 3)
    words = list(builtin("language-model").tokens)
    for found in choices:
        logits = found.derivation.to_numpy("logits")
        assert len(logits) == len(words)
        best = builtin("language-model").vocabulary[int(numpy.argmax(logits[-1]))]
        assert found.words == (best,)
        words.append(best)


def test_equal_scores_are_a_tie():
    given = dict(builtin("language-model").given)
    given["W_U"] = matrix([[2, 2, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]])
    tied = generate(replace(builtin("language-model"), given=given), 3)
    assert tied[-1].is_tie
    assert tied[-1].words in (("the", "cat"), ("sat", "down"))


def test_the_order_of_scores_is_proved_or_not_told():
    root, e = number(2).sqrt(), number(1).exp()
    assert largest([root, number(7, 5), number(141421356, 10**8), root]) == (1, 4)
    assert order(e, number(2718281828459045, 10**15)) == 1
    with pytest.raises(InputError, match="symbols"):
        largest([symbol("a"), number(1)])


def test_scores_that_cannot_be_told_apart_are_undecided():
    # sin(2) is 2 sin(1) cos(1), which nobody looks for.
    one, two = (number(k).apply("sin") for k in (1, 2))
    with pytest.raises(Undecided, match="not decided"):
        order(two, 2 * one * number(1).apply("cos"))


def test_a_temperature_and_the_best_words_are_exact_choices():
    d = derive(builtin("language-model"))
    logits = d.to_numpy("logits")[-1]
    e = sampled(d, number(1, 2), 2)
    kept = numpy.argsort(logits)[-2:]
    expected = numpy.zeros(4)
    expected[kept] = numpy.exp(2 * logits[kept])
    numpy.testing.assert_allclose(e.to_numpy("next.P")[0], expected / expected.sum(), rtol=1e-12)
    assert e.step("next.P").value.rows[0][int(numpy.argmin(logits))] == number(0)
    plain = sampled(d).to_numpy("next.P")[0]
    numpy.testing.assert_allclose(plain, d.to_numpy("P")[-1], rtol=1e-15)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"temperature": number(0)}, "the temperature is not positive"),
        ({"temperature": number(-1)}, "the temperature is not positive"),
        ({"k": 0}, "k cannot be 0"),
        ({"k": 5}, "k cannot be 5"),
    ],
)
def test_choices_that_cannot_be_made(options, message):
    with pytest.raises(InputError, match=message):
        sampled(derive(builtin("language-model")), **options)


def test_a_tie_at_the_last_of_the_best_is_named():
    pairs = matrix([[2, 2, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]])
    given = dict(builtin("language-model").given) | {"W_U": pairs}
    d = derive(replace(builtin("language-model"), given=given))
    with pytest.raises(InputError, match="two are equal"):
        sampled(d, k=1)


def unmasked(of):
    n = len(of.tokens)
    zeros = Matrix([[number(0)] * n] * n)
    return replace(of, conventions=replace(of.conventions, mask=zeros))


def test_left_out_the_mask_changes_the_last_word_from_two_layers_on(model):
    two = problem(model)
    one = replace(two, conventions=replace(two.conventions, layers=1))
    for of, is_same in ((one, True), (two, False)):
        with_mask, without = (derive(p).to_numpy("logits")[-1] for p in (of, unmasked(of)))
        assert numpy.allclose(with_mask, without, rtol=1e-12) is is_same


# --- word by word


def with_rotations(of):
    given = {k: x for k, x in of.given.items() if k != "PE"}
    return replace(of, given=given, conventions=replace(of.conventions, positions="rope"))


LANGUAGE = [problem(c) for c in TORCH if c["model"] == "language-model"]
TEXTS = [*LANGUAGE, builtin("language-model"), with_rotations(LANGUAGE[0])]


@pytest.mark.parametrize("of", TEXTS)
def test_from_remembered_keys_and_values_come_the_same_numbers(of):
    d, e = derive(of), derive_by_position(of)
    rows = [e.to_numpy(f"p{i}.logits")[0] for i in range(1, len(of.tokens) + 1)]
    assert d.to_numpy("logits").tolist() == numpy.array(rows).tolist()


@pytest.mark.parametrize("of", TEXTS)
def test_the_masked_forward_is_proved_to_be_the_one_word_by_word(of):
    found = row_by_row(of)
    assert {a.position for a in found} == set(range(1, len(of.tokens) + 1))
    assert {"H_E", "L1.R1", "logits", "P"} <= {a.step for a in found}
    assert [a for a in found if not a.holds] == []


@pytest.mark.parametrize("leak", ["no mask", "a number for a mask"])
def test_without_a_mask_of_minus_infinity_it_is_not_proved(leak, model):
    of = problem(model)
    if leak == "no mask":
        of = unmasked(of)
    else:
        of = replace(of, conventions=replace(of.conventions, mask_value=number(-(10**9))))
    failed = {a.step for a in row_by_row(of) if not a.holds}
    assert {"L1.Z^(1)", "L1.A^(1)"} <= failed
    # The last position sees every other in any case: one layer keeps it, from two on it differs.
    last = [a.holds for a in row_by_row(of) if (a.step, a.position) == ("P", len(of.tokens))]
    one = replace(of, conventions=replace(of.conventions, layers=1))
    kept = [a.holds for a in row_by_row(one) if (a.step, a.position) == ("P", len(of.tokens))]
    assert (last, kept) == ([False], [True])


def test_distances_of_a_whole_text_are_not_derived_word_by_word(model):
    of = problem(model)
    with pytest.raises(InputError, match="alibi"):
        derive_by_position(replace(of, conventions=replace(of.conventions, positions="alibi")))


# --- encoder and decoder


@pytest.fixture
def translation():
    return next(c for c in TORCH if c["model"] == "seq2seq")


def test_what_is_written_without_the_target_is_what_is_taught_with_it(translation):
    of = problem(translation)
    d = derive(of)
    first = translate(of, 1)[0]
    numpy.testing.assert_allclose(
        first.derivation.to_numpy("logits")[0], d.to_numpy("logits")[0], rtol=1e-12
    )
    assert "loss" not in first.derivation


def test_a_translation_ends_with_its_last_word():
    choices = translate(builtin("seq2seq"), 6)
    assert [c.words for c in choices] == [("I",), ("go",), ("</s>",)]
    seen = choices[-1].derivation.to_numpy("dec.L1.cross.A")
    assert seen.argmax(1).tolist()[:2] == [0, 1]  # I looks at ich, go at gehe


# --- what does not fit


def file_of(name, *replacements):
    from derive.problems import source

    text = source(name)
    for old, new in replacements:
        assert old in text
        text = text.replace(old, new)
    return text


DOES_NOT_FIT = [
    ("multihead", ("heads = 2", "heads = 3"), "which 3 heads cannot share"),
    ("multihead", ("kv_heads = 2", "kv_heads = 3"), "cannot share"),
    ("multihead", ("kv_heads = 2", "kv_heads = 1"), "a head has 4 columns of W_K and 2 of W_Q"),
    ("block", ("[conventions]", "[conventions]\nlayers = 10000"), "layers cannot be 10000"),
    ("block", ("[conventions]", "[conventions]\nlayers = 0"), "layers cannot be 0"),
    ("block", ("W_O = [[", "W_O = {shape = [2, 10000]}\n#"), "from 1 to 512|1 to 512"),
    ("language-model", ('tokens = ["the"', 'tokens = ["teh"'), "not in the vocabulary"),
    ("language-model", ('targets = ["cat", "sat", "down"]', "targets = []"), "target is empty"),
    ("language-model", ('"sat", "down"]     #', '"sat"]     #'), "2 targets for 3 tokens"),
    ("language-model", ('tokens = ["the", "cat", "sat"]', "tokens = []"), "the text is empty"),
    ("language-model", ('"sat", "down"]\ntok', '"sat"]\ntok'), "W_E has 4 rows"),
    ("language-model", ('"sat", "down"]\ntok', '"sat", "sat"]\ntok'), "'sat' twice"),
    ("seq2seq", ('targets = ["<s>", "I", "go", "</s>"]', "targets = []"), "target is empty"),
    ("seq2seq", ('targets = ["<s>", "I", "go", "</s>"]', 'targets = ["<s>"]'), "holds one word"),
    ("seq2seq", ('targets = ["<s>", "I", ', 'targets = ["<s>", "you", '), "not in the vocabulary"),
]


@pytest.mark.parametrize(("name", "change", "message"), DOES_NOT_FIT)
def test_what_does_not_fit_is_one_clear_error(name, change, message):
    with pytest.raises(InputError, match=message):
        derive(read_toml(file_of(name, change)))


@pytest.mark.parametrize("name", ["multihead", "block", "decoder", "language-model"])
def test_a_mask_of_another_shape_is_refused_with_and_without_a_file(name):
    of = builtin(name)
    wrong = Matrix([[number(0)] * 2] * 5)
    with pytest.raises(InputError, match="mask"):
        derive(replace(of, conventions=replace(of.conventions, mask=wrong)))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"W_V": 4}, "W_O has 4 rows for 2 heads of 4 columns"),
        ({"W_V": 4, "W_O": None}, None),
        ({"W_V": 3, "W_O": None}, None),
    ],
)
def test_the_width_of_what_the_heads_give_is_asked_for(changed, message):
    of = grouped(1)
    given = {k: x for k, x in of.given.items() if changed.get(k, 1) is not None}
    given["W_V"] = of.given["W_V"].beside(of.given["W_V"]).columns(range(1, changed["W_V"] + 1))
    wide = replace(of, given=given)
    if message:
        with pytest.raises(InputError, match=message):
            derive(wide)
    else:
        assert derive(wide).step("O").shape == (3, 2 * changed["W_V"])
    feed = {"W_1": matrix([[1]] * 4), "W_2": matrix([[1] * 4])}
    with pytest.raises(InputError, match=message or f"O has {2 * changed['W_V']} columns"):
        derive(replace(wide, given=given | feed, model="block"))


def test_depth_is_bounded_for_a_program_too():
    of = builtin("block")
    with pytest.raises(InputError, match="layers cannot be 10000"):
        derive(replace(of, conventions=replace(of.conventions, layers=10_000)))


def test_a_bias_without_a_gain_and_positions_that_are_not_added_are_refused():
    given = {"H": matrix([[1, 2, 4]]), "beta": matrix([[1, 1, 1]])}
    with pytest.raises(InputError, match="beta is given without gamma"):
        derive(Problem("norm", given, model="layernorm"))
    turned = Conventions(positions="rope")
    with pytest.raises(InputError, match="rope adds nothing"):
        derive(Problem("rope", {"H_E": matrix([[1, 2]])}, turned, model="positions"))


def test_learned_positions_must_reach_to_the_last_word(model):
    of = problem(model)
    table = {k: x for k, x in of.given.items() if k != "PE"} | {"W_P": of.given["PE"]}
    found = derive(replace(of, given=table)).to_numpy("logits")
    assert found.tolist() == derive(of).to_numpy("logits").tolist()
    with pytest.raises(InputError, match="W_P has 4 positions and the text 5 tokens"):
        derive(replace(of, given=table, tokens=(*of.tokens, "a")))


@pytest.mark.parametrize("name", MODELS)
def test_sizes_and_names_of_every_model_belong_together(name):
    for activation in ("relu", "swiglu"):
        for normalization in ("layernorm", "rmsnorm"):
            choices = Conventions(activation=activation, normalization=normalization, heads=2)
            axes = MODELS[name].matrices(choices, ())
            assert MODELS[name].optional(choices, ()) - {"mask"} <= axes.keys()
            assert all(len(pair) == 2 and all(pair) for pair in axes.values())
