"""Gradients: against figures worked out apart from this program, and under laws in three views."""

import json
import re
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
import sympy
from interpretation import Place, evaluate
from spelled import as_sympy, same, same_entry, vanishes
from test_ops import CASES, has_letters, ids

from derive import InputError, Problem, builtin, derive, ops
from derive.certify import Format
from derive.conventions import Conventions
from derive.derivation import Derivation
from derive.exact import Matrix, NegativeInfinity, matrix, number
from derive.exact.bridge import from_sympy, to_sympy
from derive.exact.names import gradient_name
from derive.gradients import differentiate, sweep
from derive.gradients.facts import FACTS, facts
from derive.gradients.op import Gradient
from derive.problems import ORDER
from derive.read.objects import as_given
from derive.words import LANGUAGES, words

FIGURES = json.loads((Path(__file__).parent / "figures" / "gradients.json").read_text("utf-8"))
EXACT = Format(digits=30, rounding="half-even")


def given(rows):
    return as_given(rows, "X")


def figures_of(found, expected):
    """Every entry is the closed form of the figures, and has their thirty digits."""
    assert found.shape == (len(expected), len(expected[0]))
    for ours, row in zip(found.value.rows, expected, strict=True):
        for x, (closed, _) in zip(ours, row, strict=True):
            assert x == from_sympy(sympy.sympify(closed)), closed


def digits_of(d, name, expected):
    for row, texts in zip(d.certified(name, EXACT), expected, strict=True):
        for x, (_, digits) in zip(row, texts, strict=True):
            assert digits is None or Decimal(x.digits) == Decimal(digits), name


# --- figures


@pytest.mark.parametrize("case", FIGURES["heads"], ids=lambda case: case["name"])
def test_the_gradients_of_one_head(case):
    scale = number(1) if case["scale"] == "1" else number(2).sqrt()
    choices = Conventions(mask="causal" if case["causal"] else None, scale=scale)
    d = derive(Problem("head", builtin("head").given, choices))
    found = differentiate(d, "<G,O>", ("W_Q", "W_K", "W_V", "H"), given(case["G"]))
    for name, expected in case["gradients"].items():
        # With a mask the figures' score is the masked one.
        is_masked = case["causal"] and name == "dscaled"
        step = found.derivation.step("dmasked" if is_masked else name)
        if not step.is_deep:
            figures_of(step, expected)
        digits_of(found.derivation, step.name, expected)


def normed(op_eps, figures):
    """LayerNorm of one row with its gain, and <g, N>."""
    given_rows = {"H": [figures["x"]], "gamma": [figures["gamma"]], "beta": [[0, 0, 0, 0]]}
    exact = {k: given(v) for k, v in given_rows.items()}
    problem = Problem("norm", exact, Conventions(eps=op_eps), model="layernorm")
    return differentiate(derive(problem), "<G,N>", ("H", "gamma", "beta"), given([figures["g"]]))


@pytest.mark.parametrize(("eps", "key"), [(number(0), "eps0"), (number(1, 100_000), "eps1e-5")])
def test_the_gradients_of_a_layernorm(eps, key):
    figures = FIGURES["layernorm"]
    found = normed(eps, figures)
    for name, own in (("dH", "dx"), ("dgamma", "dgamma"), ("dbeta", "dbeta")):
        digits_of(found.derivation, name, [figures[f"{own}_{key}"]])
    expected = [sympy.sympify(closed) for closed, _ in figures[f"dx_{key}"]]
    if key == "eps0":
        assert all(same_entry(a, b) for a, b in zip(found.derivation["dH"], expected, strict=True))


@pytest.mark.parametrize(("eps", "key"), [(number(0), "eps0"), (number(1, 100_000), "eps1e-5")])
def test_the_gradients_of_an_rmsnorm(eps, key):
    figures = FIGURES["layernorm"]
    exact = {"H": given([figures["x"]]), "gamma": given([figures["gamma"]])}
    choices = Conventions(eps=eps, normalization="rmsnorm")
    d = derive(Problem("norm", exact, choices, model="layernorm"))
    found = differentiate(d, "<G,N>", ("H",), given([figures["g"]]))
    digits_of(found.derivation, "dH", [figures[f"rms_dx_{key}"]])


def test_softmax_and_cross_entropy():
    figures = FIGURES["cross_entropy"]
    d = Derivation.of(Problem("loss", {"logits": given([figures["z"]])}))
    d = d.then("P", ops.Softmax(), "logits")
    d = d.then("L", ops.CrossEntropy((figures["label"] + 1,)), "P").then("loss", ops.Mean(), "L")
    found = differentiate(d, "loss", ("logits",))
    figures_of(found.step("logits"), [figures["dz"]])
    digits_of(d, "loss", [[figures["loss"]]])
    assert list(facts(found.step("logits"))) == ["rows", "distance"]


FEED_FORWARD = sorted({name.split(".")[0] for name in FIGURES["feed_forward"]["gradients"]})
LETTERS = {"dhid": "dG", "dZ": "dU", "dX": "dX"}


@pytest.mark.parametrize("activation", FEED_FORWARD)
def test_the_gradients_of_a_feed_forward_network(activation):
    figures = FIGURES["feed_forward"]
    weights = ("W_g", "W_u", "W_d") if activation == "swiglu" else ("W_1", "b_1", "W_2", "b_2")
    exact = {"N": given(figures["X"]), **{w: given(figures["given"][w]) for w in weights}}
    d = Derivation.of(Problem("ffn", exact, Conventions(activation=activation)))
    from derive.models.layers import feed_forward

    d, last = feed_forward(d, "N", "")
    found = differentiate(d, f"<G,{last}>", ("N", *weights), given(figures["given"]["G"]))
    for key, expected in figures["gradients"].items():
        kind, name = key.split(".")
        if kind == activation:
            name = {"dX": "dN", "dhid": "dG", "dZ": "dU"}.get(name, name)
            digits_of(found.derivation, name, expected)


# --- every operation, every convention, in every view


WITHOUT_INDICES = {ops.Contributions}
"""Operations whose own entries have three indices, which the interpretation does not read."""
CLOSED = [case for case in CASES if not has_letters(case[0].op) and case[0].letters]
law = pytest.mark.parametrize("case", CLOSED, ids=ids)


def swept(case):
    row, example = case
    exact = dict(zip(row.letters, example, strict=True))
    d = Derivation.of(Problem("law", exact)).then(row.result, row.op, *row.letters)
    n, m = d.step(row.result).shape
    seed = matrix(
        [[number(3 * i - 2 * j + 1, i + j) for j in range(1, m + 1)] for i in range(1, n + 1)]
    )
    return row, example, sweep(d, row.result, seed, row.letters)


def place_of(row, example, found, indices=()):
    sizes = {letter: example[k].shape[axis] for letter, k, axis in row.sizes}
    lists = {
        "t": list(getattr(row.op, "tokens", ())),
        "y": list(getattr(row.op, "targets", ())),
    }
    steps = {s.name: s.value for s in found.derivation.steps}
    if isinstance(row.op, ops.Mask):
        steps["mask"] = row.op.matrix()
    return Place(steps, dict(indices), sizes, lists, row.op, is_open=True)


@law
def test_each_input_gets_what_the_pullback_says(case):
    row, example, found = swept(case)
    seed, result = (found.derivation.step(n).value for n in (gradient_name(row.result), row.result))
    for name, expected in zip(row.letters, row.op.pullback(seed, result, *example), strict=True):
        assert same(as_sympy(found.step(name).value), as_sympy(expected))


@law
def test_the_notation_says_the_same(case):
    row, example, found = swept(case)
    for name in row.letters:
        step = found.step(name)
        if isinstance(step.op, Gradient) and type(row.op) not in WITHOUT_INDICES:
            n, m = step.shape
            written = evaluate(step.notation, place_of(row, example, found))
            matrix_like = isinstance(written, sympy.MatrixBase)
            assert same(
                spread(written if matrix_like else sympy.Matrix([[written]]), n, m),
                as_sympy(step.value),
            ), name


def spread(written, n, m):
    """A column, a row or a number that stands for all of an n x m matrix."""
    assert {*written.shape} <= {1, n, m}
    last = written.rows - 1, written.cols - 1
    return sympy.Matrix(n, m, lambda i, j: written[min(i, last[0]), min(j, last[1])])


@law
def test_the_index_notation_says_the_same_entry_by_entry(case):
    row, example, found = swept(case)
    for name in row.letters:
        step = found.step(name)
        lines = step.op.formulas(step.name)
        if type(row.op) in WITHOUT_INDICES:
            continue
        assert lines, name
        value = as_sympy(step.value)
        said = set()
        for left, right in lines:
            for i in range(1, value.rows + 1):
                for j in range(1, value.cols + 1):
                    for indices in numbered(row.op, left, i, j, value.shape):
                        written = evaluate(right, place_of(row, example, found, indices))
                        said.add((i, j))
                        assert same_entry(written, value[i - 1, j - 1]), (name, i, j)
        assert not lines or len(said) == len(value)


def numbered(op, left, i, j, shape):
    """What the index letters are where the left side is entry i, j; nothing where it is not."""
    if len(left.indices) == 2 and left.indices[0] == "p":
        pairs = range(shape[1] // 2)
        for k in pairs:
            column = sympy.sympify(re.sub(r"(\d)([a-z])", r"\1*\2", left.indices[1]))
            sizes = {"i": k, "d": shape[1]}
            if column.subs(sizes) == j:
                yield {"p": i + op.start - 1, "i": k}
        return
    wanted = (i, j) if len(left.indices) == 2 else (i,) if shape[1] == 1 else (j,)
    yield dict(zip(left.indices, wanted[: len(left.indices)], strict=True))


# --- what others get wrong


def test_what_sympys_matrix_calculus_loses():
    """d softmax and d log sum exp of a MatrixSymbol come out wrong there; here they are proved."""
    x = [[number(1), number(2), number(0)]]
    d = Derivation.of(Problem("s", {"S": Matrix(x)})).then("A", ops.Softmax(), "S")
    found = d.gradients("A[1][1]", ["S"])["S"]
    s = sympy.symbols("s1:4")
    a = sympy.exp(s[0]) / sympy.Add(*map(sympy.exp, s))
    at = dict(zip(s, (1, 2, 0), strict=True))
    for k, letter in enumerate(s):
        assert vanishes(sympy.diff(a, letter).subs(at) - found[0, k])
    d = Derivation.of(Problem("s", {"S": Matrix(x)})).then("exp", ops.Exponential(), "S")
    d = d.then("Z", ops.RowSums(), "exp")
    from derive.gradients.sweep import sweep as of

    seed = matrix([[1]]) / d.step("Z").value[0, 0]  # d log Z = dZ / Z
    found = of(d, "Z", Matrix(seed.rows), ("S",)).step("S").value
    log_sum = sympy.log(sympy.Add(*map(sympy.exp, s)))
    for k, letter in enumerate(s):
        assert vanishes(sympy.diff(log_sum, letter).subs(at) - to_sympy(found[0, k]))


def test_an_entry_of_the_symbolic_head_is_its_derivative():
    d = derive(builtin("symbolic"))
    place = "O[1][1]"
    closed = d.entry(place)
    names = [n for n in ("W_Q", "W_V") if n in d]
    for name, gradient in d.gradients(place, names).items():
        given_matrix = as_sympy(d.step(name).value)
        at = {
            x: sympy.Rational(k % 5 + 1, k % 3 + 2)
            for k, x in enumerate(sorted(closed.free_symbols | given_matrix.free_symbols, key=str))
        }
        for x, ours in zip(given_matrix, gradient, strict=True):
            if x.is_Symbol:
                theirs = sympy.diff(closed, x).subs(at)
                assert abs((theirs - ours.subs(at)).evalf(30)) < 1e-20


# --- temperature and eps


@pytest.mark.parametrize(("name", "model"), [("temperature", "head"), ("eps", "layernorm")])
def test_a_convention_is_differentiated_like_a_matrix(name, model):
    import mpmath

    problem = builtin(model)
    last = derive(problem).derived[-1].name
    of = f"{last}[1][1]"
    exact = derive(problem).gradients(of, [name])[name][0]
    value = getattr(problem.conventions, name)

    def at(x):
        choices = replace(problem.conventions, **{name: x})
        return mpmath.mpf(derive(replace(problem, conventions=choices)).digits(last, 45)[0][0])

    with mpmath.workdps(40):
        h = number(1, 10**9) if name == "temperature" else number(1, 10**15)
        slope = (at(value + h) - at(value - h)) / (
            2 * mpmath.mpf(1) / (10**9 if name == "temperature" else 10**15)
        )
        assert abs(slope - mpmath.mpf(str(exact.evalf(30)))) < mpmath.mpf(10) ** -9 * (
            1 + abs(slope)
        )


def test_a_temperature_where_there_is_none():
    with pytest.raises(InputError, match="temperature"):
        derive(builtin("layernorm")).gradients("N[1][1]", ["temperature"])


# --- every built-in problem


@pytest.mark.parametrize("name", ORDER)
def test_every_problem_is_differentiated(name):
    d = derive(builtin(name))
    found = differentiate(d)
    assert len(found.derivation.steps) - len(d.steps) <= 1.5 * len(d.steps)
    for weight in found.wrt:
        assert found.step(weight).shape == d.step(weight).shape


# --- facts


def test_every_fact_is_said_in_every_language_and_found_somewhere():
    for lang in LANGUAGES:
        assert all(words(lang)["phrases"][f"fact {name}"] for name in FACTS)
    seen = set()
    cases = [
        ("causal", "O[1][1]", {}),
        ("language-model", "loss", {}),
        ("layernorm", "", {"eps": number(0)}),
        ("head", "O[2][1]", {}),
        ("columns", "O[1][2]", {}),
    ]
    for name, of, changed in cases:
        problem = builtin(name)
        choices = replace(problem.conventions, **changed)
        d = derive(replace(problem, conventions=choices))
        found = differentiate(d, of, [s.name for s in d.steps if s.op is None])
        seen |= {fact for step in found.derivation.steps for fact in facts(step)}
    assert seen == set(FACTS)


def test_a_fact_that_does_not_hold_is_not_said():
    problem = builtin("layernorm")
    d = derive(replace(problem, conventions=replace(problem.conventions, eps=number(1, 9))))
    found = differentiate(d, "", ["H"])
    assert "xhat" not in [fact for step in found.derivation.steps for fact in facts(step)]


def test_a_key_bias_gets_exactly_nothing():
    """It moves all scores of a row alike (not so under a rotation of the keys)."""
    head = builtin("head").given
    exact = {**head, "b_K": given([[1, 2]])}
    for positions, is_zero in (("none", True), ("rope", False)):
        d = derive(Problem("bias", exact, Conventions(positions=positions), model="multihead"))
        found = differentiate(d, "O[2][1]", ("b_K",)).step("b_K")
        assert ("zero" in facts(found)) == is_zero


# --- what does not fit


@pytest.mark.parametrize(
    ("of", "wrt", "seed", "said"),
    [
        ("O", (), None, "O is a matrix, 3 x 2"),
        ("O[4][1]", (), None, "outside O"),
        ("X[1][1]", (), None, 'no step "X"'),
        ("<G,X>", (), None, 'no step "X"'),
        ("mse(O)", (), None, "compares with nothing"),
        ("<G,O>", (), [[1, 2]], "the seed is 1 x 2"),
        ("O[1][1]", (), [[1, 2]], "needs none"),
        ("O[1][1]", ("W_X",), None, 'no step "W_X"'),
        ("a + b", (), None, "no step"),
    ],
)
def test_what_cannot_be_differentiated_is_told(of, wrt, seed, said):
    with pytest.raises(InputError) as error:
        differentiate(derive(builtin("head")), of, wrt, None if seed is None else given(seed))
    assert said in str(error.value)


def test_what_it_does_not_depend_on_is_exactly_zero():
    d = derive(builtin("head"))
    assert d.gradients("S[1][1]", ["W_V", "A"])["W_V"] == sympy.zeros(2, 2)


def test_a_mean_square_has_its_own_loss():
    d = derive(builtin("head"))
    found = differentiate(d, "mse(O)", ("W_V",), given([[1, 0], [1, 1], [2, 1]]))
    O, T = d["O"], sympy.Matrix([[1, 0], [1, 1], [2, 1]])
    expected = as_sympy(d.step("H").value).T * as_sympy(d.step("A").value).T * (O - T) / 3
    assert same(as_sympy(found.step("W_V").value), expected)
    assert not any(isinstance(x, NegativeInfinity) for x in found.step("W_V").value)


# --- what is 0 whatever the values


BIASED = {
    "none": ({}, True),
    "causal": ({"mask": "causal"}, True),
    "replaced by -oo": ({"mask": "causal", "mask_mode": "replace"}, True),
    "added": ({"mask": "causal", "mask_value": number(-5)}, True),
    "replaced": ({"mask": "causal", "mask_value": number(-5), "mask_mode": "replace"}, False),
    "alibi": ({"positions": "alibi"}, True),
    "rope": ({"positions": "rope"}, False),
    "two heads": ({"heads": 2}, True),
}


@pytest.mark.parametrize("name", BIASED)
def test_a_key_bias_counts_where_something_tells_the_scores_of_a_row_apart(name):
    """Against the number itself with the bias moved by 10^-9, in doubles of 40 digits."""
    import mpmath

    changed, is_zero = BIASED[name]
    width = 4 if "heads" in changed else 2
    rows = [[1, 0, 2, 1], [0, 1, 1, -1], [1, 1, 0, 1]]
    weights = [[1, 2, 0, 1], [0, 1, 1, 0], [1, 0, 1, 1], [2, 1, 0, 1]]
    cut = lambda m: given([row[:width] for row in m[:width]])  # noqa: E731
    exact = {"H": given([row[:width] for row in rows])}
    exact |= {w: cut(weights[k:] + weights[:k]) for k, w in enumerate(("W_Q", "W_K", "W_V"))}

    def at(moved):
        bias = matrix([[number(1, 3) + moved, *[number(2) + moved] * (width - 1)]])
        problem = Problem("bias", exact | {"b_K": bias}, Conventions(**changed), model="multihead")
        return derive(problem)

    found = differentiate(at(number(0)), "O[2][1]", ("b_K",)).step("b_K")
    assert all(x.is_zero for x in found.value) == is_zero
    with mpmath.workdps(40):
        h = number(1, 10**9)
        there, back = (mpmath.mpf(at(x).digits("O", 38)[1][0]) for x in (h, -h))
        slope = (there - back) * 10**9 / 2
        assert (abs(slope) < mpmath.mpf(10) ** -25) == is_zero


# --- more of the figures: softmax by itself, and its temperature


@pytest.mark.parametrize("i", [1, 2, 3])
def test_the_jacobian_of_a_row_of_weights(i):
    """Row i of the head: diag(a) - a a^T by the scaled scores, its trace and its eigenvalues."""
    from derive.gradients.softmax import softmax_row

    d, figures = derive(builtin("head")), FIGURES["softmax"][i - 1]
    block = d.jacobian("A", "scaled")[3 * i - 3 : 3 * i, 3 * i - 3 : 3 * i]
    row = softmax_row(d.step("A").value.rows[i - 1])
    for j, line in enumerate(figures["jacobian"]):
        for k, (closed, _) in enumerate(line):
            expected = from_sympy(sympy.sympify(closed))
            assert row.jacobian[j, k] == expected == from_sympy(block[j, k])
    assert row.trace == from_sympy(sympy.sympify(figures["trace"][0]))
    known = sorted(Decimal(digits) for _, digits in figures["eigenvalues"])
    ours = [Decimal(0), *(Decimal(str(to_sympy(x).evalf(30))) for x in row.eigenvalues)]
    assert all(abs(a - b) < Decimal("1e-25") for a, b in zip(known, sorted(ours), strict=True))


@pytest.mark.parametrize("j", [1, 2, 3])
def test_a_weight_along_the_temperature(j):
    """d a_j / d tau = -a_j (s_j - sum_k a_k s_k) / tau^2: only ratios of weights know the gap."""
    d = derive(builtin("head"))
    found = d.gradients(f"A[3][{j}]", ["temperature"])["temperature"][0]
    a, s = d["A"].row(2), d["scaled"].row(2)
    mean = sympy.Add(*(x * y for x, y in zip(a, s, strict=True)))
    assert from_sympy(found) == from_sympy(-a[j - 1] * (s[j - 1] - mean))


def test_the_entropy_falls_as_the_scores_are_sharpened():
    """H = ln Z - beta E[s] has the derivative -beta Var[s] in beta, at beta = 1."""
    d = derive(builtin("head"))
    a, s = d["A"].row(2), d["scaled"].row(2)
    mean, square = (sympy.Add(*(x * y**k for x, y in zip(a, s, strict=True))) for k in (1, 2))
    slopes = [-d.gradients(f"A[3][{j}]", ["temperature"])["temperature"][0] for j in (1, 2, 3)]
    entropy = -sympy.Add(*(g * (sympy.log(x) + 1) for g, x in zip(slopes, a, strict=True)))
    assert abs((entropy + square - mean**2).evalf(30)) < 1e-25


def test_an_entry_of_a_gradient_in_full():
    from derive.pages import gradients_printed

    found = differentiate(derive(builtin("head")), "O[1][1]", ("H",))
    x = found.derivation.expanded("dH[1][1]")
    assert not x.free_symbols
    (digits,) = {found.derivation.digits("dH", 25)[0][0]}
    assert abs(sympy.N(x, 30) - sympy.Float(digits, 30)) < 1e-22
    text = gradients_printed(found, "terminal", expand=("dH[1][1]",))[0]
    assert "dH₁₁" in text.rpartition("The way back in matrices")[2]
    with pytest.raises(InputError, match="given"):
        gradients_printed(found, "terminal", expand=("dO[1][1]",))
