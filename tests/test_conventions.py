"""Every choice has a source and a worked line, and every preset computes as what it is named for.

The lines are held against values worked out by hand, the presets against the definitions of their
programs written once more in NumPy.
"""

import json
import re
from dataclasses import fields, replace
from fractions import Fraction
from unicodedata import combining, east_asian_width

import mpmath
import numpy as np
import pytest
import sympy
from tex import compile_source

from derive import InputError, builtin, derive, read_toml
from derive.alternatives import FIELDS, examples
from derive.cli.main import run
from derive.conventions import CHOICES, PRESETS, TABLE, Conventions
from derive.derivation import Problem
from derive.exact import NEG_INF, Matrix, matrix, number
from derive.gradients import differentiate
from derive.gradients.facts import facts
from derive.pages import conventions_printed, page
from derive.read.conventions import read_conventions, under
from derive.views.conventions import GROUPS
from derive.words import LANGUAGES, words

ROWS = [(name, value) for name, values in TABLE.items() for value in values]
each_row = pytest.mark.parametrize(("name", "value"), ROWS)

e, erf, tanh, sqrt, pi = sympy.E, sympy.erf, sympy.tanh, sympy.sqrt, sympy.pi
sin, cos, exp, tau = sympy.sin, sympy.cos, sympy.exp, sympy.Symbol("tau", real=True)
GELU = -(1 + erf(-1 / sqrt(2))) / 2
BY_HAND = {
    # The smallest problems, by hand: what each value comes to.
    ("vectors", "rows"): [1 * 1 + 2 * 1],  # row 1 of H with column 2 of W_Q
    ("vectors", "columns"): [1 * 2 + 1 * 4],  # row 1 of W_Q with column 2 of H
    ("softmax", "each query"): [exp(1 * 1) + exp(1 * 0)],
    ("scale", "sqrt(d_k)"): [4 * (1 * 2) / sqrt(4)],
    ("scale", "1"): [4 * (1 * 2)],
    ("scale", "d_k"): [4 * (1 * 2) / 4],
    ("temperature", "1"): [e / (e + 1)],
    ("temperature", "1/2"): [exp(2) / (exp(2) + 1)],
    ("temperature", "tau"): [exp(1 / tau) / (exp(1 / tau) + 1)],
    ("mask", "none"): [sympy.Rational(1, 2)],
    ("mask", "causal"): [0],
    ("mask", '[["-oo", 0], [0, 0]]'): [1],
    ("mask_value", "-oo"): [0],
    ("mask_value", "-10^9"): [1 / (1 + exp(10**9))],
    ("mask_value", "-10^10"): [1 / (1 + exp(10**10))],
    ("mask_mode", "add"): [1 * 2 - 10**9],
    ("mask_mode", "replace"): [-(10**9)],
    ("masked row", "-oo"): ["forbids every key"],
    ("masked row", "replace"): [sympy.Rational(1, 2)],
    ("masked row", "add"): [e / (e + 1)],  # as without a mask: scores 1 and 0
    ("heads", "1"): [1 * 1 + 2 * 2],
    ("heads", "2"): [1 * 1],
    ("kv_heads", "as heads"): [2 * 2],
    ("kv_heads", "1"): [2 * 1],
    ("layers", "1"): [1 + 1 + 1],  # every normalised number is 1, and so is every sublayer
    ("layers", "2"): [1 + 1 + 1 + 1 + 1],
    ("norm", "post"): [1 + 1],
    ("norm", "pre"): [1 + 1 + 1],
    ("normalization", "layernorm"): [sqrt(3)],
    ("normalization", "rmsnorm"): [1 / sqrt(sympy.Rational(1, 4))],
    ("correction", "0"): [sqrt(3)],
    ("correction", "1"): [sympy.Rational(3, 2)],
    ("eps", "1/100000"): [sqrt(sympy.Rational(3, 16) + sympy.Rational(1, 10**5))],
    ("eps", "1/1000000"): [sqrt(sympy.Rational(3, 16) + sympy.Rational(1, 10**6))],
    ("eps", "0"): [sqrt(3) / 4],
    ("eps_place", "inside"): [sqrt(sympy.Rational(3, 16) + sympy.Rational(1, 16))],
    ("eps_place", "outside"): [sqrt(sympy.Rational(3, 16)) + sympy.Rational(1, 16)],
    ("activation", "relu"): [0],
    ("activation", "leaky_relu"): [-sympy.Rational(1, 100)],
    ("activation", "gelu"): [GELU],
    ("activation", "gelu_tanh"): [
        -(1 + tanh(-sqrt(2 / pi) * (1 + sympy.Rational(44715, 10**6)))) / 2
    ],
    ("activation", "silu"): [-1 / (1 + e)],
    ("activation", "swiglu"): [-1 / (1 + e) * 1],
    ("activation", "geglu"): [GELU * 1],
    ("slope", "1/100"): [-sympy.Rational(1, 100)],
    ("slope", "1/5"): [-sympy.Rational(1, 5)],
    ("positions", "none"): [2 * 1],
    ("positions", "sinusoidal"): [sin(1)],
    ("positions", "learned"): [2 + 4],
    ("positions", "rope"): [1 * cos(1) - 2 * sin(1)],
    ("positions", "alibi"): [2 * 1 - sympy.Rational(1, 2**8)],
    ("first_position", "0"): [sin(0)],
    ("first_position", "1"): [sin(1)],
    ("base", "10000"): [sin(sympy.Integer(10000) ** sympy.Rational(-1, 2))],
    ("base", "500000"): [sin(sympy.Integer(500000) ** sympy.Rational(-1, 2))],
    ("layout", "adjacent"): [cos(1), 1 * cos(1) - 2 * sin(1)],
    ("layout", "halves"): [
        sin(sympy.Integer(10000) ** sympy.Rational(-1, 2)),
        1 * cos(1) - 3 * sin(1),
    ],
    ("loss", "natural logarithm"): [sympy.log(2)],
}
"""By convention and value: an entry for each example, or what its refusal says."""
SAID = {
    # What is no part of a problem: what the line of the page says.
    ("relu at 0", "0"): "ReLU'(0) = 0",
    ("gradients", "shape of the variable"): "dW_V = Hᵀ dV = [1, 2]ᵀ [3] = [3, 6]ᵀ",
    ("rounding", "half-up"): "1/8 ≈ 0.13",
    ("rounding", "half-even"): "1/8 ≈ 0.12",
    ("rounding", "truncate"): "1/8 ≈ 0.12",
}


# --- the table is whole


def test_every_field_is_in_the_table():
    assert {f.name for f in fields(Conventions)} == FIELDS
    for name, choices in CHOICES.items():
        assert tuple(TABLE[name]) == choices


def test_every_choice_stands_under_one_heading():
    assert sorted(TABLE) == sorted(name for names in GROUPS.values() for name in names)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_choice_has_its_sentence(lang):
    assert set(words(lang)["choices"]) == set(TABLE)


@each_row
def test_every_value_has_a_source_that_fits_a_line(name, value):
    source = TABLE[name][value]
    assert 10 < len(source) <= 62
    assert re.search(r"\b(19|20)\d\d\b|torch|tf\.|Transformer|BERT|GPT|Llama|IEEE|decimal", source)


@each_row
def test_every_value_is_worked_out(name, value):
    assert ((name, value) in BY_HAND) != ((name, value) in SAID)


def test_nothing_is_worked_out_that_is_not_in_the_table():
    assert set(BY_HAND) | set(SAID) == set(ROWS)


@pytest.mark.parametrize("name", sorted(FIELDS))
def test_the_first_value_is_the_default(name):
    first = next(iter(TABLE[name]))
    default = getattr(Conventions(), name)
    if first == "as heads":
        assert default is None
    else:
        value = int(first) if isinstance(default, int) else first
        assert getattr(read_conventions({name: value}), name) == default


# --- the lines are right


@pytest.mark.parametrize(("name", "value"), BY_HAND)
def test_a_worked_line_comes_to_what_it_does_by_hand(name, value):
    found = list(examples(name, value))
    assert len(found) == len(BY_HAND[name, value])
    for example, expected in zip(found, BY_HAND[name, value], strict=True):
        if isinstance(expected, str):
            assert example.derivation is None and expected in example.refusal
        else:
            same(example.derivation.entry(example.place), sympy.sympify(expected))


def same(ours, theirs):
    at = {x: sympy.Rational(7, 4) for x in (ours.free_symbols | theirs.free_symbols)}
    with mpmath.workdps(40):
        a, b = (sympy.lambdify([], x.subs(at), "mpmath")() for x in (ours, theirs))
        assert abs(a - b) <= mpmath.mpf(10) ** -35 * abs(b)


@pytest.mark.parametrize(("name", "value"), SAID)
def test_a_line_that_is_no_problem_says_what_it_should(name, value):
    assert SAID[name, value] in conventions_printed((name,), "terminal")


def test_layernorm_of_one_and_three_zeros_starts_with_the_root_of_three():
    text = conventions_printed(("correction",), "terminal")
    population, sample = text.split("\n  1 ")
    assert " = √3 ≈ 1.732" in population and " = 3/2" in sample


@pytest.mark.parametrize(("value", "power"), [("-10^9", 10**9), ("-10^10", 10**10)])
def test_the_leak_is_printed_as_such(value, power):
    with mpmath.workdps(40):
        logarithm = -power / mpmath.log(10)  # of e^-power, and the 1 beside it does not show
        exponent = int(mpmath.floor(logarithm))
        digits = mpmath.nstr(mpmath.mpf(10) ** (logarithm - exponent), 2)
    worked = [v for c in json.loads(conventions_printed(("mask_value",), "json"))["conventions"]
              for v in c["values"] if v["value"] == value]  # fmt: skip
    assert rf"\approx {digits} \cdot 10^{{{exponent}}}" in worked[0]["worked"][0]


def test_of_minus_a_thousand_million_it_is_this():
    assert "≈ 1.2·10⁻⁴³⁴²⁹⁴⁴⁸²" in conventions_printed(("mask_value",), "terminal")


# --- the page


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("format", ["terminal", "latex", "markdown", "html", "json", "pdf"])
def test_the_page_in_every_format(format, lang):
    found = conventions_printed((), format, lang)
    if format == "pdf":
        assert found.startswith(b"%PDF")
        return
    said = found.replace("\\_", "_")
    for name in (*TABLE, *PRESETS):
        assert name in said, name
    if format == "terminal":
        assert max(map(wide, found.splitlines())) <= 80


def wide(line):
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in line)


def test_one_choice_by_itself():
    text = conventions_printed(("eps_place",), "terminal")
    assert "eps_place" in text and "rmsnorm" not in text and "Presets" not in text
    assert "The Annotated Transformer" in text and "torch.nn.LayerNorm" in text


def test_the_data():
    found = json.loads(conventions_printed((), "json"))
    assert [c["name"] for c in found["conventions"]] == list(TABLE)
    assert [p["name"] for p in found["presets"]] == list(PRESETS)
    assert all(v["worked"] for c in found["conventions"] for v in c["values"])


# --- what is refused


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["conventions", "eps_plaec"], ["'eps_plaec'", "did you mean eps_place?"]),
        (["conventions", "lama"], ["did you mean llama?"]),
        (["conventions", "zzzz"], ["derive conventions shows them all"]),
        (["head", "--preset", "pytroch"], ["'pytroch'", "did you mean pytorch?"]),
        (["block", "--preset", "ai-by-hand"], ['"block"', "rows only", 'model = "attention"']),
        (["block", "--preset", "llama"], ["'beta1'", "--preset llama does not fit"]),
        (["eval", "positions", "--preset", "gpt-2"], ["PE is missing"]),
        (["positions", "--preset", "llama"], ["rope adds nothing"]),
        (["conventions", "--pdf", "--latex"], ["two formats"]),
        (["conventions", "--fragment"], ["--fragment is for LaTeX"]),
    ],
)
def test_what_is_refused(arguments, parts, capsys):
    assert run(arguments) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("error: ") and "Traceback" not in err
    assert all(part in err for part in parts), err


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ('preset = "ai-by-hand"\n', ['"multihead" is derived with vectors as rows only']),
        ('vectors = "columns"\n', ["rows only", "<text>:3", "^^^"]),
        ('vectors = "colums"\n', ["did you mean columns?", "<text>:3"]),
        ('preset = "paper"\n', ["did you mean paper-2017?", "<text>:3"]),
        ('eps_place = "deviate"\n', ["inside or outside"]),
        ('presett = "llama"\n', ["did you mean preset?"]),
    ],
)
def test_a_problem_that_names_what_does_not_fit(text, parts):
    with pytest.raises(InputError) as caught:
        read_toml(f'model = "multihead"\n[conventions]\n{text}[given]\nH = [[1]]\n')
    assert all(part in str(caught.value) for part in parts), str(caught.value)


def test_columns_are_not_turned_by_rope():
    with pytest.raises(InputError, match="rope turns rows"):
        derive(under(builtin("columns"), {"positions": "rope"}))


def test_columns_are_refused_in_python_too():
    with pytest.raises(InputError, match="rows only"):
        derive(Problem("b", builtin("block").given, Conventions(vectors="columns"), model="block"))


def test_what_is_written_beside_a_preset_wins():
    found = read_conventions({"preset": "llama", "norm": "post", "eps": "1/1000000"})
    assert (found.norm, found.eps) == ("post", number(1, 10**6))
    assert (found.normalization, found.activation) == ("rmsnorm", "swiglu")


def test_a_preset_on_the_command_line_takes_the_place_of_the_problems_own(capsys):
    assert run(["eval", "unscaled", "--preset", "pytorch", "--steps", "A", "--json"]) == 0
    with_preset = json.loads(capsys.readouterr().out)
    assert run(["eval", "head", "--steps", "A", "--json"]) == 0
    assert with_preset == json.loads(capsys.readouterr().out)
    assert run(["eval", "head", "--preset", "pytorch", "--scale", "1", "--steps", "S,scaled"]) == 0
    assert run(["eval", "head", "--preset", "gpt-2", "--steps", "masked"]) == 0


def test_a_synonym_is_read_as_what_it_means():
    assert read_conventions({"eps_place": "deviation"}) == Conventions(eps_place="outside")


# --- presets, against their programs


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_read_and_has_a_source(name):
    assert len(PRESETS[name].source) > 15
    found = read_conventions({"preset": name})
    for key in PRESETS[name].values:
        alone = read_conventions({key: PRESETS[name].values[key]})
        assert getattr(found, key) == getattr(alone, key)


def numbers(shape, seed):
    """Small fractions that nobody chose."""
    draws = np.random.default_rng(seed).integers(-9, 10, shape)
    return [[Fraction(int(x), 8) for x in row] for row in draws]


SHAPES = {"H": (3, 4), **{f"W_{x}": (4, 4) for x in "QKVO"}, "gamma1": (1, 4), "gamma2": (1, 4)}
PLAIN = {
    "W_1": (4, 5),
    "b_1": (1, 5),
    "W_2": (5, 4),
    "b_2": (1, 4),
    "beta1": (1, 4),
    "beta2": (1, 4),
}
GATED = {"W_g": (4, 5), "W_u": (4, 5), "W_d": (5, 4)}


def block_of(preset, others, shapes):
    """A block of two heads under a preset, and its matrices as arrays."""
    given = {name: numbers(shape, k) for k, (name, shape) in enumerate(shapes.items())}
    exact = {k: matrix([[number(x.numerator, x.denominator) for x in r] for r in m])
             for k, m in given.items()}  # fmt: skip
    conventions = read_conventions({"preset": preset, "heads": 2, **others})
    d = derive(Problem("block", exact, conventions, model="block"))
    return d, {name: np.array(m, dtype=float) for name, m in given.items()}


def softmax(s):
    shifted = np.exp(s - s.max(axis=-1, keepdims=True))
    return shifted / shifted.sum(axis=-1, keepdims=True)


def heads_of(m, x, hide, turn=lambda x: x):
    """Multi-head attention: `hide` puts the mask on the scores, `turn` the positions into q, k."""
    out = []
    for columns in (slice(0, 2), slice(2, 4)):
        q, k, v = (x @ m[f"W_{letter}"][:, columns] for letter in "QKV")
        out.append(softmax(hide(turn(q) @ turn(k).T / np.sqrt(2))) @ v)
    return np.hstack(out) @ m["W_O"]


SEEN = np.tril(np.ones((3, 3)))


def gelu_tanh(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * np.power(x, 3))))


def feed_forward(m, x, bend):
    return bend(x @ m["W_1"] + m["b_1"]) @ m["W_2"] + m["b_2"]


def standardised(x, eps):
    """GPT-2's norm, and PyTorch's: eps beside the population variance."""
    u = x.mean(axis=-1, keepdims=True)
    return (x - u) / np.sqrt(np.square(x - u).mean(axis=-1, keepdims=True) + eps)


def relu(x):
    return np.maximum(x, 0)


def post(m, x, eps):
    """The encoder layer of 2017, and torch.nn.TransformerEncoderLayer(norm_first=False)."""
    x = standardised(x + heads_of(m, x, lambda s: s), eps) * m["gamma1"] + m["beta1"]
    return standardised(x + feed_forward(m, x, relu), eps) * m["gamma2"] + m["beta2"]


def annotated(m, x):
    """SublayerConnection of The Annotated Transformer: x + sublayer(norm(x))."""

    def norm(x, k):
        std = x.std(axis=-1, ddof=1, keepdims=True)
        mean = x.mean(axis=-1, keepdims=True)
        return m[f"gamma{k}"] * (x - mean) / (std + 1e-6) + m[f"beta{k}"]

    x = x + heads_of(m, norm(x, 1), lambda s: np.where(SEEN == 0, -1e9, s))
    return x + feed_forward(m, norm(x, 2), relu)


def gpt2(m, x):
    """block of GPT-2's model.py."""
    hide = lambda w: w * SEEN - 1e10 * (1 - SEEN)  # noqa: E731
    x = x + heads_of(m, standardised(x, 1e-5) * m["gamma1"] + m["beta1"], hide)
    return x + feed_forward(m, standardised(x, 1e-5) * m["gamma2"] + m["beta2"], gelu_tanh)


def llama(m, x):
    """TransformerBlock of Llama's model.py, rotations as complex numbers."""

    def norm(x, k):
        return x / np.sqrt(np.square(x).mean(axis=-1, keepdims=True) + 1e-5) * m[f"gamma{k}"]

    def turn(x):
        freqs = 1.0 / 10000.0 ** (np.arange(0, 2, 2) / 2)
        turned = (x[:, ::2] + 1j * x[:, 1::2]) * np.exp(1j * np.outer(np.arange(3), freqs))
        return np.stack([turned.real, turned.imag], axis=-1).reshape(3, -1)

    x = x + heads_of(m, norm(x, 1), lambda s: np.where(SEEN == 0, -np.inf, s), turn)
    inner = norm(x, 2) @ m["W_g"]
    return x + (inner / (1 + np.exp(-inner)) * (norm(x, 2) @ m["W_u"])) @ m["W_d"]


COMPARED = [
    ("paper-2017", {"eps": "1e-5"}, SHAPES | PLAIN, lambda m, x: post(m, x, 1e-5)),
    ("pytorch", {}, SHAPES | PLAIN, lambda m, x: post(m, x, 1e-5)),
    ("annotated-transformer", {"mask": "causal"}, SHAPES | PLAIN, annotated),
    ("gpt-2", {}, SHAPES | PLAIN, gpt2),
    ("llama", {}, SHAPES | GATED, llama),
]


@pytest.mark.parametrize(("preset", "others", "shapes", "program"), COMPARED)
def test_a_preset_computes_as_its_program_does(preset, others, shapes, program):
    d, m = block_of(preset, others, shapes)
    last = d.steps[-1].name
    np.testing.assert_allclose(d.to_numpy(last), program(m, m["H"]), rtol=1e-9, atol=1e-9)


def test_every_preset_is_compared():
    """The last one is held against columns of NumPy's below."""
    assert {row[0] for row in COMPARED} | {"ai-by-hand"} == set(PRESETS)


def test_pytorch_is_pytorch():
    torch = pytest.importorskip("torch")
    d, m = block_of("pytorch", {}, SHAPES | PLAIN)
    layer = torch.nn.TransformerEncoderLayer(4, 2, 5, dropout=0.0, batch_first=True).double()
    attention = layer.self_attn
    packed = np.vstack([m[f"W_{x}"].T for x in "QKV"])
    pairs = [
        (attention.in_proj_weight, packed), (attention.out_proj.weight, m["W_O"].T),
        (layer.linear1.weight, m["W_1"].T), (layer.linear1.bias, m["b_1"][0]),
        (layer.linear2.weight, m["W_2"].T), (layer.linear2.bias, m["b_2"][0]),
        (layer.norm1.weight, m["gamma1"][0]), (layer.norm1.bias, m["beta1"][0]),
        (layer.norm2.weight, m["gamma2"][0]), (layer.norm2.bias, m["beta2"][0]),
    ]  # fmt: skip
    with torch.no_grad():
        for bias in (attention.in_proj_bias, attention.out_proj.bias):
            bias.zero_()
        for parameter, values in pairs:
            parameter.copy_(torch.tensor(values))
        theirs = layer(torch.tensor(m["H"])[None])[0].numpy()
    np.testing.assert_allclose(d.to_numpy(d.steps[-1].name), theirs, rtol=1e-9, atol=1e-9)


# --- vectors as columns


def test_ai_by_hand_is_columns_all_the_way():
    m = {name: np.array(numbers(shape, k), dtype=float) for k, (name, shape) in enumerate(
        {"H": (2, 3), "W_Q": (2, 2), "W_K": (2, 2), "W_V": (4, 2)}.items())}  # fmt: skip
    given = {k: matrix([[number(x.numerator, x.denominator) for x in map(Fraction, r)] for r in v])
             for k, v in m.items()}  # fmt: skip
    d = derive(Problem("c", given, read_conventions({"preset": "ai-by-hand"})))
    q, k, v = (m[f"W_{x}"] @ m["H"] for x in "QKV")
    scores = k.T @ q
    weights = np.exp(scores / np.sqrt(2)) / np.exp(scores / np.sqrt(2)).sum(axis=0)
    for name, theirs in {"Q": q, "S": scores, "A": weights, "O": v @ weights}.items():
        np.testing.assert_allclose(d.to_numpy(name), theirs, rtol=1e-12)
    sums = np.exp(scores / np.sqrt(2)).sum(axis=0)
    np.testing.assert_allclose(d.to_numpy("Z")[:, 0], sums, rtol=1e-12)


@pytest.mark.parametrize("name", ["head", "causal", "cross", "mixed", "temperature"])
def test_columns_are_the_rows_turned_over(name):
    rows = derive(builtin(name))
    columns = derive(under(builtin(name), {"vectors": "columns"}))
    assert [s.name for s in rows] == [s.name for s in columns]
    for step in rows:
        turned = columns.step(step.name).value
        assert turned == (step.value if step.name == "Z" else step.value.T), step.name


def test_letters_in_columns_are_those_of_their_places():
    d = derive(under(builtin("symbolic"), {"preset": "ai-by-hand"}))
    H, W_Q, W_K = (
        sympy.Matrix(2, c, lambda i, j, x=x: sympy.Symbol(f"{x}_{i + 1}{j + 1}"))
        for x, c in (("H", 3), ("W_Q", 2), ("W_K", 2))
    )
    assert (d["Q"] - W_Q * H).expand() == sympy.zeros(2, 3)
    assert (d["S"] - (W_K * H).T * W_Q * H).expand() == sympy.zeros(3, 3)


def test_the_built_in_columns_are_the_head_turned_over():
    assert derive(builtin("columns"))["O"] == derive(builtin("head"))["O"].T


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("format", ["terminal", "latex", "markdown", "html", "notebook", "json"])
def test_every_page_of_columns(format, lang):
    assert page(derive(builtin("columns")), format, lang=lang)


def test_a_page_of_columns_says_so_throughout():
    text = page(derive(under(builtin("columns"), {"mask": "causal"})), "terminal")
    for said in (
        "Vectors are columns", "Q = W_Q H", "S = Kᵀ Q", "S_ij = Σ_c K_ci·Q_cj", "Keys as rows",
        "Column sums", "Z_j = Σ_i E_ij", "O = V A", "O_ij = Σ_k V_ik·A_kj", "A_ij·V_ki",
        "column j tells how token j divides", "one token a column", "softmax(Kᵀ Q/√(d_k) + M)",
        "column j is the attention of token j", "o₁ = A₁₁·v₁ + A₂₁·v₂ + A₃₁·v₃",
    ):  # fmt: skip
        assert said in text, said
    for unsaid in ("Vectors are rows", "Row sums", "its row", "row i tells", "one token a row"):
        assert unsaid not in text, unsaid


def test_weights_in_columns_are_read_aloud_and_shaded_by_column():
    text = page(derive(under(builtin("columns"), {"mask": "causal"})), "terminal")
    flat = " ".join(text.split())
    assert "Token 1 (A) gives 100.0 % to token 1 (A). Token 2 (B) gives 50.0 %" in flat
    assert "  A  █ 1.000  ▓ 0.500  ▒ 0.284\n" in text


def test_a_column_that_does_not_add_up_is_noted():
    text = page(derive(builtin("columns")), "terminal")
    exact = np.exp(np.array([[1, 1, 2], [0, 1, 1], [1, 2, 3]]) / np.sqrt(2))
    printed = np.round(exact / exact.sum(axis=0), 3).sum(axis=0)
    for j, total in enumerate(printed, 1):
        said = f"Column {j}: the printed entries add up to {total:.3f}"
        assert (said in " ".join(text.split())) == (round(total, 3) != 1)


def test_a_given_mask_stands_as_the_scores_do():
    shut = Matrix([[number(0), number(0), number(0)], [NEG_INF, number(0), number(0)],
                   [NEG_INF, NEG_INF, number(0)]])  # fmt: skip
    problem = builtin("columns")
    given = replace(problem, conventions=replace(problem.conventions, mask=shut))
    causal = under(problem, {"mask": "causal"})
    rows = derive(under(builtin("head"), {"mask": "causal"}))
    assert derive(given)["A"] == derive(causal)["A"] == rows["A"].T


def test_a_column_of_a_mask_that_forbids_all_is_pointed_at():
    text = ('[conventions]\nvectors = "columns"\nmask = [["-oo", 0], ["-oo", 0]]\n[given]\n'
            "H = [[1, 2]]\nW_Q = [[1]]\nW_K = [[1]]\nW_V = [[1]]\n")  # fmt: skip
    with pytest.raises(InputError, match="column 1 of the mask forbids every key"):
        read_toml(text)


# --- what a page says of its conventions


def said_of(problem, lang="en"):
    text = page(derive(problem), "terminal", lang=lang)
    start = "\nConventions\n─" if lang == "en" else "\n约定\n─"
    return " ".join(text[text.index(start) :].split("Given\n─")[0].split())


def headed(**choices):
    return under(builtin("head"), choices)


@pytest.mark.parametrize(
    ("problem", "parts"),
    [
        (builtin("head"), ["Vectors are rows", "√(d_k) = √2", "no mask"]),
        (builtin("columns"), ["Vectors are columns", "down each column"]),
        (builtin("rope"), ["turned by their positions, counted from 0", "A pair is"]),
        (builtin("positions"), ["Positions count from 0", "powers of 10000", "take turns"]),
        (under(builtin("positions"), {"layout": "halves"}), ["All sines stand before"]),
        (builtin("layernorm"), ["LayerNorm uses the population variance"]),
        (builtin("block"), ["post-norm", "ReLU; its derivative at 0", "stands under the root"]),
        (under(builtin("block"), {"activation": "gelu"}), ["GELU, exact"]),
        (under(builtin("block"), {"activation": "gelu_tanh"}), ["approximation by tanh"]),
        (under(builtin("block"), {"activation": "leaky_relu"}), ["leaky ReLU", "slope is 1/100"]),
        (under(builtin("block"), {"activation": "silu"}), ["SiLU"]),
        (under(builtin("block"), {"eps_place": "outside"}), ["is added to the deviation"]),
        (under(builtin("block"), {"correction": 1, "norm": "pre"}), ["sample", "pre-norm"]),
        (builtin("language-model"), ["natural logarithms", "causal"]),
        (builtin("seq2seq"), ["causal", "The other attentions have no mask"]),
        (headed(mask="causal"), ["causal", "its weight is exactly 0"]),
    ],
)
def test_a_page_says_which_conventions_it_follows(problem, parts):
    text = said_of(problem)
    assert all(part in text for part in parts), text
    assert "Positions count" not in said_of(headed(positions="sinusoidal"))


@pytest.mark.parametrize("mode", ["add", "replace"])
def test_a_page_prints_the_leak(mode):
    """Of the causal head, row 1: the score that stays is 1/sqrt(2), the other one is 0."""
    problem = headed(mask="causal", mask_value="-10^9", mask_mode=mode)
    text = said_of(problem)
    with mpmath.workdps(40):
        # S_12 = 0, so that added and replaced are the same.
        logarithm = (-(mpmath.mpf(10) ** 9) - 1 / mpmath.sqrt(2)) / mpmath.log(10)
        exponent = int(mpmath.floor(logarithm))
        digits = mpmath.nstr(mpmath.mpf(10) ** (logarithm - exponent), 3)
    power = str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    assert f"not 0: A₁₂ ≈ {digits}·10{power}" in text


def shut(mode):
    rows = "[0, '-oo', '-oo'], ['-oo', '-oo', '-oo'], [0, 0, 0]"
    choices = f'mask = [{rows}]\nmask_value = "-10^9"\nmask_mode = "{mode}"\n'
    given = "H = [[1, 0], [0, 1], [1, 1]]\nW_Q = [[1, 0], [0, 1]]\nW_K = [[1, 1], [0, 1]]\n"
    return read_toml(f"[conventions]\n{choices}[given]\n{given}W_V = [[1, 0], [1, 1]]\n")


def test_a_row_masked_throughout_is_uniform_when_replaced():
    assert "Query 2 may see no key" in said_of(shut("replace"))
    assert "uniform" in said_of(shut("replace"))
    assert list(derive(shut("replace"))["A"].row(1)) == [sympy.Rational(1, 3)] * 3


def test_and_as_without_a_mask_when_added():
    text = said_of(shut("add"))
    assert "Query 2 may see no key" in text and "those of no mask" in text
    assert derive(shut("add"))["A"].row(1) == derive(builtin("head"))["A"].row(1)


def test_the_json_lists_the_conventions_that_are_followed():
    found = json.loads(page(derive(builtin("block")), "json"))["conventions"]
    assert found["norm"] == "post" and found["eps"] == "1/100000" and found["activation"] == "relu"
    assert "layout" not in found and "slope" not in found
    head = json.loads(page(derive(builtin("columns")), "json"))["conventions"]
    assert head["vectors"] == "columns" and head["scale"] == "sqrt(d_k)" and "norm" not in head


def test_gradients_in_columns_are_those_in_rows_turned_over():
    rows = differentiate(derive(builtin("head")), "O[2][1]")
    columns = differentiate(derive(under(builtin("head"), {"vectors": "columns"})), "O[1][2]")
    for name in ("W_Q", "W_K", "W_V", "S", "Q", "V"):
        assert columns.step(name).value == rows.step(name).value.T, name
    assert list(facts(columns.step("scaled"))) == ["columns"]
    assert list(facts(rows.step("scaled"))) == ["rows"]


@pytest.mark.tex
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_compiles_without_overfull_lines(lang):
    assert compile_source(conventions_printed((), "latex", lang)) == []


@pytest.mark.tex
def test_a_page_of_columns_compiles():
    assert (
        compile_source(page(derive(under(builtin("columns"), {"mask": "causal"})), "latex")) == []
    )
