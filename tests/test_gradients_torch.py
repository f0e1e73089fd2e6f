"""Every parameter of every model has the gradient that torch.autograd finds, for random weights.

The forward program is the one that `derive grad --torch` prints.
"""

import random
import subprocess
import sys
from fractions import Fraction
from importlib.util import find_spec

import pytest

from derive import InputError, builtin, check, derive
from derive.certify import doubles
from derive.conventions import Conventions
from derive.derivation import Problem
from derive.exact import number
from derive.gradients import differentiate
from derive.models import MODELS
from derive.read.objects import as_given
from derive.views.code import program_with_gradients

needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not installed")
SIZES = {
    "n": 3, "m": 2, "d_model": 4, "d_k": 2, "d_v": 2, "d_in": 3, "d_ff": 5, "vocabulary": 5,
    "positions": 6, "1": 1,
}  # fmt: skip
WORDS = ("a", "b", "c", "d", "e")
CASES = [
    ("attention", {}),
    ("attention", {"mask": "causal"}),
    ("attention", {"temperature": number(3, 2), "scale": number(1)}),
    ("attention", {"positions": "rope"}),
    ("attention", {"positions": "rope", "layout": "halves"}),
    ("attention", {"positions": "alibi"}),
    ("multihead", {"heads": 2}),
    ("multihead", {"heads": 2, "mask": "causal", "positions": "alibi"}),
    ("multihead", {"heads": 4, "kv_heads": 2}),
    ("multihead", {"heads": 4, "kv_heads": 1}),
    ("positions", {"positions": "sinusoidal"}),
    ("layernorm", {"eps": number(1, 10), "eps_place": "inside"}),
    ("layernorm", {"eps": number(1, 10), "eps_place": "outside"}),
    ("layernorm", {"eps": number(1, 10), "correction": 1}),
    ("layernorm", {"normalization": "rmsnorm", "eps": number(1, 10)}),
    ("layernorm", {"normalization": "rmsnorm", "eps": number(1, 10), "eps_place": "outside"}),
    *(
        ("block", {"norm": norm, "activation": activation, "heads": heads})
        for norm, heads in (("post", 1), ("pre", 2))
        for activation in (
            "relu", "leaky_relu", "gelu", "gelu_tanh", "silu", "swiglu", "geglu",
        )
    ),
    ("block", {"normalization": "rmsnorm", "norm": "pre", "positions": "rope"}),
    ("block", {"layers": 2, "mask": "causal"}),
    ("decoder", {"norm": "post"}),
    ("decoder", {"norm": "pre", "heads": 2, "layers": 2, "activation": "gelu"}),
    ("language-model", {"positions": "sinusoidal", "mask": "causal"}),
    ("language-model", {"positions": "learned", "norm": "pre", "layers": 2, "tied": True}),
    ("language-model", {"positions": "rope", "normalization": "rmsnorm", "tied": True}),
    ("seq2seq", {"positions": "sinusoidal", "heads": 2}),
    ("seq2seq", {"positions": "sinusoidal", "norm": "pre", "shared": True, "tied": True}),
]  # fmt: skip


def sized(text):
    """The number of columns: "2 d_k" is 4."""
    times, _, name = text.rpartition(" ")
    return int(times or 1) * SIZES[name]


def left_out(model, choices, options):
    """What the case does without, of all that the model can use."""
    names = {"mask", "W_P", "enc.W_P", "dec.W_P"}
    names |= {"W_U", "b_U"} if options.get("tied") else set()
    names |= {"context"} if model in ("attention", "multihead") else set()
    if model == "seq2seq":
        names |= {"enc.W_E", "dec.W_E"} if options.get("shared") else {"W_E"}
    return names


def problem(model, options, seed):
    """Weights that nobody chose."""
    draw = random.Random(seed)
    choices = Conventions(**{k: v for k, v in options.items() if k not in ("tied", "shared")})
    every = MODELS[model].matrices(choices, ())
    wanted = MODELS[model].matrices(choices, set(every) - left_out(model, choices, options))
    given = {}
    for name, (rows, columns) in wanted.items():
        if name not in left_out(model, choices, options):
            m = [[fraction(draw) for _ in range(sized(columns))] for _ in range(sized(rows))]
            given[name] = as_given(m, name)
    words = {"tokens": ("b", "d", "a"), "vocabulary": WORDS} if "language" in model else {}
    if model == "seq2seq":
        words = {"tokens": ("b", "d", "a"), "vocabulary": WORDS, "targets": ("a", "c", "e")}
    return Problem(model, given, choices, model=model, **words)


def fraction(draw):
    return Fraction(draw.randint(-19, 19), draw.choice([7, 9, 10, 11, 13]))


def swept(case, k):
    model, options = case
    d = derive(problem(model, options, 900 + k))
    if "loss" in d:
        return differentiate(d)
    draw, last = random.Random(k), d.derived[-1]
    rows, columns = last.shape
    G = as_given([[fraction(draw) for _ in range(columns)] for _ in range(rows)], "G")
    return differentiate(d, f"<G,{last.name}>", seed=G)


@needs_torch
@pytest.mark.parametrize("k", range(len(CASES)), ids=lambda k: str(CASES[k]))
def test_every_parameter_agrees_with_autograd(k):
    sweep = swept(CASES[k], k)
    given = [n for n in sweep.forward.problem.given if n not in ("H", "context")]
    assert set(given) - set(sweep.wrt) <= {"PE", "enc.PE", "dec.PE"} or not given
    found = {}
    exec(program_with_gradients(sweep).replace("print(", "(lambda *_: None)("), found)  # noqa: S102
    for name, gradient in zip(sweep.wrt, found["gradients"], strict=True):
        for xs, ys in zip(doubles(sweep.step(name)), gradient.tolist(), strict=True):
            for x, y in zip(xs, ys, strict=True):
                assert abs(x - y) <= max(1e-10 * abs(x), 1e-12), name


@needs_torch
def test_the_check_says_how_far_they_differ():
    found = check.compare(differentiate(derive(builtin("head"))))
    assert found.is_close and "W_Q" in found.text and "All agree" in found.text


@needs_torch
def test_the_check_tells_of_a_wrong_gradient(monkeypatch):
    monkeypatch.setattr(
        check, "doubles", lambda step: [[x + 1e-6 for x in r] for r in doubles(step)]
    )
    found = check.compare(differentiate(derive(builtin("head"))))
    assert not found.is_close and "Not all agree" in found.text
    assert all(abs(d.absolute - 1e-6) < 1e-9 for d in found.differences)


def test_without_torch_the_check_says_so(monkeypatch):
    monkeypatch.setattr(check, "find_spec", lambda name: None)
    with pytest.raises(InputError, match="not installed"):
        check.compare(differentiate(derive(builtin("head"))))


@pytest.mark.parametrize("k", range(len(CASES)), ids=lambda k: str(CASES[k]))
def test_the_program_can_be_read(k):
    text = program_with_gradients(swept(CASES[k], k))
    compile(text, "gradients", "exec")
    assert text.count("requires_grad_()") >= 1 and "torch.autograd.grad" in text


def test_a_failure_of_torch_is_one_message(monkeypatch):
    def failing(*_, **__):
        return subprocess.CompletedProcess([sys.executable], 1, "", "x\nRuntimeError: no room")

    monkeypatch.setattr(check, "find_spec", lambda name: True)
    monkeypatch.setattr(check.subprocess, "run", failing)
    with pytest.raises(InputError, match="no room"):
        check.compare(differentiate(derive(builtin("head"))))
