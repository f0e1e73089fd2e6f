"""`derive generate`: every word, chance and count against a forward pass in floating point."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy
import pytest

from derive import builtin, read_toml
from derive.certify import Format
from derive.cli.main import run
from derive.exact import matrix, number
from derive.models.beside import beside, cached
from derive.models.generation import written
from derive.models.sampling import Sampling
from derive.problems import source
from derive.views.beside import beside_data
from derive.views.generation import generation_data
from derive.writing import beside_printed, generation_printed

LANGUAGE, TRANSLATION = builtin("language-model"), builtin("seq2seq")
FORM = Format(digits=12)


# --- a forward pass that shares nothing with the program: one head, post-norm, sines and cosines


class Floats:
    """The matrices of a problem as doubles, and what NumPy makes of them."""

    def __init__(self, problem):
        choices = problem.conventions
        assert (choices.heads, choices.norm, choices.activation) == (1, "post", "relu")
        assert choices.positions == "sinusoidal" and choices.normalization == "layernorm"
        self.problem, self.eps = problem, float(Fraction(repr(choices.eps)))
        self.given = {
            name: numpy.array([[float(Fraction(repr(x))) for x in row] for row in m.rows])
            for name, m in problem.given.items()
        }

    def embedded(self, words):
        table = self.given["W_E"]
        places = [self.problem.vocabulary.index(word) for word in words]
        p, i = numpy.meshgrid(range(len(words)), range(table.shape[1]), indexing="ij")
        angle = p / 10000.0 ** (2 * (i // 2) / table.shape[1])
        return table[places] + numpy.where(i % 2 == 0, numpy.sin(angle), numpy.cos(angle))

    def linear(self, x, scope, letter):
        return x @ self.given[f"{scope}W_{letter}"] + self.given.get(f"{scope}b_{letter}", 0)

    def attend(self, x, source, scope, is_causal):
        q, k = self.linear(x, scope, "Q"), self.linear(source, scope, "K")
        scores = q @ k.T / numpy.sqrt(q.shape[1])
        if is_causal:
            scores = numpy.where(numpy.tri(*scores.shape), scores, -numpy.inf)
        return softmax(scores) @ self.linear(source, scope, "V")

    def norm(self, x):
        x = x - x.mean(1, keepdims=True)
        return x / numpy.sqrt((x**2).mean(1, keepdims=True) + self.eps)

    def feed(self, x, scope):
        return self.linear(numpy.maximum(self.linear(x, scope, "1"), 0), scope, "2")

    def logits(self, words, is_causal=True):
        """A row for each word."""
        x = self.embedded(words)
        if self.problem.model == "seq2seq":
            memory = self.memory()
        for k in range(1, self.problem.conventions.layers + 1):
            if self.problem.model == "seq2seq":
                scope = f"dec.L{k}."
                x = self.norm(x + self.attend(x, x, f"{scope}self.", is_causal))
                x = self.norm(x + self.attend(x, memory, f"{scope}cross.", False))
            else:
                scope = f"L{k}."
                x = self.norm(x + self.attend(x, x, scope, is_causal))
            x = self.norm(x + self.feed(x, scope))
        return x @ self.given.get("W_U", self.given["W_E"].T) + self.given.get("b_U", 0)

    def memory(self):
        x = self.embedded(self.problem.tokens)
        for k in range(1, self.problem.conventions.layers + 1):
            x = self.norm(x + self.attend(x, x, f"enc.L{k}.", False))
            x = self.norm(x + self.feed(x, f"enc.L{k}."))
        return x


def softmax(x):
    powers = numpy.exp(x - x.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def words_of(problem, count, end=None):
    """The words that are written, by the largest double."""
    floats = Floats(problem)
    text = list(problem.tokens if problem.model == "language-model" else problem.targets[:1])
    new = []
    while len(new) < count and (not new or new[-1] != end):
        new.append(problem.vocabulary[int(numpy.argmax(floats.logits(text + new)[-1]))])
    return text, new


CASES = [(LANGUAGE, 5, None), (TRANSLATION, 6, TRANSLATION.targets[-1])]


@pytest.fixture
def call(capsys, monkeypatch, tmp_path):
    """Run the command line in an empty folder: (exit code, stdout, stderr)."""
    monkeypatch.chdir(tmp_path)

    def called(*arguments):
        code = run([str(a) for a in arguments])
        return code, *capsys.readouterr()

    return called


# --- every step


@pytest.mark.parametrize(("problem", "count", "end"), CASES)
def test_every_step_is_the_one_in_floating_point(problem, count, end):
    data = generation_data(written(problem, count), None, FORM)
    before, new = words_of(problem, count, end)
    assert data["text"] == before + new
    floats = Floats(problem)
    for k, step in enumerate(data["steps"]):
        assert step["text"] == before + new[:k]
        scores = floats.logits(before + new[:k])[-1:]
        rows = step["candidates"]
        assert [c["word"] for c in rows] == list(problem.vocabulary)
        given = {key: [float(c[key]) for c in rows] for key in ("logit", "probability", "behind")}
        numpy.testing.assert_allclose(given["logit"], scores[0], atol=1e-9)
        numpy.testing.assert_allclose(given["probability"], softmax(scores)[0], atol=1e-9)
        numpy.testing.assert_allclose(given["behind"], scores.max() - scores[0], atol=1e-9)
        assert step["chosen"] == [problem.vocabulary[int(numpy.argmax(scores))]]


@pytest.mark.parametrize(("problem", "count", "end"), CASES)
def test_a_temperature_and_the_best_words_change_the_chances_and_not_the_text(problem, count, end):
    plain = written(problem, count)
    sampling = Sampling(number(1, 3), 2)
    data = generation_data(written(problem, count, sampling), None, FORM)
    assert data["text"] == [*plain.before, *plain.words]
    floats = Floats(problem)
    for step in data["steps"]:
        scores = floats.logits(step["text"])[-1:]
        cut = numpy.where(scores >= numpy.sort(scores)[0, -2], 3 * scores, -numpy.inf)
        chances = [float(c["probability"]) for c in step["candidates"]]
        numpy.testing.assert_allclose(chances, softmax(cut)[0], atol=1e-9)
        assert sum(chance == 0 for chance in chances) == len(problem.vocabulary) - 2


@pytest.mark.parametrize("draws", [("1/50", "1/2", "49/50"), ("0", "99/100", "1/3")])
@pytest.mark.parametrize("problem", [LANGUAGE, replace(TRANSLATION, targets=("<s>",))])
def test_a_draw_is_the_word_in_whose_share_it_lies(problem, draws):
    sampling = Sampling(number(2), None, tuple(number(*_ratio(u)) for u in draws))
    data = generation_data(written(problem, len(draws), sampling), None, FORM)
    floats = Floats(problem)
    for u, step in zip(draws, data["steps"], strict=True):
        ends = numpy.cumsum(softmax(floats.logits(step["text"])[-1:] / 2)[0])
        numpy.testing.assert_allclose(
            [float(c["share_ends"]) for c in step["candidates"]], ends, atol=1e-9
        )
        place = int(numpy.searchsorted(ends, float(Fraction(u)), side="right"))
        assert step["chosen"] == [problem.vocabulary[place]]


def _ratio(text):
    return Fraction(text).as_integer_ratio()


def test_a_draw_of_one_half_between_two_equal_chances_is_the_second():
    # Both shares are 1/2 exactly, and a share holds its lower end.
    scores = {"W_U": matrix([[0] * 2 for _ in range(_width())]), "W_E": _two_rows()}
    problem = replace(LANGUAGE, given=dict(LANGUAGE.given) | scores, vocabulary=("a", "b"),
                      tokens=("a",), targets=None)  # fmt: skip
    for u, word in ((number(1, 2), "b"), (number(0), "a"), (number(10**30 - 1, 2 * 10**30), "a")):
        assert written(problem, 1, Sampling(draws=(u,))).words == (word,)


def _width():
    return LANGUAGE.given["W_E"].shape[1]


def _two_rows():
    return LANGUAGE.given["W_E"].pick((1, 2))


def test_it_ends_with_the_word_that_ends_a_text():
    _, new = words_of(LANGUAGE, 5)
    found = written(LANGUAGE, 5, end=new[2])
    assert list(found.words) == new[: new.index(new[2]) + 1]
    page, _ = generation_printed(found, "terminal")
    assert f"It ends with {new[2]}" in page


# --- a tie, and what is undecided


def test_a_tie_is_told_and_goes_to_the_first_of_the_vocabulary():
    width, count = LANGUAGE.given["W_E"].shape[1], len(LANGUAGE.vocabulary)
    equal = dict(LANGUAGE.given) | {"W_U": matrix([[0] * count for _ in range(width)])}
    problem = replace(LANGUAGE, given=equal)
    found = written(problem, 2)
    assert found.words == (problem.vocabulary[0],) * 2
    assert [set(c.words) for c in found.choices] == [set(problem.vocabulary)] * 2
    page, undecided = generation_printed(found, "terminal")
    assert "exactly equal" in page and not undecided


@pytest.fixture
def open_question(tmp_path):
    """A language model in which sin(2) stands beside 2 sin(1) cos(1), which nobody looks for."""
    path = tmp_path / "open.toml"
    zeros = ", ".join(["[0, 0, 0, 0]"] * _width())
    scores = '9, 9, "9 + sin(2)", "9 + 2*sin(1)*cos(1)"'
    given = f"[given]\nb_U = [[{scores}]]\nW_U = [{zeros}]\n"
    text = source("language-model").replace("[given]\n", given)
    path.write_text(text, encoding="utf-8")
    return path


def test_what_is_undecided_is_not_written_and_is_exit_3(call, open_question):
    code, out, _ = call("generate", open_question, "--words", 2)
    assert code == 3
    assert "stays undecided" in out and "It stops after 0 words" in out
    code, out, _ = call("generate", open_question, "--json", "--cache")
    assert code == 3
    assert json.loads(out)["undecided"] == ["step 1"]
    assert json.loads(out)["text"] == list(LANGUAGE.tokens)


# --- remembered keys and values


@pytest.mark.parametrize(("problem", "count", "end"), CASES)
def test_from_the_cache_come_the_rows_of_the_masked_forward(problem, count, end):
    found = written(problem, count)
    memory = cached(found)
    assert not memory.failed and memory.agree == len(memory.agreements)
    rows = Floats(problem).logits(found.read)
    for t in range(1, len(found.read) + 1):
        numpy.testing.assert_allclose(
            memory.derivation.to_numpy(f"p{t}.logits")[0], rows[t - 1], atol=1e-9
        )


def variants():
    """Other attentions of an encoder-decoder: heads, shared keys, rotations, learned positions."""
    one = TRANSLATION.given
    rope = replace(TRANSLATION.conventions, positions="rope")
    yield replace(TRANSLATION, conventions=rope)
    if all(one[n].shape[1] % 2 == 0 for n in one if n.endswith(("W_Q", "W_K", "W_V"))):
        yield replace(TRANSLATION, conventions=replace(TRANSLATION.conventions, heads=2))
    learned = replace(TRANSLATION.conventions, positions="learned")
    width = one["W_E"].shape[1]
    tables = {
        name: matrix([[(3 * i + k * j) % 5 for j in range(width)] for i in range(3)])
        for k, name in enumerate(("enc.W_P", "dec.W_P"), 1)
    }
    yield replace(TRANSLATION, conventions=learned, given=dict(one) | tables)


@pytest.mark.parametrize("problem", list(variants()), ids=lambda p: p.conventions.positions)
def test_a_decoder_that_remembers_is_the_decoder_of_all_positions(problem):
    found = written(problem, 3)
    memory = cached(found)
    assert [a for a in memory.agreements if not a.holds] == []
    for t in range(1, len(found.read) + 1):
        numpy.testing.assert_allclose(
            memory.derivation.to_numpy(f"p{t}.P")[0],
            found.choices[t - 1].derivation.to_numpy("next.P")[0],
            rtol=1e-12,
        )


def test_a_mask_that_leaks_is_not_said_to_agree():
    leaky = replace(LANGUAGE.conventions, mask_value=number(-(10**9)))
    found = written(replace(LANGUAGE, conventions=leaky), 1)
    page, _ = generation_printed(found, "terminal", cached=cached(found))
    assert "are not proved to be rows" in page and "The two ways give the same" not in page


def test_what_is_saved_is_counted_right():
    """From the shapes alone: projections, scores, mixing, feed-forward, output."""
    given, count = LANGUAGE.given, 4
    found = written(LANGUAGE, count)
    rows = generation_data(found, cached(found), FORM)["cache"]["steps"]
    layers = [f"L{k}." for k in range(1, LANGUAGE.conventions.layers + 1)]
    size = {name: m.shape[0] * m.shape[1] for name, m in given.items() if ".b_" not in name}
    unused = {"W_P", "W_E"} if "W_U" in given else {"W_P"}
    own = sum(size[name] for name in size.keys() - unused)
    wide = sum(given[f"{scope}W_{x}"].shape[1] for scope in layers for x in "KV")
    start = len(LANGUAGE.tokens)
    for k, row in enumerate(rows):
        n = start + k
        new = range(1, n + 1) if k == 0 else [n]
        assert row["multiply_adds"]["anew"] == n * own + n * n * wide
        assert row["multiply_adds"]["cached"] == sum(own + t * wide for t in new)
        assert row["remembered"] == n * wide


# --- training beside inference


def test_both_views_are_those_in_floating_point():
    found = beside(TRANSLATION)
    data = beside_data(found, FORM, "en")
    floats, right = Floats(TRANSLATION), TRANSLATION.targets[1:]
    rows = softmax(floats.logits(TRANSLATION.targets[:-1]))
    numpy.testing.assert_allclose(
        [[float(x) for x in row] for row in data["training"]["P"]], rows, atol=1e-9
    )
    chances = [row[TRANSLATION.vocabulary.index(w)] for row, w in zip(rows, right, strict=True)]
    assert float(data["training"]["loss"]) == pytest.approx(-numpy.log(chances).mean(), abs=1e-9)
    likeliest = [TRANSLATION.vocabulary[k] for k in rows.argmax(1)]
    assert [x[0] for x in data["training"]["likeliest"]] == likeliest
    wrong = [k for k, pair in enumerate(zip(likeliest, right, strict=True), 1) if len({*pair}) > 1]
    assert data["first_error"] == (wrong[0] if wrong else None)
    before, new = words_of(TRANSLATION, len(right), right[-1])
    assert data["inference"]["writes"] == new
    assert data["inference"]["reads"] == (before + new)[:-1]
    assert data["agree"] == data["steps"] > 0
    n, m = len(right), len(data["inference"]["reads"])
    assert data["training"]["hidden"] == [n * (n - 1) // 2, n * n]
    assert data["inference"]["hidden_at_the_last"] == [m * (m - 1) // 2, m * m]


@pytest.mark.parametrize("swap", [False, True])
def test_a_wrong_word_is_read_by_the_next_position_at_inference_alone(swap):
    problem = TRANSLATION
    if swap:  # another target, so that training finds wrong words
        first, *middle, last = TRANSLATION.targets
        problem = replace(TRANSLATION, targets=(first, *reversed(middle), last))
    found = beside(problem)
    astray, floats = found.astray, Floats(problem)
    assert astray is not None
    read = [*problem.targets[: astray.position], astray.wrong]
    assert astray.wrong != astray.right == problem.targets[astray.position]
    scores = floats.logits(problem.targets[: astray.position])[-1]
    falling = [problem.vocabulary[k] for k in numpy.argsort(-scores)]
    others = [word for word in falling if word != astray.right]
    assert astray.wrong == others[0]
    assert astray.is_supposed is (found.first_error in (None, len(found.right)))
    if astray.after is not None:
        best = problem.vocabulary[int(numpy.argmax(floats.logits(read)[-1]))]
        assert astray.after.words == (best,)
    page, _ = beside_printed(found, "markdown")
    assert f"position {astray.position + 1} reads {astray.right} all the same" in page


def test_without_the_mask_the_scores_are_those_of_a_forward_that_sees_all():
    found = written(LANGUAGE, 3)
    page, _ = generation_printed(found, "terminal", form=Format(places=6))
    last = page[page.index("Without the mask") :]
    for is_causal in (True, False):
        for x in Floats(LANGUAGE).logits(found.read, is_causal)[-1]:
            assert f"{x:.6f}".replace("-", "−") in last
    assert "`" not in last and "derive theorem" in last


# --- pages


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("options", [(), ("--cache",), ("--top-k", 2, "--temperature", "1/2")])
@pytest.mark.parametrize("problem", ["language-model", "seq2seq"])
def test_pages_fit_a_terminal(call, problem, options, lang):
    from derive.render.wrap import columns

    code, out, err = call("generate", problem, *options, "--lang", lang)
    assert (code, err) == (0, "")
    assert max(map(columns, out.splitlines())) <= 80
    assert "{" not in out and ("Step 1" in out) == (lang == "en")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_training_beside_inference_fits_a_terminal(call, lang):
    from derive.render.wrap import columns

    code, out, err = call("generate", "--beside-training", "--lang", lang)
    assert (code, err) == (0, "")
    assert max(map(columns, out.splitlines())) <= 80
    assert "{" not in out


@pytest.mark.parametrize("suffix", [".tex", ".md", ".html", ".pdf", ".json"])
@pytest.mark.parametrize("options", [("--cache",), ("--beside-training",)])
def test_every_format(call, tmp_path, suffix, options):
    path = tmp_path / f"page{suffix}"
    assert call("generate", "seq2seq", *options, "-o", path) == (0, "", "")
    assert path.stat().st_size > 1000


def test_the_page_in_latex_compiles(call):
    from tex import compile_source

    for lang in ("en", "zh"):
        _, out, _ = call("generate", "--beside-training", "--latex", "--lang", lang)
        compile_source(out)


def test_a_large_vocabulary_is_listed_in_part():
    words = tuple(f"w{k}" for k in range(40))
    rows = [[(7 * k + 3 * j * j + k * j) % 11 for j in range(_width())] for k in range(40)]
    problem = replace(LANGUAGE, given=dict(LANGUAGE.given) | {"W_E": matrix(rows)},
                      vocabulary=words, tokens=words[:2], targets=None)  # fmt: skip
    page, _ = generation_printed(written(problem, 1), "terminal")
    assert "16 more words have smaller chances." in page


# --- what is refused


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("head",), "the model attention writes no words"),
        (("--words", 0), "0 words to be written"),
        (("--words", -1), "-1 words to be written"),
        (("--words", 10**6), "1000000 words to be written"),
        (("--top-k", 0), "k cannot be 0"),
        (("--top-k", len(LANGUAGE.vocabulary) + 1), "k cannot be"),
        (("--temperature", "0"), "the temperature is not positive"),
        (("--temperature", "-1/2"), "the temperature is not positive"),
        (("--temperature", "tau"), "the temperature is a symbol"),
        (("--temperature", "import os"), "error: temperature"),
        (("--draw", "1"), "draw 1 cannot be 1"),
        (("--draw", "1/2,-1/3"), "draw 2 cannot be -1/3"),
        (("--draw", "u"), "draw 1 cannot be u"),
        (("--draw", "1/2", "--words", 2), "1 draws for 2 words"),
        (("--beside-training", "language-model"), "not trained to write a target"),
        (("--beside-training", "--cache"), "--cache is not for --beside-training"),
        (("--beside-training", "--draw", "1/2"), "--draw is not for --beside-training"),
        (("no-such-problem",), "is no command, no built-in problem and no file"),
    ],
)
def test_bad_use_is_exit_2(call, arguments, message):
    code, out, err = call("generate", *arguments)
    assert (code, out) == (2, "")
    assert message in err and "Traceback" not in err


def test_alibi_is_not_remembered(call, tmp_path):
    text = source("language-model").replace('positions = "sinusoidal"', 'positions = "alibi"')
    path = tmp_path / "alibi.toml"
    path.write_text(text, encoding="utf-8")
    assert read_toml(text).conventions.positions == "alibi"
    assert call("generate", path, "--words", 1)[0] == 0
    code, _, err = call("generate", path, "--words", 1, "--cache")
    assert code == 2 and "position by position" in err


def test_a_target_of_one_word_is_not_trained_on():
    from derive import InputError

    with pytest.raises(InputError, match="the target holds one word"):
        beside(replace(TRANSLATION, targets=("<s>",)))
