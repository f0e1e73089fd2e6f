"""Shapes, parameters and multiply-adds, beside sums written by hand and published counts."""

from itertools import product

import pytest

from derive import InputError, attention, builtin, derive, ops, problems, shapes
from derive.architectures import ORDER, source
from derive.counts import steps
from derive.counts.letters import LETTERS
from derive.counts.table import plain
from derive.counts.tallied import Tallied, multiply_adds
from derive.exact.bridge import to_sympy
from derive.read.architectures import read_architecture

each_model = pytest.mark.parametrize("name", ORDER)


# --- parameters


def linear(a, b, bias):
    return a * b + (b if bias else 0)


def test_gpt_2_small():
    """Two tables, twelve layers of four squares and two wide maps, biases, one last norm."""
    d = 768
    layer = 4 * linear(d, d, True) + linear(d, 4 * d, True) + linear(4 * d, d, True) + 2 * 2 * d
    assert 50257 * d + 1024 * d + 12 * layer + 2 * d == 124_439_808
    assert shapes("gpt-2").parameters == 124_439_808


def test_bert_base_with_its_pooler():
    d = 768
    layer = 4 * linear(d, d, True) + linear(d, 3072, True) + linear(3072, d, True) + 2 * 2 * d
    embedding = (30522 + 512 + 2) * d + 2 * d
    assert embedding + 12 * layer + linear(d, d, True) == 109_482_240
    assert shapes("bert-base").parameters == 109_482_240


def test_llama_2():
    d, f = 4096, 11008
    assert 2 * 32000 * d + 32 * (4 * d * d + 3 * d * f + 2 * d) + d == 6_738_415_616
    assert shapes("llama-2-7b").parameters == 6_738_415_616


@pytest.mark.parametrize(
    ("name", "d", "f", "expected"),
    [("transformer-base", 512, 2048, 63_045_632), ("transformer-big", 1024, 4096, 214_171_648)],
)
def test_the_models_of_2017(name, d, f, expected):
    """Projections are matrices (3.2.2), equation 2 has biases, one matrix embeds and reads out."""
    feed_forward = linear(d, f, True) + linear(f, d, True)
    encoder = 4 * d * d + feed_forward + 2 * 2 * d
    decoder = 8 * d * d + feed_forward + 3 * 2 * d
    assert 37000 * d + 6 * (encoder + decoder) == expected
    assert shapes(name).parameters == expected


@pytest.mark.parametrize(
    ("name", "changes", "expected"),
    [
        ("gpt-2", {"layers": 24, "d_model": 1024, "heads": 16, "d_ff": 4096}, 354_823_168),
        ("gpt-2", {"layers": 36, "d_model": 1280, "heads": 20, "d_ff": 5120}, 774_030_080),
        ("gpt-2", {"layers": 48, "d_model": 1600, "heads": 25, "d_ff": 6400}, 1_557_611_200),
        ("bert-base", {"layers": 24, "d_model": 1024, "heads": 16, "d_ff": 4096}, 335_141_888),
        ("llama-2-7b", {"layers": 40, "d_model": 5120, "heads": 40, "d_ff": 13824}, 13_015_864_320),
        ("llama-2-7b", {"kv_heads": 8, "d_ff": 14336}, 7_241_732_096),  # Mistral 7B
        ("llama-2-7b", {"kv_heads": 8, "d_ff": 14336, "vocabulary": 128256}, 8_030_261_248),
        ("llama-2-7b", {"layers": 22, "d_model": 2048, "kv_heads": 4, "d_ff": 5632}, 1_100_048_384),
    ],
)
def test_relatives_whose_counts_are_published(name, changes, expected):
    """The larger GPT-2 and BERT, Llama 2 13B, Mistral 7B, Llama 3 8B, TinyLlama."""
    assert shapes(name, **changes).parameters == expected


def test_the_rounded_figures_of_the_paper_need_two_vocabularies():
    """65 and 213 million: what else is in each model leaves no vocabulary that gives both."""
    needed = {
        "transformer-base": (65_000_000, 39_841, 41_793),
        "transformer-big": (213_000_000, 35_368, 36_344),
    }
    for name, (said, first, last) in needed.items():
        for v, is_near in ((first - 1, False), (first, True), (last, True), (last + 1, False)):
            found = shapes(name, vocabulary=v).parameters
            assert (said - 500_000 <= found < said + 500_000) is is_near
    assert needed["transformer-big"][2] < needed["transformer-base"][1]


@pytest.mark.parametrize(
    ("name", "more"), [("transformer-base", 36_864), ("transformer-big", 73_728)]
)
def test_biases_in_attention_would_not_explain_it(name, more):
    without, with_them = shapes(name), shapes(name, attention_bias=True)
    assert with_them.parameters - without.parameters == more


def test_what_the_frameworks_count():
    torch = pytest.importorskip("torch")

    def size(module):
        return sum(p.numel() for p in module.parameters())

    model = torch.nn.Transformer(48, 4, 2, 2, 96, batch_first=True, device="meta")
    changes = {"d_model": 48, "heads": 4, "layers": 2, "d_ff": 96, "attention_bias": True}
    table = shapes("transformer-base", **changes, final_norm=True, vocabulary=1)
    assert table.parameters == size(model) + 48
    layers = {g.name: plain(table.value(g.parameters)) for g in table.groups}
    assert layers["encoder layer"] == size(model.encoder.layers[0])
    assert layers["decoder layer"] == size(model.decoder.layers[0])


# --- multiply-adds


def test_multiply_adds_of_gpt_2():
    """Each of n tokens meets every weight of a matrix once, and n others twice in each layer."""
    n, d = 1024, 768
    layer = n * (4 * d * d + 2 * d * 3072) + 2 * n * n * d
    assert shapes("gpt-2").multiply_adds == 12 * layer + n * d * 50257


def test_multiply_adds_of_translation():
    """Queries of the target, keys and values of the source."""
    b, n, m, d, f, v = 32, 7, 10, 512, 2048, 37000
    encoder = m * (4 * d * d + 2 * d * f) + 2 * m * m * d
    decoder = n * (6 * d * d + 2 * d * f) + m * 2 * d * d + 2 * n * n * d + 2 * n * m * d
    table = shapes("transformer-base", target_length=n)
    assert table.multiply_adds == b * (6 * (encoder + decoder) + n * d * v)


def test_multiply_adds_as_torch_counts_them():
    """Its counter meets every matrix product of a layer; two operations are one multiply-add."""
    torch = pytest.importorskip("torch")
    from torch.utils.flop_counter import FlopCounterMode

    layer = torch.nn.TransformerDecoderLayer(48, 4, 96, 0.0, batch_first=True, device="meta")
    target, memory = (torch.empty(3, k, 48, device="meta") for k in (5, 7))
    with FlopCounterMode(display=False) as counter:
        layer(target, memory, tgt_mask=torch.empty(5, 5, device="meta"))
    changes = {"d_model": 48, "heads": 4, "d_ff": 96, "batch": 3}
    table = shapes("transformer-base", **changes, length=7, target_length=5)
    group = next(g for g in table.groups if g.name == "decoder layer")
    assert counter.get_total_flops() == 2 * plain(table.value(group.multiply_adds))


# --- formulas and shapes


@each_model
@pytest.mark.parametrize("changes", [{}, {"batch": 3, "length": 5, "layers": 2, "d_ff": 7}])
def test_every_formula_gives_its_number(name, changes):
    """SymPy puts the sizes into every formula."""
    table = shapes(name, **changes)
    sizes = {letter: plain(x) for letter, x in table.sizes.items()}
    whole = 0
    for group in table.groups:
        total = 0
        for part in group.parts:
            for formula in (*part.shape, part.parameters, part.multiply_adds):
                found = to_sympy(formula).subs(sizes)
                assert found.is_Integer and found == plain(table.value(formula)) >= 0
            total += to_sympy(part.parameters).subs(sizes)
        whole += total * to_sympy(group.times).subs(sizes)
    assert whole == table.parameters


@each_model
def test_letters_of_ones_own_stay(name):
    """With all sizes letters, numbers put in later give the same counts."""
    table, free = shapes(name), shapes(name, batch="b", length="t", layers="k", vocabulary="w")
    sizes = {"b": "B", "t": "n", "k": "L", "w": "V"}
    values = {own: plain(table.sizes[letter]) for own, letter in sizes.items()}
    assert free.parameters.subs(values) == table.parameters
    assert free.multiply_adds.subs(values) == table.multiply_adds


STAGES = {
    # a batch of 32 texts of 10 tokens, d_model 512, 8 heads of 64; a target of 7
    "source embedding.tokens": (32, 10),
    "source embedding.embedding": (32, 10, 512),
    "source embedding.PE": (32, 10, 512),
    "encoder layer.self-attention.Q": (32, 10, 512),
    "encoder layer.self-attention.Q by heads": (32, 8, 10, 64),
    "encoder layer.self-attention.K^T": (32, 8, 64, 10),
    "encoder layer.self-attention.S": (32, 8, 10, 10),
    "encoder layer.self-attention.A": (32, 8, 10, 10),
    "encoder layer.self-attention.O": (32, 8, 10, 64),
    "encoder layer.self-attention.heads": (32, 10, 8 * 64),
    "encoder layer.self-attention.Y": (32, 10, 512),
    "encoder layer.self-attention.N1": (32, 10, 512),
    "encoder layer.feed-forward.U": (32, 10, 2048),
    "encoder layer.feed-forward.F": (32, 10, 512),
    "encoder output.hidden states": (32, 10, 512),
    "decoder layer.self-attention.masked": (32, 8, 7, 7),
    "decoder layer.cross-attention.K": (32, 10, 512),
    "decoder layer.cross-attention.S": (32, 8, 7, 10),
    "decoder layer.feed-forward.N3": (32, 7, 512),
    "output.hidden states": (32, 7, 512),
    "output.logits": (32, 7, 32000),
    "output.probabilities": (32, 7, 32000),
}


@pytest.mark.parametrize("place", STAGES)
def test_shapes_along_the_way(place):
    table = shapes("transformer-base", target_length=7, vocabulary=32000)
    assert table.shape(place) == STAGES[place]


def test_what_a_norm_stands_before_and_after():
    def names(name, sublayer):
        return [p.name for _, p in shapes(name) if p.sublayer == sublayer]

    assert names("gpt-2", "attention")[0] == "N1" and names("gpt-2", "attention")[-1] == "R1"
    assert names("bert-base", "attention")[-2:] == ["R1", "N1"]
    assert "masked" in names("gpt-2", "attention") and "masked" not in names(
        "bert-base", "attention"
    )


def test_grouped_queries_have_fewer_keys():
    table = shapes("llama-2-7b", kv_heads=8, batch=2, length=3)
    assert table.shape("layer.attention.Q by heads") == (2, 32, 3, 128)
    assert table.shape("layer.attention.K by heads") == (2, 8, 3, 128)
    assert table.shape("layer.attention.K") == (2, 3, 1024)
    assert table.shape("layer.attention.S") == (2, 32, 3, 3)


def test_a_part_that_is_not_there():
    with pytest.raises(InputError, match="no part") as error:
        shapes("gpt-2").part("layer.attention.s")
    assert "layer.attention.S" in error.value.hint


# --- derivations


def test_the_steps_of_a_head():
    table = shapes("head")
    products = {p.name: plain(table.value(p.multiply_adds)) for _, p in table}
    found = {name: count for name, count in products.items() if count}
    assert found == {"Q": 12, "K": 12, "V": 12, "S": 18, "O": 18}
    assert table.parameters == 12 and table.multiply_adds == 72
    assert table.shape("steps.C") == (9, 2)


@pytest.mark.parametrize("name", problems.ORDER)
def test_letters_and_rules_agree(name):
    """What the letters give is what the rules do on matrices without entries."""
    d = derive(builtin(name))
    table = shapes(d)
    for step, (_, part) in zip(d.steps, table, strict=True):
        assert tuple(plain(table.value(x)) for x in part.shape) == step.shape
        assert plain(table.value(part.multiply_adds)) == multiply_adds(step)


def test_nothing_is_derived():
    d = attention({"shape": (300, 200)}, *[{"shape": (200, 100)}] * 3)
    assert shapes(d).multiply_adds == 3 * 300 * 200 * 100 + 2 * 300 * 300 * 100
    assert not [s.name for s in d.derived if "value" in vars(s)]


def test_other_operations_are_counted_in_numbers():
    d = derive(builtin("head"))

    class Twice:
        rowwise = 0

        def rule(self, x, y):
            return (x @ y.T) @ y

    more = d.then("Y", Twice(), "Q", "K")
    assert not steps.is_head(more)
    table = shapes(more)
    assert table.shape("steps.Y") == (3, 2)
    assert plain(table.part("steps.Y").multiply_adds) == 3 * 2 * 3 + 3 * 3 * 2
    assert table.multiply_adds == 72 + 36


OPERATIONS = [getattr(ops, name) for name in ops.__all__]


@pytest.mark.parametrize("op", OPERATIONS, ids=lambda op: op.__name__)
def test_every_operation_can_be_counted(op):
    """The list goes along with what the rule makes; four operations multiply matrices."""
    for example in op().examples:
        products = []
        found = op().rule(*(Tallied(*x.shape, products) for x in example))
        assert found.shape == op().rule(*example).shape
        assert bool(products) is (op.__name__ in {"Affine", "Linear", "Mix", "Scores"})


# --- input

BAD = [
    ({"heads": 7}, "does not divide d_model"),
    ({"d_model": 10_000_000}, "d_model is 10,000,000"),
    ({"layers": 10_000}, "layers is 10,000"),
    ({"batch": -5}, "batch is -5"),
    ({"batch": 0}, "batch is 0"),
    ({"batch": 1.5}, "batch is a number"),
    ({"batch": True}, "batch is true or false"),
    ({"batch": 10**400}, "very large"),
    ({"batch": "B + 1"}, "batch is 'B"),
    ({"batch": "pi"}, "batch is 'pi'"),
    ({"batch": "x" * 1000}, "batch is 'xxx"),
    ({"batch": "lambda"}, "word of Python"),
    ({"batch": "n"}, "letter of another size"),
    ({"length": 1025}, "learned positions"),
    ({"target_length": 3}, "encoder-decoder"),
    ({"lay": 3}, "no size or part 'lay'"),
    ({"norm": "rms"}, "norm cannot be 'rms'"),
    ({"final_norm": 1}, "final_norm cannot be a number"),
    ({"kv_heads": 5}, "kv_heads = 5 does not divide heads"),
    ({"position_encoding": "rope", "d_k": 3}, "turns pairs"),
]


@pytest.mark.parametrize(("changes", "message"), BAD)
def test_bad_changes(changes, message):
    with pytest.raises(InputError) as error:
        shapes("gpt-2", **changes)
    assert message in error.value.message and error.value.place is None


DOCUMENTS = [
    ('architecture = "decodr"', 1, "did you mean decoder"),
    ('architecture = "decoder"\nsize = 3', 2, "no key 'size'"),
    ('architecture = "decoder"\nsizes = 3', 2, "a section [sizes]"),
    ('architecture = "decoder"\n[sizes]\nhead = 3', 3, "did you mean heads"),
    ('architecture = "decoder"\n[sizes]\nheads = 8.0', 3, "heads is '8.0'"),
    ('architecture = "decoder"\n[sizes]\nd_model = 512\nheads = 7', 4, "does not divide"),
    ('architecture = "decoder"\n[sizes]\nlength = "V"', 3, "letter of another size"),
    ('architecture = "decoder"\n[parts]\nffn_bias = "x"', 3, "true or false"),
    ('architecture = "decoder"\n[parts]\nhead = ["tied"]', 3, "head cannot be a list"),
    ('architecture = "decoder"\n[published]\nparameters = -1', 3, "out of range"),
    ('architecture = "decoder"\n[published]\nsource = "x"', 2, "parameters is missing"),
    ('architecture = "decoder"\ntitle = 3', 2, "title is a number"),
    ('architecture = "decoder"\ntitle = "\\u0007"', 2, "control character"),
]


@pytest.mark.parametrize(("text", "line", "message"), DOCUMENTS)
def test_bad_documents(text, line, message):
    with pytest.raises(InputError) as error:
        read_architecture(text, "mine.toml")
    assert message in str(error.value) and error.value.place.line == line


def test_the_sizes_of_a_problem_are_given():
    with pytest.raises(InputError, match="batch cannot be changed"):
        shapes("head", batch=2)


def test_a_document_without_sizes_has_its_letters():
    a = read_architecture('architecture = "decoder"')
    assert all(plain(x).name == letter for letter, x in a.sizes.items())
    assert list(a.sizes) == [x for x in LETTERS if x in a.sizes]
    table = shapes(a)
    assert str(table.shape("layer.attention.Q by heads")) == "(B, h, n, d_k)"


def test_a_width_that_is_half_a_letter():
    table = shapes("gpt-2", heads="a")
    assert str(table.shape("layer.attention.Q by heads")[3]) == "768/a"
    assert table.shape("layer.attention.heads") == (1, 1024, 768)
    assert table.parameters == 124_439_808


@each_model
def test_a_built_in_file_is_an_example(name, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(source(name), "utf-8")
    assert shapes(str(path)).parameters == shapes(name).parameters
    assert source(name).startswith("# ")


def test_choices_that_are_refused_by_no_model():
    """Every choice of every part counts, in every kind of model."""
    from derive.counts.architecture import CHOICES, KINDS

    for kind, (key, choices) in product(KINDS, CHOICES.items()):
        for choice in choices:
            a = read_architecture(f'architecture = "{kind}"', changes={key: choice, "heads": 4})
            table = shapes(a)
            assert len(dict(table)) == sum(len(g.parts) for g in table.groups)
